// Reductions over K whose accumulator does not fit L0C: the output is cut outside the loop, so that no accumulator of
// the whole output ever exists.
#include <unordered_map>

#include "core/ir/children.h"
#include "core/ir/mutator.h"
#include "core/ir/walk.h"
#include "core/passes/nz/l0_emit.h"
#include "core/passes/nz/l0_index.h"
#include "core/passes/nz/l0_loops.h"
#include "core/support/checked.h"

namespace ls::nz {

using namespace ir;

namespace {

struct Reduction {
    Ref<AssignNode> init, store;
    Ref<ForNode> loop;
    Ref<AssignNode> lhs_load, rhs_load, matmul, matmul_acc;
    Var phi;
    std::int64_t M = 0, N = 0, K = 0; ///< K of one iteration
};

const CallNode* call_of(const Ref<AssignNode>& assign, std::string_view op) {
    const auto* c = assign == nullptr || assign->targets.size() != 1 ? nullptr : as<CallNode>(assign->value);
    return c != nullptr && c->is_op(op) ? c : nullptr;
}

bool is_box(const Expr& list, std::int64_t rows, std::int64_t cols) {
    const auto* t = as<TupleNode>(list);
    return t != nullptr && t->elements.size() == 2 && is_constant(t->elements[0], rows) &&
           is_constant(t->elements[1], cols);
}

/// target = op(...); yield target
Ref<AssignNode> only_call(const Seq& body, std::string_view op) {
    if (body == nullptr || body->stmts.size() != 2) return {};
    auto assign = ref_as<AssignNode>(body->stmts[0]);
    const auto* yield = as<YieldNode>(body->stmts[1]);
    const bool yielded = call_of(assign, op) != nullptr && yield != nullptr && yield->values.size() == 1 &&
                         yield->values[0].get() == assign->targets[0].get();
    return yielded ? assign : nullptr;
}

/// The first and the later product of the branch, whichever way round it asks.
bool match_products(const IfNode& branch, Reduction& r) {
    r.matmul = only_call(branch.then_body, "tile.matmul");
    r.matmul_acc = only_call(branch.else_body, "tile.matmul_acc");
    if (r.matmul == nullptr || r.matmul_acc == nullptr) {
        r.matmul = only_call(branch.else_body, "tile.matmul");
        r.matmul_acc = only_call(branch.then_body, "tile.matmul_acc");
    }
    if (r.matmul == nullptr || r.matmul_acc == nullptr) return false;
    const auto &first = static_cast<const CallNode&>(*r.matmul->value),
               &later = static_cast<const CallNode&>(*r.matmul_acc->value);
    return first.args.size() == 2 && later.args.size() == 3 && later.args[0] == r.loop->iter_args[0].var &&
           first.args[0] == later.args[1] && first.args[1] == later.args[2] && first.args[0] != first.args[1];
}

/// The loads of the operands; everything else before the branch must be arithmetic, which may be repeated freely.
bool match_loads(const SeqNode& body, Reduction& r) {
    const auto& product = static_cast<const CallNode&>(*r.matmul->value);
    for (std::size_t i = 0; i + 2 < body.stmts.size(); ++i) {
        auto assign = ref_as<AssignNode>(body.stmts[i]);
        if (assign == nullptr || assign->targets.size() != 1) return false;
        const Var& target = assign->targets[0];
        if (target == product.args[0])
            r.lhs_load = assign;
        else if (target == product.args[1])
            r.rhs_load = assign;
        else if (as<CallNode>(assign->value) != nullptr || as<ScalarTypeNode>(target->type) == nullptr)
            return false;
    }
    const auto whole = [](const Ref<AssignNode>& load, std::optional<TileExtents> extents) {
        const CallNode* c = call_of(load, "tile.load");
        if (c == nullptr || c->args.size() != 4 || !extents) return false;
        const auto* offsets = as<TupleNode>(c->args[1]);
        return offsets != nullptr && offsets->elements.size() == 2 &&
               is_box(c->args[2], extents->rows, extents->cols) && is_box(c->args[3], extents->rows, extents->cols);
    };
    const auto lhs = static_extents(tile_of(product.args[0]), {TileSpace::Mat});
    const auto rhs = static_extents(tile_of(product.args[1]), {TileSpace::Mat});
    if (!whole(r.lhs_load, lhs) || !whole(r.rhs_load, rhs) || lhs->cols != rhs->rows) return false;
    r.M = lhs->rows;
    r.N = rhs->cols;
    r.K = lhs->cols;
    return true;
}

std::optional<Reduction> match(const SeqNode& body, std::size_t at, const L0Index& index) {
    if (at + 2 >= body.stmts.size()) return {};
    Reduction r;
    r.init = ref_as<AssignNode>(body.stmts[at]);
    r.loop = ref_as<ForNode>(body.stmts[at + 1]);
    r.store = ref_as<AssignNode>(body.stmts[at + 2]);
    const CallNode* store = call_of(r.store, "tile.store");
    if (call_of(r.init, "tile.create") == nullptr || r.loop == nullptr || store == nullptr) return {};
    if (r.loop->loop != LoopKind::Pipeline || r.loop->iter_args.size() != 1 || r.loop->results.size() != 1) return {};
    const Var &init = r.init->targets[0], &result = r.loop->results[0];
    if (r.loop->iter_args[0].init != init || store->args.size() != 3 || store->args[0] != result) return {};
    const auto* offsets = as<TupleNode>(store->args[1]);
    if (offsets == nullptr || offsets->elements.size() != 2 || as<VarNode>(store->args[2]) == nullptr) return {};
    if (index.uses(*init) != 1 || index.uses(*result) != 1 || r.loop->body == nullptr) return {};

    const std::vector<Stmt>& stmts = r.loop->body->stmts;
    if (stmts.size() < 2) return {};
    const auto* branch = as<IfNode>(stmts[stmts.size() - 2]);
    const auto* yield = as<YieldNode>(stmts.back());
    if (branch == nullptr || branch->results.size() != 1 || yield == nullptr || yield->values.size() != 1 ||
        yield->values[0] != branch->results[0])
        return {};
    r.phi = branch->results[0];
    if (!match_products(*branch, r) || !match_loads(*r.loop->body, r)) return {};
    const auto* acc = as<TileTypeNode>(init->type);
    const bool whole =
        acc != nullptr && acc->shape.size() == 2 && is_constant(acc->shape[0], r.M) && is_constant(acc->shape[1], r.N);
    return whole ? std::optional(std::move(r)) : std::nullopt;
}

/// A copy of the loop for the output tile that starts at (row, col): every definition anew, loads and products
/// narrowed.
class Narrow final : public Mutator {
public:
    struct Tile {
        std::int64_t row = 0, col = 0;
        Box valid, physical; ///< physical: valid, made whole boxes
        std::string suffix;
    };
    Narrow(const Reduction& r, Tile tile, const Var& init) : r_(r), tile_(std::move(tile)), init_(init) {}

