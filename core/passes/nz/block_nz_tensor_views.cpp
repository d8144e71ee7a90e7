#include "core/passes/nz/block_nz_tensor_views.h"

#include <unordered_map>

#include <fmt/format.h>

#include "core/ir/mutator.h"
#include "core/passes/nz/blocked_shape.h"
#include "core/passes/nz/nz_access.h"

namespace ls::nz {

using namespace ir;

bool is_nz(const Type& type) {
    const auto* t = as<TensorTypeNode>(type);
    return t != nullptr && t->view && t->view->order == TensorOrder::NZ;
}

namespace {

constexpr std::size_t kMaxRefusals = 50;

class BlockNz final : public Mutator {
public:
    BlockNz(const ModuleNode& module, const PassContext& context) : module_(module), context_(context) {}

    PassResult run(const Module& module) {
        PassResult result;
        Module after = mutate(module);
        result.module = refusals_ == 0 ? std::move(after) : nullptr;
        result.diagnostics = std::move(diagnostics_);
        result.proofs = std::move(proofs_);
        return result;
    }

protected:
    Function on_function(const Function& function) override {
        const auto* done = as<ConstBoolNode>(function->attr(kBlockedAttr));
        if (done != nullptr && done->value) return function;
        function_ = function;
        facts_ = OffsetFacts(*function);
        logical_.clear();
        Function after = Mutator::on_function(function);
        if (after == function) return function;
        auto marked = derive(after);
        marked->origin = function;
        marked->attrs.push_back({std::string(kBlockedAttr), const_bool(true)});
        return seal(std::move(marked));
    }

    Type on_type(const Type& type) override {
        if (!is_nz(type)) return Mutator::on_type(type);
        const auto& tensor = static_cast<const TensorTypeNode&>(*type);
        Result<std::vector<Expr>> shape = block_type(tensor);
        if (!shape.ok()) {
            refuse(std::move(shape).error());
            return type;
        }
        auto blocked = derive(ref_as<TensorTypeNode>(type));
        blocked->shape = std::move(shape).value();
        return seal(std::move(blocked));
    }

    Stmt on_stmt(const Stmt& stmt) override {
        // What a slice of an NZ tensor or a store into one answers has that tensor's byte order, whatever its
        // annotation says.
        if (const auto* a = as<AssignNode>(stmt); a != nullptr && a->targets.size() == 1 && answers_nz(a->value)) {
            const Var& target = a->targets[0];
            if (as<TensorTypeNode>(target->type) != nullptr && !is_nz(target->type)) tag(target);
        }
        return Mutator::on_stmt(stmt);
    }

    Var on_define(const Var& var) override {
        const auto tagged = logical_.find(var.get());
        if (tagged == logical_.end()) return Mutator::on_define(var);
        auto blocked = derive(var);
        blocked->type = mutate(tagged->second);
        Var now = seal(std::move(blocked));
        replace(var, now);
        return now;
    }

    Expr on_call(const Call& call) override {
        std::vector<std::size_t> operands;
        for (std::size_t i = 0; i < call->args.size(); ++i) {
            if (answers_nz(call->args[i])) operands.push_back(i);
        }
        bool named = false;
        for (const KeyValue& k : call->kwargs) named = named || answers_nz(k.value);
        if ((operands.empty() && !named) || forwards(*call)) return Mutator::on_call(call);
        if (named || operands.size() != 1 || as<VarNode>(call->args[operands[0]]) == nullptr) {
            return bad_consumer(call, operands.empty() ? std::string("by keyword")
                                                       : fmt::format("at argument {}", operands[0]));
        }
        return rewrite(call, operands[0]);
    }

    Expr on_expr(const Expr& expr) override {
        const Expr* base = nullptr;
        if (const auto* s = as<SubscriptNode>(expr)) base = &s->base;
        if (const auto* m = as<MemberNode>(expr)) base = &m->base;
        if (const auto* g = as<TupleGetNode>(expr)) base = &g->tuple;
        if (base != nullptr && answers_nz(*base)) {
            refuse(error_at(expr->span, "NZ_BAD_CONSUMER", "an NZ tensor cannot be indexed like this",
                            "take leading axes with pl.tensor.slice and windows with pl.tile.load"));
            return expr;
        }
        return Mutator::on_expr(expr);
    }

private:
    void refuse(Diagnostic why) {
        ++refusals_;
        if (refusals_ <= kMaxRefusals) diagnostics_.push_back(std::move(why));
    }

    Expr bad_consumer(const Call& call, const std::string& where) {
        // Upstream turns computing on tensors into loads and tile operations before this pass; here that is not
        // modelled.
        const bool tensor_level = call->callee == CalleeKind::Op && call->op.substr(0, 7) == "tensor.";
        refuse(error_at(
            call->span, "NZ_BAD_CONSUMER", fmt::format("{} uses an NZ tensor {}", call->op, where),
            tensor_level
                ? "write pl.tile.load into Mat and tile operations, or open the upstream dump after "
                  "FlattenTileNdTo2D, where they have been made; annotate it pl.ND for anything else"
                : "an NZ tensor can be the source of tile.load, tensor.slice or a whole-tensor flatten, the "
                  "destination of tile.store, or be handed to a function of the program; annotate it pl.ND for "
                  "anything else"));
        return call;
    }

