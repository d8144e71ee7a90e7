// Floor division and modulo of symbolic expressions. Rules, for a constant b > 0 and integers everywhere:
//
//     (b·q + r) // b  =  q + r // b                  (b·q + r) % b  =  r % b
//     (g·h + l) // (g·c)  =  h // c                  (g·h + l) % (g·c)  =  g·(h % c) + l            if 0 <= l < g
//     x // d // b  =  x // (d·b)                     x // d % b  =  x % (d·b) // d
//     r // b  =  0                                   r % b  =  r                                    if 0 <= r < b
#include <algorithm>
#include <numeric>
#include <utility>

#include "core/layout/symbol_internal.h"

namespace ls::symbolic {

namespace {

/// gcd(|v|, by), by > 0; |v| is taken unsigned, as that of the least int64 is none.
std::int64_t common_divisor(std::int64_t v, std::int64_t by) {
    const auto magnitude = v < 0 ? 0 - static_cast<std::uint64_t>(v) : static_cast<std::uint64_t>(v);
    return static_cast<std::int64_t>(std::gcd(magnitude, static_cast<std::uint64_t>(by)));
}

/// Writes x << k as x · 2^k, which division sees through.
Polynomial without_shifts(const Dim& dim) {
    Polynomial p = polynomial(dim);
    Polynomial plain;
    plain.constant = p.constant;
    plain.overflow = p.overflow;
    bool changed = false;
    for (SymbolTerm& term : p.terms) {
        const SymbolNode* node = term.factors.size() == 1 ? term.factors.front().node() : nullptr;
        const bool shift = node != nullptr && node->kind == SymbolKind::ShiftLeft;
        if (!shift) {
            Polynomial same;
            same.terms.push_back(std::move(term));
            plain = sum(plain, same);
            continue;
        }
        changed = true;
        const Dim factor = Dim(term.coefficient) * Dim(std::int64_t{1} << node->operands[1].value());
        if (!factor.is_constant()) return polynomial(dim);
        plain = sum(plain, scaled(polynomial(node->operands[0]), factor.value()));
    }
    return changed ? plain : polynomial(dim);
}

/// p = by · quotient + rest, coefficient by coefficient; 0 <= rest.constant < by.
struct Split {
    Polynomial quotient;
    Polynomial rest;
};
Split split(const Polynomial& p, std::int64_t by) {
    Split s;
    s.quotient.constant = ls::floor_div(p.constant, by);
    s.rest.constant = ls::floor_mod(p.constant, by);
    for (const SymbolTerm& term : p.terms) {
        if (term.coefficient % by == 0) {
            s.quotient.terms.push_back({term.coefficient / by, term.factors});
        } else {
            s.rest.terms.push_back(term);
        }
    }
    return s;
}

/// The quotient that every value of `p` has, when its bounds leave only one.
std::optional<std::int64_t> only_quotient(const Polynomial& p, std::int64_t by) {
    const Bounds range = bounds(p);
    if (!closed(range)) return {};
    const std::int64_t q = ls::floor_div(range.lo, by);
    return q == ls::floor_div(range.hi, by) ? std::optional(q) : std::nullopt;
}

/// g > 1 with p = g·high + low, 0 <= low < g, and g a divisor of `by`.
struct Level {
    std::int64_t g = 1;
    Polynomial high;
    Polynomial low;
};
std::optional<Level> level(const Polynomial& p, std::int64_t by) {
    for (const SymbolTerm& term : p.terms) {
        const std::int64_t g = common_divisor(term.coefficient, by);
        if (g <= 1) continue;
        Split s = split(p, g);
        const Bounds low = bounds(s.rest);
        if (closed(low) && low.lo >= 0 && low.hi < g) return Level{g, std::move(s.quotient), std::move(s.rest)};
    }
    return {};
}

Dim divide_by_constant(const Polynomial& p, std::int64_t by) {
    if (p.overflow) return Dim::overflow();
    Split s = split(p, by);
    if (s.rest.terms.empty()) return make(std::move(s.quotient));
    const Dim quotient = make(std::move(s.quotient));
    if (const auto only = only_quotient(s.rest, by)) return quotient + Dim(*only);
    if (auto parts = level(s.rest, by)) return quotient + divide_by_constant(parts->high, by / parts->g);

    if (s.rest.terms.size() == 1) {
        if (const SymbolNode* node = single_atom(s.rest.terms.front())) {
            const Dim& inner = node->operands.size() == 2 ? node->operands[1] : Dim();
            const bool constant = node->operands.size() == 2 && inner.is_constant() && inner.value() > 0;
            if (constant && node->kind == SymbolKind::FloorDiv) {
                const Dim dividend = node->operands[0] + inner * Dim(s.rest.constant);
                const Dim divisor = inner * Dim(by);
                if (divisor.is_constant() && !dividend.is_overflow()) return quotient + divide(dividend, divisor);
            }
        }
    }
    const Bounds range = bounds(s.rest);
    const Bounds result{range.lo == Bounds::kOpenLow ? range.lo : ls::floor_div(range.lo, by),
                        range.hi == Bounds::kOpenHigh ? range.hi : ls::floor_div(range.hi, by)};
    return quotient + atom(SymbolKind::FloorDiv, make(std::move(s.rest)), by, result);
}

/// c·(x % m) is c·x modulo `by` when by divides c·m.
std::optional<Polynomial> without_inner_modulo(const Polynomial& p, std::int64_t by) {
    for (std::size_t i = 0; i < p.terms.size(); ++i) {
        const SymbolTerm& term = p.terms[i];
        if (term.factors.size() != 1 || term.factors.front().node()->kind != SymbolKind::FloorMod) continue;
        const Dim& m = term.factors.front().node()->operands[1];
        if (!m.is_constant() || !(m * Dim(term.coefficient)).is_constant()) continue;
        if ((m.value() * term.coefficient) % by != 0) continue;
        const Dim x = term.factors.front().node()->operands[0];
        Polynomial rest = p;
        rest.terms.erase(rest.terms.begin() + static_cast<std::ptrdiff_t>(i));
        return sum(rest, scaled(polynomial(x), term.coefficient));
    }
    return {};
}

Dim modulo_constant(const Polynomial& p, std::int64_t by) {
    if (p.overflow) return Dim::overflow();
    Polynomial rest = split(p, by).rest;
    if (rest.terms.empty()) return rest.constant;
    if (auto plain = without_inner_modulo(rest, by)) return modulo_constant(*plain, by);
    if (const auto only = only_quotient(rest, by)) return make(std::move(rest)) - Dim(*only) * Dim(by);
    if (auto parts = level(rest, by)) {
        return Dim(parts->g) * modulo_constant(parts->high, by / parts->g) + make(std::move(parts->low));
    }
    if (rest.terms.size() == 1 && rest.constant == 0) {
        const SymbolNode* node = single_atom(rest.terms.front());
        if (node != nullptr && node->kind == SymbolKind::FloorDiv && node->operands[1].is_constant()) {
            const Dim whole = node->operands[1] * Dim(by);
            if (whole.is_constant()) return divide(modulo(node->operands[0], whole), node->operands[1]);
        }
    }
    return atom(SymbolKind::FloorMod, make(std::move(rest)), by, {0, by - 1});
}

/// p = divisor · quotient + rest, where the divisor is one term c·F.
Split split_by_term(const Polynomial& p, const SymbolTerm& divisor) {
    Split s;
    s.rest.constant = p.constant;
    for (const SymbolTerm& term : p.terms) {
        auto factors = monomial_quotient(term.factors, divisor.factors);
        const bool divides = factors && divisor.coefficient != 0 && divisor.coefficient != -1 &&
                             term.coefficient % divisor.coefficient == 0;
        if (!divides) {
            s.rest.terms.push_back(term);
        } else if (factors->empty()) {
            s.quotient.constant = term.coefficient / divisor.coefficient;
        } else {
            s.quotient.terms.push_back({term.coefficient / divisor.coefficient, std::move(*factors)});
        }
    }
    return s;
}

/// What a symbolic divisor leaves of the dividend: quotient known, rest still to divide.
Split reduce(const Dim& a, const Dim& b) {
    const Polynomial dividend = without_shifts(a);
    const Polynomial divisor = polynomial(b);
    if (divisor.constant == 0 && divisor.terms.size() == 1) return split_by_term(dividend, divisor.terms.front());
    Split s;
    s.rest = dividend;
    return s;
}

/// 0 <= rest < b.
bool is_remainder(const Dim& rest, const Dim& b) {
    const Bounds range = bounds(rest);
    return range.lo != Bounds::kOpenLow && range.lo >= 0 && less(rest, b);
}

bool positive(const Dim& dim) {
    const Bounds range = bounds(dim);
    return range.lo != Bounds::kOpenLow && range.lo > 0;
}

} // namespace

Dim divide(const Dim& a, const Dim& b) {
    if (a.is_overflow() || b.is_overflow() || b.is(0)) return Dim::overflow();
    if (b.is_constant()) {
        if (b.value() < 0) return b.is(Bounds::kOpenLow) ? Dim::overflow() : divide(Dim(0) - a, -b.value());
        return a.is_constant() ? Dim(ls::floor_div(a.value(), b.value()))
                               : divide_by_constant(without_shifts(a), b.value());
    }
    if (const auto exact = exact_quotient(a, b)) return *exact;
    Split s = reduce(a, b);
    const Dim rest = make(std::move(s.rest));
    const Dim quotient = make(std::move(s.quotient));
    if (rest.is(0) || is_remainder(rest, b)) return quotient;
    if (rest.is_symbolic() && rest.node()->kind == SymbolKind::FloorDiv) {
        const Dim& inner = rest.node()->operands[1];
        if (positive(inner) && positive(b)) return quotient + divide(rest.node()->operands[0], inner * b);
    }
    const Bounds range = bounds(rest);
    const bool natural = positive(b) && range.lo != Bounds::kOpenLow && range.lo >= 0;
    return quotient + atom(SymbolKind::FloorDiv, rest, b, natural ? Bounds{0, range.hi} : Bounds{});
}

Dim modulo(const Dim& a, const Dim& b) {
    if (a.is_overflow() || b.is_overflow() || b.is(0)) return Dim::overflow();
    if (b.is_constant()) {
        if (b.value() < 0) return b.is(Bounds::kOpenLow) ? Dim::overflow() : Dim(0) - modulo(Dim(0) - a, -b.value());
        return a.is_constant() ? Dim(ls::floor_mod(a.value(), b.value()))
                               : modulo_constant(without_shifts(a), b.value());
    }
    if (exact_quotient(a, b)) return 0;
    const Dim rest = make(std::move(reduce(a, b).rest));
    if (rest.is(0) || is_remainder(rest, b)) return rest;
    if (rest.is_symbolic() && rest.node()->kind == SymbolKind::FloorMod && rest.node()->operands[1] == b) return rest;
    const Bounds range = bounds(b);
    const bool natural = positive(b) && range.hi != Bounds::kOpenHigh;
    return atom(SymbolKind::FloorMod, rest, b,
                positive(b) ? Bounds{0, natural ? range.hi - 1 : Bounds::kOpenHigh} : Bounds{});
}

bool divisible(const Dim& a, const Dim& by) {
    if (a.is_overflow() || by.is_overflow() || by.is(0)) return false;
    return modulo(a, by).is(0);
}

} // namespace ls::symbolic
