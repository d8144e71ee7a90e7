#include "core/passes/tile/flatten_tile_nd_to_2d.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/ir/mutator.h"
#include "core/ir/walk.h"
#include "core/passes/nz/block_nz_tensor_views.h"
#include "core/passes/tile/batch_product.h"
#include "core/passes/tile/flat_shapes.h"
#include "core/passes/tile/tile_result_type.h"
#include "core/passes/tile/tile_writer.h"
#include "core/support/checked.h"

namespace ls::tile {

using namespace ir;

namespace {

const TileTypeNode* tile_of(const Expr& value) { return as<TileTypeNode>(type_of(value)); }
bool beyond_2d(const Expr& value) {
    const TileTypeNode* t = tile_of(value);
    return t != nullptr && t->shape.size() > 2;
}

class FlattenTiles final : public Mutator, private TileWriter {
public:
    FlattenTiles(const FunctionNode& function, const Hardware& hardware, FreshNames& names)
        : TileWriter(names), plan_(function, hardware) {}

    std::vector<Diagnostic> refusals;

    Function run(const Function& function) {
        const Seq body = mutate(function->body);
        if (body == function->body) return function;
        auto n = derive(function);
        n->body = body;
        return seal(std::move(n));
    }

protected:
    Type on_type(const Type& type) override {
        if (as<TileTypeNode>(type) == nullptr) return Mutator::on_type(type);
        const Type flat = flat_tile(type);
        if (flat != nullptr) return Mutator::on_type(flat);
        const auto& t = static_cast<const TileTypeNode&>(*type);
        refuse(error_at(current_ != nullptr ? current_->span : t.span, "FLATTEN_DYNAMIC",
                        fmt::format("a tile of rank {} has an extent that is no constant, so its rows cannot be counted", t.shape.size()),
                        "walk the dynamic axis in constant steps and say with valid_shape how much of a step there is, or reshape to "
                        "rows and columns before the kernel"));
        return type;
    }

    Stmt on_stmt(const Stmt& stmt) override {
        std::vector<Stmt> outer;
        outer.swap(before_);
        const Stmt enclosing = current_;
        current_ = stmt;
        Stmt now = finish(rewrite(stmt));
        current_ = enclosing;
        before_ = std::move(outer);
        return now;
    }

private:
    void refuse(Diagnostic why) {
        constexpr std::size_t kMost = 50;
        if (refusals.size() < kMost) refusals.push_back(std::move(why));
    }

    Stmt rewrite(const Stmt& stmt) {
        const auto a = ref_as<AssignNode>(stmt);
        const auto e = ref_as<EvalNode>(stmt);
        const auto call = a != nullptr ? ref_as<CallNode>(a->value) : e != nullptr ? ref_as<CallNode>(e->value) : Call{};
        if (call == nullptr || call->callee != CalleeKind::Op || call->op.substr(0, 5) != "tile.") return Mutator::on_stmt(stmt);
        if (plan_.stored_by_product(stmt)) return nullptr;
        if (a != nullptr && a->targets.size() == 1) {
            if (plan_.not_needed(a->targets[0].get())) return nullptr;
            if (call->op == "tile.batch_matmul" || call->op == "tile.batch_matmul_acc") return product(a, call);
            if (call->op == "tile.transpose" && call->args.size() == 3) return transpose(a, call);
            const Expr value = rewritten(call);
            if (value != nullptr) return assigned(a, value);
        }
        if (call->op == "tile.read" || call->op == "tile.write" || call->op == "tile.slice") {
            if (!call->args.empty() && beyond_2d(call->args[0])) {
                refuse(error_at(call->span, "FLATTEN_ELEMENT",
                                fmt::format("{} names a place in a tile of rank {}", call->op, tile_of(call->args[0])->shape.size()),
                                "reshape the tile to rows and columns first"));
                return stmt;
            }
        }
        return Mutator::on_stmt(stmt);
    }

    Stmt assigned(const Ref<AssignNode>& a, const Expr& value) {
        auto n = derive(a);
        n->value = value;
        n->targets[0] = on_define(a->targets[0]);
        return seal(std::move(n));
    }

