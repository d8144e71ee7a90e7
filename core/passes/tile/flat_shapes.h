// Shapes, windows and offsets of more than two axes as rows and columns.
#pragma once

#include <optional>
#include <vector>

#include "core/ir/stmt.h"

namespace ls::tile {

/// [a, b, c] as [a·b, c]; products of constants are worked out, factors of 1 left out.
std::vector<ir::Expr> flat_dims(const std::vector<ir::Expr>& dims);
/// The row of the flattened tensor that these offsets start in, and the column.
std::vector<ir::Expr> flat_offsets(const std::vector<ir::Expr>& offsets, const std::vector<ir::Expr>& shape);
/// Whether a window of these extents is one block of rows of the flattened tensor: behind the first axis that it takes
/// more than one of, it takes the others whole.
bool is_row_block(const std::vector<ir::Expr>& extents, const std::vector<ir::Expr>& shape);
/// The same tile with rows and columns; the type itself when it has no more axes. Null where an extent is no constant.
ir::Type flat_tile(const ir::Type& type);
/// Product of extents; nothing when one is no positive constant, or it overflows.
std::optional<std::int64_t> product(const std::vector<ir::Expr>& dims, std::size_t begin, std::size_t end);

} // namespace ls::tile
