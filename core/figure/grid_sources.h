// The cells of the two pictures of a layout.
#pragma once

#include <memory>

#include "core/figure/color_rule.h"
#include "core/figure/element_map.h"
#include "core/scene/grid.h"

namespace ls::figure {

/// Cells are elements: row and column are two logical dimensions.
std::shared_ptr<const scene::GridScene> logical_scene(const std::shared_ptr<const ElementMap>& map, const ColorRule& rule);

/// Cells are points of physical space.
std::shared_ptr<const scene::GridScene> physical_scene(const std::shared_ptr<const ElementMap>& map, const ColorRule& rule);

/// "block 1 · fractal 2" for the part of level `level` (and the outer ones) that holds `linear`.
scene::BlockLabel block_label(const ElementMap& map, std::size_t level, std::int64_t linear);

/// "row 37, column 21, byte 0x0CAA, block 1, fractal 2".
std::string describe_element(const ElementMap& map, const std::vector<std::int64_t>& coordinate);

scene::Cell logical_cell_of(const ElementMap& map, const std::vector<std::int64_t>& coordinate);
std::vector<std::int64_t> coordinate_of(const ElementMap& map, scene::Cell cell);
/// Where the element lives, replicas included, in ascending order.
std::vector<scene::Cell> physical_cells_of(const ElementMap& map, const std::vector<std::int64_t>& coordinate);

} // namespace ls::figure
