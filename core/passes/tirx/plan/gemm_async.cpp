#include "core/passes/tirx/plan/gemm_async.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/passes/tirx/plan/gemm_tmem.h"

namespace ls::tirx {

namespace {

using tensor_core::MmaKind;
using tensor_core::MmaType;

Status check_scopes(const GemmAsync& call) {
    const bool a_fits = is_shared(call.a) || is_tmem(call.a);
    if (!is_tmem(call.c) || !is_shared(call.b) || !a_fits) {
        return error("GEMM_SCOPE",
                     fmt::format("tcgen05 schedule expected C in tmem, B in shared memory and A in shared memory or tmem, "
                                 "got C in {}, A in {}, B in {}",
                                 call.c.scope, call.a.scope, call.b.scope));
    }
    return ok_status();
}

bool one_of(DType type, std::initializer_list<DType> types) {
    return std::find(types.begin(), types.end(), type) != types.end();
}

/// The number formats that are multiplied.
struct Formats {
    MmaType a, b, c;
    std::optional<MmaType> scale_a, scale_b;
};

Result<Formats> check_types(const GemmAsync& call) {
    if (call.c.dtype != DType::Fp32) {
        return error("GEMM_DTYPE", fmt::format("tcgen05 schedule expected C of float32, got {}", info(call.c.dtype).tirx));
    }
    const bool tf32 = is_set(call.config, "is_AB_tf32");
    const bool scaled = call.sfa.has_value();
    const auto semantic = [tf32](DType type) { return tf32 ? DType::Tf32 : type; };
    for (const auto& [operand, which] : {std::pair{&call.a, 'A'}, std::pair{&call.b, 'B'}}) {
        const bool fits = scaled ? one_of(operand->dtype, {DType::Fp4, DType::Fp8E4M3})
                                 : one_of(semantic(operand->dtype), {DType::Fp16, DType::Bf16, DType::Fp8E4M3,
                                                                     DType::Fp8E5M2, DType::Tf32});
        if (!fits) {
            return error("GEMM_DTYPE",
                         fmt::format("tcgen05 schedule expected {} of {}, got {}", which,
                                     scaled ? "float4_e2m1fn or float8_e4m3fn (block-scaled)"
                                            : "float16, bfloat16, float8_e4m3fn, float8_e5m2 or tf32",
                                     info(operand->dtype).tirx),
                         operand->dtype == DType::Fp32 ? "pass is_AB_tf32=True to multiply float32 as tf32" : "");
        }
    }
    if (semantic(call.a.dtype) != semantic(call.b.dtype)) {
        return error("GEMM_DTYPE", fmt::format("tcgen05 schedule expects A and B of the same type, got {} and {}",
                                               info(call.a.dtype).tirx, info(call.b.dtype).tirx));
    }
    Formats formats{*tensor_core::mma_type(semantic(call.a.dtype)), *tensor_core::mma_type(semantic(call.b.dtype)),
                    MmaType::F32, {}, {}};
    if (!scaled) return formats;
    if (!is_tmem(*call.sfa) || !is_tmem(*call.sfb)) {
        return error("GEMM_SCOPE", fmt::format("tcgen05 block-scaled schedule expected SFA and SFB in tmem, got {} and {}",
                                               call.sfa->scope, call.sfb->scope));
    }
    for (const Operand* scale : {&*call.sfa, &*call.sfb}) {
        if (!one_of(scale->dtype, {DType::Fp8E8M0, DType::Fp8E4M3})) {
            return error("GEMM_DTYPE", fmt::format("scale factors are float8_e8m0fnu or float8_e4m3fn, got {}",
                                                   info(scale->dtype).tirx));
        }
    }
    formats.scale_a = tensor_core::mma_type(call.sfa->dtype);
    formats.scale_b = tensor_core::mma_type(call.sfb->dtype);
    return formats;
}

/// [MN, K] of an operand, its unit dimensions dropped.
Result<std::array<std::int64_t, 2>> matrix(const Operand& operand, std::span<const Dim> extent, bool transposed) {
    LS_TRY(const std::vector<std::int64_t> shape, constants(non_unit(extent), "an extent of an operand,"));
    if (shape.size() != 2) {
        return error("GEMM_SHAPE", fmt::format("Expected exactly 2 non-unit dims in the region of {}, got {}", operand.name,
                                               to_string(extent)));
    }
    return transposed ? std::array{shape[1], shape[0]} : std::array{shape[0], shape[1]};
}

Status check_tf32_major(const GemmAsyncPlan& plan) {
    if (plan.kind != MmaKind::Tf32) return ok_status();
    const bool a = plan.a && plan.a->mn_major;
    if (!a && !plan.b.mn_major) return ok_status();
    return error("GEMM_TF32_MAJOR",
                 fmt::format("gemm_async: tf32 operand {} is MN-major, which is PTX-illegal without the 128B swizzle of "
                             "32-byte atoms",
                             a ? 'A' : 'B'),
                 "lay it out with K contiguous");
}

/// The batched fold [2, M, K] of A in TMEM.
Result<bool> is_batched_a(const Operand& a, const Layout& sliced) {
    if (!is_tmem(a) || a.region.size() != 3 || !a.region[0].extent.is(2)) return false;
    TileLayout fold;
    fold.shard = {{Dim(2), Dim(64), axes::TLane}, {a.region[1].extent, Dim(1), axes::TLane},
                  {a.region[2].extent, Dim(1), axes::TCol}};
    if (!equals_but_offset(sliced, fold)) {
        return error("GEMM_TMEM_A", "batched A[2, M, K] must be S[(2, M, K):(64@TLane, 1@TLane, 1@TCol)]");
    }
    return true;
}

Status check_shapes(const GemmAsyncPlan& plan, std::int64_t a_m, std::int64_t b_n, std::int64_t b_k) {
    if (plan.k % plan.mma_k != 0) {
        return error("GEMM_SHAPE", fmt::format("tcgen05 schedule expected K in multiples of {}, got {}", plan.mma_k, plan.k));
    }
    if (a_m != plan.m) return error("GEMM_SHAPE", fmt::format("A has {} rows, but C has {}", a_m, plan.m));
    if (b_k != plan.k) return error("GEMM_SHAPE", fmt::format("A has K {}, but B has {}", plan.k, b_k));
    if (b_n * plan.cta_group != plan.n) {
        return error("GEMM_SHAPE", fmt::format("B has {} columns in each of {} CTA{}, but C has {}", b_n, plan.cta_group,
                                               plan.cta_group == 1 ? "" : "s", plan.n));
    }
    return ok_status();
}

Status check_scales(const GemmAsync& call, GemmAsyncPlan& plan) {
    if (scale_rows(*call.sfa) != plan.m || scale_rows(*call.sfb) < plan.n) {
        return error("GEMM_SCALE", fmt::format("SFA has {} rows and SFB {}, but M is {} and N is {}", scale_rows(*call.sfa),
                                               scale_rows(*call.sfb), plan.m, plan.n));
    }
    for (auto& [scale, which] : {std::pair{&*plan.sfa, "SFA"}, std::pair{&*plan.sfb, "SFB"}}) {
        const std::int64_t one = plan.scales_per_mma;
        const std::int64_t each = one * plan.k_iters;
        if (scale->k != one && scale->k != each && scale->k != each * scale->per_cell) {
            return error("GEMM_SCALE", fmt::format("{} has {} scales in a row; K {} needs {}, {} or {}", which, scale->k,
                                                   plan.k, one, each, each * scale->per_cell));
        }
        scale->step = plan.k_iters > 0 ? scale->k / plan.k_iters : 0;
    }
    plan.rotates_scale_id = plan.scales_per_mma < plan.sfa->per_cell && plan.sfa->step > 0;
    return ok_status();
}

Result<SmemDescMode> desc_mode(const GemmAsync& call) {
    const ConfigValue* value = find(call.config, "smem_desc");
    if (value == nullptr) return SmemDescMode::Hoist;
    const auto* text = std::get_if<std::string>(value);
    for (const auto mode : {SmemDescMode::Hoist, SmemDescMode::LocalHoist, SmemDescMode::Encode, SmemDescMode::Recompute}) {
        if (text == nullptr || *text != name(mode)) continue;
        if (mode == SmemDescMode::Encode && call.sfa) {
            return error("GEMM_CONFIG", "tcgen05 gemm_async smem_desc='encode' is only implemented for dense MMA",
                         "use hoist, local_hoist or recompute");
        }
        return mode;
    }
    return error("GEMM_CONFIG", fmt::format("smem_desc is {}", to_string(*value)),
                 "it is 'hoist', 'local_hoist', 'encode' or 'recompute'");
}

} // namespace

std::string_view name(SmemDescMode mode) {
    static constexpr std::array<std::string_view, 4> names{"hoist", "local_hoist", "encode", "recompute"};
    return names[static_cast<std::size_t>(mode)];
}

std::string address_text(std::string_view base, const TmemPlace& place) {
    if (proves_equal(place.lane, Dim(0))) {
        if (proves_equal(place.column, Dim(0))) return std::string(base);
        return fmt::format("{} + {}", base, to_string(place.column));
    }
    return fmt::format("T.cuda.get_tmem_addr({}, {}, {})", base, to_string(place.lane), to_string(place.column));
}

std::string GemmAsyncPlan::instruction() const {
    std::string text = fmt::format("tcgen05.mma{}.cta_group::{}.kind::{}", weight_stationary && !block_scaled ? ".ws" : "",
                                   cta_group, tensor_core::name(kind));
    if (block_scaled) text += fmt::format(".block_scale.scale_vec::{}X", scales_per_mma);
    return text;
}

std::string GemmAsyncPlan::entry() const {
    return fmt::format("tcgen05_mma_{}{}", block_scaled ? "block_scale_" : weight_stationary ? "ws_" : "", a ? "ss" : "ts");
}

int GemmAsyncPlan::lane_masks() const {
    if (block_scaled || weight_stationary) return 0;
    return cta_group == 1 ? 4 : 8;
}

TmemPlace GemmAsyncPlan::d_place(const Dim& mi, const Dim& ni) const {
    return {m_tiles == 1 ? c_origin.lane : c_origin.lane + mi * tile.m, c_origin.column + ni * n_tile_columns};
}

Result<Dim> GemmAsyncPlan::a_offset_16b(const Dim& mi, const Dim& ki) const {
    if (!a_tiles_) return error("GEMM_TMEM_A", "A lies in TMEM and has no descriptor");
    return a_tiles_->offset_16b(mi * tile.m, ki * mma_k);
}

TmemPlace GemmAsyncPlan::a_place(const Dim& mi, const Dim& ki) const {
    return {m_tiles == 1 ? a_origin.lane : a_origin.lane + mi * tile.m, a_origin.column + ki * a_step_columns};
}

Result<Dim> GemmAsyncPlan::b_offset_16b(const Dim& ni, const Dim& ki) const {
    return b_tiles_->offset_16b(ni * (tile.n / cta_group), ki * mma_k);
}

namespace {

Result<GemmAsyncPlan::ScalePlace> scale_place(const ScaleOperand& scale, const Dim& row, const Dim& ki) {
    LS_TRY(const AxisMap at, apply(Layout(scale.layout), row * scale.k + ki * scale.step));
    const Dim column = at.get(axes::TCol);
    return GemmAsyncPlan::ScalePlace{{at.get(axes::TLane), floor_div(column, Dim(scale.per_cell))},
                                     floor_mod(column, Dim(scale.per_cell))};
}

} // namespace

Result<GemmAsyncPlan::ScalePlace> GemmAsyncPlan::sfa_place(const Dim& mi, const Dim& ki) const {
    if (!sfa) return error("GEMM_SCALE", "a dense MMA has no scale factors");
    return scale_place(*sfa, mi * tile.m, ki);
}

Result<GemmAsyncPlan::ScalePlace> GemmAsyncPlan::sfb_place(const Dim& ni, const Dim& ki) const {
    if (!sfb) return error("GEMM_SCALE", "a dense MMA has no scale factors");
    return scale_place(*sfb, ni * (tile.n / cta_group), ki);
}

Result<GemmAsyncPlan> plan_gemm_async(const GemmAsync& call) {
    if (call.sfa.has_value() != call.sfb.has_value()) {
        return error("GEMM_SCALE", "SFA and SFB must come together", "pass both scale factors or neither");
    }
    LS_CHECK(check_scopes(call));
    LS_TRY(const Formats formats, check_types(call));
    GemmAsyncPlan plan;
    plan.block_scaled = call.sfa.has_value();
    plan.trans_a = call.trans_a;
    plan.trans_b = call.trans_b;
    if (plan.block_scaled) {
        LS_TRY(plan.scales_per_mma, scales_per_mma(call.a.dtype, call.sfa->dtype));
        LS_TRY(const int for_b, scales_per_mma(call.b.dtype, call.sfb->dtype));
        if (plan.scales_per_mma != for_b) {
            return error("GEMM_SCALE", fmt::format("SFA gives {} scales to an MMA, SFB {}", plan.scales_per_mma, for_b));
        }
        LS_TRY(plan.sfa, scale_operand(*call.sfa, "SFA", plan.scales_per_mma));
        LS_TRY(plan.sfb, scale_operand(*call.sfb, "SFB", plan.scales_per_mma));
    }
    LS_TRY(const std::int64_t cta_group, integer(call.config, "cta_group", 1));
    if (cta_group != 1 && cta_group != 2) {
        return error("GEMM_CONFIG", fmt::format("tcgen05 schedule expected cta_group=1 or 2, got {}", cta_group));
    }
    plan.cta_group = static_cast<int>(cta_group);
    plan.caller_descriptor = find(call.config, "descI") != nullptr;
    if (plan.caller_descriptor && !plan.block_scaled) {
        return error("GEMM_CONFIG", "descI was removed: the instruction descriptor of a dense MMA is encoded here",
                     "drop descI");
    }

    const bool a_in_tmem = is_tmem(call.a);
    LS_TRY(const Layout a_sliced, slice_of(call.a));
    LS_TRY(plan.b_tiles_, OperandTiles::make(call.b, call.trans_b));
    if (!a_in_tmem) {
        LS_TRY(plan.a_tiles_, OperandTiles::make(call.a, call.trans_a));
    }
    LS_TRY(const AccumulatorRegion c, accumulator_region(call.c));
    plan.m = c.m;
    plan.n = c.n;
    const ConfigValue* ws = find(call.config, "weight_stationary");
    const std::optional<bool> ws_config = ws == nullptr ? std::nullopt : std::optional(is_set(call.config, "weight_stationary"));
    plan.weight_stationary = ws_config.value_or(false) || (c.batched && plan.cta_group == 1);
    LS_TRY(const bool a_batched, is_batched_a(call.a, a_sliced));
    std::vector<Dim> a_extent = extents(call.a);
    if (a_batched) a_extent.erase(a_extent.begin());
    LS_TRY(const auto a_matrix, matrix(call.a, a_extent, call.trans_a));
    LS_TRY(const auto b_matrix, matrix(call.b, extents(call.b), call.trans_b));

    if (a_in_tmem && call.trans_a) {
        return error("GEMM_TMEM_A", "tcgen05 schedule: transA must be False when A is in tmem", "store A as [M, K]");
    }
    if (!a_in_tmem) {
        LS_TRY(plan.a, match_smem_operand(call.a, call.trans_a));
    }
    LS_TRY(plan.b, match_smem_operand(call.b, call.trans_b));
    LS_TRY(plan.kind, tensor_core::mma_kind(formats.c, formats.a, formats.b, formats.scale_a, formats.scale_b));
    LS_CHECK(check_tf32_major(plan));
    plan.k = a_matrix[1];
    plan.mma_k = call.a.dtype == DType::Fp4 ? 64 : tensor_core::mma_k(plan.kind);

    LS_TRY(const auto asked, explicit_mma_tile(call.config, plan.m, plan.n, plan.cta_group, plan.kind));
    if (asked) {
        plan.tile = *asked;
    } else {
        LS_TRY(plan.tile, choose_mma_tile(plan.m, plan.n, plan.cta_group));
    }
    plan.m_tiles = plan.m / plan.tile.m;
    plan.n_tiles = plan.n / plan.tile.n;
    plan.k_iters = plan.k / plan.mma_k;
    LS_CHECK(check_shapes(plan, a_matrix[0], b_matrix[0], b_matrix[1]));
    if (plan.block_scaled) LS_CHECK(check_scales(call, plan));
    LS_CHECK(place_accumulator(call.c, c, ws_config, a_in_tmem, a_batched, plan));
    if (a_in_tmem) LS_CHECK(place_tmem_a(call.a, a_sliced, a_batched, plan));

    if (plan.weight_stationary && plan.cta_group != 1) {
        return error("GEMM_CONFIG", fmt::format("'cta_group::{}' is not a valid modifier for tcgen05.mma.ws, which takes cta_group::1 alone", plan.cta_group),
                     "drop weight_stationary, or cta_group");
    }
    LS_TRY(plan.desc_mode, desc_mode(call));
    plan.elect = call.warp_scope;
    plan.broadcast_low = call.warp_scope && plan.desc_mode == SmemDescMode::Hoist;
    tensor_core::InstructionDescriptor idesc;
    idesc.kind = plan.kind;
    idesc.d = formats.c;
    idesc.a = formats.a;
    idesc.b = formats.b;
    idesc.scale = formats.scale_a.value_or(MmaType::E8M0);
    idesc.m = plan.tile.m * plan.cta_group;
    idesc.n = plan.tile.n;
    idesc.a_mn_major = plan.a && plan.a->mn_major;
    idesc.b_mn_major = plan.b.mn_major;
    if (!plan.caller_descriptor) {
        LS_TRY(plan.idesc, encode(idesc, plan.cta_group, plan.mma_k));
    }
    return plan;
}

} // namespace ls::tirx
