#include "core/passes/memory/yield_buffers.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/ir/mutator.h"
#include "core/passes/memory/memref.h"

namespace ls::memory {

using namespace ir;

namespace {

class Rewriter : public Mutator {
protected:
    Var define_in(const Var& var, const TileTypeNode& like) {
        auto now = derive(var);
        now->type = mutate(with_memref(var->type, like.memref, like.space));
        Var made = seal(std::move(now));
        replace(var, made);
        return made;
    }

    /// The variable in the buffer of `like`, where both have one and they differ.
    Var aligned(const Var& var, const TileTypeNode* like) {
        const auto* tile = as<TileTypeNode>(var->type);
        const bool differs = like != nullptr && like->memref && tile != nullptr && tile->memref && !same_allocation(&*tile->memref, &*like->memref);
        return differs ? define_in(var, *like) : on_define(var);
    }
};

class Align final : public Rewriter {
protected:
    Stmt on_stmt(const Stmt& stmt) override {
        if (const auto loop = ref_as<ForNode>(stmt)) return align(loop);
        if (const auto loop = ref_as<WhileNode>(stmt)) return align(loop);
        return Mutator::on_stmt(stmt);
    }

private:
    template <class Loop>
    Stmt align(const Ref<Loop>& old) {
        if (old->iter_args.empty()) return Mutator::on_stmt(old);
        auto now = derive(old);
        if constexpr (std::is_same_v<Loop, ForNode>) {
            now->start = mutate(old->start);
            now->stop = mutate(old->stop);
            now->step = mutate(old->step);
            now->var = on_define(old->var);
        }
        bool same = true;
        for (IterArg& a : now->iter_args) a.init = mutate(a.init);
        for (IterArg& a : now->iter_args) a.var = aligned(a.var, tile_of(a.init));
        if constexpr (std::is_same_v<Loop, WhileNode>) now->condition = mutate(old->condition);
        now->body = mutate(old->body);
        for (std::size_t i = 0; i < now->results.size(); ++i) {
            const auto* like = i < now->iter_args.size() ? tile_of(now->iter_args[i].init) : nullptr;
            now->results[i] = aligned(now->results[i], like);
        }
        same = now->body == old->body && now->results == old->results;
        for (std::size_t i = 0; i < old->iter_args.size(); ++i) {
            same = same && now->iter_args[i].init == old->iter_args[i].init && now->iter_args[i].var == old->iter_args[i].var;
        }
        return same ? Stmt(old) : seal(std::move(now));
    }
};

class MoveYields final : public Rewriter {
public:
    std::vector<Diagnostic> findings;

protected:
    Stmt on_stmt(const Stmt& stmt) override {
        const Stmt now = Mutator::on_stmt(stmt);
        if (const auto loop = ref_as<ForNode>(now)) return carried(loop);
        if (const auto loop = ref_as<WhileNode>(now)) return carried(loop);
        if (const auto branch = ref_as<IfNode>(now)) return joined(branch);
        return now;
    }

private:
    template <class Loop>
    Stmt carried(const Ref<Loop>& old) {
        const YieldNode* yield = last_yield(old->body);
        if (yield == nullptr || old->iter_args.empty()) return old;
        std::vector<const TileTypeNode*> wanted(yield->values.size(), nullptr);
        for (std::size_t i = 0; i < std::min(wanted.size(), old->iter_args.size()); ++i) wanted[i] = tile_of(old->iter_args[i].init);
        const Seq body = moved(old->body, wanted);
        auto now = derive(old);
        now->body = body;
        bool same = body == old->body;
        bool inside = false;
        const YieldNode* last = last_yield(body);
        for (std::size_t i = 0; i < old->iter_args.size(); ++i) {
            const auto* init = tile_of(old->iter_args[i].init);
            if (init == nullptr || !init->memref) continue;
            if (differs(old->iter_args[i].var, init)) {
                now->iter_args[i].var = define_in(old->iter_args[i].var, *init);
                inside = true;
            }
            const auto* out = i < last->values.size() ? tile_of(last->values[i]) : nullptr;
            if (i < now->results.size() && out != nullptr && out->memref && differs(now->results[i], out)) {
                now->results[i] = define_in(old->results[i], *out);
                same = false;
            }
        }
        if (same && !inside) return old;
        if (inside) now->body = mutate(now->body);
        return seal(std::move(now));
    }

