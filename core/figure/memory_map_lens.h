// Which bytes of a memory map are too narrow to be seen, and where the enlarged copy puts them. Private to the figure.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "core/figure/memory_map.h"

namespace ls::figure {

/// Byte ranges side by side, each with its own scale. The plot has one, the lens one for each group of narrow blocks.
class ByteScale {
public:
    struct Segment {
        std::int64_t begin_byte = 0, end_byte = 0;
        double x0 = 0, x1 = 0;
    };
    std::vector<Segment> segments; ///< by byte

    /// The x range of the part of [begin, end) that is on the scale; nothing when none is.
    std::optional<std::pair<double, double>> place(std::int64_t begin, std::int64_t end) const;
    double left() const { return segments.front().x0; }
    double right() const { return segments.back().x1; }
};

/// Blocks below this width, in points, are drawn once more in the lens.
inline constexpr double kLensBelow = 3;

/// Groups of bytes of blocks that are narrower than kLensBelow where a byte is `points_per_byte` wide; touching ones are
/// one group. Their number is bounded: the first that fit, `left_out` counts the others.
struct LensGroups {
    std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
    std::size_t blocks = 0; ///< distinct byte ranges within
    std::size_t left_out = 0;
};
LensGroups lens_groups(const MemoryMap& map, double points_per_byte);

/// Spreads the groups over [x, x + width): each as wide as its bytes, but not below 10 points.
ByteScale lens_scale(const LensGroups& groups, double x, double width);

} // namespace ls::figure
