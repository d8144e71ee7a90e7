// Pass 36, MaterializeSemanticAliases: values that must share memory by what they mean get one buffer.
#pragma once

#include "core/passes/pass.h"

namespace ls::memory {

/// What a loop hands to its next round is made where the carried value lies.
PassResult materialize_semantic_aliases(const ir::Module& module, const PassContext& context);

} // namespace ls::memory
