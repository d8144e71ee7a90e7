#include "core/passes/pipeline.h"

#include <set>

#include <gtest/gtest.h>

#include "core/passes/nz/nz_pipeline.h"
#include "tests/unit/passes/kernel_text.h"

namespace ls {
namespace {

const char* kParams = "w: pl.Tensor[[512, 512], pl.INT8, pl.NZ], n: pl.Scalar[pl.INDEX]";
const char* kBody = "size = 256\n"
                    "b = pl.tile.get_block_idx()\n"
                    "r0: pl.Scalar[pl.INDEX] = b * size\n"
                    "t: pl.Tile[[512, 256], pl.INT8, pl.Mem.Mat] = pl.tile.transpose_view(pl.load(w, [r0, 0], [256, "
                    "512], target_memory=pl.Mem.Mat))";

TEST(Pipeline, TakesAUserProgramToBlockedStrides) {
    const Trace trace = run_pipeline(read_kernel(kParams, kBody), nz::nz_pipeline(), {});
    ASSERT_TRUE(trace.ok()) << trace.refusals[0].message;
    EXPECT_EQ(trace.snapshots.size(), nz::nz_pipeline().size() + 1);
    const ir::FunctionNode& f = *trace.after("MaterializeTensorStrides")->module->functions[0];
    std::string body;
    for (const ir::Stmt& s : f.body->stmts) body += pypto::print(*s);
    EXPECT_EQ(body, "b__ssa_v0 = pl.tile.get_block_idx()\n"
                    "r0__ssa_v0: pl.Scalar[pl.INDEX] = b__ssa_v0 * 256\n"
                    "t__tmp_v0: pl.Tile[[256, 512], pl.INT8, pl.Mem.Mat] = pl.tile.load(w__ssa_v0, [0, 0, r0__ssa_v0 "
                    "// 16, 0, 0], [1, 16, 16, 16, 32], target_memory=pl.Mem.Mat)\n"
                    "t__ssa_v0: pl.Tile[[512, 256], pl.INT8, pl.Mem.Mat] = pl.tile.transpose_view(t__tmp_v0)\n");
    EXPECT_EQ(pypto::print(*f.params[0].var->type),
              "pl.Tensor[[1, 16, 32, 16, 32], pl.INT8, pl.TensorView(stride=[262144, 16384, 512, 32, 1], "
              "layout=pl.TensorLayout.NZ)]");
    EXPECT_EQ(trace.after("BlockNzTensorViews")->proofs.size(), 2U);
    EXPECT_FALSE(trace.after("InlineFunctions")->changed);
    EXPECT_EQ(trace.after("InlineFunctions")->module, trace.snapshots[0].module);
}

TEST(Pipeline, LinksStatementsToWhereTheyCameFrom) {
    const Trace trace = run_pipeline(read_kernel(kParams, kBody), nz::nz_pipeline(), {});
    const Snapshot* flat = trace.after("FlattenCallExpr");
    const auto& now = flat->module->functions[0]->body->stmts;
    const auto& before = trace.after("NormalizeStmtStructure")->module->functions[0]->body->stmts;
    ASSERT_EQ(now.size(), before.size() + 1);
    EXPECT_EQ(flat->origins->origin_of(*now[0]), before[0].get()) << "untouched statements come from themselves";
    EXPECT_EQ(now[0], before[0]);
    EXPECT_EQ(flat->origins->origin_of(*now[2]), nullptr) << "the temporary is new";
    EXPECT_EQ(flat->origins->origin_of(*now[3]), before[2].get());
    EXPECT_EQ(flat->origins->became(*before[2]), std::vector<const ir::Node*>{now[3].get()});
    // All the way back to the text that was written.
    const Snapshot& last = trace.last();
    const ir::Node* at = last.module->functions[0]->body->stmts.back().get();
    EXPECT_EQ(kernel_text(kParams, kBody).substr(at->span.begin, 2), "t:");
}

TEST(Pipeline, StopsAtARefusalAndKeepsWhatWasBefore) {
    const Trace trace = run_pipeline(
        read_kernel(
            kParams,
            "t: pl.Tile[[16, 32], pl.INT8, pl.Mem.Mat] = pl.load(w, [n, 0], [16, 32], target_memory=pl.Mem.Mat)"),
        nz::nz_pipeline(), {});
    ASSERT_FALSE(trace.ok());
    EXPECT_EQ(trace.refused_by->name, "BlockNzTensorViews");
    EXPECT_EQ(trace.refused_by->number, 15);
    ASSERT_EQ(trace.refusals.size(), 1U);
    EXPECT_EQ(trace.refusals[0].code, "NZ_OFF_UNPROVEN_MULTIPLE");
    EXPECT_EQ(trace.refused_proofs.size(), 1U);
    EXPECT_EQ(trace.last().name, "FlattenTileNdTo2D");
}

TEST(Pipeline, CanBeCancelled) {
    int asked = 0;
    const Trace trace = run_pipeline(read_kernel(kParams, kBody), nz::nz_pipeline(), {}, [&] { return ++asked > 3; });
    EXPECT_EQ(trace.snapshots.size(), 4U);
    EXPECT_TRUE(trace.ok());
}

TEST(Pipeline, ListsTheUpstreamOrder) {
    int last = 0;
    std::set<std::string_view> names;
    for (const Pass& p : nz::nz_pipeline()) {
        EXPECT_TRUE(names.insert(p.name).second || p.name == "Simplify") << p.name; // that one runs twice
        EXPECT_FALSE(p.about.empty());
        EXPECT_EQ(p.run != nullptr, p.status == PassStatus::Implemented) << p.name;
        if (p.number == 0) continue;
        EXPECT_EQ(p.number, last + 1) << p.name;
        last = p.number;
    }
    EXPECT_EQ(last, 56);
}

} // namespace
} // namespace ls
