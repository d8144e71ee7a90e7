#include "core/passes/nz/auto_tile_matmul_l0.h"

#include <optional>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "core/ir/mutator.h"
#include "core/ir/walk.h"
#include "core/passes/nz/block_nz_tensor_views.h"
#include "core/passes/nz/l0_emit.h"
#include "core/passes/nz/l0_index.h"
#include "core/passes/nz/l0_loops.h"

namespace ls::nz {

using namespace ir;

namespace {

/// Whether the way from Acc to Mat does this conversion: it narrows FP32 only, and rounds halves to even.
bool folds_into_fixpipe(const CallNode& cast, DType from, DType to) {
    if (from != DType::Fp32 || (to != DType::Bf16 && to != DType::Fp16)) return false;
    const auto* mode = cast.kwarg("mode");
    const auto* word = as<StringNode>(mode);
    return word != nullptr ? word->value == "rint" : constant(mode) == 1;
}

const TupleNode* two(const Expr& list) {
    const auto* t = as<TupleNode>(list);
    return t != nullptr && t->elements.size() == 2 ? t : nullptr;
}

bool is_whole_row(const Expr& list, std::int64_t cols) {
    const auto* t = two(list);
    return t != nullptr && is_constant(t->elements[0], 1) && is_constant(t->elements[1], cols);
}

/// A tile.store into a tensor of two axes, or of whole columns into a blocked NZ tensor.
enum class StoreForm { Other, TwoAxes, Nz };
StoreForm store_form(const CallNode& store) {
    if (store.args.size() < 3) return StoreForm::Other;
    const auto* tensor = as<VarNode>(store.args[2]);
    const auto* offsets = as<TupleNode>(store.args[1]);
    if (tensor == nullptr || offsets == nullptr) return StoreForm::Other;
    if (is_nz(tensor->type)) {
        const auto* partition = store.args.size() == 4 ? as<TupleNode>(store.args[3]) : nullptr;
        const bool blocked = offsets->elements.size() == 5 && partition != nullptr && partition->elements.size() == 5;
        return blocked ? StoreForm::Nz : StoreForm::Other;
    }
    return store.args.size() == 3 && offsets->elements.size() == 2 ? StoreForm::TwoAxes : StoreForm::Other;
}

class DropAssigns final : public Mutator {
public:
    explicit DropAssigns(const std::unordered_set<const VarNode*>& targets) : targets_(targets) {}

protected:
    Stmt on_stmt(const Stmt& stmt) override {
        const auto* a = as<AssignNode>(stmt);
        if (a != nullptr && a->targets.size() == 1 && targets_.contains(a->targets[0].get())) return nullptr;
        return Mutator::on_stmt(stmt);
    }

private:
    const std::unordered_set<const VarNode*>& targets_;
};

class AutoTile final : public Mutator {
public:
    AutoTile(const PassContext& context) : hardware_(*context.hardware), analyser_(hardware_, notes_) {}

    PassResult run(const Module& module) {
        Module after = mutate(module);
        PassResult result;
        result.module = refusals_.empty() ? std::move(after) : nullptr;
        result.diagnostics = std::move(refusals_);
        result.diagnostics.insert(result.diagnostics.end(), notes_.begin(), notes_.end());
        return result;
    }

protected:
    Function on_function(const Function& function) override {
        const FunctionKind kind = function->function;
        if (kind != FunctionKind::InCore && kind != FunctionKind::AIC && kind != FunctionKind::AIV) return function;
        const Function split = tile_split_k_reductions(function, analyser_);
        index_ = L0Index(*split);
        two_accumulators_ = pipelines_for_two_accumulators(*split, hardware_);
        pending_.clear();
        folded_casts_.clear();
        replaced_loads_.clear();
        Function after = Mutator::on_function(split);
        if (!replaced_loads_.empty()) after = DropAssigns(replaced_loads_).mutate(after);
        check_nz_stores(*after);
        if (after == function) return function;
        auto linked = derive(after);
        linked->origin = function;
        return seal(std::move(linked));
    }

