// The canonical form of a layout (spec/tirx.md 3.2); it maps every coordinate as the original does.
#include <algorithm>

#include "core/layout/operations.h"
#include "core/layout/refusal.h"
#include "core/layout/scope.h"

namespace ls {

namespace {

/// Step 1. Iters of extent 1 say nothing; if there is nothing else, one stays to name the axis.
void drop_units(std::vector<Iter>& shard) {
    if (shard.empty()) return;
    const Axis first = shard.front().axis;
    std::erase_if(shard, [](const Iter& iter) { return iter.extent.is(1); });
    if (shard.empty()) shard.push_back({1, 1, first});
}

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

/// Step 4. (e0, s0)(e1, s1) with e1·s1 = s0 counts on like one iter (e0·e1, s1).
void fuse_neighbours(std::vector<Iter>& shard) {
    if (shard.size() < 2) return;
    std::size_t kept = 0;
    for (std::size_t i = 1; i < shard.size(); ++i) {
        Iter& last = shard[kept];
        if (last.axis == shard[i].axis && proves_equal(shard[i].extent * shard[i].stride, last.stride)) {
            last.extent *= shard[i].extent;
            last.stride = shard[i].stride;
        } else if (++kept != i) {
            shard[kept] = std::move(shard[i]);
        }
    }
    shard.resize(kept + 1);
}

} // namespace

Result<Layout> canonicalize(const Layout& layout, AxisTarget target) {
    TileLayout tile = layout.tile();
    drop_units(tile.shard);
    drop_zero_offsets(tile.offset);
    LS_TRY(const auto scope, scope_of(tile));
    if (target == AxisTarget::Cuda && scope) fuse_scopes(tile, *scope);
    fuse_neighbours(tile.shard);
    std::sort(tile.replica.begin(), tile.replica.end(), iter_before);
    return finish(layout.with_tile(std::move(tile)));
}

} // namespace ls
