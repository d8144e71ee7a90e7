// Into which instructions a GEMM is cut (spec/tirx.md 7.1, step 8).
#pragma once

#include "core/machine/tensor_core/mma_kind.h"
#include "core/passes/tirx/plan/operand.h"

namespace ls::tirx {

/// Rows and columns of one instruction: rows of this CTA, columns of the whole CTA group.
struct MmaTile {
    std::int64_t m = 0;
    std::int64_t n = 0;
    bool operator==(const MmaTile&) const = default;
};

/// The largest instruction that divides [m, n]. m counts this CTA's rows, n all columns. Refused: GEMM_TILE.
Result<MmaTile> choose_mma_tile(std::int64_t m, std::int64_t n, int cta_group);

/// What `config` asks for with mma_m (rows of the whole CTA group) and mma_n, both or neither; checked against the
/// problem's rows (m, this CTA's), columns and kind. Nothing when it asks for nothing.
/// Refused: GEMM_TILE_CONFIG (one alone, no positive integer, or no fit), MMA_SHAPE.
Result<std::optional<MmaTile>> explicit_mma_tile(const Config& config, std::int64_t m, std::int64_t n, int cta_group,
                                                 tensor_core::MmaKind kind);

} // namespace ls::tirx
