// AutoTileMatmulL0: products whose operands lie in Mat are cut into (m, n, k) tiles that fit L0. spec/nz.md C.9.
#pragma once

#include "core/passes/pass.h"

namespace ls::nz {

/// Rewrites tile.matmul, tile.matmul_acc and tile.matmul_bias of in-core functions into loops that extract panels into
/// Left and Right. A product that fits stays as it is; one that cannot be tiled stays too and a note says why. At the
/// end every store of an accumulator into an NZ tensor is checked against the instruction's fields and L0C
/// (NZ_STORE_EXTENT, NZ_STORE_CAPACITY), as the assembler's emitter would.
PassResult auto_tile_matmul_l0(const ir::Module& module, const PassContext& context);

} // namespace ls::nz
