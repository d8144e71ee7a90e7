// Scale factors of block-scaled MMAs: 8-bit scales, four to a 32-bit cell (spec/tirx.md 4.4).
#pragma once

#include <optional>

#include "core/layout/tensor_layout.h"

namespace ls::catalogue {

/// What both layouts are made from.
struct ScaleFactors {
    std::int64_t rows = 128;                ///< rows of the operand
    std::int64_t sf_k = 4;                  ///< scales of one row
    std::int64_t per_mma = 1;               ///< scales of a row that one MMA reads: 1, 2 or 4
    std::int64_t reuse = 1;                 ///< consecutive elements that share a scale, as a trailing axis of stride 0
    std::optional<std::int64_t> pipe_depth; ///< stages, as a leading axis
};

/// [pipe,] rows, sf_k[, reuse] in TMEM: 32 rows a lane slab, copied to all four slabs. TCol counts bytes.
/// Refused: SF_ROWS (multiple of 32), SF_PER_MMA (1, 2, 4), SF_K (multiple of per_mma), LAYOUT_EXTENT.
Result<TensorLayout> sf_tmem(const ScaleFactors& sf, std::optional<DType> dtype = {});
/// The same scales in shared memory, as tcgen05.cp 32x128b wants them: 512 bytes for 128 rows and 4 scales.
/// Refused: SF_ROWS (multiple of 128), SF_PER_MMA, SF_K (multiple of 4), LAYOUT_EXTENT.
Result<TensorLayout> sf_smem(const ScaleFactors& sf, std::optional<DType> dtype = {});

} // namespace ls::catalogue
