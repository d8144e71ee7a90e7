// Sizes and thresholds of pictures, from the design tokens. In points unless a name says otherwise.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "core/support/result.h"

namespace ls::scene {

/// Width and strength of a line from a zoom on.
struct LineStep {
    double from_px = 0; ///< points per element along the shorter cell side
    double width = 1;
    double alpha = 1;
    bool operator==(const LineStep&) const = default;
};

struct Metrics {
    // Zoom, in points per element.
    double zoom_min = 0, zoom_max = 0;
    double texture_below = 0; ///< under this cells are texture, without lines
    double block_labels = 0;  ///< from here blocks carry their names
    double corner_labels = 0; ///< from here on corner plates
    double one_label = 0;     ///< from here every element carries one label
    double three_labels = 0;  ///< from here three
    double label_pad = 0;     ///< free space a label needs round it

    // Lines of each level, weakest zoom first.
    std::vector<LineStep> element, run, tile, block;
    double hover = 0, hover_halo = 0, pin = 0, finding = 0, selected = 0, window = 0, link = 0, guide = 0;
    std::array<double, 2> guide_dash{}, unvisited_dash{};

    // Space and type.
    double canvas_pad = 0;
    double micro = 0, small = 0, body = 0, title = 0; ///< text sizes

    /// Those of the built-in tokens.
    static const Metrics& builtin();
    /// Refuses with THEME_TOKENS, naming the missing or wrong token.
    static Result<Metrics> from_tokens(std::string_view json);
};

} // namespace ls::scene
