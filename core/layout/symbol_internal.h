// Private to the symbol_*.cpp files: polynomials over atoms, and how nodes are made.
#pragma once

#include <vector>

#include "core/layout/symbol.h"

namespace ls::symbolic {

/// The working form of a Sum: terms sorted by monomial (graded, then lexicographic), no zero coefficients.
struct Polynomial {
    std::int64_t constant = 0;
    std::vector<SymbolTerm> terms;
    bool overflow = false;
};

Polynomial polynomial(const Dim& dim);
/// Collapses constants and single atoms, merges x // m · m + x % m, and otherwise makes a Sum.
Dim make(Polynomial polynomial);
/// A term on its own.
Dim make(SymbolTerm term);

Polynomial sum(const Polynomial& a, const Polynomial& b);
Polynomial product(const Polynomial& a, const Polynomial& b);
Polynomial scaled(Polynomial polynomial, std::int64_t factor);

/// < 0 when a comes first in the order of terms (it is the larger monomial).
int compare_monomials(const std::vector<Dim>& a, const std::vector<Dim>& b);
/// a / b where every factor of b occurs in a.
std::optional<std::vector<Dim>> monomial_quotient(const std::vector<Dim>& a, const std::vector<Dim>& b);

/// A binary atom. `commutative` operands are put in order.
Dim atom(SymbolKind kind, Dim a, Dim b, Bounds bounds);
/// The node of a term that is one single atom with coefficient 1; null otherwise.
const SymbolNode* single_atom(const SymbolTerm& term);

// Interval arithmetic that opens an end instead of overflowing.
Bounds add(Bounds a, Bounds b);
Bounds multiply(Bounds a, Bounds b);
Bounds point(std::int64_t value);
Bounds bounds(const Polynomial& polynomial);
inline bool closed(const Bounds& b) { return b.lo != Bounds::kOpenLow && b.hi != Bounds::kOpenHigh; }

} // namespace ls::symbolic
