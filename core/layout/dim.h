// One number of a layout: a constant, or a symbolic expression over loop variables and parameters.
//
// Constants are the fast path and cost one branch. Arithmetic never wraps: a constant result outside int64 becomes
// the sticky "overflow" value, which every operation that answers a Layout turns into LAYOUT_OVERFLOW.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace ls {

class SymbolNode; // core/layout/symbol.h: immutable expression nodes, reference counted

class Dim {
public:
    Dim() = default;
    Dim(std::int64_t value) : value_(value) {} // NOLINT: numbers are dims
    Dim(int value) : value_(value) {}          // NOLINT
    static Dim symbol(std::string name);
    static Dim overflow();
    explicit Dim(const SymbolNode* node); ///< shares ownership; null gives 0

    Dim(const Dim& other);
    Dim(Dim&& other) noexcept;
    Dim& operator=(const Dim& other);
    Dim& operator=(Dim&& other) noexcept;
    ~Dim();

    bool is_constant() const { return node_ == nullptr; }
    bool is_overflow() const;
    bool is_symbolic() const { return node_ != nullptr && !is_overflow(); }
    /// The constant; only when is_constant().
    std::int64_t value() const { return value_; }
    std::optional<std::int64_t> constant() const { return is_constant() ? std::optional(value_) : std::nullopt; }
    bool is(std::int64_t v) const { return is_constant() && value_ == v; }
    const SymbolNode* node() const { return node_; }

    /// Structural equality after simplification; see proves_equal for the semantic question.
    friend bool operator==(const Dim& a, const Dim& b);

private:
    std::int64_t value_ = 0;
    const SymbolNode* node_ = nullptr;
};

Dim operator+(const Dim& a, const Dim& b);
Dim operator-(const Dim& a, const Dim& b);
Dim operator*(const Dim& a, const Dim& b);
Dim floor_div(const Dim& a, const Dim& b); ///< overflow when b is constant 0
Dim floor_mod(const Dim& a, const Dim& b);

/// Sound, incomplete proofs: true only when it holds for every value of the symbols (extents are taken as >= 1).
bool proves_equal(const Dim& a, const Dim& b);
bool proves_divisible(const Dim& a, const Dim& by);
bool proves_less(const Dim& a, const Dim& b);

std::string to_string(const Dim& dim);

} // namespace ls
