#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "core/ir/mutator.h"
#include "core/ir/substitute.h"
#include "core/ir/walk.h"
#include "core/passes/front/outline_scopes.h"
#include "core/passes/front/scope_outliner.h"

namespace ls::front {

using namespace ir;

namespace {

/// How a Group is launched, said by the pl.spmd(...) inside it in terms of its own parameters.
struct Launch {
    Function group;
    Expr core_num;
    bool sync_start = false;
};

/// A Group without the pl.spmd around what it calls: how many cores run it is said where it is called.
class Unwrap final : public Mutator {
public:
    Launch launch;
    int found = 0;

protected:
    Stmt on_stmt(const Stmt& stmt) override {
        const auto w = ref_as<WithNode>(stmt);
        if (w == nullptr || scope_kind(*w) != ScopeKind::Spmd) return Mutator::on_stmt(stmt);
        const auto& scope = static_cast<const CallNode&>(*w->scope);
        ++found;
        if (!scope.args.empty()) launch.core_num = scope.args[0];
        const auto* sync = as<ConstBoolNode>(scope.kwarg("sync_start"));
        launch.sync_start = sync != nullptr && sync->value;
        return mutate(w->body);
    }
};

class StampLaunches final : public Mutator {
public:
    explicit StampLaunches(const std::unordered_map<std::string, Launch>& launches) : launches_(launches) {}
    std::vector<Diagnostic> refusals;

protected:
    Expr on_call(const Call& call) override {
        const Expr now = Mutator::on_call(call);
        const bool submits = call->is_op("submit") && !call->args.empty();
        const auto* named = submits ? as<ir::SymbolNode>(call->args[0]) : nullptr;
        const std::string name = call->callee == CalleeKind::Function ? call->op : named != nullptr ? std::string(named->last()) : "";
        const auto found = launches_.find(name);
        if (found == launches_.end()) return now;
        const Launch& launch = found->second;
        auto n = derive(ref_as<CallNode>(now));
        Substitution by;
        const std::size_t ahead = submits ? 1 : 0;
        std::unordered_set<const VarNode*> outside;
        for (std::size_t i = 0; i < launch.group->params.size() && i + ahead < n->args.size(); ++i) {
            by.emplace(launch.group->params[i].var.get(), n->args[i + ahead]);
            outside.insert(launch.group->params[i].var.get());
        }
        for (const VarNode* v : used_vars(*launch.core_num)) {
            if (outside.count(v) != 0 || defined_in(*launch.group).count(v) == 0) continue;
            refusals.push_back(error_at(launch.core_num->span, "OUTLINE_LAUNCH_LOCAL",
                                        fmt::format("the number of cores uses {}, which is worked out inside pl.cluster()", v->name),
                                        "work it out before the cluster: it is needed where the cluster is launched"));
        }
        n->attrs.push_back({"core_num", substitute(launch.core_num, by)});
        if (launch.sync_start) n->attrs.push_back({"sync_start", const_bool(true)});
        return seal(std::move(n));
    }

private:
    static std::unordered_set<const VarNode*> defined_in(const FunctionNode& f) {
        std::unordered_set<const VarNode*> all;
        for_each_stmt(f, [&](const StmtNode& s) {
            const auto* a = as<AssignNode>(&s);
            for (std::size_t i = 0; a != nullptr && i < a->targets.size(); ++i) all.insert(a->targets[i].get());
        });
        return all;
    }
    const std::unordered_map<std::string, Launch>& launches_;
};

} // namespace

PassResult outline_cluster_scopes(const Module& module, const PassContext&) {
    return outline_in(module, [&](const Function& f, std::unordered_set<std::string>& names) -> Outlined {
        const bool orchestrates = f->function == FunctionKind::Orchestration || f->function == FunctionKind::Graph;
        if (f->function != FunctionKind::Opaque && !orchestrates) return {f, {}, {}};
        Outlined clusters = outline_scopes(f, ScopeKind::Cluster, names, *module, true);
        std::unordered_map<std::string, Launch> launches;
        for (Function& group : clusters.functions) {
            Unwrap unwrap;
            const Seq body = unwrap.mutate(group->body);
            if (unwrap.found == 0) continue;
            if (unwrap.found > 1) {
                clusters.refusals.push_back(error_at(group->span, "OUTLINE_TWO_LAUNCHES",
                                                     fmt::format("pl.cluster() holds {} pl.spmd() blocks", unwrap.found),
                                                     "write one pl.spmd() in each cluster"));
                continue;
            }
            auto n = derive(group);
            n->origin = group->origin;
            n->body = body;
            n->attrs.push_back({"spmd_unwrapped", const_bool(true)});
            group = seal(std::move(n));
            unwrap.launch.group = group;
            if (unwrap.launch.core_num != nullptr) launches.emplace(group->name, std::move(unwrap.launch));
        }
        StampLaunches stamp(launches);
        Function parent = clusters.parent;
        if (!launches.empty()) {
            auto n = derive(f);
            n->body = stamp.mutate(parent->body);
            parent = seal(std::move(n));
        }
        auto with_groups = derive(module);
        with_groups->functions.insert(with_groups->functions.end(), clusters.functions.begin(), clusters.functions.end());
        const Module known = seal(std::move(with_groups));
        Outlined spmd = outline_scopes(parent, ScopeKind::Spmd, names, *known, true);
        Outlined out{spmd.parent, std::move(clusters.functions), std::move(clusters.refusals)};
        out.functions.insert(out.functions.end(), spmd.functions.begin(), spmd.functions.end());
        out.refusals.insert(out.refusals.end(), stamp.refusals.begin(), stamp.refusals.end());
        if (out.parent != f) {
            auto n = derive(f);
            n->body = out.parent->body;
            out.parent = seal(std::move(n));
        }
        return out;
    });
}

} // namespace ls::front
