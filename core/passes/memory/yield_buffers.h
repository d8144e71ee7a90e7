// What loops and branches hand on must lie where it is expected: types are corrected, and a tile.move is put in where
// the bytes really lie elsewhere. Private to the memory passes.
#pragma once

#include <vector>

#include "core/ir/stmt.h"
#include "core/support/diagnostic.h"

namespace ls::memory {

/// Carried values and results of loops take the allocation of their initial values, outer loops first.
ir::Seq align_carried(const ir::Seq& body);

/// Yields that lie elsewhere than the carried value, or than the other branch's, are moved. MEM_ACC_CARRY where that
/// would be a copy between accumulators, which no instruction makes.
ir::Seq move_yields(const ir::Seq& body, std::vector<Diagnostic>& findings);

} // namespace ls::memory
