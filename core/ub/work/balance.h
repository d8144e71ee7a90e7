// What a better rule could reach (spec ub 6.4, 6.5): the best contiguous split, and the other ways of dividing a batch
// side by side.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/ub/work/distribution.h"

namespace ls::ub::work {

/// Smallest makespan of any split of the units, in enumeration order, into at most `cores` stretches; 0 without work.
/// `input` must be one that distribute() accepts.
std::uint64_t smallest_limit(const WorkInput& input);

/// Makespan when each unit, longest first, goes to the least loaded core. No contiguous stretches, so the kernel cannot
/// do it as it is; shown as what is possible.
std::uint64_t longest_first_makespan(const WorkInput& input);

/// The same distribution in chunks of rows instead of rows: what a core really computes (spec ub 6.5, cost caveat).
struct ChunkCost {
    std::vector<std::int64_t> core_chunks;
    std::int64_t makespan = 0;
    std::int64_t lower_bound = 0;
};
/// `chunk_rows` >= 1.
ChunkCost chunk_cost(const Distribution& distribution, std::int64_t chunk_rows);

struct Alternative {
    std::string name;
    std::string what; ///< one sentence: what is changed
    std::int64_t cores = 1;
    std::uint64_t quota = 0;
    std::uint64_t makespan = 0;
    std::int64_t idle_cores = 0;
    double imbalance = 0;
};

/// The kernel's rule first, then its alternatives: carried remainder, balanced stretches, longest batch first, longest
/// unit first (up to a million units), and, where `batch_aware_cores` exceeds input.cores, the v1135 launch.
Result<std::vector<Alternative>> alternatives(const WorkInput& input, std::int64_t batch_aware_cores);

} // namespace ls::ub::work
