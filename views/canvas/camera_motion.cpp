#include "views/canvas/camera_motion.h"

#include <cmath>

namespace ls::views {

scene::Camera between(const scene::Camera& from, const scene::Camera& to, double t) {
    if (t <= 0) return from;
    if (t >= 1) return to;
    if (!(from.zoom > 0) || !(to.zoom > 0) || std::abs(to.zoom / from.zoom - 1) < 1e-6) {
        return {from.origin_row + (to.origin_row - from.origin_row) * t,
                from.origin_col + (to.origin_col - from.origin_col) * t, from.zoom > 0 ? from.zoom : to.zoom};
    }
    const double zoom = from.zoom * std::pow(to.zoom / from.zoom, t);
    // (origin − pivot) · zoom is the same for both cameras, and so all the way between.
    const auto origin = [&](double a, double b) {
        const double pivot = (b * to.zoom - a * from.zoom) / (to.zoom - from.zoom);
        return pivot - (pivot - a) * from.zoom / zoom;
    };
    return {origin(from.origin_row, to.origin_row), origin(from.origin_col, to.origin_col), zoom};
}

} // namespace ls::views
