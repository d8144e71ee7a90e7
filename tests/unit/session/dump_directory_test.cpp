#include "core/session/dump_directory.h"

#include <fstream>

#include <gtest/gtest.h>

#include "core/passes/nz/nz_pipeline.h"

namespace ls::session {
namespace {

namespace fs = std::filesystem;

const std::string kHead = "# pypto.program: P\nimport pypto.language as pl\n\n@pl.program\nclass P:\n"
                          "    @pl.function(type=pl.FunctionType.InCore)\n    def k(n: pl.Scalar[pl.INDEX]):\n        ";

class DumpDirectory : public testing::Test {
protected:
    void SetUp() override {
        root_ = fs::temp_directory_path() / testing::UnitTest::GetInstance()->current_test_info()->name();
        fs::remove_all(root_);
        fs::create_directories(root_ / "kernel" / "passes_dump");
    }
    void TearDown() override { fs::remove_all(root_); }
    void put(const std::string& name, const std::string& text) const {
        std::ofstream(root_ / "kernel" / "passes_dump" / name) << text;
    }
    fs::path root_;
};

TEST_F(DumpDirectory, IsATraceWithLinks) {
    put("00_frontend.py", kHead + "x = n + 1\n        y = x + 2\n");
    put("01_after_InlineFunctions.py", kHead + "x = n + 1\n        y = x + 2\n");
    put("04_after_ConvertToSSA.py", kHead + "x__ssa_v0 = n + 1\n        y__ssa_v0 = x__ssa_v0 + 2\n");
    put("04_after_ConvertToSSA.log", "a line\n\nanother\n");
    put("10_after_NoSuchPass.py", kHead + "x__ssa_v0 = n + 1\n        y__ssa_v0 = x__ssa_v0 + 2\n");
    put("notes.py", "not a dump");
    EXPECT_TRUE(is_dump_directory(root_ / "kernel"));
    EXPECT_FALSE(is_dump_directory(root_));
    EXPECT_EQ(find_dump_directories(root_), std::vector<fs::path>{root_ / "kernel" / "passes_dump"});

    const auto trace = read_dump_directory(root_ / "kernel", nz::nz_pipeline());
    ASSERT_TRUE(trace.ok()) << trace.error().message;
    ASSERT_EQ(trace->snapshots.size(), 4U);
    EXPECT_EQ(trace->snapshots[0].pass, nullptr);
    EXPECT_FALSE(trace->snapshots[1].changed);
    EXPECT_EQ(trace->snapshots[1].module, trace->snapshots[0].module);
    const Snapshot& ssa = trace->snapshots[2];
    EXPECT_EQ(ssa.pass->number, 4);
    EXPECT_TRUE(ssa.changed);
    ASSERT_EQ(ssa.diagnostics.size(), 2U);
    EXPECT_EQ(ssa.diagnostics[1].message, "another");
    const auto& before = trace->snapshots[1].module->functions[0]->body->stmts;
    const auto& now = ssa.module->functions[0]->body->stmts;
    ASSERT_EQ(now.size(), 2U);
    EXPECT_EQ(ssa.origins->origin_of(*now[1]), before[1].get());
    EXPECT_EQ(trace->snapshots[3].pass->name, "NoSuchPass");
    EXPECT_EQ(trace->snapshots[3].pass->run, nullptr);
}

TEST_F(DumpDirectory, SaysWhichFileDoesNotRead) {
    EXPECT_EQ(read_dump_directory(root_, nz::nz_pipeline()).error().code, "DUMP_EMPTY");
    put("00_frontend.py", kHead + "x = n + 1\n");
    put("05_after_Simplify.py", kHead + "x = = 1\n");
    const auto trace = read_dump_directory(root_ / "kernel", nz::nz_pipeline());
    ASSERT_FALSE(trace.ok());
    EXPECT_EQ(trace.error().code, "DUMP_FILE");
    EXPECT_NE(trace.error().message.find("05_after_Simplify.py:8:"), std::string::npos) << trace.error().message;
}

} // namespace
} // namespace ls::session
