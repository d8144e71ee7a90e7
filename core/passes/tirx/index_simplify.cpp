// Sums, quotients and remainders; ranges. Conditions and calls are in index_simplify_logic.cpp.
#include "core/passes/tirx/index_simplify.h"

#include "core/dialect/tirx/fold.h"
#include "core/ir/walk.h"
#include "core/passes/tirx/same_value.h"
#include "core/support/checked.h"

namespace ls::tirx {

using namespace ir;

bool is_index_dtype(std::optional<DType> dtype) { return dtype == DType::Int32 || dtype == DType::Int64; }

bool is_pure(const Expr& expr) {
    bool pure = true;
    walk(*expr, [&](const Node& node) {
        const auto* c = as<CallNode>(&node);
        const bool plain_call = c != nullptr && (c->is_op("Div") || c->is_op("truncmod") || c->is_op("if_then_else") ||
                                                 c->is_op("reinterpret") || c->is_op("Shuffle") || c->is_op("Let"));
        if (node.kind == NodeKind::Subscript || (c != nullptr && !plain_call)) pure = false;
        return pure;
    });
    return pure;
}

void IndexSimplifier::set_loop(const VarNode& var, const Expr& start, const Expr& extent) {
    const ValueRange first = range(start), count = range(extent);
    if (is_constant(extent, 1)) {
        set_value(var, start);
        return;
    }
    const ValueRange last = add(add(first, count), point(-1));
    ranges_[&var] = {first.lo, last.hi};
}

void IndexSimplifier::set_value(const VarNode& var, Expr value) { values_[&var] = std::move(value); }

Expr IndexSimplifier::simplify(const Expr& expr) {
    if (expr == nullptr) return expr;
    Expr out = once(expr);
    if (out != expr) out = once(out);
    return same_value(out, expr) ? expr : out;
}

IndexSum IndexSimplifier::opaque(Expr expr, DType dtype) {
    IndexSum s;
    s.dtype = dtype;
    if (const auto value = constant(expr)) {
        s.base = *value;
    } else {
        s.terms.push_back({std::move(expr)});
    }
    return s;
}

IndexSimplifier::MaybeSum IndexSimplifier::sum_of_simple(const Expr& expr) {
    const bool before = std::exchange(leaves_are_simple_, true);
    MaybeSum made = sum(expr);
    leaves_are_simple_ = before;
    return made;
}

IndexSimplifier::MaybeSum IndexSimplifier::sum(const Expr& expr) {
    const auto dtype = expr_dtype(expr);
    const auto leaf = [&] { return leaves_are_simple_ ? expr : by_parts(expr); };
    if (!is_index_dtype(dtype)) return opaque(leaf(), dtype.value_or(DType::Int32));
    switch (expr->kind) {
    case NodeKind::Var:
        if (leaves_are_simple_) return opaque(expr, *dtype);
        if (const auto found = values_.find(as<VarNode>(expr)); found != values_.end()) {
            return is_index_dtype(expr_dtype(found->second)) ? sum(found->second) : opaque(found->second, *dtype);
        }
        return opaque(expr, *dtype);
    case NodeKind::Cast: return widened(*as<CastNode>(expr));
    case NodeKind::Binary: {
        const auto& b = *as<BinaryNode>(expr);
        switch (b.op) {
        case BinaryOp::Add:
        case BinaryOp::Sub:
        case BinaryOp::Mul:
        case BinaryOp::FloorDiv:
        case BinaryOp::Mod: {
            if (MaybeSum made = arithmetic(b)) {
                made->dtype = *dtype;
                return made;
            }
            return opaque(expr, *dtype);
        }
        default: break;
        }
        break;
    }
    default: break;
    }
    return opaque(leaf(), *dtype);
}

IndexSimplifier::MaybeSum IndexSimplifier::arithmetic(const BinaryNode& b) {
    MaybeSum lhs = sum(b.lhs), rhs = sum(b.rhs);
    if (!lhs || !rhs) return {};
    switch (b.op) {
    case BinaryOp::Add: return lhs->add(*rhs, 1) ? lhs : MaybeSum{};
    case BinaryOp::Sub: return lhs->add(*rhs, -1) ? lhs : MaybeSum{};
    case BinaryOp::Mul:
        if (lhs->is_constant()) std::swap(lhs, rhs);
        if (rhs->is_constant()) return lhs->multiply(rhs->base) ? lhs : MaybeSum{};
        return opaque(make_binary(BinaryOp::Mul, written(*lhs), written(*rhs)), lhs->dtype);
    default: break;
    }
    if (rhs->is_constant() && rhs->base > 0) {
        return b.op == BinaryOp::FloorDiv ? quotient(std::move(*lhs), rhs->base)
                                          : remainder(std::move(*lhs), rhs->base);
    }
    return opaque(make_binary(b.op, written(*lhs), written(*rhs)), lhs->dtype);
}

/// A cast to a wider type goes into the sum, whose terms cannot overflow there.
IndexSimplifier::MaybeSum IndexSimplifier::widened(const CastNode& c) {
    const auto from = expr_dtype(c.value);
    if (!is_index_dtype(from) || bits(*from) > bits(c.dtype)) {
        const Expr value = leaves_are_simple_ ? c.value : once(c.value);
        if (const auto number = constant(value); number && range(value).within(INT32_MIN, INT32_MAX)) {
            return opaque(const_int(*number, c.dtype), c.dtype);
        }
        return opaque(value == c.value ? Expr(cast(c.value, c.dtype, c.span)) : cast(value, c.dtype, c.span), c.dtype);
    }
    MaybeSum inner = sum(c.value);
    if (!inner || *from == c.dtype) return inner;
    for (SplitTerm& t : inner->terms) t.index = cast(t.index, c.dtype);
    inner->dtype = c.dtype;
    return inner;
}

std::optional<SplitTerm> IndexSimplifier::as_term(const IndexSum& s) const {
    if (s.base == 0 && s.terms.size() == 1) return s.terms[0];
    return SplitTerm{written(s)};
}

/// (divisible + rest) // d = divisible / d + rest // d, and rest // d is 0 where 0 <= rest < d.
IndexSimplifier::MaybeSum IndexSimplifier::quotient(IndexSum dividend, std::int64_t divisor) {
    if (divisor == 1) return dividend;
    Parted parts = parted(dividend, divisor);
    IndexSum& out = parts.divisible;
    out.base /= divisor;
    for (SplitTerm& t : out.terms) t.scale /= divisor;
    if (parts.rest.is_constant()) {
        const auto total = checked_add(out.base, ls::floor_div(parts.rest.base, divisor));
        if (!total) return {};
        out.base = *total;
        return out;
    }
    if (range(parts.rest).within(0, divisor - 1)) return out;
    const auto term = quotient(*as_term(parts.rest), divisor, dividend.dtype);
    if (!term) return {};
    if (is_constant(term->index, 0)) return out;
    return out.add(*term, 1) ? MaybeSum(out) : MaybeSum{};
}

std::optional<SplitTerm> IndexSimplifier::quotient(SplitTerm term, std::int64_t divisor, DType dtype) {
    if (term.scale % divisor == 0) {
        term.scale /= divisor;
        return term;
    }
    if (term.scale > 0 && divisor % term.scale == 0) {
        const auto lower = checked_mul(term.lower, divisor / term.scale);
        if (!lower) return {};
        if (term.upper != SplitTerm::kNoUpper && term.upper <= *lower) return SplitTerm{const_int(0, dtype)};
        if (term.upper != SplitTerm::kNoUpper && term.upper % *lower != 0) {
            term.index = make_binary(BinaryOp::Mod, term.index, const_int(term.upper, dtype));
            term.upper = SplitTerm::kNoUpper;
        }
        term.scale = 1;
        term.lower = *lower;
        return term;
    }
    return SplitTerm{written(term, dtype), divisor};
}

/// (divisible + rest) % d = rest % d, which is the rest where 0 <= rest < d.
IndexSimplifier::MaybeSum IndexSimplifier::remainder(IndexSum dividend, std::int64_t divisor) {
    IndexSum rest = parted(dividend, divisor).rest;
    if (rest.is_constant()) {
        rest.base = ls::floor_mod(rest.base, divisor);
        return rest;
    }
    if (range(rest).within(0, divisor - 1)) return rest;
    rest.base = ls::floor_mod(rest.base, divisor);
    const auto term = remainder(*as_term(rest), divisor, dividend.dtype);
    if (!term) return {};
    IndexSum out;
    out.dtype = dividend.dtype;
    return out.add(*term, 1) ? MaybeSum(out) : MaybeSum{};
}

std::optional<SplitTerm> IndexSimplifier::remainder(SplitTerm term, std::int64_t divisor, DType dtype) {
    if (term.scale % divisor == 0) {
        term.scale = 0;
        return term;
    }
    if (term.scale > 0 && divisor % term.scale == 0) {
        const auto upper = checked_mul(term.lower, divisor / term.scale);
        if (!upper) return {};
        if (term.upper == SplitTerm::kNoUpper || term.upper % *upper == 0) {
            term.upper = *upper;
            return term;
        }
        if (*upper % term.upper == 0) return term;
    }
    return SplitTerm{written(term, dtype), 1, divisor};
}

// --- ranges

ValueRange IndexSimplifier::range(const SplitTerm& term) const {
    ValueRange r = range(term.index);
    if (term.upper != SplitTerm::kNoUpper) r = floor_mod(r, term.upper);
    if (term.lower != 1) r = floor_div(r, term.lower);
    return scale(r, term.scale);
}

ValueRange IndexSimplifier::range(const IndexSum& s) const {
    ValueRange r = point(s.base);
    for (const SplitTerm& t : s.terms) r = add(r, range(t));
    return r;
}

ValueRange IndexSimplifier::range(const Expr& expr) const {
    const auto known = [&]() -> ValueRange {
        switch (expr->kind) {
        case NodeKind::ConstInt: return point(as<ConstIntNode>(expr)->value);
        case NodeKind::Var: {
            const auto* v = as<VarNode>(expr);
            if (const auto value = values_.find(v); value != values_.end()) return range(value->second);
            if (const auto found = ranges_.find(v); found != ranges_.end()) return found->second;
            break;
        }
        case NodeKind::Cast: {
            const auto* c = as<CastNode>(expr);
            const bool widens = is_index_dtype(c->dtype) && is_index_dtype(expr_dtype(c->value));
            if (!widens) break;
            const ValueRange inner = range(c->value);
            if (c->dtype == DType::Int64 || inner.within(INT32_MIN, INT32_MAX)) return inner;
            break;
        }
        case NodeKind::Select: {
            const auto* s = as<SelectNode>(expr);
            return join(range(s->on_true), range(s->on_false));
        }
        case NodeKind::Binary: {
            const auto* b = as<BinaryNode>(expr);
            if (is_compare(b->op) || is_logical(b->op)) return {0, 1};
            if (!is_index_dtype(expr_dtype(expr))) break;
            const ValueRange l = range(b->lhs), r = range(b->rhs);
            const bool divides = r.is_point() && r.lo > 0;
            switch (b->op) {
            case BinaryOp::Add: return add(l, r);
            case BinaryOp::Sub: return add(l, scale(r, -1));
            case BinaryOp::Mul: return multiply(l, r);
            case BinaryOp::FloorDiv: return divides ? floor_div(l, r.lo) : ValueRange{};
            case BinaryOp::Mod: return divides ? floor_mod(l, r.lo) : ValueRange{};
            case BinaryOp::Min: return {std::min(l.lo, r.lo), std::min(l.hi, r.hi)};
            case BinaryOp::Max: return {std::max(l.lo, r.lo), std::max(l.hi, r.hi)};
            case BinaryOp::BitAnd: // of a nonnegative number: at most that number
                if (r.lo >= 0) return {0, r.hi};
                if (l.lo >= 0) return {0, l.hi};
                break;
            case BinaryOp::Shr:
                if (r.is_point() && r.lo >= 0 && r.lo <= 62) return floor_div(l, std::int64_t{1} << r.lo);
                break;
            default: break;
            }
            break;
        }
        default: break;
        }
        const auto dtype = expr_dtype(expr);
        return dtype == DType::Bool ? ValueRange{0, 1} : ValueRange{};
    }();
    ValueRange out = known;
    for (const Fact& fact : facts_) {
        if (same_value(fact.expr, expr)) out = meet(out, fact.range);
    }
    return out;
}

} // namespace ls::tirx
