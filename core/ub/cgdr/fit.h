// How far chunk_gated_delta_rule's sizes may grow on a chip (spec ub 3.3): the answers of the search itself, tried
// value by value, because the need is not monotone.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/ub/cgdr/host_plan.h"

namespace ls::ub::cgdr {

/// Largest values that still give a plan, everything else as in the input; nullopt where none does.
struct Growth {
    std::optional<std::int64_t> any;         ///< some V step fits
    std::optional<std::int64_t> same_v_step; ///< the V step of the plan is kept (or exceeded)
};

struct FitAnswer {
    HostPlan plan;
    Growth chunk_size;                               ///< multiples of 8, to 1024
    Growth key_head;                                 ///< dk, multiples of 16, to 1024
    std::optional<std::int64_t> value_head_one_tile; ///< dv, multiples of 16, to 4096, with a single V tile
    std::int64_t queue_blocks = 0;                   ///< most queue blocks beside the scratch of the plan
    std::int64_t full_head_over_bytes = 0; ///< bytes missing for one tile of the whole dv; 0 or less when it fits
    std::int64_t full_head_needs_bytes = 0;
};

/// Errors as plan_host.
Result<FitAnswer> fit(const HostInput& input);

} // namespace ls::ub::cgdr
