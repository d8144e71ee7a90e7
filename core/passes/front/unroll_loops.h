// Pass 2. pl.unroll loops become as many copies of their bodies as they have turns.
#pragma once

#include "core/passes/pass.h"

namespace ls::front {

/// Runs before ConvertToSSA: copies share their variables, and a name means its latest value. UNROLL_BOUNDS, UNROLL_COUNT,
/// UNROLL_JUMP.
PassResult unroll_loops(const ir::Module& module, const PassContext& context);

} // namespace ls::front
