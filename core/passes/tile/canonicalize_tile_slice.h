// Pass 19. A window of a tile in L1 is named where it is used: what reads it extracts from the whole tile.
#pragma once

#include "core/passes/pass.h"

namespace ls::tile {

/// A tile.slice of a tile in Mat whose users are tile.extract and the operands of products goes into them: offsets add up,
/// and products get their operands by tile.extract to Left or Right. Slices with any other user stay. Windows of tiles in
/// Vec stay as they are: they are copied only where an instruction needs it.
PassResult canonicalize_tile_slice(const ir::Module& module, const PassContext& context);

} // namespace ls::tile
