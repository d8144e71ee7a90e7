#include "core/scene/pattern.h"

#include <algorithm>
#include <cmath>

namespace ls::scene {

PatternLook pattern_look(Pattern pattern) {
    PatternLook look;
    switch (pattern) {
    case Pattern::None: look.alpha = 0; break;
    case Pattern::Finding: look = {.pitch = 6, .width = 1.6, .alpha = 1, .rising = true}; break;
    case Pattern::Unused: look = {.pitch = 6, .width = 1.4, .alpha = 0.55, .rising = true}; break;
    case Pattern::Shared: look = {.pitch = 7, .width = 2, .alpha = 0.28, .falling = true}; break;
    case Pattern::Diagonal: look.rising = true; break;
    case Pattern::Horizontal: look.horizontal = true; break;
    case Pattern::Vertical: look.vertical = true; break;
    case Pattern::Cross: look.rising = look.falling = true; break;
    case Pattern::Dots:
        look.dots = true;
        look.width = 2;
        break;
    }
    return look;
}

namespace {

/// Lines x + sign·y = k·step inside r. Rising lines have sign +1 on a screen whose y grows downwards.
void diagonals(const Rect& r, double step, double sign, std::vector<HatchLine>& out) {
    const double corners[] = {r.x + sign * r.y, r.right() + sign * r.y, r.x + sign * r.bottom(),
                              r.right() + sign * r.bottom()};
    const double low = *std::min_element(std::begin(corners), std::end(corners));
    const double high = *std::max_element(std::begin(corners), std::end(corners));
    for (double k = std::ceil(low / step) * step; k < high; k += step) {
        // At height y the line stands at x = k - sign·y; cut that to [x, right].
        double y0 = r.y, y1 = r.bottom();
        const double at_left = (k - r.x) * sign, at_right = (k - r.right()) * sign;
        y0 = std::max(y0, std::min(at_left, at_right));
        y1 = std::min(y1, std::max(at_left, at_right));
        if (y0 < y1) out.push_back({{k - sign * y0, y0}, {k - sign * y1, y1}});
    }
}

constexpr double kMostLines = 4096; // a rectangle larger than any screen is hatched in part only

} // namespace

std::vector<HatchLine> hatch_lines(const Rect& rect, Pattern pattern) {
    const PatternLook look = pattern_look(pattern);
    std::vector<HatchLine> out;
    if (!(rect.w > 0) || !(rect.h > 0)) return out;
    Rect r = rect;
    r.w = std::min(r.w, kMostLines * look.pitch);
    r.h = std::min(r.h, kMostLines * look.pitch);
    const double diagonal_step = look.pitch * std::sqrt(2.0);
    if (look.rising) diagonals(r, diagonal_step, 1, out);
    if (look.falling) diagonals(r, diagonal_step, -1, out);
    if (look.horizontal) {
        for (double y = std::ceil(r.y / look.pitch) * look.pitch; y < r.bottom(); y += look.pitch)
            out.push_back({{r.x, y}, {r.right(), y}});
    }
    if (look.vertical) {
        for (double x = std::ceil(r.x / look.pitch) * look.pitch; x < r.right(); x += look.pitch)
            out.push_back({{x, r.y}, {x, r.bottom()}});
    }
    return out;
}

std::vector<Point> hatch_dots(const Rect& rect, Pattern pattern) {
    const PatternLook look = pattern_look(pattern);
    std::vector<Point> out;
    if (!look.dots || !(rect.w > 0) || !(rect.h > 0)) return out;
    const double right = rect.x + std::min(rect.w, kMostLines / 8 * look.pitch),
                 bottom = rect.y + std::min(rect.h, kMostLines / 8 * look.pitch);
    for (double y = std::ceil(rect.y / look.pitch) * look.pitch; y < bottom; y += look.pitch) {
        for (double x = std::ceil(rect.x / look.pitch) * look.pitch; x < right; x += look.pitch) out.push_back({x, y});
    }
    return out;
}

std::array<Pattern, 2> category_patterns(std::uint32_t category) {
    constexpr std::array<Pattern, 5> kLines{Pattern::None, Pattern::Diagonal, Pattern::Horizontal, Pattern::Vertical,
                                            Pattern::Cross};
    return {kLines[category % 5], category % 10 >= 5 ? Pattern::Dots : Pattern::None};
}

} // namespace ls::scene
