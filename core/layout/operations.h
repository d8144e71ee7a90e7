// The layout algebra. Every operation is spec/tirx.md section 3's, including its quirks; one source file each.
// Refusals have codes LAYOUT_*; a reasoned "there is none" (slice, is_tile_inner, ...) is a Result too: its code says
// LAYOUT_NONE_* so that callers can tell "no such layout" from "your input is wrong".
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/layout/layout.h"

namespace ls {

/// Whether scope fusion and axis splitting run (they need to know that the program is for CUDA).
enum class AxisTarget : std::uint8_t { None, Cuda };

// --- queries (layout_query.cpp)
Dim size(const Layout& layout);
Result<Dim> size(const Layout& layout, Axis axis); ///< refused for a ComposeLayout
/// 1 + Σ(e−1)·s + Σ offsets over all memory axes.
Dim span(const Layout& layout);
Result<Dim> span(const Layout& layout, Axis axis); ///< refused for a ComposeLayout
struct LayoutScope {
    ScopeKind inner;
    ScopeKind outer;
    bool operator==(const LayoutScope&) const = default;
};
/// Empty when no shard iter is on a thread axis; LAYOUT_SCOPE when the scopes do not form one chain. A circle (bx says
/// that CTAs lie in a thread, and tx lies in a CTA) is followed once around.
Result<std::optional<LayoutScope>> get_scope(const Layout& layout);
Status verify_well_formed(const Layout& layout);
/// At most one iter, on a memory axis with stride 1, and nothing else, once canonical. False without a canonical form.
bool is_trivial(const Layout& layout);
/// A swizzle over a trivial tile: a "bare" swizzle, which several operations read as the identity of their shape.
bool is_swizzle(const Layout& layout);
bool is_trainium(const Layout& layout);

// --- apply.cpp; refusals LAYOUT_COORDINATES, LAYOUT_COMPOSE_AXIS, LAYOUT_OVERFLOW
/// Last = least significant; the first digit takes what is left.
std::vector<Dim> split_digits(const Dim& coordinate, std::span<const Dim> extents);
Result<AxisMap> apply(const Layout& layout, const Dim& linear);
/// One coordinate for each shard iter.
Result<AxisMap> apply_shard(const Layout& layout, std::span<const Dim> coordinates);
/// One coordinate for each extent of `shape`. Where the shape groups the shard, each is split over its own group, so
/// that one out of range stays in its dimension; else they are flattened and split over the shard.
Result<AxisMap> apply(const Layout& layout, std::span<const Dim> coordinates, std::span<const Dim> shape);
/// The digits of that split alone.
Result<std::vector<Dim>> apply_to_shape(const Layout& layout, std::span<const Dim> coordinates,
                                        std::span<const Dim> shape);

// --- canonicalize.cpp
/// Without units and zero offsets, neighbours fused, replicas sorted; maps as the original. For Cuda, thread axes fuse
/// into the widest axis of the layout's scope first; of two offsets that then share an axis one is lost, as in the
/// reference. LAYOUT_SCOPE when the thread axes form no chain.
Result<Layout> canonicalize(const Layout& layout, AxisTarget target = AxisTarget::None);

// --- group.cpp
struct Grouped {
    TileLayout layout;
    std::vector<std::size_t> separators; ///< shape.size()+1 entries; group d = shard[separators[d], separators[d+1])
};
/// LAYOUT_GROUP when a dimension ends inside an iter that it does not divide.
Result<Grouped> group(const TileLayout& layout, std::span<const Dim> shape);
struct GroupedMany {
    TileLayout layout;
    std::vector<std::vector<std::size_t>> separators; ///< one list per shape
};
/// LAYOUT_GROUP_TOTAL, _ORDER, _BOUNDARIES, _EMPTY.
Result<GroupedMany> group_many(const TileLayout& layout, std::span<const std::vector<Dim>> shapes);

// --- tile.cpp, is_tile.cpp
/// Outer strides are scaled by the inner span of their axis; outer replicas and offsets are not, as in the reference.
Result<Layout> tile(const Layout& inner, const TileLayout& outer, std::span<const Dim> outer_shape,
                    std::span<const Dim> inner_shape);
Result<Layout> tile_to(const Layout& inner, std::span<const Dim> to_shape, std::span<const Dim> current_shape);
/// The outer layout with `tiled == tile(inner, outer)`, or LAYOUT_NONE_TILE.
Result<Layout> is_tile_inner(const Layout& inner, const Layout& tiled, std::span<const Dim> tiled_shape,
                             std::span<const Dim> inner_shape, AxisTarget target = AxisTarget::None);
/// The inner layout with `tiled == tile(inner, outer)`, or LAYOUT_NONE_TILE.
Result<Layout> is_tile_outer(const Layout& outer, const Layout& tiled, std::span<const Dim> tiled_shape,
                             std::span<const Dim> outer_shape, AxisTarget target = AxisTarget::None);

// --- direct_sum.cpp; like tile, without scaling
Result<Layout> direct_sum(const Layout& right, const TileLayout& left, std::span<const Dim> left_shape,
                          std::span<const Dim> right_shape);
/// The left part of `sum`, or LAYOUT_NONE_DIRECT_SUM. The interleaved shape is [left0, right0, left1, right1, ...].
Result<Layout> is_direct_sum_right(const Layout& right, const Layout& sum, std::span<const Dim> interleaved_shape,
                                   std::span<const Dim> right_shape);
/// The right part of `sum`, or LAYOUT_NONE_DIRECT_SUM.
Result<Layout> is_direct_sum_left(const Layout& left, const Layout& sum, std::span<const Dim> interleaved_shape,
                                  std::span<const Dim> left_shape);

// --- slice.cpp
struct Region {
    Dim begin;
    Dim extent;
};
/// The layout of a box, every address kept, or LAYOUT_NONE_SLICE. A box that steps over two digits at once in the
/// middle of a dimension of three iters or more gets the reference's answer, which is not the original's address.
Result<Layout> slice(const Layout& layout, std::span<const Dim> shape, std::span<const Region> region,
                     AxisTarget target = AxisTarget::None);

// --- reshape.cpp
Result<Layout> permute_dims(const Layout& layout, std::span<const std::size_t> permutation);
Result<Layout> permute_by_groups(const Layout& layout, std::span<const std::size_t> separators,
                                 std::span<const std::size_t> permutation);
/// Every element becomes `factor` of them. Offsets and replicas are not scaled, as in the reference.
Result<Layout> unpack(const Layout& layout, std::int64_t factor);
/// `factor` neighbours become one element. Strides are divided rounding down, as in the reference.
Result<Layout> pack(const Layout& layout, std::int64_t factor);
Result<Layout> broadcast(const Layout& layout, const Dim& extent, std::size_t position, Axis axis = {});
/// What lies in memory: thread axes dropped.
Layout storage(const Layout& layout);

} // namespace ls
