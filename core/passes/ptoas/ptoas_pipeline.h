// The assembler's passes in their order, from PTO text to the C++ that it writes.
#pragma once

#include <span>

#include "core/passes/pass.h"

namespace ls::ptoas {

/// Upstream gives them no numbers.
std::span<const Pass> ptoas_pipeline();

} // namespace ls::ptoas
