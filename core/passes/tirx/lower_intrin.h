// LowerIntrin: operations that C++ does not have as such become ones that it has. spec/tirx.md 9, 11.
#pragma once

#include "core/passes/pass.h"

namespace ls::tirx {

/// Floor division and remainder become shifts, masks, or truncating ones with a correction where the dividend may be
/// negative; warp shuffles become CUDA's; functions of floating-point numbers become calls by CUDA's names.
PassResult lower_intrin(const ir::Module& module, const PassContext& context);

} // namespace ls::tirx
