// Ticks at the borders of outer tiles, and the black pills of the hovered row and column that replace them nearby.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/scene/grid_pen.h"

namespace ls::scene {

namespace {

Paint ink(Role role, double alpha = 1) { return {ColorKey::role(role), static_cast<float>(alpha)}; }

struct Ticks {
    std::int64_t step = 0;   ///< cells between ticks; 0: none
    std::int64_t extent = 1; ///< cells that one tick names; its text is centred over them
};

/// The finest preferred period whose ticks do not touch; beyond the coarsest, every 2nd, 4th, ... of it.
Ticks choose_ticks(std::vector<std::int64_t> periods, std::int64_t count, double points_per_cell, double needed) {
    std::erase_if(periods, [](std::int64_t p) { return p < 1; });
    if (periods.empty()) periods.push_back(1);
    std::sort(periods.begin(), periods.end());
    for (std::int64_t period : periods) {
        if (static_cast<double>(period) * points_per_cell >= needed) return {period, period};
    }
    const std::int64_t coarsest = periods.back();
    std::int64_t step = coarsest;
    while (static_cast<double>(step) * points_per_cell < needed) {
        if (step > count || step > std::numeric_limits<std::int64_t>::max() / 2) return {count, coarsest};
        step *= 2;
    }
    return {step, coarsest};
}

std::vector<std::int64_t> periods(const GridPen& pen, bool rows) {
    const auto& wanted = rows ? pen.scene.row_tick_step : pen.scene.col_tick_step;
    if (!wanted.empty()) return wanted;
    std::vector<std::int64_t> out;
    for (std::size_t i = 0; i < pen.scene.levels.size(); ++i) {
        const std::int64_t p = rows ? pen.scene.levels[i].rows : pen.scene.levels[i].cols;
        if (p < (rows ? pen.scene.rows : pen.scene.cols)) out.push_back(p);
    }
    if (out.empty()) out.push_back(1);
    return out;
}

void draw_row_axis(const GridPen& pen, std::optional<double> pill_at) {
    const Rect picture = pen.picture();
    const double scale = pen.view.points_per_row();
    const Ticks ticks = choose_ticks(periods(pen, true), pen.scene.rows, scale, kTextRow + 6);
    const CellRect seen = pen.view.visible();
    double free_from = -1e9;
    for (std::int64_t row = seen.row / ticks.step * ticks.step; row < seen.row + seen.rows; row += ticks.step) {
        // At the first row of what it names, never above that.
        const double y = pen.y(static_cast<double>(row)) + std::max(kTextRow / 2, scale / 2);
        if (y < picture.y + 2 || y > picture.bottom() + 2 || y - kTextRow / 2 < free_from) continue;
        if (pill_at && std::abs(y - *pill_at) <= kTickClearance) continue;
        const std::string text = pen.scene.cells->row_tick(row);
        if (text.empty()) continue;
        pen.text({picture.x - kAxisGap - 2, y}, text, FontFace::Mono, HAlign::Right, ink(Role::Text3));
        free_from = y + kTextRow / 2;
    }
}

void draw_col_axis(const GridPen& pen, std::optional<double> pill_at) {
    const Rect picture = pen.picture();
    const double scale = pen.view.points_per_col();
    const std::vector<std::int64_t> steps = periods(pen, false);
    const CellRect seen = pen.view.visible();
    const std::string sample =
        pen.scene.cells->col_tick(std::max<std::int64_t>(0, (pen.scene.cols - 1) / steps.front() * steps.front()));
    const Ticks ticks = choose_ticks(steps, pen.scene.cols, scale, pen.text_width(sample, FontFace::Mono) + 14);
    const double y = picture.y - kTopGutter + kTextRow / 2 + 4;
    double free_from = -1e9;
    for (std::int64_t col = seen.col / ticks.step * ticks.step; col < seen.col + seen.cols; col += ticks.step) {
        const std::int64_t last = std::min(col + ticks.extent, pen.scene.cols);
        // Over the middle of what is seen of the named columns.
        const double x0 = std::max(pen.x(static_cast<double>(col)), picture.x),
                     x1 = std::min(pen.x(static_cast<double>(last)), picture.right());
        if (x1 <= x0) continue;
        const std::string text = pen.scene.cells->col_tick(col);
        const double w = pen.text_width(text, FontFace::Mono);
        const double x = std::max((x0 + x1) / 2, picture.x + w / 2); // clear of the corner's text
        if (text.empty() || x - w / 2 < free_from || x + w / 2 > pen.layout.width) continue;
        if (pill_at && std::abs(x - *pill_at) <= kTickClearance) continue;
        pen.text({x, y}, text, FontFace::Mono, HAlign::Centre, ink(Role::Text3));
        free_from = x + w / 2 + 8;
    }
}

} // namespace

void draw_grid_axes(const GridPen& pen) {
    const Rect picture = pen.picture();
    if (picture.w <= 0 || picture.h <= 0) return;
    std::optional<double> row_at, col_at;
    if (pen.hovering()) {
        const Rect cell = pen.rect(pen.focus.hover);
        const double x = cell.x + cell.w / 2, y = cell.y + cell.h / 2;
        if (y >= picture.y && y <= picture.bottom()) row_at = y;
        if (x >= picture.x && x <= picture.right()) col_at = x;
    }
    draw_row_axis(pen, row_at);
    draw_col_axis(pen, col_at);
    if (!pen.scene.corner.empty()) {
        pen.text({picture.x - kAxisGap - 2, picture.y - kTopGutter + kTextRow / 2 + 4}, pen.scene.corner,
                 FontFace::Mono, HAlign::Right, ink(Role::Text3));
    }
    if (row_at) {
        const std::string text = pen.scene.cells->row_pill(pen.focus.hover);
        const double w = pen.text_width(text, FontFace::MonoBold) + 2 * kPillPad;
        if (!text.empty())
            pen.pill({std::max(0.0, picture.x - kAxisGap - w), std::round(*row_at - kPillHeight / 2), w, kPillHeight},
                     text);
    }
    if (col_at) {
        const std::string text = pen.scene.cells->col_pill(pen.focus.hover);
        const double w = pen.text_width(text, FontFace::MonoBold) + 2 * kPillPad;
        const double x = std::clamp(*col_at - w / 2, 0.0, std::max(0.0, pen.layout.width - w));
        if (!text.empty()) pen.pill({x, picture.y - kPillHeight - 1, w, kPillHeight}, text);
    }
}

} // namespace ls::scene
