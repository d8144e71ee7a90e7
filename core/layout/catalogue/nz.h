// Ascend layouts: the NZ tensor in global memory and the six orders of tiles in on-chip memories (spec/nz.md A.3, A.4).
//
// A fractal is a box of 512 bytes: 16 lines of 32 bytes (C0 elements each). NZ walks, from inside out: C0 elements of
// a line, 16 lines of a fractal, the fractals down the rows, the column blocks.
//
//     [R, C]    column block 0   column block 1              element (r, c) lies at
//              +--- fractal 0 --+--- fractal R/16 ---+        (c / C0) · R · C0      column block
//              +--- fractal 1 --+--- ...             |      + (r / 16) · 16 · C0     fractal
//              |       ...      |                    |      + (r % 16) · C0          line in fractal
//              +----------------+--------------------+      + (c % C0)               within the C0 line
#pragma once

#include <array>

#include "core/layout/tensor_layout.h"

namespace ls::catalogue {

/// Rows of a fractal; the cube's minimum and alignment in every dimension.
inline constexpr std::int64_t kFractalRows = 16;

/// Elements of one 32-byte C0 line = 256 / bits. Refused: NZ_DTYPE_SUBBYTE (below 8 bits; FP64 counts as such, it has
/// no width in pypto), NZ_DTYPE_UNSUPPORTED.
Result<std::int64_t> c0_elements(DType dtype);

/// The blocked form of an NZ tensor: always rank 5.
struct NzBlocking {
    std::array<std::int64_t, 5> shape;        ///< [B, C/c0, R/16, 16, c0]
    std::array<std::int64_t, 5> stride_elems; ///< [R·C, R·c0, 16·c0, c0, 1]
};
/// Refused: NZ_RANK_LT_2, NZ_DTYPE_*, NZ_ROWS_UNALIGNED, NZ_COLS_UNALIGNED (in this order), LAYOUT_OVERFLOW.
Result<NzBlocking> nz_blocking(std::span<const std::int64_t> shape, DType dtype);

/// NZ tensor in global memory of logical shape [..., R, C], any rank >= 2; leading axes are batches.
/// Roles: "batch", "fractal", "line in fractal", "column block", "within C0 line". Refused as nz_blocking.
Result<TensorLayout> nz_tensor(std::span<const std::int64_t> shape, DType dtype);
/// Row-major tensor [..., R, C] in global memory.
Result<TensorLayout> nd_tensor(std::span<const std::int64_t> shape, DType dtype);
/// Tensor [..., R, C] whose rows are the fastest; leading axes row-major. Refused: NZ_RANK_LT_2.
Result<TensorLayout> dn_tensor(std::span<const std::int64_t> shape, DType dtype);

/// Order of boxes and order inside a box: (row, none) (col, none) (col, row) (row, col) (row, row) (col, col).
enum class TileOrder : std::uint8_t { Nd, Dn, Nz, Zn, Zz, Nn };
std::string_view name(TileOrder order);

/// Bytes of a box: 512 (A and B operands), 1024 (accumulator, 16 x 16), 32 (MX scale).
enum class Fractal : std::uint16_t { Operand = 512, Accumulator = 1024, Scale = 32 };

struct Box {
    std::int64_t rows = 1;
    std::int64_t cols = 1;
    bool operator==(const Box&) const = default;
};
/// Rows x columns of the inner box. 1 x 1 for ND and DN. Refused: TILE_DTYPE_SUBBYTE, TILE_DTYPE_BOX.
Result<Box> inner_box(TileOrder order, DType dtype, Fractal fractal = Fractal::Operand);

/// A tile [rows, cols] in L1, L0 or UB. Rows and columns must be whole boxes; a single row is allowed.
/// Refused: TILE_ROWS_UNALIGNED, TILE_COLS_UNALIGNED, TILE_DTYPE_*, LAYOUT_EXTENT, LAYOUT_OVERFLOW.
Result<TensorLayout> tile_layout(TileOrder order, std::int64_t rows, std::int64_t cols, DType dtype,
                                 Fractal fractal = Fractal::Operand, MemorySpace space = MemorySpace::Unknown);
/// pto-isa's rule for tiles without boxes: a line must be whole 32-byte units. Refused: TILE_LINE_UNALIGNED.
Status check_unboxed_line(TileOrder order, std::int64_t rows, std::int64_t cols, DType dtype);

} // namespace ls::catalogue
