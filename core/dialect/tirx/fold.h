// Constant folding as the reference's operators do it when an expression is made: on two constants, and with a neutral
// element. Text that keeps such an operation writes T.Mul(2, 8) instead of 2 * 8.
#pragma once

#include <optional>

#include "core/ir/expr.h"

namespace ls::tirx {

/// What `lhs op rhs` is when its operator folds it; null when it stays an operation.
ir::Expr folded(ir::BinaryOp op, const ir::Expr& lhs, const ir::Expr& rhs, Span span = {});
/// The operation, folded where it folds.
ir::Expr make_binary(ir::BinaryOp op, const ir::Expr& lhs, const ir::Expr& rhs, Span span = {});

/// A number that is written without a type takes the type that it meets: x + 1 with x of uint32 is x + T.uint32(1).
/// Other expressions are as they were.
ir::Expr as_dtype(const ir::Expr& literal, std::optional<DType> dtype);

/// Element type of an expression where it follows from its parts.
std::optional<DType> expr_dtype(const ir::Expr& expr);

} // namespace ls::tirx
