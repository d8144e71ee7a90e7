#include "core/ir/type.h"

#include <array>
#include <utility>

#include "core/ir/expr.h"

namespace ls::ir {

namespace {

template <class E, std::size_t N>
struct Names {
    std::array<std::string_view, N> text;
    std::string_view of(E value) const { return text.at(static_cast<std::size_t>(value)); }
    std::optional<E> find(std::string_view name) const {
        for (std::size_t i = 0; i < N; ++i) {
            if (text.at(i) == name) return static_cast<E>(i);
        }
        return {};
    }
};

constexpr Names<TensorOrder, 5> kTensorOrders{{"ND", "DN", "NZ", "MX_A_ZZ", "MX_B_NN"}};
constexpr Names<PadValue, 4> kPads{{"null", "zero", "max", "min"}};
constexpr Names<CompactMode, 3> kCompacts{{"null", "normal", "row_plus_one"}};
constexpr Names<TileOrder, 3> kTileOrders{{"row_major", "col_major", "none_box"}};
constexpr Names<TileSpace, 10> kSpaces{
    {"DDR", "Vec", "Mat", "Left", "Right", "Acc", "Bias", "LeftScale", "RightScale", "ScalarLocal"}};

} // namespace

std::string_view name(TensorOrder order) { return kTensorOrders.of(order); }
std::string_view name(PadValue pad) { return kPads.of(pad); }
std::string_view name(CompactMode mode) { return kCompacts.of(mode); }
std::string_view name(TileOrder order) { return kTileOrders.of(order); }
std::string_view name(TileSpace space) { return kSpaces.of(space); }
std::optional<TensorOrder> tensor_order_from_name(std::string_view text) { return kTensorOrders.find(text); }
std::optional<PadValue> pad_value_from_name(std::string_view text) { return kPads.find(text); }
std::optional<CompactMode> compact_mode_from_name(std::string_view text) { return kCompacts.find(text); }
std::optional<TileOrder> tile_order_from_name(std::string_view text) { return kTileOrders.find(text); }
std::optional<TileSpace> tile_space_from_name(std::string_view text) { return kSpaces.find(text); }

MemorySpace memory_space(TileSpace space) {
    switch (space) {
    case TileSpace::DDR: return MemorySpace::Gm;
    case TileSpace::Vec: return MemorySpace::Ub;
    case TileSpace::Mat: return MemorySpace::L1;
    case TileSpace::Left: return MemorySpace::L0A;
    case TileSpace::Right: return MemorySpace::L0B;
    case TileSpace::Acc: return MemorySpace::L0C;
    case TileSpace::Bias: return MemorySpace::Bias;
    case TileSpace::ScalarLocal: return MemorySpace::Registers;
    case TileSpace::LeftScale:
    case TileSpace::RightScale: break;
    }
    return MemorySpace::Unknown;
}

ImplicitTileView implicit_view(const TileTypeNode& tile) {
    const TileSpace space = tile.space.value_or(TileSpace::Vec);
    // A column vector [M>1, 1] starts from col_major wherever the space itself says nothing about the outer order.
    const bool column =
        tile.shape.size() == 2 && is_constant(tile.shape[1], 1) && constant(tile.shape[0]).value_or(1) > 1;
    const TileOrder outer = column ? TileOrder::ColMajor : TileOrder::RowMajor;
    switch (space) {
    case TileSpace::Mat:
    case TileSpace::Left: return {TileOrder::ColMajor, TileOrder::RowMajor, 512};
    case TileSpace::Right: return {outer, TileOrder::ColMajor, 512};
    case TileSpace::Acc: return {TileOrder::ColMajor, TileOrder::RowMajor, 1024};
    case TileSpace::LeftScale: return {TileOrder::RowMajor, TileOrder::RowMajor, 32};
    case TileSpace::RightScale: return {TileOrder::ColMajor, TileOrder::ColMajor, 32};
    default: return {outer, TileOrder::NoneBox, 512};
    }
}

TileView effective_view(const TileTypeNode& tile) {
    const ImplicitTileView implied = implicit_view(tile);
    TileView view = tile.view.value_or(TileView{});
    if (view.valid_shape.empty()) view.valid_shape = tile.shape;
    view.blayout = view.blayout.value_or(implied.blayout);
    view.slayout = view.slayout.value_or(implied.slayout);
    view.fractal_bytes = view.fractal_bytes.value_or(implied.fractal_bytes);
    view.pad = view.pad.value_or(PadValue::Null);
    view.compact = view.compact.value_or(CompactMode::Null);
    return view;
}

std::optional<std::vector<std::int64_t>> constant_dims(const std::vector<Expr>& dims) {
    std::vector<std::int64_t> values;
    values.reserve(dims.size());
    for (const Expr& d : dims) {
        const auto v = constant(d);
        if (!v) return {};
        values.push_back(*v);
    }
    return values;
}

Type scalar_type(DType dtype) {
    auto t = std::make_shared<ScalarTypeNode>();
    t->dtype = dtype;
    return seal(std::move(t));
}

Type tensor_type(std::vector<Expr> shape, DType dtype, std::optional<TensorView> view) {
    auto t = std::make_shared<TensorTypeNode>();
    t->shape = std::move(shape);
    t->dtype = dtype;
    t->view = std::move(view);
    return seal(std::move(t));
}

Type tile_type(std::vector<Expr> shape, DType dtype, std::optional<TileSpace> space, std::optional<TileView> view) {
    auto t = std::make_shared<TileTypeNode>();
    t->shape = std::move(shape);
    t->dtype = dtype;
    t->space = space;
    t->view = std::move(view);
    return seal(std::move(t));
}

Type tuple_type(std::vector<Type> elements) {
    auto t = std::make_shared<TupleTypeNode>();
    t->elements = std::move(elements);
    return seal(std::move(t));
}

Type ptr_type() {
    static const Type one = seal(std::make_shared<PtrTypeNode>());
    return one;
}

Type unknown_type() {
    auto t = std::make_shared<NamedTypeNode>();
    t->name = "pl.UnknownType";
    return seal(std::move(t));
}

} // namespace ls::ir
