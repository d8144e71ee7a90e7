// Whether two layouts put every element at the same place, and where they first differ, in words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/layout/tensor_layout.h"
#include "core/support/result.h"

namespace ls::models {

struct LayoutComparison {
    std::int64_t elements = 0;
    std::int64_t differing = 0;
    std::vector<std::int64_t> first;     ///< coordinate in the first layout's shape, when any differs
    std::string first_here, first_there; ///< "m 1621", "laneid 3"
    bool equal() const { return differing == 0; }
};

/// `there` is read through the shape of `here`. Offsets are compared in elements, whatever the types. Refuses layouts
/// of different element counts (CMP_SIZE).
Result<LayoutComparison> compare_layouts(const TensorLayout& here, const TensorLayout& there);

} // namespace ls::models
