// The arith operations that are expressions of the IR.
#pragma once

#include <optional>
#include <string_view>

#include "core/ir/expr.h"

namespace ls::pto {

/// "arith.addi", "arith.addf" → Add. Divisions that cut towards zero are none of the IR's operators and stay calls.
std::optional<ir::BinaryOp> binary_from_arith(std::string_view op);
/// Add on index → "arith.addi"; empty when arith has no such operation.
std::string_view arith_name(ir::BinaryOp op, bool floating);
/// "slt" → Lt
std::optional<ir::BinaryOp> compare_from_predicate(std::string_view predicate);
std::string_view predicate_of(ir::BinaryOp op);

} // namespace ls::pto
