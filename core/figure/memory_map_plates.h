// What is said beside the conflicts of a memory map. Private to the figure.
#pragma once

#include <span>
#include <string>

#include "core/scene/draw_list.h"

namespace ls::figure {

struct ConflictPlate {
    scene::Rect at;    ///< of the conflict
    std::string names; ///< "✗ a ∩ b"
    std::string bytes; ///< "bytes 0–127, 128 B"
};

/// Each plate inside its conflict, or below, above, to the right or to the left of it, wherever nothing is said yet; left
/// out where there is no room. `within` is the plot.
void draw_conflict_plates(scene::DrawList& into, std::span<const ConflictPlate> plates, const scene::Rect& within,
                          const scene::TextMeasure& measure);

} // namespace ls::figure