    /// The call with its shapes and offsets in two axes; null when the general way does it.
    Expr rewritten(const Call& call) {
        if (call->op == "tile.load") return load(call);
        if (call->op == "tile.store") return store(call);
        if ((call->op == "tile.create" || call->op == "tile.full" || call->op == "tile.reshape")) {
            const std::size_t shape = call->op == "tile.reshape" ? 1 : 0;
            const auto* dims = shape < call->args.size() ? as<TupleNode>(call->args[shape]) : nullptr;
            if (dims == nullptr || dims->elements.size() <= 2) return nullptr;
            auto n = derive(ref_as<CallNode>(mutate(Expr(call))));
            n->origin = call;
            n->args[shape] = tuple(flat_dims(dims->elements), call->args[shape]->span);
            return seal(std::move(n));
        }
        if (call->op == "tile.assemble") return assemble(call);
        return nullptr;
    }

    Expr load(const Call& call) {
        const auto* result = as<TileTypeNode>(call->type);
        const auto* window = call->args.size() > 2 ? as<TupleNode>(call->args[2]) : nullptr;
        if (window == nullptr || window->elements.size() <= 2) return nullptr;
        const auto* source = as<TensorTypeNode>(type_of(call->args[0]));
        const auto loaded = result != nullptr ? Ref<TypeNode>(call->type) : result_type(*call);
        const auto* tile = as<TileTypeNode>(loaded);
        const bool to_mat = tile != nullptr && tile->space == TileSpace::Mat;
        const TileView view = tile != nullptr ? effective_view(*tile) : TileView{};
        const bool boxed = view.blayout == TileOrder::ColMajor && view.slayout == TileOrder::RowMajor;
        // An NZ tensor is read by its own coordinates: BlockNzTensorViews makes panels of them.
        if (!to_mat || !boxed || source == nullptr || nz::is_nz(type_of(call->args[0]))) return nullptr;
        auto n = derive(ref_as<CallNode>(mutate(Expr(call))));
        n->origin = call;
        const auto* offsets = as<TupleNode>(n->args[1]);
        const auto* valid = n->args.size() > 3 ? as<TupleNode>(n->args[3]) : nullptr;
        const std::vector<Expr>& extents = valid != nullptr ? valid->elements : window->elements;
        if (offsets == nullptr || source->shape.size() != window->elements.size() || offsets->elements.size() != source->shape.size() ||
            !is_row_block(extents, source->shape)) {
            refuse(error_at(call->span, "FLATTEN_WINDOW", "the window leaves gaps between its panels, so it is no one copy into Mat",
                            "take the inner axes whole, or load one panel at a time"));
            return call;
        }
        const Var two_axes = define(base_name(names_for(call)) + "__view2d", tensor_view_2d(n->args[0], *source, *call));
        n->args[0] = two_axes;
        n->args[1] = tuple(flat_offsets(offsets->elements, source->shape), n->args[1]->span);
        n->args[2] = tuple(flat_dims(window->elements), n->args[2]->span);
        const Expr flat_extents = tuple(flat_dims(extents));
        if (n->args.size() > 3) n->args[3] = flat_extents;
        else n->args.push_back(flat_extents);
        return seal(std::move(n));
    }
    std::string names_for(const Call& call) const {
        const auto* a = as<AssignNode>(current_);
        return a != nullptr ? a->targets[0]->name : call->op;
    }


    Expr store(const Call& call) {
        if (call->args.size() != 3) return nullptr;
        const auto* out = as<TensorTypeNode>(type_of(call->args[2]));
        const TileTypeNode* tile = tile_of(call->args[0]);
        if (out == nullptr || tile == nullptr || out->shape.size() <= 2) return nullptr;
        auto n = derive(ref_as<CallNode>(mutate(Expr(call))));
        n->origin = call;
        n->args.push_back(tuple(partition(tile->shape, out->shape.size())));
        return seal(std::move(n));
    }

