// Pass 52, ClassifyIterArgCarry: says of every value that a loop of tasks carries whether it stays one buffer.
#pragma once

#include "core/passes/pass.h"

namespace ls::orchestration {

/// attrs={"iter_arg_rebind_<i>": ...} of each for loop with carried values in orchestration functions: False where the value
/// that goes round is the carried buffer itself (written by a task that answers it, assembled into, or carried through an
/// inner loop), True where each round may bring another one. Arrays of task ids in manual scopes get no size here.
PassResult classify_iter_arg_carry(const ir::Module& module, const PassContext& context);

} // namespace ls::orchestration
