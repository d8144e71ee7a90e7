// Pass 20, InferTileMemorySpace: says for each tile of an in-core function which on-chip memory holds it, and puts in the
// moves that bring operands to where instructions want them.
#pragma once

#include "core/passes/pass.h"

namespace ls::memory {

/// A result lies where its operation puts it; a view where its operand lies; loads and new tiles without target_memory=
/// where they are wanted (Vec or Mat); carried values where the loop's yield lies. An operand that is elsewhere than its
/// instruction reads from gets a tile.move before it.
PassResult infer_tile_memory_space(const ir::Module& module, const PassContext& context);

} // namespace ls::memory
