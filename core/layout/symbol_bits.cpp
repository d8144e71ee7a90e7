// Minimum, maximum, bit operations and shifts. Bit operations are two's complement, as on int64.
#include <algorithm>
#include <bit>
#include <utility>

#include "core/layout/symbol_internal.h"

namespace ls {

namespace {

bool natural(const Bounds& b) { return b.lo != Bounds::kOpenLow && b.lo >= 0; }

/// The smallest 2^k - 1 that is >= v.
std::int64_t mask_above(std::int64_t v) {
    const auto width = std::bit_width(static_cast<std::uint64_t>(v));
    return static_cast<std::int64_t>((std::uint64_t{1} << static_cast<unsigned>(width)) - 1U);
}

bool is_low_mask(std::int64_t v) { return v >= 0 && (v & (v + 1)) == 0; }

Dim extreme(const Dim& a, const Dim& b, bool smallest) {
    if (a.is_overflow() || b.is_overflow()) return Dim::overflow();
    if (proves_at_most(a, b)) return smallest ? a : b;
    if (proves_at_most(b, a)) return smallest ? b : a;
    const Bounds x = bounds(a);
    const Bounds y = bounds(b);
    // An open low end is the least int64 and an open high end the largest, so min and max of ends are right as they
    // are.
    const Bounds range = smallest ? Bounds{std::min(x.lo, y.lo), std::min(x.hi, y.hi)}
                                  : Bounds{std::max(x.lo, y.lo), std::max(x.hi, y.hi)};
    return symbolic::atom(smallest ? SymbolKind::Min : SymbolKind::Max, a, b, range);
}

} // namespace

Dim min(const Dim& a, const Dim& b) { return extreme(a, b, true); }
Dim max(const Dim& a, const Dim& b) { return extreme(a, b, false); }

Dim bit_xor(const Dim& a, const Dim& b) {
    if (a.is_overflow() || b.is_overflow()) return Dim::overflow();
    if (a.is_constant() && b.is_constant()) return a.value() ^ b.value();
    if (a.is(0)) return b;
    if (b.is(0)) return a;
    if (a == b) return 0;
    const Bounds x = bounds(a);
    const Bounds y = bounds(b);
    Bounds range;
    if (natural(x) && natural(y)) {
        range.lo = 0;
        if (x.hi != Bounds::kOpenHigh && y.hi != Bounds::kOpenHigh) range.hi = mask_above(std::max(x.hi, y.hi));
    }
    return symbolic::atom(SymbolKind::BitXor, a, b, range);
}

Dim bit_and(const Dim& a, const Dim& b) {
    if (a.is_overflow() || b.is_overflow()) return Dim::overflow();
    if (a.is_constant() && b.is_constant()) return a.value() & b.value();
    if (a.is(0) || b.is(0)) return 0;
    if (a == b) return a;
    const Bounds x = bounds(a);
    const Bounds y = bounds(b);
    // x & (2^k - 1) = x when 0 <= x < 2^k.
    if (b.is_constant() && is_low_mask(b.value()) && natural(x) && x.hi <= b.value()) return a;
    if (a.is_constant() && is_low_mask(a.value()) && natural(y) && y.hi <= a.value()) return b;
    Bounds range;
    if (natural(x) || natural(y)) {
        const std::int64_t high_x = natural(x) ? x.hi : Bounds::kOpenHigh;
        const std::int64_t high_y = natural(y) ? y.hi : Bounds::kOpenHigh;
        range = {0, std::min(high_x, high_y)};
    }
    return symbolic::atom(SymbolKind::BitAnd, a, b, range);
}

Dim shift_left(const Dim& a, int bits) {
    if (a.is_overflow() || bits < 0 || bits > 62) return Dim::overflow();
    const Dim factor = std::int64_t{1} << bits;
    if (a.is_constant() || bits == 0) return a * factor;
    return symbolic::atom(SymbolKind::ShiftLeft, a, bits,
                          symbolic::multiply(bounds(a), symbolic::point(factor.value())));
}

Dim shift_right(const Dim& a, int bits) {
    if (a.is_overflow() || bits < 0 || bits > 62) return Dim::overflow();
    if (bits == 0) return a;
    if (a.is_constant()) return a.value() >> bits;
    const Bounds x = bounds(a);
    return symbolic::atom(
        SymbolKind::ShiftRight, a, bits,
        {x.lo == Bounds::kOpenLow ? x.lo : x.lo >> bits, x.hi == Bounds::kOpenHigh ? x.hi : x.hi >> bits});
}

} // namespace ls