    Stmt on_stmt(const Stmt& stmt) override {
        if (const auto waiting = pending_.find(stmt.get()); waiting != pending_.end())
            return emit_stores(ref_as<AssignNode>(stmt), waiting->second);
        if (two_accumulators_.contains(stmt.get())) return with_two_accumulators(Mutator::on_stmt(stmt));
        const auto assign = ref_as<AssignNode>(stmt);
        if (assign == nullptr || assign->targets.size() != 1 || as<CallNode>(assign->value) == nullptr)
            return Mutator::on_stmt(stmt);
        if (folded_casts_.contains(assign->targets[0].get())) return nullptr;
        const auto& call = static_cast<const CallNode&>(*assign->value);
        if (call.is_op("tile.cast")) {
            if (Stmt folded = fold_cast(assign); folded != nullptr) return folded;
        } else if (call.op.compare(0, 11, "tile.matmul") == 0) {
            if (std::optional<Stmt> tiled = tile_product(assign)) return *tiled;
        }
        return Mutator::on_stmt(stmt);
    }

private:
    /// The statements in the place of `stmt`, its comments before the first.
    static Stmt instead(TileOps& ops, const StmtNode& stmt) {
        std::vector<Stmt> stmts = ops.take();
        if (!stmts.empty() && !stmt.comments.empty()) stmts[0] = with_comments(stmts[0], stmt.comments);
        return seq(std::move(stmts), stmt.span);
    }

    /// The assignment with its operands as they are now; its target is not touched.
    Ref<AssignNode> current(const Ref<AssignNode>& assign) {
        Expr value = mutate(assign->value);
        if (value == assign->value) return assign;
        auto now = derive(assign);
        now->value = std::move(value);
        return seal(std::move(now));
    }

    // --- the bias, where windows of it can be loaded

    L0Wish wish_for(const AssignNode& original, const CallNode& now) {
        L0Wish wish;
        if (!now.is_op("tile.matmul_bias") || now.args.size() != 3) return wish;
        const auto& before = static_cast<const CallNode&>(*original.value);
        const auto* bias = as<VarNode>(before.args[2]);
        if (bias == nullptr || index_.uses(*bias) != 1) return wish;
        const AssignNode* load = index_.load_right_before(*bias, original);
        const auto* type = as<TileTypeNode>(bias->type);
        if (load == nullptr || type == nullptr || type->shape.size() != 2) return wish;
        Ref<CallNode> call = ref_as<CallNode>(mutate(load->value));
        const auto cols = constant(type->shape[1]);
        if (call == nullptr || call->args.size() != 4 || !cols || two(call->args[1]) == nullptr ||
            !is_whole_row(call->args[2], *cols) || !is_whole_row(call->args[3], *cols))
            return wish;
        wish.bias_load = std::move(call);
        wish.bias_loaded = load->targets[0];
        return wish;
    }

    // --- products

    /// What stands for the product from here on; nothing when it stays as it is. An empty Seq: it moves to its store.
    std::optional<Stmt> tile_product(const Ref<AssignNode>& original) {
        const Ref<AssignNode> assign = current(original);
        const auto& call = static_cast<const CallNode&>(*assign->value);
        const Var& target = original->targets[0];
        L0Wish wish = wish_for(*original, call);
        const AssignNode* store = index_.uses(*target) == 1 ? index_.store_of(*target, *original) : nullptr;
        const StoreForm form =
            store == nullptr ? StoreForm::Other : store_form(static_cast<const CallNode&>(*store->value));
        if (form == StoreForm::Nz) {
            const auto* tile = as<TileTypeNode>(target->type);
            wish.fixed_m = tile == nullptr || tile->shape.size() != 2 ? std::nullopt : constant(tile->shape[0]);
            wish.max_n = hardware_.nz_store.max_cols / hardware_.cube_unit * hardware_.cube_unit;
        }
        std::optional<L0Product> product = analyse(assign, wish);
        if (!product) return {};
        if (!product->splits_output()) {
            TileOps ops(original);
            const Var sum =
                emit_k_loop(ops, *product, {nullptr, nullptr, {product->M, product->N}, target->name}, target);
            if (sum != target) replace(target, sum);
            return instead(ops, *original);
        }
        if (std::optional<Stmt> kept = collect_in_mat(original, assign, *product, wish)) return kept;
        return move_to_store(original, std::move(*product), store, form);
    }

    std::optional<L0Product> analyse(const Ref<AssignNode>& assign, const L0Wish& wish) {
        Result<std::optional<L0Product>> product = analyser_.analyse(assign, wish);
        if (product.ok()) return std::move(product).value();
        refusals_.push_back(std::move(product).error());
        return {};
    }

