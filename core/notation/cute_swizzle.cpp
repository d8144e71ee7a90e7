#include "core/notation/cute_swizzle.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "core/notation/cute_algebra.h"
#include "core/support/checked.h"

namespace ls::cute {

namespace {

constexpr int kByteBits = 8;

std::int64_t field(int bits, int at) { return ((std::int64_t{1} << bits) - 1) << at; }

int trailing_zeros(std::int64_t v) { return std::countr_zero(static_cast<std::uint64_t>(v)); }
int ones(std::int64_t v) { return std::popcount(static_cast<std::uint64_t>(v)); }

bool is_field(std::int64_t mask) { return mask > 0 && mask == field(ones(mask), trailing_zeros(mask)); }

Status check_widths(int from_bits, int to_bits) {
    for (const int bits : {from_bits, to_bits}) {
        if (!is_power_of_two(bits)) {
            return error("CUTE_RECAST",
                         fmt::format("elements of {} bits; a swizzle can be recast between powers of two only", bits));
        }
    }
    return ok_status();
}

Diagnostic no_swizzle(std::string why) {
    return error("CUTE_NOT_SWIZZLE", std::move(why), "it may still be a linear layout: Triton's bases can say any XOR");
}

} // namespace

std::int64_t y_mask(const Swizzle& s) { return field(s.bits, s.base + std::max(0, s.shift)); }
std::int64_t z_mask(const Swizzle& s) { return field(s.bits, s.base + std::max(0, -s.shift)); }

std::int64_t apply(const Swizzle& s, std::int64_t offset) {
    const std::int64_t source = offset & y_mask(s);
    return offset ^ (s.shift >= 0 ? source >> s.shift : source << -s.shift);
}

std::int64_t period(const Swizzle& s) { return std::int64_t{1} << (s.base + s.bits + std::abs(s.shift)); }

Result<Swizzle> swizzle_from_masks(std::int64_t y, std::int64_t z) {
    if (!is_field(y) || !is_field(z) || ones(y) != ones(z)) {
        return error("CUTE_MASKS", fmt::format("0x{:x} and 0x{:x} are not two fields of one width",
                                               static_cast<std::uint64_t>(y), static_cast<std::uint64_t>(z)));
    }
    const Swizzle out{ones(y), std::min(trailing_zeros(y), trailing_zeros(z)), trailing_zeros(y) - trailing_zeros(z)};
    if (std::abs(out.shift) < out.bits) {
        return error("CUTE_MASKS", fmt::format("the fields 0x{:x} and 0x{:x} overlap", static_cast<std::uint64_t>(y),
                                               static_cast<std::uint64_t>(z)));
    }
    return out;
}

Result<Swizzle> swizzle_from_table(std::span<const std::int64_t> table) {
    const auto count = static_cast<std::int64_t>(table.size());
    if (!is_power_of_two(count))
        return error("CUTE_TABLE", fmt::format("a table of {} values; a swizzle is told by a power of two", count));
    if (table[0] != 0) return no_swizzle("f(0)!=0");
    const int bits = log2_exact(count);
    for (std::size_t x = 1; x < table.size(); ++x) {
        const std::size_t low = x & (~x + 1); // f(x) must be f(x without its lowest bit) ^ f(lowest bit)
        if (low != x && table[x] != (table[x ^ low] ^ table[low]))
            return no_swizzle(fmt::format("not linear over GF(2): first x={}", x));
    }
    // e_i = f(2^i) ^ 2^i: the bit that bit i is added to.
    std::int64_t y = 0, z = 0;
    std::optional<int> shift;
    for (int i = 0; i < bits; ++i) {
        const std::int64_t one = std::int64_t{1} << i;
        const std::int64_t added = table[static_cast<std::size_t>(one)] ^ one;
        if (added == 0) continue;
        if (added < 0 || ones(added) != 1) return no_swizzle(fmt::format("bit {} goes to several bits", i));
        const int to = trailing_zeros(added);
        if (shift && *shift != i - to) return no_swizzle("shift not constant");
        shift = i - to;
        y |= one;
        z |= added;
    }
    if (!shift) return Swizzle{0, 0, 0};
    if (!is_field(y)) return no_swizzle("the source bits are not one field");
    Result<Swizzle> out = swizzle_from_masks(y, z);
    if (!out) return no_swizzle(out.error().message);
    return out;
}

Result<Swizzle> recast(const Swizzle& swizzle, int from_bits, int to_bits) {
    LS_CHECK(check_widths(from_bits, to_bits));
    Swizzle out = swizzle;
    out.base += log2_exact(from_bits) - log2_exact(to_bits);
    if (out.base < 0) { // bits below one element are lost to the swizzle
        out.bits = std::max(0, out.bits + out.base);
        out.base = 0;
    }
    if (out.base + out.bits + std::abs(out.shift) > 62)
        return error("CUTE_RECAST", "the swizzle's bits would lie beyond 62");
    return out;
}

Result<Composed> element_form(const Composed& composed) {
    Composed out = composed;
    out.stages.clear();
    for (const Stage& stage : composed.stages) {
        Stage plain = stage;
        if (stage.offset.kind == Offset::Kind::SparseSmemPointer) {
            return error("CUTE_SPARSE", "sparse shared-memory pointers are not evaluated", "use the dense layout");
        }
        if (stage.offset.kind == Offset::Kind::SmemPointer) {
            if (const auto* swizzle = std::get_if<Swizzle>(&stage.outer)) {
                LS_TRY(plain.outer, recast(*swizzle, kByteBits, stage.offset.element_bits));
            }
            plain.offset = Offset{};
            plain.offset.number.is_static = true;
            const auto* swizzle = std::get_if<Swizzle>(&plain.outer);
            if (swizzle != nullptr && swizzle->bits == 0) continue;
        }
        out.stages.push_back(std::move(plain));
    }
    return out;
}

Result<Composed> recast(const Composed& composed, int from_bits, int to_bits) {
    LS_CHECK(check_widths(from_bits, to_bits));
    Composed out = composed;
    for (Stage& stage : out.stages) {
        auto* swizzle = std::get_if<Swizzle>(&stage.outer);
        if (swizzle == nullptr) return error("CUTE_RECAST", "only swizzles can be recast in front of a layout");
        if (stage.offset.kind != Offset::Kind::Number) {
            stage.offset.element_bits = to_bits;
        } else {
            if (stage.offset.number.value != 0)
                return error("CUTE_RECAST", "a composition with an offset cannot be recast");
            LS_TRY(*swizzle, recast(*swizzle, from_bits, to_bits));
        }
    }
    if (out.element_bits != 0) out.element_bits = to_bits;
    LS_TRY(out.layout, recast(composed.layout, from_bits, to_bits));
    return out;
}

} // namespace ls::cute
