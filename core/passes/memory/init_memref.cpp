#include "core/passes/memory/init_memref.h"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_set>

#include <fmt/format.h>

#include "core/analysis/tile_op_memory.h"
#include "core/ir/mutator.h"
#include "core/ir/walk.h"
#include "core/passes/memory/memref.h"
#include "core/support/checked.h"

namespace ls::memory {

using namespace ir;

namespace {

/// A buffer that the user named: its slots are alike and each holds the largest tile bound to any of them.
struct Declared {
    Var base;
    TileSpace space = TileSpace::Vec;
    std::int64_t slot_bytes = 0;
    std::int64_t slots = 1;
};

const MemRef* declared_memref(const Type& type) {
    const auto* tile = as<TileTypeNode>(type);
    const bool named = tile != nullptr && tile->memref && !tile->memref->size_bytes &&
                       as<StringNode>(tile->memref->base) != nullptr;
    return named ? &*tile->memref : nullptr;
}

std::string base_name(TileSpace space, std::size_t number) {
    std::string text(name(space));
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return fmt::format("mem_{}_{}", text, number);
}

/// Tensor operations whose result is a window of their first operand.
bool is_tensor_view(const CallNode& call) {
    constexpr std::string_view kViews[] = {"tensor.slice", "tensor.reshape", "tensor.reinterpret_view", "tensor.view",
                                           "tensor.set_validshape", "tensor.assemble"};
    return call.callee == CalleeKind::Op && std::find(std::begin(kViews), std::end(kViews), call.op) != std::end(kViews);
}

class Initializer final : public Mutator {
public:
    explicit Initializer(const Hardware* hardware) : hardware_(hardware) {}
    std::vector<Diagnostic> findings;

protected:
    Function on_function(const Function& function) override {
        next_ = 0;
        declared_.clear();
        collect_declared(*function);
        auto now = derive(function);
        for (Param& p : now->params) p.var = on_define(p.var);
        now->body = mutate(function->body);
        now->body = with_allocations(now->body, now->params);
        return seal(std::move(now));
    }

    Stmt on_stmt(const Stmt& stmt) override {
        switch (stmt->kind) {
        case NodeKind::Assign: return assignment(ref_as<AssignNode>(stmt));
        case NodeKind::For: return loop(ref_as<ForNode>(stmt));
        case NodeKind::While: return loop(ref_as<WhileNode>(stmt));
        case NodeKind::If: return branch(ref_as<IfNode>(stmt));
        default: return Mutator::on_stmt(stmt);
        }
    }

    Var on_define(const Var& var) override { return retyped(var, fresh(var)); }

private:
    /// The variable with an allocation; its type's own expressions follow earlier renamings.
    Var retyped(const Var& var, std::optional<MemRef> memref, std::optional<TileSpace> space = {}) {
        if (as<TileTypeNode>(var->type) == nullptr && as<TensorTypeNode>(var->type) == nullptr) {
            return Mutator::on_define(var);
        }
        auto now = derive(var);
        now->type = with_memref(mutate(with_memref(var->type, {})), std::move(memref), space);
        Var made = seal(std::move(now));
        replace(var, made);
        return made;
    }

    std::optional<MemRef> fresh(const Var& var) {
        const auto* tile = as<TileTypeNode>(var->type);
        if (tile == nullptr && as<TensorTypeNode>(var->type) == nullptr) return {};
        if (const MemRef* named = declared_memref(var->type)) return slot_of(*named);
        const TileSpace space = tile != nullptr ? tile->space.value_or(TileSpace::DDR) : TileSpace::DDR;
        const auto bytes = allocation_bytes(var->type, space, hardware_);
        if (tile != nullptr && !bytes) refuse_shape(*var);
        const std::string base = base_name(space, next_++);
        MemRef memref;
        memref.base = tile != nullptr ? Expr(ir::var(base, ptr_type())) : string(base);
        memref.byte_offset = const_int(0, DType::Int64);
        memref.size_bytes = bytes.value_or(0);
        return memref;
    }

    void refuse_shape(const VarNode& var) {
        findings.push_back(error_at(var.span, "MEM_SHAPE", fmt::format("tile {} needs extents that are positive numbers and whose bytes fit in 64 bits", var.name),
                                 "keep the shape constant and put what varies into the tile's valid_shape"));
    }

