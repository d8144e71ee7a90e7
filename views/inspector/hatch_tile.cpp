#include "views/inspector/hatch_tile.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ls::views {
namespace {

/// Lines across the tile: `period` device pixels along x (diagonals) or across (straight), `width` across the line.
struct Stripe {
    int period = 1;
    double width = 1;
};

/// Coverage of a stripe of half-width `half` centred on multiples of `period`, at distance `at` along the axis that
/// the period counts; soft by one pixel.
double stripe(double at, double period, double half) {
    const double off = std::abs(at - period * std::round(at / period));
    return std::clamp(half - off + 0.5, 0.0, 1.0);
}

int diagonal_period(double pitch, double dpr) { return std::max(3, static_cast<int>(std::lround(pitch * std::numbers::sqrt2 * dpr))); }

} // namespace

HatchImage hatch_image(scene::Pattern pattern, double dpr) {
    using scene::Pattern;
    HatchImage out;
    if (pattern == Pattern::None) return out;
    const double diagonal = std::numbers::sqrt2;
    // Pitch and width across the line, in points (design tokens "pattern").
    double pitch = 8, width = 1;
    if (pattern == Pattern::Finding) pitch = 6, width = 1.6;
    if (pattern == Pattern::Unused) pitch = 6, width = 1.4;
    if (pattern == Pattern::Shared) pitch = 7, width = 2;
    const int along = diagonal_period(pitch, dpr);
    const int straight = std::max(3, static_cast<int>(std::lround(pitch * dpr)));
    const bool is_diagonal = pattern == Pattern::Finding || pattern == Pattern::Unused || pattern == Pattern::Shared ||
                             pattern == Pattern::Diagonal || pattern == Pattern::Cross;
    const int period = is_diagonal ? along : straight;
    const double half_diagonal = width * dpr * diagonal / 2; // measured along x
    const double half = width * dpr / 2;

    out.pixels = period * std::max(1, static_cast<int>(64 * dpr) / period);
    const auto side = static_cast<std::size_t>(out.pixels);
    out.coverage.resize(side * side);
    for (int y = 0; y < out.pixels; ++y) {
        for (int x = 0; x < out.pixels; ++x) {
            const double px = x + 0.5, py = y + 0.5;
            const double rising = stripe(px + py, period, half_diagonal);  // "/"
            const double falling = stripe(px - py, period, half_diagonal); // "\"
            double value = 0;
            switch (pattern) {
            case Pattern::Finding:
            case Pattern::Unused:
            case Pattern::Diagonal: value = rising; break;
            case Pattern::Shared: value = falling; break;
            case Pattern::Cross: value = std::max(rising, falling); break;
            case Pattern::Horizontal: value = stripe(py - period / 2.0, period, half); break;
            case Pattern::Vertical: value = stripe(px - period / 2.0, period, half); break;
            case Pattern::Dots: {
                const double cx = px - period * (std::floor(px / period) + 0.5);
                const double cy = py - period * (std::floor(py / period) + 0.5);
                value = std::clamp(1.1 * dpr - std::hypot(cx, cy) + 0.5, 0.0, 1.0);
                break;
            }
            case Pattern::None: break;
            }
            out.coverage[static_cast<std::size_t>(y) * side + static_cast<std::size_t>(x)] =
                static_cast<std::uint8_t>(std::lround(value * 255));
        }
    }
    return out;
}

} // namespace ls::views
