// Private to this folder: addresses in tensor memory, lanes in the high half-word and 32-bit columns in the low one.
#pragma once

#include "core/passes/tirx/tile_primitive_dispatch/lowering.h"

namespace ls::tirx::lower {

/// The address of a TMEM buffer; null when it has none.
ir::Expr allocated_address(const ir::Var& buffer);
/// base, base + column, or T.cuda.get_tmem_addr(base, lane, column); lane and column come simplified.
ir::Expr tmem_address(const ir::Expr& base, const ir::Expr& lane, const ir::Expr& column);

} // namespace ls::tirx::lower
