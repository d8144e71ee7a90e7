#include "core/passes/nz/convert_to_ssa.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "core/ir/mutator.h"
#include "core/ir/walk.h"

namespace ls::nz {

using namespace ir;

namespace {

/// Spmd and split loops run their body once on each core: what they assign is a plain assignment.
bool repeats(LoopKind kind) { return kind != LoopKind::Spmd && kind != LoopKind::SplitAiv; }

/// Names that the body gives a new value, in alphabetical order.
std::set<std::string> assigned_names(const Node& body) {
    std::set<std::string> names;
    walk(body, [&](const Node& node) {
        const auto add = [&](const std::vector<Var>& vars) {
            for (const Var& v : vars) names.insert(v->name);
        };
        if (const auto* a = as<AssignNode>(&node)) add(a->targets);
        if (const auto* i = as<IfNode>(&node)) add(i->results);
        if (const auto* f = as<ForNode>(&node)) add(f->results);
        if (const auto* w = as<WhileNode>(&node)) add(w->results);
        return StmtNode::is(node.kind);
    });
    return names;
}

/// A break or continue that leaves this loop, not one inside it.
bool leaves_early(const Seq& body) {
    bool found = false;
    walk(*body, [&](const Node& node) {
        found = found || node.kind == NodeKind::Break || node.kind == NodeKind::Continue;
        return StmtNode::is(node.kind) && node.kind != NodeKind::For && node.kind != NodeKind::While;
    });
    return found;
}

bool converted_before(const FunctionNode& function) {
    std::set<const VarNode*> defined;
    bool once = true, marked = false;
    const auto define = [&](const Node& node) {
        const auto& v = static_cast<const VarNode&>(node);
        once = once && defined.insert(&v).second;
        marked = marked || v.name.find("__ssa_v") != std::string::npos;
    };
    walk(function, [&](const Node& node) {
        for_each_child(
            node, [](const Node&) {}, define);
        return StmtNode::is(node.kind) || node.kind == NodeKind::Function;
    });
    return once && marked;
}

/// Which names a loop leaves behind for what follows it: the next thing that happens to them is a use.
class Escapes {
public:
    explicit Escapes(const FunctionNode& function) { visit(function); }

    bool escapes(const Node& loop, const std::string& name) const {
        const auto end = ends_.find(&loop);
        const auto uses = events_.find(name);
        if (end == ends_.end() || uses == events_.end()) return false;
        const auto next = std::upper_bound(uses->second.begin(), uses->second.end(), end->second,
                                           [](std::size_t at, const Event& e) { return at < e.at; });
        return next != uses->second.end() && !next->definition;
    }

private:
    struct Event {
        std::size_t at;
        bool definition;
    };
    void record(const Node& node, bool definition) {
        if (const auto* v = as<VarNode>(&node)) events_[v->name].push_back({++now_, definition});
    }
    void visit(const Node& node) {
        for_each_child(
            node,
            [this](const Node& child) {
                if (child.kind == NodeKind::Var)
                    record(child, false);
                else
                    visit(child);
            },
            [this](const Node& defined) {
                visit(defined); // its type may use names
                record(defined, true);
            });
        if (node.kind == NodeKind::For || node.kind == NodeKind::While) ends_[&node] = now_;
    }

    std::size_t now_ = 0;
    std::unordered_map<std::string, std::vector<Event>> events_;
    std::unordered_map<const Node*, std::size_t> ends_;
};

/// The tensor that a write goes to: what its answer is before the first time it runs. Null for other values.
const VarNode* destination(const Node& body, const std::string& name, Type& type) {
    const VarNode* found = nullptr;
    walk(body, [&](const Node& node) {
        const auto* a = as<AssignNode>(&node);
        if (found == nullptr && a != nullptr && a->targets.size() == 1 && a->targets[0]->name == name) {
            const auto* c = as<CallNode>(a->value);
            const bool store = c != nullptr && c->is_op("tile.store") && c->args.size() > 2;
            const bool assemble = c != nullptr && c->is_op("tensor.assemble") && !c->args.empty();
            if (store || assemble) found = as<VarNode>(c->args[store ? 2 : 0]);
            type = a->targets[0]->type;
        }
        return StmtNode::is(node.kind);
    });
    return found;
}

class ToSsa final : public Mutator {
public:
    std::vector<Diagnostic> refusals;

protected:
    Function on_function(const Function& function) override {
        if (converted_before(*function)) return function;
        values_.clear();
        versions_.clear();
        undefined_.clear();
        inside_ = true;
        escapes_.emplace(*function);
        Function after = Mutator::on_function(function);
        inside_ = false;
        return after;
    }

