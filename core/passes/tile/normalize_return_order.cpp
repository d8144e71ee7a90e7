#include "core/passes/tile/normalize_return_order.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/ir/mutator.h"
#include "core/ir/walk.h"
#include "core/passes/front/scope_flow.h"

namespace ls::tile {

using namespace ir;

namespace {

bool is_kernel(FunctionKind k) { return k == FunctionKind::InCore || k == FunctionKind::AIC || k == FunctionKind::AIV; }
bool is_wrapper(FunctionKind k) { return k == FunctionKind::Group || k == FunctionKind::Spmd; }

/// Function name: where each of its results is now.
using Moved = std::unordered_map<std::string, std::vector<std::size_t>>;

Ref<ReturnNode> return_of(const FunctionNode& f) {
    return f.body == nullptr || f.body->stmts.empty() ? Ref<ReturnNode>{} : ref_as<ReturnNode>(f.body->stmts.back());
}

Function with_return(const Function& f, std::vector<Expr> values, std::vector<Type> returns) {
    const auto old = return_of(*f);
    auto r = derive(old);
    r->values = std::move(values);
    auto body = derive(f->body);
    body->stmts.back() = seal(std::move(r));
    auto n = derive(f);
    n->origin = f->origin != nullptr ? f->origin : f;
    n->body = seal(std::move(body));
    n->returns = std::move(returns);
    return seal(std::move(n));
}

Function return_parameters(const Function& f, const ModuleNode& module) {
    const auto ret = return_of(*f);
    if (ret == nullptr || (!is_kernel(f->function) && !is_wrapper(f->function))) return f;
    std::unordered_set<const VarNode*> params;
    for (const Param& p : f->params) params.insert(p.var.get());
    const front::ReturnLineage lineage(*f->body, params, &module);
    std::vector<Expr> values = ret->values;
    for (Expr& value : values) {
        const auto* v = as<VarNode>(value);
        if (v == nullptr || as<TensorTypeNode>(v->type) == nullptr) continue;
        const VarNode* from = lineage.origin(v);
        for (const Param& p : f->params) {
            if (p.var.get() == from) value = p.var;
        }
    }
    if (values == ret->values) return f;
    return with_return(f, std::move(values), f->returns);
}

/// Where each returned value goes so that outputs stand in the order of the parameters; empty when they do.
std::vector<std::size_t> places(const FunctionNode& f) {
    const auto ret = return_of(f);
    if (ret == nullptr || !is_kernel(f.function)) return {};
    std::vector<std::pair<std::size_t, std::size_t>> by_param; // parameter, position
    for (std::size_t i = 0; i < ret->values.size(); ++i) {
        const auto found = std::find_if(f.params.begin(), f.params.end(), [&](const Param& p) {
            return p.var.get() == ret->values[i].get() && p.direction != Direction::In;
        });
        if (found == f.params.end()) return {};
        by_param.emplace_back(static_cast<std::size_t>(found - f.params.begin()), i);
    }
    if (std::is_sorted(by_param.begin(), by_param.end())) return {};
    std::stable_sort(by_param.begin(), by_param.end());
    std::vector<std::size_t> place(by_param.size());
    for (std::size_t i = 0; i < by_param.size(); ++i) place[by_param[i].second] = i;
    return place;
}

template <class T>
std::vector<T> rearranged(const std::vector<T>& all, const std::vector<std::size_t>& place) {
    std::vector<T> out = all;
    for (std::size_t i = 0; i < all.size() && i < place.size(); ++i) out[place[i]] = all[i];
    return out;
}

/// Callers of functions whose results moved.
class TakeApart final : public Mutator {
public:
    explicit TakeApart(const Moved& moved) : moved_(moved) {}

protected:
    Stmt on_stmt(const Stmt& stmt) override {
        Stmt now = Mutator::on_stmt(stmt);
        const auto* before = as<AssignNode>(stmt);
        const auto* c = before != nullptr ? as<CallNode>(before->value) : nullptr;
        const auto found = c != nullptr && c->callee == CalleeKind::Function ? moved_.find(c->op) : moved_.end();
        if (found == moved_.end()) return now;
        const auto a = ref_as<AssignNode>(now);
        auto n = derive(a);
        n->origin = stmt;
        const auto retyped = [&](const Type& type) -> Type {
            const auto* t = as<TupleTypeNode>(type);
            return t == nullptr ? type : tuple_type(rearranged(t->elements, found->second));
        };
        if (a->targets.size() > 1) {
            n->targets = rearranged(a->targets, found->second);
        } else {
            auto v = derive(a->targets[0]);
            v->type = retyped(v->type);
            const Var fresh = seal(std::move(v));
            replace(before->targets[0], fresh);
            results_.emplace(fresh.get(), &found->second);
            n->targets[0] = fresh;
        }
        auto call = derive(ref_as<CallNode>(a->value));
        call->type = retyped(call->type);
        n->value = seal(std::move(call));
        return seal(std::move(n));
    }
    Expr on_expr(const Expr& expr) override {
        const Expr now = Mutator::on_expr(expr);
        const auto get = ref_as<TupleGetNode>(now);
        const auto* v = get != nullptr ? as<VarNode>(get->tuple) : nullptr;
        const auto found = v != nullptr ? results_.find(v) : results_.end();
        if (found == results_.end() || get->index < 0 || static_cast<std::size_t>(get->index) >= found->second->size()) return now;
        auto n = derive(get);
        n->origin = expr;
        n->index = static_cast<std::int64_t>((*found->second)[static_cast<std::size_t>(get->index)]);
        return seal(std::move(n));
    }

private:
    const Moved& moved_;
    std::unordered_map<const VarNode*, const std::vector<std::size_t>*> results_;
};

} // namespace

PassResult normalize_return_order(const Module& module, const PassContext&) {
    std::vector<Function> functions;
    Moved moved;
    for (const Function& f : module->functions) {
        Function now = return_parameters(f, *module);
        if (const std::vector<std::size_t> place = places(*now); !place.empty()) {
            now = with_return(now, rearranged(return_of(*now)->values, place), rearranged(now->returns, place));
            moved.emplace(now->name, place);
        }
        functions.push_back(std::move(now));
    }
    if (!moved.empty()) {
        for (Function& f : functions) {
            if (!is_kernel(f->function)) f = TakeApart(moved).mutate(f);
        }
    }
    if (functions == module->functions) return PassResult::unchanged(module);
    auto n = derive(module);
    n->functions = std::move(functions);
    return PassResult::unchanged(seal(std::move(n)));
}

} // namespace ls::tile
