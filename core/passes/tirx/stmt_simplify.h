// StmtSimplify: expressions are simplified by what loops, bindings and conditions say. spec/tirx.md 9.
#pragma once

#include "core/passes/pass.h"

namespace ls::tirx {

/// Values, conditions and indices are simplified; a branch whose condition is decided is taken; a store of a place into
/// itself goes. Bindings stay, even where every use was replaced; buffer definitions are left alone.
PassResult stmt_simplify(const ir::Module& module, const PassContext& context);

} // namespace ls::tirx
