// Polynomials over atoms: sums and products of symbolic expressions, exact division, intervals.
#include <algorithm>
#include <utility>

#include "core/layout/symbol_internal.h"

namespace ls::symbolic {

Dim make_sum(Polynomial polynomial); // symbol.cpp

// --- intervals

namespace {

__extension__ using Wide = __int128;

std::int64_t clamp_low(Wide value) {
    return value <= Bounds::kOpenLow ? Bounds::kOpenLow : static_cast<std::int64_t>(value);
}
std::int64_t clamp_high(Wide value) {
    return value >= Bounds::kOpenHigh ? Bounds::kOpenHigh : static_cast<std::int64_t>(value);
}

/// An open end as a number far outside int64, so that products keep it outside; 0 · open = 0.
Wide widen(std::int64_t value) {
    constexpr Wide kFar = Wide{1} << 100;
    return value == Bounds::kOpenLow ? -kFar : value == Bounds::kOpenHigh ? kFar : Wide{value};
}
Wide times(Wide a, Wide b) {
    constexpr Wide kFar = Wide{1} << 100;
    if (a == 0 || b == 0) return 0;
    const bool far = a >= kFar || a <= -kFar || b >= kFar || b <= -kFar;
    return far ? ((a < 0) != (b < 0) ? -kFar : kFar) : a * b;
}

} // namespace

Bounds point(std::int64_t value) {
    // The extreme values stand for "open" and cannot be ends themselves.
    return value == Bounds::kOpenLow || value == Bounds::kOpenHigh ? Bounds{} : Bounds{value, value};
}

Bounds add(Bounds a, Bounds b) {
    const bool open_low = a.lo == Bounds::kOpenLow || b.lo == Bounds::kOpenLow;
    const bool open_high = a.hi == Bounds::kOpenHigh || b.hi == Bounds::kOpenHigh;
    Bounds sum{open_low ? Bounds::kOpenLow : clamp_low(Wide{a.lo} + b.lo),
               open_high ? Bounds::kOpenHigh : clamp_high(Wide{a.hi} + b.hi)};
    // A low end above int64 (or a high end below it) means overflow, of which nothing is claimed.
    if (!open_low && Wide{a.lo} + b.lo >= Bounds::kOpenHigh) sum = {};
    if (!open_high && Wide{a.hi} + b.hi <= Bounds::kOpenLow) sum = {};
    return sum;
}

Bounds multiply(Bounds a, Bounds b) {
    const Wide products[] = {times(widen(a.lo), widen(b.lo)), times(widen(a.lo), widen(b.hi)),
                             times(widen(a.hi), widen(b.lo)), times(widen(a.hi), widen(b.hi))};
    const auto [lo, hi] = std::minmax_element(std::begin(products), std::end(products));
    if (*lo >= Bounds::kOpenHigh || *hi <= Bounds::kOpenLow) return {};
    return {clamp_low(*lo), clamp_high(*hi)};
}

Bounds bounds(const Polynomial& polynomial) {
    Bounds total = point(polynomial.constant);
    for (const SymbolTerm& term : polynomial.terms) {
        Bounds product = point(term.coefficient);
        for (const Dim& factor : term.factors) product = multiply(product, factor.node()->bounds);
        total = add(total, product);
    }
    return total;
}

// --- monomials

int compare_monomials(const std::vector<Dim>& a, const std::vector<Dim>& b) {
    if (a.size() != b.size()) return a.size() > b.size() ? -1 : 1;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (const int order = compare(a[i], b[i]); order != 0) return order;
    }
    return 0;
}

std::optional<std::vector<Dim>> monomial_quotient(const std::vector<Dim>& a, const std::vector<Dim>& b) {
    std::vector<Dim> rest;
    std::size_t j = 0;
    for (const Dim& factor : a) {
        if (j < b.size() && factor == b[j]) {
            ++j;
        } else {
            rest.push_back(factor);
        }
    }
    return j == b.size() ? std::optional(std::move(rest)) : std::nullopt;
}

