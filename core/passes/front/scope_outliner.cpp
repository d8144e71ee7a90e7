#include "core/passes/front/scope_outliner.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "core/ir/mutator.h"
#include "core/ir/walk.h"
#include "core/passes/fresh_names.h"
#include "core/passes/front/scope_flow.h"
#include "core/passes/front/scope_parts.h"

namespace ls::front {

using namespace ir;
using namespace parts;

namespace {

class ScopeOutliner final : public Mutator {
public:
    ScopeOutliner(const Function& function, ScopeKind kind, std::unordered_set<std::string>& functions, const ModuleNode& module,
                  bool through_calls)
        : kind_(kind), functions_(functions), program_(through_calls ? &module : nullptr), variables_(function), names_(*function), uses_(*function),
          function_name_(function->name) {
        walk(*function, [&](const Node& node) {
            const auto carry = [this](const std::vector<IterArg>& args) {
                for (const IterArg& a : args) carried_.insert(a.var.get());
            };
            if (const auto* f = as<ForNode>(&node)) carry(f->iter_args);
            if (const auto* w = as<WhileNode>(&node)) carry(w->iter_args);
            if (const auto* v = as<VarNode>(&node)) local_names_.insert(v->name);
            return true;
        });
        for (const Var& v : module.dynamic_symbols) global_.insert(v.get());
    }
    std::vector<Function> made;
    std::vector<Diagnostic> refusals;

protected:
    Stmt on_stmt(const Stmt& stmt) override {
        const auto kind = scope_kind(*stmt);
        if (kind == kind_) {
            if (const auto w = ref_as<WithNode>(stmt)) {
                const auto& scope = static_cast<const CallNode&>(*w->scope);
                return outline(stmt, w->body, scope.kwargs, text(scope.kwarg("name_hint")), w.get());
            }
        }
        // A loop over cores is a launch around a kernel: its body is what runs in each core.
        if (kind == ScopeKind::Spmd && kind_ == ScopeKind::InCore && stmt->kind == NodeKind::For) {
            return kernel_of_loop(ref_as<ForNode>(stmt));
        }
        const bool was_nested = nested_;
        nested_ = nested_ || stmt->kind == NodeKind::With;
        Stmt now = Mutator::on_stmt(stmt);
        nested_ = was_nested;
        return now;
    }

    Expr on_var(const Var& v) override { return now(v); }

private:
    bool taken(const std::string& name) const { return local_names_.count(name) != 0 || functions_.count(name) != 0; }
    std::string numbered(const std::string& base) const {
        for (int i = 0;; ++i) {
            std::string name = fmt::format("{}_{}", base, i);
            if (!taken(name)) return name;
        }
    }
    /// A name that another function of the program has gets this function's before it; one that this function has, a
    /// number.
    std::string unique(const std::string& wanted) const {
        if (!taken(wanted)) return wanted;
        if (local_names_.count(wanted) != 0) return numbered(wanted);
        const std::string longer = function_name_ + "_" + wanted;
        return taken(longer) ? numbered(longer) : longer;
    }

    Stmt kernel_of_loop(const Ref<ForNode>& loop) {
        const std::string hint = text(keyword(loop->kwargs, "name_hint"));
        constexpr std::string_view kSuffix = "_spmd";
        const bool suffixed = hint.size() > kSuffix.size() && hint.compare(hint.size() - kSuffix.size(), kSuffix.size(), kSuffix) == 0;
        const std::string kernel = suffixed ? hint.substr(0, hint.size() - kSuffix.size()) : hint;
        std::vector<Stmt> stmts{
            assign(loop->var, call("tile.get_block_idx", {}, {}, {}, scalar_type(DType::Index), loop->span), loop->span)};
        stmts.insert(stmts.end(), loop->body->stmts.begin(), loop->body->stmts.end());
        std::vector<KeyValue> launch;
        for (const KeyValue& k : loop->kwargs) {
            if (k.key == "optimizations") continue;
            launch.push_back(k);
            if (k.key == "name_hint" && !suffixed) launch.back().value = string(hint + std::string(kSuffix));
        }
        const bool was_nested = std::exchange(nested_, true);
        const Stmt inner = outline(loop, seq(std::move(stmts), loop->span), loop->kwargs, kernel, nullptr);
        nested_ = was_nested;
        auto scope = std::make_shared<WithNode>();
        scope->origin = loop;
        scope->span = loop->span;
        scope->comments = loop->comments;
        scope->scope = call("spmd", {mutate(loop->stop)}, std::move(launch), {}, {}, loop->span);
        scope->body = inner->kind == NodeKind::Seq ? ref_as<SeqNode>(inner) : seq({inner});
        return seal(std::move(scope));
    }

