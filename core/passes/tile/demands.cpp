#include <utility>
#include <vector>

#include "core/ir/walk.h"
#include "core/passes/tile/tensor_to_tile.h"

namespace ls::tile {

using namespace ir;

namespace {

bool holds_elements(const VarNode& v) {
    return v.type != nullptr && (v.type->kind == NodeKind::TensorType || v.type->kind == NodeKind::TileType);
}

} // namespace

Demands::Demands(const FunctionNode& function) {
    // (result, operand) of operations that only look at their operand in another way, in source order.
    std::vector<std::pair<const VarNode*, const VarNode*>> views;
    std::vector<std::pair<const VarNode*, const VarNode*>> carried;
    const auto demand = [this](const CallNode& c) {
        const TensorOp* op = tensor_op(c.op);
        if (c.callee != CalleeKind::Op || op == nullptr) return;
        for (std::size_t i = 0; i < c.args.size(); ++i) {
            const auto* v = as<VarNode>(c.args[i]);
            if (v == nullptr || !holds_elements(*v)) continue;
            if (transpose_keyword(op->conversion, i) != nullptr) {
                mat_[v] = true;
            } else if (!op->loads_itself && (op->conversion != Conversion::RemoteStore || i == 0)) {
                tile_[v] = true;
            }
        }
    };
    walk(function, [&](const Node& node) {
        if (const auto* a = as<AssignNode>(&node); a != nullptr && a->targets.size() == 1) {
            const auto* c = as<CallNode>(a->value);
            const TensorOp* op = c != nullptr ? tensor_op(c->op) : nullptr;
            const Expr* source = nullptr;
            if (a->value->kind == NodeKind::Var) source = &a->value;
            if (op != nullptr && op->inherits_memory && !c->args.empty()) source = &c->args[0];
            const auto* v = source != nullptr ? as<VarNode>(*source) : nullptr;
            if (v != nullptr && holds_elements(*v)) views.emplace_back(a->targets[0].get(), v);
        }
        const auto carry = [&](const std::vector<IterArg>& args) {
            for (const IterArg& arg : args) {
                const auto* init = as<VarNode>(arg.init);
                if (init != nullptr) carried.emplace_back(arg.var.get(), init);
            }
        };
        if (const auto* f = as<ForNode>(&node)) carry(f->iter_args);
        if (const auto* w = as<WhileNode>(&node)) carry(w->iter_args);
        if (const auto* c = as<CallNode>(&node)) demand(*c);
        if (const auto* b = as<BinaryNode>(&node)) { // tensors added with +
            for (const Expr* side : {&b->lhs, &b->rhs}) {
                if (const auto* v = as<VarNode>(*side); v != nullptr && holds_elements(*v)) tile_[v] = true;
            }
        }
        return true;
    });
    // Definitions come before uses, and inner loops behind the outer ones that they start from: backwards is enough.
    for (auto at = views.rbegin(); at != views.rend(); ++at) {
        if (wants_mat(at->first)) mat_[at->second] = true;
    }
    for (auto at = carried.rbegin(); at != carried.rend(); ++at) {
        if (wants_tile(at->first)) tile_[at->second] = true;
    }
}

} // namespace ls::tile
