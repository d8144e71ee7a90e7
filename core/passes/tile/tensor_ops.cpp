#include "core/passes/tile/tensor_ops.h"

#include <unordered_map>

namespace ls::tile {

namespace {

using enum Conversion;

constexpr TensorOp kOps[] = {
    {"tensor.adds", Same, "tile.adds"},
    {"tensor.subs", Same, "tile.subs"},
    {"tensor.muls", Same, "tile.muls"},
    {"tensor.divs", Same, "tile.divs"},
    {"tensor.fmod", Same, "tile.fmod"},
    {"tensor.fmods", Same, "tile.fmods"},
    {"tensor.neg", Same, "tile.neg"},
    {"tensor.abs", Same, "tile.abs"},
    {"tensor.relu", Same, "tile.relu"},
    {"tensor.recip", Same, "tile.recip"},
    {"tensor.exp", Same, "tile.exp"},
    {"tensor.log", Same, "tile.log"},
    {"tensor.sin", Same, "tile.sin"},
    {"tensor.cos", Same, "tile.cos"},
    {"tensor.sqrt", Same, "tile.sqrt"},
    {"tensor.rsqrt", Rsqrt, "tile.rsqrt"},
    {"tensor.cast", Same, "tile.cast"},
    {"tensor.and", Same, "tile.and"},
    {"tensor.ands", Same, "tile.ands"},
    {"tensor.or", Same, "tile.or"},
    {"tensor.ors", Same, "tile.ors"},
    {"tensor.not", Same, "tile.not"},
    {"tensor.shl", Same, "tile.shl"},
    {"tensor.shls", Same, "tile.shls"},
    {"tensor.shr", Same, "tile.shr"},
    {"tensor.shrs", Same, "tile.shrs"},
    {"tensor.add", Arithmetic, "tile.add"},
    {"tensor.sub", Arithmetic, "tile.sub"},
    {"tensor.mul", Arithmetic, "tile.mul"},
    {"tensor.div", Arithmetic, "tile.div"},
    {"tensor.maximum", MinMax, "tile.maximum"},
    {"tensor.minimum", MinMax, "tile.minimum"},
    {"tensor.part_add", Same, "tile.part_add"},
    {"tensor.part_mul", Same, "tile.part_mul"},
    {"tensor.part_max", Same, "tile.part_max"},
    {"tensor.part_min", Same, "tile.part_min"},
    {"tensor.row_expand", Same, "tile.row_expand"},
    {"tensor.row_expand_add", Same, "tile.row_expand_add"},
    {"tensor.row_expand_sub", Same, "tile.row_expand_sub"},
    {"tensor.row_expand_mul", Same, "tile.row_expand_mul"},
    {"tensor.row_expand_div", Same, "tile.row_expand_div"},
    {"tensor.row_expand_max", Same, "tile.row_expand_max"},
    {"tensor.row_expand_min", Same, "tile.row_expand_min"},
    {"tensor.row_expand_expdif", Same, "tile.row_expand_expdif"},
    {"tensor.col_expand", Same, "tile.col_expand"},
    {"tensor.col_expand_add", Same, "tile.col_expand_add"},
    {"tensor.col_expand_sub", Same, "tile.col_expand_sub"},
    {"tensor.col_expand_mul", Same, "tile.col_expand_mul"},
    {"tensor.col_expand_div", Same, "tile.col_expand_div"},
    {"tensor.col_expand_max", Same, "tile.col_expand_max"},
    {"tensor.col_expand_min", Same, "tile.col_expand_min"},
    {"tensor.col_expand_expdif", Same, "tile.col_expand_expdif"},
    {"tensor.expands", Same, "tile.expands"},
    {"tensor.reshape", Same, "tile.reshape", false, true},
    {"tensor.reinterpret_view", Same, "tile.reinterpret_view", false, true},
    {"tensor.set_validshape", Same, "tile.set_validshape", false, true},
    {"tensor.transpose", Same, "tile.transpose"},
    {"tensor.concat", Same, "tile.concat"},
    {"tensor.full", Same, "tile.full"},
    {"tensor.ci", Same, "tile.ci"},
    {"tensor.random", Same, "tile.random"},
    {"tensor.get_block_idx", Same, "tile.get_block_idx"},
    {"tensor.get_block_num", Same, "tile.get_block_num"},
    {"tensor.get_subblock_idx", Same, "tile.get_subblock_idx"},
    {"tensor.row_max", Reduction, "tile.row_max"},
    {"tensor.row_min", Reduction, "tile.row_min"},
    {"tensor.row_sum", Reduction, "tile.row_sum"},
    {"tensor.row_prod", Reduction, "tile.row_prod"},
    {"tensor.col_max", Same, "tile.col_max"},
    {"tensor.col_min", Same, "tile.col_min"},
    {"tensor.col_sum", Same, "tile.col_sum"},
    {"tensor.col_prod", Same, "tile.col_prod"},
    {"tensor.row_argmax", ArgReduction, "tile.row_argmax"},
    {"tensor.row_argmin", ArgReduction, "tile.row_argmin"},
    {"tensor.col_argmax", ArgReduction, "tile.col_argmax"},
    {"tensor.col_argmin", ArgReduction, "tile.col_argmin"},
    {"tensor.sort32", Same, "tile.sort32"},
    {"tensor.mrgsort_format1", Same, "tile.mrgsort_format1"},
    {"tensor.gather_mask", Same, "tile.gather_mask"},
    {"tensor.cmp", Same, "tile.cmp"},
    {"tensor.aiv_shard", Same, "tile.aiv_shard"},
    {"tensor.aic_gather", Same, "tile.aic_gather"},
    {"tensor.matmul", Matmul, "tile.matmul", true},
    {"tensor.matmul_acc", MatmulAcc, "tile.matmul_acc"},
    {"tensor.slice", Slice, "tile.slice", true, true},
    {"tensor.assemble", Assemble, "tile.assemble", true},
    {"tensor.create", Create, "tile.create", true},
    {"tensor.fillpad", FillPad, "tile.fillpad", true, true},
    {"tensor.read", Element, "tile.read", true},
    {"tensor.write", Element, "tile.write", true},
    {"tensor.dim", Stays, {}, true},
    {"tensor.view", Stays, {}, true, true},
    {"pld.tensor.put", Put, "pld.tile.put", true},
    {"pld.tensor.get", Put, "pld.tile.get", true},
    {"pld.tensor.remote_store", RemoteStore, "pld.tile.remote_store"},
};

} // namespace

const TensorOp* tensor_op(std::string_view name) {
    static const auto table = [] {
        std::unordered_map<std::string_view, const TensorOp*> map;
        for (const TensorOp& op : kOps) map.emplace(op.name, &op);
        return map;
    }();
    const auto found = table.find(name);
    return found == table.end() ? nullptr : found->second;
}

const char* transpose_keyword(Conversion conversion, std::size_t operand) {
    const std::size_t first = conversion == Matmul ? 0 : conversion == MatmulAcc ? 1 : SIZE_MAX;
    if (first == SIZE_MAX || operand < first || operand > first + 1) return nullptr;
    return operand == first ? "a_trans" : "b_trans";
}

} // namespace ls::tile
