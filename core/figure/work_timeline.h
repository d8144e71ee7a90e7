// A batch over cores (spec ub 6): cores as rows, units as blocks in the order in which they are met, the quota, idle
// time, the makespan against its bound. Ten thousand sequences stay drawable: what is thinner than can be seen is
// gathered.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/scene/bars.h"
#include "core/ub/work/balance.h"
#include "core/ub/work/distribution.h"

namespace ls::figure {

struct WorkTimelineOptions {
    double width = 1000;
    double height = 0;               ///< points to fill where the cores allow; 0: what they want
    double begin = 0, end = 0;       ///< load in view, in rows of the tensor; equal: all of it
    std::optional<std::int64_t> upto; ///< replay: units from here on are not yet distributed, drawn as outlines
    std::optional<std::int64_t> lit;  ///< the unit that is looked at
    std::string unit = "rows";
};

/// Where the plot lies, for zooming.
struct WorkTimelineGeometry {
    scene::Rect plot;
    double row_height = 1;
    double begin = 0, end = 1; ///< what the plot's left and right edge stand for

    double load_at(double x) const { return begin + (x - plot.x) / plot.w * (end - begin); }
};

struct WorkTimelinePicture {
    scene::Picture picture;
    WorkTimelineGeometry geometry;
};

/// Hit regions carry the index of a unit (the first of those gathered), or kCoreHit − core for a core's row.
inline constexpr std::int64_t kCoreHit = -1000;

WorkTimelinePicture draw_work_timeline(const ub::work::Distribution& distribution, const WorkTimelineOptions& options,
                                       const scene::TextMeasure& measure);

/// Makespans of the kernel's rule and its alternatives on one scale, what lies beyond the bound split off.
scene::BarChart compare_work(const ub::work::Distribution& distribution,
                             const std::vector<ub::work::Alternative>& alternatives);

} // namespace ls::figure
