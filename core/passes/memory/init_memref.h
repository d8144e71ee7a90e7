// Pass 34, InitMemRef: gives every tensor and tile an allocation, and a function the tile.alloc statements for them.
#pragma once

#include "core/passes/pass.h"

namespace ls::memory {

/// A fresh buffer for each value; views, results written over an operand, carried values and phis name the buffer of
/// what they share. Sizes are those of the hardware (accumulators round rows up, spec/nz.md A.2). Buffers that the user
/// declared (pl.MemRef("name", slots=n)) keep their name and hold the largest tile bound to them in each slot.
/// MEM_SHAPE: a tile's extent is not a positive constant. MEM_SLICE: a slice that begins inside a byte.
/// MEM_DECLARED: a declared buffer is used in two spaces, with two slot counts, or by a view.
PassResult init_memref(const ir::Module& module, const PassContext& context);

} // namespace ls::memory
