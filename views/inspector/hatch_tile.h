// Hatches as small images that repeat: drawn in screen space, so that they do not swim while the picture zooms.
#pragma once

#include <cstdint>
#include <vector>

#include "core/scene/draw_list.h"

namespace ls::views {

struct HatchImage {
    int pixels = 0; ///< square
    std::vector<std::uint8_t> coverage;
};

/// The tile of `pattern` for a screen of `dpr` device pixels a point; empty for Pattern::None. Distances between lines
/// are rounded to whole device pixels so that the tile repeats without a seam.
HatchImage hatch_image(scene::Pattern pattern, double dpr);

} // namespace ls::views
