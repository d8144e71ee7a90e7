#include "core/codegen/cuda/expressions.h"

#include <bit>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ls::codegen::cuda {

using namespace ir;

namespace {

constexpr std::string_view kFloorHelpers = R"(template <typename T>
__forceinline__ __device__ T tvm_builtin_floordiv(T a, T b) {
  const T q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}
template <typename T>
__forceinline__ __device__ T tvm_builtin_floormod(T a, T b) {
  const T r = a % b;
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}
)";

std::string_view sign(BinaryOp op) {
    switch (op) {
    case BinaryOp::BitAnd: return "&";
    case BinaryOp::BitOr: return "|";
    case BinaryOp::BitXor: return "^";
    case BinaryOp::Shl: return "<<";
    case BinaryOp::Shr: return ">>";
    case BinaryOp::And: return "&&";
    case BinaryOp::Or: return "||";
    case BinaryOp::Xor: return "!=";
    default: return spelling(op);
    }
}

bool is_literal(const Expr& e) { return e != nullptr && (e->kind == NodeKind::ConstInt || e->kind == NodeKind::ConstFloat); }

} // namespace

Expressions::Expressions(std::string arch, Helpers& helpers, Names& names) : arch_(std::move(arch)), helpers_(helpers), names_(names) {}

const Place* Expressions::find(const VarNode* var) const {
    const auto found = places_.find(var);
    return found == places_.end() ? nullptr : &found->second;
}

Value Expressions::refuse(Span span, std::string code, std::string message, std::string hint) {
    fail(error_at(span, std::move(code), std::move(message), std::move(hint)));
    return {"0", value_of(DType::Int32)};
}

std::string Expressions::typed(const Value& v, const CType& wanted) const {
    if (v.type == wanted) return v.text;
    return fmt::format("({}){}", spelling(wanted), wrapped(v));
}

Value Expressions::constant(const ConstIntNode& c) const {
    switch (c.dtype) {
    case DType::Bool: return {c.value != 0 ? "true" : "false", value_of(DType::Bool)};
    case DType::UInt32: return {fmt::format("(uint){}", static_cast<std::uint32_t>(c.value)), value_of(DType::UInt32)};
    case DType::UInt64: return {fmt::format("(uint64_t){}ULL", static_cast<std::uint64_t>(c.value)), value_of(DType::UInt64)};
    case DType::Int64: return {fmt::format("(int64_t){}LL", c.value), value_of(DType::Int64)};
    case DType::Int32:
    case DType::Index: return {fmt::format("{}", c.value), value_of(DType::Int32), c.value >= 0};
    default: return {fmt::format("({}){}", spelling(value_of(c.dtype)), c.value), value_of(c.dtype)};
    }
}

Value Expressions::floating(const ConstFloatNode& c) const {
    const DType dtype = c.dtype.value_or(DType::Fp32);
    const bool wide = dtype == DType::Fp64;
    std::string text;
    if (!std::isfinite(c.value)) {
        text = fmt::format("{}{}", wide ? "(double)" : "", std::isnan(c.value) ? "NAN" : c.value > 0 ? "INFINITY" : "-INFINITY");
    } else {
        // The shortest text that reads as the same number.
        text = wide ? fmt::format("{}", c.value) : fmt::format("{}", static_cast<float>(c.value));
        if (text.find_first_of(".e") == std::string::npos) text += ".0";
        if (!wide) text += 'f';
    }
    if (wide || dtype == DType::Fp32) return {text, value_of(dtype), text.front() != '-'};
    return {fmt::format("({})({})", spelling(value_of(dtype)), text), value_of(dtype)};
}

