// The named checks of the work distribution (spec ub 6.4, 6.6, 7).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/ub/finding.h"
#include "core/ub/work/distribution.h"

namespace ls::ub::work {

struct WorkCheckOptions {
    std::optional<std::int64_t> packed_rows = {}; ///< T, rows of the packed tensors; enables E_SUM_GT_T
    double imbalance_limit = 1.25;                ///< W_IMBALANCE above it
};

std::vector<Finding> check_work(const Distribution& distribution, const WorkCheckOptions& options = {});

/// Batches of which no core writes the final state: those without rows.
std::vector<std::int64_t> unwritten_state_batches(const std::vector<std::int32_t>& seq_lens);

/// Rows of the packed tensors that two batches process because a negative length moved the cursor back; and the lowest
/// row reached, which is negative when a batch reads before the tensor.
struct RowOverlap {
    std::vector<RowRange> twice; ///< in order, disjoint
    std::int32_t lowest_row = 0;
};
RowOverlap overlapping_rows(const Distribution& distribution);

} // namespace ls::ub::work
