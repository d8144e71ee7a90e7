// How the points of a layout lie in a picture: which axes run down, which run right, and one number for each point.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/layout/tensor_layout.h"
#include "core/scene/grid.h"
#include "core/support/result.h"

namespace ls::figure {

/// One axis with the values that the layout reaches on it: [min, min + extent).
struct SpaceAxis {
    Axis axis;
    std::int64_t min = 0;
    std::int64_t extent = 1;
    std::int64_t weight = 1; ///< what one step on this axis adds to the linear index
};

/// Physical space as a picture. Thread axes, TMEM lanes and partitions run down (widest scope outermost); addresses,
/// registers and columns run right. A linear memory has no axis that runs down: it is wrapped into rows.
///
///     linear index = Σ (value − min) · weight      row-major over (down axes, right axes)
///     cell = (linear / row_length, linear % row_length)
struct PhysicalSpace {
    std::vector<SpaceAxis> down;  ///< outermost first
    std::vector<SpaceAxis> right; ///< outermost first
    bool wrapped = false;         ///< linear memory m, wrapped into rows of row_length elements
    std::int64_t row_length = 1;  ///< cells in a row
    std::int64_t points = 1;      ///< linear indices are in [0, points)

    std::int64_t rows() const { return (points + row_length - 1) / row_length; }
    scene::Cell cell(std::int64_t linear) const { return {linear / row_length, linear % row_length}; }
    std::int64_t linear(scene::Cell cell) const { return cell.row * row_length + cell.col; }
    /// Values on every axis, down axes first.
    std::vector<std::pair<Axis, std::int64_t>> point(std::int64_t linear) const;
    /// Linear memory that starts at `first_elem` (0 unless strides or offsets are negative).
    std::int64_t first_elem() const { return right.empty() ? 0 : right.back().min; }
};

/// row_bytes 0 chooses: 128 (one line of 32 banks, four C0 lines), doubled while the picture of a global memory would be
/// more than twice as tall as wide.
/// FIG_SYMBOLIC for a layout with symbols; FIG_TOO_LARGE when the picture would need more than 2^62 cells.
Result<PhysicalSpace> physical_space(const TensorLayout& tensor, std::int64_t row_bytes);

/// The same map with every axis folded into the linear index of `space`: a layout on m alone, swizzle kept.
Layout linearized(const Layout& layout, const PhysicalSpace& space);

} // namespace ls::figure
