// Repeating a layout over another (spec/tirx.md 3.5).
#include "core/layout/tile_steps.h"

#include <utility>

#include "core/layout/refusal.h"
#include "core/layout/shard.h"

namespace ls {

Result<Layout> tile_for(const Layout& inner, const TileLayout& outer, std::span<const Dim> outer_shape,
                        std::span<const Dim> inner_shape, AxisTarget target) {
    LS_CHECK(same_rank("outer shape", outer_shape, "inner shape", inner_shape));
    if (inner.is_compose()) {
        LS_TRY(const Layout tiled, tile_for(working_tile(inner, inner_shape), outer, outer_shape, inner_shape, target));
        return inner.with_tile(tiled.tile());
    }
    LS_TRY(const Layout inner_canonical, canonicalize(inner, target));
    LS_TRY(const Layout outer_canonical, canonicalize(outer, target));
    LS_TRY(const Grouped inner_grouped, group(inner_canonical.tile(), inner_shape));
    LS_TRY(Grouped outer_grouped, group(outer_canonical.tile(), outer_shape));

    // One step of the outer layout steps over the whole inner one, as far as that reaches on the same axis.
    for (Iter& iter : outer_grouped.layout.shard) {
        if (!has_axis(inner_grouped.layout.shard, iter.axis)) continue;
        LS_TRY(const Dim reach, span(Layout(inner_grouped.layout), iter.axis));
        iter.stride *= reach;
    }
    TileLayout tiled;
    for (std::size_t d = 0; d < inner_shape.size(); ++d) {
        for (const Grouped* part : {&std::as_const(outer_grouped), &inner_grouped}) {
            const auto iters = dimension(*part, d);
            tiled.shard.insert(tiled.shard.end(), iters.begin(), iters.end());
        }
    }
    // Replicas and offsets of the outer layout are not scaled, as in the reference.
    tiled.replica = inner_grouped.layout.replica;
    tiled.replica.insert(tiled.replica.end(), outer_grouped.layout.replica.begin(), outer_grouped.layout.replica.end());
    tiled.offset = sum(inner_grouped.layout.offset, outer_grouped.layout.offset);
    return canonicalize(tiled, target);
}

Result<Layout> tile(const Layout& inner, const TileLayout& outer, std::span<const Dim> outer_shape,
                    std::span<const Dim> inner_shape) {
    return tile_for(inner, outer, outer_shape, inner_shape, AxisTarget::None);
}

Result<Layout> tile_to(const Layout& inner, std::span<const Dim> to_shape, std::span<const Dim> current_shape) {
    LS_CHECK(same_rank("target shape", to_shape, "current shape", current_shape));
    LS_TRY(const std::vector<Dim> counts, divide(to_shape, current_shape));
    return tile(inner, row_major(counts), counts, current_shape);
}

} // namespace ls
