// What the passes over orchestration functions ask of a call: which function it runs and with which operands. Private to
// this folder.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/ir/stmt.h"

namespace ls::orchestration {

/// A task: self.NAME(...) or pl.submit(self.NAME, ...). `args` are those of the function's parameters that it hands over.
struct Task {
    const ir::FunctionNode* callee = nullptr;
    std::span<const ir::Expr> args;
    std::size_t args_begin = 0; ///< where they begin among the call's own operands
};

/// Nothing when the expression is no call of a function of this module.
std::optional<Task> as_task(const ir::ExprNode* value, const ir::ModuleNode& module);

/// The operands that the callee writes, in the order of its parameters.
std::vector<ir::Expr> written_args(const Task& task);

/// The yield at the end of a body, inside the scopes that end there too; null when there is none.
const ir::YieldNode* last_yield(const ir::SeqNode& body);

} // namespace ls::orchestration