namespace {

bool term_before(const SymbolTerm& a, const SymbolTerm& b) { return compare_monomials(a.factors, b.factors) < 0; }

bool add_into(std::int64_t& total, std::int64_t value) { return !__builtin_add_overflow(total, value, &total); }
bool multiply_into(std::int64_t& total, std::int64_t value) { return !__builtin_mul_overflow(total, value, &total); }

/// Sorts, merges like terms and drops zeros.
void normalize(Polynomial& p) {
    std::stable_sort(p.terms.begin(), p.terms.end(), term_before);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < p.terms.size(); ++i) {
        if (kept > 0 && compare_monomials(p.terms[kept - 1].factors, p.terms[i].factors) == 0) {
            if (!add_into(p.terms[kept - 1].coefficient, p.terms[i].coefficient)) p.overflow = true;
            if (p.terms[kept - 1].coefficient == 0) --kept;
        } else {
            if (kept != i) p.terms[kept] = std::move(p.terms[i]);
            ++kept;
        }
    }
    p.terms.resize(kept);
}

void sort_factors(std::vector<Dim>& factors) {
    std::sort(factors.begin(), factors.end(), [](const Dim& a, const Dim& b) { return compare(a, b) < 0; });
}

std::optional<std::size_t> find_term(const Polynomial& p, const std::vector<Dim>& factors) {
    for (std::size_t i = 0; i < p.terms.size(); ++i) {
        if (compare_monomials(p.terms[i].factors, factors) == 0) return i;
    }
    return {};
}

/// The partner that c·m·F·(z // m) merges with: c·F·(z % m). Nothing when m is no single term, or the coefficient no
/// multiple of it.
std::optional<SymbolTerm> merge_partner(const SymbolTerm& term, std::size_t division) {
    const SymbolNode& node = *term.factors[division].node();
    const Polynomial m = polynomial(node.operands[1]);
    if (m.terms.size() > 1 || (m.terms.size() == 1 && m.constant != 0)) return {};
    const std::int64_t scale = m.terms.empty() ? m.constant : m.terms.front().coefficient;
    if (scale == 0 || scale == -1 || term.coefficient % scale != 0) return {};

    SymbolTerm partner{term.coefficient / scale, term.factors};
    partner.factors.erase(partner.factors.begin() + static_cast<std::ptrdiff_t>(division));
    if (!m.terms.empty()) {
        auto rest = monomial_quotient(partner.factors, m.terms.front().factors);
        if (!rest) return {};
        partner.factors = std::move(*rest);
    }
    const Dim remainder = modulo(node.operands[0], node.operands[1]);
    if (remainder.is_constant() || remainder.node()->kind == SymbolKind::Sum) return {};
    partner.factors.push_back(remainder);
    sort_factors(partner.factors);
    return partner;
}

/// A cheap look: a merge needs two terms with a division or a remainder in them.
bool may_merge(const Polynomial& p) {
    const auto divides = [](const SymbolTerm& term) {
        return std::any_of(term.factors.begin(), term.factors.end(), [](const Dim& factor) {
            return factor.node()->kind == SymbolKind::FloorDiv || factor.node()->kind == SymbolKind::FloorMod;
        });
    };
    return std::count_if(p.terms.begin(), p.terms.end(), divides) > 1;
}

