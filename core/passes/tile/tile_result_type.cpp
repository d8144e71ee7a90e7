#include "core/passes/tile/tile_result_type.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/dialect/pypto/pypto.h"
#include "core/ir/equality.h"
#include "core/support/checked.h"

namespace ls::tile {

using namespace ir;

namespace {

const TupleNode* list(const CallNode& c, std::size_t i) { return i < c.args.size() ? as<TupleNode>(c.args[i]) : nullptr; }

const TileTypeNode* tile_operand(const CallNode& c, std::size_t i) {
    return i < c.args.size() ? as<TileTypeNode>(type_of(c.args[i])) : nullptr;
}

std::optional<TileSpace> target(const CallNode& c) {
    const auto* s = as<ir::SymbolNode>(c.kwarg("target_memory"));
    return s != nullptr ? tile_space_from_name(s->last()) : std::nullopt;
}

std::optional<DType> dtype_argument(const CallNode& c, std::string_view key) {
    const auto* d = as<DTypeNameNode>(c.kwarg(key));
    return d != nullptr ? std::optional(d->dtype) : std::nullopt;
}

bool same_dims(const std::vector<Expr>& a, const std::vector<Expr>& b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](const Expr& x, const Expr& y) {
               return structurally_equal(x, y);
           });
}

DType accumulator(DType operand) {
    return operand == DType::Int8 || operand == DType::UInt8 || operand == DType::Int4 ? DType::Int32 : DType::Fp32;
}

Type load(const CallNode& c) {
    const auto* source = c.args.empty() ? nullptr : as<TensorTypeNode>(type_of(c.args[0]));
    const TupleNode* window = list(c, 2);
    if (source == nullptr || window == nullptr) return nullptr;
    const TileSpace space = target(c).value_or(TileSpace::Vec);
    const std::vector<Expr>& shape = window->elements;
    TileView view;
    if (const TupleNode* valid = list(c, 3)) view.valid_shape = valid->elements;
    const bool dn = source->view && source->view->order == TensorOrder::DN;
    if (space == TileSpace::Mat) {
        // One row needs no boxes; a DN source arrives with rows and columns exchanged.
        const bool one_row = shape.size() == 2 && is_constant(shape[dn ? 1 : 0], 1);
        view.blayout = one_row || dn ? TileOrder::RowMajor : TileOrder::ColMajor;
        view.slayout = one_row ? TileOrder::NoneBox : dn ? TileOrder::ColMajor : TileOrder::RowMajor;
    }
    return canonical_tile(shape, source->dtype, space, std::move(view));
}

/// The product of the last two axes; leading axes of either operand are batches.
Type product(const TileTypeNode& lhs, const TileTypeNode& rhs) {
    if (lhs.shape.size() < 2 || rhs.shape.size() < 2) return nullptr;
    const std::vector<Expr>& longer = lhs.shape.size() >= rhs.shape.size() ? lhs.shape : rhs.shape;
    const std::vector<Expr>& shorter = lhs.shape.size() >= rhs.shape.size() ? rhs.shape : lhs.shape;
    std::vector<Expr> shape(longer.begin(), longer.end() - 2);
    const std::size_t ahead = longer.size() - shorter.size();
    for (std::size_t i = ahead; i < shape.size(); ++i) {
        if (is_constant(shape[i], 1)) shape[i] = shorter[i - ahead];
    }
    shape.push_back(lhs.shape[lhs.shape.size() - 2]);
    shape.push_back(rhs.shape.back());
    TileView view;
    if (shape.size() == 2) {
        view.valid_shape = {valid_shape(lhs)[0], valid_shape(rhs)[1]};
        // The unit writes at a pitch of the valid rows: a narrowed accumulator must be read back at the same.
        if (!structurally_equal(view.valid_shape[0], shape[0])) view.compact = CompactMode::Normal;
    }
    return canonical_tile(std::move(shape), accumulator(lhs.dtype), TileSpace::Acc, std::move(view));
}

/// Element by element in the vector unit's memory, in the element order of the first operand.
Type like_first(const TileTypeNode& first, DType dtype) {
    TileView view = effective_view(first);
    view.fractal_bytes.reset();
    view.stride.clear();
    view.start_offset = nullptr;
    return canonical_tile(first.shape, dtype, TileSpace::Vec, std::move(view));
}

