#include "core/passes/tirx/tile_primitive_dispatch/tile_offset.h"

#include "core/layout/operations.h"
#include "core/passes/tirx/access_offset.h"
#include "core/passes/tirx/tile_primitive_dispatch/build_ir.h"

namespace ls::tirx::lower {

using namespace ir;

namespace {

/// Digits of a coordinate over iters [begin, end); the first takes what is left. False where an extent has no
/// expression.
bool split(const Expr& coordinate, const TileLayout& tile, std::size_t begin, std::size_t end, const Kernel& kernel,
           std::vector<Expr>& digits) {
    Expr rest = coordinate;
    for (std::size_t i = end; i-- > begin;) {
        if (i == begin) {
            digits[i] = rest;
            break;
        }
        const Expr extent = kernel.symbols.expr(tile.shard[i].extent);
        if (extent == nullptr) return false;
        digits[i] = make_binary(BinaryOp::Mod, rest, extent);
        rest = make_binary(BinaryOp::FloorDiv, rest, extent);
    }
    return true;
}

/// Digits times strides and the offset, on one axis, each step simplified.
Expr summed(const TileLayout& tile, const std::vector<Expr>& digits, Axis axis, const Kernel& kernel,
            IndexSimplifier& known) {
    Expr total;
    const auto take = [&](const Expr& part) { total = known.simplify(total == nullptr ? part : add(total, part)); };
    for (std::size_t i = 0; i < tile.shard.size(); ++i) {
        if (tile.shard[i].axis != axis) continue;
        const Expr stride = kernel.symbols.expr(tile.shard[i].stride);
        if (stride == nullptr) return nullptr;
        take(multiply(digits[i], stride));
    }
    if (tile.offset.contains(axis)) {
        const Expr offset = kernel.symbols.expr(tile.offset.get(axis));
        if (offset == nullptr) return nullptr;
        take(offset);
    }
    return total == nullptr ? i32(0) : total;
}

/// The buffer type that has this shape, for the offsets of accesses.
BufferTypeNode shaped(const std::vector<Dim>& shape, const Kernel& kernel) {
    BufferTypeNode type;
    for (const Dim& extent : shape) type.shape.push_back(kernel.symbols.expr(extent));
    return type;
}

} // namespace

Expr tile_offset(const TileLayout& tile, const Expr& linear, Axis axis, const Kernel& kernel) {
    std::vector<Expr> digits(tile.shard.size());
    if (!split(linear, tile, 0, tile.shard.size(), kernel, digits)) return nullptr;
    IndexSimplifier known;
    return summed(tile, digits, axis, kernel, known);
}

Result<Expr> layout_offset(const Layout& layout, const std::vector<Expr>& coordinates, const std::vector<Dim>& shape,
                           const Kernel& kernel, IndexSimplifier& known) {
    const Diagnostic overflow = error("LAYOUT_OVERFLOW", "an offset of the layout leaves 64 bits");
    if (const ComposeLayout* compose = layout.compose(); compose != nullptr && compose->swizzle_len > 0) {
        VisibleVars visible = kernel.symbols.variables();
        LS_TRY(const auto offsets, layout_indices(shaped(shape, kernel), layout, coordinates, visible, known));
        return offsets.front();
    }
    const TileLayout& tile = layout.tile();
    const auto grouped = group(tile, shape);
    Expr offset;
    if (grouped) {
        std::vector<Expr> digits(grouped->layout.shard.size());
        for (std::size_t d = 0; d < shape.size(); ++d) {
            if (!split(coordinates[d], grouped->layout, grouped->separators[d], grouped->separators[d + 1], kernel,
                       digits))
                return overflow;
        }
        offset = summed(grouped->layout, digits, axes::m, kernel, known);
    } else {
        Expr linear = i32(0);
        for (std::size_t d = 0; d < shape.size(); ++d) {
            const Expr extent = kernel.symbols.expr(shape[d]);
            if (extent == nullptr) return overflow;
            linear = add(multiply(linear, extent), coordinates[d]);
        }
        std::vector<Expr> digits(tile.shard.size());
        if (!split(linear, tile, 0, tile.shard.size(), kernel, digits)) return overflow;
        offset = summed(tile, digits, axes::m, kernel, known);
    }
    if (offset == nullptr) return overflow;
    return offset;
}

} // namespace ls::tirx::lower
