// Private to core/layout: apply where every number is a constant, without heap or expressions.
#pragma once

#include <span>

#include "core/layout/layout.h"

namespace ls {

/// Each of these fills `point` as apply.cpp does for the tile (no swizzle) and answers true; or answers false, when a
/// number is symbolic, something overflows, or the layout is larger than the fixed buffers. `point` comes empty, and
/// stays so in that case.
bool constant_linear(const TileLayout& tile, std::int64_t x, AxisMap& point);

/// What the digit of an iter of extent 1 counts as: itself in a tile, 0 under a swizzle.
enum class UnitDigit : bool { Counts, Zero };
bool constant_digits(const TileLayout& tile, std::span<const Dim> digits, UnitDigit units, AxisMap& point);
/// Also answers false when the shape does not group the shard.
bool constant_grouped(const TileLayout& tile, std::span<const Dim> coordinates, std::span<const Dim> shape,
                      UnitDigit units, AxisMap& point);

} // namespace ls
