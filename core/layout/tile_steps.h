// Private to core/layout: tile() under a target, which is_tile_outer needs to check its answer.
#pragma once

#include "core/layout/operations.h"

namespace ls {

Result<Layout> tile_for(const Layout& inner, const TileLayout& outer, std::span<const Dim> outer_shape,
                        std::span<const Dim> inner_shape, AxisTarget target);

} // namespace ls
