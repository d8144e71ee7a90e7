// pypto tile operations that are one PTO instruction with the same operands.
#pragma once

#include <string_view>

namespace ls::codegen {

/// "tile.row_expand_sub" → "trowexpandsub"; empty when there is no such instruction.
std::string_view pto_op(std::string_view pypto_op);

} // namespace ls::codegen
