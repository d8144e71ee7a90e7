// What fits (spec ub 1, 7, 8): who takes the bytes, what double buffering costs, how far a parameter may grow.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/result.h"
#include "core/ub/model/partition.h"

namespace ls::ub {

/// A buffer or view by the bytes that it takes.
struct Culprit {
    std::string name;
    std::string owner; ///< buffer of a view; empty for a buffer
    std::int64_t bytes = 0;
    double share = 0; ///< of the unified buffer
};

/// What happens when a queue gets twice its blocks.
struct Doubling {
    std::string queue;
    std::int64_t num = 1; ///< blocks now
    std::int64_t extra_bytes = 0;
    std::int64_t over_bytes = 0;  ///< bytes beyond the unified buffer afterwards; 0 or less when it fits
    std::int64_t largest_num = 0; ///< most blocks that fit with everything else as it is

    bool fits() const { return over_bytes <= 0; }
};

struct FitReport {
    std::int64_t ub_bytes = 0;
    std::int64_t needed_bytes = 0;    ///< as allocated, but a rest buffer counts with its views alone
    std::int64_t free_bytes = 0;      ///< ub - needed; negative: over
    std::int64_t tail_bytes = 0;      ///< library scratch at the top
    std::int64_t into_tail_bytes = 0; ///< needed bytes that lie in it
    std::int64_t rounding_bytes = 0;  ///< lost to 32-byte rounding of blocks
    std::int64_t gap_bytes = 0;       ///< between views
    std::int64_t slack_bytes = 0;     ///< at the ends of scratch buffers that are not "rest"
    std::vector<Culprit> buffers;     ///< largest first
    std::vector<Culprit> views;       ///< largest first; views that share bytes each count in full
    std::vector<Doubling> doublings;  ///< one a queue, in order
    Doubling all_queues;              ///< every queue doubled; `queue` is "all queues"

    bool fits() const { return free_bytes >= 0; }
};
FitReport fit_report(const Model& model, const Partition& partition);

/// Values of one parameter: low, low + step, ... up to high.
struct SweepAxis {
    std::string parameter;
    std::int64_t low = 0, high = 0, step = 1;

    std::int64_t count() const { return high < low ? 0 : (high - low) / step + 1; }
};

struct SweepRow {
    std::vector<std::int64_t> values; ///< one an axis
    Footprint footprint;
    bool valid = true; ///< false: an expression failed for these values
};

/// Every combination, the last axis fastest. SWEEP_AXIS for an unknown parameter or a step below 1, SWEEP_TOO_LARGE for
/// more than a million combinations.
Result<std::vector<SweepRow>> sweep(const CompiledModel& model, const std::vector<SweepAxis>& axes);

/// Where one parameter fits. Need not be one interval: branches and roundings make needs that fall as a size grows.
struct FitRange {
    struct Interval {
        std::int64_t low = 0, high = 0; ///< both fit, and every step between them
    };
    std::vector<Interval> intervals;
    std::optional<std::int64_t> largest;
};
Result<FitRange> fit_range(const CompiledModel& model, const SweepAxis& axis);

/// "cs=8:256:8" or "cs=8:256". SWEEP_AXIS if it is not of this form.
Result<SweepAxis> parse_axis(std::string_view text);

} // namespace ls::ub
