// InferPTOLayout: what the chosen assembler version says of the layouts that a program states for its tensor views, and
// of the windows into them. spec/nz.md E.2.
#pragma once

#include "core/passes/pass.h"

namespace ls::ptoas {

/// Refused: PTOAS_LAYOUT_MISMATCH (before 0.61, which infers and compares), PTOAS_NZ_RANK, PTOAS_NZ_STRIDE and
/// PTOAS_NZ_WINDOW (from 0.61 on, which believes and checks). The module is never changed.
PassResult infer_pto_layout(const ir::Module& module, const PassContext& context);

} // namespace ls::ptoas
