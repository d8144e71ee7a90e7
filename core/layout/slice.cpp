// The layout of a box of another layout's elements (spec/tirx.md 3.7). It keeps every address: the box's corner
// becomes the offset, also under a swizzle, which must still see the absolute address.
#include <fmt/format.h>

#include "core/layout/operations.h"
#include "core/layout/refusal.h"
#include "core/layout/shard.h"
#include "core/layout/slice_steps.h"

namespace ls {

std::vector<Dim> begin_digits(const Dim& begin, std::span<const Iter> iters) {
    if (iters.size() == 1) return {begin};
    std::vector<Dim> digits(iters.size());
    Dim rest = begin;
    for (std::size_t k = iters.size(); k-- > 0;) {
        digits[k] = floor_mod(rest, iters[k].extent);
        rest = floor_div(rest, iters[k].extent);
    }
    return digits;
}

//     digits of begin    d_0 .. d_p .. d_{m-1}        peeled: inner digits that start at 0 and are covered whole
//                               └ here `rest` steps of digit p are taken
std::vector<Iter> slice_digits(std::span<const Iter> iters, std::span<const Dim> begin, const Dim& extent) {
    Dim rest = extent;
    std::size_t peeled = iters.size();
    while (peeled > 0 && begin[peeled - 1].is(0) && proves_divisible(rest, iters[peeled - 1].extent)) {
        rest = floor_div(rest, iters[peeled - 1].extent);
        --peeled;
    }
    std::vector<Iter> result;
    if (peeled == 0) {
        if (!rest.is(1)) return {};
    } else {
        const std::size_t p = peeled - 1;
        const Iter& iter = iters[p];
        const Dim& d = begin[p];
        const Dim half = floor_div(rest, 2);
        const auto continues = [&] { // the outer digit can step once more, on the same axis
            return p == 0 || (iters[p - 1].axis == iter.axis && proves_at_most(begin[p - 1] + 1, iters[p - 1].extent));
        };
        if (proves_at_most(d + rest, iter.extent)) {
            result.push_back({rest, iter.stride, iter.axis});
        } else if (proves_divisible(rest, 2) && proves_equal(d + half, iter.extent) && continues()) {
            // The region crosses the digit's end in its middle: first half at the end of one row, second at the
            // start of the next. A carry further out is not followed, as in the reference.
            const Dim next_row = p > 0 ? iters[p - 1].stride : Dim();
            result.push_back({2, next_row - (iter.extent - half) * iter.stride, iter.axis});
            result.push_back({half, iter.stride, iter.axis});
        } else {
            return {};
        }
    }
    result.insert(result.end(), iters.begin() + static_cast<std::ptrdiff_t>(peeled), iters.end());
    return result;
}

namespace {

Diagnostic none(std::size_t dim, const Region& region) {
    return error("LAYOUT_NONE_SLICE",
                 fmt::format("elements {} to {} + {} of dimension {} do not form one layout", to_string(region.begin),
                             to_string(region.begin), to_string(region.extent), dim),
                 "begin and extent must cover whole inner iters, or stay inside one iter");
}

Result<TileLayout> slice_tile(const TileLayout& tile, std::span<const Dim> shape, std::span<const Region> region,
                              AxisTarget target) {
    LS_TRY(const Layout canonical, canonicalize(tile, target));
    LS_TRY(const Grouped grouped, group(canonical.tile(), shape));
    TileLayout result;
    result.replica = grouped.layout.replica;
    result.offset = grouped.layout.offset;
    for (std::size_t dim = 0; dim < shape.size(); ++dim) {
        const auto whole = dimension(grouped, dim);
        LS_TRY(const Layout alone, canonicalize(TileLayout{{whole.begin(), whole.end()}, {}, {}}, target));
        const std::vector<Iter>& iters = alone.tile().shard;
        const std::vector<Dim> begin = begin_digits(region[dim].begin, iters);
        for (std::size_t k = 0; k < iters.size(); ++k) result.offset[iters[k].axis] += begin[k] * iters[k].stride;
        if (iters.size() == 1) {
            result.shard.push_back({region[dim].extent, iters.front().stride, iters.front().axis});
            continue;
        }
        const std::vector<Iter> sliced = slice_digits(iters, begin, region[dim].extent);
        if (sliced.empty()) return none(dim, region[dim]);
        result.shard.insert(result.shard.end(), sliced.begin(), sliced.end());
    }
    return result;
}

} // namespace

Result<Layout> slice(const Layout& layout, std::span<const Dim> shape, std::span<const Region> region,
                     AxisTarget target) {
    if (shape.size() != region.size()) {
        return error("LAYOUT_RANK", fmt::format("{} ranges were given for shape {}", region.size(), to_string(shape)),
                     "give one range for each dimension of the shape");
    }
    for (const Region& range : region) LS_CHECK(refuse_shape(std::span(&range.extent, 1)));
    LS_TRY(TileLayout sliced, slice_tile(working_tile(layout, shape), shape, region, target));
    return finish(layout.with_tile(std::move(sliced)));
}

} // namespace ls
