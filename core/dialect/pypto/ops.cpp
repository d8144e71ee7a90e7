#include "core/dialect/pypto/ops.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

namespace ls::pypto {

namespace {

constexpr OpInfo kOps[] = {
    // memory and movement
    {"tile.alloc", "memory_space size", "", "Reserves bytes of an on-chip memory."},
    {"tile.create", "shape", "dtype target_memory transpose", "A tile with undefined contents."},
    {"tile.load", "tensor offsets shapes valid_shape", "target_memory clamp",
     "Copies a window of a tensor into a tile."},
    {"tile.store", "tile offsets output_tensor shapes", "atomic", "Copies a tile into a window of a tensor."},
    {"tile.move", "tile", "target_memory blayout slayout", "Copies a tile to another on-chip memory."},
    {"tile.extract", "src index_row index_col shape", "target_memory", "Copies a window of a tile to another memory."},
    {"tile.slice", "tile shape offset valid_shape drop_dims", "pad_value", "A window of a tile, without a copy."},
    {"tile.assemble", "target source offset", "", "Writes a tile into a window of another."},
    {"tile.concat", "src0 src1", "", "Two tiles side by side."},
    {"tile.reshape", "tile shape", "", "The same bytes under another shape."},
    {"tile.transpose", "tile axis1 axis2 tmp_tile", "", "Exchanges two axes, moving data."},
    {"tile.transpose_view", "tile", "", "Exchanges rows and columns by re-reading the same bytes."},
    {"tile.reinterpret_view", "data", "dtype shape", "The same bytes under another element type."},
    {"tile.set_validshape", "tile valid_rows valid_cols", "", "Says how much of a tile is valid."},
    {"tile.full", "shape", "dtype value", "A tile filled with one value."},
    {"tile.fillpad", "tile", "pad_value", "Fills what is not valid."},
    {"tile.fillpad_inplace", "tile", "pad_value", "Fills what is not valid, in place."},
    {"tile.fillpad_expand", "tile shape", "pad_value", "Grows a tile and fills what is new."},
    {"tile.read", "tile indices", "", "One element."},
    {"tile.write", "tile indices value", "", "Sets one element."},
    {"tile.gather_row", "dst src dst_offset src_offset shapes", "transpose", "Gathers rows of a tensor."},
    // matrix products
    {"tile.matmul", "lhs rhs", "", "Acc = Left · Right."},
    {"tile.matmul_acc", "acc lhs rhs init_cond", "", "Acc += Left · Right."},
    {"tile.matmul_bias", "lhs rhs bias", "", "Acc = Left · Right + bias."},
    {"tile.matmul_mx", "lhs lhs_scale rhs rhs_scale", "", "Block-scaled product."},
    {"tile.matmul_mx_acc", "acc lhs lhs_scale rhs rhs_scale", "", "Block-scaled product, accumulated."},
    {"tile.batch_matmul", "lhs rhs", "", "One product for each batch."},
    {"tile.batch_matmul_acc", "acc lhs rhs", "", "One accumulated product for each batch."},
    {"tile.gemv", "lhs rhs", "acc_phase", "Vector times matrix."},
    {"tile.gemv_acc", "acc lhs rhs", "acc_phase", "Vector times matrix, accumulated."},
    // element by element
    {"tile.add", "lhs rhs", "", "Sum."},
    {"tile.sub", "lhs rhs", "", "Difference."},
    {"tile.mul", "lhs rhs", "", "Product."},
    {"tile.div", "lhs rhs", "high_precision", "Quotient."},
    {"tile.adds", "lhs rhs", "", "Sum with a scalar."},
    {"tile.subs", "lhs rhs", "", "Difference with a scalar."},
    {"tile.muls", "lhs rhs", "", "Product with a scalar."},
    {"tile.divs", "lhs rhs", "", "Quotient with a scalar."},
    {"tile.maximum", "lhs rhs", "", "Greater of two."},
    {"tile.minimum", "lhs rhs", "", "Lesser of two."},
    {"tile.cmp", "lhs rhs", "cmp_type", "Compares."},
    {"tile.neg", "tile", "", "Negation."},
    {"tile.exp", "tile", "", "Exponential."},
    {"tile.log", "tile", "high_precision", "Logarithm."},
    {"tile.sin", "tile", "", "Sine."},
    {"tile.cos", "tile", "", "Cosine."},
    {"tile.sqrt", "tile", "", "Square root."},
    {"tile.rsqrt", "tile tmp", "", "Reciprocal square root."},
    {"tile.recip", "tile", "high_precision", "Reciprocal."},
    {"tile.abs", "tile", "", "Absolute value."},
    {"tile.relu", "tile", "", "Zero where negative."},
    {"tile.cast", "tile", "target_type mode", "Converts elements."},
    {"tile.sel", "mask lhs rhs tmp", "", "Chooses by a mask."},
    // rows and columns
    {"tile.row_max", "tile tmp_tile", "", "Greatest of each row."},
    {"tile.row_min", "tile tmp_tile", "", "Least of each row."},
    {"tile.row_sum", "tile tmp_tile", "", "Sum of each row."},
    {"tile.row_prod", "tile tmp_tile", "", "Product of each row."},
    {"tile.col_max", "tile", "", "Greatest of each column."},
    {"tile.col_min", "tile", "", "Least of each column."},
    {"tile.col_sum", "tile tmp_tile", "", "Sum of each column."},
    {"tile.row_expand", "target row_vec", "", "A column vector over all columns."},
    {"tile.row_expand_add", "tile row_vec tmp", "", "Adds a column vector to each column."},
    {"tile.row_expand_sub", "tile row_vec", "", "Subtracts a column vector from each column."},
    {"tile.row_expand_mul", "tile row_vec", "", "Multiplies each column by a column vector."},
    {"tile.row_expand_div", "tile row_vec", "", "Divides each column by a column vector."},
    {"tile.col_expand", "target col_vec", "", "A row vector over all rows."},
    {"tile.col_expand_add", "tile col_vec", "", "Adds a row vector to each row."},
    {"tile.col_expand_sub", "tile col_vec", "", "Subtracts a row vector from each row."},
    {"tile.col_expand_mul", "tile col_vec", "", "Multiplies each row by a row vector."},
    {"tile.col_expand_div", "tile col_vec", "", "Divides each row by a row vector."},
    // where a kernel runs
    {"tile.get_block_idx", "", "", "Number of this block; never negative."},
    {"tile.get_block_num", "", "", "How many blocks run; never negative."},
    {"tile.get_subblock_idx", "", "", "Number of this vector core in its block."},
    // between cube and vector cores
    {"tile.tpush_to_aiv", "tile", "split", "Hands a tile to the vector cores."},
    {"tile.tpush_to_aic", "tile", "split", "Hands a tile to the cube core."},
    {"tile.tpop_from_aic", "", "split", "Takes a tile from the cube core."},
    {"tile.tpop_from_aiv", "", "split", "Takes a tile from the vector cores."},
    {"tile.aiv_shard", "x", "", "This vector core's share of a tile."},
    {"tile.aic_gather", "x", "", "The whole from the vector cores' shares."},
    // tensors
    {"tensor.create", "shape", "dtype layout manual_dep init_value", "A tensor in global memory."},
    {"tensor.slice", "tensor shape offset valid_shape drop_dims", "pad_value clamp",
     "A window of a tensor, without a copy."},
    {"tensor.reshape", "tensor shape", "", "The same elements under another shape."},
    {"tensor.transpose", "tensor axis1 axis2", "", "Exchanges two axes."},
    {"tensor.view", "tensor shape valid_shape", "layout", "The same bytes under another view."},
    {"tensor.reinterpret_view", "data", "dtype shape", "The same bytes under another element type."},
    {"tensor.assemble", "target source offset", "atomic", "Writes into a window of a tensor."},
    {"tensor.matmul", "lhs rhs", "out_dtype a_trans b_trans c_matrix_nz", "Matrix product."},
    {"tensor.matmul_acc", "acc lhs rhs", "a_trans b_trans init_cond", "Matrix product, accumulated."},
    {"tensor.read", "tensor indices", "", "One element."},
    {"tensor.write", "tensor indices value", "", "Sets one element."},
    {"tensor.dim", "tensor axis", "", "Extent of an axis."},
    {"tensor.full", "shape", "dtype value", "A tensor filled with one value."},
    {"tensor.cast", "input", "target_type mode", "Converts elements."},
    {"tensor.fillpad", "tensor", "pad_value", "Fills what is not valid."},
    {"tensor.add", "lhs rhs", "", "Sum."},
    {"tensor.sub", "lhs rhs", "", "Difference."},
    {"tensor.mul", "lhs rhs", "", "Product."},
    {"tensor.div", "lhs rhs", "high_precision", "Quotient."},
    {"tensor.maximum", "lhs rhs", "", "Greater of two."},
    {"tensor.minimum", "lhs rhs", "", "Lesser of two."},
    {"tensor.exp", "input", "", "Exponential."},
    {"tensor.neg", "input", "", "Negation."},
    {"tensor.sqrt", "input", "", "Square root."},
    {"tensor.rsqrt", "input", "high_precision", "Reciprocal square root."},
    {"tensor.recip", "input", "high_precision", "Reciprocal."},
    {"tensor.row_max", "input", "", "Greatest of each row."},
    {"tensor.row_sum", "input", "", "Sum of each row."},
    {"tensor.row_expand_sub", "tensor row_vec", "", "Subtracts a column vector from each column."},
    {"tensor.row_expand_mul", "tensor row_vec", "", "Multiplies each column by a column vector."},
    {"tensor.row_expand_div", "tensor row_vec", "", "Divides each column by a column vector."},
};

/// Spellings that belong to one namespace whatever their argument is.
struct Short {
    std::string_view name;
    std::string_view full;
};
constexpr Short kShorts[] = {
    {"load", "tile.load"},
    {"store", "tile.store"},
    {"move", "tile.move"},
    {"create_tile", "tile.create"},
    {"create_tensor", "tensor.create"},
    {"dim", "tensor.dim"},
    {"full", "tensor.full"},
    {"relu", "tile.relu"},
    {"matmul_bias", "tile.matmul_bias"},
    {"matmul_mx", "tile.matmul_mx"},
    {"matmul_mx_acc", "tile.matmul_mx_acc"},
    {"batch_matmul", "tile.batch_matmul"},
    {"gemv", "tile.gemv"},
    {"gemv_acc", "tile.gemv_acc"},
    {"sel", "tile.sel"},
    {"aiv_shard", "tile.aiv_shard"},
    {"aic_gather", "tile.aic_gather"},
    {"get_block_idx", "tile.get_block_idx"},
    {"get_block_num", "tile.get_block_num"},
    {"get_subblock_idx", "tile.get_subblock_idx"},
    {"tpush_to_aiv", "tile.tpush_to_aiv"},
    {"tpush_to_aic", "tile.tpush_to_aic"},
    {"tpop_from_aic", "tile.tpop_from_aic"},
    {"tpop_from_aiv", "tile.tpop_from_aiv"},
};

const std::unordered_map<std::string_view, const OpInfo*>& index() {
    static const auto table = [] {
        std::unordered_map<std::string_view, const OpInfo*> map;
        for (const OpInfo& op : kOps) map.emplace(op.name, &op);
        return map;
    }();
    return table;
}

} // namespace

std::span<const OpInfo> all_ops() { return kOps; }

const OpInfo* find_op(std::string_view name) {
    const auto found = index().find(name);
    return found == index().end() ? nullptr : found->second;
}

std::string_view qualify_op(std::string_view short_name, OperandKind first_argument) {
    const auto fixed =
        std::find_if(std::begin(kShorts), std::end(kShorts), [&](const Short& s) { return s.name == short_name; });
    if (fixed != std::end(kShorts)) return fixed->full;
    if (first_argument == OperandKind::Other) return {};
    const std::string full = (first_argument == OperandKind::Tile ? "tile." : "tensor.") + std::string(short_name);
    const OpInfo* op = find_op(full);
    return op != nullptr ? op->name : std::string_view{};
}

} // namespace ls::pypto
