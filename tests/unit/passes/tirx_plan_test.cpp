// Plans of tile primitives: the worked example of spec/tirx.md 12, and descriptors walked against the layouts.
#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include "core/layout/catalogue/registers.h"
#include "core/layout/catalogue/tmem.h"
#include "core/passes/tirx/plan/copy_partition.h"
#include "core/passes/tirx/plan/descriptor_report.h"
#include "core/passes/tirx/plan/dsmem.h"
#include "core/passes/tirx/plan/gemm_async.h"
#include "core/passes/tirx/plan/permute_layout.h"
#include "core/passes/tirx/plan/tcgen05_cp.h"
#include "core/passes/tirx/plan/tcgen05_ldst.h"
#include "core/passes/tirx/plan/tma.h"

namespace ls::tirx {
namespace {

using catalogue::SwizzleMode;

Layout rows(std::vector<std::int64_t> shape) { return Layout(row_major(shape)); }

Operand shared_operand(DType dtype, SwizzleMode mode, std::vector<std::int64_t> shape, bool mn_major = false) {
    const auto layout = mn_major ? catalogue::mma_shared_mn_major(dtype, mode, shape) : catalogue::mma_shared(dtype, mode, shape);
    EXPECT_TRUE(layout.ok());
    return whole("operand", "shared.dyn", dtype, to_dims(shape), layout->layout);
}

Operand accumulator(std::int64_t m, std::int64_t n) {
    TileLayout tile;
    tile.shard = {{Dim(m), Dim(1), axes::TLane}, {Dim(n), Dim(1), axes::TCol}};
    return whole("C", "tmem", DType::Fp32, {Dim(m), Dim(n)}, Layout(tile));
}

GemmAsync worked_example() {
    GemmAsync call;
    call.a = shared_operand(DType::Fp16, SwizzleMode::B128, {128, 64});
    call.b = call.a;
    call.c = accumulator(128, 128);
    return call;
}

TEST(GemmAsync, WorkedExample) {
    const auto plan = plan_gemm_async(worked_example());
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->tile, (MmaTile{128, 128}));
    EXPECT_EQ(plan->k_iters, 4);
    EXPECT_EQ(plan->idesc, 136314896U);
    EXPECT_EQ(*plan->a, (SmemOperand{tensor_core::SmemSwizzle::B128, 0, 64, false}));
    EXPECT_EQ(plan->instruction(), "tcgen05.mma.cta_group::1.kind::f16");
    EXPECT_EQ(plan->entry(), "tcgen05_mma_ss");
    EXPECT_EQ(plan->lane_masks(), 4);
    for (std::int64_t ki = 0; ki < 4; ++ki) EXPECT_EQ(plan->a_offset_16b(0, ki).value(), Dim(2 * ki));
    // As an expression of the loop variable too.
    const Dim ki = Dim::symbol("ki", 0, 3);
    EXPECT_EQ(to_string(plan->b_offset_16b(0, ki).value()), "ki * 2");
    EXPECT_EQ(plan->d_place(0, Dim::symbol("ni", 0, 0)), (TmemPlace{Dim(0), Dim::symbol("ni", 0, 0) * 128}));
}

TEST(GemmAsync, StagesAndColumnsMoveTheOffsets) {
    GemmAsync call = worked_example();
    call.b = shared_operand(DType::Fp16, SwizzleMode::B128, {3, 128, 64});
    call.b.region[0] = {Dim(2), Dim(1)};
    call.c = accumulator(128, 512);
    call.c.region[1] = {Dim(256), Dim(128)};
    const auto plan = plan_gemm_async(call);
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->b_offset_16b(0, 3).value(), Dim(2054));
    EXPECT_EQ(address_text("base", plan->d_place(0, 0)), "base + 256");
}

TEST(GemmAsync, RefusesWithTheFirstRuleThatFails) {
    GemmAsync call = worked_example();
    call.b.scope = "local";
    EXPECT_EQ(plan_gemm_async(call).error().code, "GEMM_SCOPE");
    call = worked_example();
    call.c.dtype = DType::Fp16;
    EXPECT_EQ(plan_gemm_async(call).error().code, "GEMM_DTYPE");
    call = worked_example();
    call.config.emplace("descI", Opaque{"d"});
    EXPECT_EQ(plan_gemm_async(call).error().code, "GEMM_CONFIG");
    call = worked_example();
    call.c = accumulator(128, 256);
    EXPECT_EQ(plan_gemm_async(call).error().code, "GEMM_SHAPE");
    call = worked_example();
    call.c.allocated = false;
    EXPECT_EQ(plan_gemm_async(call).error().code, "GEMM_TMEM_C");
    call = worked_example();
    call.config.emplace("mma_m", std::int64_t{128});
    EXPECT_EQ(plan_gemm_async(call).error().code, "GEMM_TILE_CONFIG");
    call = worked_example();
    call.a.layout = rows({128, 64});
    EXPECT_EQ(plan_gemm_async(call).error().code, "SMEM_OPERAND_PLAIN");
    EXPECT_EQ(choose_mma_tile(96, 64, 1).error().code, "GEMM_TILE");
}

