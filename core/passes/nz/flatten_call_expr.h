// FlattenCallExpr: calls inside calls become statements of their own. spec/nz.md B.
#pragma once

#include "core/passes/pass.h"

namespace ls::nz {

/// Every call that is an operand, a bound, a condition or a returned value is assigned to t__tmp_vN first, in the order
/// in which it would run. A call in the condition of a while stays: it runs once for each turn.
PassResult flatten_call_expr(const ir::Module& module, const PassContext& context);

} // namespace ls::nz
