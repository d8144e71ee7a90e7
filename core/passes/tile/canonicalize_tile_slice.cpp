#include "core/passes/tile/canonicalize_tile_slice.h"

#include <unordered_map>

#include <fmt/format.h>

#include "core/ir/mutator.h"
#include "core/ir/walk.h"
#include "core/passes/fresh_names.h"
#include "core/passes/tile/tile_result_type.h"
#include "core/passes/tile/tile_writer.h"
#include "core/support/checked.h"

namespace ls::tile {

using namespace ir;

namespace {

/// The operands of a product: number of the left one, or nothing.
std::optional<std::size_t> left_operand(const CallNode& c) {
    if (c.is_op("tile.matmul") || c.is_op("tile.matmul_bias")) return 0;
    if (c.is_op("tile.matmul_acc")) return 1;
    return {};
}

bool takes_window(const CallNode& c, std::size_t operand) {
    if (c.is_op("tile.extract")) return operand == 0 && c.args.size() >= 4;
    const auto left = left_operand(c);
    return left && (operand == *left || operand == *left + 1);
}

Expr plus(const Expr& a, const Expr& b) {
    const auto x = constant(a), y = constant(b);
    const CheckedInt sum = x && y ? checked_add(*x, *y) : CheckedInt{};
    if (sum) return const_int(*sum);
    if (x == 0) return b;
    if (y == 0) return a;
    return binary(BinaryOp::Add, a, b);
}

class FoldSlices final : public Mutator, private TileWriter {
public:
    FoldSlices(const FunctionNode& function, FreshNames& names) : TileWriter(names) {
        std::unordered_map<const VarNode*, int> uses, folding;
        walk(function, [&](const Node& node) {
            for_each_child(
                node,
                [&](const Node& child) {
                    if (const auto* v = as<VarNode>(&child)) ++uses[v];
                },
                [](const Node&) {});
            if (const auto* c = as<CallNode>(&node)) {
                for (std::size_t i = 0; i < c->args.size(); ++i) {
                    const auto* v = as<VarNode>(c->args[i]);
                    if (v != nullptr && takes_window(*c, i)) ++folding[v];
                }
            }
            const auto* a = as<AssignNode>(&node);
            const auto* c = a != nullptr && a->targets.size() == 1 ? as<CallNode>(a->value) : nullptr;
            const auto* tile = c != nullptr ? as<TileTypeNode>(a->targets[0]->type) : nullptr;
            if (tile != nullptr && c->is_op("tile.slice") && c->args.size() == 3 && tile->space == TileSpace::Mat && tile->shape.size() == 2 &&
                as<TupleNode>(c->args[1]) != nullptr && as<TupleNode>(c->args[2]) != nullptr &&
                as<TupleNode>(c->args[2])->elements.size() == 2) {
                slices_.emplace(a->targets[0].get(), c);
            }
            return true;
        });
        std::erase_if(slices_, [&](const auto& s) { return uses[s.first] == 0 || uses[s.first] != folding[s.first]; });
    }
    bool any() const { return !slices_.empty(); }

protected:
    Stmt on_stmt(const Stmt& stmt) override {
        const auto* a = as<AssignNode>(stmt);
        if (a != nullptr && a->targets.size() == 1 && slices_.count(a->targets[0].get()) != 0) return nullptr;
        std::vector<Stmt> outer;
        outer.swap(before_);
        const Stmt enclosing = current_;
        current_ = stmt;
        Stmt now = finish(Mutator::on_stmt(stmt));
        current_ = enclosing;
        before_ = std::move(outer);
        return now;
    }

    Expr on_call(const Call& call) override {
        if (call->is_op("tile.extract") && takes_window(*call, 0)) {
            Expr base = call->args[0];
            Expr row = mutate(call->args[1]), column = mutate(call->args[2]);
            if (!whole(base, row, column)) return Mutator::on_call(call);
            auto n = derive(call);
            n->args[0] = mutate(base);
            n->args[1] = row;
            n->args[2] = column;
            return seal(std::move(n));
        }
        const auto left = left_operand(*call);
        bool windows = false;
        for (std::size_t i = 0; left && i < 2 && *left + i < call->args.size(); ++i) windows = windows || slice_of(call->args[*left + i]) != nullptr;
        if (!windows) return Mutator::on_call(call);
        auto n = derive(call);
        for (std::size_t i = 0; i < n->args.size(); ++i) {
            const bool operand = i == *left || i == *left + 1;
            Expr base = call->args[i], row = const_int(0), column = const_int(0);
            const Expr shape = operand && slice_of(base) != nullptr ? slice_of(base)->args[1] : Expr{};
            if (!operand || !whole(base, row, column)) {
                n->args[i] = mutate(call->args[i]);
                continue;
            }
            const TileSpace space = i == *left ? TileSpace::Left : TileSpace::Right;
            const auto* t = as<TileTypeNode>(call->args[i] != nullptr ? type_of(call->args[i]) : Type{});
            const Type type = canonical_tile(as<TupleNode>(shape)->elements, t->dtype, space, {});
            n->args[i] = define(fmt::format("{}_{}", as<VarNode>(call->args[i])->name, i == *left ? "left" : "right"),
                                ir::call("tile.extract", {mutate(base), row, column, shape}, {{"target_memory", space_name(space)}}, {}, type, call->span), type);
        }
        return seal(std::move(n));
    }

private:
    const CallNode* slice_of(const Expr& value) const {
        const auto* v = as<VarNode>(value);
        const auto found = v != nullptr ? slices_.find(v) : slices_.end();
        return found == slices_.end() ? nullptr : found->second;
    }
    /// From a window of a window to the tile itself, adding up where it starts. Answers whether there was any.
    bool whole(Expr& base, Expr& row, Expr& column) {
        bool any = false;
        for (const CallNode* s = slice_of(base); s != nullptr; s = slice_of(base)) {
            const auto& at = as<TupleNode>(s->args[2])->elements;
            row = plus(mutate(at[0]), row);
            column = plus(mutate(at[1]), column);
            base = s->args[0];
            any = true;
        }
        return any;
    }

    std::unordered_map<const VarNode*, const CallNode*> slices_;
};

} // namespace

PassResult canonicalize_tile_slice(const Module& module, const PassContext&) {
    std::vector<Function> functions;
    for (const Function& f : module->functions) {
        FreshNames names(*f);
        FoldSlices fold(*f, names);
        functions.push_back(fold.any() ? fold.mutate(f) : f);
    }
    if (functions == module->functions) return PassResult::unchanged(module);
    auto n = derive(module);
    n->functions = std::move(functions);
    return PassResult::unchanged(seal(std::move(n)));
}

} // namespace ls::tile
