// Results of an if that nobody reads.
#pragma once

#include "core/ir/stmt.h"

namespace ls::nz {

/// Takes out unused results and the values that both branches yield for them, until none is left.
ir::Module drop_unused_results(ir::Module module);

} // namespace ls::nz