    Expr assemble(const Call& call) {
        const TileTypeNode* target = call->args.size() > 2 ? tile_of(call->args[0]) : nullptr;
        const TileTypeNode* source = call->args.size() > 2 ? tile_of(call->args[1]) : nullptr;
        if (target == nullptr || target->shape.size() <= 2) return nullptr;
        const auto* offsets = as<TupleNode>(call->args[2]);
        if (offsets == nullptr || source == nullptr || offsets->elements.size() != target->shape.size() ||
            source->shape.size() != target->shape.size() || !is_row_block(source->shape, target->shape)) {
            refuse(error_at(call->span, "FLATTEN_ASSEMBLE", "what is written is no one block of rows of the tile",
                            "give source, target and offset the same rank, and write the inner axes whole"));
            return call;
        }
        auto n = derive(ref_as<CallNode>(mutate(Expr(call))));
        n->origin = call;
        n->args[2] = tuple(flat_offsets(as<TupleNode>(n->args[2])->elements, target->shape), call->args[2]->span);
        return seal(std::move(n));
    }

    Stmt transpose(const Ref<AssignNode>& a, const Call& call) {
        const TileTypeNode* source = tile_of(call->args[0]);
        if (source == nullptr) return Mutator::on_stmt(a);
        const Expr in = mutate(call->args[0]);
        const TileSpace space = source->space.value_or(TileSpace::Vec);
        if (source->shape.size() <= 2) {
            const Var tmp = create("transpose_tmp", source->shape, source->dtype, space);
            auto n = derive(call);
            n->args = {in, call->args[1], call->args[2], tmp};
            return assigned(a, seal(std::move(n)));
        }
        const auto rank = static_cast<std::int64_t>(source->shape.size());
        const auto x = constant(call->args[1]), y = constant(call->args[2]);
        const auto batches = product_of_batches(source->shape);
        const auto rows = constant(source->shape[source->shape.size() - 2]), cols = constant(source->shape.back());
        const bool last_two = x && y && floor_mod(*x, rank) + floor_mod(*y, rank) == 2 * rank - 3 && floor_mod(*x, rank) != floor_mod(*y, rank) &&
                              std::min(floor_mod(*x, rank), floor_mod(*y, rank)) == rank - 2;
        if (!last_two || !batches || !rows || !cols) {
            refuse(error_at(call->span, "FLATTEN_TRANSPOSE", fmt::format("of a tile of rank {} only the last two axes can be exchanged", rank),
                            "reshape the tile so that these are its last two axes, with constant extents"));
            return a;
        }
        const auto dims = [](std::int64_t r, std::int64_t c) { return tuple({const_int(r), const_int(c)}); };
        const CheckedInt out_rows = checked_mul(*batches, *cols), in_rows = checked_mul(*batches, *rows);
        if (!out_rows || !in_rows) return a;
        Var out = create(a->targets[0]->name, {const_int(*out_rows), const_int(*rows)}, source->dtype, space);
        const Var pool = create("trans_tmp_pool", {const_int(*in_rows), const_int(*cols)}, source->dtype, space);
        for (std::int64_t i = 0; i < *batches; ++i) {
            const Expr at = dims(i * *rows, 0);
            const Var page = define(fmt::format("trans_page_{}", i), made("tile.slice", {in, dims(*rows, *cols), at}, {}, *call));
            const Var tmp = define(fmt::format("trans_tmp_{}", i), made("tile.slice", {pool, dims(*rows, *cols), at}, {}, *call));
            const Var turned = define(fmt::format("trans_{}", i), made("tile.transpose", {page, const_int(0), const_int(1), tmp}, {}, *call));
            out = define(a->targets[0]->name, made("tile.assemble", {out, turned, dims(i * *cols, 0)}, {}, *call));
        }
        replace(a->targets[0], out);
        return nullptr;
    }

