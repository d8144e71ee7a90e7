// The algebra of CuTe layouts (spec/notation.md b). One source file an operation. Results are static where all inputs
// are. All refuse CUTE_OVERFLOW, CUTE_UNKNOWN ('?') and, where not said otherwise, CUTE_BASIS.
#pragma once

#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "core/notation/cute_layout.h"

namespace ls::cute {

// --- cute_coalesce.cpp
/// Same function on [0, size), depth <= 1, neighbours merged.
Result<CuteLayout> coalesce(const CuteLayout& layout);
/// Each mode by itself, as deep as the profile is nested.
Result<CuteLayout> coalesce(const CuteLayout& layout, const Tree& profile);
/// Coalesced leaves, without sizes of 1; empty for a single element.
std::vector<Flat> coalesced_leaves(const CuteLayout& layout);

// --- cute_complement.cpp
/// Strictly increasing C with C(i) outside the image for i >= 1, up to n. Refused: CUTE_NOT_INJECTIVE, CUTE_NEGATIVE.
Result<CuteLayout> complement(const CuteLayout& layout, std::int64_t n);

// --- cute_composition.cpp
/// Why no layout compatible with B equals A(B(c)) at every coordinate.
struct CompositionWitness {
    enum class Kind : std::uint8_t { RunDoesNotDivide, NotAdditive, Carry };
    Kind kind = Kind::Carry;
    std::size_t leaf = 0; ///< of B, left to right (not for Carry)
    std::int64_t leaf_size = 0;
    std::int64_t step = 1;                ///< elements of the leaf that one digit of the failing level counts
    std::int64_t run = 0;                 ///< digits that are evenly spaced
    std::int64_t rest = 0;                ///< digits of that level
    std::int64_t at = 0;                  ///< index in the leaf (Carry: flat index in B) where it fails
    std::vector<std::int64_t> coordinate; ///< Carry: digit of every leaf of B
    std::int64_t b = 0;                   ///< Carry: B's value there
    std::int64_t want = 0;                ///< A(B(c))
    std::int64_t found = 0;               ///< what a layout would have to answer there
};
struct CompositionAnswer {
    std::optional<CuteLayout> layout; ///< its shape refines B's leaf by leaf; every leaf coalesced
    std::optional<CompositionWitness> witness;
};
/// The exact decision. Refused: CUTE_TOO_LARGE when B is too large to decide what the fast path declines.
Result<CompositionAnswer> decide_composition(const CuteLayout& a, const CuteLayout& b);
/// A∘B, or CUTE_NO_COMPOSITION with the witness in words. B's strides may name modes of A (1@0).
Result<CuteLayout> composition(const CuteLayout& a, const CuteLayout& b);

/// One layout for each mode; empty for '_' (keep the mode).
using Tiler = std::vector<std::optional<CuteLayout>>;
/// Mode by mode; modes of A beyond the tiler are dropped.
Result<CuteLayout> composition(const CuteLayout& a, const Tiler& tiler);

// --- cute_inverse.cpp
Result<CuteLayout> right_inverse(const CuteLayout& layout); ///< L(R(i)) == i for i < size(R)
Result<CuteLayout>
left_inverse(const CuteLayout& layout);                 ///< R(L(i)) == i when L is injective. Refused: CUTE_NO_INVERSE
Result<CuteLayout> nullspace(const CuteLayout& layout); ///< coordinates that do not change the value

// --- cute_divide.cpp
enum class Arrangement : std::uint8_t {
    Logical, ///< ((t0,r0),(t1,r1),...)
    Zipped,  ///< ((t0,t1,...),(r0,r1,...))
    Tiled,   ///< ((t0,t1,...),r0,r1,...)
    Flat,    ///< (t0,t1,...,r0,r1,...)
};
Result<CuteLayout> divide(const CuteLayout& a, const CuteLayout& tiler, Arrangement arrangement = Arrangement::Logical);
Result<CuteLayout> divide(const CuteLayout& a, const Tiler& tiler, Arrangement arrangement = Arrangement::Logical);

// --- cute_product.cpp
Result<CuteLayout> product(const CuteLayout& a, const CuteLayout& tiler,
                           Arrangement arrangement = Arrangement::Logical);
Result<CuteLayout> product(const CuteLayout& a, const Tiler& tiler, Arrangement arrangement = Arrangement::Logical);
Result<CuteLayout> blocked_product(const CuteLayout& a, const CuteLayout& tiler); ///< ((a0,t0),(a1,t1),...)
Result<CuteLayout> raked_product(const CuteLayout& a, const CuteLayout& tiler);   ///< ((t0,a0),(t1,a1),...)

// --- cute_tile_to_shape.cpp
/// The block repeated until it fills `shape`. `step[k]`: place of mode k in the order of repetition, smallest fastest;
/// empty for left to right. Refused: CUTE_TILE (the block does not divide the shape), CUTE_STEP.
Result<CuteLayout> tile_to_shape(const CuteLayout& block, std::span<const std::int64_t> shape,
                                 std::span<const std::int64_t> step = {});
Result<Composed> tile_to_shape(const Composed& block, std::span<const std::int64_t> shape,
                               std::span<const std::int64_t> step = {});

// --- cute_recast.cpp
Result<CuteLayout> upcast(const CuteLayout& layout, std::int64_t n);   ///< n elements become one. Refused: CUTE_RECAST
Result<CuteLayout> downcast(const CuteLayout& layout, std::int64_t n); ///< one element becomes n. Refused: CUTE_RECAST
Result<CuteLayout> recast(const CuteLayout& layout, int from_bits, int to_bits);

// --- cute_tv.cpp
struct ThreadValue {
    CuteLayout tv;                   ///< (thread, value) -> flat coordinate of the tile
    CuteLayout mn;                   ///< tile coordinate -> thread + value · |threads|
    std::vector<std::int64_t> tiler; ///< extents of the tile
};
Result<ThreadValue> make_layout_tv(const CuteLayout& threads, const CuteLayout& values);
/// Elements that both layouts hold side by side from 0 on.
Result<std::int64_t> max_common_vector(const CuteLayout& a, const CuteLayout& b);

} // namespace ls::cute
