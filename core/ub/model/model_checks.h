// The checks of a placed model, in the order of spec ub 8.
#pragma once

#include <vector>

#include "core/ub/model/partition.h"

namespace ls::ub {

/// Findings for `partition`, which was placed from `model`; places are those of the model's text.
std::vector<Finding> check_partition(const Model& model, const Partition& partition);

/// Two views of one buffer with common bytes, by index, i < j.
struct SharedBytes {
    std::size_t i = 0, j = 0;
    std::int64_t begin = 0, end = 0;
};
/// In order of (i, j); stops after `most` pairs.
std::vector<SharedBytes> shared_bytes(const std::vector<PlacedView>& views, std::size_t most);

} // namespace ls::ub
