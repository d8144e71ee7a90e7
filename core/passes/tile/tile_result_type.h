// Types of what tile operations answer, with the view that the compiler gives them: the reader's inference says only
// shape and element type, passes that make operations must also say where the result lies and how.
#pragma once

#include "core/ir/stmt.h"

namespace ls::tile {

/// The type of a tile operation's result, from its operands' types; null where it does not follow. Views are left out
/// where they are the implicit ones (spec/nz.md A.3), as dumps print them.
ir::Type result_type(const ir::CallNode& call);

/// A value's type: a variable's, or what an expression answers.
ir::Type type_of(const ir::Expr& value);

/// The extents of a tile that hold values.
std::vector<ir::Expr> valid_shape(const ir::TileTypeNode& tile);

/// A tile type without the fields of `view` that say what the implicit view says.
ir::Type canonical_tile(std::vector<ir::Expr> shape, DType dtype, std::optional<ir::TileSpace> space, ir::TileView view);

} // namespace ls::tile