    // --- declared buffers

    void collect_declared(const FunctionNode& function) {
        walk(*function.body, [&](const Node& node) {
            const auto* var = as<VarNode>(&node);
            const MemRef* named = var == nullptr ? nullptr : declared_memref(var->type);
            if (named == nullptr) return true;
            const auto& tile = *as<TileTypeNode>(var->type);
            const std::string& text = as<StringNode>(named->base)->value;
            const std::int64_t slots = named->slots.value_or(1);
            const auto [at, is_new] = declared_.try_emplace(text);
            Declared& buffer = at->second;
            if (is_new) {
                buffer.base = ir::var(text, ptr_type());
                buffer.space = tile.space.value_or(TileSpace::DDR);
                buffer.slots = slots;
            } else if (buffer.slots != slots || buffer.space != tile.space.value_or(TileSpace::DDR)) {
                findings.push_back(
                    error_at(var->span, "MEM_DECLARED",
                          fmt::format("tile {} uses the buffer \"{}\" in {} with {} slots; another uses it in {} with {}", var->name,
                                      text, name(tile.space.value_or(TileSpace::DDR)), slots, name(buffer.space), buffer.slots),
                          "all tiles of a declared buffer lie in one memory and agree on its slots"));
            }
            const auto bytes = allocation_bytes(var->type, buffer.space, hardware_);
            if (!bytes) refuse_shape(*var);
            buffer.slot_bytes = std::max(buffer.slot_bytes, bytes.value_or(0));
            return true;
        });
    }

    std::optional<MemRef> slot_of(const MemRef& named) {
        const auto found = declared_.find(as<StringNode>(named.base)->value);
        if (found == declared_.end()) return {};
        const Declared& buffer = found->second;
        MemRef memref = named;
        memref.base = buffer.base;
        memref.size_bytes = buffer.slot_bytes;
        if (named.slot == nullptr) {
            memref.byte_offset = const_int(0, DType::Int64);
        } else if (const auto index = constant(named.slot)) {
            memref.byte_offset = const_int(checked_mul(*index, buffer.slot_bytes).value_or(0), DType::Int64);
        } else {
            memref.slot = mutate(named.slot);
            memref.byte_offset = binary(BinaryOp::Mul, memref.slot, const_int(buffer.slot_bytes));
        }
        return memref;
    }

    // --- statements

    Stmt assignment(const Ref<AssignNode>& old) {
        const Expr value = mutate(old->value);
        auto now = derive(old);
        now->value = value;
        for (Var& target : now->targets) target = old->targets.size() == 1 ? assigned(target, value) : on_define(target);
        return seal(std::move(now));
    }

    Var assigned(const Var& target, const Expr& value) {
        const bool is_tile = as<TileTypeNode>(target->type) != nullptr;
        if (is_tile && owns_no_buffer(value)) return retyped(target, {});
        Expr source;
        const auto* call = as<CallNode>(value);
        const auto* op = tile_op_memory(value.get());
        if (call != nullptr && op != nullptr && op->shares_with()) {
            if (op->is_view() && declared_memref(target->type) != nullptr) {
                findings.push_back(error_at(target->span, "MEM_DECLARED",
                                         fmt::format("{} lies in the buffer of its operand, so {} cannot have one of its own", call->op, target->name),
                                         "declare the buffer of the operand instead"));
            }
            if (*op->shares_with() < call->args.size()) source = call->args[*op->shares_with()];
        } else if (call != nullptr && is_tensor_view(*call) && !call->args.empty()) {
            source = call->args[0];
        } else if (is_tile && as<VarNode>(value) != nullptr) {
            source = value;
        }
        if (const MemRef* parent = memref_of(source)) return sharing(target, *parent, source, call);
        return on_define(target);
    }

