// What the reader knows of pypto's operations: how user spelling becomes the printed form. Other operations pass
// through.
#pragma once

#include <span>
#include <string_view>

namespace ls::pypto {

struct OpInfo {
    std::string_view name;   ///< "tile.load"
    std::string_view args;   ///< positional operands in order, separated by spaces
    std::string_view kwargs; ///< what further positional arguments are called in the printed form
    std::string_view about;  ///< one line of help
};

std::span<const OpInfo> all_ops();
/// Null when the operation is not in the table.
const OpInfo* find_op(std::string_view name);

/// pl.NAME without tile., tensor. or system.: the namespace follows from the name and the first argument.
enum class OperandKind { Tile, Tensor, Other };
/// "load" -> "tile.load"; empty when `short_name` is not such a spelling.
std::string_view qualify_op(std::string_view short_name, OperandKind first_argument);

} // namespace ls::pypto
