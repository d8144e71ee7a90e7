// Tensor memory: how tcgen05 lays accumulators and A operands over lanes and columns (spec/tirx.md 4.2).
// TCol counts elements of the buffer's type; 32-bit columns = TCol · bits / 32.
#pragma once

#include <array>
#include <optional>

#include "core/layout/tensor_layout.h"

namespace ls::catalogue {

/// Datapath letters of the PTX tables.
///
///     D, A   128 rows: row = lane                     F, C   64 rows: 16 rows in every 32 lanes
///     B, E   64 rows: column halves in lane halves    G      32 rows: column quarters in lane quarters
enum class Datapath : std::uint8_t { A, B, C, D, E, F, G };
char letter(Datapath datapath);
std::optional<Datapath> datapath_from_letter(char letter);
std::int64_t datapath_rows(Datapath datapath);

/// sub_slab: 0 or 1, which 16 lanes of each 32; 1 only for F and C.
/// Refused: TMEM_ROWS, TMEM_COLS, TMEM_SUB_SLAB, LAYOUT_EXTENT.
Result<TensorLayout> tmem_datapath(Datapath datapath, std::int64_t rows, std::int64_t cols,
                                   std::optional<DType> dtype = {}, std::int64_t sub_slab = 0);

enum class MmaOperand : std::uint8_t { A, D };

/// Which MMA reads or writes the operand. `m` is PTX's M (over both CTAs for cta_group 2).
struct MmaShape {
    std::int64_t m = 128;
    std::int64_t cta_group = 1;
    bool ws = false;
    bool sparse = false;
};
/// (1,128) D · (1,64) F, or E if ws · (2,256) A · (2,128) B. Refused: TMEM_SPARSE, TMEM_WS, TMEM_M.
Result<Datapath> mma_datapath(const MmaShape& mma);

/// Layout of a TMEM operand of per-CTA shape [rows, N], or of a shape that spells the fold out:
/// (2, 64, N/2), (64, 2, N/2), (64, s, 2, n) for B and E; `group` = (s, 2, n) views [64, N] so.
/// Refused: TMEM_SPARSE, TMEM_WS, TMEM_M, TMEM_ROWS, TMEM_OPERAND_SHAPE, TMEM_GROUP.
Result<TensorLayout> tmem_mma_operand(MmaOperand operand, std::span<const std::int64_t> shape, const MmaShape& mma,
                                      std::optional<DType> dtype = {},
                                      std::optional<std::array<std::int64_t, 3>> group = {});

} // namespace ls::catalogue