    /// A result that only products read stays on the chip: the tiles are collected in Mat, in a narrower type where a
    /// cast stands between.
    std::optional<Stmt> collect_in_mat(const Ref<AssignNode>& original, const Ref<AssignNode>& assign,
                                       const L0Product& found, L0Wish wish) {
        const Var& result = original->targets[0];
        DType dtype = found.acc_dtype;
        Var read = result;
        const AssignNode* cast = index_.uses(*result) == 1 ? index_.cast_of(*result, *original) : nullptr;
        if (cast != nullptr) {
            const Var& narrowed = cast->targets[0];
            const auto* type = as<TileTypeNode>(narrowed->type);
            if (type != nullptr && index_.only_operand(*narrowed) &&
                folds_into_fixpipe(static_cast<const CallNode&>(*cast->value), found.acc_dtype, type->dtype)) {
                dtype = type->dtype;
                read = narrowed;
            }
        }
        if (!index_.only_operand(*read) || found.kind == ProductKind::Accumulate || found.stage_lhs) return {};
        L0Product product = found;
        if (product.tile.regime != L0Regime::Output) {
            // The consumer's panels must find room beside the producer's: one that fills L0A or L0B leaves none.
            wish.only_output_regime = true;
            std::vector<Diagnostic> again;
            Result<std::optional<L0Product>> narrower = L0Analyser(hardware_, again).analyse(assign, wish);
            if (narrower.ok() && *narrower) product = std::move(**narrower);
        }
        const Span at = original->span;
        if (!hardware_.cube_moves.fp32_to_mat && dtype != DType::Bf16 && dtype != DType::Fp16) {
            analyser_.note(
                at, "L0_MAT_SCRATCH_DTYPE",
                fmt::format("the [{}, {}] result in {} is too large for L0C and is read by another product, "
                            "but {} writes parts of a Mat tile from Acc only in BF16 or FP16: the product is "
                            "left as it is",
                            product.M, product.N, info(dtype).pypto, hardware_.id),
                "PH-AT-009: cast the result to BF16 with mode='rint' before it is used");
            return {};
        }
        const std::int64_t room = hardware_.capacity_bytes(TileSpace::Mat).value_or(0);
        const std::int64_t bytes = product.M * product.N * whole_bytes(dtype);
        if (bytes > room) {
            analyser_.note(
                at, "L0_PLACEMENT",
                fmt::format("the [{}, {}] result takes {} bytes of Mat, which has {}: the product is left as "
                            "it is",
                            product.M, product.N, bytes, room),
                "PH-AT-006: store it and load it again in parts");
            return {};
        }
        drop_bias_load(product);
        TileOps ops(original);
        MatPlacer placer({product.M, product.N}, dtype, result->name + "_mat");
        const Var collected = emit_output_tiles(ops, product, placer);
        replace(read, collected);
        if (read != result) {
            replace(result, collected);
            folded_casts_.insert(read.get());
        }
        return instead(ops, *original);
    }

    /// The tiles are computed where the result is stored; each is stored when it is done.
    std::optional<Stmt> move_to_store(const Ref<AssignNode>& original, L0Product product, const AssignNode* store,
                                      StoreForm form) {
        const auto stays = [&](std::string why, std::string hint) -> std::optional<Stmt> {
            analyser_.note(original->span, "L0_PLACEMENT",
                           fmt::format("{} is too large for L0C ({} x {}), but {}: it is left as it is",
                                       static_cast<const CallNode&>(*original->value).op, product.M, product.N, why),
                           "PH-AT-006: " + hint);
            return {};
        };
        if (product.kind == ProductKind::Accumulate)
            return stays("its accumulator was made elsewhere and cannot be cut here",
                         "reduce over K in one loop between tile.create and tile.store, or compute fewer columns");
        if (product.stage_lhs) return stays("its left operand is in Vec", "compute fewer rows or columns at a time");
        if (form == StoreForm::Other)
            return stays("its result is not used by one tile.store alone", "store the result once, and load it again "
                                                                           "where it is used");
        const bool reloads_bias = product.bias_load != nullptr && product.tile.n != product.N;
        if (reloads_bias && !index_.only_loads_between(*original, *store)) {
            analyser_.note(original->span, "L0_BIAS_WINDOW",
                           "windows of the bias would be loaded only at the store, after other statements: the product "
                           "is left as it is",
                           "PH-AT-011: store the result right after the product");
            return {};
        }
        drop_bias_load(product);
        pending_.emplace(store, std::move(product));
        return Stmt(seq({}, original->span));
    }

    void drop_bias_load(const L0Product& product) {
        if (product.bias_load != nullptr && product.tile.n != product.N)
            replaced_loads_.insert(product.bias_loaded.get());
    }

