// Pass 32. In the bodies of pipelined loops, address arithmetic and loads come first, so that the copies run ahead of what is
// computed with them; each stage stores right behind its computing.
#pragma once

#include "core/passes/pass.h"

namespace ls::tile {

/// Reorders by dependence, then by kind, then by stage; afterwards the loops are plain ones. Bodies that call functions of
/// the program keep their order.
PassResult canonicalize_io_order(const ir::Module& module, const PassContext& context);

} // namespace ls::tile
