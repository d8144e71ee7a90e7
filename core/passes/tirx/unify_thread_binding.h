// UnifyThreadBinding: one variable for each thread axis of a kernel. spec/tirx.md 9.
#pragma once

#include "core/passes/pass.h"

namespace ls::tirx {

/// T.launch_thread and thread-bound loops of one kernel are gathered at its outside, one loop for each axis; all that
/// bind an axis must have the same extent (TIRX_THREAD_EXTENT).
PassResult unify_thread_binding(const ir::Module& module, const PassContext& context);

} // namespace ls::tirx
