#include "core/passes/tile/flat_shapes.h"

#include "core/ir/equality.h"
#include "core/passes/tile/tile_result_type.h"
#include "core/support/checked.h"

namespace ls::tile {

using namespace ir;

namespace {

Expr times(const Expr& a, const Expr& b) {
    const auto x = constant(a), y = constant(b);
    const CheckedInt all = x && y ? checked_mul(*x, *y) : CheckedInt{};
    if (all) return const_int(*all);
    if (x == 1) return b;
    if (y == 1) return a;
    if (x == 0) return a;
    if (y == 0) return b;
    return binary(BinaryOp::Mul, a, b);
}

Expr plus(const Expr& a, const Expr& b) {
    const auto x = constant(a), y = constant(b);
    const CheckedInt all = x && y ? checked_add(*x, *y) : CheckedInt{};
    if (all) return const_int(*all);
    if (x == 0) return b;
    if (y == 0) return a;
    return binary(BinaryOp::Add, a, b);
}

} // namespace

std::vector<Expr> flat_dims(const std::vector<Expr>& dims) {
    if (dims.size() <= 2) return dims;
    Expr rows = dims[0];
    for (std::size_t i = 1; i + 1 < dims.size(); ++i) rows = times(rows, dims[i]);
    return {rows, dims.back()};
}

std::vector<Expr> flat_offsets(const std::vector<Expr>& offsets, const std::vector<Expr>& shape) {
    if (offsets.size() <= 2 || offsets.size() != shape.size()) return offsets;
    Expr row = offsets[0];
    for (std::size_t i = 1; i + 1 < offsets.size(); ++i) row = plus(times(row, shape[i]), offsets[i]);
    return {row, offsets.back()};
}

bool is_row_block(const std::vector<Expr>& extents, const std::vector<Expr>& shape) {
    if (extents.size() != shape.size()) return true;
    bool several = false;
    for (std::size_t i = 0; i + 1 < extents.size(); ++i) {
        if (several && !structurally_equal(extents[i], shape[i])) return false;
        several = several || !is_constant(extents[i], 1);
    }
    return true;
}

std::optional<std::int64_t> product(const std::vector<Expr>& dims, std::size_t begin, std::size_t end) {
    std::int64_t all = 1;
    for (std::size_t i = begin; i < end && i < dims.size(); ++i) {
        const auto d = constant(dims[i]);
        const CheckedInt next = d && *d > 0 ? checked_mul(all, *d) : CheckedInt{};
        if (!next) return {};
        all = *next;
    }
    return all;
}

Type flat_tile(const Type& type) {
    const auto* t = as<TileTypeNode>(type);
    if (t == nullptr || t->shape.size() <= 2) return type;
    const auto rows = product(t->shape, 0, t->shape.size() - 1);
    if (!rows || !constant(t->shape.back())) return nullptr;
    TileView view = effective_view(*t);
    view.valid_shape = view.valid_shape.size() == t->shape.size() ? flat_dims(view.valid_shape) : std::vector<Expr>{};
    view.stride.clear();
    view.start_offset = nullptr;
    return canonical_tile({const_int(*rows), t->shape.back()}, t->dtype, t->space, std::move(view));
}

} // namespace ls::tile
