#include "core/dialect/tirx/fold.h"

#include "core/support/checked.h"

namespace ls::tirx {

using namespace ir;

namespace {

std::optional<bool> bool_value(const Expr& e) {
    if (const auto* b = as<ConstBoolNode>(e)) return b->value;
    if (const auto* i = as<ConstIntNode>(e); i != nullptr && i->dtype == DType::Bool) return i->value != 0;
    return {};
}

Expr make_bool(bool value, Span span) { return const_int(value ? 1 : 0, DType::Bool, span); }

Expr fold_ints(BinaryOp op, const ConstIntNode& a, const ConstIntNode& b, Span span) {
    const auto number = [&](std::optional<std::int64_t> value) -> Expr {
        return value ? const_int(*value, a.dtype, span) : nullptr;
    };
    switch (op) {
    case BinaryOp::Add: return number(checked_add(a.value, b.value));
    case BinaryOp::Sub: return number(checked_sub(a.value, b.value));
    case BinaryOp::Mul: return number(checked_mul(a.value, b.value));
    case BinaryOp::FloorDiv: return b.value > 0 ? number(floor_div(a.value, b.value)) : nullptr;
    case BinaryOp::Mod: return b.value > 0 ? number(floor_mod(a.value, b.value)) : nullptr;
    case BinaryOp::Lt: return make_bool(a.value < b.value, span);
    case BinaryOp::Le: return make_bool(a.value <= b.value, span);
    case BinaryOp::Gt: return make_bool(a.value > b.value, span);
    case BinaryOp::Ge: return make_bool(a.value >= b.value, span);
    case BinaryOp::Eq: return make_bool(a.value == b.value, span);
    case BinaryOp::Ne: return make_bool(a.value != b.value, span);
    default: return nullptr;
    }
}

Expr fold_floats(BinaryOp op, const ConstFloatNode& a, const ConstFloatNode& b, Span span) {
    switch (op) {
    case BinaryOp::Add: return const_float(a.value + b.value, a.dtype, {}, span);
    case BinaryOp::Sub: return const_float(a.value - b.value, a.dtype, {}, span);
    case BinaryOp::Mul: return const_float(a.value * b.value, a.dtype, {}, span);
    case BinaryOp::Div: return b.value != 0 ? const_float(a.value / b.value, a.dtype, {}, span) : nullptr;
    case BinaryOp::Lt: return make_bool(a.value < b.value, span);
    case BinaryOp::Le: return make_bool(a.value <= b.value, span);
    case BinaryOp::Gt: return make_bool(a.value > b.value, span);
    case BinaryOp::Ge: return make_bool(a.value >= b.value, span);
    case BinaryOp::Eq: return make_bool(a.value == b.value, span);
    case BinaryOp::Ne: return make_bool(a.value != b.value, span);
    default: return nullptr;
    }
}

bool is_number(const Expr& e, std::int64_t value) {
    if (const auto* i = as<ConstIntNode>(e)) return i->dtype != DType::Bool && i->value == value;
    if (const auto* f = as<ConstFloatNode>(e)) return f->value == static_cast<double>(value);
    return false;
}

/// x + 0, 1 * x and their like: the operand that is left.
Expr fold_neutral(BinaryOp op, const Expr& a, const Expr& b) {
    switch (op) {
    case BinaryOp::Add:
        if (is_number(a, 0)) return b;
        return is_number(b, 0) ? a : nullptr;
    case BinaryOp::Sub: return is_number(b, 0) ? a : nullptr;
    case BinaryOp::Mul:
        if (is_number(a, 1)) return b;
        if (is_number(b, 1) || is_number(a, 0)) return a;
        return is_number(b, 0) ? b : nullptr;
    case BinaryOp::Div:
    case BinaryOp::FloorDiv:
        if (is_number(a, 0)) return a;
        return is_number(b, 1) ? a : nullptr;
    case BinaryOp::Mod:
        if (is_number(a, 0)) return a;
        if (const auto* one = as<ConstIntNode>(b); one != nullptr && one->value == 1) {
            return const_int(0, one->dtype, b->span);
        }
        return nullptr;
    default: return nullptr;
    }
}

/// `and`, `or` with a constant side.
Expr fold_logical(BinaryOp op, const Expr& a, const Expr& b) {
    const bool absorbing = op == BinaryOp::Or;
    if (const auto value = bool_value(a)) return *value == absorbing ? a : b;
    if (const auto value = bool_value(b)) return *value == absorbing ? b : a;
    return nullptr;
}

} // namespace

Expr folded(BinaryOp op, const Expr& lhs, const Expr& rhs, Span span) {
    if (op == BinaryOp::And || op == BinaryOp::Or) return fold_logical(op, lhs, rhs);
    const auto *a = as<ConstIntNode>(lhs), *b = as<ConstIntNode>(rhs);
    if (a != nullptr && b != nullptr && a->dtype == b->dtype && a->dtype != DType::Bool) {
        if (Expr value = fold_ints(op, *a, *b, span)) return value;
    }
    const auto *f = as<ConstFloatNode>(lhs), *g = as<ConstFloatNode>(rhs);
    if (f != nullptr && g != nullptr && f->dtype == g->dtype) {
        if (Expr value = fold_floats(op, *f, *g, span)) return value;
    }
    return fold_neutral(op, lhs, rhs);
}

Expr make_binary(BinaryOp op, const Expr& lhs, const Expr& rhs, Span span) {
    if (Expr value = folded(op, lhs, rhs, span)) return value;
    return binary(op, lhs, rhs, span);
}

Expr as_dtype(const Expr& literal, std::optional<DType> dtype) {
    if (!dtype || *dtype == DType::Bool) return literal;
    const std::string_view name = info(*dtype).tirx;
    const bool floating = name.starts_with("float") || name.starts_with("bfloat") || *dtype == DType::Tf32;
    if (const auto* i = as<ConstIntNode>(literal); i != nullptr && i->dtype == DType::Int32 && *dtype != DType::Int32) {
        if (floating) return const_float(static_cast<double>(i->value), dtype, {}, literal->span);
        const bool holds = bits(*dtype) >= 32 && (i->value >= 0 || !name.starts_with("uint"));
        return holds ? const_int(i->value, *dtype, literal->span) : literal;
    }
    if (const auto* f = as<ConstFloatNode>(literal); f != nullptr && !f->dtype && floating) {
        return const_float(f->value, dtype, {}, literal->span);
    }
    return literal;
}

std::optional<DType> expr_dtype(const Expr& expr) {
    if (expr == nullptr) return {};
    switch (expr->kind) {
    case NodeKind::ConstInt: return as<ConstIntNode>(expr)->dtype;
    case NodeKind::ConstFloat: return as<ConstFloatNode>(expr)->dtype.value_or(DType::Fp32);
    case NodeKind::ConstBool: return DType::Bool;
    case NodeKind::Var: {
        const auto* type = as<ScalarTypeNode>(as<VarNode>(expr)->type);
        return type != nullptr ? std::optional(type->dtype) : std::nullopt;
    }
    case NodeKind::Cast: {
        const auto* c = as<CastNode>(expr);
        return c->dtype_text.empty() ? std::optional(c->dtype) : std::nullopt;
    }
    case NodeKind::Select: return expr_dtype(as<SelectNode>(expr)->on_true);
    case NodeKind::Unary: {
        const auto* u = as<UnaryNode>(expr);
        return u->op == UnaryOp::Not ? std::optional(DType::Bool) : expr_dtype(u->operand);
    }
    case NodeKind::Binary: {
        const auto* b = as<BinaryNode>(expr);
        if (is_compare(b->op) || is_logical(b->op)) return DType::Bool;
        // Shared subtrees of one type: the left side says it, unless it is a number that takes the other's type.
        const auto left = expr_dtype(b->lhs);
        const bool number = as<ConstIntNode>(b->lhs) != nullptr || !left;
        return number ? expr_dtype(b->rhs) : left;
    }
    case NodeKind::Subscript: {
        const auto* s = as<SubscriptNode>(expr);
        const auto* v = as<VarNode>(s->base);
        const auto* type = v != nullptr ? as<BufferTypeNode>(v->type) : nullptr;
        if (type == nullptr || !type->dtype_text.empty()) return {};
        for (const Expr& i : s->indices) {
            if (i->kind == NodeKind::Slice) return {};
        }
        return type->dtype;
    }
    case NodeKind::Call: {
        const auto* c = as<CallNode>(expr);
        if (c->callee != CalleeKind::Op) return {};
        if ((c->op == "reinterpret" || c->op == "if_then_else") && c->args.size() > 1) {
            if (c->op == "if_then_else") return expr_dtype(c->args[1]);
            const auto* name = as<StringNode>(c->args[0]);
            return name != nullptr ? dtype_from_name(name->value) : std::nullopt;
        }
        if (c->op == "tvm_warp_shuffle" && c->args.size() > 1) return expr_dtype(c->args[1]);
        return {};
    }
    default: return {};
    }
}

} // namespace ls::tirx
