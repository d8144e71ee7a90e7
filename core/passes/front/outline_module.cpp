// A module whose functions lost their scopes: the new functions in the compiler's order.
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/ir/mutator.h"
#include "core/ir/walk.h"
#include "core/passes/front/scope_outliner.h"

namespace ls::front {

using namespace ir;

namespace {

/// Callees before callers, and by name where neither calls the other: the order in which the compiler keeps functions.
std::vector<Function> in_order(std::vector<Function> functions) {
    std::sort(functions.begin(), functions.end(), [](const Function& a, const Function& b) { return a->name < b->name; });
    std::unordered_map<std::string_view, std::size_t> index;
    for (std::size_t i = 0; i < functions.size(); ++i) index.emplace(functions[i]->name, i);
    std::vector<std::vector<std::size_t>> callees(functions.size());
    for (std::size_t i = 0; i < functions.size(); ++i) {
        for_each_call(*functions[i], [&](const CallNode& c) {
            const auto* named = c.is_op("submit") && !c.args.empty() ? as<ir::SymbolNode>(c.args[0]) : nullptr;
            const std::string_view name = c.callee == CalleeKind::Function ? std::string_view(c.op)
                                          : named != nullptr               ? named->last()
                                                                           : std::string_view();
            if (const auto found = index.find(name); found != index.end()) callees[i].push_back(found->second);
        });
        std::sort(callees[i].begin(), callees[i].end());
        callees[i].erase(std::unique(callees[i].begin(), callees[i].end()), callees[i].end());
    }
    std::vector<Function> ordered;
    std::vector<bool> entered(functions.size(), false);
    std::vector<std::pair<std::size_t, std::size_t>> path; // function, its next callee
    for (std::size_t start = 0; start < functions.size(); ++start) {
        if (entered[start]) continue;
        entered[start] = true;
        path.emplace_back(start, 0);
        while (!path.empty()) {
            auto& [at, next] = path.back();
            if (next == callees[at].size()) {
                ordered.push_back(functions[at]);
                path.pop_back();
                continue;
            }
            const std::size_t callee = callees[at][next++];
            if (entered[callee]) continue;
            entered[callee] = true;
            path.emplace_back(callee, 0);
        }
    }
    return ordered;
}

} // namespace

PassResult outline_in(const Module& module, const std::function<Outlined(const Function&, std::unordered_set<std::string>&)>& outline) {
    std::unordered_set<std::string> names;
    for (const Function& f : module->functions) names.insert(f->name);
    PassResult result;
    std::vector<Function> made, kept;
    for (const Function& f : module->functions) {
        Outlined out = outline(f, names);
        made.insert(made.end(), out.functions.begin(), out.functions.end());
        kept.push_back(std::move(out.parent));
        result.diagnostics.insert(result.diagnostics.end(), out.refusals.begin(), out.refusals.end());
    }
    if (!result.diagnostics.empty()) return result;
    if (made.empty() && kept == module->functions) return PassResult::unchanged(module);
    auto n = derive(module);
    made.insert(made.end(), kept.begin(), kept.end());
    n->functions = in_order(std::move(made));
    result.module = seal(std::move(n));
    return result;
}

} // namespace ls::front
