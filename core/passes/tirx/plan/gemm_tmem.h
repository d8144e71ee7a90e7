// Private to the gemm_async plan: what TMEM operands must look like (spec/tirx.md 7.1, steps 4, 9, 10, 11).
#pragma once

#include "core/passes/tirx/plan/gemm_async.h"

namespace ls::tirx {

/// C's region, its matrix shape and its layout with a batched fold [2, M, N/2] written as the packed one.
struct AccumulatorRegion {
    std::int64_t m = 0;
    std::int64_t n = 0;
    bool batched = false;
    TileLayout layout;
};
Result<AccumulatorRegion> accumulator_region(const Operand& c);

/// Decides .ws, checks C's layout and fills c_origin and n_tile_columns. `ws_config`: what the call says, if anything.
Status place_accumulator(const Operand& c, const AccumulatorRegion& region, std::optional<bool> ws_config,
                         bool a_in_tmem, bool a_batched, GemmAsyncPlan& plan);
/// Checks A's layout and fills a_origin and a_step_columns.
Status place_tmem_a(const Operand& a, const Layout& sliced, bool batched, GemmAsyncPlan& plan);

/// Scales that one instruction reads of a row. Refused: GEMM_SCALE.
Result<int> scales_per_mma(DType data, DType scale);
/// The region of scale factors, checked to be made of the hardware's atoms.
Result<ScaleOperand> scale_operand(const Operand& operand, std::string_view which, int per_mma);
std::int64_t scale_rows(const Operand& operand);

} // namespace ls::tirx
