// A grid as marks: the one drawing of it that the window, SVG, PNG and PDF share (design section 4).
#pragma once

#include "core/scene/draw_list.h"
#include "core/scene/grid.h"
#include "core/scene/grid_layout.h"

namespace ls::scene {

struct GridDrawing {
    DrawList list; ///< without background; `fill` first when it was given
    GridGeometry geometry;
};

/// Draws `scene` through `camera` into `layout`. `fill`: the cells' image (GridFill::image()), or null when the caller
/// draws it beneath; its rect is relative to the area, as GridFill makes it. Draws nothing for a scene without source.
GridDrawing draw_grid(const GridScene& scene, const Camera& camera, const GridLayout& layout, const GridFocus& focus,
                      const TextMeasure& measure, const GridDrawOptions& options = {}, const CellImage* fill = nullptr);

} // namespace ls::scene
