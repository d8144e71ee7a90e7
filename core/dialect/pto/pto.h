// The PTO surface of the IR: MLIR-like text that pypto writes and PTOAS assembles (spec/nz.md E.1).
//
// How a program stands in the IR. A value is a Var named without '%'. `%x = op ...` is an Assign of a Call whose args are
// the operands in the order in which they are written ([%a, %b] is one Tuple); `op ins(%a) outs(%t)` is an Eval. Integer
// and float arithmetic, comparisons, index_cast and select are expressions; scf.for and scf.if are For and If; any other
// operation with regions is a With. Types:
//
//     !pto.tile_buf<...>            TileType; valid_shape holds numbers, or what alloc_tile gives for a `?`
//     make_tensor_view's result     TensorType with shape, strides and order, constants filled in
//     partition_view's result       TensorType of the window's sizes
//     any other                     NamedType with the text
//
// An operation whose words are not those of its usual form (forms.h) carries them in the attr "form", so that operations
// that nobody here has heard of are kept and printed again.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/dialect/program_text.h"
#include "core/support/result.h"

namespace ls::pto {

using dialect::Printed;
using dialect::ReadResult;

/// Reads modules, or functions without one. Reading goes on after an error in an operation, so that all of them can be
/// shown. Codes: PTO_* (syntax, names, ranks), IR_TOO_DEEP.
ReadResult read_all(std::string_view source);
/// The module, or the first error.
Result<ir::Module> read(std::string_view source);
/// Whether the text has words that only this surface has.
bool looks_like(std::string_view source);

Printed print(const ir::ModuleNode& module);
std::string print_text(const ir::ModuleNode& module);

/// An operation that moves elements between global memory and a tile.
struct Transfer {
    bool load = true;
    ir::Var partition; ///< result of a partition_view, or whatever stands in its place
    ir::Var tile;
};
/// Empty for other operations.
std::optional<Transfer> transfer_of(const ir::CallNode& call);
/// What each name that one operation defines alone stands for.
using Definitions = std::unordered_map<const ir::VarNode*, ir::Expr>;
Definitions definitions_of(const ir::FunctionNode& function);
/// A number that the value stands for by definition, or the value itself.
ir::Expr resolved(const ir::Expr& value, const Definitions& definitions);

/// The value of an attribute, written with or without quotes around its name; null when it is not there.
const ir::ExprNode* attribute(const std::vector<ir::KeyValue>& attributes, std::string_view name);

} // namespace ls::pto
