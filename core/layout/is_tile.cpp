// Undoing a tiling: which outer (or inner) layout, tiled with this one, gives that one (spec/tirx.md 3.5).
#include <algorithm>

#include <fmt/format.h>

#include "core/layout/operations.h"
#include "core/layout/refusal.h"
#include "core/layout/scope.h"
#include "core/layout/shard.h"
#include "core/layout/tile_steps.h"

namespace ls {

namespace {

Diagnostic none(std::string why) { return error("LAYOUT_NONE_TILE", std::move(why)); }

Diagnostic other_kind(const Layout& part, const Layout& tiled) {
    return none(fmt::format("{} and {} do not swizzle alike", to_string(part), to_string(tiled)));
}

Diagnostic other_scope(const LayoutScope& part, const LayoutScope& tiled) {
    return none(fmt::format("the layout spans {} to {} and the tiled one {} to {}", name(part.inner), name(part.outer),
                            name(tiled.inner), name(tiled.outer)));
}

/// Brings `tiled` to the axes of `inner`, which enumerates the same things in a scope that is no wider.
/// Scopes are numbered from wide to narrow. Axes split where the target has rules for it.
Result<TileLayout> match_inner_scope(const TileLayout& inner, const TileLayout& tiled, AxisTarget target) {
    LS_TRY(const auto part, scope_of(inner));
    LS_TRY(const auto whole, scope_of(tiled));
    if (!part || !whole) return tiled;
    if (part->inner != whole->inner || part->outer < whole->outer) return other_scope(*part, *whole);
    return part->outer != whole->outer && target == AxisTarget::Cuda ? split_axes(tiled, part->outer) : tiled;
}

/// The mirror: `outer` ends in the same scope and enumerates things that are no narrower.
Result<TileLayout> match_outer_scope(const TileLayout& outer, const TileLayout& tiled, AxisTarget target) {
    LS_TRY(const auto part, scope_of(outer));
    LS_TRY(const auto whole, scope_of(tiled));
    if (!part || !whole) return tiled;
    if (part->outer != whole->outer || part->inner > whole->inner) return other_scope(*part, *whole);
    return part->inner != whole->inner && target == AxisTarget::Cuda ? split_axes(tiled, part->inner) : tiled;
}

/// The iter divided by how far the inner layout reaches on its axis.
Result<Iter> unscaled(const Iter& iter, const TileLayout& inner) {
    if (iter.extent.is(1) || !has_axis(inner.shard, iter.axis)) return iter;
    LS_TRY(const Dim reach, span(Layout(inner), iter.axis));
    if (!proves_divisible(iter.stride, reach)) {
        return none(fmt::format("outer stride {} on {} is not a multiple of the inner span {}", to_string(iter.stride),
                                iter.axis.name(), to_string(reach)));
    }
    return Iter{iter.extent, floor_div(iter.stride, reach), iter.axis};
}

/// What the other part must add to `known`; an axis that the whole does not name is left out, as in the reference.
AxisMap remaining_offset(const AxisMap& whole, const AxisMap& known) {
    AxisMap rest;
    for (const auto& [axis, amount] : whole) rest.emplace(axis, amount - known.get(axis));
    return rest;
}

/// Iters of one logical dimension of a layout that was grouped by an interleaved shape.
std::span<const Iter> both_halves(const Grouped& grouped, std::size_t d) {
    const auto first = dimension(grouped, 2 * d);
    return {first.data(), first.size() + dimension(grouped, 2 * d + 1).size()};
}

Result<TileLayout> outer_of(const TileLayout& inner, const TileLayout& tiled, std::span<const Dim> tiled_shape,
                            std::span<const Dim> inner_shape, AxisTarget target) {
    LS_TRY(const Layout inner_canonical, canonicalize(inner, target));
    LS_TRY(const Layout tiled_canonical, canonicalize(tiled, target));
    LS_TRY(const TileLayout tiled_split, match_inner_scope(inner_canonical.tile(), tiled_canonical.tile(), target));
    LS_CHECK(same_rank("tiled shape", tiled_shape, "inner shape", inner_shape));
    LS_TRY(const std::vector<Dim> outer_shape, divide(tiled_shape, inner_shape));
    LS_TRY(const Grouped grouped, group(tiled_split, interleave(outer_shape, inner_shape)));
    LS_TRY(const Grouped part, group(inner_canonical.tile(), inner_shape));

    TileLayout outer;
    for (std::size_t d = 0; d < inner_shape.size(); ++d) {
        const auto whole = both_halves(grouped, d);
        const auto last = dimension(part, d);
        if (last.size() > whole.size())
            return none(fmt::format("dimension {} has fewer iters than the inner layout", d));
        const std::size_t rest = whole.size() - last.size();
        if (!std::equal(last.begin(), last.end(), whole.begin() + static_cast<std::ptrdiff_t>(rest), same_steps)) {
            return none(fmt::format("dimension {} of the tiled layout does not end as the inner layout does", d));
        }
        for (std::size_t i = 0; i < rest; ++i) {
            LS_TRY(Iter iter, unscaled(whole[i], part.layout));
            outer.shard.push_back(std::move(iter));
        }
    }
    for (const Iter& replica : others(grouped.layout.replica, part.layout.replica)) {
        LS_TRY(Iter iter, unscaled(replica, part.layout));
        outer.replica.push_back(std::move(iter));
    }
    outer.offset = remaining_offset(grouped.layout.offset, part.layout.offset);
    return outer;
}

bool same_counts(const Iter& a, const Iter& b) {
    return proves_equal(a.extent, b.extent) && (a.extent.is(1) || a.axis == b.axis);
}

Result<TileLayout> inner_of(const TileLayout& outer, const TileLayout& tiled, std::span<const Dim> tiled_shape,
                            std::span<const Dim> outer_shape, AxisTarget target) {
    LS_TRY(const Layout outer_canonical, canonicalize(outer, target));
    LS_TRY(const Layout tiled_canonical, canonicalize(tiled, target));
    LS_TRY(const TileLayout tiled_split, match_outer_scope(outer_canonical.tile(), tiled_canonical.tile(), target));
    LS_CHECK(same_rank("tiled shape", tiled_shape, "outer shape", outer_shape));
    LS_TRY(const std::vector<Dim> inner_shape, divide(tiled_shape, outer_shape));
    LS_TRY(const Grouped grouped, group(tiled_split, interleave(outer_shape, inner_shape)));
    LS_TRY(const Grouped part, group(outer_canonical.tile(), outer_shape));

    TileLayout inner;
    for (std::size_t d = 0; d < outer_shape.size(); ++d) {
        const auto whole = both_halves(grouped, d);
        const auto first = dimension(part, d);
        if (first.size() > whole.size())
            return none(fmt::format("dimension {} has fewer iters than the outer layout", d));
        if (!std::equal(first.begin(), first.end(), whole.begin(), same_counts)) {
            return none(fmt::format("dimension {} of the tiled layout does not begin as the outer layout does", d));
        }
        inner.shard.insert(inner.shard.end(), whole.begin() + static_cast<std::ptrdiff_t>(first.size()), whole.end());
    }
    inner.replica = others(grouped.layout.replica, part.layout.replica);
    inner.offset = remaining_offset(grouped.layout.offset, part.layout.offset);

    LS_TRY(const Layout again, tile_for(inner, outer, outer_shape, inner_shape, target));
    if (!(again == tiled_canonical)) {
        return none(fmt::format("{} tiled over the outer layout is another layout", to_string(inner)));
    }
    return inner;
}

} // namespace

Result<Layout> is_tile_inner(const Layout& inner, const Layout& tiled, std::span<const Dim> tiled_shape,
                             std::span<const Dim> inner_shape, AxisTarget target) {
    const bool alike = inner.is_compose() ? tiled.is_compose() && same_swizzle(*inner.compose(), *tiled.compose())
                                          : !tiled.is_compose();
    if (!alike) return other_kind(inner, tiled);
    LS_TRY(TileLayout outer, outer_of(working_tile(inner, inner_shape), working_tile(tiled, tiled_shape), tiled_shape,
                                      inner_shape, target));
    return finish(std::move(outer));
}

Result<Layout> is_tile_outer(const Layout& outer, const Layout& tiled, std::span<const Dim> tiled_shape,
                             std::span<const Dim> outer_shape, AxisTarget target) {
    if (outer.is_compose()) return none("a swizzled layout is never the outer one of a tiling");
    LS_TRY(TileLayout inner, inner_of(outer.tile(), tiled.tile(), tiled_shape, outer_shape, target));
    return finish(tiled.with_tile(std::move(inner)));
}

} // namespace ls
