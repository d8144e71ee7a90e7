// Private to core/layout: scopes of thread axes, and how axes fuse into wider ones and split into narrower ones.
#pragma once

#include "core/layout/operations.h"

namespace ls {

/// get_scope of a tile.
Result<std::optional<LayoutScope>> scope_of(const TileLayout& tile);

/// The iter on the axis of (inner, outer) that covers its own axis, by the CUDA rules; the iter itself where none is.
Iter fuse_axis(const Iter& iter, const LayoutScope& scope);

/// Splits the thread axes of a tile at `scope` (a scope argument of the CUDA rules): its iters into pieces, its
/// offsets into quotient and remainder. LAYOUT_SPLIT when an axis has no such rule or an iter does not fit its pieces.
Result<TileLayout> split_axes(const TileLayout& tile, ScopeKind scope);

} // namespace ls
