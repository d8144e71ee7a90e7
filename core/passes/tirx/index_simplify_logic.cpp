// Conditions, selects, calls, and everything that is not a sum.
#include <numeric>

#include "core/dialect/tirx/fold.h"
#include "core/ir/substitute.h"
#include "core/passes/tirx/index_simplify.h"
#include "core/passes/tirx/same_value.h"
#include "core/support/checked.h"

namespace ls::tirx {

using namespace ir;

namespace {

std::optional<bool> truth(const Expr& e) {
    const auto* i = as<ConstIntNode>(e);
    return i != nullptr && i->dtype == DType::Bool ? std::optional(i->value != 0) : std::nullopt;
}

Expr boolean(bool value) { return const_int(value ? 1 : 0, DType::Bool); }

bool all_index(const Expr& a, const Expr& b) { return is_index_dtype(expr_dtype(a)) && is_index_dtype(expr_dtype(b)); }

} // namespace

std::optional<bool> IndexSimplifier::decided(const Expr& condition) { return truth(simplify(condition)); }

// --- what is known by conditions

IndexSimplifier::Assume::Assume(IndexSimplifier& simplifier, const Expr& condition, bool holds)
    : simplifier_(simplifier), before_(simplifier.facts_.size()) {
    simplifier_.learn(simplifier_.simplify(condition), holds);
}

void IndexSimplifier::learn_bound(const Expr& expr, ValueRange known) {
    if (constant(expr) || !is_pure(expr)) return; // what memory holds may change before the next read
    // x + c within [lo, hi] says x within [lo - c, hi - c].
    const auto* b = as<BinaryNode>(expr);
    const auto offset = b != nullptr ? constant(b->rhs) : std::nullopt;
    if (offset && (b->op == BinaryOp::Add || b->op == BinaryOp::Sub) && *offset != ValueRange::kOpenLow) {
        learn_bound(b->lhs, add(known, point(b->op == BinaryOp::Add ? -*offset : *offset)));
    }
    facts_.push_back({expr, known});
}

void IndexSimplifier::learn(const Expr& condition, bool holds) {
    if (const auto* u = as<UnaryNode>(condition); u != nullptr && u->op == UnaryOp::Not) {
        return learn(u->operand, !holds);
    }
    const auto* b = as<BinaryNode>(condition);
    if (b == nullptr) return;
    if ((b->op == BinaryOp::And && holds) || (b->op == BinaryOp::Or && !holds)) {
        learn(b->lhs, holds);
        learn(b->rhs, holds);
        return;
    }
    if (!is_compare(b->op) || !all_index(b->lhs, b->rhs)) return;
    const ValueRange l = range(b->lhs), r = range(b->rhs);
    const auto below = [&](const Expr& small, ValueRange s, const Expr& large, ValueRange g, std::int64_t gap) {
        if (g.hi != ValueRange::kOpenHigh) learn_bound(small, add({ValueRange::kOpenLow, g.hi}, point(-gap)));
        if (s.lo != ValueRange::kOpenLow) learn_bound(large, add({s.lo, ValueRange::kOpenHigh}, point(gap)));
    };
    const BinaryOp op = b->op;
    if ((op == BinaryOp::Eq && holds) || (op == BinaryOp::Ne && !holds)) {
        learn_bound(b->lhs, r);
        learn_bound(b->rhs, l);
    } else if ((op == BinaryOp::Lt && holds) || (op == BinaryOp::Ge && !holds)) {
        below(b->lhs, l, b->rhs, r, 1);
    } else if ((op == BinaryOp::Le && holds) || (op == BinaryOp::Gt && !holds)) {
        below(b->lhs, l, b->rhs, r, 0);
    } else if ((op == BinaryOp::Gt && holds) || (op == BinaryOp::Le && !holds)) {
        below(b->rhs, r, b->lhs, l, 1);
    } else if ((op == BinaryOp::Ge && holds) || (op == BinaryOp::Lt && !holds)) {
        below(b->rhs, r, b->lhs, l, 0);
    }
}

// --- conditions

Expr IndexSimplifier::less(const Expr& lhs, const Expr& rhs) {
    if (!all_index(lhs, rhs)) return make_binary(BinaryOp::Lt, lhs, rhs);
    const MaybeSum l = sum_of_simple(lhs), r = sum_of_simple(rhs);
    if (!l || !r) return make_binary(BinaryOp::Lt, lhs, rhs);
    IndexSum difference = *l;
    if (difference.add(*r, -1)) {
        const ValueRange d = range(difference);
        if (d.hi < 0) return boolean(true);
        if (d.lo >= 0) return boolean(false);
    }
    // One side a number: it takes the other's constant, and the common factor of the terms goes.
    const bool number_right = r->is_constant();
    if (number_right == l->is_constant()) return make_binary(BinaryOp::Lt, written(*l), written(*r));
    IndexSum terms = number_right ? *l : *r;
    const auto bound = checked_sub((number_right ? *r : *l).base, terms.base);
    std::int64_t factor = 0;
    for (const SplitTerm& t : terms.terms) factor = std::gcd(factor, t.scale);
    if (!bound || factor <= 0) return make_binary(BinaryOp::Lt, written(*l), written(*r));
    terms.base = 0;
    for (SplitTerm& t : terms.terms) t.scale /= factor;
    // t·f < b is t < ceil(b / f); b < t·f is floor(b / f) < t.
    const std::int64_t limit = number_right ? -ls::floor_div(-*bound, factor) : ls::floor_div(*bound, factor);
    const Expr number = const_int(limit, terms.dtype);
    return number_right ? make_binary(BinaryOp::Lt, written(terms), number)
                        : make_binary(BinaryOp::Lt, number, written(terms));
}

Expr IndexSimplifier::negated(const Expr& condition) {
    if (const auto value = truth(condition)) return boolean(!*value);
    if (const auto* u = as<UnaryNode>(condition); u != nullptr && u->op == UnaryOp::Not) return u->operand;
    if (const auto* b = as<BinaryNode>(condition); b != nullptr && all_index(b->lhs, b->rhs)) {
        switch (b->op) {
        case BinaryOp::Lt: return make_binary(BinaryOp::Le, b->rhs, b->lhs);
        case BinaryOp::Le: return make_binary(BinaryOp::Lt, b->rhs, b->lhs);
        case BinaryOp::Eq: return make_binary(BinaryOp::Ne, b->lhs, b->rhs);
        case BinaryOp::Ne: return make_binary(BinaryOp::Eq, b->lhs, b->rhs);
        default: break;
        }
    }
    return unary(UnaryOp::Not, condition);
}

Expr IndexSimplifier::comparison(BinaryOp op, const Expr& lhs, const Expr& rhs) {
    switch (op) {
    case BinaryOp::Lt: return less(lhs, rhs);
    case BinaryOp::Gt: return less(rhs, lhs);
    case BinaryOp::Le: return all_index(lhs, rhs) ? negated(less(rhs, lhs)) : make_binary(op, lhs, rhs);
    case BinaryOp::Ge: return all_index(lhs, rhs) ? negated(less(lhs, rhs)) : make_binary(BinaryOp::Le, rhs, lhs);
    default: break;
    }
    if (!all_index(lhs, rhs)) return make_binary(op, lhs, rhs);
    const bool equal = op == BinaryOp::Eq;
    MaybeSum difference = sum_of_simple(lhs);
    const MaybeSum right = sum_of_simple(rhs);
    if (!difference || !right || !difference->add(*right, -1)) return make_binary(op, lhs, rhs);
    const ValueRange d = range(*difference);
    if (d == point(0)) return boolean(equal);
    if (d.lo > 0 || d.hi < 0) return boolean(!equal);
    if (!equal && d.lo == 0) return less(rhs, lhs);
    if (!equal && d.hi == 0) return less(lhs, rhs);
    if (constant(lhs)) return make_binary(op, rhs, lhs);
    // x + c1 == c2 is x == c2 - c1.
    if (right->is_constant()) {
        MaybeSum left = sum_of_simple(lhs);
        const auto bound = left ? checked_sub(right->base, left->base) : CheckedInt{};
        if (bound && left->base != 0) {
            left->base = 0;
            return make_binary(op, written(*left), const_int(*bound, left->dtype));
        }
    }
    return make_binary(op, lhs, rhs);
}

Expr IndexSimplifier::min_max(BinaryOp op, const Expr& lhs, const Expr& rhs) {
    if (all_index(lhs, rhs)) {
        const auto* a = as<ConstIntNode>(lhs);
        const auto* b = as<ConstIntNode>(rhs);
        if (a != nullptr && b != nullptr) return (a->value < b->value) == (op == BinaryOp::Min) ? lhs : rhs;
        MaybeSum difference = sum_of_simple(lhs);
        const MaybeSum right = sum_of_simple(rhs);
        if (difference && right && difference->add(*right, -1)) {
            const ValueRange d = range(*difference);
            if (d.hi <= 0) return op == BinaryOp::Min ? lhs : rhs;
            if (d.lo >= 0) return op == BinaryOp::Min ? rhs : lhs;
        }
    }
    return make_binary(op, lhs, rhs);
}

Expr IndexSimplifier::binary(const BinaryNode& b, const Expr& expr) {
    const Expr lhs = once(b.lhs), rhs = once(b.rhs);
    if (is_compare(b.op)) return comparison(b.op, lhs, rhs);
    if (b.op == BinaryOp::Min || b.op == BinaryOp::Max) return min_max(b.op, lhs, rhs);
    if (const auto* l = as<ConstIntNode>(lhs), *r = as<ConstIntNode>(rhs); l != nullptr && r != nullptr) {
        const bool shift = r->value >= 0 && r->value < 31;
        switch (b.op) {
        case BinaryOp::BitAnd: return const_int(l->value & r->value, l->dtype);
        case BinaryOp::BitOr: return const_int(l->value | r->value, l->dtype);
        case BinaryOp::BitXor: return const_int(l->value ^ r->value, l->dtype);
        case BinaryOp::Shr:
            if (shift && is_index_dtype(l->dtype)) return const_int(l->value >> r->value, l->dtype);
            break;
        case BinaryOp::Shl:
            if (const auto value = checked_mul(l->value, std::int64_t{1} << (shift ? r->value : 0));
                shift && value && is_index_dtype(l->dtype) && point(*value).within(INT32_MIN, INT32_MAX)) {
                return const_int(*value, l->dtype);
            }
            break;
        default: break;
        }
    }
    if (Expr value = folded(b.op, lhs, rhs, expr->span)) return value;
    return lhs == b.lhs && rhs == b.rhs ? expr : ir::binary(b.op, lhs, rhs, expr->span);
}

// --- the rest

Expr IndexSimplifier::once(const Expr& expr) {
    const auto* b = as<BinaryNode>(expr);
    const bool arithmetic =
        b != nullptr && (b->op == BinaryOp::Add || b->op == BinaryOp::Sub || b->op == BinaryOp::Mul ||
                         b->op == BinaryOp::FloorDiv || b->op == BinaryOp::Mod);
    if ((arithmetic || expr->kind == NodeKind::Cast) && is_index_dtype(expr_dtype(expr))) {
        const MaybeSum made = sum(expr);
        return made ? written(*made) : expr;
    }
    return by_parts(expr);
}

Expr IndexSimplifier::by_parts(const Expr& expr) {
    switch (expr->kind) {
    case NodeKind::Var: {
        const auto found = values_.find(as<VarNode>(expr));
        return found == values_.end() ? expr : found->second;
    }
    case NodeKind::Unary: {
        const auto* u = as<UnaryNode>(expr);
        const Expr operand = once(u->operand);
        if (u->op == UnaryOp::Not) {
            const Expr value = negated(operand);
            return same_value(value, expr) ? expr : value;
        }
        return operand == u->operand ? expr : unary(u->op, operand, expr->span);
    }
    case NodeKind::Binary: return binary(*as<BinaryNode>(expr), expr);
    case NodeKind::Cast: {
        const auto* c = as<CastNode>(expr);
        const Expr value = once(c->value);
        if (const auto* i = as<ConstIntNode>(value); i != nullptr && c->dtype_text.empty()) {
            const bool fits = point(i->value).within(0, INT32_MAX) && bits(c->dtype) >= 32;
            const std::string_view name = info(c->dtype).tirx;
            if (fits && (name.starts_with("int") || name.starts_with("uint"))) {
                return const_int(i->value, c->dtype, expr->span);
            }
        }
        if (value == c->value) return expr;
        auto made = derive(ref_as<CastNode>(expr));
        made->value = value;
        return seal(std::move(made));
    }
    case NodeKind::Select: {
        const auto* s = as<SelectNode>(expr);
        const Expr condition = once(s->condition);
        if (const auto value = truth(condition)) return once(*value ? s->on_true : s->on_false);
        const Expr yes = once(s->on_true), no = once(s->on_false);
        const bool same = condition == s->condition && yes == s->on_true && no == s->on_false;
        return same ? expr : select(condition, yes, no, expr->span);
    }
    case NodeKind::Call: return call(ref_as<CallNode>(expr));
    case NodeKind::Subscript: {
        const auto* s = as<SubscriptNode>(expr);
        auto made = derive(ref_as<SubscriptNode>(expr));
        bool changed = false;
        for (Expr& index : made->indices) {
            if (index->kind == NodeKind::Slice) continue;
            const Expr now = simplify(index);
            changed = changed || now != index;
            index = now;
        }
        return changed && s != nullptr ? Expr(seal(std::move(made))) : expr;
    }
    case NodeKind::Tuple: {
        auto made = derive(ref_as<TupleNode>(expr));
        bool changed = false;
        for (Expr& element : made->elements) {
            const Expr now = once(element);
            changed = changed || now != element;
            element = now;
        }
        return changed ? Expr(seal(std::move(made))) : expr;
    }
    default: return expr;
    }
}

Expr IndexSimplifier::call(const Call& call) {
    if (call->is_op("Let") && call->args.size() == 2) return let(call);
    if (call->is_op("if_then_else") && call->args.size() == 3) {
        const Expr condition = simplify(call->args[0]);
        if (const auto value = truth(condition)) return simplify(call->args[*value ? 1 : 2]);
    }
    auto made = derive(call);
    bool changed = false;
    for (Expr& arg : made->args) {
        const Expr now = simplify(arg);
        changed = changed || now != arg;
        arg = now;
    }
    return changed ? Expr(seal(std::move(made))) : Expr(call);
}

/// A variable that is a number or another variable is put where it is used; others stay, so that a long value is
/// computed once.
Expr IndexSimplifier::let(const Call& call) {
    const auto* body = as<LambdaNode>(call->args[1]);
    if (body == nullptr || body->params.size() != 1) return call;
    const Expr value = simplify(call->args[0]);
    const VarNode& var = *body->params[0];
    if (constant(value) || value->kind == NodeKind::Var) {
        return once(substitute(body->body, {{&var, value}}));
    }
    ranges_[&var] = range(value);
    const Expr inner = simplify(body->body);
    if (value == call->args[0] && inner == body->body) return call;
    auto made = derive(call);
    made->args = {value, lambda(body->params, inner, body->span)};
    return seal(std::move(made));
}

} // namespace ls::tirx
