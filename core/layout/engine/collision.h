// Whether two elements meet in one place, and the smallest two that do.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/layout/engine/map.h"
#include "core/layout/engine/watch.h"

namespace ls::engine {

/// Two different elements of which some copies lie at the same point.
struct Collision {
    std::int64_t first = 0; ///< row-major indices, first < second
    std::int64_t second = 0;
    Shape first_coordinate;
    Shape second_coordinate;
    std::vector<std::int64_t> point; ///< where they meet, one value an axis of the map, after the swizzle
};

/// Empty when the layout is injective. Otherwise the pair with the smallest `second`, and of those the one with the
/// smallest `first`. No table: the answer for a tensor of any size follows from its iters.
/// ENGINE_SEARCH when the iters reach into each other so much that the search was given up.
Result<std::optional<Collision>> find_collision(const CompiledMap& map, const Watch* watch = nullptr);

} // namespace ls::engine
