#include "core/passes/tirx/plan/dsmem.h"

#include <algorithm>

#include <fmt/format.h>

namespace ls::tirx {

namespace {

/// Iters that follow each other from stride 1 upwards, innermost first.
std::vector<std::size_t> contiguous_run(std::span<const Iter> shard) {
    std::vector<std::size_t> run;
    Dim expected = 1;
    for (;;) {
        const auto next = std::find_if(shard.begin(), shard.end(), [&](const Iter& iter) {
            const auto index = static_cast<std::size_t>(&iter - shard.data());
            return !iter.extent.is(1) && iter.stride == expected && std::find(run.begin(), run.end(), index) == run.end();
        });
        if (next == shard.end()) return run;
        run.push_back(static_cast<std::size_t>(next - shard.begin()));
        expected = next->stride * next->extent;
    }
}

Result<TileLayout> plain_slice(const Operand& operand) {
    if (!operand.layout) return error("PLAN_NO_LAYOUT", fmt::format("buffer {} has no layout", operand.name));
    const TileLayout tile = without_swizzle(*operand.layout, operand.shape);
    LS_TRY(const Layout sliced, slice(Layout(tile), operand.shape, operand.region));
    LS_TRY(const Layout canonical, canonicalize(sliced));
    return canonical.tile();
}

} // namespace

Result<DsmemPlan> plan_dsmem(const DsmemCopy& call) {
    for (const std::string_view key : {"remote_cta_id", "mbar"}) {
        if (find(call.config, key) == nullptr) return error("COPY_CONFIG", fmt::format("{} not set in config", key));
    }
    LS_TRY(const TileLayout src, plain_slice(call.src));
    LS_TRY(const TileLayout dst, plain_slice(call.dst));
    LS_TRY(const Grouped source, group(src, extents(call.src)));
    std::vector<Dim> shape;
    for (const Iter& iter : source.layout.shard) shape.push_back(iter.extent);
    LS_TRY(const Grouped destination, group(dst, shape));
    const std::vector<Iter>& s = source.layout.shard;
    const std::vector<Iter>& d = destination.layout.shard;
    if (s.size() != d.size()) return error("COPY_CHUNK", "the regions are not cut into the same pieces");
    const auto src_run = contiguous_run(s);
    const auto dst_run = contiguous_run(d);
    std::vector<std::size_t> run;
    std::int64_t elems = 1;
    for (std::size_t i = 0; i < std::min(src_run.size(), dst_run.size()) && src_run[i] == dst_run[i]; ++i) {
        run.push_back(src_run[i]);
        elems *= s[src_run[i]].extent.constant().value_or(1);
    }
    DsmemPlan plan;
    plan.chunk_bytes = elems * bits(call.src.dtype) / 8;
    if (plan.chunk_bytes < 16 || plan.chunk_bytes % 16 != 0) {
        return error("COPY_CHUNK", fmt::format("Layouts not compatible for bulk DSMEM copy: both regions share runs of {} bytes, "
                                               "but need at least 16 and a multiple of 16",
                                               plan.chunk_bytes));
    }
    for (std::size_t i = 0; i < s.size(); ++i) {
        if (std::find(run.begin(), run.end(), i) != run.end()) continue;
        const std::vector<Dim> numbers{s[i].extent, s[i].stride, d[i].stride};
        LS_TRY(const auto values, constants(numbers, "an extent or stride of the copy,"));
        plan.loops.push_back({values[0], values[1], values[2]});
    }
    return plan;
}

} // namespace ls::tirx
