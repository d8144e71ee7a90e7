#include "core/passes/nz/unused_results.h"

#include <unordered_set>

#include "core/ir/mutator.h"
#include "core/ir/walk.h"

namespace ls::nz {

using namespace ir;

namespace {

class DropUnused final : public Mutator {
public:
    explicit DropUnused(const ModuleNode& module) {
        walk(module, [&](const Node& node) {
            for_each_child(
                node,
                [this](const Node& child) {
                    if (child.kind == NodeKind::Var) used_.insert(&child);
                },
                [](const Node&) {});
            return true;
        });
    }

protected:
    Stmt on_stmt(const Stmt& stmt) override {
        const Stmt now = Mutator::on_stmt(stmt);
        const auto branch = ref_as<IfNode>(now);
        if (branch == nullptr) return now;
        std::vector<bool> keep;
        bool all = true;
        for (const Var& r : branch->results) {
            keep.push_back(used_.count(r.get()) != 0);
            all = all && keep.back();
        }
        if (all) return now;
        auto fewer = derive(branch);
        fewer->then_body = without(branch->then_body, keep);
        fewer->else_body = without(branch->else_body, keep);
        fewer->results = filtered(branch->results, keep);
        return seal(std::move(fewer));
    }

private:
    template <class T>
    static std::vector<T> filtered(const std::vector<T>& all, const std::vector<bool>& keep) {
        std::vector<T> out;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (i >= keep.size() || keep[i]) out.push_back(all[i]);
        }
        return out;
    }

    /// The body with only the kept values in the yield at its end.
    static Seq without(const Seq& body, const std::vector<bool>& keep) {
        if (body == nullptr || body->stmts.empty()) return body;
        auto copy = derive(body);
        if (const auto scope = ref_as<WithNode>(body->stmts.back())) {
            auto inner = derive(scope);
            inner->body = without(scope->body, keep);
            copy->stmts.back() = seal(std::move(inner));
        } else if (const auto yield = ref_as<YieldNode>(body->stmts.back())) {
            auto fewer = derive(yield);
            fewer->values = filtered(yield->values, keep);
            copy->stmts.pop_back();
            if (!fewer->values.empty()) copy->stmts.push_back(seal(std::move(fewer)));
        } else {
            return body;
        }
        return seal(std::move(copy));
    }

    std::unordered_set<const Node*> used_;
};

} // namespace

Module drop_unused_results(Module module) {
    // One round may free the results of an if further in; nesting bounds the rounds.
    for (std::uint32_t round = 0; round < kMaxDepth; ++round) {
        Module fewer = DropUnused(*module).mutate(module);
        if (fewer == module) break;
        module = std::move(fewer);
    }
    return module;
}

} // namespace ls::nz
