// What becomes of a tensor operation inside a kernel: the tile operation that does it, and what it wants of its
// operands.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ls::tile {

enum class Conversion : std::uint8_t {
    Same,         ///< tile.NAME with the same operands and keywords
    Arithmetic,   ///< tile.NAME; tile.row_expand_NAME where one operand is a column; tile.NAMEs with a scalar
    MinMax,       ///< tile.NAME, tile.NAMEs with a scalar
    Rsqrt,        ///< with a scratch tile when high precision is asked for
    Reduction,    ///< with a scratch tile of at least 128 columns
    ArgReduction, ///< with a scratch tile of the operand's shape
    Matmul,       ///< tile.matmul, tile.batch_matmul beyond rank 2; operands are brought to Mat
    MatmulAcc,    ///< the same with an accumulator before them
    Slice,        ///< tile.load of a tensor, tile.slice of a tile
    Assemble,     ///< tile.store into a tensor, tile.assemble into a tile
    Create,       ///< tile.create in Vec
    FillPad,      ///< tile.fillpad, after a load where the operand is a tensor
    Element,      ///< tile.read/write of a tile; of a tensor it stays
    Put,          ///< pld.tile.put/get with a staging tile
    RemoteStore,  ///< only its first operand is a tile
    Stays,        ///< a tensor operation that kernels have: tensor.dim, tensor.view
};

struct TensorOp {
    std::string_view name;          ///< "tensor.matmul"
    Conversion conversion;
    std::string_view tile;          ///< "tile.matmul"
    bool loads_itself = false;      ///< takes tensors: no load is put before it
    bool inherits_memory = false;   ///< the result is another view of its first operand's bytes
};

/// Null for operations that no kernel form is known of here.
const TensorOp* tensor_op(std::string_view name);

/// The keyword that says whether this operand of a product is transposed; null when it is no operand of the product.
const char* transpose_keyword(Conversion conversion, std::size_t operand);

} // namespace ls::tile
