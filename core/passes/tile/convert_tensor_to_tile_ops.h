// Pass 11. Inside kernels, what is said of tensors becomes what the cores do: loads, tile operations, stores.
#pragma once

#include "core/passes/pass.h"

namespace ls::tile {

/// Rewrites every InCore function, gives it an Out parameter for each value that it returns as a tile, mirrors those in
/// the Spmd and Group functions that hand calls on, and makes the tensors at the calls. Parameters that are written
/// become Out or InOut, through calls too. TILE_OP_KEPT, TILE_MIXED_STORES (both warnings).
PassResult convert_tensor_to_tile_ops(const ir::Module& module, const PassContext& context);

} // namespace ls::tile
