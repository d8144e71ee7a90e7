// The address of one element, term by term, and the same address read outside-in.
#pragma once

#include <vector>

#include "core/figure/layout_figure.h"
#include "core/figure/levels.h"
#include "core/figure/physical_space.h"

namespace ls::figure {

/// `copies`: linear indices of all copies of the element, the first one first.
Formula make_formula(const TensorLayout& tensor, const PhysicalSpace& space, const std::vector<GroupedIter>& iters,
                     const std::vector<std::int64_t>& copies, const std::vector<std::int64_t>& coordinate, bool apply_swizzle);

/// `linear`: the element's linear index in `space`.
std::vector<RulerLevel> make_ruler(const TensorLayout& tensor, const PhysicalSpace& space, const std::vector<Level>& levels,
                                   std::int64_t linear);

/// "0x0CAA", at least four digits.
std::string hex_address(std::int64_t byte);
/// "8192 B", "20 bit" when not whole bytes.
std::string bytes_text(std::int64_t elements, int element_bits);

} // namespace ls::figure
