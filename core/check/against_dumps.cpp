#include "core/check/against_dumps.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "core/ir/mutator.h"

namespace ls::check {

namespace {

using namespace ir;

/// The program without the allocations of results whose types no dump prints: those of yields of several values.
class WithoutUnsaid final : public Mutator {
protected:
    Stmt on_stmt(const Stmt& stmt) override {
        if (const auto* branch = as<IfNode>(stmt)) forget(branch->results);
        if (const auto* loop = as<ForNode>(stmt)) forget(loop->results);
        if (const auto* loop = as<WhileNode>(stmt)) forget(loop->results);
        return Mutator::on_stmt(stmt);
    }
    Var on_define(const Var& var) override {
        if (unsaid_.count(var.get()) == 0) return Mutator::on_define(var);
        auto now = derive(var);
        now->type = without_allocation(mutate(var->type));
        Var made = seal(std::move(now));
        replace(var, made);
        return made;
    }

private:
    void forget(const std::vector<Var>& results) {
        if (results.size() < 2) return;
        for (const Var& r : results) unsaid_.insert(r.get());
    }

    static Type without_allocation(const Type& type) {
        if (const auto tile = ref_as<TileTypeNode>(type); tile != nullptr && tile->memref) {
            auto now = derive(tile);
            now->memref.reset();
            return seal(std::move(now));
        }
        if (const auto tensor = ref_as<TensorTypeNode>(type); tensor != nullptr && tensor->memref) {
            auto now = derive(tensor);
            now->memref.reset();
            return seal(std::move(now));
        }
        return type;
    }

    std::unordered_set<const VarNode*> unsaid_;
};

} // namespace

std::string_view name(Agreement agreement) {
    switch (agreement) {
    case Agreement::Equal: return "equal";
    case Agreement::Differs: return "differs";
    case Agreement::Refused: break;
    }
    return "refused";
}

namespace {

/// Where two states differ in what a dump can say. `unsaid`: only in what it cannot.
std::optional<ir::Difference> said_difference(const ir::Module& ours, const ir::Module& real, bool& unsaid) {
    unsaid = false;
    if (!ir::first_difference(ours, real)) return {};
    auto said = ir::first_difference(WithoutUnsaid().mutate(ours), WithoutUnsaid().mutate(real));
    unsaid = !said.has_value();
    return said;
}

} // namespace

std::vector<PassComparison> compare_passes(const Trace& dumps, const PassContext& context) {
    std::vector<PassComparison> all;
    for (std::size_t i = 1; i < dumps.snapshots.size(); ++i) {
        const Snapshot& real = dumps.snapshots[i];
        if (real.pass == nullptr || real.pass->run == nullptr) continue;
        PassComparison one;
        one.pass = real.pass;
        one.snapshot = i;
        one.changes = real.changed;
        PassResult result = real.pass->run(dumps.snapshots[i - 1].module, context);
        one.diagnostics = std::move(result.diagnostics);
        one.ours = std::move(result.module);
        if (one.ours == nullptr) {
            one.agreement = Agreement::Refused;
        } else if ((one.difference = said_difference(one.ours, real.module, one.allocations_unsaid))) {
            one.agreement = Agreement::Differs;
        }
        all.push_back(std::move(one));
    }
    return all;
}

ChainComparison compare_chain(const Trace& dumps, std::span<const Pass> passes, const PassContext& context) {
    ChainComparison chain;
    chain.ours = run_pipeline(dumps.snapshots.front().module, passes, context);
    std::unordered_map<const Pass*, const Snapshot*> by_pass;
    for (const Snapshot& s : chain.ours.snapshots) {
        if (s.pass != nullptr) by_pass.emplace(s.pass, &s);
    }
    for (std::size_t i = 1; i < dumps.snapshots.size(); ++i) {
        const Snapshot& real = dumps.snapshots[i];
        const bool known = std::any_of(passes.begin(), passes.end(), [&](const Pass& p) { return &p == real.pass; });
        if (!known) continue;
        const auto ours = by_pass.find(real.pass);
        const bool refused = ours == by_pass.end();
        ++chain.compared;
        bool unsaid = false;
        auto difference = refused ? std::nullopt : said_difference(ours->second->module, real.module, unsaid);
        chain.last_equal = !refused && !difference;
        chain.equal += chain.last_equal ? 1 : 0;
        if (chain.last_equal || chain.first_differing != nullptr) continue;
        chain.first_differing = real.pass;
        chain.difference = std::move(difference);
    }
    return chain;
}

} // namespace ls::check