    Stmt outline(const Stmt& stmt, const Seq& body, const std::vector<KeyValue>& kwargs, const std::string& hint, const WithNode* with) {
        const auto* scope = with != nullptr ? as<CallNode>(with->scope) : nullptr;
        std::string suffix = kind_ == ScopeKind::InCore ? "_incore_" : kind_ == ScopeKind::Cluster ? "_cluster_" : "_spmd_";
        if (kind_ == ScopeKind::Hierarchy && scope != nullptr) suffix = level_suffix(*scope);
        const std::string wanted = !hint.empty() ? hint : fmt::format("{}{}{}", function_name_, suffix, counter_);
        ++counter_; // also for those with a name: numbers of the others stay
        const std::string name = unique(wanted);
        local_names_.insert(name);
        functions_.insert(name);

        const ScopeFlow flow = scope_flow(*body, carried_, global_);
        const bool exports_stores = kind_ != ScopeKind::Hierarchy;
        std::vector<Var> inputs, outputs;
        for (const VarNode* v : flow.live_in) {
            if (variables_.knows(v)) inputs.push_back(variables_[v]);
        }
        std::vector<std::pair<Var, const VarNode*>> aliases; // names of what is exported as a store target anyway
        const bool anything_after = uses_.anything_after(*stmt);
        for (const VarNode* v : flow.defined) {
            if (!variables_.knows(v)) continue;
            if (anything_after ? !uses_.used_after(v, *stmt) : nested_) continue;
            const auto alias = flow.names_store.find(v);
            if (exports_stores && alias != flow.names_store.end()) aliases.emplace_back(variables_[v], alias->second);
            else outputs.push_back(variables_[v]);
        }
        const std::size_t own_outputs = outputs.size();
        if (exports_stores) {
            for (const VarNode* v : flow.stored) outputs.push_back(variables_[v]);
        }

        const Seq inner = nested_scopes(body, name);
        Function function = make_function(stmt, inner, name, kwargs, scope, flow, inputs, outputs, own_outputs);
        made.push_back(function);
        return call_site(stmt, *function, inputs, outputs, own_outputs, aliases, scope, with);
    }

    /// The scopes inside it are functions first; names that they are known by count from the new function.
    Seq nested_scopes(const Seq& body, const std::string& name) {
        const std::string saved_name = std::exchange(function_name_, name);
        const int saved_counter = std::exchange(counter_, 0);
        const bool saved_nested = std::exchange(nested_, false);
        auto saved_renamed = std::exchange(renamed_, {});
        Seq inner = mutate(body);
        renamed_ = std::move(saved_renamed);
        nested_ = saved_nested;
        counter_ = saved_counter;
        function_name_ = saved_name;
        return inner;
    }

    Direction direction(const VarNode* v, const ScopeFlow& flow, bool stored) const {
        if (!stored && flow.assembled.count(v) == 0) return Direction::In;
        return flow.read.count(v) != 0 ? Direction::InOut : Direction::Out;
    }

    /// What the functions called in the body do to what they are handed.
    void from_callees(const SeqNode& body, const std::vector<Var>& inputs, std::vector<Direction>& directions) const {
        if (program_ == nullptr) return;
        std::unordered_map<const VarNode*, std::size_t> index;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            if (carried_.count(inputs[i].get()) == 0) index.emplace(inputs[i].get(), i);
        }
        for_each_call(body, [&](const CallNode& c) {
            if (c.callee != CalleeKind::Function) return;
            const FunctionNode* f = find_function(c.op);
            for (std::size_t i = 0; f != nullptr && i < c.args.size() && i < f->params.size(); ++i) {
                const auto* v = as<VarNode>(c.args[i]);
                const auto at = v != nullptr ? index.find(v) : index.end();
                if (at != index.end()) directions[at->second] = std::max(directions[at->second], f->params[i].direction);
            }
        });
    }
    const FunctionNode* find_function(const std::string& name) const {
        for (const Function& f : made) {
            if (f->name == name) return f.get();
        }
        return program_ != nullptr ? program_->find(name) : nullptr;
    }

