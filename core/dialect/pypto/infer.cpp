// Types of values that users leave out: only what follows from the operands.
#include "core/dialect/pypto/pypto.h"

namespace ls::pypto {

using namespace ir;

namespace {

Type operand_type(const Expr& e) {
    if (const auto* v = as<VarNode>(e)) return v->type;
    return infer_type(e);
}

const std::vector<Expr>* list(const Expr& e) {
    const auto* t = as<TupleNode>(e);
    return t != nullptr ? &t->elements : nullptr;
}

std::optional<TileSpace> space_of(const CallNode& c) {
    const auto* s = as<ir::SymbolNode>(c.kwarg("target_memory"));
    return s != nullptr ? tile_space_from_name(s->last()) : std::nullopt;
}

std::optional<DType> dtype_of(const CallNode& c, std::string_view key) {
    const auto* d = as<DTypeNameNode>(c.kwarg(key));
    return d != nullptr ? std::optional(d->dtype) : std::nullopt;
}

/// The element type that the cube accumulates in.
DType accumulator(DType operand) {
    switch (operand) {
    case DType::Int8:
    case DType::UInt8:
    case DType::Int4: return DType::Int32;
    default: return DType::Fp32;
    }
}

/// Window of a tile or tensor with fresh extents: no view of the source holds for it.
Type windowed(const Type& source, const std::vector<Expr>& shape) {
    if (const auto* t = as<TensorTypeNode>(source)) return tensor_type(shape, t->dtype);
    if (const auto* t = as<TileTypeNode>(source)) return tile_type(shape, t->dtype, t->space);
    return nullptr;
}

Type matmul_type(const Type& lhs, const Type& rhs) {
    const auto *a = as<TileTypeNode>(lhs), *b = as<TileTypeNode>(rhs);
    if (a == nullptr || b == nullptr || a->shape.size() != 2 || b->shape.size() != 2) return nullptr;
    return tile_type({a->shape[0], b->shape[1]}, accumulator(a->dtype), TileSpace::Acc);
}

Type tile_op(const CallNode& c, std::string_view op) {
    const auto arg = [&](std::size_t i) { return i < c.args.size() ? operand_type(c.args[i]) : Type{}; };
    const Type first = arg(0); // asked for once: operands may be calls in calls
    if (op == "create" || op == "full") {
        const auto* shape = c.args.empty() ? nullptr : list(c.args[0]);
        const auto dtype = dtype_of(c, "dtype");
        return shape != nullptr && dtype ? tile_type(*shape, *dtype, space_of(c).value_or(TileSpace::Vec)) : Type{};
    }
    if (op == "load") {
        const auto* source = as<TensorTypeNode>(first);
        const auto* shape = c.args.size() > 2 ? list(c.args[2]) : nullptr;
        return source != nullptr && shape != nullptr
                   ? tile_type(*shape, source->dtype, space_of(c).value_or(TileSpace::Vec))
                   : Type{};
    }
    if (op == "store") return arg(2);
    if (op == "alloc") return ptr_type();
    if (op == "matmul") return matmul_type(first, arg(1));
    if (op == "matmul_bias") return matmul_type(first, arg(1));
    if (op == "matmul_acc" || op == "assemble") return first;
    if (op == "get_block_idx" || op == "get_block_num" || op == "get_subblock_idx") return scalar_type(DType::Index);
    const auto* source = as<TileTypeNode>(first);
    if (source == nullptr) return nullptr;
    if (op == "move" || op == "extract") {
        const auto* shape = op == "extract" && c.args.size() > 3 ? list(c.args[3]) : &source->shape;
        return shape != nullptr ? tile_type(*shape, source->dtype, space_of(c) ? space_of(c) : source->space) : Type{};
    }
    if (op == "reshape" || op == "slice") {
        const auto* shape = c.args.size() > 1 ? list(c.args[1]) : nullptr;
        return shape != nullptr ? windowed(first, *shape) : Type{};
    }
    if (op == "transpose_view" && source->shape.size() == 2) {
        const TileView view = effective_view(*source);
        // [R, C] with boxes in one order is [C, R] with boxes and elements in the other.
        const auto flip = [](TileOrder o) {
            return o == TileOrder::RowMajor ? TileOrder::ColMajor : o == TileOrder::ColMajor ? TileOrder::RowMajor : o;
        };
        TileView turned;
        turned.blayout = flip(*view.blayout);
        turned.slayout = flip(*view.slayout);
        return tile_type({source->shape[1], source->shape[0]}, source->dtype, source->space, turned);
    }
    if (op == "cast") {
        const auto dtype = dtype_of(c, "target_type");
        return dtype ? tile_type(source->shape, *dtype, source->space) : Type{};
    }
    if (op == "read") return scalar_type(source->dtype);
    if (op == "row_max" || op == "row_min" || op == "row_sum" || op == "row_prod") {
        return source->shape.size() == 2 ? tile_type({source->shape[0], const_int(1)}, source->dtype, source->space)
                                         : Type{};
    }
    for (const std::string_view same : {"add",
                                        "sub",
                                        "mul",
                                        "div",
                                        "adds",
                                        "subs",
                                        "muls",
                                        "divs",
                                        "maximum",
                                        "minimum",
                                        "neg",
                                        "exp",
                                        "log",
                                        "sin",
                                        "cos",
                                        "sqrt",
                                        "rsqrt",
                                        "recip",
                                        "abs",
                                        "relu",
                                        "fillpad",
                                        "row_expand_add",
                                        "row_expand_sub",
                                        "row_expand_mul",
                                        "row_expand_div",
                                        "col_expand_add",
                                        "col_expand_sub",
                                        "col_expand_mul",
                                        "col_expand_div"}) {
        if (op == same) return first;
    }
    return nullptr;
}

Type tensor_op(const CallNode& c, std::string_view op) {
    const auto arg = [&](std::size_t i) { return i < c.args.size() ? operand_type(c.args[i]) : Type{}; };
    const Type first = arg(0); // asked for once: operands may be calls in calls
    if (op == "create" || op == "full") {
        const auto* shape = c.args.empty() ? nullptr : list(c.args[0]);
        const auto dtype = dtype_of(c, "dtype");
        return shape != nullptr && dtype ? tensor_type(*shape, *dtype) : Type{};
    }
    if (op == "assemble" || op == "matmul_acc") return first;
    const auto* source = as<TensorTypeNode>(first);
    if (source == nullptr) return nullptr;
    if (op == "slice") {
        const auto* shape = c.args.size() > 1 ? list(c.args[1]) : nullptr;
        if (shape == nullptr) return nullptr;
        std::vector<Expr> kept = *shape;
        if (const auto* drop = c.args.size() > 4 ? list(c.args[4]) : nullptr) {
            std::vector<bool> gone(kept.size(), false);
            for (const Expr& d : *drop) {
                const auto axis = constant(d);
                if (!axis || *axis < 0 || *axis >= static_cast<std::int64_t>(kept.size())) return nullptr;
                gone[static_cast<std::size_t>(*axis)] = true;
            }
            std::size_t i = 0;
            std::erase_if(kept, [&](const Expr&) { return gone[i++]; });
        }
        // A window of an NZ tensor keeps the NZ byte order: dropping or narrowing leading axes does not change it.
        std::optional<TensorView> view;
        if (source->view && source->view->order == TensorOrder::NZ) {
            view.emplace();
            view->order = TensorOrder::NZ;
        }
        return tensor_type(std::move(kept), source->dtype, std::move(view));
    }
    if (op == "reshape") {
        const auto* shape = c.args.size() > 1 ? list(c.args[1]) : nullptr;
        return shape != nullptr ? tensor_type(*shape, source->dtype) : Type{};
    }
    if (op == "read") return scalar_type(source->dtype);
    if (op == "dim") return scalar_type(DType::Index);
    if (op == "cast") {
        const auto dtype = dtype_of(c, "target_type");
        return dtype ? tensor_type(source->shape, *dtype) : Type{};
    }
    for (const std::string_view same :
         {"add", "sub", "mul", "div", "maximum", "minimum", "neg", "exp", "sqrt", "rsqrt", "recip"}) {
        if (op == same) return tensor_type(source->shape, source->dtype);
    }
    return nullptr;
}

} // namespace

Type infer_type(const Expr& value) {
    switch (value->kind) {
    case NodeKind::ConstInt:
    case NodeKind::ConstBool:
    case NodeKind::Cast:
    case NodeKind::Unary:
    case NodeKind::Binary: {
        const auto dtype = scalar_dtype(value);
        return dtype ? scalar_type(*dtype) : Type{};
    }
    case NodeKind::TupleGet: {
        const auto& get = static_cast<const TupleGetNode&>(*value);
        const auto* whole =
            as<VarNode>(get.tuple) != nullptr ? as<TupleTypeNode>(as<VarNode>(get.tuple)->type) : nullptr;
        const auto i = static_cast<std::size_t>(get.index);
        return whole != nullptr && i < whole->elements.size() ? whole->elements[i] : Type{};
    }
    case NodeKind::Call: {
        const auto& c = static_cast<const CallNode&>(*value);
        if (c.type != nullptr) return c.type;
        if (c.callee != CalleeKind::Op) return nullptr;
        const std::string_view op = c.op;
        if (op.substr(0, 5) == "tile.") return tile_op(c, op.substr(5));
        if (op.substr(0, 7) == "tensor.") return tensor_op(c, op.substr(7));
        if (op == "pld.system.world_size") return scalar_type(DType::Int64);
        if (op == "pld.system.rank" || op == "pld.system.nranks") return scalar_type(DType::Int32);
        return nullptr;
    }
    default: return nullptr;
    }
}

} // namespace ls::pypto
