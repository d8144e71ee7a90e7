#include "core/scene/grid_draw.h"

#include <algorithm>

#include "core/scene/grid_pen.h"

namespace ls::scene {

namespace {

/// The area, with room for edges and marks that straddle the border where the grid ends inside it.
Rect clip_of(const GridPen& pen) {
    constexpr double kRoom = 3;
    const Rect area = pen.area();
    const double left = pen.x(0) >= area.x ? kRoom : 0,
                 right = pen.x(static_cast<double>(pen.scene.cols)) <= area.right() ? kRoom : 0;
    const double top = pen.y(0) >= area.y ? kRoom : 0,
                 bottom = pen.y(static_cast<double>(pen.scene.rows)) <= area.bottom() ? kRoom : 0;
    return {area.x - left, area.y - top, area.w + left + right, area.h + top + bottom};
}

} // namespace

GridDrawing draw_grid(const GridScene& scene, const Camera& camera, const GridLayout& layout, const GridFocus& focus,
                      const TextMeasure& measure, const GridDrawOptions& options, const CellImage* fill) {
    GridDrawing drawing;
    drawing.list.width = layout.width;
    drawing.list.height = layout.height;
    GridPen pen{scene, focus, measure, options, Metrics::builtin(), layout, layout.view(scene, camera), drawing.list};
    drawing.geometry.area = layout.area;
    drawing.geometry.view = pen.view;
    drawing.geometry.picture = pen.picture();
    if (!scene.cells || scene.rows <= 0 || scene.cols <= 0 || layout.area.w <= 0 || layout.area.h <= 0) return drawing;

    if (fill != nullptr && !fill->pixels.empty()) {
        drawing.list.add(PushClip{layout.area});
        CellImage image = *fill;
        image.rect.x += layout.area.x;
        image.rect.y += layout.area.y;
        drawing.list.add(std::move(image));
        drawing.list.add(PopClip{});
    }
    drawing.list.add(PushClip{clip_of(pen)});
    draw_grid_lines(pen);
    draw_grid_patterns(pen);
    draw_grid_overlays(pen);
    draw_grid_border(pen);
    draw_grid_hover(pen);
    draw_overlay_labels(pen);
    draw_block_labels(pen);
    draw_element_labels(pen);
    drawing.list.add(PopClip{});
    // Badges and counts may reach over the edge; a finding at the rim must not vanish.
    draw_grid_finding_marks(pen);
    draw_grid_pins(pen);
    if (options.axes) draw_grid_axes(pen);
    if (options.legend) draw_grid_legend(pen);
    if (focus.keyboard_focus) {
        const Rect ring = inflate({0, 0, layout.width, layout.height}, -2);
        drawing.list.add(StrokeRect{ring, {ColorKey::role(Role::Accent)}, 2, 3});
    }
    if (options.link != LinkSide::None && pen.hovering()) {
        const Rect cell = pen.rect(focus.hover);
        const double y = cell.y + cell.h / 2;
        const Rect picture = drawing.geometry.picture;
        if (y >= picture.y && y <= picture.bottom()) {
            drawing.geometry.link = Point{options.link == LinkSide::Left ? picture.x : picture.right(), y};
        }
    }
    return drawing;
}

} // namespace ls::scene