    Function make_function(const Stmt& stmt, const Seq& body, const std::string& name, const std::vector<KeyValue>& kwargs,
                           const CallNode* scope, const ScopeFlow& flow, const std::vector<Var>& inputs,
                           const std::vector<Var>& outputs, std::size_t own_outputs) {
        FreshNames inside(*body);
        for (const Var& v : inputs) inside.reserve(v->name);
        std::unordered_map<const VarNode*, Var> store_results;
        for (std::size_t i = own_outputs; i < outputs.size(); ++i) {
            const Var& target = outputs[i];
            store_results.emplace(target.get(), var(inside.make(base_name(target->name) + "__store"), target->type, stmt->span));
        }
        std::vector<Direction> directions;
        for (const Var& v : inputs) {
            const bool stored = std::find(outputs.begin() + static_cast<std::ptrdiff_t>(own_outputs), outputs.end(), v) != outputs.end();
            directions.push_back(direction(v.get(), flow, stored));
        }
        from_callees(*body, inputs, directions);

        BodyCopy copy(std::move(store_results), inside);
        auto f = std::make_shared<FunctionNode>();
        f->origin = stmt;
        f->span = stmt->span;
        f->name = name;
        std::unordered_map<const VarNode*, Var> param_of;
        std::unordered_set<const VarNode*> params;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            auto p = derive(inputs[i]);
            p->type = copy.mutate(inputs[i]->type); // extents may be parameters before it
            Var param = seal(std::move(p));
            copy.map(inputs[i], param);
            param_of.emplace(inputs[i].get(), param);
            params.insert(param.get());
            f->params.push_back({param, directions[i]});
        }
        std::unordered_map<const VarNode*, Var> output_of;
        for (std::size_t i = 0; i < own_outputs; ++i) {
            Var own = seal(derive(outputs[i]));
            copy.map(outputs[i], own);
            output_of.emplace(outputs[i].get(), own);
        }
        auto whole = derive(copy.mutate(body));
        whole->origin = body;
        if (!outputs.empty()) {
            const Seq so_far = seal(derive(Seq(whole)));
            const ReturnLineage lineage(*so_far, params, program_);
            std::vector<Expr> values;
            for (std::size_t i = 0; i < outputs.size(); ++i) {
                Var value = i < own_outputs ? output_of.at(outputs[i].get()) : param_of.at(outputs[i].get());
                if (i < own_outputs && as<TensorTypeNode>(value->type) != nullptr) {
                    const VarNode* from = lineage.origin(value.get());
                    for (const Param& p : f->params) {
                        if (p.var.get() == from) value = p.var;
                    }
                }
                f->returns.push_back(i < own_outputs ? output_of.at(outputs[i].get())->type : param_of.at(outputs[i].get())->type);
                values.push_back(std::move(value));
            }
            whole->stmts.push_back(return_values(std::move(values), stmt->span));
        }
        f->body = seal(std::move(whole));
        set_kind(*f, kwargs, scope, *body, stmt);
        return seal(std::move(f));
    }

    void set_kind(FunctionNode& f, const std::vector<KeyValue>& kwargs, const CallNode* scope, const SeqNode& body, const Stmt& stmt) {
        switch (kind_) {
        case ScopeKind::Hierarchy: {
            const auto *level = scope != nullptr ? as<ir::SymbolNode>(scope->kwarg("level")) : nullptr,
                       *role = scope != nullptr ? as<ir::SymbolNode>(scope->kwarg("role")) : nullptr;
            f.function = FunctionKind::Opaque;
            f.has_self = true;
            if (level != nullptr) f.level = level->last();
            if (role != nullptr) f.role = role->last();
            break;
        }
        case ScopeKind::InCore: {
            f.function = FunctionKind::InCore;
            f.level = "CHIP_DIE";
            f.role = "SubWorker";
            Split split = read_split(kwargs);
            f.attrs = std::move(split.attrs);
            divide_by_hand(f, body, split.automatic, stmt);
            break;
        }
        case ScopeKind::Cluster:
            f.function = FunctionKind::Group;
            f.level = "CORE_GROUP";
            f.role = "SubWorker";
            break;
        case ScopeKind::Spmd:
            f.function = FunctionKind::Spmd;
            f.has_self = true;
            break;
        }
    }