    Stmt product(const Ref<AssignNode>& a, const Call& call) {
        const Result<BatchPlan> plan = plan_.product(*call);
        if (!plan.ok()) {
            refuse(plan.error());
            return a;
        }
        const bool accumulates = call->op == "tile.batch_matmul_acc";
        const std::size_t first = accumulates ? 1 : 0;
        const Expr lhs = mutate(call->args[first]), rhs = mutate(call->args[first + 1]);
        const auto dims = [](std::int64_t r, std::int64_t c) { return tuple({const_int(r), const_int(c)}); };
        const auto page = [&](const BatchOperand& operand, const Expr& whole, std::int64_t batch, const char* side) -> Expr {
            if (operand.by_batch()) return load_panel(operand, batch, side, *call);
            const Expr at = operand.transposed ? dims(0, batch * operand.cols) : dims(batch * operand.rows, 0);
            return define(fmt::format("{}_slice_{}", side, batch), made("tile.slice", {whole, dims(operand.rows, operand.cols), at}, {}, *call));
        };
        const Ref<AssignNode> stored = plan_.store_of(a);
        const auto name = a->targets[0]->name;
        if (plan->batches == 1 && stored == nullptr) {
            const Expr l = page(plan->lhs, lhs, 0, "lhs"), r = page(plan->rhs, rhs, 0, "rhs");
            std::vector<Expr> args{l, r};
            if (accumulates) args.insert(args.begin(), mutate(call->args[0]));
            const Made value = made(accumulates ? "tile.matmul_acc" : "tile.matmul", std::move(args), {}, *call);
            auto v = derive(a->targets[0]);
            v->type = value.type;
            auto n = derive(a);
            n->targets[0] = seal(std::move(v));
            n->value = value.value;
            replace(a->targets[0], n->targets[0]);
            return seal(std::move(n));
        }
        const std::int64_t rows = plan->lhs.rows, cols = plan->rhs.cols;
        Expr all = accumulates ? mutate(call->args[0]) : Expr{};
        Expr target;
        const Call store = stored != nullptr ? ref_as<CallNode>(stored->value) : Call{};
        if (store != nullptr) target = mutate(store->args[2]);
        const auto* result = as<TileTypeNode>(call->type != nullptr ? call->type : a->targets[0]->type);
        if (!accumulates && store == nullptr) {
            all = create(name, {const_int(plan->batches * rows), const_int(cols)}, result != nullptr ? result->dtype : DType::Fp32);
        }
        for (std::int64_t i = 0; i < plan->batches; ++i) {
            const Expr l = page(plan->lhs, lhs, plan->lhs.batch(i, plan->shape), "lhs");
            const Expr r = page(plan->rhs, rhs, plan->rhs.batch(i, plan->shape), "rhs");
            const Expr at = dims(i * rows, 0);
            if (accumulates) {
                const Var part = define(fmt::format("acc_page_{}", i), made("tile.slice", {all, dims(rows, cols), at}, {}, *call));
                const Var sum = define(fmt::format("matmul_acc_{}", i), made("tile.matmul_acc", {part, l, r}, {}, *call));
                all = define(name, made("tile.assemble", {all, sum, at}, {}, *call));
                continue;
            }
            const Var part = define(fmt::format("matmul_{}", i), made("tile.matmul", {l, r}, {}, *call));
            if (store == nullptr) {
                const Var moved = define(fmt::format("matmul_vec_{}", i), made("tile.move", {part}, {{"target_memory", space_name(TileSpace::Vec)}}, *call));
                all = define(name, made("tile.assemble", {all, moved, at}, {}, *call));
                continue;
            }
            target = store_panel(*store, *stored, part, target, plan->indices(i), rows, cols, i);
        }
        if (store != nullptr) replace(stored->targets[0], target);
        else replace(a->targets[0], all);
        return nullptr;
    }

    /// One product of a batch straight to where the whole was to be stored.
    Expr store_panel(const CallNode& store, const AssignNode& stored, const Expr& part, const Expr& target,
                     const std::vector<std::int64_t>& batch, std::int64_t rows, std::int64_t cols, std::int64_t number) {
        std::vector<Expr> offsets;
        const auto* given = as<TupleNode>(store.args[1]);
        for (std::size_t i = 0; given != nullptr && i < given->elements.size(); ++i) {
            const Expr at = mutate(given->elements[i]);
            const std::int64_t step = i < batch.size() ? batch[i] : 0;
            const auto known = constant(at);
            const CheckedInt sum = known ? checked_add(*known, step) : CheckedInt{};
            offsets.push_back(step == 0 ? at : sum ? const_int(*sum) : binary(BinaryOp::Add, at, const_int(step)));
        }
        std::vector<Expr> args{part, tuple(std::move(offsets)), target};
        const auto* out = as<TensorTypeNode>(type_of(target));
        if (out != nullptr && out->shape.size() > 2) args.push_back(tuple(partition({const_int(rows), const_int(cols)}, out->shape.size())));
        return define(fmt::format("{}_{}", stored.targets[0]->name, number), made("tile.store", std::move(args), store.kwargs, store));
    }

