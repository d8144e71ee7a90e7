#include "core/passes/memory/infer_tile_memory_space.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include <fmt/format.h>

#include "core/analysis/tile_op_memory.h"
#include "core/dialect/pypto/pypto.h"
#include "core/ir/mutator.h"
#include "core/ir/walk.h"
#include "core/passes/memory/memref.h"
#include "core/passes/memory/tile_spaces.h"

namespace ls::memory {

using namespace ir;

namespace {

constexpr std::string_view kBridge = "__compiler_tensor_to_tile_mat_bridge";

KeyValue space_kwarg(TileSpace space) { return {"target_memory", symbol(fmt::format("pl.Mem.{}", name(space)))}; }

/// The tile in `space`: the orders of boxes are those of the space, everything else stays.
Type in_space(const Type& type, TileSpace space) {
    const auto* tile = as<TileTypeNode>(type);
    if (tile->space == space) return type;
    auto now = derive(ref_as<TileTypeNode>(type));
    now->space = space;
    if (now->view) {
        now->view->blayout.reset();
        now->view->slayout.reset();
        now->view->fractal_bytes.reset();
    }
    return seal(std::move(now));
}

class PutIntoSpaces final : public Mutator {
protected:
    Function on_function(const Function& function) override {
        if (function->function != FunctionKind::InCore) return Mutator::on_function(function);
        spaces_ = tile_spaces(*function);
        around_.clear();
        bodies_.clear();
        moves_.clear();
        note_bodies(*function->body, nullptr);
        const Function now = Mutator::on_function(function);
        spaces_.clear();
        return now;
    }

    Var on_define(const Var& var) override {
        const auto space = spaces_.find(var.get());
        if (space == spaces_.end() || as<TileTypeNode>(var->type) == nullptr) return Mutator::on_define(var);
        return define_as(var, in_space(mutate(var->type), space->second));
    }

    Stmt on_stmt(const Stmt& stmt) override {
        const auto* assign = as<AssignNode>(stmt);
        const auto* eval = as<EvalNode>(stmt);
        const Expr value = assign != nullptr ? assign->value : eval != nullptr ? eval->value : nullptr;
        const TileOpMemory* op = tile_op_memory(value.get());
        if (op == nullptr || spaces_.empty()) return Mutator::on_stmt(stmt);
        std::vector<Stmt> stmts;
        const Expr now = with_operands(ref_as<CallNode>(value), *op, *stmt, stmts);
        const bool moved = !stmts.empty() || replaced_;
        replaced_ = false;
        if (eval != nullptr) {
            if (now == value) return stmt;
            auto made = derive(ref_as<EvalNode>(stmt));
            made->value = now;
            stmts.push_back(seal(std::move(made)));
        } else {
            stmts.push_back(assigned(ref_as<AssignNode>(stmt), *op, now, moved));
        }
        return stmts.size() == 1 ? stmts.front() : seq(std::move(stmts));
    }

    /// The mark by which earlier passes knew their own loads has done its work.
    Expr on_call(const Call& call) override {
        const Expr now = Mutator::on_call(call);
        const auto old = ref_as<CallNode>(now);
        if (old->attr(kBridge) == nullptr) return now;
        auto plain = derive(old);
        std::erase_if(plain->attrs, [](const KeyValue& a) { return a.key == kBridge; });
        return seal(std::move(plain));
    }

private:
    Var define_as(const Var& var, Type type) {
        if (type == var->type) return Mutator::on_define(var);
        auto now = derive(var);
        now->type = std::move(type);
        Var made = seal(std::move(now));
        replace(var, made);
        return made;
    }

    void note_bodies(const SeqNode& body, const SeqNode* around) {
        around_[&body] = around;
        for (const Stmt& s : body.stmts) {
            bodies_[s.get()] = &body;
            if (const auto* branch = as<IfNode>(s)) {
                note_bodies(*branch->then_body, &body);
                if (branch->else_body != nullptr) note_bodies(*branch->else_body, &body);
            } else if (const auto* loop = as<ForNode>(s)) {
                note_bodies(*loop->body, &body);
            } else if (const auto* other = as<WhileNode>(s)) {
                note_bodies(*other->body, &body);
            } else if (const auto* with = as<WithNode>(s)) {
                note_bodies(*with->body, &body);
            }
        }
    }

