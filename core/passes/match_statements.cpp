#include "core/passes/match_statements.h"

#include <deque>
#include <string>
#include <unordered_set>

#include <fmt/format.h>

#include "core/dialect/pypto/pypto.h"
#include "core/ir/walk.h"

namespace ls {

using namespace ir;

namespace {

/// The name that the user gave: "x" of "x__ssa_v0".
std::string_view base_name(std::string_view name) { return name.substr(0, name.find("__")); }

/// The variable by which a statement is known; null when it defines none.
const VarNode* known_by(const StmtNode& stmt) {
    if (const auto* a = as<AssignNode>(&stmt)) return a->targets.empty() ? nullptr : a->targets[0].get();
    if (const auto* f = as<ForNode>(&stmt)) return f->var.get();
    if (const auto* w = as<WhileNode>(&stmt)) return w->results.empty() ? nullptr : w->results[0].get();
    if (const auto* i = as<IfNode>(&stmt)) return i->results.empty() ? nullptr : i->results[0].get();
    return nullptr;
}

std::string kind_key(const StmtNode& stmt) { return fmt::format("{}", static_cast<int>(stmt.kind)); }

/// From the most to the least telling. Bodies are not part of it: a loop is the same loop when its body changes.
std::string key(const StmtNode& stmt, int tier) {
    const VarNode* var = known_by(stmt);
    if (var != nullptr) {
        return tier == 0 ? kind_key(stmt) + " " + var->name : kind_key(stmt) + " ~" + std::string(base_name(var->name));
    }
    if (const auto* e = as<EvalNode>(&stmt)) {
        if (tier == 0) return kind_key(stmt) + " " + pypto::print(*e->value);
        const auto* c = as<CallNode>(e->value);
        return kind_key(stmt) + " ~" + (c != nullptr ? c->op : std::string());
    }
    if (const auto* w = as<WithNode>(&stmt)) return kind_key(stmt) + " " + pypto::print(*w->scope);
    return kind_key(stmt);
}

std::vector<const StmtNode*> statements(const FunctionNode& function) {
    std::vector<const StmtNode*> all;
    for_each_stmt(function, [&](const StmtNode& s) { all.push_back(&s); });
    return all;
}

} // namespace

std::unordered_map<const Node*, const Node*> match_statements(const ModuleNode& before, const ModuleNode& now) {
    std::unordered_map<const Node*, const Node*> from;
    std::unordered_map<std::string_view, const FunctionNode*> functions;
    for (const Function& f : before.functions) functions.emplace(f->name, f.get());
    for (const Function& f : now.functions) {
        const auto partner = functions.find(f->name);
        if (partner == functions.end()) continue;
        from.emplace(f.get(), partner->second);
        const auto old = statements(*partner->second), fresh = statements(*f);
        std::unordered_set<const StmtNode*> taken;
        for (int tier = 0; tier < 2; ++tier) {
            std::unordered_map<std::string, std::deque<const StmtNode*>> waiting;
            for (const StmtNode* s : old) {
                if (taken.count(s) == 0) waiting[key(*s, tier)].push_back(s);
            }
            for (const StmtNode* s : fresh) {
                if (from.count(s) != 0) continue;
                const auto found = waiting.find(key(*s, tier));
                if (found == waiting.end() || found->second.empty()) continue;
                from.emplace(s, found->second.front());
                taken.insert(found->second.front());
                found->second.pop_front();
            }
        }
    }
    return from;
}

} // namespace ls
