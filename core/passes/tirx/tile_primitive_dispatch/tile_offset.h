// Private to this folder: a layout's offset as an expression, put together in the reference's order so that it is
// written as there.
#pragma once

#include "core/layout/layout.h"
#include "core/passes/tirx/tile_primitive_dispatch/lowering.h"

namespace ls::tirx::lower {

/// What `tile` makes of the linear coordinate on `axis`: split over the shard, digits times strides summed up, each step
/// simplified. Null when a number has no expression.
ir::Expr tile_offset(const TileLayout& tile, const ir::Expr& linear, Axis axis, const Kernel& kernel);

} // namespace ls::tirx::lower
