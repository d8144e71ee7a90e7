// The TIRx surface of the IR: script text, as authors write it and as the reference prints it after each pass
// (spec/tirx.md 1.3, 5.1, 10).
//
// How TIRx stands in the IR. Passes and exporters build on this; the reader makes nothing else, the printer takes
// anything of this form. Names of operations are held without the dialect's prefix: T.cuda.cta_sync() is the Call
// "cuda.cta_sync".
//
// modules     Module{dialect Tirx, class_name "Module", functions in the order of the text}; text without a class has
// an
//             empty class_name. Function{PrimFunc, attrs = T.func_attr, options = decorator keywords, returns}.
// numbers     ConstInt has dtype Int32 unless written T.uint32(7). T.bool(True) is ConstInt{Bool}; a bare True is a
//             ConstBool and stands only where the reference keeps a Python value (tile calls, attributes). 64-bit
//             unsigned values above INT64_MAX are held as their bit pattern. T.float32(1.5) is ConstFloat{Fp32}.
// operators   BinaryNode with floor semantics for FloorDiv and Mod. T.bitwise_and, T.shift_left... are BitAnd, Shl...;
//             T.min and T.max are Min and Max; T.Cast is CastNode, T.Select is SelectNode. Truncating division is the
//             Call "Div" or "truncmod"; -x is x * -1. An operator on two literals is folded when read, as Python does;
//             T.Mul(2, 8) is not, and prints as such.
// variables   a VarNode of ScalarType, PtrType (T.handle: no pointee, scope "global"), BufferType, or NamedType
//             ("TensorMap", "float32x4"). T.let: Assign{target, value}. x = T.int32() (a free variable): Assign{x, Call
//             "int32"}. T.Let(body, where={x: v}): Call "Let" with args [v, Lambda{[x], body}].
// buffers     a variable of BufferType{shape, dtype, strides, elem_offset (null is 0), scope, align, offset_factor,
//             layout, allocated_addr}. Type says what it is, the defining Assign how it comes to be:
//               Call "alloc_buffer" {annotations}    all T.alloc_*, T.shared_scalar, x: T.uint32
//               Call "decl_buffer" {data = expr}     also .view, .local, .permute: their geometry is worked out
//               Call "match_buffer" [handle]; Call "Buffer" (a buffer that is used but never defined)
//             BufferType::data is not used. buf.data is Member{buf, "data"}. LayoutState::Default: row-major over the
//             shape, also when it was written out; see layout_of().
// scalars     a buffer that is_scalar_buffer() prints by its bare name; in the IR a load is always Subscript{buf, [0]}.
// layouts     core/layout's; a symbol in them is the visible variable of that name (dims.h converts both ways).
// accesses    load: Subscript{buf, [indices]}; store: StoreNode. Region: the same with Slice{begin, end} where the
//             extent is not 1; ends are always written out. A strided or vector index is Slice{begin, end, step}.
// tile calls  Eval{Call "tirx.tile.<name>"}: args in the order of ops.h, None at the end dropped; kwargs = config, by
//             key; attrs "scope" (not for thread), "dispatch", "workspace". as_tile_call() reads them. With bodies:
//             With{Call "tirx.tile.compose_op"}.
// scope ids   Assign{[x, y], Call "cta_id" [Tuple extents]}; without names, Eval of the same Call.
// attributes  With{Call, body}: Call "launch_thread" ["threadIdx.x", extent] defines With.var; "attr" [Dict] or
//             [node, key, value]; "hint". The body is all that follows. T.device_entry() is attr {"tirx.device_entry":
//             T.bool(True)}. Printed without `with` where it is the last statement of its block.
// loops       For{Range, Unroll, Parallel, Vectorized, ThreadBinding}; stop is start + extent; kwargs "thread",
//             "annotations". T.grid is read as nested loops; T.serial is Range.
// ptx         Call "ptx.<family>" with string modifiers after the operands (as printed), or Call
//             "ptx.<instruction.with::modifiers>" (as authored); ptx_instruction() reads both.
// errors      T.Assert and assert: Assert{condition, Tuple[kind, Tuple parts]}.
// calls       to functions of the module: CalleeKind::Function; all else is a Call of that name with its keywords.
#pragma once

#include <string>
#include <string_view>

#include "core/dialect/program_text.h"
#include "core/ir/stmt.h"

namespace ls::tirx {

using dialect::kMaxErrors;
using dialect::Printed;
using dialect::ReadResult;

/// Reads a module, or functions alone. Reading goes on after an error in a statement, so that all of them can be shown.
/// Operations that are not known are kept as written. Codes: TIRX_* (syntax, names, types), TXT_* and LAYOUT_* (in
/// layouts), IR_TOO_DEEP.
ReadResult read_all(std::string_view source);
/// The module, or the first error.
Result<ir::Module> read(std::string_view source);

/// The form that the reference prints.
Printed print(const ir::ModuleNode& module);
std::string print_text(const ir::ModuleNode& module);
/// One function with the header lines above it.
std::string print(const ir::FunctionNode& function);
/// One statement with its bodies, not indented. Variables are printed by their own names.
std::string print(const ir::StmtNode& stmt);
std::string print(const ir::ExprNode& expr);

} // namespace ls::tirx
