// Pass 24, ExpandMixedKernel: every kernel runs either on a cube core or on a vector core.
#pragma once

#include "core/passes/pass.h"

namespace ls::tile {

/// A kernel with operations of one side becomes an AIC (cube) or AIV (vector, and what is on neither side) function. One
/// with both has to be divided into two that hand tiles to each other; that is not done here: it stays as it is, with the
/// warning MIXED_KERNEL.
PassResult expand_mixed_kernel(const ir::Module& module, const PassContext& context);

} // namespace ls::tile