TEST(GemmAsync, PackedAccumulatorIsWeightStationary) {
    GemmAsync call;
    call.a = shared_operand(DType::Bf16, SwizzleMode::B128, {64, 64});
    call.b = shared_operand(DType::Bf16, SwizzleMode::B128, {128, 64});
    TileLayout packed;
    packed.shard = {{Dim(64), Dim(1), axes::TLane}, {Dim(2), Dim(64), axes::TLane}, {Dim(64), Dim(1), axes::TCol}};
    call.c = whole("C", "tmem", DType::Fp32, {Dim(64), Dim(128)}, Layout(packed));
    const auto plan = plan_gemm_async(call);
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_TRUE(plan->weight_stationary);
    EXPECT_EQ(plan->n_tile_columns, 64);
    EXPECT_EQ(plan->lane_masks(), 0);
    call.config.emplace("weight_stationary", false);
    EXPECT_EQ(plan_gemm_async(call).error().code, "GEMM_TMEM_C");
}

/// The hardware's walk over ldo, sdo and the swizzle reaches every element where the layout has it, bit for bit.
TEST(SmemOperand, WalkingTheDescriptorGivesTheLayoutsAddresses) {
    int walked = 0;
    for (const DType dtype : {DType::Fp4, DType::Fp8E4M3, DType::Fp16, DType::Fp32}) {
        for (const SwizzleMode mode : {SwizzleMode::None, SwizzleMode::B32, SwizzleMode::B64, SwizzleMode::B128}) {
            for (const std::int64_t mn : {64, 128}) {
                for (const std::int64_t units : {1, 4, 8}) {
                    const std::int64_t k = units * instruction_k(dtype);
                    for (const bool mn_major : {false, true}) {
                        if (mode == SwizzleMode::None && (mn_major || dtype != DType::Fp16)) continue;
                        const std::vector<std::int64_t> shape{mn, k};
                        const auto layout = mn_major ? catalogue::mma_shared_mn_major(dtype, mode, shape) : catalogue::mma_shared(dtype, mode, shape);
                        if (!layout) continue;
                        DescriptorQuery query;
                        query.operand = whole("operand", "shared", dtype, to_dims(shape), layout->layout);
                        query.base_address_bytes = 3072;
                        const auto report = report_descriptor(query);
                        // The last dimension is taken in whole atom widths, whichever is contiguous.
                        if (!report) {
                            EXPECT_EQ(report.error().code, "SMEM_OPERAND_ATOM");
                            EXPECT_NE(k % catalogue::mma_atom_columns(dtype, mode).value(), 0);
                            continue;
                        }
                        EXPECT_EQ(report->operand.mn_major, mn_major);
                        EXPECT_EQ(report->elements, mn * k);
                        EXPECT_EQ(report->matching, report->elements) << info(dtype).brief << " " << catalogue::name(mode) << " " << mn << " x " << k;
                        ++walked;
                    }
                }
            }
        }
    }
    EXPECT_GE(walked, 40);
}

TEST(SmemOperand, AnUnalignedBaseIsFoundByTheWalk) {
    DescriptorQuery query;
    query.operand = shared_operand(DType::Fp16, SwizzleMode::B128, {128, 64});
    query.base_address_bytes = 128;
    const auto report = report_descriptor(query);
    ASSERT_TRUE(report);
    EXPECT_TRUE(report->witness.has_value());
    EXPECT_LT(report->matching, report->elements);
}

TEST(SmemOperand, SubAtomSlicesKeepTheBuffersDescriptor) {
    Operand operand = shared_operand(DType::Fp16, SwizzleMode::B128, {128, 64});
    operand.region[1] = {Dim(16), Dim(32)};
    EXPECT_EQ(match_smem_operand(operand, false).value(), (SmemOperand{tensor_core::SmemSwizzle::B128, 0, 64, false}));
    operand.region[1] = {Dim(4), Dim(32)};
    EXPECT_EQ(match_smem_operand(operand, false).error().code, "SMEM_OPERAND_ALIGNMENT");
}

