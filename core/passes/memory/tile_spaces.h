// Which memory each tile of a function lies in. Private to the memory passes.
#pragma once

#include <unordered_map>

#include "core/ir/stmt.h"

namespace ls::memory {

using TileSpaces = std::unordered_map<const ir::VarNode*, ir::TileSpace>;

TileSpaces tile_spaces(const ir::FunctionNode& function);

} // namespace ls::memory
