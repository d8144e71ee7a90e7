// Private to this folder: a layout's offset as an expression, put together in the reference's order so that it is
// written as there.
#pragma once

#include "core/layout/layout.h"
#include "core/passes/tirx/tile_primitive_dispatch/lowering.h"

namespace ls::tirx::lower {

/// What `tile` makes of the linear coordinate on `axis`: split over the shard, digits times strides summed up, each
/// step simplified. Null when a number has no expression.
ir::Expr tile_offset(const TileLayout& tile, const ir::Expr& linear, Axis axis, const Kernel& kernel);

/// What `layout`, its swizzle too, makes of coordinates of `shape` on axis m. Where the shape groups the tile, each
/// coordinate is split over its own group. Refused: LAYOUT_*.
Result<ir::Expr> layout_offset(const Layout& layout, const std::vector<ir::Expr>& coordinates,
                               const std::vector<Dim>& shape, const Kernel& kernel, IndexSimplifier& known);

} // namespace ls::tirx::lower