Type slice(const CallNode& c, const TileTypeNode& source) {
    const TupleNode* window = list(c, 1);
    if (window == nullptr) return nullptr;
    std::vector<Expr> shape = window->elements;
    TileView view;
    if (source.view) {
        view = *source.view;
        view.stride.clear();
        view.start_offset = nullptr;
    }
    const TupleNode* valid = list(c, 3);
    view.valid_shape = valid != nullptr && !valid->elements.empty() ? valid->elements : shape;
    if (const TupleNode* dropped = list(c, 4)) {
        std::vector<Expr> kept, kept_valid;
        for (std::size_t axis = 0; axis < shape.size(); ++axis) {
            const bool gone = std::any_of(dropped->elements.begin(), dropped->elements.end(), [&](const Expr& d) {
                return is_constant(d, static_cast<std::int64_t>(axis));
            });
            if (gone) continue;
            kept.push_back(shape[axis]);
            kept_valid.push_back(view.valid_shape[axis]);
        }
        while (kept.size() < 2) { // a tile has rows and columns
            kept.insert(kept.begin(), const_int(1));
            kept_valid.insert(kept_valid.begin(), const_int(1));
        }
        shape = std::move(kept);
        view.valid_shape = std::move(kept_valid);
    }
    return canonical_tile(std::move(shape), source.dtype, source.space, std::move(view));
}

Type transposed_view(const TileTypeNode& source) {
    if (source.shape.size() < 2) return nullptr;
    const auto flip = [](TileOrder o) {
        return o == TileOrder::RowMajor ? TileOrder::ColMajor : o == TileOrder::ColMajor ? TileOrder::RowMajor : o;
    };
    std::vector<Expr> shape = source.shape;
    TileView view = effective_view(source);
    std::swap(shape[shape.size() - 2], shape.back());
    std::swap(view.valid_shape[shape.size() - 2], view.valid_shape.back());
    view.blayout = flip(*view.blayout);
    view.slayout = flip(*view.slayout);
    return canonical_tile(std::move(shape), source.dtype, source.space, std::move(view));
}

constexpr std::array<std::string_view, 8> kRowReductions{"row_max",    "row_min",    "row_sum",    "row_prod",
                                                         "row_argmax", "row_argmin", "row_argmax", "row_argmin"};
constexpr std::array<std::string_view, 6> kColumnReductions{"col_max", "col_min", "col_sum", "col_prod", "col_argmax",
                                                            "col_argmin"};

template <std::size_t N>
bool among(std::string_view op, const std::array<std::string_view, N>& names) {
    return std::find(names.begin(), names.end(), op) != names.end();
}

} // namespace

Type type_of(const Expr& value) {
    if (const auto* v = as<VarNode>(value)) return v->type;
    return value == nullptr ? Type{} : pypto::infer_type(value);
}

std::vector<Expr> valid_shape(const TileTypeNode& tile) {
    return tile.view && !tile.view->valid_shape.empty() ? tile.view->valid_shape : tile.shape;
}

Type canonical_tile(std::vector<Expr> shape, DType dtype, std::optional<TileSpace> space, TileView view) {
    TileTypeNode bare;
    bare.shape = shape;
    bare.dtype = dtype;
    bare.space = space;
    const ImplicitTileView implied = implicit_view(bare);
    if (view.blayout == implied.blayout && view.slayout.value_or(implied.slayout) == implied.slayout) view.blayout.reset();
    if (view.slayout == implied.slayout) view.slayout.reset();
    if (view.fractal_bytes == implied.fractal_bytes) view.fractal_bytes.reset();
    if (view.pad == PadValue::Null) view.pad.reset();
    if (view.compact == CompactMode::Null) view.compact.reset();
    if (same_dims(view.valid_shape, shape)) view.valid_shape.clear();
    const bool nothing = view.valid_shape.empty() && view.stride.empty() && view.start_offset == nullptr && !view.blayout &&
                         !view.slayout && !view.fractal_bytes && !view.pad && !view.compact;
    return tile_type(std::move(shape), dtype, space, nothing ? std::nullopt : std::optional(std::move(view)));
}

