// Bars on one scale against limits: rows asked for and rows read, bytes used and bytes there, work of each core.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/scene/picture.h"

namespace ls::scene {

struct Bar {
    double begin = 0, end = 0; ///< in the chart's unit
    std::string label;         ///< drawn inside where it fits, else beside
    ColorKey fill = ColorKey::category(0);
    Pattern pattern = Pattern::None;
    std::string describe;
    std::int64_t id = 0;
};

struct BarLane {
    std::string name;
    std::vector<Bar> bars;
    std::optional<double> limit; ///< what lies beyond is split off and hatched as a finding
};

/// A line across all lanes: a quota, a makespan, the end of a memory.
struct BarLimit {
    double at = 0;
    std::string label;
    Role tone = Role::Fine;
};

struct BarChart {
    std::string title, subtitle;
    double min = 0, max = 1;   ///< the scale; bars are cut to it
    std::vector<double> ticks; ///< empty: about six round ones
    std::string unit;          ///< after the last tick: "B"
    std::vector<BarLane> lanes;
    std::vector<BarLimit> limits;
};

/// Draws the chart `width` points wide; its height follows from its lanes.
Picture draw_bars(const BarChart& chart, double width, const TextMeasure& measure);

/// About `count` round values within [min, max]: 1, 2 or 5 · 10^n apart, or powers of two apart with `binary`.
std::vector<double> round_ticks(double min, double max, int count, bool binary = false);

} // namespace ls::scene
