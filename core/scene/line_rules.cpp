#include "core/scene/line_rules.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/scene/metrics.h"

namespace ls::scene {

namespace {

constexpr double kPanelGridAlpha = 0.38; // the element grid between 6 and 12 px, in the panel's colour
constexpr double kBlockTexturePx = 24;   // texture still shows blocks that are at least so large

/// Width and alpha after blending through the steps; before the first step the line is invisible.
LineLook blended(std::span<const LineStep> steps, double px) {
    LineLook look{steps.empty() ? 1 : steps.front().width, 0, Role::Ink};
    for (const LineStep& step : steps) {
        const double t = fade_in(px, step.from_px);
        look.width += t * (step.width - look.width);
        look.alpha += t * (step.alpha - look.alpha);
    }
    return look;
}

} // namespace

LineKind line_kind(std::size_t index, std::size_t count) {
    if (index == 0) return LineKind::Run;
    if (count >= 4) return index + 1 >= count ? LineKind::Block : index + 2 >= count ? LineKind::Tile : LineKind::Run;
    return index == 1 ? LineKind::Tile : LineKind::Block;
}

double fade_in(double px, double threshold) { return std::clamp((px / threshold - 0.9) / 0.2, 0.0, 1.0); }

LineLook line_look(LineKind kind, double px, double period_px) {
    const Metrics& m = Metrics::builtin();
    LineLook look;
    switch (kind) {
    case LineKind::Element: {
        look = blended(m.element, px);
        const double as_ink = fade_in(px, m.corner_labels);
        if (as_ink < 0.5) {
            look = {m.element.front().width, kPanelGridAlpha * fade_in(px, m.block_labels) * (1 - 2 * as_ink),
                    Role::Panel};
        } else {
            look.alpha *= 2 * as_ink - 1;
        }
        break;
    }
    case LineKind::Run: look = blended(m.run, px); break;
    case LineKind::Tile: look = blended(m.tile, px); break;
    case LineKind::Block:
        look = blended(m.block, px);
        look.alpha = std::max(look.alpha, fade_in(period_px, kBlockTexturePx) * m.block.front().alpha);
        break;
    }
    // Lines closer than four points would cover the data that they part.
    look.alpha *= std::clamp((period_px - 2) / 2, 0.0, 1.0);
    return look;
}

DeviceLine on_device(double width, double alpha, double dpr) {
    const double pixels = width * dpr;
    if (pixels < 1) return {1 / dpr, alpha * pixels};
    return {std::round(pixels) / dpr, alpha};
}

} // namespace ls::scene