Type result_type(const CallNode& c) {
    if (c.callee != CalleeKind::Op || c.op.substr(0, 5) != "tile.") return nullptr;
    const std::string_view op = std::string_view(c.op).substr(5);
    if (op == "load") return load(c);
    if (op == "store") return c.args.size() > 2 ? type_of(c.args[2]) : Type{};
    if (op == "create" || op == "full") {
        const TupleNode* shape = list(c, 0);
        const auto dtype = dtype_argument(c, "dtype");
        const TileSpace space = target(c).value_or(TileSpace::Vec);
        return shape != nullptr && dtype ? tile_type(shape->elements, *dtype, space) : Type{};
    }
    if (op == "get_block_idx" || op == "get_block_num" || op == "get_subblock_idx") return scalar_type(DType::Index);
    const TileTypeNode* first = tile_operand(c, 0);
    if (first == nullptr) return nullptr;
    if (op == "matmul" || op == "batch_matmul" || op == "matmul_bias") {
        const TileTypeNode* rhs = tile_operand(c, 1);
        return rhs != nullptr ? product(*first, *rhs) : Type{};
    }
    if (op == "matmul_acc" || op == "batch_matmul_acc") return canonical_tile(first->shape, first->dtype, TileSpace::Acc, {});
    if (op == "assemble" || op == "set_validshape" || op == "write") return type_of(c.args[0]);
    if (op == "read") return scalar_type(first->dtype);
    if (op == "transpose_view") return transposed_view(*first);
    if (op == "slice") return slice(c, *first);
    if (op == "reshape") {
        const TupleNode* shape = list(c, 1);
        return shape != nullptr ? tile_type(shape->elements, first->dtype, first->space) : Type{};
    }
    if (op == "move") {
        TileView view;
        view.valid_shape = valid_shape(*first);
        return canonical_tile(first->shape, first->dtype, target(c) ? target(c) : first->space, std::move(view));
    }
    if (op == "transpose") {
        const auto a = c.args.size() > 2 ? constant(c.args[1]) : std::nullopt, b = c.args.size() > 2 ? constant(c.args[2]) : std::nullopt;
        const auto rank = static_cast<std::int64_t>(first->shape.size());
        if (!a || !b || *a < -rank || *b < -rank || *a >= rank || *b >= rank) return nullptr;
        std::vector<Expr> shape = first->shape;
        std::swap(shape[static_cast<std::size_t>(floor_mod(*a, rank))], shape[static_cast<std::size_t>(floor_mod(*b, rank))]);
        return tile_type(std::move(shape), first->dtype, TileSpace::Vec);
    }
    if (op == "cast") {
        const auto dtype = dtype_argument(c, "target_type");
        return dtype ? like_first(*first, *dtype) : Type{};
    }
    if (op == "fillpad" || op == "fillpad_inplace") {
        TileView view = effective_view(*first);
        view.fractal_bytes.reset();
        view.valid_shape.clear();
        const auto* pad = as<ir::SymbolNode>(c.kwarg("pad_value"));
        if (pad != nullptr) view.pad = pad_value_from_name(pad->last());
        return canonical_tile(first->shape, first->dtype, first->space, std::move(view));
    }
    if (op == "cmp" || op == "cmps") return nullptr; // a mask, packed by the instruction
    if (among(op, kRowReductions) || among(op, kColumnReductions)) {
        if (first->shape.size() < 2) return nullptr;
        const bool rows = among(op, kRowReductions);
        const std::size_t axis = rows ? first->shape.size() - 1 : first->shape.size() - 2;
        const bool index = op.find("arg") != std::string_view::npos;
        std::vector<Expr> shape = first->shape;
        shape[axis] = const_int(1);
        TileView view;
        view.valid_shape = valid_shape(*first);
        view.valid_shape[axis] = const_int(1);
        return canonical_tile(std::move(shape), index ? DType::Int32 : first->dtype, TileSpace::Vec, std::move(view));
    }
    if (op == "row_expand" || op == "col_expand") return like_first(*first, first->dtype);
    if (op == "concat") {
        const TileTypeNode* second = tile_operand(c, 1);
        if (second == nullptr || first->shape.size() != second->shape.size() || first->shape.empty()) return nullptr;
        const auto a = constant(first->shape.back()), b = constant(second->shape.back());
        const CheckedInt columns = a && b ? checked_add(*a, *b) : CheckedInt{};
        if (!columns) return nullptr;
        std::vector<Expr> shape = first->shape;
        shape.back() = const_int(*columns);
        return tile_type(std::move(shape), first->dtype, TileSpace::Vec);
    }
    return like_first(*first, first->dtype);
}

} // namespace ls::tile
