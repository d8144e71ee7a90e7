// Keys to pixels in bulk: for filling pictures of millions of cells.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/scene/color.h"
#include "core/scene/theme.h"

namespace ls::scene {

/// Flat tables of one theme. Role::None becomes the canvas colour, so that images are opaque.
///
/// For means, colours are summed in linear light, four counters packed in 64 bits so that a sample is one addition:
///
///     63       54 53       36 35       18 17        0
///     |  count   |    red    |   green   |   blue   |     up to 64 samples of 12 bits
class ColorLut {
public:
    explicit ColorLut(const Theme& theme);

    static constexpr std::uint32_t kMaxSamples = 64;

    Rgba color(ColorKey key) const { return colors_[Theme::slot(key)]; }
    /// out[i] = colour of keys[i]; both have the same length.
    void resolve(std::span<const ColorKey> keys, Rgba* out) const;
    /// sums[i] += keys[i], for at most kMaxSamples calls on a sum.
    void accumulate(std::span<const ColorKey> keys, std::uint64_t* sums) const;
    /// Mean colour of each sum that holds samples; others leave `out` as it is.
    void average(std::span<const std::uint64_t> sums, Rgba* out) const;
    static std::uint32_t count(std::uint64_t sum) { return static_cast<std::uint32_t>(sum >> 54U); }

private:
    std::vector<Rgba> colors_;
    std::vector<std::uint64_t> linear_;
    std::array<std::uint8_t, 4096> from_linear_{};
    std::array<std::uint32_t, kMaxSamples + 1> reciprocal_{}; ///< 2^20 / n, rounded
};

} // namespace ls::scene