    // Variables are told apart by name, as in the text that they come from: a name means its latest value.
    Expr on_var(const Var& var) override {
        if (!inside_) return var;
        if (const auto now = values_.find(var->name); now != values_.end()) return now->second;
        if (const auto lost = undefined_.find(var->name); lost != undefined_.end()) {
            refusals.push_back(
                error_at(var->span, "SSA_MAYBE_UNDEFINED",
                         fmt::format("\"{}\" is used, but only {} gives it a value", var->name, lost->second),
                         "give it a value before"));
            undefined_.erase(lost);
        }
        return var;
    }

    Var on_define(const Var& var) override { return inside_ ? fresh(var, "ssa") : var; }

    Stmt on_stmt(const Stmt& stmt) override {
        switch (stmt->kind) {
        case NodeKind::If: return on_if(ref_as<IfNode>(stmt));
        case NodeKind::For: return on_for(ref_as<ForNode>(stmt));
        case NodeKind::While: return on_while(ref_as<WhileNode>(stmt));
        default: return Mutator::on_stmt(stmt);
        }
    }

private:
    using Values = std::map<std::string, Var>;

    Var fresh(const Var& var, std::string_view role) {
        auto next = derive(var);
        next->type = mutate(var->type);
        next->name = fmt::format("{}__{}_v{}", var->name, role, versions_[var->name]++);
        Var sealed = seal(std::move(next));
        values_[var->name] = sealed;
        undefined_.erase(var->name);
        return sealed;
    }
    /// A new value of `name` that is like `now`.
    Var fresh_like(const std::string& name, const Var& now, std::string_view role) {
        auto next = derive(now);
        next->name = fmt::format("{}__{}_v{}", name, role, versions_[name]++);
        return seal(std::move(next));
    }

    std::vector<Expr> mutate_all(const std::vector<Expr>& exprs) {
        std::vector<Expr> out;
        out.reserve(exprs.size());
        for (const Expr& e : exprs) out.push_back(mutate(e));
        return out;
    }
    void mutate_entries(std::vector<KeyValue>& entries) {
        for (KeyValue& k : entries) k.value = mutate(k.value);
    }

    static bool ends_in_yield(const Seq& body) {
        if (body == nullptr || body->stmts.empty()) return false;
        if (const auto* scope = as<WithNode>(body->stmts.back())) return ends_in_yield(scope->body);
        return body->stmts.back()->kind == NodeKind::Yield;
    }

    /// The body with `values` yielded at its end, behind what it yields already.
    static Seq with_yield(const Seq& body, const std::vector<Expr>& values) {
        if (values.empty()) return body;
        if (body == nullptr) return seq({yield_values(values)});
        auto copy = derive(body);
        if (!ends_in_yield(body)) {
            copy->stmts.push_back(yield_values(values));
        } else if (const auto scope = ref_as<WithNode>(body->stmts.back())) {
            auto inner = derive(scope);
            inner->body = with_yield(scope->body, values);
            copy->stmts.back() = seal(std::move(inner));
        } else {
            auto more = derive(ref_as<YieldNode>(body->stmts.back()));
            more->values.insert(more->values.end(), values.begin(), values.end());
            copy->stmts.back() = seal(std::move(more));
        }
        return seal(std::move(copy));
    }

    Stmt on_if(const Ref<IfNode>& old) {
        auto n = derive(old);
        n->condition = mutate(old->condition);
        const Values before = values_;
        n->then_body = mutate(old->then_body);
        const Values then_values = std::exchange(values_, before);
        if (old->else_body != nullptr) n->else_body = mutate(old->else_body);
        const Values else_values = std::exchange(values_, before);

        std::set<std::string> names = assigned_names(*old->then_body);
        if (old->else_body != nullptr) names.merge(assigned_names(*old->else_body));
        std::vector<Expr> then_yields, else_yields;
        std::vector<Var> results;
        for (const std::string& name : names) {
            const auto a = then_values.find(name), b = else_values.find(name);
            if (a == then_values.end() || b == else_values.end()) {
                values_.erase(name);
                undefined_[name] = "one branch of the if before it";
                continue;
            }
            if (a->second == b->second) continue;
            Var phi = fresh_like(name, a->second, "phi");
            then_yields.push_back(a->second);
            else_yields.push_back(b->second);
            values_[name] = phi;
            results.push_back(std::move(phi));
        }
        for (Var& r : n->results) r = fresh(r, "rv");
        if (!results.empty()) {
            n->then_body = with_yield(n->then_body, then_yields);
            n->else_body = with_yield(n->else_body, else_yields);
            n->results.insert(n->results.end(), results.begin(), results.end());
        }
        return seal(std::move(n));
    }

