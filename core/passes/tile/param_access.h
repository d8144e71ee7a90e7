// Which tensors of a kernel's signature its body reads and writes, through all the names that they go by.
#pragma once

#include <vector>

#include "core/ir/stmt.h"

namespace ls::tile {

struct ParamAccess {
    bool reads = false, writes = false;
    const ir::CallNode* bulk_store = nullptr;   ///< the first tile.store or tensor.assemble into it
    const ir::CallNode* scalar_store = nullptr; ///< the first tensor.write into it
};

/// One entry a parameter; scalars have none of it. A store's answer, a slice, a carried value and a second name are the
/// parameter's own. Operations that are not known count as reading what they are given.
std::vector<ParamAccess> param_access(const ir::FunctionNode& function);

/// The operand that the operation writes to and answers as its own; nothing for other operations.
const ir::Expr* written_operand(const ir::CallNode& call);

} // namespace ls::tile
