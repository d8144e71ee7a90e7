#include "core/codegen/kernel/scalars.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/support/checked.h"

namespace ls::codegen {

namespace {

using ir::BinaryOp;

/// The instruction of an operator for signed, unsigned and floating operands; empty where there is none.
struct OpNames {
    std::string_view of_signed, of_unsigned, of_float;
};
const OpNames* op_names(BinaryOp op) {
    static const std::map<BinaryOp, OpNames> names{
        {BinaryOp::Add, {"addi", "addi", "addf"}},
        {BinaryOp::Sub, {"subi", "subi", "subf"}},
        {BinaryOp::Mul, {"muli", "muli", "mulf"}},
        {BinaryOp::Div, {"", "", "divf"}},
        {BinaryOp::FloorDiv, {"floordivsi", "divui", ""}},
        {BinaryOp::Mod, {"remsi", "remui", ""}},
        {BinaryOp::Min, {"minsi", "minui", "minimumf"}},
        {BinaryOp::Max, {"maxsi", "maxui", "maximumf"}},
        {BinaryOp::BitAnd, {"andi", "andi", ""}},
        {BinaryOp::BitOr, {"ori", "ori", ""}},
        {BinaryOp::BitXor, {"xori", "xori", ""}},
        {BinaryOp::Shl, {"shli", "shli", ""}},
        {BinaryOp::Shr, {"shrsi", "shrui", ""}},
        {BinaryOp::Eq, {"cmpi eq", "cmpi eq", "cmpf oeq"}},
        {BinaryOp::Ne, {"cmpi ne", "cmpi ne", "cmpf une"}},
        {BinaryOp::Lt, {"cmpi slt", "cmpi ult", "cmpf olt"}},
        {BinaryOp::Le, {"cmpi sle", "cmpi ule", "cmpf ole"}},
        {BinaryOp::Gt, {"cmpi sgt", "cmpi ugt", "cmpf ogt"}},
        {BinaryOp::Ge, {"cmpi sge", "cmpi uge", "cmpf oge"}},
    };
    const auto found = names.find(op);
    return found == names.end() ? nullptr : &found->second;
}

/// The type that both operands are brought to. An index is 64 bits wide and gives way to a 64-bit integer.
DType common_type(const Scalar& a, const Scalar& b) {
    if (a.dtype == b.dtype) return a.dtype;
    if (is_float(a.dtype) != is_float(b.dtype)) return is_float(a.dtype) ? a.dtype : b.dtype;
    if (bits(a.dtype) != bits(b.dtype)) return bits(a.dtype) > bits(b.dtype) ? a.dtype : b.dtype;
    return a.dtype == DType::Index ? b.dtype : a.dtype;
}

std::optional<std::int64_t> folded(const std::string& op, std::int64_t a, std::int64_t b) {
    if (op == "addi") return checked_add(a, b);
    if (op == "subi") return checked_sub(a, b);
    if (op == "muli") return checked_mul(a, b);
    if (op == "minsi") return std::min(a, b);
    if (op == "maxsi") return std::max(a, b);
    if (op == "floordivsi" && b > 0) return floor_div(a, b);
    if (op == "remsi" && a >= 0 && b > 0) return a % b;
    return {};
}

bool keeps_non_negative(const std::string& op, const std::vector<Scalar>& operands) {
    const auto sure = [&](std::size_t i) { return operands[i].non_negative; };
    if (op == "maxsi") return sure(0) || sure(1);
    static constexpr std::string_view kept[]{"addi", "muli", "minsi", "floordivsi", "remsi", "shrsi", "andi"};
    return operands.size() == 2 && std::find(std::begin(kept), std::end(kept), op) != std::end(kept) && sure(0) && sure(1);
}

} // namespace

bool is_float(DType type) {
    switch (type) {
    case DType::Fp16:
    case DType::Bf16:
    case DType::Fp32:
    case DType::Tf32:
    case DType::Fp64:
    case DType::Fp4:
    case DType::Hf4:
    case DType::Hf8:
    case DType::Fp8E4M3:
    case DType::Fp8E5M2:
    case DType::Fp8E8M0: return true;
    default: return false;
    }
}

bool is_unsigned(DType type) {
    return type == DType::UInt4 || type == DType::UInt8 || type == DType::UInt16 || type == DType::UInt32 || type == DType::UInt64;
}

const Scalar* ScalarLowering::find(const ir::VarNode& var) const {
    const auto known = scalars_.find(&var);
    return known == scalars_.end() ? nullptr : &known->second;
}

Scalar ScalarLowering::compute(std::string op, std::vector<Scalar> operands, Body& out, const std::string& name) {
    const DType dtype = operands.back().dtype;
    const bool compares = op.rfind("cmp", 0) == 0;
    if (operands.size() == 2 && operands[0].value && operands[1].value && !is_unsigned(dtype) && !compares) {
        if (const auto value = folded(op, *operands[0].value, *operands[1].value)) return constant_scalar(*value, dtype);
    }
    Scalar result{named(name), {}, {}, compares ? DType::Bool : dtype, !compares && keeps_non_negative(op, operands)};
    out.push_back({Compute{result.name, std::move(op), std::move(operands), dtype}, current_});
    return result;
}

Scalar ScalarLowering::convert(const Scalar& value, DType to, Body& out, const std::string& name) {
    if (value.dtype == to) return value;
    if (value.value && is_float(to)) return {"", {}, static_cast<double>(*value.value), to, false};
    if (value.value) return constant_scalar(*value.value, to);
    if (value.real && is_float(to)) return {"", {}, value.real, to, false};
    const bool from_float = is_float(value.dtype);
    std::string op;
    if (from_float && is_float(to)) {
        op = bits(to) > bits(value.dtype) ? "extf" : "truncf";
    } else if (from_float) {
        op = is_unsigned(to) ? "fptoui" : "fptosi";
    } else if (is_float(to)) {
        op = is_unsigned(value.dtype) || value.is_condition() ? "uitofp" : "sitofp";
    } else if (value.dtype == DType::Index || to == DType::Index) {
        op = is_unsigned(value.dtype) || value.is_condition() ? "index_castui" : "index_cast";
    } else if (bits(to) == bits(value.dtype)) {
        return {value.name, {}, {}, to, value.non_negative}; // signs are in the operations, not in the value
    } else {
        op = bits(to) < bits(value.dtype) ? "trunci" : is_unsigned(value.dtype) || value.is_condition() ? "extui" : "extsi";
    }
    Scalar result{named(name), {}, {}, to, value.non_negative && op != "trunci" && !is_float(to)};
    out.push_back({Convert{result.name, op, value, to}, current_});
    return result;
}

Scalar ScalarLowering::bridged(const Scalar& value, Body& out) {
    if (!is_unsigned(value.dtype) || value.is_constant()) return value;
    Scalar result{names_.next(), {}, {}, value.dtype, value.non_negative};
    out.push_back({Convert{result.name, "bridge", value, value.dtype}, current_});
    return result;
}

Scalar ScalarLowering::unbridged(const Scalar& value, Body& out) {
    if (!is_unsigned(value.dtype) || value.is_constant()) return value;
    Scalar result{names_.next(), {}, {}, value.dtype, value.non_negative};
    out.push_back({Convert{result.name, "unbridge", value, value.dtype}, current_});
    return result;
}

Scalar ScalarLowering::truth(const Scalar& value, Body& out) {
    if (value.is_condition()) return value;
    if (is_float(value.dtype)) return compute("cmpf une", {value, {"", {}, 0.0, value.dtype, true}}, out);
    return compute("cmpi ne", {value, constant_scalar(0, value.dtype)}, out);
}

Result<Scalar> ScalarLowering::lower(const ir::Expr& expr, Body& out, const std::string& name) {
    if (expr == nullptr) return error("CG_SCALAR", "a number is missing", "write it");
    if (const auto* integer = ir::as<ir::ConstIntNode>(expr)) return constant_scalar(integer->value, integer->dtype);
    if (const auto* number = ir::as<ir::ConstFloatNode>(expr)) return Scalar{"", {}, number->value, number->dtype.value_or(DType::Fp32), number->value >= 0};
    if (const auto* truth_value = ir::as<ir::ConstBoolNode>(expr)) return constant_scalar(truth_value->value ? 1 : 0, DType::Bool);
    if (const auto* var = ir::as<ir::VarNode>(expr)) {
        if (const Scalar* known = find(*var)) return *known;
        return at(*expr, "CG_SCALAR", fmt::format("{} has no value on the device", var->name), "define it in the kernel, or make it a parameter");
    }
    if (const auto* cast = ir::as<ir::CastNode>(expr)) {
        LS_TRY(const Scalar value, lower(cast->value, out));
        if (cast->dtype == DType::Bool) return truth(value, out);
        return convert(value, cast->dtype, out, name);
    }
    if (const auto* call = ir::as<ir::CallNode>(expr)) return block_scalar(*call, out, name);
    if (const auto* unary = ir::as<ir::UnaryNode>(expr)) return lower_unary(*unary, out, name);
    if (const auto* binary = ir::as<ir::BinaryNode>(expr)) return lower_binary(*binary, out, name);
    if (const auto* select = ir::as<ir::SelectNode>(expr)) {
        LS_TRY(const Scalar condition, lower(select->condition, out));
        LS_TRY(Scalar on_true, lower(select->on_true, out));
        LS_TRY(Scalar on_false, lower(select->on_false, out));
        const DType dtype = common_type(on_true, on_false);
        return compute("select", {truth(condition, out), convert(on_true, dtype, out), convert(on_false, dtype, out)}, out, name);
    }
    return at(*expr, "CG_SCALAR", "this expression has no device form", "use + - * / // % min max, comparisons, and/or/not, shifts and casts");
}

Result<Scalar> ScalarLowering::lower_unary(const ir::UnaryNode& node, Body& out, const std::string& name) {
    LS_TRY(const Scalar value, lower(node.operand, out));
    const bool floating = is_float(value.dtype);
    switch (node.op) {
    case ir::UnaryOp::Neg:
        if (value.real) return Scalar{"", {}, -*value.real, value.dtype, *value.real <= 0};
        if (floating) return compute("negf", {value}, out, name);
        return compute("subi", {constant_scalar(0, value.dtype), value}, out, name);
    case ir::UnaryOp::Not:
        if (value.is_condition()) return compute("xori", {value, constant_scalar(1, DType::Bool)}, out, name);
        if (floating) return compute("cmpf oeq", {value, {"", {}, 0.0, value.dtype, true}}, out, name);
        return compute("cmpi eq", {value, constant_scalar(0, value.dtype)}, out, name);
    case ir::UnaryOp::BitNot:
        if (!floating) return compute("xori", {value, constant_scalar(-1, value.dtype)}, out, name);
        break;
    case ir::UnaryOp::Abs:
        if (floating) return compute("maximumf", {value, compute("negf", {value}, out)}, out, name);
        return compute("maxsi", {value, compute("subi", {constant_scalar(0, value.dtype), value}, out)}, out, name);
    }
    return at(node, "CG_SCALAR", "the bits of a floating-point number cannot be inverted", "cast it to an integer first");
}

Result<Scalar> ScalarLowering::lower_logical(const ir::BinaryNode& node, Scalar lhs, Scalar rhs, Body& out, const std::string& name) {
    const std::string_view op = node.op == BinaryOp::And ? "andi" : node.op == BinaryOp::Or ? "ori" : "xori";
    return compute(std::string(op), {truth(lhs, out), truth(rhs, out)}, out, name);
}

Result<Scalar> ScalarLowering::lower_binary(const ir::BinaryNode& node, Body& out, const std::string& name) {
    LS_TRY(Scalar lhs, lower(node.lhs, out));
    LS_TRY(Scalar rhs, lower(node.rhs, out));
    if (node.op == BinaryOp::And || node.op == BinaryOp::Or || node.op == BinaryOp::Xor) return lower_logical(node, std::move(lhs), std::move(rhs), out, name);
    if (lhs.is_condition() != rhs.is_condition()) {
        return at(node, "CG_SCALAR", "a condition and a number are mixed", "compare the number first");
    }
    const DType dtype = common_type(lhs, rhs);
    lhs = convert(lhs, dtype, out);
    rhs = convert(rhs, dtype, out);
    const OpNames* names = op_names(node.op);
    const std::string_view op = names == nullptr ? std::string_view{} : is_float(dtype) ? names->of_float : is_unsigned(dtype) ? names->of_unsigned : names->of_signed;
    if (op.empty()) {
        return at(node, "CG_SCALAR", fmt::format("this operator has no device form for {}", info(dtype).pypto),
                  is_float(dtype) ? "use + - * / min max and comparisons" : "use // for a quotient of integers");
    }
    if (node.op == BinaryOp::Mod && op == "remsi" && !(lhs.non_negative && rhs.non_negative)) {
        // The remainder takes the dividend's sign, % takes the divisor's: ((a rem b) + b) rem b is right for all signs.
        const Scalar remainder = compute("remsi", {lhs, rhs}, out);
        return compute("remsi", {compute("addi", {remainder, rhs}, out), rhs}, out, name);
    }
    return compute(std::string(op), {lhs, rhs}, out, name);
}

Result<Scalar> ScalarLowering::block_scalar(const ir::CallNode& call, Body& out, const std::string& name) {
    static const std::map<std::string_view, std::string_view> hidden{{"tile.get_block_idx", "__pypto_spmd_block_idx"},
                                                                     {"tile.get_block_num", "__pypto_spmd_block_num"},
                                                                     {"tile.get_subblock_idx", "__pypto_spmd_subblock_idx"}};
    const auto found = hidden.find(call.op);
    if (call.callee != ir::CalleeKind::Op || found == hidden.end()) {
        return at(call, "CG_SCALAR", fmt::format("the scalar {} has no device form", call.op), "compute it before the kernel and pass it as a parameter");
    }
    (call.op == "tile.get_subblock_idx" ? kernel_.uses_subblock_index : kernel_.uses_block_index) = true;
    return convert({std::string(found->second), {}, {}, DType::Int32, true}, DType::Index, out, name);
}

Result<Scalar> ScalarLowering::lower_index(const ir::Expr& expr, Body& out) {
    LS_TRY(const Scalar value, lower(expr, out));
    if (is_float(value.dtype)) return at(*expr, "CG_SCALAR", "a shape, offset or bound is not a whole number", "cast it to pl.INDEX");
    return convert(value, DType::Index, out);
}

Result<Scalar> ScalarLowering::clamped(const ir::Expr& offset, Body& out) {
    LS_TRY(const Scalar value, lower_index(offset, out));
    if (value.value) return constant_scalar(std::max<std::int64_t>(*value.value, 0));
    Scalar result = compute("maxsi", {value, constant_scalar(0)}, out);
    return result;
}

} // namespace ls::codegen