    /// The tensor type before blocking; null when the value is no NZ tensor.
    const TensorTypeNode* logical_type(const Expr& value) const {
        const auto* v = as<VarNode>(value);
        if (v == nullptr) return nullptr;
        if (const auto tagged = logical_.find(v); tagged != logical_.end()) return as<TensorTypeNode>(tagged->second);
        return is_nz(v->type) ? as<TensorTypeNode>(v->type) : nullptr;
    }

    bool answers_nz(const Expr& value) const {
        if (logical_type(value) != nullptr) return true;
        const auto* c = as<CallNode>(value);
        if (c == nullptr) return false;
        const std::size_t tensor = c->is_op("tile.store") ? 2 : 0;
        return (c->is_op("tensor.slice") || c->is_op("tile.store")) && tensor < c->args.size() &&
               answers_nz(c->args[tensor]);
    }

    /// A call of a function of the program hands the tensor on; that function's parameters are blocked when it is
    /// visited.
    bool forwards(const CallNode& call) const {
        if (call.callee == CalleeKind::Function) return true;
        if (call.callee == CalleeKind::Name) return module_.find(call.op) != nullptr;
        if (call.callee != CalleeKind::Op || (call.op != "submit" && call.op != "spmd_submit") || call.args.empty())
            return false;
        const auto* callee = as<ir::SymbolNode>(call.args[0]);
        return callee != nullptr && callee->name.substr(0, 5) == "self.";
    }

    void tag(const Var& var) {
        auto tagged = derive(ref_as<TensorTypeNode>(var->type));
        if (!tagged->view) tagged->view.emplace();
        tagged->view->order = TensorOrder::NZ;
        logical_[var.get()] = seal(std::move(tagged));
    }

    Result<std::vector<Expr>> block_type(const TensorTypeNode& tensor) const {
        if (tensor.distributed) {
            return error_at(tensor.span, "NZ_DISTRIBUTED",
                            "a distributed tensor cannot be NZ: remote_load has no NZ form",
                            "annotate it pl.ND or pl.DN");
        }
        LS_TRY(std::vector<Expr> shape, block_shape(tensor.shape, tensor.dtype, tensor.span));
        if (!tensor.view->valid_shape.empty()) {
            return error_at(tensor.span, "NZ_TENSOR_VALID_SHAPE", "an NZ tensor must be valid throughout",
                            "drop valid_shape from its view");
        }
        if (!tensor.view->stride.empty()) {
            return error_at(tensor.span, "NZ_TENSOR_STRIDE", "the strides of an NZ tensor follow from its shape",
                            "drop stride from its view");
        }
        return shape;
    }

    Expr rewrite(const Call& call, std::size_t operand) {
        const TensorTypeNode* logical = logical_type(call->args[operand]);
        std::vector<AskedProof> asked;
        const NzAccess access{*call, *logical, facts_, *context_.hardware, asked, diagnostics_};
        std::optional<Result<std::vector<Expr>>> args;
        if (call->is_op("tile.load") && operand == 0)
            args = block_load(access);
        else if (call->is_op("tensor.slice") && operand == 0)
            args = block_slice(access);
        else if (call->is_op("tile.store") && operand == 2)
            args = block_store(access);
        else if (call->is_op("tensor.reshape") && operand == 0) {
            if (Status s = check_flatten(access); !s.ok())
                args = std::move(s).error();
            else
                args = call->args; // the element count does not change, and the result is ND
        } else if ((call->is_op("tensor.view") || call->is_op("tensor.reinterpret_view")) && operand == 0) {
            args = error_at(call->span, "NZ_VIEW_OF_NZ", fmt::format("{} of an NZ tensor is not supported", call->op),
                            "view the tensor as ND from the start");
        } else {
            return bad_consumer(call, fmt::format("at argument {}", operand));
        }
        for (AskedProof& a : asked) proofs_.push_back({function_, call, std::move(a.coordinate), std::move(a.proof)});
        if (!args->ok()) {
            refuse(std::move(*args).error());
            return call;
        }
        auto blocked = derive(call);
        blocked->args = std::move(*args).value();
        for (Expr& arg : blocked->args) arg = mutate(arg);
        if (call->type != nullptr && as<TensorTypeNode>(call->type) != nullptr) blocked->type = mutate(call->type);
        return seal(std::move(blocked));
    }

    const ModuleNode& module_;
    const PassContext& context_;
    Function function_;
    OffsetFacts facts_;
    std::unordered_map<const VarNode*, Type>
        logical_; ///< variables that are NZ although their annotation does not say so
    std::vector<Diagnostic> diagnostics_;
    std::size_t refusals_ = 0;
    std::vector<ProofRecord> proofs_;
};

} // namespace

PassResult block_nz_tensor_views(const Module& module, const PassContext& context) {
    return BlockNz(*module, context).run(module);
}

} // namespace ls::nz
