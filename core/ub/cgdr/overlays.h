// Overlays of chunk_gated_delta_rule's own views (spec ub 5): what may lie on what, for a number of serial V tiles.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ub/cgdr/lifetimes.h"
#include "core/ub/model/overlay.h"

namespace ls::ub::cgdr {

/// The views as items: content bytes (not the scores' larger handle) and their unrolled lives. In carving order.
std::vector<OverlayItem> overlay_items(const DevicePartition& partition, std::int64_t tiles);

/// The state tile on those tiles of the prologue that are dead once it is loaded: kCumdecay, and chunkScores too when a
/// core handles one tile. Block items index overlay_items(); reference_bytes is what the kernel itself carves.
/// UB_NOT_V1108: the Cube code borrows many views, so its lives are others.
Result<OverlayPlan> overlay_state_tile(const DevicePartition& partition, std::int64_t tiles);

} // namespace ls::ub::cgdr
