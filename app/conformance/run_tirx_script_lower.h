// tirx/script_text: the cases that speak of what the passes make of a program.
#pragma once

#include <optional>
#include <string>

#include "app/conformance/runner.h"

namespace ls::conformance {

/// "flat_extent", "lower_cuda_index", "lower_swizzled_store", "lower_error"; nothing for other operations.
std::optional<Outcome> run_tirx_lowering(const std::string& op, const Json& input, const Json& expect);

} // namespace ls::conformance
