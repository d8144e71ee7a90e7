// Reading and changing where a value was allocated. Private to the memory passes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/ir/stmt.h"
#include "core/machine/hardware.h"

namespace ls::memory {

/// The allocation that a tensor's or tile's type names; null when it has none.
const ir::MemRef* memref_of(const ir::Type& type);
/// The same of a variable or of a use of one; null for other expressions.
const ir::MemRef* memref_of(const ir::Expr& value);
const ir::TileTypeNode* tile_of(const ir::Expr& value);

/// Identity of an allocation: the variable that holds its address. Null where the base is only a name (tensors).
const ir::VarNode* base_of(const ir::MemRef* memref);
/// Of the tile that a variable holds.
const ir::VarNode* base_of(const ir::Expr& value);
bool same_allocation(const ir::MemRef* a, const ir::MemRef* b);

/// The type with another allocation and, for a tile, another space when given. Other types are left as they are.
ir::Type with_memref(const ir::Type& type, std::optional<ir::MemRef> memref, std::optional<ir::TileSpace> space = {});

/// Bytes of a whole allocation of this type in `space`; accumulators round their rows up (spec/nz.md A.2). Nothing
/// when an extent is not a positive constant or the product does not fit in 64 bits.
std::optional<std::int64_t> allocation_bytes(const ir::Type& type, ir::TileSpace space, const Hardware* hardware);

/// Sums and products of byte offsets: constants are folded, + 0 and · 1 left out, nothing else simplified.
ir::Expr add_bytes(const ir::Expr& a, const ir::Expr& b);
ir::Expr multiply_bytes(const ir::Expr& a, const ir::Expr& b);
/// Bytes from the beginning of its operand to what a view names: of a slice by the operand's packed strides, 0 of all
/// others. Nothing when the offset does not fall on a byte or does not fit in 64 bits.
std::optional<ir::Expr> view_byte_offset(const ir::CallNode& call, const ir::Type& operand);

/// The last statement of a body, if it is a yield.
const ir::YieldNode* last_yield(const ir::Seq& body);

/// Functions whose tiles lie on chip: in-core ones and those made of them.
bool is_in_core(ir::FunctionKind kind);
/// "tile.alloc" or "tensor.alloc": the variable that it defines, else null.
const ir::AssignNode* as_alloc(const ir::Stmt& stmt);
/// Whether an allocation was declared by the user, so that no pass may share it.
bool is_pinned(const ir::AssignNode& alloc);

} // namespace ls::memory
