// SplitHostDevice: what runs on the device becomes a function of its own. spec/tirx.md 9.
#pragma once

#include "core/passes/pass.h"

namespace ls::tirx {

/// Each outermost thread extent of a function becomes NAME_kernel: its parameters are what the body uses and does not
/// define, pointers first and then by name; buffers come as pointers and are declared over them. The host calls it
/// with those and with the extents of the thread axes (and the bytes of dynamic shared memory, last). Refusals:
/// TIRX_NO_TARGET, TIRX_LAUNCH_BOUNDS, TIRX_DYNAMIC_SHARED.
PassResult split_host_device(const ir::Module& module, const PassContext& context);

/// The functions that run on the device alone.
PassResult device_functions(const ir::Module& module, const PassContext& context);

} // namespace ls::tirx
