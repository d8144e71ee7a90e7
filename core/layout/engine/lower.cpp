#include "core/layout/engine/lower.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/support/checked.h"

namespace ls::engine {

namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

Result<std::int64_t> constant(const Dim& dim, std::string_view what) {
    if (dim.is_overflow()) {
        return error("ENGINE_OVERFLOW", fmt::format("{} does not fit 64 bits", what), "use smaller extents or strides");
    }
    if (!dim.is_constant()) {
        return error("ENGINE_SYMBOLIC",
                     fmt::format("{} is the expression {}; only numbers can be enumerated", what, to_string(dim)),
                     "give its variables values first");
    }
    return dim.value();
}

Result<Digit> constant_digit(const Iter& iter, std::string_view kind, std::size_t position) {
    LS_TRY(const std::int64_t extent, constant(iter.extent, fmt::format("the extent of {} iter {}", kind, position)));
    LS_TRY(const std::int64_t stride, constant(iter.stride, fmt::format("the stride of {} iter {}", kind, position)));
    if (extent < 1) {
        return error("LAYOUT_EXTENT", fmt::format("{} iter {} has the extent {}", kind, position, extent),
                     "extents are at least 1");
    }
    return Digit{extent, stride, 0, iter.axis};
}

Result<std::int64_t> element_count(std::span<const std::int64_t> shape) {
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (shape[d] < 1) {
            return error("ENGINE_SHAPE",
                         fmt::format("dimension {} of the shape {} has the extent {}", d, to_text(shape), shape[d]),
                         "extents are at least 1");
        }
    }
    // One bit to spare, so that a top digit rounded up to whole values still counts within 64 bits.
    if (const CheckedInt count = checked_product(shape); count && *count <= (std::int64_t{1} << 62)) return *count;
    return error("ENGINE_OVERFLOW", fmt::format("the shape {} has more than 2^62 elements", to_text(shape)),
                 "look at a part of the tensor");
}

/// The digits that indices below `elements` can reach, innermost first. The first shard iter takes whatever is left
/// above the others (spec/tirx.md 3.1), so its extent follows from the number of elements.
///
/// Under a swizzle an iter of extent 1 adds nothing, whatever its digit (spec/tirx.md 2).
Result<std::vector<Digit>> shard_digits(const TileLayout& tile, bool swizzled, std::int64_t elements, bool& partial) {
    std::vector<Digit> digits;
    std::vector<Digit> all;
    for (std::size_t i = 0; i < tile.shard.size(); ++i) {
        LS_TRY(Digit digit, constant_digit(tile.shard[i], "shard", i));
        all.push_back(digit);
    }
    std::int64_t place = 1;
    for (std::size_t i = all.size(); i-- > 0 && place < elements;) {
        Digit digit = all[i];
        if (swizzled && digit.extent == 1) digit.stride = 0;
        const std::int64_t needed = ceil_div(elements, place);
        if (i == 0 || digit.extent >= needed) {
            digit.extent = needed;
            partial = elements % place != 0;
        }
        digit.place = place;
        place = checked_mul(place, digit.extent).value_or(kMost);
        if (digit.extent == 1) continue;
        Digit* inner = digits.empty() ? nullptr : &digits.back();
        if (inner != nullptr && inner->axis == digit.axis &&
            checked_mul(inner->stride, inner->extent) == digit.stride) {
            inner->extent *= digit.extent;
        } else {
            digits.push_back(digit);
        }
    }
    return digits;
}

/// Σ over digits of the smallest and the largest contribution.
struct Reach {
    CheckedInt low = 0, high = 0;

    void add(const Digit& digit) {
        const CheckedInt far = checked_mul(digit.extent - 1, digit.stride);
        CheckedInt& end = digit.stride < 0 ? low : high;
        end = end && far ? checked_add(*end, *far) : CheckedInt{};
    }
};

Result<AxisRange> axis_range(Axis axis, std::int64_t offset, const Lowered& lowered) {
    Reach shard;
    Reach replica;
    for (const Digit& digit : lowered.digits) {
        if (digit.axis == axis) shard.add(digit);
    }
    for (const Digit& digit : lowered.replicas) {
        if (digit.axis == axis) replica.add(digit);
    }
    const CheckedInt low = shard.low ? checked_add(offset, *shard.low) : CheckedInt{};
    const CheckedInt high = shard.high ? checked_add(offset, *shard.high) : CheckedInt{};
    const bool sums_fit = low && high && replica.low && replica.high && checked_add(*low, *replica.low) &&
                          checked_add(*high, *replica.high);
    // The width must fit too: points are decoded relative to the lowest one.
    if (!sums_fit || !checked_sub(*high + *replica.high, *low + *replica.low)) {
        return error("ENGINE_OVERFLOW", fmt::format("offsets on axis {} do not fit 64 bits", axis.name()),
                     "use smaller extents, strides or offsets");
    }
    return AxisRange{axis, offset, *low, *high, *replica.low, *replica.high};
}