bool Expressions::is_nonnegative(const Expr& e) const {
    if (const auto known = ir::constant(e)) return *known >= 0;
    if (const auto* v = as<VarNode>(e)) return nonnegative_.contains(v);
    if (const auto* b = as<BinaryNode>(e)) {
        switch (b->op) {
        case BinaryOp::Add:
        case BinaryOp::Mul:
        case BinaryOp::FloorDiv:
        case BinaryOp::Min:
        case BinaryOp::BitOr: return is_nonnegative(b->lhs) && is_nonnegative(b->rhs);
        case BinaryOp::Max:
        case BinaryOp::BitAnd: return is_nonnegative(b->lhs) || is_nonnegative(b->rhs);
        case BinaryOp::Mod: return is_nonnegative(b->rhs);
        case BinaryOp::Shr: return is_nonnegative(b->lhs);
        default: return false;
        }
    }
    const auto* c = as<CallNode>(e);
    return c != nullptr && c->op == "truncmod" && !c->args.empty() && is_nonnegative(c->args[0]);
}

Value Expressions::division(const BinaryNode& b, const Value& lhs, const Value& rhs, const CType& type) {
    const bool divides = b.op == BinaryOp::FloorDiv || b.op == BinaryOp::Div;
    if (is_floating(type.dtype)) {
        if (!divides) return {fmt::format("{}({}, {})", math_function("fmod", type.dtype), typed(lhs, type), typed(rhs, type)), type};
        return {fmt::format("{} / {}", wrapped(lhs), wrapped(rhs)), type, false};
    }
    // C++ truncates towards zero; floor is the same where nothing is negative.
    const auto n = ir::constant(b.rhs);
    if (is_unsigned(type.dtype) || b.op == BinaryOp::Div || (is_nonnegative(b.lhs) && is_nonnegative(b.rhs))) {
        return {fmt::format("{} {} {}", wrapped(lhs), divides ? "/" : "%", wrapped(rhs)), type, false};
    }
    if (n && *n > 0 && std::has_single_bit(static_cast<std::uint64_t>(*n))) {
        const int shift = std::countr_zero(static_cast<std::uint64_t>(*n));
        return {divides ? fmt::format("{} >> {}", wrapped(lhs), shift) : fmt::format("{} & {}", wrapped(lhs), *n - 1), type, false};
    }
    helpers_.add("tvm_builtin_floordiv", std::string(kFloorHelpers));
    return {fmt::format("{}({}, {})", divides ? "tvm_builtin_floordiv" : "tvm_builtin_floormod", typed(lhs, type), typed(rhs, type)), type};
}

Value Expressions::binary(const BinaryNode& b) {
    const Value lhs = value(b.lhs), rhs = value(b.rhs);
    if (lhs.type.lanes != 1 || rhs.type.lanes != 1) {
        return refuse(b.span, "CG_CUDA_VECTOR", "arithmetic on whole vectors has no CUDA form here", "compute element by element; PTX instructions take vectors apart");
    }
    // A number takes the type of what it meets.
    CType type = is_literal(b.lhs) && !is_literal(b.rhs) ? rhs.type : lhs.type;
    if (!lhs.type.pointer && !rhs.type.pointer && !is_literal(b.lhs) && !is_literal(b.rhs)) {
        if (is_floating(rhs.type.dtype) && !is_floating(lhs.type.dtype)) type = rhs.type;
        if (is_integer(rhs.type.dtype) && is_integer(lhs.type.dtype) && bits(rhs.type.dtype) > bits(lhs.type.dtype)) type = rhs.type;
    }
    if (is_compare(b.op)) {
        // A comparison of signed with unsigned values is one of unsigned ones in C++; say so.
        const bool mixed = is_unsigned(lhs.type.dtype) != is_unsigned(rhs.type.dtype) && !lhs.type.pointer;
        return {fmt::format("{} {} {}", mixed ? typed(lhs, type) : wrapped(lhs), sign(b.op), mixed ? typed(rhs, type) : wrapped(rhs)), value_of(DType::Bool), false};
    }
    if (is_logical(b.op)) return {fmt::format("{} {} {}", wrapped(lhs), sign(b.op), wrapped(rhs)), value_of(DType::Bool), false};
    switch (b.op) {
    case BinaryOp::Min:
    case BinaryOp::Max: {
        const bool half = type.dtype == DType::Fp16 || type.dtype == DType::Bf16;
        const std::string_view name = b.op == BinaryOp::Min ? (half ? "__hmin" : "min") : (half ? "__hmax" : "max");
        return {fmt::format("{}({}, {})", name, typed(lhs, type), typed(rhs, type)), type};
    }
    case BinaryOp::FloorDiv:
    case BinaryOp::Div:
    case BinaryOp::Mod: return division(b, lhs, rhs, type);
    case BinaryOp::Pow: return {fmt::format("{}({}, {})", math_function("pow", type.dtype), typed(lhs, type), typed(rhs, type)), type};
    case BinaryOp::Shl:
    case BinaryOp::Shr: return {fmt::format("{} {} {}", wrapped(lhs), sign(b.op), wrapped(rhs)), lhs.type, false};
    default: break;
    }
    using Chain = Value::Chain;
    const bool adds = b.op == BinaryOp::Add || b.op == BinaryOp::Sub;
    const bool goes_on = (adds && lhs.chain != Chain::None) || (b.op == BinaryOp::Mul && lhs.chain == Chain::Product);
    Value sum{fmt::format("{} {} {}", goes_on ? lhs.text : wrapped(lhs), sign(b.op), adds && rhs.chain == Chain::Product ? rhs.text : wrapped(rhs)), type, false,
              adds                      ? Chain::Sum
              : b.op == BinaryOp::Mul ? Chain::Product
                                        : Chain::None};
    // C++ widens what is narrower than int.
    if (is_integer(type.dtype) && bits(type.dtype) < 32) return {fmt::format("({})({})", spelling(type), sum.text), type};
    return sum;
}

