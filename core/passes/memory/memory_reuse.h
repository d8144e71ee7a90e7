// Pass 37, MemoryReuse: tiles that are never needed together get one buffer.
#pragma once

#include "core/passes/pass.h"

namespace ls::memory {

/// In each memory the buffers are taken largest first, and each goes into the first that it may share: lifetimes that
/// do not overlap (they may touch: a statement reads before it writes), no operand that is read while the result is
/// written, no two copies of a pipeline while the memory holds both. Carried values and results follow; where bytes end
/// up elsewhere than they are expected, a tile.move is put in. Unused allocations go.
/// Refusals: MEM_ACC_CARRY, MEM_RESERVED, MEM_DECLARED. Warning: MEM_PIPELINE_DEPTH.
PassResult memory_reuse(const ir::Module& module, const PassContext& context);

} // namespace ls::memory
