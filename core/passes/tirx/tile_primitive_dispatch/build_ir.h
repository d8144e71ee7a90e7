// Private to this folder: the expressions and statements that lowered tile calls are made of.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/dialect/tirx/buffers.h"
#include "core/dialect/tirx/fold.h"
#include "core/ir/stmt.h"
#include "core/layout/layout.h"

namespace ls::tirx::lower {

// --- numbers
ir::Expr i32(std::int64_t value);
ir::Expr u32(std::int64_t value);
ir::Expr u64(std::uint64_t value);
/// As an element of that type; the expression itself where it already has it.
ir::Expr cast_to(const ir::Expr& value, DType dtype);
inline ir::Expr add(const ir::Expr& a, const ir::Expr& b) { return make_binary(ir::BinaryOp::Add, a, b); }
inline ir::Expr multiply(const ir::Expr& a, const ir::Expr& b) { return make_binary(ir::BinaryOp::Mul, a, b); }
inline ir::Expr multiply(const ir::Expr& a, std::int64_t b) { return multiply(a, i32(b)); }
ir::Expr divide(const ir::Expr& a, std::int64_t by); ///< floor
ir::Expr modulo(const ir::Expr& a, std::int64_t by); ///< floor

// --- memory
/// buffer[indices]
ir::Expr load(const ir::Var& buffer, std::vector<ir::Expr> indices);
ir::Expr load(const ir::Var& buffer, std::int64_t index = 0); ///< of a buffer of one dimension
ir::Expr address_of(ir::Expr place);
/// T.address_of(buffer[0, ..., 0])
ir::Expr start_of(const ir::Var& buffer);
ir::Expr data_of(const ir::Var& buffer); ///< buffer.data
ir::Expr to_shared(ir::Expr pointer);    ///< T.cuda.cvta_generic_to_shared(pointer)

/// name: T.dtype, in registers
ir::Var scalar(std::string name, DType dtype);
/// A buffer of one dimension in registers.
ir::Var registers(std::string name, std::int64_t elements, DType dtype);
ir::Stmt allocate(const ir::Var& buffer);
/// name = T.decl_buffer(..., data=parent.data): the parent's memory as `shape` elements; row-major without a layout.
ir::Var view_of(const ir::Var& parent, std::string name, std::vector<ir::Expr> shape,
                const std::optional<Layout>& layout);
/// The same bits as elements of another type, as buf.view("uint32") makes it. Refused: LAYOUT_*.
Result<ir::Var> reinterpreted_view(const ir::Var& parent, std::string name, DType dtype);
ir::Stmt declare(const ir::Var& view, const ir::Var& parent);

// --- statements
/// T.ptx.<family>(operands..., "modifier", ..., "marker"): an empty modifier is one that is not written.
ir::Stmt ptx(std::string_view family, std::vector<ir::Expr> operands, const std::vector<std::string>& modifiers,
             std::string_view marker = "");
ir::Var loop_var(std::string name);
ir::Stmt unrolled(const ir::Var& var, std::int64_t extent, std::vector<ir::Stmt> body);
ir::Stmt serial(const ir::Var& var, std::int64_t extent, std::vector<ir::Stmt> body);
/// name: T.int32 = value, as two statements.
ir::Var local_value(std::vector<ir::Stmt>& into, std::string name, ir::Expr value, DType dtype = DType::Int32);

/// name: T.let = T.address_of(place)
ir::Var local_pointer(std::vector<ir::Stmt>& into, std::string name, ir::Expr place);
/// "sync", "aligned", ... of "ldmatrix.sync.aligned...": the words after the first, each.
std::vector<std::string> words_after_family(std::string_view instruction);

} // namespace ls::tirx::lower