Value Expressions::unary(const UnaryNode& u) {
    const Value operand = value(u.operand);
    switch (u.op) {
    case UnaryOp::Neg: return {"-" + wrapped(operand), operand.type, false};
    case UnaryOp::Not: return {"!" + wrapped(operand), value_of(DType::Bool), false};
    case UnaryOp::BitNot: return {"~" + wrapped(operand), operand.type, false};
    case UnaryOp::Abs: break;
    }
    if (is_floating(operand.type.dtype)) return {fmt::format("{}({})", math_function("fabs", operand.type.dtype), operand.text), operand.type};
    return {fmt::format("abs({})", operand.text), operand.type};
}

Value Expressions::cast(const CastNode& c) {
    const Value from = value(c.value);
    const auto to = c.dtype_text.empty() ? std::optional(value_of(c.dtype)) : c_type_from_name(c.dtype_text);
    if (!to || spelling(*to).empty() || to->lanes != 1) {
        return refuse(c.span, "CG_CUDA_TYPE", fmt::format("a cast to {} has no CUDA form here", c.dtype_text.empty() ? info(c.dtype).tirx : std::string_view(c.dtype_text)), "cast element by element to a type of the table in export.md");
    }
    if (to->dtype == from.type.dtype && from.type.lanes == 1 && !from.type.pointer) return from;
    // Eight-bit floats convert to and from float alone without ambiguity.
    const bool narrow = !from.type.pointer && is_floating(from.type.dtype) && bits(from.type.dtype) <= 8;
    if (narrow && to->dtype != DType::Fp32) return {fmt::format("({})(float){}", spelling(*to), wrapped(from)), *to};
    return {fmt::format("({}){}", spelling(*to), wrapped(from)), *to};
}

Value Expressions::select(const Expr& condition, const Expr& on_true, const Expr& on_false) {
    const Value c = value(condition), yes = value(on_true), no = value(on_false);
    const CType type = is_literal(on_true) ? no.type : yes.type;
    return {fmt::format("{} ? {} : {}", wrapped(c), typed({wrapped(yes), yes.type}, type), typed({wrapped(no), no.type}, type)), type, false};
}

