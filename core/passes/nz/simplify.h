// Simplify: constant arithmetic is worked out, so that later passes see numbers. spec/nz.md B.
#pragma once

#include "core/ir/stmt.h"
#include "core/passes/pass.h"

namespace ls::nz {

/// Folds arithmetic on constants, gathers the constants of sums, and puts the value of a scalar that was assigned a
/// constant where it is used; results of an if that nobody uses are dropped. Overflow is left as it is written.
/// Reassociation stays inside one type and never crosses a product, a division or a remainder.
PassResult simplify(const ir::Module& module, const PassContext& context);

/// One expression, without knowledge of variables.
ir::Expr simplify(const ir::Expr& expr);

} // namespace ls::nz
