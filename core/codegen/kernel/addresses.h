// Addresses for the tiles of programs that have not been through memory allocation.
#pragma once

#include "core/codegen/kernel/kernel.h"

namespace ls::codegen {

/// One buffer after the other, in program order, each at the chip's alignment. CG_CAPACITY when a memory is too small.
Status assign_addresses(Kernel& kernel, const ir::FunctionNode& function, const std::vector<SpaceLimit>& limits);

} // namespace ls::codegen
