#include "core/scene/grid_layout.h"

#include <algorithm>
#include <cmath>

#include "core/scene/grid_pen.h"
#include "core/scene/metrics.h"

namespace ls::scene {

namespace {

/// Widest of the texts that the row axis will show, judged by its ends and middle; ticks of one axis are alike.
double widest_row_text(const GridScene& scene, const TextMeasure& measure) {
    const Metrics& m = Metrics::builtin();
    if (!scene.cells || scene.rows <= 0 || scene.cols <= 0) return 0;
    double widest = measure.width(scene.corner, FontFace::Mono, m.micro);
    for (const std::int64_t row : {std::int64_t{0}, scene.rows / 2, scene.rows - 1}) {
        widest = std::max(widest, measure.width(scene.cells->row_tick(row), FontFace::Mono, m.micro));
        widest = std::max(widest, measure.width(scene.cells->row_pill({row, 0}), FontFace::MonoBold, m.micro));
    }
    return widest;
}

} // namespace

GridLayout layout_grid(const GridScene& scene, double width, double height, double dpr, const TextMeasure& measure,
                       const GridDrawOptions& options) {
    const Metrics& m = Metrics::builtin();
    GridLayout layout;
    layout.width = width;
    layout.height = height;
    layout.dpr = dpr > 0 ? dpr : 1;
    const double pad = m.canvas_pad;
    const double left =
        options.axes
            ? std::max(pad + kPillPad, std::ceil(widest_row_text(scene, measure)) + 2 * kPillPad + kAxisGap + 4)
            : pad;
    const double top = options.axes ? kTopGutter : pad;
    if (options.legend) layout.legend_height = legend_height(scene);
    const double right = width - pad, bottom = height - (layout.legend_height > 0 ? layout.legend_height : pad);
    const auto snap = [&layout](double v) { return std::round(v * layout.dpr) / layout.dpr; };
    layout.area.x = snap(left);
    layout.area.y = snap(top);
    layout.area.w = std::max(0.0, snap(right) - layout.area.x);
    layout.area.h = std::max(0.0, snap(bottom) - layout.area.y);
    return layout;
}

GridView GridLayout::view(const GridScene& scene, const Camera& camera) const {
    return GridView::of(scene, camera, area.w, area.h, dpr);
}

std::optional<Cell> GridGeometry::cell_at(Point p) const { return view.cell_at({p.x - area.x, p.y - area.y}); }

Rect GridGeometry::rect_of(Cell cell) const {
    const Rect r = view.rect_of(cell);
    return {r.x + area.x, r.y + area.y, r.w, r.h};
}

} // namespace ls::scene