TEST(Tcgen05Cp, InfersTheWidestShape) {
    Tcgen05Cp call;
    call.shared = shared_operand(DType::Bf16, SwizzleMode::B64, {128, 32});
    call.tmem = accumulator(128, 32);
    call.tmem.dtype = DType::Bf16;
    const auto plan = plan_tcgen05_cp(call);
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->instruction(), "tcgen05.cp.cta_group::1.128x256b");
    EXPECT_EQ(plan->loops, (std::vector<Tcgen05CpPlan::Loop>{{2, 2, 8}}));
    call.config.emplace("shape", std::string("32x128b"));
    EXPECT_EQ(plan_tcgen05_cp(call).error().code, "CP_REPLICA");
    call.config.insert_or_assign("shape", std::string("96x128b"));
    EXPECT_EQ(plan_tcgen05_cp(call).error().code, "CP_CONFIG");
}

TEST(Tcgen05LdSt, ReadbackOfTheWorkedExample) {
    Tcgen05LdSt call;
    call.tmem = accumulator(128, 128);
    call.local = whole("D", "local", DType::Fp32, {Dim(128), Dim(128)}, catalogue::wg_local(128)->layout);
    const auto plan = plan_tcgen05_ldst(call);
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->instruction(), "tcgen05.ld.sync.aligned.32x32b.x128.b32");
    ASSERT_EQ(plan->issues.size(), 1U);
    EXPECT_EQ(plan->issues[0].registers, 128);
    call.tmem = whole("C", "tmem", DType::Fp32, {Dim(64), Dim(128)}, catalogue::tmem_datapath(catalogue::Datapath::F, 64, 128)->layout);
    EXPECT_FALSE(plan_tcgen05_ldst(call));
}

TEST(TmaAuto, SwizzledTileInThreeDimensions) {
    TmaCopy call;
    call.shared = shared_operand(DType::Fp16, SwizzleMode::B128, {8, 256});
    call.global = whole("A", "global", DType::Fp16, {Dim(8), Dim(256)}, rows({8, 256}));
    call.config.emplace("mbar", Opaque{"mbar"});
    const auto plan = plan_tma_auto(call);
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->map.global_dims, to_dims(std::vector<std::int64_t>{64, 8, 4}));
    EXPECT_EQ(plan->map.global_strides_bytes, to_dims(std::vector<std::int64_t>{512, 128}));
    EXPECT_EQ(plan->map.swizzle, 3);
    EXPECT_EQ(plan->instruction(), "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes.cta_group::1");
    call.config.clear();
    EXPECT_EQ(plan_tma_auto(call).error().code, "TMA_CONFIG");
}

TEST(TmaAuto, DynamicStageAndHead) {
    const Dim row = Dim::symbol("kv_row", 0, 3968), head = Dim::symbol("head", 0, 15), stage = Dim::symbol("stage", 0, 2);
    TmaCopy call;
    call.global = whole("KV", "global", DType::Fp16, {Dim(1), Dim(4096), Dim(16), Dim(128)}, rows({1, 4096, 16, 128}));
    call.global.region = {{Dim(0), Dim(1)}, {row, Dim(128)}, {head, Dim(1)}, {Dim(0), Dim(128)}};
    TileLayout tile;
    tile.shard = {{Dim(3), Dim(16384), axes::m}, {Dim(128), Dim(64), axes::m}, {Dim(2), Dim(8192), axes::m}, {Dim(64), Dim(1), axes::m}};
    call.shared = whole("S", "shared.dyn", DType::Fp16, {Dim(3), Dim(128), Dim(128)}, Layout(tile));
    call.shared.region[0] = {stage, Dim(1)};
    call.config.emplace("mbar", Opaque{"mbar"});
    const auto plan = plan_tma_auto(call);
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->map.global_dims, to_dims(std::vector<std::int64_t>{64, 4096, 32}));
    EXPECT_EQ(plan->map.coordinates, (std::vector<Dim>{Dim(0), row, head * 2}));
    EXPECT_EQ(plan->smem_offset_elems, stage * 16384);
    EXPECT_EQ(plan->issues(), 1);
}

