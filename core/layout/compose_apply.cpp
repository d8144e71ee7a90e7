// Swizzled addresses of symbolic coordinates (spec/tirx.md 2). Where the tile's terms allow it, the address is built
// from a part that the XOR passes through and a part below one atom row, so that nothing is divided at run time:
//
//     m        =  H + K_hi  +  L + K_lo               H, K_hi multiples of atom = 2^(M+S);  0 <= L + K_lo < atom
//     address  = (H + K_hi  + (L ^ (((H + K_hi) / atom & 2^B-1) << M)))  ^  K_lo
#include "core/layout/compose_apply.h"

#include <fmt/format.h>

#include "core/layout/symbol.h"

namespace ls {

namespace {

/// The terms of a tile, sorted into the two parts. Every add answers false when the form does not apply.
class Parts {
public:
    explicit Parts(std::int64_t atom) : atom_(atom) {}

    bool add_digit(const Dim& digit, const Iter& iter) {
        if (!iter.stride.is_constant() || iter.stride.value() < 0) return false;
        const Dim term = digit * iter.stride;
        if (term.is_constant()) return add_constant(term);
        if (proves_divisible(term, atom_)) return add_high(term);
        if (!iter.extent.is_constant()) return false;
        const std::int64_t s = iter.stride.value();
        const Dim last = (iter.extent - 1) * iter.stride;
        if (!last.is_constant()) return false;
        if (last.value() < atom_ || s >= atom_ || atom_ % s != 0) return add_low(term, last);
        const Dim rows = atom_ / s; // digits in one atom
        add_high(floor_div(digit, rows) * Dim(atom_));
        return add_low(floor_mod(digit, rows) * iter.stride, (min(iter.extent, rows) - 1) * iter.stride);
    }

    bool add_offset(const Dim& offset) {
        const LinearForm form = linear_form(offset);
        if (!add_constant(form.constant)) return false;
        for (const Dim& term : form.terms) {
            if (term.node()->kind == SymbolKind::Sum && term.node()->terms.front().coefficient < 0) return false;
            if (proves_divisible(term, atom_)) {
                if (!add_high(term)) return false;
                continue;
            }
            const Bounds range = bounds(term);
            if (range.lo == Bounds::kOpenLow || range.lo < 0 || range.hi == Bounds::kOpenHigh) return false;
            if (!add_low(term, range.hi)) return false;
        }
        return true;
    }

    std::optional<Dim> address(const ComposeLayout& p) const {
        const std::int64_t k_low = constant_ % atom_;
        const std::int64_t k_high = constant_ - k_low;
        const bool apart = low_max_ == 0 || k_low == 0 || low_max_ < (k_low & -k_low);
        if (low_max_ + k_low >= atom_ || !apart) return {};
        const std::int64_t mask = (std::int64_t{1} << p.swizzle_len) - 1;
        const Dim row = floor_div(high_, atom_) + Dim((k_high / atom_) & mask);
        const Dim base = high_ + Dim(k_high) + bit_xor(low_, shift_left(bit_and(row, mask), p.per_element));
        return bit_xor(base, k_low);
    }

private:
    bool add_constant(const Dim& term) {
        const Dim sum = Dim(constant_) + term;
        if (!sum.is_constant() || term.value() < 0) return false;
        constant_ = sum.value();
        return true;
    }
    bool add_high(const Dim& term) {
        high_ += term;
        return !high_.is_overflow();
    }
    bool add_low(const Dim& term, const Dim& bound) {
        low_ += term;
        const Dim sum = Dim(low_max_) + bound;
        if (!sum.is_constant() || sum.value() >= atom_) return false;
        low_max_ = sum.value();
        return !low_.is_overflow();
    }

    std::int64_t atom_;
    std::int64_t constant_ = 0;
    std::int64_t low_max_ = 0;
    Dim high_;
    Dim low_;
};

std::optional<Dim> structured(const ComposeLayout& p, std::span<const Iter> shard, std::span<const Dim> digits) {
    if (!p.swizzle_inner || p.per_element + p.atom_len > 61) return {};
    Parts parts(std::int64_t{1} << (p.per_element + p.atom_len));
    for (std::size_t i = 0; i < shard.size(); ++i) {
        if (!shard[i].extent.is(1) && !parts.add_digit(digits[i], shard[i])) return {};
    }
    for (const auto& [axis, amount] : p.tile.offset) {
        if (!parts.add_offset(amount)) return {};
    }
    return parts.address(p);
}

} // namespace

Dim full_swizzle(const ComposeLayout& p, const Dim& m) {
    if (m.is_constant()) return swizzle(m.value(), p);
    const std::int64_t mask = (std::int64_t{1} << p.swizzle_len) - 1;
    const Dim unit = std::int64_t{1} << p.per_element;
    const Dim q = floor_div(m, unit);
    const Dim other = p.swizzle_inner ? shift_right(bit_and(q, mask << p.atom_len), p.atom_len)
                                      : shift_left(bit_and(q, mask), p.atom_len);
    return shift_left(bit_xor(q, other), p.per_element) + floor_mod(m, unit);
}

Result<Dim> structured_address(const ComposeLayout& compose, std::span<const Iter> shard, std::span<const Dim> digits) {
    Dim m;
    for (std::size_t i = 0; i < shard.size(); ++i) {
        if (!shard[i].extent.is(1)) m += digits[i] * shard[i].stride;
    }
    for (const auto& [axis, amount] : compose.tile.offset) m += amount;
    if (m.is_overflow()) return error("LAYOUT_OVERFLOW", "the address leaves the range of 64-bit integers");
    if (compose.swizzle_len == 0) return m;
    if (m.is_constant()) return Dim(swizzle(m.value(), compose));
    if (auto address = structured(compose, shard, digits)) return *std::move(address);
    return full_swizzle(compose, m);
}

} // namespace ls
