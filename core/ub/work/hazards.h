// Known mistakes of the scheduler, switched on one by one (spec ub 6.6, 7): what the debugger offers as "what if" for
// the distribution, as cgdr/what_if.h does for the partition.
#pragma once

#include <span>
#include <string_view>

#include "core/ub/work/distribution.h"

namespace ls::ub::work {

struct Hazard {
    std::string_view id;       ///< "quota-zero"
    std::string_view question; ///< "the quota is never computed and stays 0?"
    void (*apply)(WorkInput& input);
};

std::span<const Hazard> hazards();
/// nullptr for an unknown id.
const Hazard* find_hazard(std::string_view id);

} // namespace ls::ub::work
