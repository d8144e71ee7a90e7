// The passes of TIRx in the order in which they run. Numbers are those of the reference's snapshots; the last, 30, is
// the device's program, and the passes that lead to it have the numbers before it.
#pragma once

#include <span>

#include "core/passes/pass.h"

namespace ls::tirx {

std::span<const Pass> tirx_pipeline();

} // namespace ls::tirx
