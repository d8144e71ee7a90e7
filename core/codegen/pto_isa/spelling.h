// How pto-isa's C++ spells types and numbers.
#pragma once

#include <string>
#include <string_view>

#include "core/codegen/kernel/kernel.h"

namespace ls::codegen {

/// "int32_t" for an index, "float", "half", "bool".
std::string_view cpp_scalar_type(DType type);
/// A constant as C++ reads it: "16", "0.5f", "(half)2.0f", "true".
std::string cpp_constant(const Scalar& constant);
/// One instruction's value from its operands: "a + b", "a < b ? a : b".
std::string cpp_value(const Compute& compute, const std::vector<std::string>& operands);
/// Tile<TileType::Mat, half, 64, 256, ...>; the tile's valid extents are -1 where they are not constants.
std::string cpp_tile_type(const Tile& tile, std::string_view chip);
/// "RoundMode::CAST_ROUND", "CmpMode::LT", ...: the last argument that a mode is; empty when it is a template argument.
std::string cpp_mode_argument(const OpMode& mode);

std::string upper_case(std::string_view text);

} // namespace ls::codegen
