#include "core/scene/color_lut.h"

#include <algorithm>
#include <cmath>

#include "core/scene/oklab.h"

namespace ls::scene {

namespace {

constexpr double kLinearMax = 4095; // 12 bits keep all 256 codes apart: the closest two are 1.24 steps apart
constexpr std::uint64_t kField = (std::uint64_t{1} << 18U) - 1;

std::uint64_t packed(Rgba c) {
    const auto part = [](std::uint8_t v) {
        return static_cast<std::uint64_t>(std::llround(srgb_to_linear(v) * kLinearMax));
    };
    return (std::uint64_t{1} << 54U) | (part(c.r) << 36U) | (part(c.g) << 18U) | part(c.b);
}

} // namespace

ColorLut::ColorLut(const Theme& theme) : colors_(theme.table()) {
    const Rgba canvas = theme.color(Role::Canvas);
    for (Rgba& c : colors_) {
        if (c.a == 0) c = canvas;
        c.a = 255;
    }
    linear_.reserve(colors_.size());
    for (Rgba c : colors_) linear_.push_back(packed(c));
    for (std::size_t i = 0; i < from_linear_.size(); ++i) {
        from_linear_[i] = linear_to_srgb(static_cast<double>(i) / kLinearMax);
    }
    for (std::uint32_t n = 1; n <= kMaxSamples; ++n) reciprocal_[n] = ((1U << 20U) + n / 2) / n;
}

void ColorLut::resolve(std::span<const ColorKey> keys, Rgba* out) const {
    const Rgba* const table = colors_.data();
    for (std::size_t i = 0; i < keys.size(); ++i) out[i] = table[Theme::slot(keys[i])];
}

void ColorLut::accumulate(std::span<const ColorKey> keys, std::uint64_t* sums) const {
    const std::uint64_t* const table = linear_.data();
    for (std::size_t i = 0; i < keys.size(); ++i) sums[i] += table[Theme::slot(keys[i])];
}

void ColorLut::average(std::span<const std::uint64_t> sums, Rgba* out) const {
    constexpr std::uint64_t kHalf = std::uint64_t{1} << 19U;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const std::uint64_t sum = sums[i];
        const std::uint32_t n = count(sum);
        if (n == 0) continue;
        const std::uint64_t scale = reciprocal_[n];
        const auto mean = [&](unsigned shift) {
            return from_linear_[std::min<std::uint64_t>((((sum >> shift) & kField) * scale + kHalf) >> 20U, 4095)];
        };
        out[i] = {mean(36), mean(18), mean(0), 255};
    }
}

} // namespace ls::scene
