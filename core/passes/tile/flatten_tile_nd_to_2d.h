// Pass 14. Tiles have rows and columns: every further axis becomes rows.
#pragma once

#include "core/passes/pass.h"

namespace ls::tile {

/// In kernels, a tile [a, b, c] becomes [a·b, c]; batched products become one product for each batch; transposes get
/// their scratch tile. Windows of tensors keep their rank, but a load of several panels into Mat reads the tensor as if it
/// had two axes, so that it is one copy. An NZ tensor is blocked later and read by its own coordinates. FLATTEN_DYNAMIC,
/// FLATTEN_ELEMENT, FLATTEN_ASSEMBLE, FLATTEN_TRANSPOSE, FLATTEN_WINDOW, FLATTEN_BATCH.
PassResult flatten_tile_nd_to_2d(const ir::Module& module, const PassContext& context);

} // namespace ls::tile
