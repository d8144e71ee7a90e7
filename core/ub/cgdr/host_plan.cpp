#include "core/ub/cgdr/host_plan.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/support/checked.h"

namespace ls::ub::cgdr {

namespace {

constexpr std::int64_t kMinWorkspace = std::int64_t{32} << 20;
constexpr std::int64_t kCubeSlotBytes = 131072; ///< v1135: two slots of 64 KiB per launched core

/// [B][hv][dk][align(dv, 8)] fp32, plus the Cube slots of v1135.
Result<std::int64_t> workspace_needed(const HostInput& in, std::int64_t block_dim) {
    const std::array factors{in.batch, in.hv, in.dk, align_up(in.dv, 8), std::int64_t{4}};
    // A zero factor makes the product zero however large the others are.
    CheckedInt state = std::ranges::count(factors, 0) > 0 ? CheckedInt{0} : checked_product(factors);
    if (state && in.variant == Variant::V1135) state = checked_add(*state, block_dim * kCubeSlotBytes);
    if (state) return *state;
    return error("UB_WORKSPACE_OVERFLOW",
                 fmt::format("the workspace [{}][{}][{}][{}] of fp32 exceeds 64-bit sizes", in.batch, in.hv, in.dk,
                             align_up(in.dv, 8)),
                 "check batch, hv, dk and dv");
}

} // namespace

std::int64_t launch_work_items(Variant variant, std::int64_t batch, std::int64_t hv, std::int64_t v_tiles,
                               std::int64_t aiv) {
    constexpr std::int64_t kMany = std::int64_t{1} << 62; // only min(items, aiv) matters beyond
    if (variant == Variant::V1135) {
        const std::array factors{batch, hv, v_tiles};
        return checked_product(factors).value_or(kMany);
    }
    return hv < aiv && v_tiles > 1 ? hv * v_tiles : hv;
}

std::int64_t launch_blocks(std::int64_t work_items, std::int64_t aiv) {
    return std::max<std::int64_t>(1, std::min(work_items, aiv));
}

Result<HostPlan> plan_host(const HostInput& in) {
    LS_CHECK(validate(in));
    HostPlan plan;
    plan.input = in;
    plan.pad_rows = (in.chunk_size - in.t % in.chunk_size) % in.chunk_size;
    plan.num_chunks = (in.t + plan.pad_rows) / in.chunk_size;
    plan.search = search_v_step(in);
    if (!plan.search.ok) return plan;

    const std::int64_t v_step = plan.search.v_step;
    plan.v_tile_count = ceil_div(in.dv, v_step);
    plan.work_items = launch_work_items(in.variant, in.batch, in.hv, plan.v_tile_count, in.aiv);
    plan.block_dim = launch_blocks(plan.work_items, in.aiv);
    plan.split_v = splits_v(in.variant, in.dv, v_step, plan.block_dim, in.hv);
    plan.device_overlap = device_overlaps({in.variant, in.chunk_size, in.dk, in.dv, v_step, in.hv, plan.block_dim, {}});
    LS_TRY(plan.workspace_needed_bytes, workspace_needed(in, plan.block_dim));
    plan.workspace_bytes = std::max(kMinWorkspace, plan.workspace_needed_bytes);
    plan.tiling_key = tiling_key(in.variant, in.dk);
    return plan;
}

TilingRecord tiling_record(const HostPlan& plan, bool has_gamma, float scale) {
    const auto u32 = [](std::int64_t value) { return static_cast<std::uint32_t>(value); };
    const HostInput& in = plan.input;
    TilingRecord r;
    r.vector_core_num = u32(in.aiv);
    r.ub_cal_size = u32(in.ub_bytes);
    r.ub_rest_bytes = u32(plan.search.rest_bytes);
    r.t = u32(in.t);
    r.hqk = u32(in.hqk);
    r.dk = u32(in.dk);
    r.hv = u32(in.hv);
    r.dv = u32(in.dv);
    r.chunk_size = u32(in.chunk_size);
    r.num_chunks = u32(plan.num_chunks);
    r.b = u32(in.batch);
    r.pad_size = u32(plan.pad_rows);
    r.has_gamma = has_gamma ? 1 : 0;
    r.scale_value = scale;
    r.v_step = u32(plan.search.v_step);
    return r;
}

} // namespace ls::ub::cgdr