    Ref<ForNode> loop() {
        auto copy = derive(ref_as<ForNode>(Mutator::on_stmt(r_.loop)));
        copy->iter_args[0].init = init_;
        return seal(std::move(copy));
    }

protected:
    Var on_define(const Var& old) override {
        Type type = mutate(old->type);
        const bool carries = old == r_.loop->iter_args[0].var || old == r_.loop->results[0] || old == r_.phi ||
                             old == r_.matmul_acc->targets[0];
        if (carries)
            type = init_->type;
        else if (old == r_.matmul->targets[0])
            type = partly_valid_tile(tile_.physical, tile_of(old)->dtype, TileSpace::Acc, const_int(tile_.valid.rows),
                                     const_int(tile_.valid.cols), tile_.valid.rows != tile_.physical.rows);
        else if (old == r_.lhs_load->targets[0] || old == r_.rhs_load->targets[0])
            type = narrowed(*tile_of(old), old == r_.lhs_load->targets[0]);
        auto fresh = derive(old);
        fresh->name += tile_.suffix;
        fresh->type = std::move(type);
        Var now = seal(std::move(fresh));
        replace(old, now);
        return now;
    }

    Stmt on_stmt(const Stmt& stmt) override {
        const auto* assign = as<AssignNode>(stmt);
        if (assign == nullptr || assign->targets.size() != 1) return Mutator::on_stmt(stmt);
        const bool lhs = assign->targets[0] == r_.lhs_load->targets[0];
        if (!lhs && assign->targets[0] != r_.rhs_load->targets[0]) return Mutator::on_stmt(stmt);
        auto copy = derive(ref_as<AssignNode>(Mutator::on_stmt(stmt)));
        copy->value = narrowed(ref_as<CallNode>(copy->value), lhs);
        return seal(std::move(copy));
    }

private:
    Expr narrowed(const Call& call, bool lhs) const {
        auto load = derive(call);
        std::vector<Expr> start = static_cast<const TupleNode&>(*load->args[1]).elements;
        const TileOps ops(call);
        Expr& moved = start[lhs ? 0 : 1];
        moved = ops.sum(moved, ops.index(lhs ? tile_.row : tile_.col));
        load->args[1] = tuple(std::move(start), call->span);
        load->args[2] = ops.sizes(lhs ? Box{tile_.physical.rows, r_.K} : Box{r_.K, tile_.physical.cols});
        load->args[3] = ops.sizes(lhs ? Box{tile_.valid.rows, r_.K} : Box{r_.K, tile_.valid.cols});
        return seal(std::move(load));
    }

