#include "core/scene/oklab.h"

#include <algorithm>
#include <cmath>

namespace ls::scene {

double srgb_to_linear(std::uint8_t component) {
    const double c = component / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

std::uint8_t linear_to_srgb(double component) {
    const double l = std::clamp(component, 0.0, 1.0);
    const double c = l <= 0.0031308 ? l * 12.92 : 1.055 * std::pow(l, 1 / 2.4) - 0.055;
    return static_cast<std::uint8_t>(std::lround(c * 255.0));
}

LinearRgb to_linear(Rgba colour) {
    return {srgb_to_linear(colour.r), srgb_to_linear(colour.g), srgb_to_linear(colour.b)};
}

Rgba to_rgba(LinearRgb colour) {
    return {linear_to_srgb(colour.r), linear_to_srgb(colour.g), linear_to_srgb(colour.b), 255};
}

// The published OKLab matrices: linear sRGB to cone-like responses, their cube roots to L, a, b, and both inverses.
Oklab to_oklab(LinearRgb colour) {
    const double l = std::cbrt(0.4122214708 * colour.r + 0.5363325363 * colour.g + 0.0514459929 * colour.b);
    const double m = std::cbrt(0.2119034982 * colour.r + 0.6806995451 * colour.g + 0.1073969566 * colour.b);
    const double s = std::cbrt(0.0883024619 * colour.r + 0.2817188376 * colour.g + 0.6299787005 * colour.b);
    return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
            1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
            0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

LinearRgb to_linear(Oklab colour) {
    const double l = colour.L + 0.3963377774 * colour.a + 0.2158037573 * colour.b;
    const double m = colour.L - 0.1055613458 * colour.a - 0.0638541728 * colour.b;
    const double s = colour.L - 0.0894841775 * colour.a - 1.2914855480 * colour.b;
    const double l3 = l * l * l, m3 = m * m * m, s3 = s * s * s;
    return {4.0767416621 * l3 - 3.3077115913 * m3 + 0.2309699292 * s3,
            -1.2684380046 * l3 + 2.6097574011 * m3 - 0.3413193965 * s3,
            -0.0041960863 * l3 - 0.7034186147 * m3 + 1.7076147010 * s3};
}

Rgba mix_oklab(Rgba top, Rgba under, double share) {
    const Oklab a = to_oklab(to_linear(top)), b = to_oklab(to_linear(under));
    const auto mix = [share](double x, double y) { return share * x + (1 - share) * y; };
    return to_rgba(to_linear(Oklab{mix(a.L, b.L), mix(a.a, b.a), mix(a.b, b.b)}));
}

double luminance(Rgba colour) {
    const LinearRgb l = to_linear(colour);
    return 0.2126 * l.r + 0.7152 * l.g + 0.0722 * l.b;
}

double contrast(Rgba a, Rgba b) {
    const double la = luminance(a), lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

Rgba best_ink(Rgba fill) {
    constexpr Rgba black{0, 0, 0, 255}, white{255, 255, 255, 255};
    return contrast(fill, black) >= contrast(fill, white) ? black : white;
}

LinearRgb as_seen(LinearRgb c, Vision vision) {
    using Matrix = std::array<double, 9>;
    static constexpr std::array<Matrix, 3> kSevere{
        Matrix{0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
        Matrix{0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
        Matrix{1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900}};
    if (vision == Vision::Normal) return c;
    const Matrix& m = kSevere[static_cast<std::size_t>(vision) - 1];
    const auto row = [&](std::size_t i) { return std::clamp(m[i] * c.r + m[i + 1] * c.g + m[i + 2] * c.b, 0.0, 1.0); };
    return {row(0), row(3), row(6)};
}

double distance100(Rgba a, Rgba b, Vision vision) {
    const Oklab x = to_oklab(as_seen(to_linear(a), vision)), y = to_oklab(as_seen(to_linear(b), vision));
    return 100 * std::sqrt((x.L - y.L) * (x.L - y.L) + (x.a - y.a) * (x.a - y.a) + (x.b - y.b) * (x.b - y.b));
}

} // namespace ls::scene
