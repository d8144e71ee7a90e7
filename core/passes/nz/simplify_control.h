// Branches that are decided and loops of one turn, replaced by what runs.
#pragma once

#include "core/ir/stmt.h"

namespace ls::nz {

/// An if whose condition is decided by constants and by the bounds of loop variables becomes the branch that is taken; a
/// pl.range of exactly one turn becomes its body. Results become what was yielded. The module itself when there is none.
ir::Module simplify_control(const ir::Module& module);

} // namespace ls::nz
