// Colour arithmetic: sRGB transfer, OKLab mixing and distance, WCAG contrast, colour-vision deficiency.
#pragma once

#include <array>
#include <cstdint>

#include "core/scene/color.h"

namespace ls::scene {

/// Linear-light components, 0..1.
struct LinearRgb {
    double r = 0, g = 0, b = 0;
};
struct Oklab {
    double L = 0, a = 0, b = 0;
};

/// How a viewer sees. The three deficiencies are complete (severity 1.0).
enum class Vision : std::uint8_t { Normal, Protan, Deutan, Tritan };
inline constexpr std::array<Vision, 4> kAllVisions{Vision::Normal, Vision::Protan, Vision::Deutan, Vision::Tritan};

double srgb_to_linear(std::uint8_t component);
/// Rounded to the nearest 8-bit code; values outside 0..1 are clamped.
std::uint8_t linear_to_srgb(double component);

LinearRgb to_linear(Rgba colour);
Rgba to_rgba(LinearRgb colour);
Oklab to_oklab(LinearRgb colour);
LinearRgb to_linear(Oklab colour);

/// `share` of `top`, the rest of `under`, mixed in OKLab. Alpha is opaque.
Rgba mix_oklab(Rgba top, Rgba under, double share);

/// WCAG 2 relative luminance, and contrast ratio 1..21.
double luminance(Rgba colour);
double contrast(Rgba a, Rgba b);
/// Pure black or white, whichever contrasts more with `fill`.
Rgba best_ink(Rgba fill);

/// The colour as seen with `vision` (matrices of Machado, Oliveira and Fernandes 2009, applied in linear light).
LinearRgb as_seen(LinearRgb colour, Vision vision);
/// Distance in OKLab times 100, as seen with `vision`.
double distance100(Rgba a, Rgba b, Vision vision = Vision::Normal);

} // namespace ls::scene