    /// A cross-core pop lands in the pipe's own slots, and so does every view of it.
    bool owns_no_buffer(const Expr& value) const {
        const auto* call = as<CallNode>(value);
        if (call == nullptr) return as<VarNode>(value) != nullptr && memref_of(value) == nullptr;
        if (call->is_op("tile.tpop_from_aic") || call->is_op("tile.tpop_from_aiv")) return true;
        const auto* op = tile_op_memory(value.get());
        return op != nullptr && op->is_view() && !call->args.empty() && tile_of(call->args[0]) != nullptr &&
               memref_of(call->args[0]) == nullptr;
    }

    Var sharing(const Var& target, const MemRef& parent, const Expr& source, const CallNode* call) {
        const auto* tile = tile_of(source);
        const std::optional<TileSpace> space = tile != nullptr ? tile->space : std::nullopt;
        if (call == nullptr) return retyped(target, parent, space);
        const Type& parent_type = as<VarNode>(source)->type;
        const auto offset = view_byte_offset(*call, parent_type);
        if (!offset) {
            findings.push_back(error_at(call->span, "MEM_SLICE", fmt::format("the slice {} does not begin at a constant whole byte", target->name),
                                     "elements narrower than a byte are sliced at even, constant offsets"));
            return on_define(target);
        }
        const std::int64_t whole = parent.size_bytes.value_or(0);
        const std::int64_t bytes = slice_bytes(*call, parent_type, target->type).value_or(whole);
        if (bytes == whole && is_constant(*offset, 0)) return retyped(target, parent, space);
        MemRef view;
        view.base = parent.base;
        view.byte_offset = add_bytes(parent.byte_offset == nullptr ? const_int(0) : parent.byte_offset, *offset);
        view.size_bytes = bytes;
        return retyped(target, view, space);
    }

    /// From the first to the last byte that a slice touches in its operand's packed layout.
    std::optional<std::int64_t> slice_bytes(const CallNode& call, const Type& parent, const Type& view) const {
        if (!call.is_op("tensor.slice") && !call.is_op("tile.slice")) return {};
        const auto* asked = call.args.size() > 1 ? as<TupleNode>(call.args[1]) : nullptr;
        const auto* tile = as<TileTypeNode>(parent);
        const auto* tensor = as<TensorTypeNode>(parent);
        if (asked == nullptr || (tile == nullptr && tensor == nullptr)) return {};
        const auto extents = constant_dims(tile != nullptr ? tile->shape : tensor->shape);
        const auto window = constant_dims(asked->elements);
        if (!extents || !window || extents->size() != window->size()) return {};
        CheckedInt last = 0, stride = 1;
        for (std::size_t i = extents->size(); i-- > 0;) {
            if ((*window)[i] <= 0 || (*window)[i] > (*extents)[i]) return {};
            const CheckedInt step = stride ? checked_mul((*window)[i] - 1, *stride) : CheckedInt{};
            last = last && step ? checked_add(*last, *step) : CheckedInt{};
            stride = i == 0 ? stride : stride ? checked_mul(*stride, (*extents)[i]) : CheckedInt{};
        }
        const auto* viewed = as<TileTypeNode>(view);
        const DType dtype = viewed != nullptr ? viewed->dtype : tile != nullptr ? tile->dtype : tensor->dtype;
        const CheckedInt elems = last ? checked_add(*last, 1) : CheckedInt{};
        const CheckedInt bit_count = elems ? checked_mul(*elems, bits(dtype)) : CheckedInt{};
        return bit_count ? std::optional(ceil_div(*bit_count, 8)) : std::nullopt;
    }

    /// The result of a loop or branch lives where the value does that it names. Its number is used up all the same.
    Var result(const Var& var, const Expr& value) {
        const std::optional<MemRef> own = fresh(var);
        const auto* tile = tile_of(value);
        if (as<TileTypeNode>(var->type) == nullptr || tile == nullptr || !tile->memref) return retyped(var, own);
        return retyped(var, tile->memref, tile->space);
    }

