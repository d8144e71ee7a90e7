#include "core/scene/grid_pen.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ls::scene {

Rect intersect(const Rect& a, const Rect& b) {
    const double x = std::max(a.x, b.x), y = std::max(a.y, b.y);
    return {x, y, std::max(0.0, std::min(a.right(), b.right()) - x),
            std::max(0.0, std::min(a.bottom(), b.bottom()) - y)};
}

Rect inflate(const Rect& r, double by) { return {r.x - by, r.y - by, r.w + 2 * by, r.h + 2 * by}; }

Rect at_least(const Rect& r, double least) {
    const double w = std::max(r.w, least), h = std::max(r.h, least);
    return {r.x - (w - r.w) / 2, r.y - (h - r.h) / 2, w, h};
}

CellRect GridPen::block_of(std::size_t level, Cell cell) const {
    const GridLevel& l = scene.levels[level];
    const std::int64_t rows = std::max<std::int64_t>(1, l.rows), cols = std::max<std::int64_t>(1, l.cols);
    const std::int64_t row = cell.row / rows * rows, col = cell.col / cols * cols;
    return {row, col, std::min(rows, scene.rows - row), std::min(cols, scene.cols - col)};
}

CellRect GridPen::hovered_run() const {
    return scene.levels.empty() ? CellRect{focus.hover.row, focus.hover.col, 1, 1} : block_of(0, focus.hover);
}

std::optional<CellRect> GridPen::hovered_tile() const {
    // The inner tile is the level drawn as one; of two kinds of run the outer is no tile.
    for (std::size_t level = 1; level < scene.levels.size(); ++level) {
        if (line_kind(level, scene.levels.size()) == LineKind::Tile) return block_of(level, focus.hover);
    }
    return {};
}

ColorKey GridPen::color_at(Cell cell) const {
    ColorKey key;
    scene.cells->colors({&cell.row, 1}, {&cell.col, 1}, &key);
    return key;
}

void GridPen::text(Point at, std::string utf8, FontFace face, HAlign h, Paint ink, ColorKey halo) const {
    out.add(Text{at, std::move(utf8), face, metrics.micro, h, VAlign::Middle, ink, halo});
}

void GridPen::vertical(double at_x, double y0, double y1, const LineLook& look) const {
    const DeviceLine line = on_device(look.width, look.alpha, layout.dpr);
    const double left = at_x - std::floor(line.width * layout.dpr / 2) / layout.dpr;
    out.add(FillRect{{left, y0, line.width, y1 - y0}, {ColorKey::role(look.ink), static_cast<float>(line.alpha)}});
}

void GridPen::horizontal(double at_y, double x0, double x1, const LineLook& look) const {
    const DeviceLine line = on_device(look.width, look.alpha, layout.dpr);
    const double top = at_y - std::floor(line.width * layout.dpr / 2) / layout.dpr;
    out.add(FillRect{{x0, top, x1 - x0, line.width}, {ColorKey::role(look.ink), static_cast<float>(line.alpha)}});
}

void GridPen::frame(const Rect& box, Paint stroke, double width) const {
    const double dpr = layout.dpr;
    const double pixels = std::max(1.0, std::round(width * dpr));
    // An odd width lies on the pixels right of and below the edge, where single lines lie too.
    const double shift = std::fmod(pixels, 2.0) == 1.0 ? 0.5 : 0.0;
    const auto snap = [&](double v) { return (std::round(v * dpr) + shift) / dpr; };
    const Rect r{snap(box.x), snap(box.y), snap(box.right()) - snap(box.x), snap(box.bottom()) - snap(box.y)};
    out.add(StrokeRect{r, stroke, pixels / dpr});
}

void GridPen::pill(Rect box, std::string utf8) const {
    out.add(FillRect{box, {ColorKey::role(Role::Plate)}, 4});
    text({box.x + box.w / 2, box.y + box.h / 2}, std::move(utf8), FontFace::MonoBold, HAlign::Centre,
         {ColorKey::role(Role::OnPlate)});
}

} // namespace ls::scene
