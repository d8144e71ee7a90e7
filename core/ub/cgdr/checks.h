// The named checks of the partition (spec ub 7) on one examined scenario.
#pragma once

#include <vector>

#include "core/ub/cgdr/scenario.h"

namespace ls::ub::cgdr {

/// Findings in order: allocation, views, aliases, books, launch, record.
std::vector<Finding> check_scenario(const Scenario& scenario, const ScenarioReport& report);

/// A V tile's first byte within a row of GM: tile * vStep * 2 (fp16). Off 32 bytes when vStep is no multiple of 16.
std::int64_t tile_byte_offset(std::int64_t v_step, std::int64_t tile);

/// W_BATCH_PARALLELISM: a v1108 launch that leaves cores unused which the batch could fill. Empty for v1135.
std::vector<Finding> check_launch(const HostPlan& plan, std::optional<std::int64_t> physical_cores);

} // namespace ls::ub::cgdr