    template <class Loop>
    Stmt loop(const Ref<Loop>& old) {
        auto now = derive(old);
        if constexpr (std::is_same_v<Loop, ForNode>) {
            now->start = mutate(old->start);
            now->stop = mutate(old->stop);
            now->step = mutate(old->step);
            now->var = Mutator::on_define(old->var);
        }
        for (IterArg& a : now->iter_args) a.init = mutate(a.init);
        for (IterArg& a : now->iter_args) {
            const MemRef* memref = memref_of(a.init);
            const auto* tile = tile_of(a.init);
            a.var = retyped(a.var, memref != nullptr ? std::optional(*memref) : std::nullopt,
                            tile != nullptr ? tile->space : std::nullopt);
        }
        if constexpr (std::is_same_v<Loop, WhileNode>) now->condition = mutate(old->condition);
        now->body = mutate(old->body);
        for (std::size_t i = 0; i < now->results.size(); ++i) {
            const Expr carried = i < now->iter_args.size() ? Expr(now->iter_args[i].var) : Expr{};
            now->results[i] = result(now->results[i], carried);
        }
        return seal(std::move(now));
    }

    Stmt branch(const Ref<IfNode>& old) {
        auto now = derive(old);
        now->condition = mutate(old->condition);
        now->then_body = mutate(old->then_body);
        now->else_body = mutate(old->else_body);
        const auto value = [](const YieldNode* yield, std::size_t i) {
            return yield != nullptr && i < yield->values.size() && as<VarNode>(yield->values[i]) != nullptr ? yield->values[i] : Expr{};
        };
        for (std::size_t i = 0; i < now->results.size(); ++i) {
            Expr yielded = value(last_yield(now->then_body), i);
            if (yielded == nullptr) yielded = value(last_yield(now->else_body), i);
            now->results[i] = result(now->results[i], yielded);
        }
        return seal(std::move(now));
    }

    // --- tile.alloc

    Seq with_allocations(const Seq& body, const std::vector<Param>& params) {
        std::vector<Stmt> stmts;
        std::unordered_set<const VarNode*> seen;
        std::map<TileSpace, Expr> spaces;         // one symbol for each, shared by its allocations
        std::map<std::int64_t, Expr> byte_counts; // likewise
        const auto reserve = [&](const VarNode& var) {
            const auto* tile = as<TileTypeNode>(var.type);
            if (tile == nullptr || !tile->memref) return;
            const Var base = ref_as<VarNode>(tile->memref->base);
            if (base == nullptr || !seen.insert(base.get()).second) return;
            const auto buffer = std::find_if(declared_.begin(), declared_.end(), [&](const auto& d) { return d.second.base == base; });
            const bool pinned = buffer != declared_.end();
            CheckedInt bytes = tile->memref->size_bytes.value_or(0);
            if (pinned) bytes = checked_mul(buffer->second.slot_bytes, buffer->second.slots);
            if (!bytes) {
                findings.push_back(error("MEM_DECLARED", fmt::format("the bytes of the declared buffer \"{}\" do not fit in 64 bits", base->name)));
                return;
            }
            const TileSpace space = tile->space.value_or(TileSpace::DDR);
            std::vector<KeyValue> kwargs;
            if (pinned) kwargs.push_back({"pinned", const_bool(true)});
            Expr& in_space = spaces[space];
            if (in_space == nullptr) in_space = symbol(fmt::format("pl.Mem.{}", name(space)));
            Expr& size = byte_counts[*bytes];
            if (size == nullptr) size = const_int(*bytes);
            stmts.push_back(assign(base, call(space == TileSpace::DDR ? "tensor.alloc" : "tile.alloc", {in_space, size},
                                              std::move(kwargs), {}, ptr_type())));
        };
        for (const Param& p : params) reserve(*p.var);
        walk(*body, [&](const Node& node) {
            if (const auto* var = as<VarNode>(&node)) reserve(*var);
            return !TypeNode::is(node.kind);
        });
        if (stmts.empty()) return body;
        stmts.insert(stmts.end(), body->stmts.begin(), body->stmts.end());
        auto now = derive(body);
        now->stmts = std::move(stmts);
        return seal(std::move(now));
    }

    const Hardware* hardware_;
    std::map<std::string, Declared> declared_;
    std::size_t next_ = 0;
};

} // namespace

PassResult init_memref(const Module& module, const PassContext& context) {
    Initializer init(context.hardware);
    PassResult result;
    result.module = init.mutate(module);
    result.diagnostics = std::move(init.findings);
    if (!result.diagnostics.empty()) result.module = nullptr;
    return result;
}

} // namespace ls::memory
