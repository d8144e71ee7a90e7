// The hierarchy of a layout, read off its own iters: element, innermost run, inner tile, outer tile.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/figure/physical_space.h"
#include "core/layout/tensor_layout.h"

namespace ls::figure {

/// All points whose linear index shares ⌊index / run⌋. In the logical tensor such a part is a box of `footprint`
/// elements; only levels whose parts are boxes are listed.
struct Level {
    std::int64_t run = 1;                  ///< linear indices in one part
    std::vector<std::int64_t> footprint;   ///< logical extents of one part
    std::string name;                      ///< "column block", "fractal", "C0 line", "thread", "16 B chunk"
    std::string word;                      ///< how one part is called before its number: "block"
};

/// One iter of the layout grouped by its shape.
struct GroupedIter {
    static constexpr std::size_t kFlat = static_cast<std::size_t>(-1);
    std::size_t dim = 0;            ///< kFlat: the digit is taken from the flat index (the shape does not group the layout)
    std::int64_t extent = 1;
    std::int64_t stride = 0;        ///< on its own axis, elements
    std::int64_t linear_stride = 0; ///< in linear indices of the PhysicalSpace
    std::int64_t divisor = 1;       ///< digit = coordinate[dim] / divisor % extent
    bool outermost = false;         ///< the first iter of its dim: its digit takes no modulo
    Axis axis;
    std::string role;               ///< "column block"; empty when unknown

    std::int64_t digit(std::int64_t coordinate) const {
        const std::int64_t quotient = coordinate / divisor;
        return outermost ? quotient : quotient % extent;
    }
};

/// Iters of the layout grouped by its shape, in shard order; of the flat index where the shape does not group it.
std::vector<GroupedIter> grouped_iters(const TensorLayout& tensor, const PhysicalSpace& space);

/// Innermost first, at most 4, each larger than the one before.
std::vector<Level> levels(const TensorLayout& tensor, const PhysicalSpace& space, const std::vector<GroupedIter>& iters);

} // namespace ls::figure
