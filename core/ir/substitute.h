// Replacing variables by expressions.
#pragma once

#include <unordered_map>

#include "core/ir/stmt.h"

namespace ls::ir {

using Substitution = std::unordered_map<const VarNode*, Expr>;

/// Every use of a mapped variable replaced, in types too; all at once (what is put in is not looked at again).
Expr substitute(const Expr& expr, const Substitution& by);
Type substitute(const Type& type, const Substitution& by);
Seq substitute(const Seq& body, const Substitution& by);

} // namespace ls::ir
