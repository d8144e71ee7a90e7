// UnrollLoop: T.unroll loops are written out. spec/tirx.md 9.
#pragma once

#include "core/passes/pass.h"

namespace ls::tirx {

/// Each iteration is a copy of the body with the variable's value in it, not yet simplified; what the body defines is
/// defined anew in each copy. Serial loops whose bodies do nothing are written out too, as in the reference. Refusals:
/// TIRX_UNROLL_EXTENT for an extent that is no constant, TIRX_UNROLL_SIZE for more than a million statements.
PassResult unroll_loop(const ir::Module& module, const PassContext& context);

} // namespace ls::tirx
