// CommonSubexprElim: what is computed more than once is computed once. spec/tirx.md 9.
#pragma once

#include "core/passes/pass.h"

namespace ls::tirx {

/// Sums, products, quotients, remainders, minima, casts and selects that occur twice or more and contain no call and
/// no read of memory become variables cse_v1, cse_v2, ..., bound in the innermost block that holds all occurrences.
/// Shallow expressions come first; one that only occurs inside others that are taken out is left alone. Conditions
/// stay where they are.
PassResult common_subexpr_elim(const ir::Module& module, const PassContext& context);

} // namespace ls::tirx
