// Shared-memory layouts of tensor-core operands: 8-row swizzle atoms, stacked (spec/tirx.md 4.1).
//
//     K-major, width w = 32, 64 or 128 bytes:     atom = 8 rows × w, swizzled as one piece
//
//        column block 0    column block 1          element (r, c) of [R, C] lies, before the swizzle, at
//        +-- atom 0 --+    +-- atom R/8 --+         (c / w) · R · w + r · w + c % w
//        +-- atom 1 --+    |     ...      |
#pragma once

#include <optional>

#include "core/layout/tensor_layout.h"

namespace ls::catalogue {

enum class SwizzleMode : std::uint8_t { None = 0, B32 = 1, B64 = 2, B128 = 3 }; ///< value = swizzle_len
std::string_view name(SwizzleMode mode);                                        ///< "none", "32B", "64B", "128B"
/// "none", "32B", "64B", "128B" or the numbers 0..3.
std::optional<SwizzleMode> swizzle_mode_from_name(std::string_view name);

/// Untouched low bits of an element offset: 16 bytes of elements, log2(128 / bits).
int swizzle_per_element(DType dtype);
/// Elements of an atom's row. Refused for None (MMA_SHARED_MODE) and for types of no power-of-two width
/// (MMA_SHARED_DTYPE).
Result<std::int64_t> mma_atom_columns(DType dtype, SwizzleMode mode);
/// The swizzle of one atom over its period. None gives the identity swizzle.
Result<Layout> mma_atom_layout(DType dtype, SwizzleMode mode);

/// Operand of logical shape [..., R, C], C contiguous (K-major). Rows must be whole atoms of 8 and columns whole atoms
/// of w (MMA_SHARED_ROWS, MMA_SHARED_COLS): otherwise elements would be left without a place. Mode None packs 16-byte
/// columns; it takes any rows and falls back to row-major when the columns are not whole 16-byte units.
Result<TensorLayout> mma_shared(DType dtype, SwizzleMode mode, std::span<const std::int64_t> shape);
/// Operand of logical shape [..., MN, K], MN contiguous: an atom is w × 8.
Result<TensorLayout> mma_shared_mn_major(DType dtype, SwizzleMode mode, std::span<const std::int64_t> shape);

/// mma_shared_layout exactly as the reference computes it, canonical. Where rows or columns are not whole atoms it
/// counts whole atoms only, so the result is smaller than the shape [Q]; refused when there is not one atom.
Result<Layout> mma_shared_reference(DType dtype, SwizzleMode mode, std::span<const std::int64_t> shape);

} // namespace ls::catalogue