    /// `store` with the product before it: operands are those of here, which may be newer than those of the product.
    Stmt emit_stores(const Ref<AssignNode>& store, L0Product product) {
        const auto call = ref_as<CallNode>(mutate(store->value));
        const auto renewed = [&](Var& v) {
            if (v != nullptr) v = ref_as<VarNode>(mutate(Expr(v)));
        };
        renewed(product.lhs);
        renewed(product.rhs);
        renewed(product.bias);
        if (product.bias_load != nullptr) product.bias_load = ref_as<CallNode>(mutate(Expr(product.bias_load)));
        const Var tensor = ref_as<VarNode>(call->args[2]);
        TileOps ops(store);
        Var written;
        if (store_form(*call) == StoreForm::Nz) {
            NzStorePlacer placer(*call, tensor);
            written = emit_output_tiles(ops, product, placer);
        } else {
            StorePlacer placer(*call, tensor);
            written = emit_output_tiles(ops, product, placer);
        }
        replace(store->targets[0], written);
        return instead(ops, *store);
    }

    // --- casts

    /// A result that fits L0C and is narrowed for the next product: the conversion happens on the way to Mat instead of
    /// in the vector core. Null when the cast stays.
    Stmt fold_cast(const Ref<AssignNode>& original) {
        const Ref<AssignNode> assign = current(original);
        const auto& call = static_cast<const CallNode&>(*assign->value);
        const auto* to = as<TileTypeNode>(original->targets[0]->type);
        if (call.args.empty() || to == nullptr || !index_.only_operand(*original->targets[0])) return nullptr;
        const Var source = ref_as<VarNode>(call.args[0]);
        const TileTypeNode* from = tile_of(call.args[0]);
        const auto extents = static_extents(from, {TileSpace::Acc});
        if (!extents || to->shape.size() != 2 || !is_constant(to->shape[0], extents->rows) ||
            !is_constant(to->shape[1], extents->cols))
            return nullptr;
        const auto bytes = acc_physical_bytes(std::array{extents->rows, extents->cols}, from->dtype, &hardware_);
        if (!bytes || *bytes > hardware_.capacity_bytes(TileSpace::Acc).value_or(0)) return nullptr;
        if (!folds_into_fixpipe(call, from->dtype, to->dtype)) {
            analyser_.note(original->span, "L0_CAST_NOT_FOLDED",
                           fmt::format("the cast of a [{}, {}] product from {} to {} stays in the vector core: the way "
                                       "from Acc to Mat narrows FP32 to BF16 or FP16 only, and rounds halves to even",
                                       extents->rows, extents->cols, info(from->dtype).pypto, info(to->dtype).pypto),
                           "PH-AT-010: cast an FP32 result with mode='rint'");
            return nullptr;
        }
        TileOps ops(original);
        MatPlacer placer({extents->rows, extents->cols}, to->dtype, source->name + "_mat");
        const Var scratch = placer.begin(ops);
        replace(original->targets[0], placer.place(ops, source, ops.index(0), ops.index(0), scratch, 0));
        return instead(ops, *original);
    }

    // --- pipelines written by hand

    static Stmt with_two_accumulators(const Stmt& stmt) {
        auto loop = derive(ref_as<ForNode>(stmt));
        std::erase_if(loop->attrs, [](const KeyValue& a) {
            return a.key == "pipeline_overlap_stores" || a.key == "pipeline_double_buffer_c";
        });
        loop->attrs.push_back({"pipeline_overlap_stores", const_bool(false)});
        loop->attrs.push_back({"pipeline_double_buffer_c", const_bool(true)});
        return seal(std::move(loop));
    }

    // --- the end

    void check_nz_stores(const FunctionNode& function) {
        for_each_call(function, [&](const CallNode& call) {
            if (!call.is_op("tile.store") || call.args.size() < 3) return;
            const auto* tensor = as<VarNode>(call.args[2]);
            const auto extents = static_extents(tile_of(call.args[0]), {TileSpace::Acc});
            if (tensor == nullptr || !is_nz(tensor->type) || !extents) return;
            Status fits =
                check_store_tile(extents->rows, extents->cols, tile_of(call.args[0])->dtype, hardware_, call.span);
            if (!fits.ok()) refusals_.push_back(std::move(fits).error());
        });
    }

    const Hardware& hardware_;
    std::vector<Diagnostic> notes_, refusals_;
    L0Analyser analyser_;
    L0Index index_;
    std::unordered_set<const StmtNode*> two_accumulators_;
    std::unordered_map<const StmtNode*, L0Product> pending_; ///< products that are computed at their store
    std::unordered_set<const VarNode*> folded_casts_;        ///< results of casts that happen on the way to Mat
    std::unordered_set<const VarNode*> replaced_loads_;      ///< biases of which windows are loaded instead
};

} // namespace

PassResult auto_tile_matmul_l0(const Module& module, const PassContext& context) {
    return AutoTile(context).run(module);
}

} // namespace ls::nz
