#include "core/passes/tirx/plan/reduction.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

namespace ls::tirx {

namespace {

Result<ReductionPlan> with_axes(const ReductionCall& call, ReductionKind kind) {
    ReductionPlan plan;
    plan.op = call.op;
    plan.kind = kind;
    const auto rank = static_cast<std::int64_t>(call.src.region.size());
    std::vector<bool> reduced(call.src.region.size(), false);
    for (const std::int64_t axis : call.axes) {
        const std::int64_t at = axis >= 0 ? axis : axis + rank;
        if (at < 0 || at >= rank)
            return error("REDUCTION_AXES", fmt::format("reduce axis {} out of range for ndim={}", axis, rank));
        reduced[static_cast<std::size_t>(at)] = true;
    }
    for (std::size_t d = 0; d < reduced.size(); ++d) (reduced[d] ? plan.reduced : plan.kept).push_back(d);
    return plan;
}

/// How much of a dimension lies over threads, and how much in one thread.
struct Split {
    std::int64_t threads = 1, held = 1;
};
Result<std::vector<Split>> splits_of(const Operand& operand) {
    LS_TRY(const Layout sliced, slice_of(operand));
    LS_TRY(const Grouped grouped, group(sliced.tile(), extents(operand)));
    std::vector<Split> out(operand.region.size());
    for (std::size_t d = 0; d < out.size(); ++d) {
        for (std::size_t i = grouped.separators[d]; i < grouped.separators[d + 1]; ++i) {
            const Iter& iter = grouped.layout.shard[i];
            const auto extent = iter.extent.constant();
            if (!extent) return error("PLAN_SYMBOLIC", "an extent of the reduction must be a number");
            (iter.axis.is_thread() ? out[d].threads : out[d].held) *= *extent;
        }
    }
    return out;
}

/// Kept dimensions lie alike on both sides; reduced ones keep their threads and leave one element.
Status check_layouts(const ReductionCall& call, const ReductionPlan& plan) {
    LS_TRY(const auto src, splits_of(call.src));
    LS_TRY(const auto dst, splits_of(call.dst));
    std::vector<Split> expected, found;
    for (std::size_t d = 0; d < src.size(); ++d) {
        if (src[d].threads == 1 && src[d].held == 1) continue;
        const bool reduced = std::find(plan.reduced.begin(), plan.reduced.end(), d) != plan.reduced.end();
        if (!reduced) {
            expected.push_back(src[d]);
        } else if (src[d].threads != 1) {
            expected.push_back({src[d].threads, 1});
        }
    }
    for (const Split& split : dst) {
        if (split.threads != 1 || split.held != 1) found.push_back(split);
    }
    const auto same = [](const Split& a, const Split& b) { return a.threads == b.threads && a.held == b.held; };
    if (!std::equal(expected.begin(), expected.end(), found.begin(), found.end(), same)) {
        return error("REDUCTION_LAYOUT", "mismatch dst/src layout for reduction",
                     "kept dimensions must lie on the same threads, and reduced ones leave one element of a thread");
    }
    return ok_status();
}

/// What one thread holds of a region; refused where the region takes a part of the threads, or no block of what one
/// holds.
Result<ReductionPlan::Local> local_region(const Operand& operand, std::string_view which) {
    if (!operand.layout || operand.layout->is_compose())
        return error("REDUCTION_LAYOUT", fmt::format("TileLayout required for {}", which));
    const TileLayout& tile = operand.layout->tile();
    for (const Iter& iter : tile.shard) {
        if (iter.axis.is_thread() && iter.stride.is(0))
            return error("REDUCTION_LAYOUT", fmt::format("thread dim with zero stride in {}", which));
    }
    for (const Iter& iter : tile.replica) {
        if (iter.axis.is_thread())
            return error("REDUCTION_LAYOUT", fmt::format("thread axis in replica for {}", which));
    }
    LS_TRY(const Grouped grouped, group(tile, operand.shape));
    ReductionPlan::Local out;
    for (std::size_t d = 0; d < operand.shape.size(); ++d) {
        const auto begin = grouped.layout.shard.begin() + static_cast<std::ptrdiff_t>(grouped.separators[d]);
        const std::vector<Iter> iters(begin, grouped.layout.shard.begin() +
                                                 static_cast<std::ptrdiff_t>(grouped.separators[d + 1]));
        const auto on_thread = [](const Iter& iter) { return iter.axis.is_thread(); };
        if (std::all_of(iters.begin(), iters.end(), on_thread)) {
            out.place.emplace_back();
            continue;
        }
        out.place.emplace_back(out.shape.size());
        const ls::Region& range = operand.region[d];
        if (std::none_of(iters.begin(), iters.end(), on_thread)) {
            out.shape.push_back(operand.shape[d]);
            out.begin.push_back(range.begin);
            out.extent.push_back(range.extent);
            continue;
        }
        std::vector<Dim> lengths;
        for (const Iter& iter : iters) lengths.push_back(iter.extent);
        const std::vector<Dim> first = split_digits(range.begin, lengths);
        const std::vector<Dim> last = split_digits(range.begin + range.extent - Dim(1), lengths);
        Dim shape(1), start(0), end(0);
        for (std::size_t k = iters.size(); k-- > 0;) {
            const bool whole = first[k].is(0) && last[k] == lengths[k] - Dim(1);
            const bool two = last[k] - first[k] == Dim(1);
            if (!whole && (iters[k].axis.is_thread() || !two)) {
                return error("REDUCTION_LAYOUT", fmt::format("get_local_region failed for {}", which),
                             "take whole threads, and a block of what each holds");
            }
            if (iters[k].axis.is_thread()) continue;
            shape *= lengths[k];
            start = start * lengths[k] + first[k];
            end = end * lengths[k] + last[k];
        }
        out.shape.push_back(shape);
        out.begin.push_back(start);
        out.extent.push_back(end - start + Dim(1));
    }
    if (out.shape.empty()) {
        out.shape = out.extent = {Dim(1)};
        out.begin = {Dim(0)};
    }
    return out;
}

/// Lanes in the source's shard and in the destination's replica.
std::optional<ReductionPlan> lane_replica(const ReductionCall& call, const ReductionPlan& axes_of) {
    if (!call.src.layout || !call.dst.layout || is_swizzle(*call.src.layout) || is_swizzle(*call.dst.layout)) return {};
    const auto src = canonicalize(*call.src.layout), dst = canonicalize(*call.dst.layout);
    if (!src || !dst) return {};
    ReductionPlan plan = axes_of;
    plan.kind = ReductionKind::LaneReplica;
    std::int64_t span = 1, width = 1;
    bool lanes = false, copies = false;
    for (const Iter& iter : src->tile().shard) {
        const auto extent = iter.extent.constant(), stride = iter.stride.constant();
        if (!extent || !stride) return {};
        if (iter.axis != axes::laneid) {
            plan.elements *= *extent;
            continue;
        }
        lanes = true;
        span += (*stride < 0 ? -*stride : *stride) * (*extent - 1);
    }
    for (const Iter& iter : dst->tile().replica) {
        if (iter.axis != axes::laneid) continue;
        copies = true;
        width *= iter.extent.constant().value_or(0);
    }
    if (!lanes || !copies || span != 32 || width <= 0 || width > 32 ||
        !std::has_single_bit(static_cast<std::uint64_t>(width)))
        return {};
    plan.width = width;
    return plan;
}

/// Distances of the lanes that hold parts of the reduced dimensions.
Result<std::vector<std::int64_t>> masks_of(const Operand& src, const std::vector<std::size_t>& reduced) {
    LS_TRY(const Grouped grouped, group(src.layout->tile(), src.shape));
    std::vector<std::int64_t> masks;
    for (const std::size_t d : reduced) {
        for (std::size_t i = grouped.separators[d]; i < grouped.separators[d + 1]; ++i) {
            const Iter& iter = grouped.layout.shard[i];
            if (!iter.axis.is_thread()) continue;
            const auto extent = iter.extent.constant(), stride = iter.stride.constant();
            if (!extent || !stride || *extent < 1)
                return error("PLAN_SYMBOLIC", "a thread iter of the reduction must be a number");
            for (std::int64_t reach = 1; reach * 2 <= *extent; reach *= 2) masks.push_back(*stride * reach);
        }
    }
    std::sort(masks.begin(), masks.end());
    return masks;
}

} // namespace

Result<ReductionPlan> plan_thread_reduction(const ReductionCall& call, ReductionKind kind) {
    LS_TRY(ReductionPlan plan, with_axes(call, kind));
    if (kind != ReductionKind::Serial && !product(extents(call.src)).is_constant()) {
        return error("PLAN_SYMBOLIC", "the length of a packed reduction must be a number");
    }
    return plan;
}

Result<ReductionPlan> plan_shared_reduction(const ReductionCall& call, std::int64_t threads) {
    LS_TRY(ReductionPlan plan, with_axes(call, threads == 1 ? ReductionKind::Serial : ReductionKind::SharedGroups));
    LS_TRY(const auto shape, constants(extents(call.src), "an extent of the reduction"));
    std::int64_t length = 1, results = 1;
    for (const std::size_t d : plan.reduced) length *= shape[d];
    for (const std::size_t d : plan.kept) results *= shape[d];
    if (!product(extents(call.dst)).is(results)) {
        return error("REDUCTION_LAYOUT", fmt::format("dst size {} != expected spatial size {}",
                                                     to_string(product(extents(call.dst))), results));
    }
    const auto rounded =
        static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(length, 1))));
    plan.group = std::max<std::int64_t>(1, std::min({rounded, std::int64_t{32}, threads}));
    plan.threads = threads;
    return plan;
}

Result<ReductionPlan> plan_warp_reduction(const ReductionCall& call, bool one_warp) {
    LS_TRY(ReductionPlan plan, with_axes(call, ReductionKind::LocalView));
    if (one_warp) {
        if (auto lanes = lane_replica(call, plan)) return *std::move(lanes);
    } else if (call.thread_reduce) {
        return error(
            "REDUCTION_LAYOUT",
            "thread_reduce=True is only supported in warp scope; warpgroup local reduction is thread-local only");
    }
    LS_TRY(plan.src, local_region(call.src, "src"));
    LS_TRY(plan.dst, local_region(call.dst, "dst"));
    LS_CHECK(check_layouts(call, plan));
    for (const std::size_t d : plan.kept) {
        const bool kept = d < plan.dst.place.size() && plan.dst.place[d].has_value();
        if (plan.src.place[d] && !kept)
            return error("REDUCTION_LAYOUT", "a kept dimension has no place in the destination",
                         "keep the rank: reduced dimensions of extent 1");
    }
    if (call.thread_reduce) {
        LS_TRY(plan.shuffle_masks, masks_of(call.src, plan.reduced));
    }
    return plan;
}

} // namespace ls::tirx
