#include "views/inspector/hatch_tile.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/scene/pattern.h"

namespace ls::views {
namespace {

/// Coverage of lines of half-width `half` that stand `period` apart, at `at`; soft by one pixel.
double stripe(double at, double period, double half) {
    const double off = std::abs(at - period * std::round(at / period));
    return std::clamp(half - off + 0.5, 0.0, 1.0);
}

} // namespace

HatchImage hatch_image(scene::Pattern pattern, double dpr) {
    HatchImage out;
    if (pattern == scene::Pattern::None) return out;
    const scene::PatternLook look = scene::pattern_look(pattern);
    // Along x, diagonals repeat √2 times their pitch and are √2 times as wide.
    const double slant = look.rising || look.falling ? std::numbers::sqrt2 : 1;
    const int period = std::max(3, static_cast<int>(std::lround(look.pitch * slant * dpr)));
    const double half = look.width * slant * dpr / 2, radius = look.width * dpr / 2;

    out.pixels = period * std::max(1, static_cast<int>(64 * dpr) / period);
    const auto side = static_cast<std::size_t>(out.pixels);
    out.coverage.resize(side * side);
    for (int y = 0; y < out.pixels; ++y) {
        for (int x = 0; x < out.pixels; ++x) {
            double value = 0;
            if (look.rising) value = std::max(value, stripe(x + y + 1, period, half));
            if (look.falling) value = std::max(value, stripe(x - y, period, half));
            if (look.horizontal) value = std::max(value, stripe(y, period, half));
            if (look.vertical) value = std::max(value, stripe(x, period, half));
            if (look.dots) {
                const double dx = x - period * std::round(static_cast<double>(x) / period);
                const double dy = y - period * std::round(static_cast<double>(y) / period);
                value = std::max(value, std::clamp(radius - std::hypot(dx, dy) + 0.5, 0.0, 1.0));
            }
            out.coverage[static_cast<std::size_t>(y) * side + static_cast<std::size_t>(x)] =
                static_cast<std::uint8_t>(std::lround(value * 255));
        }
    }
    return out;
}

} // namespace ls::views
