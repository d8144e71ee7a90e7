// Filled polygons of any simple outline; ImGui 1.86 fills convex ones only.
#pragma once

#include <span>

struct ImDrawList;
struct ImVec2;

namespace ls::views {

/// Fills the outline, which must not cross itself. Convex ones get soft edges.
void fill_polygon(ImDrawList& list, std::span<const ImVec2> outline, unsigned color);

} // namespace ls::views
