#include "core/passes/orchestration/materialize_runtime_scopes.h"

#include "core/ir/mutator.h"

namespace ls::orchestration {

using namespace ir;

namespace {

enum class ScopeMode : std::uint8_t { None, Auto, Manual };

ScopeMode mode_of(const WithNode& with) {
    const auto* scope = as<CallNode>(with.scope);
    if (scope == nullptr) return ScopeMode::None;
    if (scope->is_op("manual_scope")) return ScopeMode::Manual;
    if (!scope->is_op("scope")) return ScopeMode::None;
    const auto* mode = as<ir::SymbolNode>(scope->kwarg("mode"));
    return mode != nullptr && mode->last() == "MANUAL" ? ScopeMode::Manual : ScopeMode::Auto;
}

bool is_scoped(const SeqNode& body) {
    const auto* with = body.stmts.size() == 1 ? as<WithNode>(body.stmts.front()) : nullptr;
    return with != nullptr && mode_of(*with) == ScopeMode::Auto;
}

Seq scoped(const Seq& body) {
    if (body == nullptr || is_scoped(*body)) return body;
    auto with = std::make_shared<WithNode>();
    with->span = body->span;
    with->scope = call("scope", {});
    with->body = body;
    auto outer = derive(body);
    outer->stmts = {seal(std::move(with))};
    return seal(std::move(outer));
}

class AddScopes final : public Mutator {
protected:
    Stmt on_stmt(const Stmt& stmt) override {
        const auto* with = as<WithNode>(stmt);
        const bool manual = with != nullptr && mode_of(*with) == ScopeMode::Manual;
        manual_ += manual ? 1 : 0;
        const Stmt now = Mutator::on_stmt(stmt);
        manual_ -= manual ? 1 : 0;
        if (manual_ > 0) return now;
        if (const auto loop = ref_as<ForNode>(now)) {
            auto n = derive(loop);
            n->body = scoped(loop->body);
            return n->body == loop->body ? now : seal(std::move(n));
        }
        if (const auto branch = ref_as<IfNode>(now)) {
            auto n = derive(branch);
            n->then_body = scoped(branch->then_body);
            n->else_body = scoped(branch->else_body);
            return n->then_body == branch->then_body && n->else_body == branch->else_body ? now : seal(std::move(n));
        }
        return now;
    }

private:
    int manual_ = 0; ///< scopes around here in which the user says the dependencies
};

class PerFunction final : public Mutator {
protected:
    Function on_function(const Function& function) override {
        if (function->function != FunctionKind::Orchestration || !function->auto_scope || function->body == nullptr) return function;
        auto n = derive(function);
        n->body = scoped(AddScopes().mutate(function->body));
        n->auto_scope = false;
        return seal(std::move(n));
    }
};

} // namespace

PassResult materialize_runtime_scopes(const Module& module, const PassContext&) {
    return PassResult::unchanged(PerFunction().mutate(module));
}

} // namespace ls::orchestration
