// CuTe layouts and ours, in both directions, so that the function stays the same (spec/notation.md a').
//
// Coordinate form: same value at the same logical coordinate. The modes are the dimensions, and the leaves inside each
// mode are reversed, because CuTe's first leaf is the fastest and our first iter the slowest.
// Flat form: same value at the same flat integer; all leaves reversed.
#pragma once

#include <span>
#include <vector>

#include "core/layout/tensor_layout.h"
#include "core/notation/cute_layout.h"

namespace ls::cute {

/// Coordinate form with shape = sizes of the modes. Basis strides go on `axes[i]`; without an entry on an axis named
/// "c<i>". A flagged pointer gives its element width (as an unsigned type) and shared memory.
/// Refused: CUTE_UNKNOWN, CUTE_NO_COMPOSITION (an outer layout that cannot be folded), CUTE_STAGES (two swizzles, a
/// swizzle under a layout, an offset that does not fold), CUTE_BASIS (a swizzle over coordinates), CUTE_RECAST,
/// LAYOUT_*.
Result<TensorLayout> to_tensor(const Composed& composed, std::span<const Axis> axes = {});
/// Flat form of a plain layout. Refused: CUTE_UNKNOWN, CUTE_BASIS.
Result<Layout> to_flat(const CuteLayout& layout);

struct FromTensor {
    Composed composed;
    std::vector<Axis> axes; ///< what 0, 1, ... stand for in basis strides; empty when everything is on m
};
/// The layout over its shape. Refused (TXT_CANNOT_SAY): replicas, an offset without a swizzle, symbolic extents, a
/// shape that does not group the iters, a swizzle over other axes than m.
Result<FromTensor> from_tensor(const TensorLayout& tensor);

/// Inverse of a thread-value layout: who holds element (m, n) of the tile. Thread leaves go on `thread_axis`, values on
/// m; threads that hold the same element become replicas. Refused: CUTE_TV (rank, or strides that are no mixed radix of
/// M·N), CUTE_UNKNOWN, CUTE_BASIS.
Result<TensorLayout> fragment_from_tv(const CuteLayout& tv, std::int64_t m, std::int64_t n, Axis thread_axis);

} // namespace ls::cute
