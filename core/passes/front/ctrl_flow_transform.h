// Pass 3, CtrlFlowTransform: loops without break and continue.
#pragma once

#include "core/passes/pass.h"

namespace ls::front {

/// In kernels, what follows an If with a continue moves into its other branch; a loop with a break becomes a while loop over
/// a flag __break_N and its own counter. Loops of orchestration functions jump as they are. Refusals: CTRL_LOOP (a break in a
/// loop that carries values, has a step that is no constant, or does not run in order), CTRL_SCOPE (a jump out of a scope),
/// CTRL_SIZE (more than 200000 statements or 250 levels, because what follows is written into the branches).
PassResult ctrl_flow_transform(const ir::Module& module, const PassContext& context);

} // namespace ls::front
