// A part of a buffer by numpy-like indices (spec/tirx.md 3.8).
#include <fmt/format.h>

#include "core/layout/buffer_view.h"
#include "core/layout/operations.h"
#include "core/layout/refusal.h"
#include "core/layout/shard.h"
#include "core/layout/slice_steps.h"

namespace ls {

namespace {

/// What the indices leave: dimensions, their iters, and the address of their first element.
struct Part {
    std::vector<Dim> shape;
    std::vector<Iter> shard;
    AxisMap offset;
};

Diagnostic out_of_range(const Dim& index, const Dim& extent, std::size_t dim) {
    return error("LAYOUT_RANGE",
                 fmt::format("index {} lies outside dimension {} of {}", to_string(index), dim, to_string(extent)));
}

/// Refuses what is provably outside [0, limit].
Status check_bound(const Dim& index, const Dim& limit, const Dim& extent, std::size_t dim) {
    return proves_less(index, 0) || proves_less(limit, index) ? Status(out_of_range(index, extent, dim)) : ok_status();
}

void add_start(Part& part, std::span<const Iter> iters, const Dim& begin) {
    std::vector<Dim> extents;
    for (const Iter& iter : iters) extents.push_back(iter.extent);
    const std::vector<Dim> digits = split_digits(begin, extents);
    for (std::size_t k = 0; k < iters.size(); ++k) part.offset[iters[k].axis] += digits[k] * iters[k].stride;
}

/// begin::step sees the dimension as (extent / step, step) and fixes the second index.
Status take_every(Part& part, std::span<const Iter> iters, const Dim& extent, const SubRange& range, std::size_t dim) {
    const bool whole = !range.end || proves_equal(*range.end, extent);
    if (range.step < 1 || !whole || !proves_divisible(extent, range.step) || !proves_less(range.begin, range.step)) {
        return error("LAYOUT_SUB",
                     fmt::format("every {} of dimension {} of {} from {} on is no part that can be viewed", range.step,
                                 dim, to_string(extent), to_string(range.begin)),
                     "a step must divide the dimension, begin below it, and reach the end");
    }
    const std::vector<Dim> halves{floor_div(extent, range.step), range.step};
    LS_TRY(const Grouped grouped, group(TileLayout{{iters.begin(), iters.end()}, {}, {}}, halves));
    add_start(part, dimension(grouped, 1), range.begin);
    const auto kept = dimension(grouped, 0);
    part.shard.insert(part.shard.end(), kept.begin(), kept.end());
    part.shape.push_back(halves.front());
    return ok_status();
}

Status narrow(Part& part, std::span<const Iter> iters, const Dim& extent, const SubRange& range, std::size_t dim) {
    const Dim end = range.end.value_or(extent);
    LS_CHECK(check_bound(range.begin, extent, extent, dim));
    LS_CHECK(check_bound(end, extent, extent, dim));
    const Dim count = end - range.begin;
    if (proves_less(count, 1)) {
        return error("LAYOUT_RANGE", fmt::format("the range {}:{} of dimension {} is empty", to_string(range.begin),
                                                 to_string(end), dim));
    }
    if (range.begin.is(0) && proves_equal(count, extent)) {
        part.shard.insert(part.shard.end(), iters.begin(), iters.end());
    } else {
        std::vector<Iter> canonical(iters.begin(), iters.end());
        drop_units(canonical);
        fuse_neighbours(canonical);
        const std::vector<Dim> digits = begin_digits(range.begin, canonical);
        const std::vector<Iter> kept =
            canonical.size() == 1 ? std::vector<Iter>{{count, canonical.front().stride, canonical.front().axis}}
                                  : slice_digits(canonical, digits, count);
        if (kept.empty()) {
            return error("LAYOUT_SUB",
                         fmt::format("the range {}:{} of dimension {} cuts through an iter", to_string(range.begin),
                                     to_string(end), dim),
                         "narrow a dimension of several iters at multiples of the inner ones");
        }
        for (std::size_t k = 0; k < canonical.size(); ++k)
            part.offset[canonical[k].axis] += digits[k] * canonical[k].stride;
        part.shard.insert(part.shard.end(), kept.begin(), kept.end());
    }
    part.shape.push_back(count);
    return ok_status();
}

} // namespace

Result<BufferView> sub_view(const BufferView& buffer, std::span<const SubIndex> indices) {
    if (indices.size() > buffer.shape.size()) {
        return error("LAYOUT_RANK",
                     fmt::format("{} indices were given for shape {}", indices.size(), to_string(buffer.shape)));
    }
    const Layout layout = buffer.effective_layout();
    LS_TRY(const Grouped grouped, group(working_tile(layout, buffer.shape), buffer.shape));
    Part part;
    for (std::size_t d = 0; d < buffer.shape.size(); ++d) {
        const Dim& extent = buffer.shape[d];
        const SubIndex index = d < indices.size() ? indices[d] : SubIndex(SubRange{});
        const auto iters = dimension(grouped, d);
        if (const Dim* fixed = std::get_if<Dim>(&index)) {
            LS_CHECK(check_bound(*fixed, extent - 1, extent, d));
            add_start(part, iters, *fixed);
        } else if (const SubRange& range = std::get<SubRange>(index); range.step != 1) {
            LS_CHECK(take_every(part, iters, extent, range, d));
        } else {
            LS_CHECK(narrow(part, iters, extent, range, d));
        }
    }

    BufferView result{std::move(part.shape), {}, buffer.elem_offset};
    TileLayout tile{std::move(part.shard), grouped.layout.replica, grouped.layout.offset};
    const ComposeLayout* swizzled = layout.compose();
    const Dim period =
        swizzled == nullptr
            ? Dim(1)
            : Dim(std::int64_t{1} << (swizzled->per_element + swizzled->swizzle_len + swizzled->atom_len));
    for (const auto& [axis, amount] : part.offset) {
        if (amount.is(0)) continue;
        if (axis == axes::m && proves_divisible(amount, period)) {
            result.elem_offset += amount;
        } else {
            tile.offset[axis] += amount;
        }
    }
    if (result.elem_offset.is_overflow())
        return error("LAYOUT_OVERFLOW", "the element offset leaves the range of 64-bit integers");
    LS_TRY(result.layout, finish(layout.with_tile(std::move(tile))));
    return result;
}

} // namespace ls
