// Private to this folder: 64-bit matrix descriptors of shared memory in a program (spec/tirx.md 7.3, 7.6).
#pragma once

#include "core/passes/tirx/plan/smem_operand.h"
#include "core/passes/tirx/tile_primitive_dispatch/lowering.h"

namespace ls::tirx::lower {

/// T.cuda.tcgen05.encode_matrix_descriptor(&descriptor, address, ldo, sdo, swizzle)
ir::Stmt encode_descriptor(const ir::Var& descriptor, ir::Expr address, std::int64_t ldo, std::int64_t sdo,
                           int swizzle);
/// The low word made lane 0's in all lanes of the warp.
std::vector<ir::Stmt> broadcast_low_word(const ir::Var& descriptor);
/// Low word + offset (in 16 bytes, wrapping), high word as it was.
ir::Expr advanced(const ir::Expr& descriptor, const ir::Expr& offset_16b);
/// The low word replaced.
ir::Expr with_low_word(const ir::Expr& descriptor, const ir::Expr& low);
/// Computed in place, without the encoder: constants, and the address's bits. Refused: DESC_*.
Result<ir::Expr> computed_descriptor(const ir::Var& buffer, const ir::Expr& offset_16b, const SmemOperand& fields);

} // namespace ls::tirx::lower
