// How well a layout fills its memory: holes, places that several elements share, addresses outside.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/layout/engine/map.h"
#include "core/layout/engine/watch.h"

namespace ls::engine {

/// Counts over the places [0, span) of every axis. A hit is one copy of one element.
struct Coverage {
    std::int64_t places = 0;       ///< product of the spans
    std::int64_t hits = 0;         ///< elements · copies
    std::int64_t out_of_range = 0; ///< hits outside [0, span) on some axis
    std::int64_t used = 0;         ///< places with at least one hit
    std::int64_t holes = 0;        ///< places without: places − used
    std::int64_t shared = 0;       ///< places with two hits or more

    /// Every place holds exactly one copy of one element, and none lies outside.
    bool is_exact() const { return out_of_range == 0 && holes == 0 && shared == 0; }
    bool operator==(const Coverage&) const = default;
};

struct CoverageOptions {
    std::span<const std::int64_t> spans = {};                  ///< one an axis of the map; empty: natural_spans
    std::int64_t memory_limit_bytes = std::int64_t{256} << 20; ///< for counting layouts without a closed form
    std::int64_t step_limit = std::int64_t{1} << 33;           ///< hits that are counted one by one; some ten seconds
    const Watch* watch = nullptr;
};

/// Largest value + 1 on each axis before the swizzle, copies included, at least 0: what ls::span answers, and what an
/// allocation of exactly the layout's size would hold.
std::vector<std::int64_t> natural_spans(const CompiledMap& map);

/// Exact. Closed form where the iters of an axis nest (see inverse.h), whatever the size; else each hit on that axis
/// is counted in a bitmap. Refuses a wrong number of spans or one < 0 (ENGINE_SPAN), counts beyond 64 bits
/// (ENGINE_OVERFLOW), bitmaps and counts beyond the limits (ENGINE_LIMIT), and shapes that cut a layout of several axes
/// in the middle of its outermost iter (ENGINE_PARTIAL).
Result<Coverage> coverage(const CompiledMap& map, const CoverageOptions& options = {});

} // namespace ls::engine
