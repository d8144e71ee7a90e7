#include "core/passes/orchestration/calls.h"

namespace ls::orchestration {

using namespace ir;

std::optional<Task> as_task(const ExprNode* value, const ModuleNode& module) {
    const auto* call = as<CallNode>(value);
    if (call == nullptr) return {};
    const bool submits = call->is_op("submit") && !call->args.empty();
    const auto* named = submits ? as<ir::SymbolNode>(call->args[0]) : nullptr;
    if (!submits && call->callee != CalleeKind::Function) return {};
    if (submits && named == nullptr) return {};
    Task task;
    task.callee = module.find(submits ? named->last() : std::string_view(call->op));
    if (task.callee == nullptr) return {};
    task.args_begin = submits ? 1 : 0;
    task.args = std::span(call->args).subspan(task.args_begin);
    return task;
}

std::vector<Expr> written_args(const Task& task) {
    std::vector<Expr> written;
    for (std::size_t i = 0; i < task.args.size() && i < task.callee->params.size(); ++i) {
        if (task.callee->params[i].direction != Direction::In) written.push_back(task.args[i]);
    }
    return written;
}

const YieldNode* last_yield(const SeqNode& body) {
    if (body.stmts.empty()) return nullptr;
    if (const auto* with = as<WithNode>(body.stmts.back())) return last_yield(*with->body);
    return as<YieldNode>(body.stmts.back());
}

} // namespace ls::orchestration
