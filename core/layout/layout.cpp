// Making and comparing layouts; the swizzle on numbers.
#include "core/layout/layout.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/layout/refusal.h"
#include "core/layout/symbol.h"

namespace ls {

bool iter_before(const Iter& a, const Iter& b) {
    if (a.axis != b.axis) return a.axis < b.axis;
    if (const int by_extent = compare(a.extent, b.extent); by_extent != 0) return by_extent < 0;
    return compare(a.stride, b.stride) < 0;
}

bool TileLayout::operator==(const TileLayout& other) const {
    if (shard != other.shard || offset != other.offset || replica.size() != other.replica.size()) return false;
    if (replica == other.replica) return true;
    std::vector<Iter> mine = replica;
    std::vector<Iter> theirs = other.replica;
    std::sort(mine.begin(), mine.end(), iter_before);
    std::sort(theirs.begin(), theirs.end(), iter_before);
    return mine == theirs;
}

// q = | .. | outer: B bits at S | .. | inner: B bits at 0 |, and one of the two fields is XORed with the other.
// Only bits below B + S of q change, so nothing overflows, also for a negative offset.
std::int64_t swizzle(std::int64_t offset, const ComposeLayout& p) {
    const auto mask = (std::int64_t{1} << p.swizzle_len) - 1;
    const std::int64_t q = offset >> p.per_element;
    const std::int64_t other = p.swizzle_inner ? (q >> p.atom_len) & mask : (q & mask) << p.atom_len;
    return offset ^ (other << p.per_element);
}

Layout Layout::with_tile(TileLayout tile) const {
    const ComposeLayout* form = compose();
    if (form == nullptr) return tile;
    ComposeLayout other = *form;
    other.tile = std::move(tile);
    return other;
}

namespace {

bool is_constant(const Iter& iter) { return iter.extent.is_constant() && iter.stride.is_constant(); }

Status check_extents(const std::vector<Iter>& iters, std::string_view which) {
    for (std::size_t i = 0; i < iters.size(); ++i) {
        const Dim& extent = iters[i].extent;
        if (extent.is_constant() && extent.value() < 1) {
            return error("LAYOUT_EXTENT", fmt::format("{} iter {} has extent {}", which, i, extent.value()),
                         "an extent counts elements; it must be 1 or more");
        }
    }
    return ok_status();
}

} // namespace

bool Layout::is_constant() const {
    const TileLayout& t = tile();
    return std::all_of(t.shard.begin(), t.shard.end(), ls::is_constant) &&
           std::all_of(t.replica.begin(), t.replica.end(), ls::is_constant) &&
           std::all_of(t.offset.begin(), t.offset.end(), [](const auto& entry) { return entry.second.is_constant(); });
}

Result<Layout> make_layout(TileLayout tile) {
    LS_CHECK(check_extents(tile.shard, "shard"));
    LS_CHECK(check_extents(tile.replica, "replica"));
    return finish(std::move(tile));
}

Result<Layout> make_layout(ComposeLayout compose) {
    const int m = compose.per_element;
    const int b = compose.swizzle_len;
    const int s = compose.atom_len;
    constexpr int kMaxBits = 62; // 2^(M+S+B) elements, one period, must be an int64
    if (m < 0 || b < 0 || s < b) {
        return error("LAYOUT_SWIZZLE", fmt::format("swizzle ({}, {}, {}) is not well-formed", m, b, s),
                     "per_element and swizzle_len are 0 or more, and atom_len is at least swizzle_len");
    }
    if (m > kMaxBits || s > kMaxBits || m + s + b > kMaxBits) {
        return error("LAYOUT_SWIZZLE",
                     fmt::format("swizzle ({}, {}, {}) spans more than 2^{} elements", m, b, s, kMaxBits));
    }
    LS_CHECK(make_layout(compose.tile));
    return Layout(std::move(compose));
}

TileLayout row_major(std::span<const Dim> shape, Axis axis) {
    TileLayout tile;
    tile.shard.resize(shape.size());
    Dim stride = 1;
    for (std::size_t i = shape.size(); i-- > 0;) {
        tile.shard[i] = {shape[i], stride, axis};
        stride *= shape[i];
    }
    return tile;
}

TileLayout row_major(std::span<const std::int64_t> shape, Axis axis) { return row_major(to_dims(shape), axis); }

std::vector<Dim> to_dims(std::span<const std::int64_t> shape) { return {shape.begin(), shape.end()}; }

Dim product(std::span<const Dim> shape) {
    Dim total = 1;
    for (const Dim& extent : shape) total *= extent;
    return total;
}

// --- refusals

namespace {

bool overflowed(const std::vector<Iter>& iters) {
    return std::any_of(iters.begin(), iters.end(),
                       [](const Iter& iter) { return iter.extent.is_overflow() || iter.stride.is_overflow(); });
}

Diagnostic overflow_refusal(std::string_view what) {
    return error("LAYOUT_OVERFLOW", fmt::format("{} leaves the range of 64-bit integers", what),
                 "make the extents and strides smaller");
}

} // namespace

Status refuse_overflow(const AxisMap& map) {
    for (const auto& [axis, amount] : map) {
        if (amount.is_overflow()) return overflow_refusal(fmt::format("the amount on axis {}", axis.name()));
    }
    return ok_status();
}

Status refuse_overflow(const Layout& layout) {
    const TileLayout& tile = layout.tile();
    if (overflowed(tile.shard)) return overflow_refusal("a shard iter");
    if (overflowed(tile.replica)) return overflow_refusal("a replica iter");
    return refuse_overflow(tile.offset);
}

Status refuse_shape(std::span<const Dim> shape) {
    for (const Dim& extent : shape) {
        if (extent.is_overflow()) return overflow_refusal(fmt::format("shape {}", to_string(shape)));
        if (extent.is_constant() && extent.value() < 1) {
            return error("LAYOUT_EXTENT",
                         fmt::format("shape {} has a dimension of {}", to_string(shape), extent.value()),
                         "a dimension counts elements; it must be 1 or more");
        }
    }
    return ok_status();
}

Result<Layout> finish(Layout layout) {
    LS_CHECK(refuse_overflow(layout));
    return layout;
}

Status same_rank(std::string_view name_a, std::span<const Dim> a, std::string_view name_b, std::span<const Dim> b) {
    if (a.size() == b.size()) return ok_status();
    return error("LAYOUT_RANK",
                 fmt::format("{} {} has {} dimensions and {} {} has {}", name_a, to_string(a), a.size(), name_b,
                             to_string(b), b.size()),
                 "give both the same number of dimensions; use 1 for one that does not matter");
}

} // namespace ls
