// What every compiled form starts from: a constant layout as digits of the linear element index.
//
// apply(x, shape) splits each x_d over its group, or flattens x and splits the sum (spec/tirx.md 3.1). For coordinates
// inside the shape both read the same digits: group() only cuts iters where a dimension ends, and a cut digit pair
// (q, r) with q·c + r adds the same offset. So a layout is one mixed-radix number whose value is the row-major index:
//
//     index = Σ digit_k · place_k      0 ≤ digit_k < extent_k,  place_0 = 1, place_{k+1} = place_k · extent_k
//     point[axis] = offset[axis] + Σ_{k on axis} digit_k · stride_k
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/layout/layout.h"
#include "core/support/result.h"

namespace ls::engine {

/// place: what one step of the digit adds to the linear element index; 0 for a replica digit.
struct Digit {
    std::int64_t extent = 1;
    std::int64_t stride = 0; ///< elements (or threads, lanes, ... : units of the axis)
    std::int64_t place = 0;
    Axis axis;
};

/// The XOR of a ComposeLayout on whole offsets (bits already moved up by per_element):
///
///     inner:  x ^ ((x & mask) >> shift)      mask = outer bits
///     outer:  x ^ ((x & mask) << shift)      mask = inner bits
///
/// Both are their own inverse, because shift = S ≥ B keeps the bits that are read apart from the bits that change.
/// Negative offsets are taken in two's complement, as floor division and modulo read them.
struct Swizzle {
    enum class Kind : std::uint8_t { None, Inner, Outer };
    Kind kind = Kind::None;
    std::int64_t mask = 0;
    int shift = 0;
    std::int64_t period = 1;    ///< 2^(M+B+S): offsets that are multiples of it pass through unchanged
    std::int64_t untouched = 1; ///< 2^M: runs of so many elements, aligned, stay together

    std::int64_t operator()(std::int64_t x) const {
        if (kind == Kind::None) return x;
        return kind == Kind::Inner ? x ^ ((x & mask) >> shift) : x ^ ((x & mask) << shift);
    }
    bool operator==(const Swizzle&) const = default;
};

/// All values of one axis before the swizzle, both ends included. Without replicas: `low`, `high`.
struct AxisRange {
    Axis axis;
    std::int64_t offset = 0;
    std::int64_t low = 0, high = 0;                 ///< over all elements, first copy
    std::int64_t replica_low = 0, replica_high = 0; ///< over all displacements; 0 is one of them
};

/// By default the empty tile seen through the empty shape: one element, at 0 on m.
struct Lowered {
    Shape shape;
    std::int64_t elements = 1;   ///< product(shape)
    std::vector<Digit> digits;   ///< innermost (place 1) first; no unit digits; neighbours fused where they can be
    std::vector<Digit> replicas; ///< no unit digits
    /// Every axis that the layout names, ordered; the axis `m` when it names none.
    std::vector<AxisRange> axes{AxisRange{}};
    Swizzle swizzle; ///< of axis m; None when it cannot change any offset
    /// product(shape) is smaller than the layout and cuts the top digit in the middle: not every combination of
    /// digits occurs.
    bool partial = false;
};

/// Refuses symbols (ENGINE_SYMBOLIC), shapes with an extent < 1 (ENGINE_SHAPE), more than 2^62 elements or offsets
/// outside int64 (ENGINE_OVERFLOW), layout extents < 1 (LAYOUT_EXTENT), ill-formed swizzles (LAYOUT_SWIZZLE) and
/// swizzles of a tile on another axis than m (LAYOUT_COMPOSE_AXIS; replicas may be on any).
Result<Lowered> lower(const Layout& layout, std::span<const std::int64_t> shape);

/// "(3, 0, 17)"
std::string to_text(std::span<const std::int64_t> coordinate);

} // namespace ls::engine
