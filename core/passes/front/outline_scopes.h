// Passes 7, 9 and 10: scopes become functions.
#pragma once

#include "core/passes/pass.h"

namespace ls::front {

/// pl.at of a level other than CORE_GROUP, in functions without a type.
PassResult outline_hierarchy_scopes(const ir::Module& module, const PassContext& context);
/// pl.at(level=pl.Level.CORE_GROUP) and the bodies of pl.spmd loops become InCore functions; a function without a type
/// that had one is an Orchestration from then on. OUTLINE_SPLIT_TWICE.
PassResult outline_incore_scopes(const ir::Module& module, const PassContext& context);
/// pl.cluster() becomes a Group, pl.spmd(n) a Spmd function; how many cores run it stands at the call.
PassResult outline_cluster_scopes(const ir::Module& module, const PassContext& context);

} // namespace ls::front
