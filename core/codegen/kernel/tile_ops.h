// pypto tile operations that are one PTO instruction on tiles and scalars.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/codegen/kernel/kernel.h"

namespace ls::codegen {

struct TileOpInfo {
    std::string_view pypto;     ///< "tile.row_expand_sub"
    std::string_view pto;       ///< "trowexpandsub"
    std::int64_t arity = 0;     ///< operands of the instruction
    std::int64_t optional = 0;  ///< how many of the last of them may be left out
    /// Digits: which arguments the operands are, where not simply the first ones ("1": the second only).
    std::string_view arguments = {};
    OpMode::Kind mode = OpMode::Kind::None;
    std::string_view mode_key = {}; ///< the keyword that says it
    /// Bit operations take their scalar as a 32-bit integer, whatever the tile holds.
    bool integer_scalar = false;
};

/// Null when there is no such instruction.
const TileOpInfo* find_tile_op(std::string_view pypto_op);
/// The same by the instruction's name: "trowexpandsub".
const TileOpInfo* find_tile_instruction(std::string_view pto_name);

} // namespace ls::codegen
