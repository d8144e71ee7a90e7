// ConvertToSSA: every variable gets one definition. spec/nz.md B.
#pragma once

#include "core/passes/pass.h"

namespace ls::nz {

/// Renames x to x__ssa_v0, x__ssa_v1, ...; what a loop changes becomes a carried value (x__iter_v, x__rv_v) and what
/// branches change a result of the if (x__phi_v). Loop variables become i__idx_v. A program that was converted before
/// goes through as it is. Refuses a use that not every path defines (SSA_MAYBE_UNDEFINED) and break or continue in a
/// loop that carries values (SSA_BREAK).
PassResult convert_to_ssa(const ir::Module& module, const PassContext& context);

} // namespace ls::nz
