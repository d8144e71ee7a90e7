// Pass 28. What a kernel returns is the parameter that it wrote, in the order in which the outputs are declared.
#pragma once

#include "core/passes/pass.h"

namespace ls::tile {

/// Kernels, Group and Spmd functions return parameters instead of the names of what was stored to them; kernels return them
/// in the parameters' order, and callers take them apart accordingly.
PassResult normalize_return_order(const ir::Module& module, const PassContext& context);

} // namespace ls::tile
