// What the user points at: the hovered element with its run, its tile and its guides; pins; the selection.
#include <algorithm>
#include <cmath>
#include <string>

#include "core/scene/grid_pen.h"

namespace ls::scene {

namespace {

constexpr double kLeastMark = 7; // an element smaller than this is shown as large

Paint ink(Role role, double alpha = 1) { return {ColorKey::role(role), static_cast<float>(alpha)}; }

/// A dotted line through the middle of a pixel; nothing when it would run backwards.
void guide_across(const GridPen& pen, double x0, double x1, double y) {
    const double at = (std::floor(y * pen.layout.dpr) + 0.5) / pen.layout.dpr;
    if (x0 < x1)
        pen.out.add(Polyline{{{x0, at}, {x1, at}},
                             ink(Role::Ink, 0.8),
                             pen.metrics.guide,
                             pen.metrics.guide_dash[0],
                             pen.metrics.guide_dash[1]});
}
void guide_down(const GridPen& pen, double x, double y0, double y1) {
    const double at = (std::floor(x * pen.layout.dpr) + 0.5) / pen.layout.dpr;
    if (y0 < y1)
        pen.out.add(Polyline{{{at, y0}, {at, y1}},
                             ink(Role::Ink, 0.8),
                             pen.metrics.guide,
                             pen.metrics.guide_dash[0],
                             pen.metrics.guide_dash[1]});
}

void element_mark(const GridPen& pen, const Rect& cell) {
    const Metrics& m = pen.metrics;
    // Small elements get their edge round them, so that the yellow stays seen.
    const Rect box = inflate(at_least(cell, kLeastMark), std::min(cell.w, cell.h) < 24 ? 1 : 0);
    const double around = std::min(m.hover_halo, box.w) / 2;
    pen.frame(inflate(box, around / 2), ink(Role::Panel), around);
    pen.out.add(FillRect{box, ink(Role::Hover)});
    pen.frame(box, ink(Role::HoverEdge), m.hover);
}

bool is_seen(const GridPen& pen, const Rect& cell) {
    const Rect seen = intersect(at_least(cell, kLeastMark), pen.area());
    return seen.w > 0 && seen.h > 0;
}

void draw_selection(const GridPen& pen) {
    // Neighbours of one row share an outline.
    std::vector<Cell> cells = pen.focus.selected;
    std::sort(cells.begin(), cells.end());
    for (std::size_t i = 0; i < cells.size();) {
        std::size_t end = i + 1;
        while (end < cells.size() && cells[end].row == cells[i].row && cells[end].col == cells[end - 1].col + 1) ++end;
        const CellRect run{cells[i].row, cells[i].col, 1, static_cast<std::int64_t>(end - i)};
        const Rect box = at_least(pen.rect(run), kLeastMark - 1);
        const Rect seen = intersect(box, inflate(pen.area(), 3));
        if (pen.in_grid(cells[i]) && seen.w > 0 && seen.h > 0) {
            pen.frame(box, ink(Role::Selected), pen.metrics.selected);
        }
        i = end;
    }
}

} // namespace

void draw_grid_hover(const GridPen& pen) {
    draw_selection(pen);
    if (pen.hovering()) {
        const Metrics& m = pen.metrics;
        const Rect picture = pen.picture();
        const Rect cell = pen.rect(pen.focus.hover);
        const CellRect run_cells = pen.hovered_run();
        Rect run = pen.rect(run_cells);
        if (const auto tile = pen.hovered_tile()) {
            const Rect box = pen.rect(*tile);
            const Rect seen = intersect(box, pen.area());
            if ((box.w >= 4 || box.h >= 4) && seen.w > 0 && seen.h > 0)
                pen.frame(at_least(box, 4), ink(Role::HoverEdge), m.hover);
        }
        // A run of one element needs no outline beside the element's, nor does one that is the whole picture.
        const bool run_is_more =
            run_cells.rows * run_cells.cols > 1 && (run_cells.rows < pen.scene.rows || run_cells.cols < pen.scene.cols);
        if (run_is_more && (run.w >= 3 || run.h >= 3)) {
            run = {run.x, run.y, std::max(run.w, 3.0), std::max(run.h, 3.0)};
            pen.out.add(FillRect{run, ink(Role::Hover)});
            if (pen.px() >= pen.metrics.block_labels) {
                for (std::int64_t c = run_cells.col + 1; c < run_cells.col + run_cells.cols && run_cells.rows == 1;
                     ++c) {
                    const double x = pen.x(static_cast<double>(c));
                    if (x > picture.x && x < picture.right())
                        pen.vertical(x, run.y, run.bottom(), {1, 0.14, Role::OnHover});
                }
            }
            pen.frame(run, ink(Role::HoverEdge), 1);
        }
        const Point centre{cell.x + cell.w / 2, cell.y + cell.h / 2};
        const Rect mark = at_least(cell, kLeastMark);
        if (centre.y >= picture.y && centre.y <= picture.bottom()) {
            guide_across(pen, picture.x, std::min(mark.x, picture.right()) - 2, centre.y);
            if (pen.options.link == LinkSide::Right)
                guide_across(pen, std::max(mark.right() + 2, picture.x), picture.right(), centre.y);
        }
        if (centre.x >= picture.x && centre.x <= picture.right()) {
            guide_down(pen, centre.x, picture.y, std::min(mark.y, picture.bottom()) - 2);
        }
        if (is_seen(pen, cell)) element_mark(pen, cell);
    }
    for (Cell also : pen.focus.also_hover) {
        if (!pen.in_grid(also) || also == pen.focus.hover) continue;
        const Rect cell = pen.rect(also);
        if (is_seen(pen, cell)) element_mark(pen, cell);
    }
}

namespace {

constexpr double kBadge = 7.5; // radius

struct Pin {
    Rect box;
    Point badge;
    bool small = false;
};

/// The badge stands beside a small box and on the corner of a large one, always inside the picture's frame.
Pin pin_at(const GridPen& pen, Cell cell) {
    Pin pin;
    const Rect area = pen.area();
    pin.box = at_least(pen.rect(cell), kLeastMark + 3);
    pin.small = pin.box.w < 2 * kBadge + 8 || pin.box.h < 2 * kBadge + 8;
    pin.badge = pin.small ? Point{pin.box.right() + kBadge + 1, pin.box.y + pin.box.h / 2}
                          : Point{pin.box.right() - 2, pin.box.y + 2};
    pin.badge.x = std::clamp(pin.badge.x, area.x, std::max(area.x, area.right()));
    pin.badge.y = std::clamp(pin.badge.y, area.y, std::max(area.y, area.bottom()));
    return pin;
}

} // namespace

Rect pin_extent(const GridPen& pen, Cell cell) {
    const Pin pin = pin_at(pen, cell);
    const double x = std::min(pin.box.x, pin.badge.x - kBadge), y = std::min(pin.box.y, pin.badge.y - kBadge);
    return {x, y, std::max(pin.box.right(), pin.badge.x + kBadge) - x,
            std::max(pin.box.bottom(), pin.badge.y + kBadge) - y};
}

void draw_grid_pins(const GridPen& pen) {
    for (const auto& [cell, number] : pen.focus.pins) {
        if (!pen.in_grid(cell)) continue;
        const Pin pin = pin_at(pen, cell);
        const Rect seen = intersect(pin.box, pen.area());
        if (seen.w <= 0 || seen.h <= 0) continue;
        if (pin.small) pen.out.add(FillRect{pin.box, ink(Role::Panel)});
        pen.frame(pin.box, ink(Role::Pinned), pen.metrics.pin);
        pen.out.add(Ellipse{pin.badge, kBadge, kBadge, ink(Role::Pinned), ink(Role::Panel), 1});
        pen.text(pin.badge, std::to_string(number), FontFace::UiBold, HAlign::Centre, ink(Role::OnPin));
    }
}

} // namespace ls::scene
