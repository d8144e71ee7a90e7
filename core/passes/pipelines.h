// Which passes a program goes through, by the way it is written.
#pragma once

#include <span>

#include "core/ir/stmt.h"
#include "core/passes/pass.h"

namespace ls {

/// pypto programs go through the compiler's passes, PTO text through the assembler's. Empty for a dialect whose passes
/// are not here: its trace is the program as it was read.
std::span<const Pass> pipeline_of(ir::Dialect dialect);

} // namespace ls
