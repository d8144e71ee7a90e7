// Outlines of the layout's levels, the border of the grid, and patterns beside category colours.
#include <algorithm>
#include <cmath>

#include "core/scene/grid_pen.h"
#include "core/scene/pattern.h"

namespace ls::scene {

namespace {

struct Family {
    std::int64_t period = 1; ///< cells between lines
    LineLook look;
};

/// Line families along one axis, strongest (outermost) first; those that are not visible are left out.
std::vector<Family> families(const GridPen& pen, bool across_cols) {
    const double scale = across_cols ? pen.view.points_per_col() : pen.view.points_per_row();
    const std::int64_t count = across_cols ? pen.scene.cols : pen.scene.rows;
    std::vector<Family> out;
    const auto add = [&](std::int64_t period, LineKind kind) {
        if (period < 1 || period >= count) return;
        const LineLook look = line_look(kind, pen.px(), static_cast<double>(period) * scale);
        if (look.alpha > 0.004) out.push_back({period, look});
    };
    for (std::size_t i = pen.scene.levels.size(); i-- > 0;) {
        const GridLevel& level = pen.scene.levels[i];
        add(across_cols ? level.cols : level.rows, line_kind(i, pen.scene.levels.size()));
    }
    add(1, LineKind::Element);
    return out;
}

template <class Draw>
void rule(const std::vector<Family>& lines, std::int64_t first, std::int64_t end, const Draw& draw) {
    for (std::size_t f = lines.size(); f-- > 0;) { // weakest first, so that strong lines lie on top
        const std::int64_t period = lines[f].period;
        for (std::int64_t at = (first / period + 1) * period; at < end; at += period) {
            const bool stronger = std::any_of(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(f),
                                              [at](const Family& s) { return at % s.period == 0; });
            if (!stronger) draw(static_cast<double>(at), lines[f].look);
        }
    }
}

} // namespace

void draw_grid_lines(const GridPen& pen) {
    const CellRect seen = pen.view.visible();
    const Rect picture = pen.picture();
    rule(families(pen, true), seen.col, seen.col + seen.cols,
         [&](double col, const LineLook& look) { pen.vertical(pen.x(col), picture.y, picture.bottom(), look); });
    rule(families(pen, false), seen.row, seen.row + seen.rows,
         [&](double row, const LineLook& look) { pen.horizontal(pen.y(row), picture.x, picture.right(), look); });
}

void draw_grid_border(const GridPen& pen) {
    LineLook look = line_look(LineKind::Block, std::max(pen.px(), pen.metrics.texture_below), 1e9);
    look.alpha = 1;
    const Rect p = pen.picture(), area = pen.area();
    if (p.w <= 0 || p.h <= 0) return;
    const double left = pen.x(0), right = pen.x(static_cast<double>(pen.scene.cols));
    const double top = pen.y(0), bottom = pen.y(static_cast<double>(pen.scene.rows));
    const double over = on_device(look.width, 1, pen.layout.dpr).width / 2; // corners close
    if (left >= area.x) pen.vertical(left, p.y - over, p.bottom() + over, look);
    if (right <= area.right()) pen.vertical(right, p.y - over, p.bottom() + over, look);
    if (top >= area.y) pen.horizontal(top, p.x - over, p.right() + over, look);
    if (bottom <= area.bottom()) pen.horizontal(bottom, p.x - over, p.right() + over, look);
}

void draw_grid_patterns(const GridPen& pen) {
    constexpr double kLeastPx = 12; // smaller blocks could not show a pattern
    if (!pen.options.patterns || pen.scene.levels.empty()) return;
    // The finest level whose blocks are large enough; all cells of a block are taken to share its first cell's
    // category.
    std::size_t level = 0;
    const auto too_small = [&](const GridLevel& l) {
        return static_cast<double>(l.rows) * pen.view.points_per_row() < kLeastPx ||
               static_cast<double>(l.cols) * pen.view.points_per_col() < kLeastPx;
    };
    while (level < pen.scene.levels.size() && too_small(pen.scene.levels[level])) ++level;
    if (level == pen.scene.levels.size()) return;
    const CellRect seen = pen.view.visible();
    for (std::int64_t row = pen.block_of(level, {seen.row, seen.col}).row; row < seen.row + seen.rows;
         row += pen.scene.levels[level].rows) {
        for (std::int64_t col = pen.block_of(level, {seen.row, seen.col}).col; col < seen.col + seen.cols;
             col += pen.scene.levels[level].cols) {
            const ColorKey key = pen.color_at({row, col});
            if (key.family() != ColorKey::Family::Category) continue;
            const Rect r = intersect(pen.rect(pen.block_of(level, {row, col})), pen.area());
            for (const Pattern p : category_patterns(key.value())) {
                if (p != Pattern::None)
                    pen.out.add(
                        HatchRect{r, p, {ColorKey::role(Role::Ink), static_cast<float>(pattern_look(p).alpha)}});
            }
        }
    }
}

} // namespace ls::scene
