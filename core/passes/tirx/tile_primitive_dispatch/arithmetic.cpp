#include "core/passes/tirx/tile_primitive_dispatch/arithmetic.h"

#include "core/passes/tirx/tile_primitive_dispatch/build_ir.h"

namespace ls::tirx::lower {

using namespace ir;

namespace {

bool is_float(DType dtype) {
    const std::string_view text = info(dtype).tirx;
    return text.starts_with("float") || text.starts_with("bfloat") || dtype == DType::Tf32;
}

} // namespace

Expr number(double value, DType dtype) {
    return is_float(dtype) ? const_float(value, dtype) : const_int(static_cast<std::int64_t>(value), dtype);
}

Expr converted(const Expr& value, DType dtype) {
    if (expr_dtype(value) == dtype) return value;
    if (const auto* f = as<ConstFloatNode>(value)) return number(f->value, dtype);
    if (const auto n = constant(value)) return number(static_cast<double>(*n), dtype);
    return cast(value, dtype);
}

Expr arithmetic(BinaryOp op, const Expr& a, const Expr& b) {
    const auto x = expr_dtype(a), y = expr_dtype(b);
    if (!x || !y || *x == *y) return make_binary(op, a, b);
    const bool to_right = is_float(*x) != is_float(*y) ? is_float(*y) : bits(*x) < bits(*y);
    return to_right ? make_binary(op, converted(a, *y), b) : make_binary(op, a, converted(b, *x));
}

std::vector<Expr> place_of(const Expr& flat, std::span<const Expr> begin, std::span<const Expr> extent) {
    if (begin.size() == 1) return {add(begin[0], flat)};
    std::vector<Expr> at(begin.size());
    Expr rest = flat;
    for (std::size_t d = at.size(); d-- > 0;) {
        at[d] = add(make_binary(BinaryOp::Mod, rest, extent[d]), begin[d]);
        rest = make_binary(BinaryOp::FloorDiv, rest, extent[d]);
    }
    return at;
}

void scope_sync(std::vector<Stmt>& into, ScopeKind scope) {
    if (scope == ScopeKind::Cta) into.push_back(eval(call("cuda.cta_sync", {})));
    if (scope == ScopeKind::Warpgroup) into.push_back(eval(call("cuda.warpgroup_sync", {i32(8)})));
    if (scope == ScopeKind::Warp) into.push_back(eval(call("cuda.warp_sync", {})));
}

} // namespace ls::tirx::lower
