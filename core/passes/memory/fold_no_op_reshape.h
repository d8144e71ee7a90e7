// Pass 39, FoldNoOpReshape: a reshape between two names of one buffer that look alike becomes a plain copy of the name.
#pragma once

#include "core/passes/pass.h"

namespace ls::memory {

PassResult fold_no_op_reshape(const ir::Module& module, const PassContext& context);

} // namespace ls::memory
