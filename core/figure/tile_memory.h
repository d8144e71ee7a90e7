// The on-chip memories of a program as maps: every memory on its chip's scale, tiles where they lie while they live.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/analysis/tile_lifetimes.h"
#include "core/figure/memory_map.h"
#include "core/machine/hardware.h"

namespace ls::figure {

/// "tile_x" of "tile_x__ssa_v0": what the user called it.
std::string short_tile_name(std::string_view name);
/// "[32, 64] fp32"
std::string tile_shape_text(const ir::VarNode& tile);

/// One memory. Rows are the positions at which something begins or ends there, and the stretches between them; a second
/// name of bytes is hatched. Ids of blocks are indices into `lifetimes.buffers`; those of conflicts count from
/// kTileConflictHit downwards.
MemoryMap tile_memory_map(const TileLifetimes& lifetimes, const SpaceUse& use, const Hardware& hardware);
inline constexpr std::int64_t kTileConflictHit = -1'000'000;

struct TileMemoryOptions {
    double width = 1200;
    bool used_only = false; ///< the scale ends with what is used instead of with the capacity
};

/// All memories of all functions, one below the other.
scene::Picture tile_memory_picture(std::span<const TileLifetimes> functions, const Hardware& hardware,
                                   const TileMemoryOptions& options, const scene::TextMeasure& measure);

} // namespace ls::figure
