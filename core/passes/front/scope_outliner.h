// Functions out of scopes: `with pl.at(...)`, `pl.cluster()`, `pl.spmd(...)` and `for i in pl.spmd(...)` become
// functions of their own and calls of them. Three passes share it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "core/passes/pass.h"

namespace ls::front {

enum class ScopeKind : std::uint8_t {
    Hierarchy, ///< pl.at of any level but the one below
    InCore,    ///< pl.at(level=pl.Level.CORE_GROUP)
    Cluster,   ///< pl.cluster()
    Spmd,      ///< pl.spmd(n), as a scope or a loop
};

/// Nothing for other statements.
std::optional<ScopeKind> scope_kind(const ir::StmtNode& stmt);

struct Outlined {
    ir::Function parent;                 ///< the function that was given where it has no such scope
    std::vector<ir::Function> functions; ///< inner ones first
    std::vector<Diagnostic> refusals;    ///< OUTLINE_SPLIT_TWICE
};

/// Every scope of this kind in `function`. Parameters are what the scope reads before it defines it, in that order;
/// results what is used behind it, and the tensors that it stores to. `names` are the functions that exist, those made
/// are added. `through_calls`: the functions of the module say what a call in a scope writes and returns.
Outlined outline_scopes(const ir::Function& function, ScopeKind kind, std::unordered_set<std::string>& names,
                        const ir::ModuleNode& module, bool through_calls);

/// The module with each function replaced by what `outline` makes of it, the new functions before the others.
PassResult outline_in(const ir::Module& module,
                      const std::function<Outlined(const ir::Function&, std::unordered_set<std::string>&)>& outline);

} // namespace ls::front
