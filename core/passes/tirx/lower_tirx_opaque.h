// LowerTIRxOpaque: thread-bound loops become thread extents, loops of one iteration go. spec/tirx.md 9.
#pragma once

#include "core/passes/pass.h"

namespace ls::tirx {

/// A loop of one iteration without annotations is its body with the start for the variable. Annotations whose key
/// begins with "pragma_" become attributes around the loop, in the order of their keys; pragma_unroll stays.
PassResult lower_tirx_opaque(const ir::Module& module, const PassContext& context);

} // namespace ls::tirx
