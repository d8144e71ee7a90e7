// Whether two layouts put every element at the same place, and where they first differ.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/layout/tensor_layout.h"
#include "core/support/result.h"

namespace ls::models {

struct LayoutComparison {
    std::int64_t elements = 0;
    std::int64_t differing = 0;
    std::vector<std::int64_t> first;       ///< coordinate in the first layout's shape, when any differs
    std::string first_here, first_there;   ///< "byte 0x0CAA", "laneid 3, m 1"
    bool equal() const { return differing == 0; }
};

/// Walks the elements of both in row-major order. Refuses layouts of different element counts (CMP_SIZE) and a cancelled
/// walk (CMP_CANCELLED). Offsets in memory are compared as bits, so that types of different width never pass for equal;
/// an axis that one layout does not name counts as 0 there. The first copy of a replicated element counts.
Result<LayoutComparison> compare_layouts(const TensorLayout& here, const TensorLayout& there, const std::atomic<bool>* cancel = nullptr);

} // namespace ls::models
