// tma_explicit: one tensor map from the tensor as it is declared, one instruction (spec/tirx.md 8.1).
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/notation/tirx_text.h"
#include "core/passes/tirx/plan/tma_internal.h"

namespace ls::tirx {

namespace {

Diagnostic refuse_explicit(std::string_view stage, std::string_view detail) {
    return error("TMA_EXPLICIT_LAYOUT", fmt::format("tma_explicit stage={}: {}", stage, detail));
}

/// The shared region must be one run of elements: a box is written in order.
Status take_shared(const TmaCopy& call, TmaPlan& plan) {
    LS_TRY(TileLayout sliced, unswizzled_slice(call.shared, "shared", refuse_explicit));
    plan.smem_offset_elems = call.shared.elem_offset + memory_offset(sliced);
    sliced.offset = {};
    if (!is_trivial(Layout(sliced))) {
        return refuse_explicit("shared-layout", fmt::format("the shared region must canonicalize to trivial, but it is {}",
                                                            notation::print_tirx(Layout(sliced))));
    }
    LS_TRY(const Dim bytes, elements_to_bytes(plan.smem_offset_elems, call.shared.dtype, "the shared offset", refuse_explicit));
    const std::int64_t align = shared_alignment_bytes(plan.map.swizzle);
    if (prove_divisible(bytes, align) == Proof::Disproven) {
        return refuse_explicit("shared-layout", fmt::format("the shared region starts {} bytes into its buffer, which violates the "
                                                            "{}-byte alignment of its swizzle",
                                                            to_string(bytes), align));
    }
    return ok_status();
}

Status take_global(const Operand& global, std::span<const Region> region, TensorMap& map) {
    if (!global.layout || global.layout->is_compose()) return refuse_explicit("global-layout", "the global layout must be a TileLayout");
    const TileLayout& tile = global.layout->tile();
    LS_CHECK(plain_memory(tile, "global", refuse_explicit));
    if (tile.shard.size() != global.shape.size() || region.size() != global.shape.size()) {
        return refuse_explicit("global-layout", fmt::format("the tensor has {} dimensions, its layout {} iters", global.shape.size(),
                                                            tile.shard.size()));
    }
    for (std::size_t d = global.shape.size(); d-- > 0;) {
        if (!proves_equal(global.shape[d], tile.shard[d].extent)) {
            return refuse_explicit("global-layout", fmt::format("dimension {} has {} elements, but its layout iter {}", d,
                                                                to_string(global.shape[d]), to_string(tile.shard[d].extent)));
        }
        map.global_dims.push_back(global.shape[d]);
        map.box.push_back(region[d].extent);
        map.coordinates.push_back(region[d].begin);
        LS_TRY(const Dim stride, elements_to_bytes(tile.shard[d].stride, global.dtype, "a global stride", refuse_explicit));
        if (d + 1 < global.shape.size()) map.global_strides_bytes.push_back(stride);
    }
    if (map.global_dims.empty()) return refuse_explicit("global-layout", "the tensor has no dimension");
    map.inner_stride = tile.shard.back().stride;
    if (!map.inner_stride.is(1)) {
        return refuse_explicit("global-layout", fmt::format("the innermost stride must provably be 1, but it is {}",
                                                            to_string(map.inner_stride)));
    }
    map.dtype = global.dtype;
    LS_TRY(map.base_offset_bytes, base_offset_bytes(global, refuse_explicit));
    std::vector<std::string> broken;
    for (const TensorMapFinding& finding : check_tensor_map(map)) {
        if (finding.status == Proof::Disproven) broken.push_back(to_string(finding));
    }
    if (!broken.empty()) {
        return error("TMA_DESCRIPTOR", fmt::format("tma_explicit: {}", fmt::join(broken, "; ")),
                     "declare the global view so that its dimensions, strides and box fit the hardware");
    }
    return ok_status();
}

/// gather4 writes its four rows one behind the other.
Status check_gather(const TmaCopy& call, const TmaPlan& plan) {
    if (!call.to_shared) return error("TMA_CONFIG", "gather4 and src_selector are only valid for global-to-shared");
    if (call.global.shape.size() != 2) return error("TMA_CONFIG", "tma_explicit gather4 requires a rank-2 global tensor");
    if (call.gather4.size() != 4) return error("TMA_CONFIG", "gather4 must contain exactly four row coordinates");
    if (call.shared.region.empty() || !call.shared.region[0].extent.is(4)) {
        return error("TMA_CONFIG", "gather4 needs a shared region of four rows");
    }
    if (prove_equal(call.global.region[0].extent, 1) == Proof::Disproven) {
        return error("TMA_CONFIG", "gather4 needs a global region of one row");
    }
    LS_TRY(const TileLayout sliced, unswizzled_slice(call.shared, "gather4 shared", refuse_explicit));
    LS_TRY(const Grouped grouped, group(sliced, extents(call.shared)));
    const Dim row = floor_div(plan.map.box_bits(), Dim(4 * bits(call.shared.dtype)));
    if (grouped.separators[1] != 1 || !proves_equal(grouped.layout.shard[0].stride, row)) {
        return refuse_explicit("gather4", fmt::format("the four shared rows must follow each other at {} elements", to_string(row)));
    }
    return ok_status();
}

bool compatible(const TensorMap& a, const TensorMap& b) {
    return a.dtype == b.dtype && a.rank() == b.rank() && a.box == b.box;
}

} // namespace

Result<TmaPlan> plan_tma_explicit(const TmaCopy& call) {
    for (const Operand* operand : {&call.shared, &call.global}) {
        if (!operand->layout) return error("PLAN_NO_LAYOUT", fmt::format("buffer {} has no layout", operand->name));
    }
    LS_TRY(TmaPlan plan, tma_settings(call, true));
    if (!call.selectors.empty() && !call.to_shared) {
        return error("TMA_CONFIG", "gather4 and src_selector are only valid for global-to-shared");
    }
    LS_TRY(plan.map.swizzle, tma_swizzle(call.shared, refuse_explicit));
    LS_CHECK(take_shared(call, plan));
    const TensorMap settings = plan.map;
    LS_CHECK(take_global(call.global, call.global.region, plan.map));
    if (!call.gather4.empty()) LS_CHECK(check_gather(call, plan));
    for (const Operand& selector : call.selectors) {
        TensorMap map = settings;
        LS_CHECK(take_global(selector, call.global.region, map));
        if (!compatible(plan.map, map)) {
            return error("TMA_CONFIG", fmt::format("src_selector {} needs another tensor map than the main source", selector.name),
                         "its type, rank and box must be the main source's");
        }
        plan.selectors.push_back(std::move(map));
    }
    return plan;
}

} // namespace ls::tirx
