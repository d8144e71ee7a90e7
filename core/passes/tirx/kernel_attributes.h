// What a kernel's body says of its launch: thread extents, launch bounds, dynamic shared memory. Private to
// SplitHostDevice.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/ir/stmt.h"
#include "core/support/result.h"

namespace ls::tirx {

struct LaunchInfo {
    std::vector<std::string> params;      ///< "blockIdx.x", ..., "tirx.use_dyn_shared_memory" last
    std::vector<ir::Expr> args;           ///< the extent of each, in terms of what the kernel is given
    std::vector<ir::KeyValue> attributes; ///< launch bounds and registers, for the function
    ir::Seq body;                         ///< without the attributes that only speak of the launch
};

/// `requested`: flags that the function asks for besides (programmatic dependent launch, cooperative launch).
Result<LaunchInfo> launch_info(const ir::Seq& body, const ir::ExprNode* requested);

/// The entries of T.attr({...}) and T.attr(node, key, value), by key; empty for other statements.
std::vector<ir::KeyValue> attributes_of(const ir::WithNode& with);

} // namespace ls::tirx
