// Pass 1, InlineFunctions: functions of type Inline are written out where they are called.
#pragma once

#include "core/passes/pass.h"

namespace ls::front {

/// At every call that is a statement of its own (or what a return answers) stands a copy of the body: local variables get
/// names of their own (x_inline0), parameters are what was handed over, the result is assigned. Inline functions go.
/// Refusals: INLINE_CYCLE, INLINE_RETURN (a return that is not the last statement), INLINE_NESTED (a call inside an
/// expression), INLINE_ARGUMENTS, INLINE_SIZE (more than 100000 statements in all).
PassResult inline_functions(const ir::Module& module, const PassContext& context);

} // namespace ls::front
