#include "core/codegen/kernel/scalars.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace ls::codegen {

namespace {

std::string_view arith_op(ir::BinaryOp op) {
    using ir::BinaryOp;
    static const std::map<BinaryOp, std::string_view> names{
        {BinaryOp::Add, "addi"},     {BinaryOp::Sub, "subi"},     {BinaryOp::Mul, "muli"},     {BinaryOp::FloorDiv, "floordivsi"},
        {BinaryOp::Mod, "remsi"},    {BinaryOp::Min, "minsi"},    {BinaryOp::Max, "maxsi"},    {BinaryOp::And, "andi"},
        {BinaryOp::Or, "ori"},       {BinaryOp::Eq, "cmpi eq"},   {BinaryOp::Ne, "cmpi ne"},   {BinaryOp::Lt, "cmpi slt"},
        {BinaryOp::Le, "cmpi sle"},  {BinaryOp::Gt, "cmpi sgt"},  {BinaryOp::Ge, "cmpi sge"},  {BinaryOp::BitAnd, "andi"},
        {BinaryOp::BitOr, "ori"},    {BinaryOp::BitXor, "xori"},  {BinaryOp::Shl, "shli"},     {BinaryOp::Shr, "shrsi"}};
    const auto found = names.find(op);
    return found == names.end() ? std::string_view{} : found->second;
}

} // namespace

Scalar ScalarLowering::compute(std::string op, std::vector<Scalar> operands, Body& out, std::string name) {
    if (name.empty()) name = fmt::format("s{}", next_scalar_++);
    const bool on_conditions = std::any_of(operands.begin(), operands.end(), [](const Scalar& s) { return s.condition; });
    const bool condition = on_conditions || op.rfind("cmpi ", 0) == 0;
    out.push_back({Compute{name, std::move(op), std::move(operands), on_conditions}, current_});
    return {name, {}, condition};
}

Result<Scalar> ScalarLowering::lower(const ir::Expr& expr, Body& out, const std::string& name) {
    if (const auto value = ir::constant(expr)) return constant_scalar(*value);
    if (const auto* truth = ir::as<ir::ConstBoolNode>(expr)) return constant_scalar(truth->value ? 1 : 0);
    if (const auto* var = ir::as<ir::VarNode>(expr)) {
        const auto known = scalars_.find(var);
        if (known != scalars_.end()) return known->second;
        return at(*expr, "CG_SCALAR", fmt::format("{} has no value on the device", var->name), "define it in the kernel, or make it a parameter");
    }
    if (const auto* cast = ir::as<ir::CastNode>(expr)) return lower(cast->value, out, name);
    if (const auto* call = ir::as<ir::CallNode>(expr)) return block_scalar(*call, out, name);
    if (const auto* unary = ir::as<ir::UnaryNode>(expr)) {
        LS_TRY(const Scalar value, lower(unary->operand, out));
        if (unary->op == ir::UnaryOp::Neg) return compute("subi", {constant_scalar(0), value}, out, name);
    }
    if (const auto* binary = ir::as<ir::BinaryNode>(expr)) {
        LS_TRY(const Scalar lhs, lower(binary->lhs, out));
        LS_TRY(const Scalar rhs, lower(binary->rhs, out));
        const std::string_view op = arith_op(binary->op);
        if (lhs.condition != rhs.condition) {
            return at(*expr, "CG_SCALAR", "a condition and a number are mixed", "compare the number first");
        }
        if (!op.empty()) return compute(std::string(op), {lhs, rhs}, out, name);
    }
    return at(*expr, "CG_SCALAR", "this expression has no device form", "use integer + - * // % min max, comparisons and casts");
}

Result<Scalar> ScalarLowering::block_scalar(const ir::CallNode& call, Body& out, std::string name) {
    static const std::map<std::string_view, std::string_view> hidden{{"tile.get_block_idx", "__pypto_spmd_block_idx"},
                                                                     {"tile.get_block_num", "__pypto_spmd_block_num"},
                                                                     {"tile.get_subblock_idx", "__pypto_spmd_subblock_idx"}};
    const auto found = hidden.find(call.op);
    if (call.callee != ir::CalleeKind::Op || found == hidden.end()) {
        return at(call, "CG_SCALAR", fmt::format("the scalar {} has no device form", call.op), "compute it before the kernel and pass it as a parameter");
    }
    (call.op == "tile.get_subblock_idx" ? kernel_.uses_subblock_index : kernel_.uses_block_index) = true;
    if (name.empty()) name = fmt::format("s{}", next_scalar_++);
    out.push_back({BlockIndex{name, std::string(found->second)}, current_});
    return Scalar{name, {}, false};
}

Result<Scalar> ScalarLowering::clamped(const ir::Expr& offset, Body& out) {
    LS_TRY(const Scalar value, lower(offset, out));
    if (value.value) return constant_scalar(std::max<std::int64_t>(*value.value, 0));
    return compute("maxsi", {value, constant_scalar(0)}, out);
}

} // namespace ls::codegen
