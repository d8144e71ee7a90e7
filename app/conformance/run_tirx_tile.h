// What the runners of tile-primitive cases share: operands and settings as the cases write them.
#pragma once

#include "app/conformance/runner.h"
#include "core/passes/tirx/plan/operand.h"

namespace ls::conformance {

/// {"A_layout": ..., "A_shape": [...], "A_region": [[begin, end], ...]} with prefix "A_"; without a region the whole.
Result<tirx::Operand> operand_from_json(const Json& input, const std::string& prefix, std::string scope, DType dtype);
/// Numbers, flags and texts; null leaves the key out.
tirx::Config config_from_json(const Json& json);

/// Passed when the product refused and the message, its hint or its notes hold `text` ("any" is any refusal).
Outcome refused_with(const Diagnostic& why, const std::string& text);

std::string hex(std::uint64_t value, int digits);

} // namespace ls::conformance
