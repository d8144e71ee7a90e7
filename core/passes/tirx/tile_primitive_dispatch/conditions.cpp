#include "core/passes/tirx/tile_primitive_dispatch/conditions.h"

#include <fmt/format.h>

#include "core/dialect/tirx/dims.h"
#include "core/ir/mutator.h"
#include "core/layout/symbol.h"

namespace ls::tirx::lower {

using namespace ir;

namespace {

constexpr std::int64_t kNoLow = std::numeric_limits<std::int64_t>::min() / 4;
constexpr std::int64_t kNoHigh = std::numeric_limits<std::int64_t>::max() / 4;

std::optional<ScopeVariable> narrowing_variable(ScopeBinding binding) {
    switch (binding) {
    case ScopeBinding::KernelCta:
    case ScopeBinding::ClusterCta: return ScopeVariable::Cta;
    case ScopeBinding::CtaWarpgroup: return ScopeVariable::Warpgroup;
    case ScopeBinding::CtaWarp: return ScopeVariable::Warp;
    case ScopeBinding::WarpgroupWarp: return ScopeVariable::WarpInWarpgroup;
    case ScopeBinding::WarpThread: return ScopeVariable::Lane;
    case ScopeBinding::CtaThread: return ScopeVariable::Thread;
    case ScopeBinding::WarpgroupThread: return ScopeVariable::ThreadInWarpgroup;
    default: return {};
    }
}

class FilterRemover final : public Mutator {
protected:
    Expr on_call(const Call& call) override {
        if (call->callee == CalleeKind::Op && call->op == "filter" && call->args.size() == 2)
            return mutate(call->args[1]);
        return Mutator::on_call(call);
    }
};

} // namespace

Expr without_filters(const Expr& condition) { return FilterRemover().mutate(condition); }

void ScopeVariables::define(const ScopeIds& ids) {
    const auto kind = narrowing_variable(ids.binding);
    if (!kind) return;
    if (*kind == ScopeVariable::Lane && ids.vars.size() == 1) has_lane_ = true;
    // Within a cluster, the CTA's place in the grid says nothing about its place in the cluster.
    if (ids.binding == ScopeBinding::KernelCta && clustered_) return;
    if (*kind != ScopeVariable::Cta && ids.vars.size() != 1) return;
    for (std::size_t d = 0; d < ids.vars.size() && d < 3; ++d) {
        std::string axis = "cta_id";
        if (ids.vars.size() > 1)
            axis = fmt::format("{}{}", ids.binding == ScopeBinding::ClusterCta ? "cb" : "b", "xyz"[d]);
        known_[ids.vars[d].get()] = {*kind, std::move(axis)};
    }
}

std::vector<ThreadFilter> ScopeVariables::filters(const Expr& condition) const {
    std::vector<ThreadFilter> out;
    conjunct(condition, out);
    return out;
}

const ScopeVariables::Variable* ScopeVariables::find(const Expr& expr) const {
    const auto at = known_.find(as<VarNode>(expr));
    return at == known_.end() ? nullptr : &at->second;
}

void ScopeVariables::conjunct(const Expr& condition, std::vector<ThreadFilter>& out) const {
    if (const auto* c = as<CallNode>(condition); c != nullptr && c->callee == CalleeKind::Op) {
        if (c->op == "cuda.elect_sync" && has_lane_) out.emplace_back(ElectFilter{});
        if (c->op == "filter" && c->args.size() == 2) conjunct(c->args[1], out);
        return;
    }
    const auto* b = as<BinaryNode>(condition);
    if (b == nullptr) return;
    if (b->op == BinaryOp::And || b->op == BinaryOp::BitAnd) {
        conjunct(b->lhs, out);
        conjunct(b->rhs, out);
    } else if (is_compare(b->op)) {
        comparison(*b, out);
    }
}

std::optional<ModuloFilter> ScopeVariables::remainder(const Expr& lhs, const Expr& rhs) const {
    const auto* mod = as<BinaryNode>(lhs);
    if (mod == nullptr || mod->op != BinaryOp::Mod) return {};
    const Variable* variable = find(mod->lhs);
    const auto modulus = constant(mod->rhs), residue = constant(rhs);
    if (variable == nullptr || variable->kind != ScopeVariable::Cta || !modulus || !residue || *modulus <= 0) return {};
    return ModuloFilter{variable->axis, *modulus, *residue};
}

void ScopeVariables::comparison(const BinaryNode& b, std::vector<ThreadFilter>& out) const {
    if (b.op == BinaryOp::Eq) {
        auto filter = remainder(b.lhs, b.rhs);
        if (!filter) filter = remainder(b.rhs, b.lhs);
        if (filter) {
            out.emplace_back(*filter);
            return;
        }
    }
    if (b.op == BinaryOp::Ne) return;
    const auto lhs = to_dim(b.lhs), rhs = to_dim(b.rhs);
    if (!lhs || !rhs) return;
    // sign · v + constant  <op>  0
    const Dim difference = *lhs - *rhs;
    if (!difference.is_symbolic()) return;
    const ls::SymbolNode& node = *difference.node();
    std::int64_t sign = 1, offset = 0;
    std::string variable_name;
    if (node.kind == SymbolKind::Variable) {
        variable_name = node.name;
    } else if (node.kind == SymbolKind::Sum && node.terms.size() == 1 && node.terms[0].factors.size() == 1) {
        const SymbolTerm& term = node.terms[0];
        const Dim& factor = term.factors[0];
        if (term.coefficient != 1 && term.coefficient != -1) return;
        if (!factor.is_symbolic() || factor.node()->kind != SymbolKind::Variable) return;
        sign = term.coefficient;
        offset = node.constant;
        variable_name = factor.node()->name;
    } else {
        return;
    }
    const Variable* variable = nullptr;
    for (const auto& [var, kind] : known_) {
        if (var->name == variable_name) variable = &kind;
    }
    if (variable == nullptr || offset == std::numeric_limits<std::int64_t>::min()) return;
    const std::int64_t at = sign == 1 ? -offset : offset; // where both sides are equal
    RangeFilter filter{variable->kind, kNoLow, kNoHigh, variable->axis};
    BinaryOp op = b.op;
    if (sign == -1) {
        op = op == BinaryOp::Lt   ? BinaryOp::Gt
             : op == BinaryOp::Le ? BinaryOp::Ge
             : op == BinaryOp::Gt ? BinaryOp::Lt
             : op == BinaryOp::Ge ? BinaryOp::Le
                                  : op;
    }
    switch (op) {
    case BinaryOp::Lt: filter.hi = at; break;
    case BinaryOp::Le: filter.hi = at + 1; break;
    case BinaryOp::Gt: filter.lo = at + 1; break;
    case BinaryOp::Ge: filter.lo = at; break;
    default:
        filter.lo = at;
        filter.hi = at + 1;
        break;
    }
    out.emplace_back(filter);
}

} // namespace ls::tirx::lower
