#include "core/analysis/tile_op_memory.h"

#include <algorithm>
#include <unordered_map>

namespace ls {

namespace {

using ir::TileSpace;

constexpr TileSpace kVec = TileSpace::Vec, kMat = TileSpace::Mat, kLeft = TileSpace::Left, kRight = TileSpace::Right,
                    kAcc = TileSpace::Acc, kBias = TileSpace::Bias, kLeftScale = TileSpace::LeftScale,
                    kRightScale = TileSpace::RightScale;

/// By name. Columns: where the result goes, its space, the operand it is written over, whether it must overlap no
/// operand, operands that it must not overlap, allowed spaces of the operands.
const std::vector<TileOpMemory>& table() {
    static const std::vector<TileOpMemory> rows{
        {"pld.tile.remote_store", OutputSpace::None, {}, {}, false, {}, {{kVec, kAcc}}},
        {"tile.abs", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}}},
        {"tile.add", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}, {kVec}}},
        {"tile.addc", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}, {kVec}, {kVec}}},
        {"tile.adds", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}}},
        {"tile.addsc", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}, {}, {kVec}}},
        {"tile.aic_gather", OutputSpace::Fixed, kMat, {}, false, {}, {}},
        {"tile.aiv_shard", OutputSpace::Fixed, kVec, {}, false, {}, {}},
        {"tile.and", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}, {kVec}}},
        {"tile.ands", OutputSpace::Fixed, kVec, {}, true, {}, {{kVec}}},
        {"tile.assemble", OutputSpace::Inherit, {}, {}, false, {}, {}},
        {"tile.batch_matmul", OutputSpace::Fixed, kAcc, {}, false, {}, {{kLeft}, {kRight}}},
        {"tile.batch_matmul_acc", OutputSpace::Fixed, kAcc, 0, false, {}, {{kAcc}, {kLeft}, {kRight}}},
        {"tile.cast", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}}},
        {"tile.ci", OutputSpace::Fixed, kVec, {}, false, {}, {}},
        {"tile.cmp", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}, {kVec}}},
        {"tile.cmps", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}}},
        {"tile.col_argmax", OutputSpace::Fixed, kVec, {}, true, {}, {{kVec}, {kVec}}},
        {"tile.col_argmin", OutputSpace::Fixed, kVec, {}, true, {}, {{kVec}, {kVec}}},
        {"tile.col_expand", OutputSpace::Fixed, kVec, {}, false, {1}, {{kVec}, {kVec}}},
        {"tile.col_expand_add", OutputSpace::Fixed, kVec, {}, false, {1}, {{kVec}, {kVec}}},
        {"tile.col_expand_div", OutputSpace::Fixed, kVec, {}, false, {1}, {{kVec}, {kVec}}},
        {"tile.col_expand_expdif", OutputSpace::Fixed, kVec, {}, false, {1}, {{kVec}, {kVec}}},
        {"tile.col_expand_max", OutputSpace::Fixed, kVec, {}, false, {1}, {{kVec}, {kVec}}},
        {"tile.col_expand_min", OutputSpace::Fixed, kVec, {}, false, {1}, {{kVec}, {kVec}}},
        {"tile.col_expand_mul", OutputSpace::Fixed, kVec, {}, false, {1}, {{kVec}, {kVec}}},
        {"tile.col_expand_sub", OutputSpace::Fixed, kVec, {}, false, {1}, {{kVec}, {kVec}}},
        {"tile.col_max", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}}},
        {"tile.col_min", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}}},
        {"tile.col_prod", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}}},
        {"tile.col_sum", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}, {kVec}}},
        {"tile.concat", OutputSpace::Fixed, kVec, {}, true, {}, {{kVec}, {kVec}}},
        {"tile.cos", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}}},
        {"tile.create", OutputSpace::Keyword, {}, {}, false, {}, {}},
        {"tile.div", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}, {kVec}}},
        {"tile.divs", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}}},
        {"tile.exp", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}}},
        {"tile.expands", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}}},
        {"tile.extract", OutputSpace::Keyword, kVec, {}, true, {}, {}},
        {"tile.fillpad", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}}},
        {"tile.fillpad_expand", OutputSpace::Fixed, kVec, {}, true, {}, {{kVec}}},
        {"tile.fillpad_inplace", OutputSpace::Fixed, kVec, 0, false, {}, {{kVec}}},
        {"tile.fmod", OutputSpace::Fixed, kVec, {}, true, {}, {{kVec}, {kVec}}},
        {"tile.fmods", OutputSpace::Fixed, kVec, {}, true, {}, {{kVec}}},
        {"tile.full", OutputSpace::Fixed, kVec, {}, false, {}, {}},
        {"tile.gather", OutputSpace::Fixed, kVec, {}, true, {}, {{kVec}, {kVec}, {kVec}}},
        {"tile.gather_compare", OutputSpace::Fixed, kVec, {}, true, {}, {{kVec}, {}, {kVec}}},
        {"tile.gather_mask", OutputSpace::Fixed, kVec, {}, true, {}, {{kVec}}},
        {"tile.gather_row", OutputSpace::None, {}, 0, false, {}, {}},
        {"tile.gatherb", OutputSpace::Fixed, kVec, {}, true, {}, {{kVec}, {kVec}}},
        {"tile.gemv", OutputSpace::Fixed, kAcc, {}, false, {}, {{kLeft}, {kRight}}},
        {"tile.gemv_acc", OutputSpace::Fixed, kAcc, 0, false, {}, {{kAcc}, {kLeft}, {kRight}}},
        {"tile.gemv_bias", OutputSpace::Fixed, kAcc, {}, false, {}, {{kLeft}, {kRight}, {kBias}}},
        {"tile.load", OutputSpace::Keyword, {}, {}, false, {}, {}},
        {"tile.log", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}}},
        {"tile.lrelu", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}}},
        {"tile.matmul", OutputSpace::Fixed, kAcc, {}, false, {}, {{kLeft}, {kRight}}},
        {"tile.matmul_acc", OutputSpace::Fixed, kAcc, 0, false, {}, {{kAcc}, {kLeft}, {kRight}}},
        {"tile.matmul_bias", OutputSpace::Fixed, kAcc, {}, false, {}, {{kLeft}, {kRight}, {kBias}}},
        {"tile.matmul_mx", OutputSpace::Fixed, kAcc, {}, false, {}, {{kLeft}, {kLeftScale}, {kRight}, {kRightScale}}},
        {"tile.matmul_mx_acc", OutputSpace::Fixed, kAcc, 0, false, {}, {{kAcc}, {kLeft}, {kLeftScale}, {kRight}, {kRightScale}}},
        {"tile.matmul_mx_bias", OutputSpace::Fixed, kAcc, {}, false, {}, {{kLeft}, {kLeftScale}, {kRight}, {kRightScale}, {kBias}}},
        {"tile.maximum", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}, {kVec}}},
        {"tile.maximums", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}}},
        {"tile.mgather", OutputSpace::Keyword, kVec, {}, true, {}, {}},
        {"tile.minimum", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}, {kVec}}},
        {"tile.minimums", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}}},
        {"tile.move", OutputSpace::Keyword, kVec, {}, true, {}, {}},
        {"tile.mrgsort_format1", OutputSpace::Fixed, kVec, {}, true, {}, {{kVec}}},
        {"tile.mrgsort_format2", OutputSpace::Fixed, kVec, {}, true, {}, {{kVec}, {kVec}, {kVec}, {kVec}, {kVec}}},
        {"tile.mscatter", OutputSpace::None, {}, 2, false, {}, {{kVec}, {kVec}}},
        {"tile.mul", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}, {kVec}}},
        {"tile.muls", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}}},
        {"tile.neg", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}}},
        {"tile.not", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}}},
        {"tile.or", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}, {kVec}}},
        {"tile.ors", OutputSpace::Fixed, kVec, {}, true, {}, {{kVec}}},
        {"tile.part_add", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}, {kVec}}},
        {"tile.part_max", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}, {kVec}}},
        {"tile.part_min", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}, {kVec}}},
        {"tile.part_mul", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}, {kVec}}},
        {"tile.prelu", OutputSpace::Fixed, kVec, {}, true, {}, {{kVec}, {kVec}, {kVec}}},
        {"tile.random", OutputSpace::Fixed, kVec, {}, false, {}, {}},
        {"tile.read", OutputSpace::None, {}, {}, false, {}, {{kVec}}},
        {"tile.recip", OutputSpace::Fixed, kVec, {}, true, {}, {{kVec}}},
        {"tile.reinterpret_view", OutputSpace::Inherit, {}, {}, false, {}, {}},
        {"tile.relu", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}}},
        {"tile.rem", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}, {kVec}, {kVec}}},
        {"tile.rems", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}, {}, {kVec}}},
        {"tile.reshape", OutputSpace::Inherit, {}, {}, false, {}, {}},
        {"tile.row_argmax", OutputSpace::Fixed, kVec, {}, true, {}, {{kVec}, {kVec}}},
        {"tile.row_argmin", OutputSpace::Fixed, kVec, {}, true, {}, {{kVec}, {kVec}}},
        {"tile.row_expand", OutputSpace::Fixed, kVec, {}, false, {1}, {{kVec}, {kVec}}},
        {"tile.row_expand_add", OutputSpace::Fixed, kVec, {}, false, {1, 2}, {{kVec}, {kVec}, {kVec}}},
        {"tile.row_expand_div", OutputSpace::Fixed, kVec, {}, false, {1}, {{kVec}, {kVec}}},
        {"tile.row_expand_expdif", OutputSpace::Fixed, kVec, {}, false, {1}, {{kVec}, {kVec}}},
        {"tile.row_expand_max", OutputSpace::Fixed, kVec, {}, false, {1}, {{kVec}, {kVec}}},
        {"tile.row_expand_min", OutputSpace::Fixed, kVec, {}, false, {1}, {{kVec}, {kVec}}},
        {"tile.row_expand_mul", OutputSpace::Fixed, kVec, {}, false, {1}, {{kVec}, {kVec}}},
        {"tile.row_expand_sub", OutputSpace::Fixed, kVec, {}, false, {1}, {{kVec}, {kVec}}},
        {"tile.row_max", OutputSpace::Fixed, kVec, {}, true, {}, {{kVec}, {kVec}}},
        {"tile.row_min", OutputSpace::Fixed, kVec, {}, true, {}, {{kVec}, {kVec}}},
        {"tile.row_prod", OutputSpace::Fixed, kVec, {}, true, {}, {{kVec}, {kVec}}},
        {"tile.row_sum", OutputSpace::Fixed, kVec, {}, true, {}, {{kVec}, {kVec}}},
        {"tile.rsqrt", OutputSpace::Fixed, kVec, {}, true, {}, {{kVec}, {kVec}}},
        {"tile.scatter", OutputSpace::Fixed, kVec, 0, false, {}, {{kVec}, {kVec}, {kVec}}},
        {"tile.scatter_mask", OutputSpace::Fixed, kVec, 0, false, {}, {{kVec}, {kVec}}},
        {"tile.scatter_update", OutputSpace::Fixed, kVec, 0, false, {}, {{kVec}, {kVec}, {kVec}}},
        {"tile.sel", OutputSpace::Fixed, kVec, {}, false, {0, 3}, {{kVec}, {kVec}, {kVec}, {kVec}}},
        {"tile.sels", OutputSpace::Fixed, kVec, {}, false, {0}, {{kVec}, {kVec}, {kVec}}},
        {"tile.set_validshape", OutputSpace::Inherit, {}, {}, false, {}, {}},
        {"tile.shl", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}, {kVec}}},
        {"tile.shls", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}}},
        {"tile.shr", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}, {kVec}}},
        {"tile.shrs", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}}},
        {"tile.sin", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}}},
        {"tile.slice", OutputSpace::Inherit, {}, {}, false, {}, {}},
        {"tile.sort32", OutputSpace::Fixed, kVec, {}, true, {}, {{kVec}, {kVec}}},
        {"tile.sqrt", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}}},
        {"tile.store", OutputSpace::None, {}, 2, false, {}, {{kVec, kAcc}}},
        {"tile.sub", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}, {kVec}}},
        {"tile.subc", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}, {kVec}, {kVec}}},
        {"tile.subs", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}}},
        {"tile.subsc", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}, {}, {kVec}}},
        {"tile.tget_scale_addr", OutputSpace::Inherit, {}, 0, false, {}, {}},
        {"tile.transpose", OutputSpace::Inherit, {}, {}, true, {}, {}},
        {"tile.transpose_view", OutputSpace::Inherit, {}, {}, false, {}, {}},
        {"tile.tri", OutputSpace::Fixed, kVec, {}, false, {}, {}},
        {"tile.write", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}}},
        {"tile.xor", OutputSpace::Fixed, kVec, {}, false, {}, {{kVec}, {kVec}, {kVec}}},
        {"tile.xors", OutputSpace::Fixed, kVec, {}, true, {}, {{kVec}, {}, {kVec}}},
    };
    return rows;
}

} // namespace

const TileOpMemory* tile_op_memory(std::string_view op) {
    static const std::unordered_map<std::string_view, const TileOpMemory*> by_name = [] {
        std::unordered_map<std::string_view, const TileOpMemory*> map;
        for (const TileOpMemory& row : table()) map.emplace(row.name, &row);
        return map;
    }();
    const auto found = by_name.find(op);
    return found == by_name.end() ? nullptr : found->second;
}

const TileOpMemory* tile_op_memory(const ir::ExprNode* value) {
    const auto* call = ir::as<ir::CallNode>(value);
    return call != nullptr && call->callee == ir::CalleeKind::Op ? tile_op_memory(call->op) : nullptr;
}

std::optional<TileSpace> target_memory(const ir::CallNode& call) {
    const auto* symbol = ir::as<ir::SymbolNode>(call.kwarg("target_memory"));
    return symbol == nullptr ? std::nullopt : ir::tile_space_from_name(symbol->last());
}

std::optional<TileSpace> output_space(const TileOpMemory& op, const ir::CallNode& call) {
    if (op.output == OutputSpace::Fixed) return op.space;
    if (op.output != OutputSpace::Keyword) return {};
    const auto written = target_memory(call);
    return written ? written : op.space;
}

} // namespace ls
