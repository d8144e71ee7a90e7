// MaterializeTensorStrides: every tensor view says its strides. spec/nz.md D.
#pragma once

#include "core/passes/pass.h"

namespace ls::nz {

/// Fills the packed strides of every tensor type that has a view without them; bare tensors stay bare. Refuses an NZ
/// view that is not blocked (NZ_NOT_BLOCKED). With context.verify, checks all views afterwards.
PassResult materialize_tensor_strides(const ir::Module& module, const PassContext& context);

} // namespace ls::nz