/// Merges one pair c·k·F·(x // (m·k)) + c·F·(x % (m·k) // m) into c·F·(x // m), for constants m and k.
bool merge_nested_division(Polynomial& p) {
    for (std::size_t i = 0; i < p.terms.size(); ++i) {
        for (std::size_t f = 0; f < p.terms[i].factors.size(); ++f) {
            const SymbolNode& node = *p.terms[i].factors[f].node();
            if (node.kind != SymbolKind::FloorDiv || !node.operands[1].is_constant()) continue;
            const Dim m = node.operands[1];
            const SymbolNode* inner = node.operands[0].node();
            if (inner == nullptr || inner->kind != SymbolKind::FloorMod || !inner->operands[1].is_constant()) continue;
            const Dim whole = inner->operands[1];
            if (whole.value() % m.value() != 0) continue;

            const Dim x = inner->operands[0];
            const Dim quotient = divide(x, whole);
            if (quotient.is_constant() || quotient.node()->kind == SymbolKind::Sum) continue;
            SymbolTerm partner = p.terms[i];
            if (!multiply_into(partner.coefficient, whole.value() / m.value())) continue;
            partner.factors[f] = quotient;
            sort_factors(partner.factors);
            const auto at = find_term(p, partner.factors);
            if (!at || p.terms[*at].coefficient != partner.coefficient) continue;

            Polynomial scale;
            scale.terms.push_back(p.terms[i]);
            scale.terms.front().factors.erase(scale.terms.front().factors.begin() + static_cast<std::ptrdiff_t>(f));
            if (scale.terms.front().factors.empty()) {
                scale.constant = scale.terms.front().coefficient;
                scale.terms.clear();
            }
            p.terms.erase(p.terms.begin() + static_cast<std::ptrdiff_t>(std::max(i, *at)));
            p.terms.erase(p.terms.begin() + static_cast<std::ptrdiff_t>(std::min(i, *at)));
            p = sum(p, product(scale, polynomial(divide(x, m))));
            return true;
        }
    }
    return false;
}

/// Merges one pair c·m·F·(z // m) + c·F·(z % m) into c·F·z. Answers whether it found one.
bool merge_division(Polynomial& p) {
    for (std::size_t i = 0; i < p.terms.size(); ++i) {
        for (std::size_t f = 0; f < p.terms[i].factors.size(); ++f) {
            const Dim division = p.terms[i].factors[f];
            if (division.node()->kind != SymbolKind::FloorDiv) continue;
            const auto partner = merge_partner(p.terms[i], f);
            const auto at = partner ? find_term(p, partner->factors) : std::nullopt;
            if (!at || p.terms[*at].coefficient != partner->coefficient) continue;

            const Dim z = division.node()->operands[0];
            const Dim remainder = modulo(z, division.node()->operands[1]);
            const auto factors = monomial_quotient(partner->factors, {remainder});
            Polynomial scale;
            if (factors->empty()) {
                scale.constant = partner->coefficient;
            } else {
                scale.terms.push_back({partner->coefficient, *factors});
            }
            p.terms.erase(p.terms.begin() + static_cast<std::ptrdiff_t>(std::max(i, *at)));
            p.terms.erase(p.terms.begin() + static_cast<std::ptrdiff_t>(std::min(i, *at)));
            p = sum(p, product(scale, polynomial(z)));
            return true;
        }
    }
    return false;
}

} // namespace

// --- polynomials

Polynomial polynomial(const Dim& dim) {
    Polynomial p;
    if (dim.is_constant()) {
        p.constant = dim.value();
    } else if (dim.is_overflow()) {
        p.overflow = true;
    } else if (dim.node()->kind == SymbolKind::Sum) {
        p.constant = dim.node()->constant;
        p.terms = dim.node()->terms;
    } else {
        p.terms.push_back({1, {dim}});
    }
    return p;
}

Dim make(Polynomial p) {
    if (p.terms.size() > SymbolNode::kMaxTerms) return Dim::overflow();
    while (!p.overflow && may_merge(p) && (merge_division(p) || merge_nested_division(p))) {
    }
    if (p.overflow) return Dim::overflow();
    if (p.terms.empty()) return p.constant;
    if (p.constant == 0 && p.terms.size() == 1 && single_atom(p.terms.front()) != nullptr)
        return p.terms.front().factors.front();
    return make_sum(std::move(p));
}

Dim make(SymbolTerm term) {
    Polynomial p;
    p.terms.push_back(std::move(term));
    return make(std::move(p));
}

Polynomial sum(const Polynomial& a, const Polynomial& b) {
    Polynomial p;
    p.overflow = a.overflow || b.overflow;
    p.constant = a.constant;
    if (!add_into(p.constant, b.constant)) p.overflow = true;
    p.terms.reserve(a.terms.size() + b.terms.size());
    p.terms = a.terms;
    p.terms.insert(p.terms.end(), b.terms.begin(), b.terms.end());
    normalize(p);
    return p;
}

