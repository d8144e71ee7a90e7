// The passes of TIRx in the order in which they run. Numbers are those of the reference's snapshots.
#pragma once

#include <span>

#include "core/passes/pass.h"

namespace ls::tirx {

std::span<const Pass> tirx_pipeline();

} // namespace ls::tirx
