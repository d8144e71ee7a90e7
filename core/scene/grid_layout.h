// The frame of a grid picture: gutters for axes, the area of the cells, the legend; and what is where for the mouse.
#pragma once

#include <optional>

#include "core/scene/draw_list.h"
#include "core/scene/grid.h"
#include "core/scene/grid_camera.h"

namespace ls::scene {

/// Which edge of the cells the link to the other picture leaves from; guides run on to it.
enum class LinkSide : std::uint8_t { None, Left, Right };

struct GridDrawOptions {
    bool axes = true;
    bool legend = true;
    bool patterns = false; ///< colour-blind help: a pattern beside every category colour
    LinkSide link = LinkSide::None;
};

/// Does not depend on the camera, so that nothing moves while panning and zooming.
struct GridLayout {
    double width = 0, height = 0, dpr = 1; ///< the viewport, in points
    Rect area;                             ///< of the cells
    double legend_height = 0;

    /// The cells as the camera sees them; positions of the view are relative to area's corner.
    GridView view(const GridScene& scene, const Camera& camera) const;
};

GridLayout layout_grid(const GridScene& scene, double width, double height, double dpr, const TextMeasure& measure,
                       const GridDrawOptions& options = {});

/// What the mouse needs; positions in points of the viewport.
struct GridGeometry {
    Rect area;    ///< of the cells, also where they are clipped
    Rect picture; ///< the part of it that the grid covers
    GridView view;
    std::optional<Point> link; ///< where the link to the other picture leaves, if the hovered cell is in sight

    std::optional<Cell> cell_at(Point p) const;
    Rect rect_of(Cell cell) const;
};

} // namespace ls::scene