Value Expressions::vector_access(const SubscriptNode& s, const Place& place) {
    const auto* ramp = as<SliceNode>(s.indices[0]);
    const auto step = ramp->step == nullptr ? std::optional<std::int64_t>(1) : ir::constant(ramp->step);
    std::optional<std::int64_t> lanes;
    if (const auto* end = as<BinaryNode>(ramp->end); end != nullptr && end->op == BinaryOp::Add && end->lhs == ramp->begin) lanes = ir::constant(end->rhs);
    if (const auto begin = ir::constant(ramp->begin), end = ir::constant(ramp->end); begin && end) lanes = *end - *begin;
    const CType vector{place.type.dtype, static_cast<int>(lanes.value_or(0)), false, false};
    if (step != 1 || !lanes || *lanes < 2 || *lanes > 4 || spelling(vector).empty()) {
        return refuse(s.span, "CG_CUDA_VECTOR", "an access of this width or step is no vector type of CUDA", "load 2 or 4 neighbouring elements of 32 bits, or use a PTX load");
    }
    return {fmt::format("*({}*)(&{}[{}])", spelling(vector), place.text, value(ramp->begin).text), vector, false};
}

Value Expressions::element(const SubscriptNode& s) {
    const auto* v = as<VarNode>(s.base);
    const Place* place = v != nullptr ? find(v) : nullptr;
    if (place == nullptr) {
        const std::string name = v != nullptr ? v->name : "what is indexed";
        return refuse(s.span, "CG_CUDA_UNDEFINED", fmt::format("{} is used here and defined nowhere", name), "define the buffer with T.alloc_buffer or T.decl_buffer before its use");
    }
    if (place->kind == Place::Kind::Tensor) {
        return refuse(s.span, "CG_CUDA_TMEM", fmt::format("{} lies in tensor memory, which loads and stores do not reach", v->name), "TilePrimitiveDispatch makes tcgen05.ld and tcgen05.st of copy_async; copy to registers first");
    }
    if (place->kind != Place::Kind::Buffer) return refuse(s.span, "CG_CUDA_TYPE", fmt::format("{} is no buffer", v->name), "index buffers alone");
    if (s.indices.size() != 1) {
        return refuse(s.span, "CG_CUDA_NOT_LOWERED", fmt::format("{} is accessed with {} indices", v->name, s.indices.size()), "FlattenBuffer makes one index of them: run the passes, or export a snapshot from FlattenBuffer on");
    }
    if (s.indices[0]->kind == NodeKind::Slice) return vector_access(s, *place);
    if (is_sub_byte(place->type.dtype)) {
        return refuse(s.span, "CG_CUDA_TYPE", fmt::format("{} holds elements narrower than a byte, which cannot be read or written one by one", v->name), "move them by bytes, or through PTX copies");
    }
    return {fmt::format("{}[{}]", place->text, value(s.indices[0]).text), place->type};
}

Value Expressions::value(const Expr& e) {
    switch (e->kind) {
    case NodeKind::ConstInt: return constant(*as<ConstIntNode>(e));
    case NodeKind::ConstFloat: return floating(*as<ConstFloatNode>(e));
    case NodeKind::ConstBool: return {as<ConstBoolNode>(e)->value ? "true" : "false", value_of(DType::Bool)};
    case NodeKind::Var: {
        const auto* v = as<VarNode>(e);
        const Place* place = find(v);
        if (place == nullptr) {
            return refuse(e->span, "CG_CUDA_UNDEFINED", fmt::format("{} is used here and defined nowhere", v->name), "define it before its use, or make it a parameter");
        }
        if (place->kind == Place::Kind::Buffer) return {place->text, pointer_to(place->type)};
        return {place->text, place->kind == Place::Kind::TensorMap ? kVoidPointer : place->type};
    }
    case NodeKind::Unary: return unary(*as<UnaryNode>(e));
    case NodeKind::Binary: return binary(*as<BinaryNode>(e));
    case NodeKind::Cast: return cast(*as<CastNode>(e));
    case NodeKind::Select: {
        const auto* s = as<SelectNode>(e);
        return select(s->condition, s->on_true, s->on_false);
    }
    case NodeKind::Subscript: return element(*as<SubscriptNode>(e));
    case NodeKind::Member: {
        const auto* m = as<MemberNode>(e);
        if (m->member == "data") return value(m->base);
        break;
    }
    case NodeKind::Call: return call(*as<CallNode>(e));
    default: break;
    }
    return refuse(e->span, "CG_CUDA_CALL", "an expression of this kind has no CUDA form", "write it with numbers, variables, loads, operators and known calls");
}

} // namespace ls::codegen::cuda
