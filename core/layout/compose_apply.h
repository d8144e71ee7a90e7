// Private to core/layout: the swizzled address of a tile's digits.
#pragma once

#include <span>

#include "core/layout/layout.h"

namespace ls {

/// (f(m // 2^M) << M) + m % 2^M with f the XOR of `parameters`; a number when m is one.
Dim full_swizzle(const ComposeLayout& parameters, const Dim& m);

/// The address of digits over `shard` (the tile's own iters, or its iters grouped by a shape) with the tile's offset.
/// Each digit is taken to lie in [0, extent); digits of iters of extent 1 count as 0 (spec/tirx.md 2).
Result<Dim> structured_address(const ComposeLayout& compose, std::span<const Iter> shard, std::span<const Dim> digits);

} // namespace ls