    Expr load_panel(const BatchOperand& operand, std::int64_t batch, const char* side, const CallNode& call) {
        const CallNode& whole = *operand.load;
        const auto& tensor = static_cast<const TensorTypeNode&>(*type_of(whole.args[0]));
        std::vector<Expr> offsets, window;
        const auto* given = as<TupleNode>(whole.args[1]);
        const std::vector<std::int64_t> at = operand.indices(batch);
        for (std::size_t i = 0; i < given->elements.size(); ++i) {
            const Expr o = mutate(given->elements[i]);
            const std::int64_t step = i < at.size() ? at[i] : 0;
            const auto known = constant(o);
            const CheckedInt sum = known ? checked_add(*known, step) : CheckedInt{};
            offsets.push_back(step == 0 ? o : sum ? const_int(*sum) : binary(BinaryOp::Add, o, const_int(step)));
            window.push_back(i < at.size() ? const_int(1) : as<TupleNode>(whole.args[2])->elements[i]);
        }
        std::vector<Expr> args{mutate(whole.args[0]), nullptr, nullptr, nullptr};
        if (nz::is_nz(type_of(whole.args[0]))) {
            args[1] = tuple(std::move(offsets));
            args[2] = args[3] = tuple(std::move(window));
        } else {
            args[0] = define(fmt::format("{}_pbview2d_{}", side, batch), tensor_view_2d(args[0], tensor, call));
            args[1] = tuple(flat_offsets(offsets, tensor.shape));
            args[2] = args[3] = tuple(flat_dims(window));
        }
        Made loaded = made("tile.load", std::move(args), whole.kwargs, call, whole.attrs);
        auto c = derive(ref_as<CallNode>(loaded.value));
        c->type = on_type(loaded.type);
        loaded.type = c->type;
        loaded.value = seal(std::move(c));
        Expr panel = define(fmt::format("{}_pbload_{}", side, batch), std::move(loaded));
        if (operand.transposed) panel = define(fmt::format("{}_pbview_{}", side, batch), made("tile.transpose_view", {panel}, {}, call));
        return panel;
    }

    /// [1, ..., tile shape]: what a store covers of a tensor with more axes.
    static std::vector<Expr> partition(const std::vector<Expr>& tile, std::size_t rank) {
        std::vector<Expr> all(rank > tile.size() ? rank - tile.size() : 0, const_int(1));
        all.insert(all.end(), tile.begin(), tile.end());
        return all;
    }

    BatchProducts plan_;
};

bool is_kernel(FunctionKind kind) { return kind == FunctionKind::InCore || kind == FunctionKind::AIC || kind == FunctionKind::AIV; }

} // namespace

PassResult flatten_tile_nd_to_2d(const Module& module, const PassContext& context) {
    PassResult result;
    std::vector<Function> functions;
    for (const Function& f : module->functions) {
        if (!is_kernel(f->function) || f->body == nullptr) {
            functions.push_back(f);
            continue;
        }
        FreshNames names(*f);
        FlattenTiles flatten(*f, *context.hardware, names);
        functions.push_back(flatten.run(f));
        result.diagnostics.insert(result.diagnostics.end(), flatten.refusals.begin(), flatten.refusals.end());
    }
    if (!result.diagnostics.empty()) return result;
    if (functions == module->functions) return PassResult::unchanged(module);
    auto n = derive(module);
    n->functions = std::move(functions);
    result.module = seal(std::move(n));
    return result;
}

} // namespace ls::tile
