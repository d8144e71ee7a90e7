// The canonical form of a layout (spec/tirx.md 3.2); it maps every coordinate as the original does.
#include <algorithm>

#include "core/layout/operations.h"
#include "core/layout/refusal.h"
#include "core/layout/scope.h"
#include "core/layout/shard.h"

namespace ls {

namespace {

/// Step 2.
void drop_zero_offsets(AxisMap& offset) {
    for (auto it = offset.begin(); it != offset.end();) it = it->second.is(0) ? offset.erase(it) : it + 1;
}

/// Step 3. Two offsets that land on one axis: the later overwrites the earlier.
void fuse_scopes(TileLayout& tile, const LayoutScope& scope) {
    for (Iter& iter : tile.shard) iter = fuse_axis(iter, scope);
    for (Iter& iter : tile.replica) iter = fuse_axis(iter, scope);
    AxisMap fused;
    for (const auto& [axis, amount] : tile.offset) {
        const Iter moved = fuse_axis({1, amount, axis}, scope);
        fused.insert_or_assign(moved.axis, moved.stride);
    }
    tile.offset = std::move(fused);
}

} // namespace

Result<Layout> canonicalize(const Layout& layout, AxisTarget target) {
    TileLayout tile = layout.tile();
    drop_units(tile.shard);         // step 1
    drop_zero_offsets(tile.offset); // step 2
    LS_TRY(const auto scope, scope_of(tile));
    if (target == AxisTarget::Cuda && scope) fuse_scopes(tile, *scope);
    fuse_neighbours(tile.shard);                                      // step 4
    std::sort(tile.replica.begin(), tile.replica.end(), iter_before); // step 5
    return finish(layout.with_tile(std::move(tile)));
}

} // namespace ls
