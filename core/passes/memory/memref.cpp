#include "core/passes/memory/memref.h"

#include "core/support/checked.h"

namespace ls::memory {

using namespace ir;

const MemRef* memref_of(const Type& type) {
    if (const auto* tile = as<TileTypeNode>(type)) return tile->memref ? &*tile->memref : nullptr;
    if (const auto* tensor = as<TensorTypeNode>(type)) return tensor->memref ? &*tensor->memref : nullptr;
    return nullptr;
}

const MemRef* memref_of(const Expr& value) {
    const auto* var = as<VarNode>(value);
    return var == nullptr ? nullptr : memref_of(var->type);
}

const TileTypeNode* tile_of(const Expr& value) {
    const auto* var = as<VarNode>(value);
    return var == nullptr ? nullptr : as<TileTypeNode>(var->type);
}

const VarNode* base_of(const MemRef* memref) { return memref == nullptr ? nullptr : as<VarNode>(memref->base); }

const VarNode* base_of(const Expr& value) { return tile_of(value) == nullptr ? nullptr : base_of(memref_of(value)); }

bool same_allocation(const MemRef* a, const MemRef* b) {
    if (a == nullptr || b == nullptr) return a == b;
    if (a->base == b->base) return true;
    const auto *x = as<StringNode>(a->base), *y = as<StringNode>(b->base);
    return x != nullptr && y != nullptr && x->value == y->value;
}

Type with_memref(const Type& type, std::optional<MemRef> memref, std::optional<TileSpace> space) {
    if (as<TileTypeNode>(type) != nullptr) {
        auto tile = derive(ref_as<TileTypeNode>(type));
        tile->memref = std::move(memref);
        if (space) tile->space = space;
        return seal(std::move(tile));
    }
    if (as<TensorTypeNode>(type) != nullptr) {
        auto tensor = derive(ref_as<TensorTypeNode>(type));
        tensor->memref = std::move(memref);
        return seal(std::move(tensor));
    }
    return type;
}

namespace {

struct ShapeAndDType {
    const std::vector<Expr>* shape = nullptr;
    DType dtype = DType::Fp32;
};

ShapeAndDType shape_of(const Type& type) {
    if (const auto* tile = as<TileTypeNode>(type)) return {&tile->shape, tile->dtype};
    if (const auto* tensor = as<TensorTypeNode>(type)) return {&tensor->shape, tensor->dtype};
    return {};
}

} // namespace

std::optional<std::int64_t> allocation_bytes(const Type& type, TileSpace space, const Hardware* hardware) {
    const auto [shape, dtype] = shape_of(type);
    if (shape == nullptr) return {};
    const auto extents = constant_dims(*shape);
    if (!extents) return {};
    for (const std::int64_t e : *extents) {
        if (e <= 0) return {};
    }
    if (space == TileSpace::Acc) return acc_physical_bytes(*extents, dtype, hardware);
    const CheckedInt elements = checked_product(*extents);
    const CheckedInt bit_count = elements ? checked_mul(*elements, bits(dtype)) : CheckedInt{};
    return bit_count ? std::optional(ceil_div(*bit_count, 8)) : std::nullopt;
}

Expr add_bytes(const Expr& a, const Expr& b) {
    const auto x = constant(a), y = constant(b);
    if (x && y) {
        if (const CheckedInt sum = checked_add(*x, *y)) return const_int(*sum);
    }
    if (y == 0) return a;
    if (x == 0) return b;
    return binary(BinaryOp::Add, a, b);
}

Expr multiply_bytes(const Expr& a, const Expr& b) {
    const auto x = constant(a), y = constant(b);
    if (x && y) {
        if (const CheckedInt product = checked_mul(*x, *y)) return const_int(*product);
    }
    if (y == 1) return a;
    if (x == 1) return b;
    return binary(BinaryOp::Mul, a, b);
}

std::optional<Expr> view_byte_offset(const CallNode& call, const Type& operand) {
    if (!call.is_op("tile.slice") && !call.is_op("tensor.slice")) return const_int(0);
    const auto [shape, dtype] = shape_of(operand);
    const auto* offsets = call.args.size() > 2 ? as<TupleNode>(call.args[2]) : nullptr;
    if (shape == nullptr || offsets == nullptr || offsets->elements.size() != shape->size()) return {};
    Expr elems = const_int(0);
    for (std::size_t i = 0; i < shape->size(); ++i) {
        Expr stride = const_int(1);
        for (std::size_t j = i + 1; j < shape->size(); ++j) stride = multiply_bytes(stride, (*shape)[j]);
        elems = add_bytes(elems, multiply_bytes(offsets->elements[i], stride));
    }
    if (whole_bytes(dtype) > 0) return multiply_bytes(elems, const_int(whole_bytes(dtype)));
    const auto first = constant(elems); // packed: only a constant can be known to fall on a byte
    const CheckedInt first_bit = first && *first >= 0 ? checked_mul(*first, bits(dtype)) : CheckedInt{};
    if (!first_bit || *first_bit % 8 != 0) return {};
    return const_int(*first_bit / 8);
}

const YieldNode* last_yield(const Seq& body) {
    return body == nullptr || body->stmts.empty() ? nullptr : as<YieldNode>(body->stmts.back());
}

bool is_in_core(FunctionKind kind) {
    return kind == FunctionKind::InCore || kind == FunctionKind::AIC || kind == FunctionKind::AIV;
}

const AssignNode* as_alloc(const Stmt& stmt) {
    const auto* assign = as<AssignNode>(stmt);
    const auto* call = assign == nullptr ? nullptr : as<CallNode>(assign->value);
    const bool alloc = call != nullptr && (call->is_op("tile.alloc") || call->is_op("tensor.alloc"));
    return alloc && assign->targets.size() == 1 ? assign : nullptr;
}

bool is_pinned(const AssignNode& alloc) {
    const auto* call = as<CallNode>(alloc.value);
    const auto* pinned = call == nullptr ? nullptr : as<ConstBoolNode>(call->kwarg("pinned"));
    return pinned != nullptr && pinned->value;
}

} // namespace ls::memory
