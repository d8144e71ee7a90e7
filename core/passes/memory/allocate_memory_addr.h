// Pass 38, AllocateMemoryAddr: gives every buffer its byte address and checks that each memory of the chip holds them.
#pragma once

#include "core/passes/pass.h"

namespace ls::memory {

/// In every on-chip memory the buffers stand one after the other in the order of their names (as text: mem_vec_10 before
/// mem_vec_9), above what is reserved for pipes, each at a multiple of 32 bytes; a view keeps its distance from its
/// buffer. Only a declared buffer's slot may have an address that is worked out at run time. Refusals: MEM_CAPACITY
/// (with the largest buffers), MEM_RESERVED.
PassResult allocate_memory_addr(const ir::Module& module, const PassContext& context);

} // namespace ls::memory
