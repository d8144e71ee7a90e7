#include "core/scene/sample_plan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace ls::scene {

namespace {

constexpr int kMaxStrata = 8;

/// A fixed pseudo-random fraction of 1 for a texel's stratum: the same wherever the picture is scrolled to.
double jitter(std::int64_t texel, int stratum) {
    std::uint64_t x = static_cast<std::uint64_t>(texel) * 8U + static_cast<std::uint64_t>(stratum);
    x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
    return static_cast<double>((x ^ (x >> 31U)) >> 11U) * 0x1.0p-53;
}

/// Where a share `u` of a tent two texels wide lies, in texels: 0.5 at u = 0.5, from -0.5 to 1.5.
double tent(double u) { return u < 0.5 ? std::sqrt(2 * u) - 0.5 : 1.5 - std::sqrt(2 * (1 - u)); }

} // namespace

AxisPlan::AxisPlan(std::int64_t cells, double cells_per_texel)
    : cells_(std::max<std::int64_t>(1, cells)), per_texel_(std::max(1.0, cells_per_texel)) {
    if (per_texel_ <= 1) return;
    if (per_texel_ < kMaxStrata) {
        strata_ = 2 * static_cast<int>(std::ceil(per_texel_ / 2));
        return;
    }
    strata_ = kMaxStrata;
    window_ = per_texel_ < 16 ? 4 : 8;
}

std::int64_t AxisPlan::cell(std::int64_t texel, int stratum, int phase, int across) const {
    if (strata_ == 1) return std::clamp<std::int64_t>(texel, 0, cells_ - 1);
    const double from = static_cast<double>(texel) * per_texel_;
    if (window_ == 1) {
        const double first = std::round(from + per_texel_ / 2 - strata_ / 2);
        const double last = std::max(0.0, static_cast<double>(cells_ - strata_));
        // Passes begin with strata half a texel apart; turning the order in the upper half keeps those of unlike
        // parity.
        const int offset = strata_ == 8 ? stratum ^ (stratum >> 2) : strata_ == 4 ? stratum ^ (stratum >> 1) : stratum;
        return std::min(static_cast<std::int64_t>(std::clamp(first, 0.0, last)) + offset, cells_ - 1);
    }
    // Somewhere in the stratum: passes that differ in the other axis' stratum alone look at eight even steps of it, so
    // that a whole set meets 64 places. The aligned window there makes phases residues whatever the place: only then do
    // row and column residues meet evenly.
    const double turned = jitter(texel, stratum) + across / double(kMaxStrata);
    const double middle = from + tent((stratum + turned - std::floor(turned)) / strata_) * per_texel_;
    const std::int64_t last = std::max<std::int64_t>(0, cells_ / window_ - 1);
    const auto window =
        static_cast<std::int64_t>(std::clamp(std::floor(middle / window_), 0.0, static_cast<double>(last)));
    return std::min(window * window_ + phase % window_, cells_ - 1);
}

std::vector<SamplePass> sample_passes(const AxisPlan& rows, const AxisPlan& cols) {
    // Ordered-dither order of an 8 × 8 square: each further pass falls into the emptiest part. Bit pair l of k, from
    // the lowest, decides bit 2-l of the position: y = b0, x = b0 ^ b1, so that four passes hit four quarters.
    std::vector<SamplePass> out;
    std::array<bool, kMaxStrata * kMaxStrata> seen{};
    for (unsigned k = 0; k < kMaxStrata * kMaxStrata; ++k) {
        unsigned x = 0, y = 0;
        for (unsigned l = 0; l < 3; ++l) {
            const unsigned b0 = (k >> (2 * l)) & 1U, b1 = (k >> (2 * l + 1)) & 1U;
            y |= b0 << (2 - l);
            x |= (b0 ^ b1) << (2 - l);
        }
        const unsigned i = y * static_cast<unsigned>(rows.strata()) / kMaxStrata;
        const unsigned j = x * static_cast<unsigned>(cols.strata()) / kMaxStrata;
        if (std::exchange(seen[i * kMaxStrata + j], true)) continue;
        // (i + j, 2i + j) is a bijection of pairs modulo 8: over all passes row and column phases meet in every
        // combination, so that a checkerboard has its exact mean. Reversed bits make the first four passes meet the
        // four combinations of parity, the first sixteen those modulo 4.
        constexpr std::array<std::uint8_t, 8> kReversed{0, 4, 2, 6, 1, 5, 3, 7};
        out.push_back({static_cast<std::uint8_t>(i), kReversed[(i + j) % 8], static_cast<std::uint8_t>(j),
                       kReversed[(2 * i + j) % 8]});
    }
    return out;
}

} // namespace ls::scene
