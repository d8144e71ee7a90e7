// What outlining a scope is made of: the variables of a function, a copy of a body with its own names, how a scope is
// split. Private to this folder.
#pragma once

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "core/ir/mutator.h"
#include "core/ir/walk.h"
#include "core/passes/fresh_names.h"
#include "core/passes/front/scope_outliner.h"

namespace ls::front::parts {

using namespace ir;

inline const ExprNode* keyword(const std::vector<KeyValue>& entries, std::string_view key) {
    for (const KeyValue& k : entries) {
        if (k.key == key) return k.value.get();
    }
    return nullptr;
}

inline std::string text(const ExprNode* value) {
    const auto* s = as<StringNode>(value);
    return s != nullptr ? s->value : std::string();
}

/// Shared pointers of all variables of a function, for walks that see only nodes.
class Variables final : public Mutator {
public:
    explicit Variables(const Function& function) { Mutator::mutate(function); }
    const Var& operator[](const VarNode* v) const { return table_.at(v); }
    bool knows(const VarNode* v) const { return table_.count(v) != 0; }

protected:
    Expr on_var(const Var& var) override { return note(var); }
    Var on_define(const Var& var) override {
        Mutator::on_define(var);
        return note(var);
    }

private:
    Var note(const Var& var) {
        table_.emplace(var.get(), var);
        return var;
    }
    std::unordered_map<const VarNode*, Var> table_;
};

inline std::string lower(std::string_view text) {
    std::string out;
    for (const char c : text) out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return out;
}

/// "_chip_die_sub_worker_" of a pl.at(level=..., role=...).
inline std::string level_suffix(const CallNode& scope) {
    const auto *level = as<ir::SymbolNode>(scope.kwarg("level")), *role = as<ir::SymbolNode>(scope.kwarg("role"));
    std::string suffix = "_" + lower(level != nullptr ? level->last() : "undefined") + "_";
    if (role != nullptr) suffix += (role->last() == "Orchestrator" ? std::string("orch") : std::string("sub_worker")) + "_";
    return suffix;
}

/// The function's own copy of a scope's body: parameters and results are variables of its own, and what stores to a
/// tensor from outside has a name.
class BodyCopy final : public Mutator {
public:
    BodyCopy(std::unordered_map<const VarNode*, Var> store_results, FreshNames& names)
        : store_results_(std::move(store_results)), names_(names) {}

    void map(const Var& from, const Var& to) { replace(from, to); }

protected:
    Stmt on_stmt(const Stmt& stmt) override {
        const auto* a = as<AssignNode>(stmt);
        const auto* e = as<EvalNode>(stmt);
        const auto* c = a != nullptr ? as<CallNode>(a->value) : e != nullptr ? as<CallNode>(e->value) : nullptr;
        if (c == nullptr || !c->is_op("tile.store") || c->args.size() < 3) return Mutator::on_stmt(stmt);
        const auto target = store_results_.find(as<VarNode>(c->args[2]));
        if (target == store_results_.end()) return Mutator::on_stmt(stmt);
        const Var result = next_result(target->first, target->second);
        const Stmt now = Mutator::on_stmt(stmt);
        if (e != nullptr) {
            auto named = std::make_shared<AssignNode>();
            named->origin = stmt;
            named->span = stmt->span;
            named->comments = stmt->comments;
            named->targets.push_back(result);
            named->value = as<EvalNode>(now)->value;
            return seal(std::move(named));
        }
        auto second = std::make_shared<AssignNode>();
        second->origin = stmt;
        second->span = stmt->span;
        second->targets.push_back(result);
        second->value = as<AssignNode>(now)->targets[0];
        return seq({now, seal(std::move(second))});
    }

private:
    Var next_result(const VarNode* target, const Var& declared) {
        if (claimed_.insert(target).second) return declared;
        return var(names_.make(declared->name), declared->type, declared->span);
    }

    std::unordered_map<const VarNode*, Var> store_results_; ///< tensor outside: the name of what is stored to it first
    FreshNames& names_;
    std::unordered_set<const VarNode*> claimed_;
};

struct Split {
    std::vector<KeyValue> attrs;
    bool automatic = false; ///< asked for by optimizations=[pl.split(...)]
};

inline Split read_split(const std::vector<KeyValue>& kwargs) {
    Split split;
    const auto* list = as<TupleNode>(keyword(kwargs, "optimizations"));
    for (std::size_t i = 0; list != nullptr && i < list->elements.size(); ++i) {
        const auto* c = as<CallNode>(list->elements[i]);
        if (c == nullptr) continue;
        const auto* mode = !c->args.empty() ? as<ir::SymbolNode>(c->args[0]) : nullptr;
        if (c->is_op("split") && mode != nullptr && mode->last() != "NONE") {
            split.attrs.push_back({"split", c->args[0]});
            split.automatic = true;
        }
        for (const KeyValue& k : c->kwargs) {
            if (k.key == "slot_num") split.attrs.push_back(k);
        }
    }
    return split;
}

} // namespace ls::front::parts
