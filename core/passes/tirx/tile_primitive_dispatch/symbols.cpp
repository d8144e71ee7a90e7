#include "core/passes/tirx/tile_primitive_dispatch/symbols.h"

#include <fmt/format.h>

#include "core/dialect/tirx/buffers.h"
#include "core/dialect/tirx/dims.h"

namespace ls::tirx::lower {

using namespace ir;

void Symbols::define(const Var& var) { meaning_[var->name] = var; }

std::string Symbols::fresh(const std::string& wanted) const {
    std::string name = wanted;
    for (int i = 1; meaning_.contains(name); ++i) name = fmt::format("{}_{}", wanted, i);
    return name;
}

Dim Symbols::stand_in(const Expr& expr) {
    for (const auto& [known, symbol] : opaque_) {
        if (same_place(known, expr)) return symbol;
    }
    const std::string name = fmt::format("%{}", opaque_.size()); // no variable is called so
    meaning_[name] = expr;
    opaque_.emplace_back(expr, Dim::symbol(name));
    return opaque_.back().second;
}

Dim Symbols::dim(const Expr& expr) {
    if (const auto known = to_dim(expr)) return *known;
    const auto* b = as<BinaryNode>(expr);
    if (b == nullptr) return stand_in(expr);
    switch (b->op) {
    case BinaryOp::Add: return dim(b->lhs) + dim(b->rhs);
    case BinaryOp::Sub: return dim(b->lhs) - dim(b->rhs);
    case BinaryOp::Mul: return dim(b->lhs) * dim(b->rhs);
    case BinaryOp::FloorDiv: return floor_div(dim(b->lhs), dim(b->rhs));
    case BinaryOp::Mod: return floor_mod(dim(b->lhs), dim(b->rhs));
    default: return stand_in(expr);
    }
}

std::unordered_map<std::string, Var> Symbols::variables() const {
    std::unordered_map<std::string, Var> out;
    for (const auto& [name, meaning] : meaning_) {
        if (auto v = ref_as<VarNode>(meaning)) out.emplace(name, std::move(v));
    }
    return out;
}

Expr Symbols::expr(const Dim& dim) const {
    return to_expr(dim, [this](std::string_view name) -> Expr {
        const auto at = meaning_.find(std::string(name));
        return at == meaning_.end() ? nullptr : at->second;
    });
}

} // namespace ls::tirx::lower
