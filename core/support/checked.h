// 64-bit arithmetic on user numbers: every operation either is exact or says that it overflowed.
#pragma once

#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <span>

namespace ls {

using CheckedInt = std::optional<std::int64_t>;

inline CheckedInt checked_add(std::int64_t a, std::int64_t b) {
    std::int64_t r = 0;
    return __builtin_add_overflow(a, b, &r) ? CheckedInt{} : CheckedInt{r};
}
inline CheckedInt checked_sub(std::int64_t a, std::int64_t b) {
    std::int64_t r = 0;
    return __builtin_sub_overflow(a, b, &r) ? CheckedInt{} : CheckedInt{r};
}
inline CheckedInt checked_mul(std::int64_t a, std::int64_t b) {
    std::int64_t r = 0;
    return __builtin_mul_overflow(a, b, &r) ? CheckedInt{} : CheckedInt{r};
}
/// Product of all factors; empty product is 1.
inline CheckedInt checked_product(std::span<const std::int64_t> factors) {
    std::int64_t r = 1;
    for (std::int64_t f : factors) {
        if (__builtin_mul_overflow(r, f, &r)) return {};
    }
    return r;
}

/// Floor division and modulo, as Python's // and %. b must not be 0, and not (INT64_MIN, -1).
constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b) {
    const std::int64_t q = a / b;
    return (a % b != 0 && ((a < 0) != (b < 0))) ? q - 1 : q;
}
constexpr std::int64_t floor_mod(std::int64_t a, std::int64_t b) {
    const std::int64_t r = a % b;
    return (r != 0 && ((r < 0) != (b < 0))) ? r + b : r;
}
constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return -floor_div(-a, b); }
constexpr std::int64_t align_up(std::int64_t a, std::int64_t b) { return ceil_div(a, b) * b; }
constexpr bool is_power_of_two(std::int64_t v) { return v > 0 && (v & (v - 1)) == 0; }
/// log2 of a power of two.
constexpr int log2_exact(std::int64_t v) { return v <= 1 ? 0 : 1 + log2_exact(v >> 1); }

} // namespace ls
