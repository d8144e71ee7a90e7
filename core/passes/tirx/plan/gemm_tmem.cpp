#include "core/passes/tirx/plan/gemm_tmem.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/layout/catalogue/tmem.h"
#include "core/notation/tirx_text.h"

namespace ls::tirx {

namespace {

constexpr std::int64_t kHalfLanes = 64;

Iter on(std::int64_t extent, std::int64_t stride, Axis axis) { return {Dim(extent), Dim(stride), axis}; }

/// S[(M, 2, N/2):(1@TLane, 64@TLane, 1@TCol)]: column halves in lane halves.
TileLayout packed_fold(std::int64_t m, std::int64_t n) {
    TileLayout tile;
    tile.shard = {on(m, 1, axes::TLane), on(2, kHalfLanes, axes::TLane), on(n / 2, 1, axes::TCol)};
    return tile;
}
/// S[(2, M, X):(64@TLane, 1@TLane, 1@TCol)]: the same, halves first.
TileLayout batched_fold(std::int64_t m, std::int64_t columns) {
    TileLayout tile;
    tile.shard = {on(2, kHalfLanes, axes::TLane), on(m, 1, axes::TLane), on(columns, 1, axes::TCol)};
    return tile;
}
TileLayout identity(std::int64_t m, std::int64_t n) {
    TileLayout tile;
    tile.shard = {on(m, 1, axes::TLane), on(n, 1, axes::TCol)};
    return tile;
}

/// Whether the whole buffer is a Layout F over 64 rows.
bool is_datapath_f(const Operand& c) {
    if (c.shape.size() != 2 || !c.shape[0].is(64) || !c.shape[1].is_constant()) return false;
    const auto base = catalogue::tmem_datapath(catalogue::Datapath::F, 64, c.shape[1].value());
    return base.ok() && equals_but_offset(*c.layout, base->layout.tile());
}

Result<std::int64_t> cells_of(DType dtype) {
    if (bits(dtype) >= 1 && 32 % bits(dtype) == 0) return std::int64_t{32 / bits(dtype)};
    return error("GEMM_DTYPE", fmt::format("{} does not fit a 32-bit TMEM column", info(dtype).tirx));
}

} // namespace

Result<AccumulatorRegion> accumulator_region(const Operand& c) {
    LS_TRY(const Layout sliced, slice_of(c));
    if (sliced.is_compose()) return error("GEMM_TMEM_C", "C in TMEM cannot be swizzled", "use a plain TileLayout");
    LS_TRY(std::vector<std::int64_t> extent, constants(extents(c), "an extent of C,"));
    while (extent.size() > 2 && extent.front() == 1) extent.erase(extent.begin());
    AccumulatorRegion region;
    region.batched = extent.size() == 3 && extent[0] == 2;
    if (extent.size() != 2 && !region.batched) {
        return error("GEMM_SHAPE", fmt::format("Only 2D C, or the batched C[2, M, N/2], is supported; C is {}",
                                               to_string(extents(c))));
    }
    region.layout = sliced.tile();
    region.m = extent[extent.size() - 2];
    region.n = extent.back();
    if (!region.batched) return region;
    if (!equals_but_offset(sliced, batched_fold(region.m, region.n))) {
        return error("GEMM_TMEM_C",
                     fmt::format("batched C[2, {}, {}] must be the Layout-E fold S[(2, {}, {}):(64@TLane, 1@TLane, 1@TCol)], "
                                 "but it is {}",
                                 region.m, region.n, region.m, region.n, notation::print_tirx(sliced)));
    }
    region.n *= 2;
    TileLayout packed = packed_fold(region.m, region.n);
    packed.offset = region.layout.offset;
    region.layout = std::move(packed);
    return region;
}

Status place_accumulator(const Operand& c, const AccumulatorRegion& region, std::optional<bool> ws_config,
                         bool a_in_tmem, bool a_batched, GemmAsyncPlan& plan) {
    const std::int64_t m = region.m;
    const std::int64_t n = region.n;
    const Layout layout(region.layout);
    const bool two_by_two = m == 64 && plan.cta_group == 2;
    const bool packed = m == 64 && n % 2 == 0 && equals_but_offset(layout, packed_fold(m, n));
    const bool ws_shape = plan.cta_group == 1 && m == 64;
    if (packed && !two_by_two) {
        if (ws_config == false) {
            return error("GEMM_TMEM_C",
                         "gemm_async: C has the packed Layout-E fold (M, 2, N//2):(1@TLane, 64@TLane, 1@TCol), which "
                         "only a weight-stationary MMA writes, but weight_stationary=False was passed",
                         "drop the flag, or declare C with the Layout F of a dense M=64 MMA");
        }
        plan.weight_stationary = true;
    }
    if (plan.weight_stationary && ws_shape && !packed) {
        return error("GEMM_TMEM_C",
                     fmt::format("gemm_async: a weight-stationary MMA of M=64 writes the Layout-E fold (M, 2, N//2):(1@TLane, "
                                 "64@TLane, 1@TCol), but C is {}",
                                 notation::print_tirx(layout)),
                     "declare C packed or batched as C[2, M, N//2], or drop weight_stationary");
    }
    if (a_in_tmem && plan.weight_stationary && ws_shape && !a_batched) {
        return error("GEMM_TMEM_A",
                     "gemm_async: a weight-stationary MMA of M=64 reads A from both 64-lane halves of TMEM, but a flat "
                     "[M, K] names lanes 0 to 63 only",
                     "declare A batched: A[2, M, K] with layout (2, M, K):(64@TLane, 1@TLane, 1@TCol)");
    }
    const bool batched_fits = m == 64 && (plan.weight_stationary ? plan.cta_group == 1 : plan.cta_group == 2);
    if (a_batched && !batched_fits) {
        return error("GEMM_TMEM_A",
                     fmt::format("gemm_async: batched A[2, M, K] is only valid for Layout E (cta_group 1, weight-stationary, "
                                 "M=64) or Layout B (cta_group 2, dense, M=64); this is M={} with cta_group {}{}",
                                 m, plan.cta_group, plan.weight_stationary ? ", weight-stationary" : ""),
                     "declare A as a flat [M, K]");
    }
    TileLayout base = identity(m, n);
    if (two_by_two || packed) {
        base = packed_fold(m, n);
    } else if (m == 64 && is_datapath_f(c)) {
        LS_TRY(const TensorLayout scattered, catalogue::tmem_datapath(catalogue::Datapath::F, 64, n));
        base = scattered.layout.tile();
    }
    if (!equals_but_offset(layout, base)) {
        return error("GEMM_TMEM_C", fmt::format("C must be {} (at any offset) for M={}, N={}, cta_group {}, but it is {}",
                                                notation::print_tirx(Layout(base)), m, n, plan.cta_group,
                                                notation::print_tirx(layout)));
    }
    if (!c.allocated) return error("GEMM_TMEM_C", fmt::format("TMEM buffer {} has no allocated address", c.name));
    LS_TRY(const std::int64_t cells, cells_of(c.dtype));
    plan.c_origin = {region.layout.offset.get(axes::TLane), region.layout.offset.get(axes::TCol)};
    plan.n_tile_columns = (two_by_two || packed ? plan.tile.n / 2 : plan.tile.n) / cells;
    return ok_status();
}

Status place_tmem_a(const Operand& a, const Layout& sliced, bool batched, GemmAsyncPlan& plan) {
    if (sliced.is_compose()) return error("GEMM_TMEM_A", "A in TMEM cannot be swizzled", "use a plain TileLayout");
    if (!batched) {
        const std::array<std::int64_t, 2> shape{plan.m, plan.k};
        const auto base = catalogue::tmem_mma_operand(
            catalogue::MmaOperand::A, shape, {plan.m * plan.cta_group, plan.cta_group, plan.weight_stationary, false});
        if (!base) {
            return error("GEMM_TMEM_A", fmt::format("gemm_async: invalid TMEM A layout: {}", base.error().message),
                         base.error().hint);
        }
        if (!equals_but_offset(sliced, base->layout.tile())) {
            return error("GEMM_TMEM_A",
                         fmt::format("gemm_async: TMEM A must be {} (at any offset), but it is {}",
                                     notation::print_tirx(base->layout), notation::print_tirx(sliced)));
        }
    }
    if (!a.allocated) return error("GEMM_TMEM_A", fmt::format("TMEM buffer {} has no allocated address", a.name));
    LS_TRY(const std::int64_t cells, cells_of(a.dtype));
    const AxisMap& offset = sliced.tile().offset;
    plan.a_origin = {offset.get(axes::TLane), floor_div(offset.get(axes::TCol), Dim(cells))};
    plan.a_step_columns = plan.mma_k / cells;
    return ok_status();
}

Result<int> scales_per_mma(DType data, DType scale) {
    if (data == DType::Fp8E4M3 || data == DType::Fp8E5M2) return 1;
    if (data == DType::Fp4 && scale == DType::Fp8E8M0) return 2;
    if (data == DType::Fp4 && scale == DType::Fp8E4M3) return 4;
    return error("GEMM_SCALE", fmt::format("{} has no scale factors of {}", info(data).tirx, info(scale).tirx),
                 "fp8 takes e8m0, fp4 takes e8m0 or e4m3");
}

std::int64_t scale_rows(const Operand& operand) {
    if (operand.region.size() < 2) return 0;
    return operand.region[operand.region.size() - 2].extent.constant().value_or(0);
}

Result<ScaleOperand> scale_operand(const Operand& operand, std::string_view which, int per_mma) {
    LS_TRY(const Layout sliced, slice_of(operand));
    if (sliced.is_compose() || operand.region.size() < 2) {
        return error("GEMM_SCALE", fmt::format("{} must be a plain TileLayout of rows by scales", which));
    }
    LS_TRY(const std::vector<std::int64_t> shape, constants(extents(operand), "an extent of the scale factors,"));
    ScaleOperand scale;
    scale.layout = sliced.tile();
    scale.k = shape.back();
    const std::int64_t rows = shape[shape.size() - 2];
    if (scale.k % per_mma != 0 || rows % 32 != 0 || rows == 0) {
        return error("GEMM_SCALE", fmt::format("{} is [{}, {}], but needs rows in multiples of 32 and scales in multiples "
                                               "of {}",
                                               which, rows, scale.k, per_mma));
    }
    TileLayout atom;
    atom.shard = {on(32, 1, axes::TLane), on(per_mma, 1, axes::TCol)};
    atom.replica = {on(4, 32, axes::TLane)};
    const std::vector<Dim> interleaved{Dim(rows / 32), Dim(32), Dim(scale.k / per_mma), Dim(per_mma)};
    const std::vector<Dim> inner{Dim(32), Dim(per_mma)};
    if (!is_direct_sum_right(Layout(atom), sliced, interleaved, inner)) {
        return error("GEMM_SCALE",
                     fmt::format("{}: the layout {} is not made of the hardware's scale-factor atoms {}", which,
                                 notation::print_tirx(sliced), notation::print_tirx(Layout(atom))),
                     "lay scale factors out as sf_tmem does");
    }
    return scale;
}

} // namespace ls::tirx
