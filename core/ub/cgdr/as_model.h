// chunk_gated_delta_rule written as an authoring model (spec ub 8), so that everything that works on models works on
// it.
#pragma once

#include <cstdint>

#include "core/ub/cgdr/device_partition.h"
#include "core/ub/model/model.h"

namespace ls::ub::cgdr {

/// Parameters cs, dk, vStep; the branch that `partition` took; live ranges for `tiles` serial V tiles (v1108 only); the
/// host's formula for the same branch as host.tmp.
Model as_model(const DevicePartition& partition, const ModelPlatform& platform, std::int64_t tiles);

} // namespace ls::ub::cgdr
