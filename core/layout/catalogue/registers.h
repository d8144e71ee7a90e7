// Who holds which element in registers: warpgroup-local tiles, tcgen05 load/store atoms, mma and ldmatrix fragments
// (spec/tirx.md 4.3). Axis m counts the elements of one thread.
#pragma once

#include <optional>

#include "core/layout/tensor_layout.h"

namespace ls::catalogue {

/// Thread = row, register = column. rows <= 128.
Result<TensorLayout> wg_local(std::int64_t cols, std::int64_t rows = 128, std::optional<DType> dtype = {});

enum class Tcgen05Shape : std::uint8_t { B32x32, B16x64, B16x128, B16x256 }; ///< .32x32b, .16x64b, .16x128b, .16x256b
std::string_view name(Tcgen05Shape shape);
std::optional<Tcgen05Shape> tcgen05_shape_from_name(std::string_view name);

struct Tcgen05Atom {
    TensorLayout layout;
    std::int64_t repeat = 1;    ///< the instruction's .xN
    std::int64_t registers = 1; ///< 32-bit registers of one thread
};
/// What a warpgroup holds after tcgen05.ld of [rows, cols].
/// Refused: TCGEN05_DTYPE (16 or 32 bits only), TCGEN05_ROWS (64 or 128), TCGEN05_FP32 (32x32b with 64 rows is fp32
/// only), TCGEN05_COLS (not a multiple of the atom), TCGEN05_REPEAT (.xN not in the instruction's set).
Result<Tcgen05Atom> tcgen05_atom(Tcgen05Shape shape, std::int64_t rows, std::int64_t cols, DType dtype);

enum class MmaFragment : std::uint8_t { A, B, D };
/// mma.m16n8k{8,16}: A is 16 × k, B is k × 8 (given as [k, 8]), D is 16 × 8. Refused: MMA_FRAG_K.
Result<TensorLayout> mma_frag(MmaFragment which, std::int64_t k = 8, std::optional<DType> dtype = {});
/// ldmatrix .x{1,2,4}: [8 rows, 4 lanes, num matrices, 2 elements]. Refused: LDMATRIX_NUM.
Result<TensorLayout> ldmatrix_frag(std::int64_t matrices, std::optional<DType> dtype = {});

} // namespace ls::catalogue