Status only_on_m(Axis axis) {
    if (axis == axes::m) return ok_status();
    return error("LAYOUT_COMPOSE_AXIS", fmt::format("the tile under the swizzle names axis {}", axis.name()),
                 "a swizzle permutes linear memory: put its tile on axis m alone");
}

Result<Swizzle> lower_swizzle(const ComposeLayout& compose, const Lowered& lowered) {
    const int m = compose.per_element;
    const int b = compose.swizzle_len;
    const int s = compose.atom_len;
    if (m < 0 || b < 0 || s < b || m > 62 || s > 62 || m + s + b > 62) {
        return error(
            "LAYOUT_SWIZZLE",
            fmt::format("a swizzle of (per_element {}, swizzle_len {}, atom_len {}) is not well-formed", m, b, s),
            "it needs 0 ≤ per_element, 0 ≤ swizzle_len ≤ atom_len and a sum of at most 62");
    }
    for (const Iter& iter : compose.tile.shard) LS_CHECK(only_on_m(iter.axis));
    for (const auto& entry : compose.tile.offset) LS_CHECK(only_on_m(entry.first));
    const auto range =
        std::find_if(lowered.axes.begin(), lowered.axes.end(), [](const AxisRange& r) { return r.axis == axes::m; });
    if (range == lowered.axes.end()) return Swizzle{}; // everything is at 0
    Swizzle out;
    const std::int64_t bits = (std::int64_t{1} << b) - 1;
    out.kind = compose.swizzle_inner ? Swizzle::Kind::Inner : Swizzle::Kind::Outer;
    out.mask = compose.swizzle_inner ? bits << (m + s) : bits << m;
    out.shift = s;
    out.period = std::int64_t{1} << (m + b + s);
    out.untouched = std::int64_t{1} << m;
    // Nothing changes while the bits that are read are all 0.
    const std::int64_t first_changed = std::int64_t{1} << (compose.swizzle_inner ? m + s : m);
    const bool never = range->low + range->replica_low >= 0 && range->high + range->replica_high < first_changed;
    if (b == 0 || never) return Swizzle{};
    return out;
}

} // namespace

std::string to_text(std::span<const std::int64_t> coordinate) {
    return fmt::format("({})", fmt::join(coordinate, ", "));
}

Result<Lowered> lower(const Layout& layout, std::span<const std::int64_t> shape) {
    Lowered out;
    out.shape.assign(shape.begin(), shape.end());
    LS_TRY(out.elements, element_count(shape));

    const TileLayout& tile = layout.tile();
    LS_TRY(out.digits, shard_digits(tile, layout.is_compose(), out.elements, out.partial));
    for (std::size_t i = 0; i < tile.replica.size(); ++i) {
        LS_TRY(const Digit digit, constant_digit(tile.replica[i], "replica", i));
        if (digit.extent > 1) out.replicas.push_back(digit);
    }

    out.axes.clear();
    std::vector<Axis> named;
    for (const Iter& iter : tile.shard) named.push_back(iter.axis);
    for (const Iter& iter : tile.replica) named.push_back(iter.axis);
    for (const auto& entry : tile.offset) named.push_back(entry.first);
    if (named.empty()) named.push_back(axes::m);
    std::sort(named.begin(), named.end());
    named.erase(std::unique(named.begin(), named.end()), named.end());
    // Without any iter all elements lie in one place.
    if (tile.shard.empty() && out.elements > 1) out.digits.push_back({out.elements, 0, 1, named.front()});
    for (const Axis axis : named) {
        std::int64_t offset = 0;
        if (const auto at = tile.offset.find(axis); at != tile.offset.end()) {
            LS_TRY(offset, constant(at->second, fmt::format("the offset on axis {}", axis.name())));
        }
        LS_TRY(const AxisRange range, axis_range(axis, offset, out));
        out.axes.push_back(range);
    }
    if (const ComposeLayout* compose = layout.compose()) {
        LS_TRY(out.swizzle, lower_swizzle(*compose, out));
    }
    return out;
}

} // namespace ls::engine
