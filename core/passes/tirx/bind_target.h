// BindTarget: each function is said what it is compiled for. spec/tirx.md 9.
#pragma once

#include "core/passes/pass.h"

namespace ls::tirx {

/// Functions with a global symbol get the whole target (device and host); others the device's, the host's, or both as
/// two functions, by where they are called from. A target that is there stays; one without a host gets it.
PassResult bind_target(const ir::Module& module, const PassContext& context);

/// The parts of T.target({...}).
const ir::DictNode* target_dict(const ir::ExprNode* target);
ir::Expr target_of(std::vector<ir::KeyValue> entries);
/// The target without its host; the host alone (null when it has none).
ir::Expr device_target(const ir::DictNode& target);
ir::Expr host_target(const ir::DictNode& target);

} // namespace ls::tirx
