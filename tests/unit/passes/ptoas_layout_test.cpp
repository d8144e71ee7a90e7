#include "core/passes/nz/ptoas_layout.h"
#include "core/passes/pipeline.h"
#include "core/passes/nz/nz_pipeline.h"
#include "core/dialect/pypto/pypto.h"

#include <gtest/gtest.h>

namespace ls::nz {
namespace {

using Numbers = std::vector<std::int64_t>;
constexpr PtoasVersion kOld{0, 60};

std::string violation(const Numbers& shape, const Numbers& strides, int bytes,
                      PtoasVersion version = kExplicitLayouts) {
    return explicit_nz_violation({shape, strides, bytes}, version).value_or("none");
}

TEST(PtoasLayout, ChecksAnExplicitNzAxisByAxis) {
    EXPECT_EQ(violation({1, 16, 16, 16, 32}, {131072, 8192, 512, 32, 1}, 1), "none");
    EXPECT_EQ(violation({16, 16, 16, 32}, {8192, 512, 32, 1}, 1), "rank");
    EXPECT_EQ(violation({1, 2, 4, 8, 8}, {1024, 512, 128, 8, 1}, 4), "shape[3]");
    EXPECT_EQ(violation({1, 2, 4, 16, 16}, {1024, 512, 128, 8, 1}, 4), "shape[4]");
    EXPECT_EQ(violation({1, 2, 4, 16, 8}, {1024, 512, 128, 8, 2}, 4), "stride[4]");
    EXPECT_EQ(violation({1, 2, 4, 16, 8}, {1024, 512, 128, 16, 1}, 4), "stride[3]");
    EXPECT_EQ(violation({1, 2, 4, 16, 8}, {1024, 512, 64, 8, 1}, 4), "stride[2]");
    EXPECT_EQ(violation({1, 2, 4, 16, 8}, {1024, 516, 128, 8, 1}, 4), "stride[1] align");
    EXPECT_EQ(violation({1, 2, 4, 16, 8}, {1024, 256, 128, 8, 1}, 4), "stride[1] overlap");
    EXPECT_EQ(violation({2, 2, 4, 16, 8}, {512, 512, 128, 8, 1}, 4), "stride[0] overlap");
    EXPECT_EQ(violation({-1, 2, 4, 16, 8}, {-1, 512, 128, 8, 1}, 4), "none")
        << "dynamic values are held against nothing";
    EXPECT_EQ(violation({1, 2, INT64_MAX, 16, 8}, {1024, 512, 128, 8, 1}, 4), "stride[1] overlap");
}

TEST(PtoasLayout, IsInferredOffByOneAxisUpTo060) {
    const Numbers blocked{1, 16, 16, 16, 32}, strides{131072, 8192, 512, 32, 1};
    EXPECT_EQ(inferred_layout({blocked, strides, 1}, kOld), "nd");
    EXPECT_EQ(violation(blocked, strides, 1, kOld), "inferred");
    const Numbers rows256{1, 32, 16, 16, 16}, strides256{131072, 4096, 256, 16, 1};
    EXPECT_EQ(inferred_layout({rows256, strides256, 2}, kOld), "nz") << "the accident";
    EXPECT_EQ(inferred_layout({blocked, strides, 1}, kExplicitLayouts), "nz");
    const Numbers batched{4, 16, 16, 16, 32};
    EXPECT_EQ(inferred_layout({batched, strides, 1}, kExplicitLayouts), "nd");
    EXPECT_EQ(inferred_layout({Numbers{}, Numbers{}, 1}, kExplicitLayouts), "nd");
}

TEST(PtoasFindings, ComeFromTheVersionThatThePassesRunFor) {
    const std::string source = "import pypto.language as pl\n\n@pl.program\nclass P:\n"
                               "    @pl.function(type=pl.FunctionType.InCore)\n"
                               "    def k(self, w: pl.Tensor[[256, 512], pl.INT8, pl.NZ]):\n"
                               "        t: pl.Tile[[256, 512], pl.INT8, pl.Mem.Mat] = pl.tile.load(w, [0, 0], [256, 512], "
                               "target_memory=pl.Mem.Mat)\n";
    const auto module = pypto::read(source);
    ASSERT_TRUE(module.ok()) << module.error().message;
    const auto warnings = [&](int minor) {
        PassContext context;
        context.ptoas.minor = minor;
        const Trace trace = run_pipeline(*module, nz_pipeline(), context);
        EXPECT_TRUE(trace.ok());
        const Snapshot* strides = trace.after("MaterializeTensorStrides");
        return strides == nullptr ? std::vector<Diagnostic>{} : strides->diagnostics;
    };
    EXPECT_TRUE(warnings(61).empty());
    const auto old = warnings(60);
    ASSERT_EQ(old.size(), 1U);
    EXPECT_EQ(old[0].code, "NZ_PTOAS_LAYOUT");
    EXPECT_EQ(old[0].severity, Severity::Warning);
    EXPECT_NE(old[0].message.find("PTOAS 0.60 refuses w"), std::string::npos) << old[0].message;
    EXPECT_EQ(source.substr(old[0].span.begin, 1), "w");
}

} // namespace
} // namespace ls::nz
