#include "core/passes/memory/retype.h"

#include "core/analysis/tile_op_memory.h"
#include "core/ir/mutator.h"
#include "core/passes/memory/memref.h"

namespace ls::memory {

using namespace ir;

namespace {

/// A mutator that can give the next defined variable a type of its choice.
class Retyper : public Mutator {
protected:
    Var define_as(const Var& var, Type type) {
        auto now = derive(var);
        now->type = mutate(type);
        Var made = seal(std::move(now));
        replace(var, made);
        return made;
    }

    Stmt with_target(const Ref<AssignNode>& old, Expr value, Type type) {
        auto now = derive(old);
        now->value = std::move(value);
        now->targets[0] = define_as(old->targets[0], std::move(type));
        return seal(std::move(now));
    }
};

class Apply final : public Retyper {
public:
    explicit Apply(const Retypes& retypes) : retypes_(retypes) {}

protected:
    Var on_define(const Var& var) override {
        const auto found = retypes_.find(var.get());
        return found == retypes_.end() ? Mutator::on_define(var) : define_as(var, found->second);
    }

    Stmt on_stmt(const Stmt& stmt) override {
        const auto old = ref_as<AssignNode>(stmt);
        const auto* call = old == nullptr ? nullptr : as<CallNode>(old->value);
        const auto* op = old == nullptr ? nullptr : tile_op_memory(old->value.get());
        if (op == nullptr || op->output != OutputSpace::Inherit || call->args.empty() || old->targets.size() != 1 ||
            retypes_.count(old->targets[0].get()) != 0) {
            return Mutator::on_stmt(stmt);
        }
        const Expr value = mutate(old->value);
        const Expr& before = call->args[0];
        const Expr& now = as<CallNode>(value)->args[0];
        const MemRef *from = memref_of(before), *to = memref_of(now), *out = memref_of(old->targets[0]->type);
        // Only what lay in its operand's buffer follows it; a transpose has a buffer of its own.
        if (from == nullptr || to == nullptr || out == nullptr || !same_allocation(out, from) || same_allocation(from, to)) {
            return Mutator::on_stmt(stmt);
        }
        const auto extra = view_byte_offset(*call, as<VarNode>(before)->type);
        if (!extra) return Mutator::on_stmt(stmt);
        MemRef moved = *to;
        if (!is_constant(*extra, 0) || out->size_bytes != to->size_bytes) {
            moved.byte_offset = add_bytes(to->byte_offset, *extra);
            moved.size_bytes = out->size_bytes;
        }
        const auto* tile = tile_of(now);
        return with_target(old, value, with_memref(old->targets[0]->type, moved, tile != nullptr ? tile->space : std::nullopt));
    }

private:
    const Retypes& retypes_;
};

class FollowCopies final : public Retyper {
protected:
    Stmt on_stmt(const Stmt& stmt) override {
        const auto old = ref_as<AssignNode>(stmt);
        if (old == nullptr || old->targets.size() != 1 || as<TileTypeNode>(old->targets[0]->type) == nullptr) {
            return Mutator::on_stmt(stmt);
        }
        const Expr value = mutate(old->value);
        const MemRef* out = memref_of(old->targets[0]->type);
        if (out == nullptr) return Mutator::on_stmt(stmt);
        if (as<VarNode>(value) != nullptr) {
            const MemRef* source = memref_of(value);
            if (tile_of(value) != nullptr && source != nullptr && !same_allocation(out, source)) {
                return with_target(old, value, as<VarNode>(value)->type);
            }
            return Mutator::on_stmt(stmt);
        }
        const auto* op = tile_op_memory(value.get());
        const auto* before = as<CallNode>(old->value);
        if (op == nullptr || !op->in_place || *op->in_place >= before->args.size()) return Mutator::on_stmt(stmt);
        const Expr &from = before->args[*op->in_place], &to = as<CallNode>(value)->args[*op->in_place];
        if (tile_of(from) == nullptr || tile_of(to) == nullptr || !same_allocation(out, memref_of(from)) ||
            same_allocation(memref_of(from), memref_of(to))) {
            return Mutator::on_stmt(stmt);
        }
        return with_target(old, value, with_memref(old->targets[0]->type, *memref_of(to), tile_of(to)->space));
    }
};

} // namespace

Seq apply_retypes(const Seq& body, const Retypes& retypes) { return retypes.empty() ? body : Apply(retypes).mutate(body); }

Seq follow_copies(const Seq& body) { return FollowCopies().mutate(body); }

} // namespace ls::memory