TEST(TmaExplicit, TakesTheTensorAsDeclared) {
    TmaCopy call;
    call.global = whole("A", "global", DType::Fp16, {Dim(512), Dim(64)}, rows({512, 64}));
    call.global.region = {{Dim(128), Dim(64)}, {Dim(0), Dim(64)}};
    call.shared = whole("S", "shared.dyn", DType::Fp16, {Dim(64), Dim(64)}, rows({64, 64}));
    call.config.emplace("mbar", Opaque{"mbar"});
    const auto plan = plan_tma_explicit(call);
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->map.coordinates, (std::vector<Dim>{Dim(0), Dim(128)}));
    call.global.region[0].extent = Dim(320);
    call.shared = whole("S", "shared.dyn", DType::Fp16, {Dim(320), Dim(64)}, rows({320, 64}));
    EXPECT_EQ(plan_tma_explicit(call).error().code, "TMA_DESCRIPTOR");
    TileLayout padded;
    padded.shard = {{Dim(320), Dim(72), axes::m}, {Dim(64), Dim(1), axes::m}};
    call.shared.layout = Layout(padded);
    EXPECT_EQ(plan_tma_explicit(call).error().code, "TMA_EXPLICIT_LAYOUT");
}

TEST(CopyPartition, ThreadsCoverTheTileOnce) {
    const Operand global = whole("A", "global", DType::Fp16, {Dim(128), Dim(64)}, rows({128, 64}));
    const Operand shared = shared_operand(DType::Fp16, SwizzleMode::B128, {128, 64});
    static constexpr std::array widths{128, 64, 32};
    const auto plan = plan_shared_out_copy(global, shared, 128, widths, false);
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->vector, 8);
    EXPECT_EQ(plan->outer, 8);
    std::vector<bool> seen(128 * 64);
    for (std::int64_t f = 0; f < plan->outer; ++f) {
        for (std::int64_t t = 0; t < plan->threads; ++t) {
            const std::int64_t g = plan->global_offset(f, t)->value();
            const std::vector<Dim> at{Dim(g / 64), Dim(g % 64)};
            EXPECT_EQ(plan->shared_offset(f, t).value(), apply(*shared.layout, at, shared.shape)->get(axes::m));
            for (std::int64_t v = 0; v < plan->vector; ++v) {
                EXPECT_FALSE(seen[static_cast<std::size_t>(g + v)]);
                seen[static_cast<std::size_t>(g + v)] = true;
            }
        }
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), true), 128 * 64);
}

TEST(PermuteLayout, ScaleFactorsOfAWarpMoveWithoutConflicts) {
    TileLayout turned;
    turned.shard = {{Dim(4), Dim(1), axes::m}, {Dim(32), Dim(4), axes::m}};
    const Operand src = whole("S", "shared", DType::UInt32, {Dim(4), Dim(32)}, rows({4, 32}));
    const Operand dst = whole("D", "shared", DType::UInt32, {Dim(4), Dim(32)}, Layout(turned));
    const auto plan = plan_permute_layout(dst, src);
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->per_lane, 4);
    EXPECT_EQ(plan->xor_bits, 2);
    EXPECT_EQ(plan->shift(), 3);
    std::vector<bool> moved(128);
    for (std::int64_t lane = 0; lane < 32; ++lane) {
        for (std::int64_t r = 0; r < 4; ++r) moved[static_cast<std::size_t>(plan->element(lane, r))] = true;
    }
    EXPECT_EQ(std::count(moved.begin(), moved.end(), true), 128);
    EXPECT_EQ(plan->dst_offset_elems(33), 5);
    Operand small = src;
    small.region[1].extent = Dim(24);
    EXPECT_EQ(plan_permute_layout(small, small).error().code, "PERMUTE_WARP");
    const Operand bytes = whole("B", "shared", DType::UInt8, {Dim(1), Dim(32)}, rows({1, 32}));
    EXPECT_EQ(plan_permute_layout(bytes, bytes).error().code, "PERMUTE_BANKS");
    EXPECT_EQ(plan_permute_layout(bytes, src).error().code, "PERMUTE_REGION");
}

TEST(Dsmem, NeedsItsSettingsAndRuns) {
    DsmemCopy call;
    call.src = call.dst = whole("S", "shared", DType::Fp16, {Dim(64), Dim(64)}, rows({64, 64}));
    EXPECT_EQ(plan_dsmem(call).error().code, "COPY_CONFIG");
    call.config.emplace("mbar", Opaque{"mbar"});
    call.config.emplace("remote_cta_id", std::int64_t{1});
    EXPECT_EQ(plan_dsmem(call)->chunk_bytes, 8192);
    call.src.region[1] = call.dst.region[1] = {Dim(0), Dim(32)};
    EXPECT_EQ(plan_dsmem(call)->loops, (std::vector<DsmemPlan::Loop>{{64, 64, 64}}));
    call.src.region[1] = call.dst.region[1] = {Dim(0), Dim(4)};
    EXPECT_EQ(plan_dsmem(call).error().code, "COPY_CHUNK");
}

} // namespace
} // namespace ls::tirx