    /// Regions of pl.split_aiv mark the function; where all divide alike it says how.
    void divide_by_hand(FunctionNode& f, const SeqNode& body, bool automatic, const Stmt& stmt) {
        bool found = false, uniform = true;
        Expr mode;
        for_each_stmt(body, [&](const StmtNode& s) {
            const auto* loop = as<ForNode>(&s);
            if (loop == nullptr || loop->loop != LoopKind::SplitAiv) return;
            Expr here;
            for (const KeyValue& k : loop->kwargs) {
                if (k.key == "mode") here = k.value;
            }
            const auto *a = as<ir::SymbolNode>(here), *b = as<ir::SymbolNode>(mode);
            uniform = uniform && (!found || (a != nullptr && b != nullptr && a->name == b->name));
            mode = here;
            found = true;
        });
        if (!found) return;
        if (automatic) {
            refusals.push_back(error_at(stmt->span, "OUTLINE_SPLIT_TWICE",
                                        "this scope is divided both by optimizations=[pl.split(...)] and by pl.split_aiv regions",
                                        "keep one of the two; pl.cross_core_slot(slot_num=N) goes with either"));
            return;
        }
        f.attrs.push_back({"split_aiv", const_bool(true)});
        const auto* named = as<ir::SymbolNode>(mode);
        if (uniform && named != nullptr && named->last() != "NONE") f.attrs.push_back({"split", mode});
    }

    Stmt call_site(const Stmt& stmt, const FunctionNode& f, const std::vector<Var>& inputs, const std::vector<Var>& outputs,
                   std::size_t own_outputs, const std::vector<std::pair<Var, const VarNode*>>& aliases, const CallNode* scope,
                   const WithNode* with) {
        std::vector<Expr> args;
        for (const Var& v : inputs) args.push_back(now(v));
        std::vector<KeyValue> attrs;
        if (kind_ == ScopeKind::Spmd && scope != nullptr) {
            if (!scope->args.empty()) attrs.push_back({"core_num", mutate(scope->args[0])});
            if (const auto* sync = as<ConstBoolNode>(scope->kwarg("sync_start")); sync != nullptr && sync->value) {
                attrs.push_back({"sync_start", const_bool(true)});
            }
        }
        std::vector<Type> types = f.returns;
        const bool submits = with != nullptr && with->var != nullptr;
        if (submits) types.push_back(with->var->type != nullptr ? with->var->type : unknown_type());
        const Type type = types.empty() ? Type{} : types.size() == 1 && !submits ? types[0] : tuple_type(types);
        Expr value;
        if (submits) {
            args.insert(args.begin(), symbol("self." + f.name));
            std::vector<KeyValue> kwargs;
            for (const KeyValue& k : scope->kwargs) {
                if (k.key == "deps" || k.key == "allow_early_resolve" || k.key == "predicate") kwargs.push_back({k.key, mutate(k.value)});
            }
            value = call("submit", std::move(args), std::move(kwargs), std::move(attrs), type, stmt->span);
        } else {
            value = call_function(f.name, std::move(args), {}, std::move(attrs), type, stmt->span);
        }
        std::vector<Stmt> stmts;
        const auto put = [&](Stmt s) { stmts.push_back(std::move(s)); };
        if (outputs.empty() && !submits) {
            put(made_for(stmt, {}, value));
        } else if (outputs.size() == 1 && !submits) {
            put(made_for(stmt, result(outputs, 0, own_outputs), value));
        } else {
            Var all = var(names_.make("ret__tmp_v0"), type, stmt->span);
            put(made_for(stmt, all, value));
            for (std::size_t i = 0; i < outputs.size(); ++i) {
                put(made_for(stmt, result(outputs, i, own_outputs), tuple_get(all, static_cast<std::int64_t>(i))));
            }
            if (submits) put(made_for(stmt, with->var, tuple_get(all, static_cast<std::int64_t>(outputs.size()))));
        }
        for (const auto& [alias, target] : aliases) {
            const auto renamed = renamed_.find(target);
            renamed_[alias.get()] = renamed != renamed_.end() ? renamed->second : variables_[target];
        }
        return stmts.size() == 1 ? stmts[0] : seq(std::move(stmts));
    }

