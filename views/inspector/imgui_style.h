// Dear ImGui dressed in the design's colours and sizes, for a screen of any scale.
#pragma once

#include "core/scene/color.h"
#include "core/scene/theme.h"

namespace ls::views {

/// Sets the current context's style; its sizes are in device pixels.
void apply_style(const scene::Theme& theme, double pixels_per_point);

/// 0xAABBGGRR as ImGui packs colours; `alpha` scales the colour's own.
constexpr unsigned packed(scene::Rgba c, float alpha = 1) {
    const auto a = static_cast<unsigned>(static_cast<float>(c.a) * (alpha < 0 ? 0 : alpha > 1 ? 1 : alpha) + 0.5F);
    return a << 24U | static_cast<unsigned>(c.b) << 16U | static_cast<unsigned>(c.g) << 8U | c.r;
}

} // namespace ls::views
