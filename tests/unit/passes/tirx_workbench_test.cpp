// The descriptor workbench: reading its document, the worked example of spec/tirx.md 12, chunks, banks, tensor memory.
#include <gtest/gtest.h>

#include "core/passes/tirx/workbench/gemm_bench.h"
#include "core/passes/tirx/workbench/tmem_rects.h"

namespace ls::tirx {
namespace {

TEST(GemmSubject, ReadsBackWhatItWrites) {
    GemmSubject subject = worked_example();
    EXPECT_EQ(read_gemm_subject(write_gemm_subject(subject)).value(), subject);
    subject.m = 64;
    subject.dtype = DType::Fp8E4M3;
    subject.a.layout = "ComposeLayout(3, 3, 3, S[8192:1])";
    subject.a.transposed = true;
    subject.b.stages = 4;
    subject.b.stage = 3;
    subject.c_first_column = 256;
    subject.cta_group = 2;
    subject.accum = subject.weight_stationary = true;
    EXPECT_EQ(read_gemm_subject(write_gemm_subject(subject)).value(), subject);
}

TEST(GemmSubject, RefusesWithThePlace) {
    const auto code_at = [](const std::string& text, std::string_view word) {
        const auto read = read_gemm_subject(text);
        EXPECT_FALSE(read.ok()) << text;
        if (read.ok()) return std::string();
        EXPECT_EQ(text.substr(read.error().span.begin, read.error().span.end - read.error().span.begin), word) << text;
        return read.error().code;
    };
    EXPECT_EQ(code_at(R"({"gemm_async": {"m": 0}})", "\"m\""), "BENCH_VALUE");
    EXPECT_EQ(code_at(R"({"gemm_async": {"m": 1e300}})", "\"m\""), "BENCH_VALUE");
    EXPECT_EQ(code_at(R"({"gemm_async": {"m": 18446744073709551615}})", "\"m\""), "BENCH_VALUE");
    EXPECT_EQ(code_at(R"({"gemm_async": {"dtype": "q7"}})", "\"dtype\""), "BENCH_VALUE");
    EXPECT_EQ(code_at(R"({"gemm_async": {"cta_group": 3}})", "\"cta_group\""), "BENCH_VALUE");
    EXPECT_EQ(code_at(R"({"gemm_async": {"b": {"stages": 2, "stage": 2}}})", "\"stage\""), "BENCH_VALUE");
    EXPECT_EQ(code_at(R"({"gemm_async": {"a": {"swizzle": "96B"}}})", "\"swizzle\""), "BENCH_VALUE");
    EXPECT_EQ(code_at(R"({"gemm_async": {"mm": 4}})", "\"mm\""), "BENCH_VALUE");
    EXPECT_EQ(read_gemm_subject("{").error().code, "BENCH_JSON");
    EXPECT_EQ(read_gemm_subject("").error().code, "BENCH_JSON");
    EXPECT_EQ(read_gemm_subject("[1]").error().code, "BENCH_JSON");
}

TEST(GemmBench, WorkedExample) {
    const GemmBench bench = examine(worked_example());
    ASSERT_TRUE(bench.plan.has_value());
    EXPECT_FALSE(bench.refusal.has_value());
    EXPECT_EQ(bench.plan->idesc, 0x08200010U);
    EXPECT_EQ(bench.a.matched->sdo, 64);
    EXPECT_EQ(bench.a.matched->ldo, 0);
    ASSERT_EQ(bench.steps.size(), 4U);
    for (std::size_t ki = 0; ki < 4; ++ki) {
        EXPECT_EQ(bench.steps[ki].a_offset_16b, static_cast<std::int64_t>(2 * ki));
        EXPECT_EQ(bench.steps[ki].a_word, 0x4000404000000040U + 2 * ki);
        EXPECT_EQ(bench.steps[ki].b_word, 0x4000404000000440U + 2 * ki);
        EXPECT_EQ(bench.steps[ki].accumulate, ki != 0);
        EXPECT_EQ(bench.steps[ki].d_column, 0);
    }
    ASSERT_TRUE(bench.readback.has_value());
    EXPECT_EQ(bench.readback->instruction(), "tcgen05.ld.sync.aligned.32x32b.x128.b32");
    EXPECT_EQ(bench.a.report->matching, 128 * 64);
    EXPECT_EQ(bench.summary(), "tcgen05.mma.cta_group::1.kind::f16, 4 × 128×128×16");
}

TEST(GemmBench, StagesAndColumnsAreOffsets) {
    GemmSubject subject = worked_example();
    subject.a.stages = subject.b.stages = 3;
    subject.a.stage = 1;
    subject.b.stage = 2;
    subject.b.address_bytes = 0xC400;
    subject.c_first_column = 256;
    const GemmBench bench = examine(subject);
    ASSERT_TRUE(bench.plan.has_value()) << bench.refusal->message;
    EXPECT_EQ(bench.steps[3].a_offset_16b, 1030);
    EXPECT_EQ(bench.steps[0].b_offset_16b, 2048);
    EXPECT_EQ(bench.steps[0].d_column, 256);
    EXPECT_EQ(bench.a.tile->first_byte, 0x400 + 16384);
}

TEST(GemmBench, EveryModeHasItsOffsets) {
    const auto offsets = [](catalogue::SwizzleMode mode) {
        GemmSubject subject = worked_example();
        subject.a.swizzle = mode;
        const GemmBench bench = examine(subject);
        EXPECT_TRUE(bench.a.matched.has_value());
        return std::pair{bench.a.matched->ldo, bench.a.matched->sdo};
    };
    EXPECT_EQ(offsets(catalogue::SwizzleMode::B64), (std::pair<std::int64_t, std::int64_t>{512, 32}));
    EXPECT_EQ(offsets(catalogue::SwizzleMode::B32), (std::pair<std::int64_t, std::int64_t>{256, 16}));
    EXPECT_EQ(offsets(catalogue::SwizzleMode::None), (std::pair<std::int64_t, std::int64_t>{128, 8}));
}

TEST(GemmBench, RefusalsKeepWhatCanBeDrawn) {
    GemmSubject subject = worked_example();
    subject.a.layout = "S[(128, 64):(64, 1)]";
    const GemmBench plain = examine(subject);
    ASSERT_TRUE(plain.refusal.has_value());
    EXPECT_EQ(plain.refusal->code, "SMEM_OPERAND_PLAIN");
    EXPECT_TRUE(plain.a.tile.has_value());
    EXPECT_TRUE(plain.b.matched.has_value());
    EXPECT_TRUE(plain.steps.empty());

    subject = worked_example();
    subject.c_first_column = 448;
    EXPECT_EQ(examine(subject).refusal->code, "BENCH_COLUMNS");
    subject = worked_example();
    subject.k = 24;
    EXPECT_TRUE(examine(subject).refusal.has_value());
}

/// Whatever the numbers are, the examination ends with a plan or a reason.
TEST(GemmBench, AnswersEveryNumber) {
    const std::array<std::int64_t, 9> values{1, 3, 8, 16, 32, 64, 96, 128, 256};
    std::size_t planned = 0, refused = 0;
    for (const std::int64_t m : values)
        for (const std::int64_t n : values)
            for (const std::int64_t k : {1, 16, 64})
                for (const int cta : {1, 2}) {
                    GemmSubject subject = worked_example();
                    subject.m = m;
                    subject.n = n;
                    subject.k = k;
                    subject.cta_group = cta;
                    subject.weight_stationary = m == 64 && n == 96;
                    const GemmBench bench = examine(subject);
                    EXPECT_NE(bench.plan.has_value(), bench.refusal.has_value());
                    (bench.plan ? planned : refused)++;
                    if (!bench.plan) continue;
                    const auto rects = tmem_rects(bench.c);
                    ASSERT_TRUE(rects.ok());
                    std::int64_t cells = 0;
                    for (const TmemRect& r : *rects) cells += r.lanes * r.columns;
                    EXPECT_EQ(cells, m * n);
                }
    EXPECT_GT(planned, 10U);
    EXPECT_GT(refused, 10U);
}

TEST(SmemTile, ChunksHoldEveryElementOnce) {
    for (const bool transposed : {false, true}) {
        for (const auto mode : {catalogue::SwizzleMode::None, catalogue::SwizzleMode::B32, catalogue::SwizzleMode::B64, catalogue::SwizzleMode::B128}) {
            GemmSubject subject = worked_example();
            subject.a.swizzle = mode;
            subject.a.transposed = transposed;
            const GemmBench bench = examine(subject);
            ASSERT_TRUE(bench.a.tile.has_value());
            std::int64_t elements = 0;
            for (const SmemChunk& chunk : bench.a.tile->chunks) elements += chunk.elements;
            EXPECT_EQ(elements, 128 * 64);
            EXPECT_EQ(bench.a.tile->mn_contiguous, transposed);
        }
    }
    // Row 2, k 16 of the worked example: chunk 2 XOR 2 = 0 of line 2.
    const GemmBench bench = examine(worked_example());
    EXPECT_EQ(bench.a.tile->byte_address(2, 16), 0x500);
    EXPECT_EQ(bench.a.plain->byte_address(2, 16), 0x520);
}

TEST(BankAccess, SwizzleSpreadsAnLdmatrixPhase) {
    const GemmBench bench = examine(worked_example());
    EXPECT_EQ(bank_access(*bench.a.tile, AccessKind::LdmatrixPhase, 0, 16)->report.wavefronts, 1);
    EXPECT_EQ(bank_access(*bench.a.plain, AccessKind::LdmatrixPhase, 0, 16)->report.wavefronts, 8);
    EXPECT_EQ(bank_access(*bench.a.tile, AccessKind::Ldmatrix4, 0, 0)->report.wavefronts, 4);
    EXPECT_EQ(bank_access(*bench.a.plain, AccessKind::Ldmatrix4, 0, 0)->report.wavefronts, 32);
    EXPECT_EQ(bank_access(*bench.a.tile, AccessKind::Vector, 0, 0)->report.excess(), 0);
    EXPECT_EQ(bank_access(*bench.a.tile, AccessKind::Row, 0, 0)->report.wavefronts, 1);
    EXPECT_EQ(bank_access(*bench.a.plain, AccessKind::Column, 0, 0)->report.wavefronts, 32);
    EXPECT_EQ(bank_access(*bench.a.tile, AccessKind::Column, 0, 0)->report.wavefronts, 4);
}

TEST(TmemRects, BothWaysAgree) {
    for (const std::int64_t m : {64, 128}) {
        for (const std::int64_t cta : {1, 2}) {
            GemmSubject subject = worked_example();
            subject.m = m;
            subject.n = 64;
            subject.cta_group = cta;
            const GemmBench bench = examine(subject);
            ASSERT_TRUE(bench.plan.has_value()) << bench.refusal->message;
            const auto rects = tmem_rects(bench.c).value();
            for (std::int64_t i = 0; i < m; i += 7) {
                for (std::int64_t j = 0; j < 64; j += 5) {
                    const TmemCell cell = tmem_cell(rects, {i, j});
                    ASSERT_TRUE(cell.valid());
                    EXPECT_EQ(element_at(rects, cell), (MatrixElement{i, j}));
                }
            }
        }
    }
}

TEST(RegisterOwners, BothWaysAgree) {
    GemmSubject subject = worked_example();
    const GemmBench bench = examine(subject);
    const auto owners = RegisterOwners::make(*bench.registers).value();
    EXPECT_EQ(owners.threads(), 128);
    EXPECT_EQ(owners.per_thread(), 128);
    EXPECT_EQ(owners.owner({37, 21}), (RegisterPlace{37, 21}));
    EXPECT_EQ(owners.element({37, 21}), (MatrixElement{37, 21}));
    EXPECT_EQ(owners.held_by(5).size(), 128U);
    EXPECT_FALSE(owners.owner({128, 0}).valid());

    subject.m = 64;
    const GemmBench half = examine(subject);
    ASSERT_TRUE(half.readback.has_value()) << half.readback_refusal;
    const auto folded = RegisterOwners::make(*half.registers).value();
    for (std::int64_t i = 0; i < 64; i += 3)
        for (std::int64_t j = 0; j < 128; j += 7) EXPECT_EQ(folded.element(folded.owner({i, j})), (MatrixElement{i, j}));
}

} // namespace
} // namespace ls::tirx
