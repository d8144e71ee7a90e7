// Hatches as geometry, so that every painter draws the same ones. They hang in the picture's space, not in their
// rectangle: neighbours join without a seam and nothing swims while zooming.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/scene/draw_list.h"

namespace ls::scene {

struct PatternLook {
    double pitch = 6;   ///< points between two lines, or dots
    double width = 1;   ///< of a line, or of a dot
    double alpha = 0.3; ///< strength to use where nothing else is wanted
    bool rising = false, falling = false, horizontal = false, vertical = false, dots = false;
};
PatternLook pattern_look(Pattern pattern);

struct HatchLine {
    Point a, b;
};
/// The lines of `pattern` inside `rect`, cut to it. Empty for dots.
std::vector<HatchLine> hatch_lines(const Rect& rect, Pattern pattern);
/// Centres of the dots of `pattern` inside `rect`.
std::vector<Point> hatch_dots(const Rect& rect, Pattern pattern);

/// The pattern that stands beside a category colour: plain / − | \ ×-like, then the same with dots (two patterns).
std::array<Pattern, 2> category_patterns(std::uint32_t category);

} // namespace ls::scene
