// Questions about a layout (spec/tirx.md 1.4).
#include <fmt/format.h>

#include "core/layout/operations.h"

namespace ls {

namespace {

Diagnostic no_axis_argument(std::string_view what, Axis axis) {
    return error("LAYOUT_AXIS_ARGUMENT",
                 fmt::format("the {} of a swizzled layout cannot be taken along axis {}", what, axis.name()),
                 "a swizzled layout lies on axis m alone; ask without an axis");
}

template <class Counts>
Dim size_where(const TileLayout& tile, Counts counts) {
    Dim total = 1;
    for (const Iter& iter : tile.shard) {
        if (counts(iter.axis)) total *= iter.extent;
    }
    return total;
}

template <class Counts>
Dim span_where(const TileLayout& tile, Counts counts) {
    Dim total = 1;
    for (const auto* iters : {&tile.shard, &tile.replica}) {
        for (const Iter& iter : *iters) {
            if (counts(iter.axis)) total += (iter.extent - 1) * iter.stride;
        }
    }
    for (const auto& [axis, amount] : tile.offset) {
        if (counts(axis)) total += amount;
    }
    return total;
}

} // namespace

Dim size(const Layout& layout) {
    return size_where(layout.tile(), [](Axis) { return true; });
}

Result<Dim> size(const Layout& layout, Axis axis) {
    if (layout.is_compose()) return no_axis_argument("size", axis);
    return size_where(layout.tile(), [axis](Axis other) { return other == axis; });
}

Dim span(const Layout& layout) {
    return span_where(layout.tile(), [](Axis axis) { return axis.is_memory(); });
}

Result<Dim> span(const Layout& layout, Axis axis) {
    if (layout.is_compose()) return no_axis_argument("span", axis);
    return span_where(layout.tile(), [axis](Axis other) { return other == axis; });
}

Status verify_well_formed(const Layout& layout) {
    if (const ComposeLayout* compose = layout.compose()) LS_CHECK(make_layout(*compose));
    LS_CHECK(make_layout(layout.tile()));
    LS_CHECK(get_scope(layout));
    return ok_status();
}

bool is_trivial(const Layout& layout) {
    if (layout.is_compose()) return false;
    const Result<Layout> canonical = canonicalize(layout);
    if (!canonical) return false;
    const TileLayout& tile = canonical->tile();
    if (tile.shard.size() > 1 || !tile.replica.empty() || !tile.offset.empty()) return false;
    return tile.shard.empty() || (tile.shard.front().axis.is_memory() && tile.shard.front().stride.is(1));
}

bool is_swizzle(const Layout& layout) { return layout.is_compose() && is_trivial(layout.tile()); }

bool is_trainium(const Layout& layout) {
    // Replicas are not looked at, as in the reference.
    for (const Iter& iter : layout.tile().shard) {
        const Axis axis = iter.axis;
        if (axis.is_memory() && axis != axes::P && axis != axes::F && axis != axes::Bank) return false;
    }
    return true;
}

} // namespace ls