    /// What a loop carries: the names that its body assigns and that have a value before it.
    struct Carried {
        std::vector<std::string> names;
        std::vector<IterArg> args;
        std::vector<Var> results;
    };
    Carried carry(const Node& loop, const Node& body, const std::vector<IterArg>& own,
                  const std::string& loop_variable) {
        Carried c;
        std::set<std::string> names = assigned_names(body);
        names.erase(loop_variable);
        for (const IterArg& a : own) names.erase(a.var->name);
        for (const std::string& name : names) {
            Var before;
            Var like;
            if (const auto known = values_.find(name); known != values_.end()) {
                before = like = known->second;
            } else if (escapes_->escapes(loop, name)) {
                // First written here and read behind the loop: before the first turn it is the tensor that it writes
                // to.
                Type type;
                const VarNode* target = destination(body, name, type);
                const auto value = target != nullptr ? values_.find(target->name) : values_.end();
                if (value == values_.end()) continue;
                before = value->second;
                like = var(name, mutate(type), before->span);
            } else {
                continue;
            }
            Var iter = fresh_like(name, like, "iter");
            c.names.push_back(name);
            c.results.push_back(fresh_like(name, like, "rv"));
            c.args.push_back({std::move(iter), std::move(before)});
        }
        return c;
    }

    /// The loop's body with its carried values in scope, and what stands after the loop.
    template <class Loop>
    void finish_loop(Loop& n, const Ref<Loop>& old, Carried carried, const std::function<void()>& at_entry) {
        const Values before = values_;
        for (IterArg& a : n.iter_args) a.init = mutate(a.init);
        for (IterArg& a : n.iter_args) a.var = fresh(a.var, "iter");
        for (std::size_t i = 0; i < carried.names.size(); ++i) values_[carried.names[i]] = carried.args[i].var;
        at_entry();
        n.body = mutate(old->body);
        std::vector<Expr> yields;
        for (const std::string& name : carried.names) yields.push_back(values_.at(name));
        n.body = with_yield(n.body, yields);
        for (const auto& [name, value] : values_) {
            if (before.find(name) == before.end()) undefined_[name] = "the body of the loop before it";
        }
        values_ = before;
        for (Var& r : n.results) r = fresh(r, "rv");
        for (std::size_t i = 0; i < carried.names.size(); ++i) {
            values_[carried.names[i]] = carried.results[i];
            undefined_.erase(carried.names[i]);
        }
        n.iter_args.insert(n.iter_args.end(), carried.args.begin(), carried.args.end());
        n.results.insert(n.results.end(), carried.results.begin(), carried.results.end());
        if (!n.iter_args.empty() && leaves_early(old->body)) {
            refusals.push_back(error_at(old->span, "SSA_BREAK",
                                        "this loop changes values that live on after it, and leaves its body early",
                                        "put what follows the break or continue under an if"));
        }
    }

    Stmt on_for(const Ref<ForNode>& old) {
        auto n = derive(old);
        n->start = mutate(old->start);
        n->stop = mutate(old->stop);
        n->step = mutate(old->step);
        n->grid_extents = mutate_all(old->grid_extents);
        mutate_entries(n->kwargs);
        mutate_entries(n->attrs);
        if (!repeats(old->loop)) {
            n->var = fresh(old->var, "ssa");
            n->body = mutate(old->body);
            for (Var& r : n->results) r = fresh(r, "rv");
            return seal(std::move(n));
        }
        Carried carried = carry(*old, *old->body, old->iter_args, old->var->name);
        finish_loop<ForNode>(*n, old, std::move(carried), [&] { n->var = fresh(old->var, "idx"); });
        return seal(std::move(n));
    }

    Stmt on_while(const Ref<WhileNode>& old) {
        auto n = derive(old);
        Carried carried = carry(*old, *old->body, old->iter_args, {});
        finish_loop<WhileNode>(*n, old, std::move(carried), [&] { n->condition = mutate(old->condition); });
        return seal(std::move(n));
    }

    bool inside_ = false;
    std::optional<Escapes> escapes_;
    Values values_; ///< what each name means here
    std::map<std::string, int> versions_;
    std::map<std::string, std::string>
        undefined_; ///< names that some path leaves without a value, and who gives them one
};

} // namespace

PassResult convert_to_ssa(const Module& module, const PassContext&) {
    ToSsa convert;
    PassResult result;
    result.module = convert.mutate(module);
    result.diagnostics = std::move(convert.refusals);
    if (!result.diagnostics.empty()) result.module = nullptr;
    return result;
}

} // namespace ls::nz