    Stmt joined(const Ref<IfNode>& old) {
        const YieldNode *a = last_yield(old->then_body), *b = last_yield(old->else_body);
        if (old->results.empty() || (a == nullptr && b == nullptr)) return old;
        auto now = derive(old);
        std::vector<const TileTypeNode*> wanted(b == nullptr ? 0 : b->values.size(), nullptr);
        bool same = true;
        for (std::size_t i = 0; i < old->results.size(); ++i) {
            const auto* left = a != nullptr && i < a->values.size() ? tile_of(a->values[i]) : nullptr;
            const auto* right = b != nullptr && i < b->values.size() ? tile_of(b->values[i]) : nullptr;
            if (left != nullptr && !left->memref) left = nullptr;
            if (right != nullptr && !right->memref) right = nullptr;
            const TileTypeNode* place = left != nullptr ? left : right;
            if (place == nullptr) continue;
            if (left != nullptr && right != nullptr) wanted[i] = left;
            if (differs(old->results[i], place)) {
                now->results[i] = define_in(old->results[i], *place);
                same = false;
            }
        }
        now->else_body = moved(old->else_body, wanted);
        same = same && now->else_body == old->else_body;
        return same ? Stmt(old) : seal(std::move(now));
    }

    static bool differs(const Var& var, const TileTypeNode* place) {
        const auto* tile = as<TileTypeNode>(var->type);
        return tile != nullptr && tile->memref && !same_allocation(&*tile->memref, &*place->memref);
    }

    /// The body with what it yields moved to where it is wanted.
    Seq moved(const Seq& body, const std::vector<const TileTypeNode*>& wanted) {
        const YieldNode* yield = last_yield(body);
        if (yield == nullptr) return body;
        std::vector<Expr> values = yield->values;
        std::vector<Stmt> moves;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto* tile = tile_of(values[i]);
            const TileTypeNode* place = wanted[i];
            if (tile == nullptr || !tile->memref || place == nullptr || !place->memref || same_allocation(&*tile->memref, &*place->memref)) continue;
            const Var from = ref_as<VarNode>(values[i]);
            if (tile->space == TileSpace::Acc && place->space == TileSpace::Acc) {
                findings.push_back(error_at(from->span, "MEM_ACC_CARRY",
                                            fmt::format("{} must be handed on in another accumulator than it lies in, and there is no copy between accumulators", from->name),
                                            "add into the carried accumulator itself (pl.matmul_acc), or store it and load it again"));
                continue;
            }
            const Var to = var(from->name + "_mv", with_memref(from->type, place->memref, place->space));
            const TileSpace space = place->space.value_or(TileSpace::Vec);
            moves.push_back(assign(to, call("tile.move", {from}, {{"target_memory", symbol(fmt::format("pl.Mem.{}", name(space)))}}, {}, to->type)));
            values[i] = to;
        }
        if (moves.empty()) return body;
        auto last = derive(ref_as<YieldNode>(body->stmts.back()));
        last->values = std::move(values);
        auto now = derive(body);
        now->stmts.pop_back();
        now->stmts.insert(now->stmts.end(), moves.begin(), moves.end());
        now->stmts.push_back(seal(std::move(last)));
        return seal(std::move(now));
    }
};

} // namespace

Seq align_carried(const Seq& body) { return Align().mutate(body); }

Seq move_yields(const Seq& body, std::vector<Diagnostic>& findings) {
    MoveYields moves;
    const Seq now = moves.mutate(body);
    findings.insert(findings.end(), moves.findings.begin(), moves.findings.end());
    return now;
}

} // namespace ls::memory
