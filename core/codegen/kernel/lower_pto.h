// A function of PTO text as a kernel: it is nearly one already.
#pragma once

#include "core/codegen/kernel/kernel.h"

namespace ls::codegen {

/// CG_OP for an operation that has no place in a kernel here, CG_TYPE for a tile or view whose type is not known well
/// enough, CG_TENSOR for a window that is not one of an argument, CG_SCALAR for a number that is none here, CG_CAPACITY.
Result<Kernel> lower_pto_kernel(const ir::Function& function, const ExportOptions& options);

} // namespace ls::codegen
