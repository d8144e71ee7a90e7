// Tiles as instructions see them: a buffer, and how it is read.
#include <fmt/format.h>

#include "core/codegen/kernel/lowering.h"
#include "core/support/checked.h"

namespace ls::codegen {

namespace {

bool same_view(const Tile& a, const Tile& b) {
    return a.space == b.space && a.dtype == b.dtype && a.rows == b.rows && a.cols == b.cols && a.valid_rows == b.valid_rows &&
           a.valid_cols == b.valid_cols && a.blayout == b.blayout && a.slayout == b.slayout && a.fractal_bytes == b.fractal_bytes && a.pad == b.pad &&
           a.compact == b.compact && a.address_bytes == b.address_bytes && a.from_pipe == b.from_pipe;
}

} // namespace

Result<TileId> Lowering::tile(const ir::Expr& expr, Body& out) {
    const auto* var = ir::as<ir::VarNode>(expr);
    if (var == nullptr) {
        const auto* call = ir::as<ir::CallNode>(expr);
        return at(*expr, "CG_OP", fmt::format("an operand is itself {}", call != nullptr ? "a call of " + call->op : "an expression"),
                  "run FlattenCallExpr first, or give it a name");
    }
    const auto known = tiles_.find(var);
    if (known != tiles_.end() && in_scope_[known->second]) return known->second;
    return make_tile(*var, out);
}

Result<Tile> Lowering::describe(const ir::VarNode& var, Body& out) {
    const auto* type = ir::as<ir::TileTypeNode>(var.type);
    if (type == nullptr) return at(var, "CG_TYPE", fmt::format("{} is not known to be a tile", var.name), "annotate it with its pl.Tile type");
    const auto shape = ir::constant_dims(type->shape);
    if (!shape || shape->empty() || shape->size() > 2 || shape->front() < 1 || shape->back() < 1) {
        return at(var, "CG_TYPE", fmt::format("the tile {} needs one or two constant, positive extents", var.name), "run FlattenTileNdTo2D first");
    }
    const ir::TileView view = ir::effective_view(*type);
    Tile made;
    made.name = var.name;
    made.space = type->space.value_or(ir::TileSpace::Vec);
    made.dtype = type->dtype;
    made.rows = shape->size() == 2 ? shape->front() : 1;
    made.cols = shape->back();
    const CheckedInt elements = checked_mul(made.rows, made.cols);
    if (!elements || !checked_mul(*elements, bits(made.dtype))) {
        return at(var, "CG_OVERFLOW", fmt::format("the size of {}, {} by {}, does not fit 64 bits", var.name, made.rows, made.cols), "check the extents");
    }
    LS_TRY(made.valid_rows, view.valid_shape.size() == 2 ? scalars_.lower_index(view.valid_shape[0], out) : Result<Scalar>(constant_scalar(made.rows)));
    LS_TRY(made.valid_cols, view.valid_shape.empty() ? Result<Scalar>(constant_scalar(made.cols)) : scalars_.lower_index(view.valid_shape.back(), out));
    made.blayout = *view.blayout;
    made.slayout = *view.slayout;
    made.fractal_bytes = *view.fractal_bytes;
    made.pad = view.pad.value_or(ir::PadValue::Null);
    made.compact = view.compact;
    made.buffer = buffers_.buffer(var);
    if (buffers_.placed() && type->memref && type->memref->byte_offset != nullptr) made.address_bytes = ir::constant(type->memref->byte_offset);
    return made;
}

Result<TileId> Lowering::make_tile(const ir::VarNode& var, Body& out, bool allocate) {
    LS_TRY(Tile made, describe(var, out));
    made.from_pipe = buffers_.from_pipe(var);
    // One buffer seen in the same way is one tile, whatever the program calls it. A slot of a pipe is not allocated, so
    // other readings of it have no address to stand at.
    std::vector<TileId>& others = tiles_of_buffer_[made.buffer];
    for (const TileId id : others) {
        if (allocate && in_scope_[id] && same_view(kernel_.tiles[id], made)) {
            tiles_[&var] = id;
            return id;
        }
    }
    if (allocate && made.from_pipe) {
        return at(var, "CG_OP", fmt::format("{} re-reads the slot of a pipe in another shape", var.name), "copy it with tile.move first");
    }
    const TileId id = kernel_.tiles.size();
    made.name = names_.take(var.name);
    kernel_.tiles.push_back(std::move(made));
    others.push_back(id);
    in_scope_.push_back(true);
    scopes_.back().push_back(id);
    tiles_[&var] = id;
    if (allocate) out.push_back({Alloc{id}, current_});
    return id;
}

Status Lowering::declare(const ir::VarNode& target, Body& out) {
    const auto made = make_tile(target, out);
    return made.ok() ? ok_status() : Status(made.error());
}

Result<TileId> Lowering::operand(const ir::CallNode& call, std::size_t index, Body& out) {
    if (index >= call.args.size()) {
        return at(call, "CG_OP", fmt::format("{} has {} operands, too few", call.op, call.args.size()), "see the operation's help");
    }
    return tile(call.args[index], out);
}

Status Lowering::check_addresses() const {
    for (const Tile& tile : kernel_.tiles) {
        if (tile.address_bytes || tile.from_pipe) continue;
        return at(*function_, "CG_TYPE", fmt::format("{} has no constant address although other tiles have one", tile.name),
                  "run the memory passes for the whole function, or for none of it");
    }
    return ok_status();
}

} // namespace ls::codegen
