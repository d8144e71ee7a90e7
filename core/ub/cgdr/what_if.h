// Named one-line changes to a launch (spec ub 7): what the debugger offers as "what if", and what each brings about.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/ub/cgdr/scenario.h"

namespace ls::ub::cgdr {

struct WhatIf {
    std::string_view id;       ///< "double-buffer"
    std::string_view question; ///< "the device initialises the queue with two blocks, the host budgeted one?"
    std::string_view value;    ///< what a number given with it means; empty when it takes none
    void (*apply)(Scenario& scenario, std::optional<std::int64_t> value);
};

std::span<const WhatIf> what_ifs();
/// UB_WHATIF_UNKNOWN lists what there is.
Result<WhatIf> find_what_if(std::string_view id);

} // namespace ls::ub::cgdr
