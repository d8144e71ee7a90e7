// Pass 43, DeriveCallDirections: says at every call of a task which operands it reads and which it writes.
#pragma once

#include "core/passes/pass.h"

namespace ls::orchestration {

/// First the signatures of Groups and Spmd wrappers take over what the kernels in them write. Then attrs={"arg_directions":
/// [...]} of each call: scalar for what is no tensor, input and inout as the callee says; an output is output_existing
/// where nobody wrote the buffer before, and inout inside a loop that runs in order, after another writer, where the buffer
/// is not known for sure, or where the function itself got it as InOut. pl.no_dep marks stay. Calls that have directions
/// keep them.
PassResult derive_call_directions(const ir::Module& module, const PassContext& context);

} // namespace ls::orchestration
