// BlockNzTensorViews: from logical NZ tensors to their blocked rank-5 form. spec/nz.md C.
#pragma once

#include "core/passes/pass.h"

namespace ls::nz {

/// Blocks every NZ tensor type (parameters, results, variables, tuples) and the coordinates of every access to one. A
/// function that changed gets attribute nz_tensor_views_blocked; one that has it goes through as it is.
/// Refuses with the codes of spec/nz.md C.8; all refusals of the module are reported.
PassResult block_nz_tensor_views(const ir::Module& module, const PassContext& context);

inline constexpr std::string_view kBlockedAttr = "nz_tensor_views_blocked";

bool is_nz(const ir::Type& type);

} // namespace ls::nz
