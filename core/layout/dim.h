// One number of a layout: a constant, or a symbolic expression over loop variables and parameters.
//
// Constants are the fast path and cost one branch. Arithmetic never wraps: a constant result outside int64 becomes
// the sticky "overflow" value, which every operation that answers a Layout turns into LAYOUT_OVERFLOW.
// Expressions are kept simplified (core/layout/symbol.h says how).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "core/support/checked.h"

namespace ls {

class SymbolNode; // core/layout/symbol.h: immutable expression nodes, reference counted

class Dim {
public:
    Dim() = default;
    Dim(std::int64_t value) : value_(value) {} // NOLINT: numbers are dims
    Dim(int value) : value_(value) {}          // NOLINT
    /// A variable that may stand for any integer.
    static Dim symbol(std::string name);
    /// A variable within [lo, hi]; either end may be open. Proofs use the bounds.
    static Dim symbol(std::string name, std::optional<std::int64_t> lo, std::optional<std::int64_t> hi = {});
    static Dim overflow();
    explicit Dim(const SymbolNode* node) : node_(node) { retain(); } ///< shares ownership; null gives 0

    Dim(const Dim& other) : value_(other.value_), node_(other.node_) { retain(); }
    Dim(Dim&& other) noexcept : value_(other.value_), node_(std::exchange(other.node_, nullptr)) {}
    Dim& operator=(const Dim& other) {
        if (this != &other) *this = Dim(other);
        return *this;
    }
    Dim& operator=(Dim&& other) noexcept {
        value_ = other.value_;
        std::swap(node_, other.node_);
        return *this;
    }
    ~Dim() {
        if (node_ != nullptr) release();
    }

    bool is_constant() const { return node_ == nullptr; }
    bool is_overflow() const;
    bool is_symbolic() const { return node_ != nullptr && !is_overflow(); }
    /// The constant; only when is_constant().
    std::int64_t value() const { return value_; }
    std::optional<std::int64_t> constant() const { return is_constant() ? std::optional(value_) : std::nullopt; }
    bool is(std::int64_t v) const { return is_constant() && value_ == v; }
    const SymbolNode* node() const { return node_; }

    /// Structural equality after simplification; see proves_equal for the semantic question.
    friend bool operator==(const Dim& a, const Dim& b) {
        if (a.is_constant() && b.is_constant()) return a.value_ == b.value_;
        return a.node_ == b.node_ || same_expression(a, b);
    }

private:
    void retain() const {
        if (node_ != nullptr) retain_node();
    }
    void retain_node() const;
    void release() const;
    static bool same_expression(const Dim& a, const Dim& b);

    std::int64_t value_ = 0;
    const SymbolNode* node_ = nullptr;
};

namespace symbolic { // the same operations where an operand is not constant (symbol.cpp)
Dim add(const Dim& a, const Dim& b);
Dim subtract(const Dim& a, const Dim& b);
Dim multiply(const Dim& a, const Dim& b);
Dim divide(const Dim& a, const Dim& b); ///< floor division, also for constants
Dim modulo(const Dim& a, const Dim& b);
bool divisible(const Dim& a, const Dim& by); ///< also for constants
bool less(const Dim& a, const Dim& b);
} // namespace symbolic

inline Dim operator+(const Dim& a, const Dim& b) {
    if (!a.is_constant() || !b.is_constant()) return symbolic::add(a, b);
    const CheckedInt sum = checked_add(a.value(), b.value());
    return sum ? Dim(*sum) : Dim::overflow();
}
inline Dim operator-(const Dim& a, const Dim& b) {
    if (!a.is_constant() || !b.is_constant()) return symbolic::subtract(a, b);
    const CheckedInt difference = checked_sub(a.value(), b.value());
    return difference ? Dim(*difference) : Dim::overflow();
}
inline Dim operator*(const Dim& a, const Dim& b) {
    if (!a.is_constant() || !b.is_constant()) return symbolic::multiply(a, b);
    const CheckedInt product = checked_mul(a.value(), b.value());
    return product ? Dim(*product) : Dim::overflow();
}
inline Dim& operator+=(Dim& a, const Dim& b) { return a = a + b; }
inline Dim& operator*=(Dim& a, const Dim& b) { return a = a * b; }

/// Floor semantics (Python's // and %); overflow when b is constant 0. A symbolic b is taken as nonzero.
inline Dim floor_div(const Dim& a, const Dim& b) {
    const bool plain = a.is_constant() && b.is_constant() && b.value() > 0;
    return plain ? Dim(floor_div(a.value(), b.value())) : symbolic::divide(a, b);
}
inline Dim floor_mod(const Dim& a, const Dim& b) {
    const bool plain = a.is_constant() && b.is_constant() && b.value() > 0;
    return plain ? Dim(floor_mod(a.value(), b.value())) : symbolic::modulo(a, b);
}

// Two's complement, as on int64; shifts by a constant in 0..62 (anything else is overflow).
Dim min(const Dim& a, const Dim& b);
Dim max(const Dim& a, const Dim& b);
Dim bit_xor(const Dim& a, const Dim& b);
Dim bit_and(const Dim& a, const Dim& b);
Dim shift_left(const Dim& a, int bits);
Dim shift_right(const Dim& a, int bits);

/// Sound, incomplete proofs: true only when it holds for every value of the symbols within their bounds.
inline bool proves_equal(const Dim& a, const Dim& b) { return !a.is_overflow() && a == b; }
inline bool proves_divisible(const Dim& a, const Dim& by) {
    const bool plain = a.is_constant() && by.is_constant() && by.value() > 0;
    return plain ? a.value() % by.value() == 0 : symbolic::divisible(a, by);
}
inline bool proves_less(const Dim& a, const Dim& b) {
    return a.is_constant() && b.is_constant() ? a.value() < b.value() : symbolic::less(a, b);
}
inline bool proves_at_most(const Dim& a, const Dim& b) { return proves_equal(a, b) || proves_less(a, b + 1); }

/// Python-like text that reads back as the same value: "st % 4 // 2 * 4096 + n". Overflow is "overflow".
std::string to_string(const Dim& dim);

} // namespace ls
