// CuTe layouts as values: shape and stride trees, swizzles, compositions (spec/notation.md a, c).
//
//     ((2,4),3):((1,2),8)     a coordinate is split over the leaves of the shape, leftmost fastest; the value is the
//                             sum of digit · stride
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/support/result.h"

namespace ls::cute {

/// One number of a tree. `is_static` (written _8) marks compile-time numbers; it never changes a value.
struct Leaf {
    std::int64_t value = 1;
    bool is_static = false;
    bool unknown = false;            ///< '?': a run-time number that the text does not tell
    int unknown_bits = 32;           ///< ?{i64}
    std::int64_t divisor = 1;        ///< ?{div=8}: what is known about it
    std::vector<std::int64_t> basis; ///< E<0,1>: path into the coordinate, outermost first; empty for plain numbers

    bool operator==(const Leaf&) const = default;
};

/// A leaf, or a tuple of trees.
struct Tree {
    bool is_leaf = true;
    Leaf leaf;
    std::vector<Tree> items;

    static Tree number(std::int64_t value, bool is_static = false);
    static Tree tuple(std::vector<Tree> items);
    bool operator==(const Tree&) const = default;
};

/// A plain layout. Reader and algebra only make layouts for which check() is fine, so that size and values within the
/// domain fit 64 bits.
struct CuteLayout {
    Tree shape;
    Tree stride;
    bool operator==(const CuteLayout&) const = default;
};

/// Same nesting and counts (CUTE_CONGRUENT), extents >= 1 (CUTE_EXTENT), size and span fit 64 bits (CUTE_OVERFLOW).
Status check(const CuteLayout& layout);
bool congruent(const Tree& a, const Tree& b);
/// Whether any leaf is '?', or any stride has a basis.
bool has_unknown(const CuteLayout& layout);
bool has_basis(const CuteLayout& layout);

// --- queries of checked layouts
std::size_t rank(const Tree& tree);   ///< top modes; 1 for a leaf
std::size_t depth(const Tree& tree);  ///< 0 for a leaf
std::int64_t size(const Tree& shape); ///< product of leaves; 1 for ()
std::int64_t size(const CuteLayout& layout);
/// 1 + Σ (s−1)·|d|, as C++ has it: with negative strides the span, not the highest value + 1.
std::int64_t cosize(const CuteLayout& layout);
/// L(size−1) + 1, as pycute has it; differs where a stride is negative.
std::int64_t cosize_pycute(const CuteLayout& layout);
std::int64_t min_offset(const CuteLayout& layout);
/// Mode `i` as a layout; a leaf is its own mode 0.
CuteLayout mode(const CuteLayout& layout, std::size_t i);
/// All modes put side by side.
CuteLayout join(std::span<const CuteLayout> modes);

/// Leaves in order, left to right.
struct Flat {
    std::int64_t size = 1;
    std::int64_t stride = 0;
    bool operator==(const Flat&) const = default;
};
std::vector<Flat> flatten(const CuteLayout& layout);
/// A tuple of depth 1; a bare leaf for one entry, 1:0 for none.
CuteLayout from_flat(std::span<const Flat> leaves);
CuteLayout make_leaf(std::int64_t size, std::int64_t stride);

/// True when every number is static; mark_static sets all of them.
bool all_static(const CuteLayout& layout);
CuteLayout mark_static(CuteLayout layout, bool is_static = true);

/// Strides of the leaves in order, leftmost fastest. A static leaf of size 1 gets the static stride 0, as C++ prints.
Tree layout_left(const Tree& shape);
Tree layout_right(const Tree& shape);

/// Swizzle<B, M, S>: offset ^ (offset & Y) >> S.
///
///     S > 0:  | .. | Y: B bits at M+S | .. | Z: B bits at M | M bits |      Z ^= Y
///     S < 0:  | .. | Z: B bits at M−S | .. | Y: B bits at M | M bits |      Z ^= Y
struct Swizzle {
    int bits = 0;  ///< B
    int base = 4;  ///< M
    int shift = 3; ///< S, |S| >= B
    bool operator==(const Swizzle&) const = default;
};

/// What stands between the two 'o' of a composition.
struct Offset {
    enum class Kind : std::uint8_t { Number, Coordinate, SmemPointer, SparseSmemPointer };
    Kind kind = Kind::Number;
    Leaf number{0, false, false, 32, 1, {}};
    Tree coordinate;      ///< Coordinate
    int element_bits = 0; ///< SmemPointer: the swizzle before it works on bytes, the layout behind it on elements
    std::int64_t sparsity = 0;
    bool operator==(const Offset&) const = default;
};

/// outer o offset o (everything behind it)
struct Stage {
    std::variant<Swizzle, CuteLayout> outer;
    Offset offset;
    bool operator==(const Stage&) const = default;
};

/// A plain layout when there are no stages.
struct Composed {
    std::vector<Stage> stages; ///< outermost first
    CuteLayout layout;
    std::string engine;   ///< "smem_ptr[16b](0x10)" of a pasted tensor; a label
    int element_bits = 0; ///< of a pasted tensor or of a flagged pointer; 0 when unknown
    bool operator==(const Composed&) const = default;
};

} // namespace ls::cute
