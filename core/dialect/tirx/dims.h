// Index expressions of the IR and numbers of layouts, one into the other. A symbol's name is the variable's name.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "core/ir/expr.h"
#include "core/layout/dim.h"

namespace ls::tirx {

/// Nothing for what a layout cannot hold: loads, calls, truncating division, comparisons.
std::optional<Dim> to_dim(const ir::Expr& expr);

/// The variable that a symbol of this name means; null when there is none.
using FindVar = std::function<ir::Expr(std::string_view name)>;
/// Null when a symbol has no variable, or the Dim overflowed.
ir::Expr to_expr(const Dim& dim, const FindVar& find, DType dtype = DType::Int32);

} // namespace ls::tirx
