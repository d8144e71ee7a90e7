#include <unordered_set>

#include "core/ir/mutator.h"
#include "core/passes/front/outline_scopes.h"
#include "core/passes/front/scope_outliner.h"

namespace ls::front {

using namespace ir;

namespace {

/// In a function that becomes an Orchestration, the extent of a parameter is its symbol: reading it with tensor.dim
/// would give one quantity two names.
class FoldDims final : public Mutator {
public:
    explicit FoldDims(const FunctionNode& function) {
        for (const Param& p : function.params) {
            const auto* t = as<TensorTypeNode>(p.var->type);
            if (t == nullptr) continue;
            for (const Expr& extent : t->shape) {
                if (const auto* v = as<VarNode>(extent)) symbols_.insert(v);
            }
        }
    }

protected:
    Stmt on_stmt(const Stmt& stmt) override {
        const Stmt now = Mutator::on_stmt(stmt);
        const auto* a = as<AssignNode>(now);
        const auto* c = a != nullptr && a->targets.size() == 1 ? as<CallNode>(a->value) : nullptr;
        if (c == nullptr || !c->is_op("tensor.dim") || c->args.size() != 2) return now;
        const auto* v = as<VarNode>(c->args[0]);
        const auto* t = v != nullptr ? as<TensorTypeNode>(v->type) : nullptr;
        auto axis = constant(c->args[1]);
        if (t == nullptr || !axis) return now;
        const auto rank = static_cast<std::int64_t>(t->shape.size());
        if (*axis < 0) axis = *axis + rank;
        if (*axis < 0 || *axis >= rank) return now;
        const Expr& extent = t->shape[static_cast<std::size_t>(*axis)];
        if (symbols_.count(as<VarNode>(extent)) == 0) return now;
        replace(as<AssignNode>(stmt)->targets[0], extent);
        return nullptr;
    }

private:
    std::unordered_set<const VarNode*> symbols_;
};

bool orchestrates(FunctionKind kind) { return kind == FunctionKind::Orchestration || kind == FunctionKind::Graph; }

} // namespace

PassResult outline_incore_scopes(const Module& module, const PassContext&) {
    return outline_in(module, [&](const Function& f, std::unordered_set<std::string>& names) -> Outlined {
        if (f->function != FunctionKind::Opaque && !orchestrates(f->function)) return {f, {}, {}};
        Outlined out = outline_scopes(f, ScopeKind::InCore, names, *module, false);
        if (out.functions.empty()) return out;
        auto n = derive(f);
        n->body = out.parent->body;
        if (n->function == FunctionKind::Opaque) {
            n->body = FoldDims(*f).mutate(n->body);
            n->function = FunctionKind::Orchestration;
        }
        n->level = "CHIP";
        n->role = "Orchestrator";
        out.parent = seal(std::move(n));
        return out;
    });
}

} // namespace ls::front
