// Pass 31. A pipelined loop of N stages becomes one of a turn in N, with N copies of its body.
#pragma once

#include "core/passes/pass.h"

namespace ls::tile {

/// Every tile that a copy makes carries the group and stage that it belongs to ("pipeline_membership"), so that MemoryReuse
/// keeps the stages apart. What does not divide by N follows as copies behind the loop, chosen by branches where the number
/// of turns is not known. A loop that was lowered stays a pipeline of one stage until CanonicalizeIOOrder. PIPELINE_STEP,
/// PIPELINE_STAGES.
PassResult lower_pipeline_loops(const ir::Module& module, const PassContext& context);

} // namespace ls::tile
