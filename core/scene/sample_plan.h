// Which cells stand for a texel when many cells share it: the quadrature behind pictures that are zoomed out.
#pragma once

#include <cstdint>
#include <vector>

namespace ls::scene {

/// One axis of a lattice of texels. Texel t covers cells [t·c, (t+1)·c), c = cells_per_texel.
///
///   c ≤ 1      one texel is one cell
///   1 < c < 8  an even number n ≥ c of neighbouring cells round the texel's middle: none is skipped, and a pattern of
///              period 2 (or n) has no beat
///   c ≥ 8      8 strata of a tent two texels wide (half the beat of a box, hardly softer), in each 8 jittered places;
///   at
///              a place an aligned window of 4 cells (8 from c = 16 on), of which each pass looks at one. Patterns
///              whose period divides the window are met evenly, others turn into fine grain instead of moiré
class AxisPlan {
public:
    AxisPlan() = default;
    /// `cells` along the axis, at least 1.
    AxisPlan(std::int64_t cells, double cells_per_texel);

    int strata() const { return strata_; }
    /// The cell that stands for `texel` in stratum `stratum`, with `phase` 0..7 choosing within the window, in a pass
    /// whose stratum on the other axis is `across`.
    std::int64_t cell(std::int64_t texel, int stratum, int phase, int across) const;

private:
    std::int64_t cells_ = 1;
    double per_texel_ = 1;
    int strata_ = 1;
    int window_ = 1;
};

/// One look at every texel: the same stratum and phase for all of them, so that the source is asked once per pass.
struct SamplePass {
    std::uint8_t row_stratum = 0, row_phase = 0, col_stratum = 0, col_phase = 0;
    bool operator==(const SamplePass&) const = default;
};

/// All passes of a plan; every prefix is spread evenly over the texel. At most 64.
std::vector<SamplePass> sample_passes(const AxisPlan& rows, const AxisPlan& cols);

} // namespace ls::scene