Polynomial scaled(Polynomial p, std::int64_t factor) {
    if (factor == 0) return {};
    if (!multiply_into(p.constant, factor)) p.overflow = true;
    for (SymbolTerm& term : p.terms) {
        if (!multiply_into(term.coefficient, factor)) p.overflow = true;
    }
    return p;
}

Polynomial product(const Polynomial& a, const Polynomial& b) {
    if (a.terms.empty() && !a.overflow) return scaled(b, a.constant);
    if (b.terms.empty() && !b.overflow) return scaled(a, b.constant);
    Polynomial p;
    p.overflow = a.overflow || b.overflow || (a.terms.size() + 1) * (b.terms.size() + 1) > SymbolNode::kMaxTerms;
    if (p.overflow) return p;
    p.constant = a.constant;
    if (!multiply_into(p.constant, b.constant)) p.overflow = true;
    const auto add_scaled = [&p](const std::vector<SymbolTerm>& terms, std::int64_t factor) {
        if (factor == 0) return;
        for (const SymbolTerm& term : terms) {
            p.terms.push_back(term);
            if (!multiply_into(p.terms.back().coefficient, factor)) p.overflow = true;
        }
    };
    add_scaled(a.terms, b.constant);
    add_scaled(b.terms, a.constant);
    for (const SymbolTerm& x : a.terms) {
        for (const SymbolTerm& y : b.terms) {
            SymbolTerm term = x;
            if (!multiply_into(term.coefficient, y.coefficient)) p.overflow = true;
            term.factors.insert(term.factors.end(), y.factors.begin(), y.factors.end());
            sort_factors(term.factors);
            p.terms.push_back(std::move(term));
        }
    }
    normalize(p);
    return p;
}

Dim add(const Dim& a, const Dim& b) { return make(sum(polynomial(a), polynomial(b))); }
Dim subtract(const Dim& a, const Dim& b) { return make(sum(polynomial(a), scaled(polynomial(b), -1))); }
Dim multiply(const Dim& a, const Dim& b) {
    if (a.is_overflow() || b.is_overflow()) return Dim::overflow();
    return make(product(polynomial(a), polynomial(b)));
}

bool less(const Dim& a, const Dim& b) {
    const Dim difference = b - a;
    return !difference.is_overflow() && bounds(difference).lo >= 1;
}

} // namespace ls::symbolic

namespace ls {

std::optional<Dim> exact_quotient(const Dim& a, const Dim& b) {
    using namespace symbolic;
    if (a.is_overflow() || b.is_overflow() || b.is(0)) return {};
    if (a == b) return Dim(1);
    Polynomial rest = polynomial(a);
    const Polynomial divisor = polynomial(b);
    Polynomial quotient;
    // Long division by the leading term; any remainder ends it. Every step removes the leading term of `rest`.
    for (int step = 0; step < 64; ++step) {
        if (rest.overflow || quotient.overflow) return {};
        if (rest.terms.empty() && rest.constant == 0) return make(std::move(quotient));
        const bool by_constant = divisor.terms.empty();
        const SymbolTerm lead = rest.terms.empty() ? SymbolTerm{rest.constant, {}} : rest.terms.front();
        const SymbolTerm by = by_constant ? SymbolTerm{divisor.constant, {}} : divisor.terms.front();
        auto factors = monomial_quotient(lead.factors, by.factors);
        const auto coefficient = ls::floor_mod(Dim(lead.coefficient), Dim(by.coefficient)).is(0)
                                     ? ls::floor_div(Dim(lead.coefficient), Dim(by.coefficient)).constant()
                                     : std::nullopt;
        if (!factors || !coefficient) return {};
        Polynomial step_quotient;
        if (factors->empty()) {
            step_quotient.constant = *coefficient;
        } else {
            step_quotient.terms.push_back({*coefficient, std::move(*factors)});
        }
        rest = sum(rest, scaled(product(step_quotient, divisor), -1));
        quotient = sum(quotient, step_quotient);
    }
    return {};
}

} // namespace ls
