// Expressions behind symbolic Dims: immutable, reference counted, always in a normal form.
//
//     expression  =  constant + Σ coefficient · atom · atom · ...          (a Sum; like terms merged, terms sorted)
//     atom        =  variable | a // b | a % b | min | max | a ^ b | a & b | a << k | a >> k
//
// so polynomial identities (n·k = k·n, 4·n/n = 4) are structural. What is known of floor division is applied when an
// atom is made (symbol_division.cpp), and a sum puts x // m · m + x % m together to x.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/layout/dim.h"

namespace ls {

enum class SymbolKind : std::uint8_t {
    Overflow,
    Variable,
    FloorDiv,
    FloorMod,
    Sum,
    Min,
    Max,
    BitXor,
    BitAnd,
    ShiftLeft,
    ShiftRight,
};

/// Closed interval; the extreme int64 values mean "open".
struct Bounds {
    static constexpr std::int64_t kOpenLow = std::numeric_limits<std::int64_t>::min();
    static constexpr std::int64_t kOpenHigh = std::numeric_limits<std::int64_t>::max();
    std::int64_t lo = kOpenLow;
    std::int64_t hi = kOpenHigh;
    bool operator==(const Bounds&) const = default;
};

/// coefficient · Π factors; factors are atoms, sorted, repeated for powers.
struct SymbolTerm {
    std::int64_t coefficient = 1;
    std::vector<Dim> factors;
};

/// An expression beyond these limits becomes overflow instead.
class SymbolNode {
public:
    static constexpr std::uint16_t kMaxDepth = 200;
    static constexpr std::uint32_t kMaxSize = 20000;
    static constexpr std::size_t kMaxTerms = 256;

    SymbolKind kind = SymbolKind::Overflow;
    std::uint16_t depth = 0; ///< bounded (kMaxDepth), so that recursion over a node is safe
    std::uint32_t size = 1;  ///< of the expression written out as a tree, bounded (kMaxSize)
    std::uint64_t hash = 0;
    Bounds bounds;
    std::string name;              ///< Variable
    std::vector<Dim> operands;     ///< FloorDiv .. ShiftRight: both operands
    std::int64_t constant = 0;     ///< Sum
    std::vector<SymbolTerm> terms; ///< Sum

    SymbolNode() = default;
    SymbolNode(const SymbolNode&) = delete;
    SymbolNode& operator=(const SymbolNode&) = delete;

private:
    friend class Dim;
    mutable std::atomic<std::uint32_t> references_{0};
};

/// A total order of expressions, constants first; 0 iff structurally equal.
int compare(const Dim& a, const Dim& b);

Bounds bounds(const Dim& dim);

/// The quotient when `a` is provably a multiple of `b`.
std::optional<Dim> exact_quotient(const Dim& a, const Dim& b);

/// constant + Σ terms of any Dim that is not overflow; a constant has no terms.
struct LinearForm {
    std::int64_t constant = 0;
    std::vector<Dim> terms; ///< each coefficient · atoms, none of them constant
};
LinearForm linear_form(const Dim& dim);

/// The value under an assignment; nothing when a variable has none, a divisor is 0, or int64 overflows.
using Assignment = std::function<std::optional<std::int64_t>(std::string_view)>;
std::optional<std::int64_t> evaluate(const Dim& dim, const Assignment& assignment);

/// Replaces variables; those for which `replacement` answers nothing stay.
Dim substitute(const Dim& dim, const std::function<std::optional<Dim>(std::string_view)>& replacement);

/// Names of all variables, each once, in the order of the normal form.
std::vector<std::string> variables(const Dim& dim);

} // namespace ls
