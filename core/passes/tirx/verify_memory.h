// VerifyMemory: the host does not reach into the device's memory. spec/tirx.md 9.
#pragma once

#include "core/passes/pass.h"

namespace ls::tirx {

/// Outside of thread extents no element of a parameter may be read or written (TIRX_HOST_ACCESS). Through a flat view
/// of a parameter the reference lets it pass; that is a warning.
PassResult verify_memory(const ir::Module& module, const PassContext& context);

} // namespace ls::tirx
