// Inside of draw_grid: what its parts share. Not for use outside core/scene/grid_*.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/scene/draw_list.h"
#include "core/scene/grid.h"
#include "core/scene/grid_layout.h"
#include "core/scene/line_rules.h"
#include "core/scene/metrics.h"

namespace ls::scene {

inline constexpr double kTopGutter = 38; // ticks on one row, pills on the next
inline constexpr double kPillHeight = 18;
inline constexpr double kPillPad = 6;
inline constexpr double kAxisGap = 5;        // between axis texts and cells
inline constexpr double kTextRow = 14;       // line height of micro text
inline constexpr double kTickClearance = 12; // ticks this near to a pill give way to it

double legend_height(const GridScene& scene);

/// Everything is drawn in viewport points.
struct GridPen {
    const GridScene& scene;
    const GridFocus& focus;
    const TextMeasure& measure;
    const GridDrawOptions& options;
    const Metrics& metrics;
    GridLayout layout;
    GridView view;
    DrawList& out;

    double px() const { return view.element_px(); }
    Rect area() const { return layout.area; }
    double x(double col) const { return layout.area.x + view.x_of(col); }
    double y(double row) const { return layout.area.y + view.y_of(row); }
    Rect rect(const CellRect& cells) const {
        const Rect r = view.rect_of(cells);
        return {r.x + layout.area.x, r.y + layout.area.y, r.w, r.h};
    }
    Rect rect(Cell cell) const { return rect(CellRect{cell.row, cell.col, 1, 1}); }
    Rect picture() const {
        const Rect r = view.picture();
        return {r.x + layout.area.x, r.y + layout.area.y, r.w, r.h};
    }
    bool in_grid(Cell c) const { return c.valid() && c.row < scene.rows && c.col < scene.cols; }
    bool hovering() const { return in_grid(focus.hover); }

    /// Block of `level` that holds `cell`, cut to the grid.
    CellRect block_of(std::size_t level, Cell cell) const;
    /// The hovered element's innermost run and inner tile; the element itself where there are no levels.
    CellRect hovered_run() const;
    std::optional<CellRect> hovered_tile() const;
    ColorKey color_at(Cell cell) const;

    double text_width(const std::string& text, FontFace face) const { return measure.width(text, face, metrics.micro); }
    void text(Point at, std::string utf8, FontFace face, HAlign h, Paint ink,
              ColorKey halo = ColorKey::role(Role::None)) const;
    /// Lines centred on a device pixel edge.
    void vertical(double at_x, double y0, double y1, const LineLook& look) const;
    void horizontal(double at_y, double x0, double x1, const LineLook& look) const;
    /// An outline of whole device pixels, centred on the pixel edges of `box`.
    void frame(const Rect& box, Paint stroke, double width) const;
    /// A black pill with mono text; `box` is its rectangle.
    void pill(Rect box, std::string utf8) const;
};

/// Overlap of two rectangles; w or h is 0 when there is none.
Rect intersect(const Rect& a, const Rect& b);
Rect inflate(const Rect& r, double by);
/// At least `least` points in both directions, about the same centre.
Rect at_least(const Rect& r, double least);

/// Box and badge of a pin, as far as draw_grid_pins() draws them.
Rect pin_extent(const GridPen& pen, Cell cell);

// The parts of a picture, in the order in which they are drawn.
void draw_grid_lines(const GridPen& pen);
void draw_grid_patterns(const GridPen& pen);
void draw_grid_overlays(const GridPen& pen);
void draw_grid_hover(const GridPen& pen);
void draw_overlay_labels(const GridPen& pen);
void draw_block_labels(const GridPen& pen);
void draw_element_labels(const GridPen& pen);
void draw_grid_pins(const GridPen& pen);
void draw_grid_finding_marks(const GridPen& pen);
void draw_grid_border(const GridPen& pen);
void draw_grid_axes(const GridPen& pen);
void draw_grid_legend(const GridPen& pen);

} // namespace ls::scene
