#include "core/passes/tirx/tile_primitive_dispatch/tile_offset.h"

#include "core/passes/tirx/tile_primitive_dispatch/build_ir.h"

namespace ls::tirx::lower {

using namespace ir;

Expr tile_offset(const TileLayout& tile, const Expr& linear, Axis axis, const Kernel& kernel) {
    std::vector<Expr> digits(tile.shard.size());
    Expr rest = linear;
    for (std::size_t i = tile.shard.size(); i-- > 0;) {
        if (i == 0) {
            digits[i] = rest;
            break;
        }
        const Expr extent = kernel.symbols.expr(tile.shard[i].extent);
        if (extent == nullptr) return nullptr;
        digits[i] = make_binary(BinaryOp::Mod, rest, extent);
        rest = make_binary(BinaryOp::FloorDiv, rest, extent);
    }
    Expr total;
    const auto take = [&](const Expr& part) { total = Lowering::simplified(total == nullptr ? part : add(total, part)); };
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

} // namespace ls::tirx::lower
