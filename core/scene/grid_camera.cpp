#include "core/scene/grid_camera.h"

#include <algorithm>
#include <cmath>

#include "core/scene/metrics.h"

namespace ls::scene {

namespace {

/// Zoom at which rows × cols just fit.
double fitting_zoom(const GridView& v) {
    const double rows = std::max<double>(1, static_cast<double>(v.rows));
    const double cols = std::max<double>(1, static_cast<double>(v.cols)) * v.cell_aspect;
    return std::min(v.height / rows, v.width / cols);
}

/// A grid smaller than the area may stand anywhere inside it; a larger one must cover it.
double clamp_origin(double origin, double extent, double seen) {
    const double low = std::min(0.0, extent - seen), high = std::max(0.0, extent - seen);
    return std::isfinite(origin) ? std::clamp(origin, low, high) : 0;
}

} // namespace

GridView GridView::of(const GridScene& scene, const Camera& camera, double width, double height, double dpr) {
    const double aspect = scene.cell_aspect > 0 && std::isfinite(scene.cell_aspect) ? scene.cell_aspect : 1;
    return {scene.rows, scene.cols, aspect, width, height, dpr > 0 ? dpr : 1, camera};
}

double GridView::element_px() const { return camera.zoom * std::min(1.0, cell_aspect); }

double GridView::x_of(double col) const {
    const double s = pixels_per_col();
    return (std::round(col * s) - std::round(camera.origin_col * s)) / dpr;
}

double GridView::y_of(double row) const {
    const double s = pixels_per_row();
    return (std::round(row * s) - std::round(camera.origin_row * s)) / dpr;
}

Rect GridView::rect_of(const CellRect& cells) const {
    const double x = x_of(static_cast<double>(cells.col)), y = y_of(static_cast<double>(cells.row));
    return {x, y, x_of(static_cast<double>(cells.col) + static_cast<double>(cells.cols)) - x,
            y_of(static_cast<double>(cells.row) + static_cast<double>(cells.rows)) - y};
}

Rect GridView::picture() const {
    const double left = std::clamp(x_of(0), 0.0, width), top = std::clamp(y_of(0), 0.0, height);
    const double right = std::clamp(x_of(static_cast<double>(cols)), left, width);
    const double bottom = std::clamp(y_of(static_cast<double>(rows)), top, height);
    return {left, top, right - left, bottom - top};
}

std::optional<Cell> GridView::cell_at(Point p) const {
    if (p.x < 0 || p.y < 0 || p.x >= width || p.y >= height || !(camera.zoom > 0)) return {};
    const double sx = pixels_per_col(), sy = pixels_per_row();
    // The inverse of x_of: the pixel's centre, from the snapped origin.
    const double col = std::floor((std::floor(p.x * dpr) + 0.5 + std::round(camera.origin_col * sx)) / sx);
    const double row = std::floor((std::floor(p.y * dpr) + 0.5 + std::round(camera.origin_row * sy)) / sy);
    if (!(row >= 0 && col >= 0 && row < static_cast<double>(rows) && col < static_cast<double>(cols))) return {};
    return Cell{static_cast<std::int64_t>(row), static_cast<std::int64_t>(col)};
}

CellRect GridView::visible() const {
    if (!(camera.zoom > 0) || rows <= 0 || cols <= 0 || !(width > 0) || !(height > 0)) return {};
    const auto range = [this](double origin, double scale, double seen, std::int64_t count) {
        const double from = std::round(origin * scale) / scale;
        const double end = std::ceil(from + seen * dpr / scale);
        const double n = static_cast<double>(count);
        const auto first = static_cast<std::int64_t>(std::clamp(std::floor(from), 0.0, n));
        return std::pair{first, static_cast<std::int64_t>(std::clamp(end, static_cast<double>(first), n)) - first};
    };
    const auto [row, row_count] = range(camera.origin_row, pixels_per_row(), height, rows);
    const auto [col, col_count] = range(camera.origin_col, pixels_per_col(), width, cols);
    if (row_count <= 0 || col_count <= 0) return {};
    return {row, col, row_count, col_count};
}

double GridView::zoom_min() const { return std::min(Metrics::builtin().zoom_min, fitting_zoom(*this)); }
double GridView::zoom_max() const { return Metrics::builtin().zoom_max / std::min(1.0, cell_aspect); }

Camera GridView::fit() const {
    double zoom = std::clamp(fitting_zoom(*this), zoom_min(), zoom_max());
    const double whole = std::floor(zoom * dpr) / dpr;
    if (whole >= 0.9 * zoom) zoom = whole;
    return clamped({0, 0, zoom});
}

Camera GridView::with_zoom_at(Point p, double zoom) const {
    const double next = std::clamp(std::isfinite(zoom) ? zoom : camera.zoom, zoom_min(), zoom_max());
    const double row = camera.origin_row + p.y / points_per_row(), col = camera.origin_col + p.x / points_per_col();
    return clamped({row - p.y / next, col - p.x / (next * cell_aspect), next});
}

Camera GridView::zoomed_at(Point p, double factor) const { return with_zoom_at(p, camera.zoom * factor); }

Camera GridView::panned(double dx, double dy) const {
    return clamped({camera.origin_row - dy / points_per_row(), camera.origin_col - dx / points_per_col(), camera.zoom});
}

Camera GridView::centred_on(Cell cell) const {
    return clamped({static_cast<double>(cell.row) + 0.5 - height / 2 / points_per_row(),
                    static_cast<double>(cell.col) + 0.5 - width / 2 / points_per_col(), camera.zoom});
}

Camera GridView::revealing(Cell cell, double margin) const {
    const auto shift = [margin](double low, double high, double seen) {
        const double m = std::min(margin, std::max(0.0, (seen - (high - low)) / 2));
        if (low < m) return m - low;
        return high > seen - m ? seen - m - high : 0.0;
    };
    const Rect r = rect_of(cell);
    return panned(shift(r.x, r.right(), width), shift(r.y, r.bottom(), height));
}

Camera GridView::clamped(Camera wanted) const {
    Camera out = wanted;
    if (!(out.zoom > 0) || !std::isfinite(out.zoom)) out.zoom = camera.zoom > 0 ? camera.zoom : 1;
    out.zoom = std::clamp(out.zoom, zoom_min(), std::max(zoom_min(), zoom_max()));
    if (!(out.zoom > 0)) out.zoom = 1; // an area without size
    out.origin_row = clamp_origin(out.origin_row, static_cast<double>(rows), height / out.zoom);
    out.origin_col = clamp_origin(out.origin_col, static_cast<double>(cols), width / (out.zoom * cell_aspect));
    return out;
}

} // namespace ls::scene
