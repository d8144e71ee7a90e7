// Where a grid meets the screen: fit, zoom at a point, pan, and which cell is under a point.
#pragma once

#include <cstdint>
#include <optional>

#include "core/scene/grid.h"

namespace ls::scene {

/// A grid seen through a camera in an area of width × height points whose origin is (0, 0).
///
/// Every position is snapped to device pixels, and snapped so that panning moves all of them together:
///
///     x(col) = (round(col · s) − round(origin · s)) / dpr      s = device pixels per column
struct GridView {
    std::int64_t rows = 0, cols = 0;
    double cell_aspect = 1;
    double width = 0, height = 0; ///< points
    double dpr = 1;               ///< device pixels per point
    Camera camera;

    static GridView of(const GridScene& scene, const Camera& camera, double width, double height, double dpr);

    double points_per_row() const { return camera.zoom; }
    double points_per_col() const { return camera.zoom * cell_aspect; }
    double pixels_per_row() const { return points_per_row() * dpr; }
    double pixels_per_col() const { return points_per_col() * dpr; }
    /// Points per element along the shorter cell side; the zoom that the line and label rules speak of.
    double element_px() const;

    double x_of(double col) const;
    double y_of(double row) const;
    Rect rect_of(const CellRect& cells) const;
    Rect rect_of(Cell cell) const { return rect_of(CellRect{cell.row, cell.col, 1, 1}); }
    /// The whole grid, cut to the area.
    Rect picture() const;

    std::optional<Cell> cell_at(Point p) const;
    /// Cells that are at least partly seen; empty when none are.
    CellRect visible() const;

    // All of these return a camera that is already clamped.
    /// The largest zoom at which the whole grid is seen, whole pixels a cell where that costs little.
    Camera fit() const;
    /// Zooms by `factor` so that the cell under `p` stays there. The zoom stays within the tokens' range, or reaches
    /// down to fit() for grids that would not fit otherwise.
    Camera zoomed_at(Point p, double factor) const;
    Camera with_zoom_at(Point p, double zoom) const;
    /// Moves the grid by (dx, dy) points with the pointer.
    Camera panned(double dx, double dy) const;
    /// Keeps the zoom and brings `cell` to the middle.
    Camera centred_on(Cell cell) const;
    /// Pans as little as needed to see `cell` with `margin` points round it.
    Camera revealing(Cell cell, double margin) const;
    Camera clamped(Camera wanted) const;

    double zoom_min() const;
    double zoom_max() const;
};

} // namespace ls::scene