    Expr now(const Var& v) const {
        const auto renamed = renamed_.find(v.get());
        return renamed == renamed_.end() ? Expr(v) : Expr(renamed->second);
    }

    /// What the call's result is called: a tensor that was stored to gets a new version.
    Var result(const std::vector<Var>& outputs, std::size_t i, std::size_t own_outputs) {
        const Var& v = outputs[i];
        if (i < own_outputs) return v;
        std::string name;
        int& version = versions_[base_name(v->name)];
        do name = fmt::format("{}__ssa_v{}", base_name(v->name), ++version);
        while (local_names_.count(name) != 0);
        local_names_.insert(name);
        Var fresh = var(names_.make(name), v->type, v->span);
        renamed_[v.get()] = fresh;
        return fresh;
    }

    static Stmt made_for(const Stmt& stmt, Var target, Expr value) {
        if (target == nullptr) {
            auto e = std::make_shared<EvalNode>();
            e->origin = stmt;
            e->span = stmt->span;
            e->value = std::move(value);
            return seal(std::move(e));
        }
        auto a = std::make_shared<AssignNode>();
        a->origin = stmt;
        a->span = stmt->span;
        a->targets.push_back(std::move(target));
        a->value = std::move(value);
        return seal(std::move(a));
    }

    ScopeKind kind_;
    std::unordered_set<std::string>& functions_;
    const ModuleNode* program_;
    Variables variables_;
    FreshNames names_;
    LastUses uses_;
    std::string function_name_;
    int counter_ = 0;
    bool nested_ = false; ///< inside a scope of another kind, which nothing leaves but what is stored
    std::unordered_set<std::string> local_names_;
    std::unordered_set<const VarNode*> carried_, global_;
    std::unordered_map<const VarNode*, Var> renamed_; ///< tensors that were stored to: what they are called now
    std::unordered_map<std::string, int> versions_;
};

} // namespace

std::optional<ScopeKind> scope_kind(const StmtNode& stmt) {
    if (const auto* f = as<ForNode>(&stmt)) return f->loop == LoopKind::Spmd ? std::optional(ScopeKind::Spmd) : std::nullopt;
    const auto* w = as<WithNode>(&stmt);
    const auto* c = w != nullptr ? as<CallNode>(w->scope) : nullptr;
    if (c == nullptr) return {};
    if (c->is_op("cluster")) return ScopeKind::Cluster;
    if (c->is_op("spmd")) return ScopeKind::Spmd;
    if (!c->is_op("at")) return {};
    const auto* level = as<ir::SymbolNode>(c->kwarg("level"));
    return level != nullptr && level->last() == "CORE_GROUP" ? ScopeKind::InCore : ScopeKind::Hierarchy;
}

Outlined outline_scopes(const Function& function, ScopeKind kind, std::unordered_set<std::string>& names, const ModuleNode& module,
                        bool through_calls) {
    bool any = false;
    for_each_stmt(*function, [&](const StmtNode& s) {
        const auto k = scope_kind(s);
        any = any || k == kind || (k == ScopeKind::Spmd && kind == ScopeKind::InCore && s.kind == NodeKind::For);
    });
    if (!any || function->body == nullptr) return {function, {}, {}};
    ScopeOutliner outliner(function, kind, names, module, through_calls);
    Outlined out;
    const Seq body = outliner.mutate(function->body);
    auto n = derive(function);
    n->body = body;
    out.parent = seal(std::move(n));
    out.functions = std::move(outliner.made);
    out.refusals = std::move(outliner.refusals);
    return out;
}

} // namespace ls::front
