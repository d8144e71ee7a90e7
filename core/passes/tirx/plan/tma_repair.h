// Private to tma_auto: makes a candidate legal without changing a byte address. Dimensions that carry nothing go,
// neighbours that continue each other become one, and units of 1, 2 or 4 bytes are doubled.
#pragma once

#include "core/passes/tirx/plan/tma.h"

namespace ls::tirx {

struct RepairedTma {
    TmaPlan plan;
    std::vector<TensorMapFinding> findings; ///< what still stands against it; empty when the plan is legal
};
RepairedTma repair_tma(const TmaPlan& plan);

} // namespace ls::tirx
