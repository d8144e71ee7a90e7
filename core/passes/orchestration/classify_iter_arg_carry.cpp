#include "core/passes/orchestration/classify_iter_arg_carry.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "core/ir/mutator.h"
#include "core/ir/walk.h"
#include "core/passes/orchestration/calls.h"
#include "core/passes/tile/param_access.h"

namespace ls::orchestration {

using namespace ir;

namespace {

/// Each variable by the one whose buffer it names.
using Aliases = std::unordered_map<const VarNode*, const VarNode*>;

const VarNode* follow(const Aliases& aliases, const VarNode* var, const VarNode* until) {
    // A definition names only what was defined before it, so the chain ends.
    while (var != nullptr && var != until) {
        const auto next = aliases.find(var);
        if (next == aliases.end()) break;
        var = next->second;
    }
    return var;
}

/// The parameters that a function answers, one entry a result; nothing where a result is no parameter.
std::vector<std::optional<std::size_t>> answered_params(const FunctionNode& function) {
    Aliases aliases;
    const ReturnNode* last = nullptr;
    for_each_stmt(function, [&](const StmtNode& stmt) {
        if (const auto* r = as<ReturnNode>(&stmt)) last = r;
        const auto note = [&](const Var& var, const Expr& source) {
            if (const auto* from = as<VarNode>(source)) aliases.emplace(var.get(), from);
        };
        if (const auto* a = as<AssignNode>(&stmt); a != nullptr && a->targets.size() == 1) {
            const auto* call = as<CallNode>(a->value);
            const Expr* written = call != nullptr ? tile::written_operand(*call) : nullptr;
            note(a->targets[0], written != nullptr ? *written : a->value);
        }
        if (const auto* f = as<ForNode>(&stmt)) {
            for (const IterArg& arg : f->iter_args) note(arg.var, arg.init);
            for (std::size_t i = 0; i < std::min(f->results.size(), f->iter_args.size()); ++i) note(f->results[i], f->iter_args[i].init);
        }
        if (const auto* i = as<IfNode>(&stmt)) {
            const YieldNode* yield = last_yield(*i->then_body);
            for (std::size_t r = 0; yield != nullptr && r < std::min(i->results.size(), yield->values.size()); ++r) note(i->results[r], yield->values[r]);
        }
    });
    std::vector<std::optional<std::size_t>> answered;
    for (std::size_t i = 0; last != nullptr && i < last->values.size(); ++i) {
        const VarNode* origin = follow(aliases, as<VarNode>(last->values[i]), nullptr);
        const auto param = std::find_if(function.params.begin(), function.params.end(), [&](const Param& p) { return p.var.get() == origin; });
        answered.push_back(param == function.params.end() ? std::nullopt : std::optional(static_cast<std::size_t>(param - function.params.begin())));
    }
    return answered;
}

class Classify final : public Mutator {
public:
    Classify(const FunctionNode& function, const ModuleNode& module) : module_(module) {
        for_each_stmt(function, [&](const StmtNode& stmt) {
            if (const auto* a = as<AssignNode>(&stmt)) return assign(*a);
            const auto* f = as<ForNode>(&stmt);
            for (std::size_t i = 0; f != nullptr && i < std::min(f->results.size(), f->iter_args.size()); ++i) {
                if (as<ArrayTypeNode>(f->results[i]->type) == nullptr) note(f->results[i], f->iter_args[i].init); // an array is copied
            }
        });
    }

protected:
    Stmt on_stmt(const Stmt& stmt) override {
        const Stmt now = Mutator::on_stmt(stmt);
        const auto* old = as<ForNode>(stmt);
        if (old == nullptr || old->iter_args.empty()) return now;
        const YieldNode* yield = last_yield(*old->body);
        const auto loop = ref_as<ForNode>(now);
        auto marked = derive(loop);
        bool changed = false;
        for (std::size_t i = 0; i < old->iter_args.size(); ++i) {
            const VarNode* var = old->iter_args[i].var.get();
            const auto* value = yield != nullptr && i < yield->values.size() ? as<VarNode>(yield->values[i]) : nullptr;
            const bool rebinds = follow(aliases_, value, var) != var;
            const std::string key = fmt::format("iter_arg_rebind_{}", i);
            const auto has = std::find_if(marked->attrs.begin(), marked->attrs.end(), [&](const KeyValue& a) { return a.key == key; });
            if (has != marked->attrs.end()) continue;
            marked->attrs.push_back({key, const_bool(rebinds)});
            changed = true;
        }
        return changed ? Stmt(seal(std::move(marked))) : now;
    }

private:
    void note(const Var& var, const Expr& source) {
        if (const auto* from = as<VarNode>(source)) aliases_.emplace(var.get(), from);
    }

    void assign(const AssignNode& a) {
        if (const auto task = as_task(a.value.get(), module_)) {
            const std::vector<Expr> written = written_args(*task);
            if (a.targets.size() > 1) {
                for (std::size_t i = 0; i < std::min(written.size(), a.targets.size()); ++i) note(a.targets[i], written[i]);
            } else if (as<TupleTypeNode>(a.targets[0]->type) != nullptr) {
                tuples_[a.targets[0].get()] = written;
            } else if (const auto& answered = answered_by(*task->callee); !answered.empty() && answered[0] && *answered[0] < task->args.size()) {
                note(a.targets[0], task->args[*answered[0]]);
            }
            return;
        }
        if (const auto* get = as<TupleGetNode>(a.value)) {
            const auto found = tuples_.find(as<VarNode>(get->tuple));
            if (found == tuples_.end() || get->index < 0 || static_cast<std::size_t>(get->index) >= found->second.size()) return;
            return note(a.targets[0], found->second[static_cast<std::size_t>(get->index)]);
        }
        const auto* call = as<CallNode>(a.value);
        if (call != nullptr && call->is_op("tensor.assemble") && !call->args.empty()) note(a.targets[0], call->args[0]);
    }

    const std::vector<std::optional<std::size_t>>& answered_by(const FunctionNode& callee) {
        const auto [at, is_new] = answered_.try_emplace(&callee);
        if (is_new) at->second = answered_params(callee);
        return at->second;
    }

    const ModuleNode& module_;
    Aliases aliases_;
    std::unordered_map<const VarNode*, std::vector<Expr>> tuples_;
    std::unordered_map<const FunctionNode*, std::vector<std::optional<std::size_t>>> answered_;
};

} // namespace

PassResult classify_iter_arg_carry(const Module& module, const PassContext&) {
    auto now = derive(module);
    for (Function& f : now->functions) {
        if (f->function == FunctionKind::Orchestration && f->body != nullptr) f = Classify(*f, *module).mutate(f);
    }
    return PassResult::unchanged(now->functions == module->functions ? module : seal(std::move(now)));
}

} // namespace ls::orchestration
