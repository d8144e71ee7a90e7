// Names of PTX helpers, for the runner of tirx/script_text.
#pragma once

#include "app/conformance/runner.h"

namespace ls::conformance {

/// {"instr": "tcgen05_ld 32x32b x4 (u32 regs)"} and the name of the helper that stands for it.
Outcome run_cuda_helper_name(const Json& input, const Json& expect);

} // namespace ls::conformance