    Type narrowed(const TileTypeNode& type, bool lhs) const {
        auto now = std::make_shared<TileTypeNode>(type);
        const Box box = lhs ? Box{tile_.physical.rows, r_.K} : Box{r_.K, tile_.physical.cols};
        const Box valid = lhs ? Box{tile_.valid.rows, r_.K} : Box{r_.K, tile_.valid.cols};
        now->shape = const_ints({box.rows, box.cols});
        const bool whole = valid.rows == box.rows && valid.cols == box.cols;
        if (!whole && !now->view) now->view.emplace();
        if (now->view) now->view->valid_shape = whole ? std::vector<Expr>{} : const_ints({valid.rows, valid.cols});
        return seal(std::move(now));
    }

    const Reduction& r_;
    Tile tile_;
    Var init_;
};

class SplitReductions final : public Mutator {
public:
    SplitReductions(const Function& function, L0Analyser& analyser) : analyser_(analyser) {
        const L0Index index(*function);
        walk(*function, [&](const Node& node) {
            const auto* body = as<SeqNode>(&node);
            for (std::size_t i = 0; body != nullptr && i < body->stmts.size(); ++i) {
                if (std::optional<Reduction> r = match(*body, i, index)) plan(std::move(*r));
            }
            return !TypeNode::is(node.kind);
        });
    }
    bool any() const { return !planned_.empty(); }

protected:
    Stmt on_stmt(const Stmt& stmt) override {
        if (gone_.contains(stmt.get())) return nullptr;
        const auto found = planned_.find(stmt.get());
        return found == planned_.end() ? Mutator::on_stmt(stmt) : emit(found->second);
    }

private:
    struct Plan {
        Reduction reduction;
        L0Product product;
        BoxGranule granule;
    };

    void plan(Reduction r) {
        const auto lhs = box_granule(*tile_of(r.lhs_load->targets[0]));
        const auto rhs = box_granule(*tile_of(r.rhs_load->targets[0]));
        if (!lhs || !rhs) return;
        L0Wish wish;
        wish.only_output_regime = true;
        wish.box_m = lhs->rows;
        wish.box_n = rhs->cols;
        Result<std::optional<L0Product>> product = analyser_.analyse(r.matmul, wish);
        if (!product.ok() || !*product || !(**product).splits_output()) return;
        gone_.insert(r.init.get());
        gone_.insert(r.loop.get());
        const StmtNode* at = r.store.get();
        planned_.emplace(at, Plan{std::move(r), std::move(**product), {lhs->rows, rhs->cols}});
    }

    Stmt emit(const Plan& p) {
        Reduction r = p.reduction;
        r.loop = ref_as<ForNode>(Mutator::on_stmt(p.reduction.loop)); // with what earlier stores have become
        const auto store = ref_as<CallNode>(mutate(r.store->value));
        StorePlacer placer(*store, ref_as<VarNode>(store->args[2]));
        TileOps ops(r.store);
        Var chain = placer.begin(ops);
        int number = 0;
        for (std::int64_t col = 0; col < r.N; col += p.product.tile.n) {
            for (std::int64_t row = 0; row < r.M; row += p.product.tile.m, ++number) {
                const Box valid{std::min(p.product.tile.m, r.M - row), std::min(p.product.tile.n, r.N - col)};
                const Box physical{align_up(valid.rows, p.granule.rows), align_up(valid.cols, p.granule.cols)};
                const std::string suffix = "_mn" + std::to_string(number);
                const Var init = ops.accumulator(physical, ops.index(valid.rows), ops.index(valid.cols),
                                                 p.product.acc_dtype, r.init->targets[0]->name + suffix);
                Narrow narrow(r, {row, col, valid, physical, suffix}, init);
                const Ref<ForNode> loop = narrow.loop();
                ops.out.push_back(loop);
                chain = placer.place(ops, loop->results[0], ops.index(row), ops.index(col), chain, number);
            }
        }
        replace(r.store->targets[0], chain);
        std::vector<Stmt> stmts = ops.take();
        if (!r.init->comments.empty()) stmts[0] = with_comments(stmts[0], r.init->comments);
        return seq(std::move(stmts), r.store->span);
    }

    L0Analyser& analyser_;
    std::unordered_map<const StmtNode*, Plan> planned_; ///< by the store
    std::unordered_set<const StmtNode*> gone_;
};

} // namespace

Function tile_split_k_reductions(const Function& function, L0Analyser& analyser) {
    SplitReductions split(function, analyser);
    return split.any() ? split.mutate(function) : function;
}

} // namespace ls::nz