    /// The call with its operands where it reads them; moves that are not there yet go to `before`.
    Expr with_operands(const Call& call, const TileOpMemory& op, const StmtNode& stmt, std::vector<Stmt>& before) {
        std::map<std::size_t, Var> moved;
        for (std::size_t i = 0; i < std::min(op.operands.size(), call->args.size()); ++i) {
            const std::vector<TileSpace>& allowed = op.operands[i];
            const auto* var = as<VarNode>(call->args[i]);
            const auto space = var == nullptr ? spaces_.end() : spaces_.find(var);
            if (allowed.empty() || space == spaces_.end() || std::find(allowed.begin(), allowed.end(), space->second) != allowed.end()) continue;
            moved[i] = move(ref_as<VarNode>(call->args[i]), allowed.front(), stmt, before);
        }
        const Expr now = mutate(Expr(call));
        if (moved.empty()) return now;
        replaced_ = true;
        auto made = derive(ref_as<CallNode>(now));
        for (const auto& [i, var] : moved) made->args[i] = var;
        made->type = nullptr; // of the operands before; their orders may differ
        return seal(std::move(made));
    }

    struct Moved {
        Var var;
        const SeqNode* body; ///< it holds in this body and those inside it
    };

    Var move(const Var& var, TileSpace space, const StmtNode& stmt, std::vector<Stmt>& before) {
        std::vector<Moved>& known = moves_[{var.get(), space}];
        const SeqNode* here = bodies_.at(&stmt);
        for (const Moved& m : known) {
            for (const SeqNode* at = here; at != nullptr; at = around_.at(at)) {
                if (at == m.body) return m.var;
            }
        }
        const auto source = ref_as<VarNode>(mutate(Expr(var)));
        const auto& tile = *as<TileTypeNode>(source->type);
        std::vector<KeyValue> kwargs{space_kwarg(space)};
        std::optional<TileView> view;
        if (tile.view && !tile.view->valid_shape.empty()) view.emplace().valid_shape = tile.view->valid_shape;
        if (space == TileSpace::Vec) { // the vector units read plain rows
            if (!view) view.emplace();
            view->blayout = TileOrder::RowMajor;
            view->slayout = TileOrder::NoneBox;
            kwargs.push_back({"blayout", symbol("pl.TileLayout.row_major")});
            kwargs.push_back({"slayout", symbol("pl.TileLayout.none_box")});
        }
        const Type type = tile_type(tile.shape, tile.dtype, space, std::move(view));
        const Var made = ir::var(fmt::format("{}_{}", source->name, name(space)), type);
        before.push_back(assign(made, call("tile.move", {source}, std::move(kwargs), {}, type)));
        known.push_back({made, here});
        return made;
    }

    Stmt assigned(const Ref<AssignNode>& old, const TileOpMemory& op, const Expr& value, bool moved) {
        auto now = derive(old);
        now->value = value;
        bool same = value == old->value;
        for (Var& target : now->targets) {
            const Var before = target;
            const auto space = spaces_.find(before.get());
            if (space == spaces_.end() || as<TileTypeNode>(before->type) == nullptr) {
                target = on_define(before);
            } else {
                // Other operands may look otherwise, and then so does the result.
                const Type inferred = moved ? pypto::infer_type(value) : nullptr;
                const bool usable = as<TileTypeNode>(inferred) != nullptr;
                const Type type = usable ? with_memref(inferred, as<TileTypeNode>(before->type)->memref) : mutate(before->type);
                target = define_as(before, in_space(type, space->second));
                if (op.output == OutputSpace::Keyword && !op.space) now->value = retargeted(now->value, space->second);
            }
            same = same && target == before;
        }
        same = same && now->value == old->value;
        return same ? Stmt(old) : seal(std::move(now));
    }

    static Expr retargeted(const Expr& value, TileSpace space) {
        const auto old = ref_as<CallNode>(value);
        if (target_memory(*old) == space) return value;
        auto now = derive(old);
        const auto said = std::find_if(now->kwargs.begin(), now->kwargs.end(), [](const KeyValue& k) { return k.key == "target_memory"; });
        if (said != now->kwargs.end()) {
            *said = space_kwarg(space);
        } else {
            now->kwargs.push_back(space_kwarg(space));
        }
        return seal(std::move(now));
    }

    TileSpaces spaces_;
    std::unordered_map<const StmtNode*, const SeqNode*> bodies_;
    std::unordered_map<const SeqNode*, const SeqNode*> around_;
    std::map<std::pair<const VarNode*, TileSpace>, std::vector<Moved>> moves_;
    bool replaced_ = false; ///< the last call got a moved operand
};

} // namespace

PassResult infer_tile_memory_space(const Module& module, const PassContext&) {
    return PassResult::unchanged(PutIntoSpaces().mutate(module));
}

} // namespace ls::memory
