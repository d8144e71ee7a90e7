// The passes from a program on tensors to tile operations, each by what it makes of a small program.
#include <gtest/gtest.h>

#include "core/passes/front/outline_scopes.h"
#include "core/passes/nz/nz_pipeline.h"
#include "core/passes/pipeline.h"
#include "core/passes/tile/canonicalize_io_order.h"
#include "core/passes/tile/canonicalize_tile_slice.h"
#include "core/passes/tile/convert_tensor_to_tile_ops.h"
#include "core/passes/tile/flatten_tile_nd_to_2d.h"
#include "core/passes/tile/lower_pipeline_loops.h"
#include "core/passes/tile/normalize_return_order.h"
#include "tests/unit/passes/kernel_text.h"

namespace ls {
namespace {

const char* kProgram = R"(# pypto.program: P
import pypto.language as pl

@pl.program
class P:
    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, x: pl.Tensor[[64, 512], pl.INT8], w: pl.Tensor[[512, 512], pl.INT8, pl.NZ], out: pl.Out[pl.Tensor[[64, 512], pl.INT32]]) -> pl.Tensor[[64, 512], pl.INT32]:
        for i in pl.spmd(2, name_hint="product"):
            n0: pl.Scalar[pl.INDEX] = i * 256
            a = pl.tensor.slice(x, [64, 512], [0, 0])
            b = pl.tensor.slice(w, [256, 512], [n0, 0])
            c = pl.tensor.matmul(a, b, a_trans=False, b_trans=True, c_matrix_nz=False, out_dtype=pl.INT32)
            out = pl.tensor.assemble(out, c, [0, n0])
        return out
)";

ir::Module read(const std::string& text) {
    const auto m = pypto::read(text);
    EXPECT_TRUE(m.ok()) << (m.ok() ? "" : render(m.error(), text, "test"));
    return m.ok() ? *m : nullptr;
}

std::string body_of(const ir::ModuleNode& module, std::string_view function) {
    const ir::FunctionNode* f = module.find(function);
    if (f == nullptr) return "no function " + std::string(function);
    std::string out;
    for (const ir::Stmt& s : f->body->stmts) out += pypto::print(*s);
    return out;
}

TEST(TilePasses, TakeATensorProgramWithAnNzWeightToBlockedLoads) {
    const Trace trace = run_pipeline(read(kProgram), nz::nz_pipeline(), {});
    ASSERT_TRUE(trace.ok()) << trace.refused_by->name << ": " << trace.refusals[0].code << " " << trace.refusals[0].message;
    EXPECT_EQ(body_of(*trace.after("ConvertTensorToTileOps")->module, "product"),
              "i__ssa_v0: pl.Scalar[pl.INDEX] = pl.tile.get_block_idx()\n"
              "n0__ssa_v0: pl.Scalar[pl.INDEX] = i__ssa_v0 * 256\n"
              "a__tile: pl.Tile[[64, 512], pl.INT8, pl.Mem.Mat] = pl.tile.load(x__ssa_v0, [0, 0], [64, 512], [64, 512], "
              "target_memory=pl.Mem.Mat, attrs={\"__compiler_tensor_to_tile_mat_bridge\": True})\n"
              "b__tile: pl.Tile[[256, 512], pl.INT8, pl.Mem.Mat] = pl.tile.load(w__ssa_v0, [n0__ssa_v0, 0], [256, 512], [256, 512], "
              "target_memory=pl.Mem.Mat, attrs={\"__compiler_tensor_to_tile_mat_bridge\": True})\n"
              "b__tile_t: pl.Tile[[512, 256], pl.INT8, pl.Mem.Mat, pl.TileView(blayout=pl.TileLayout.row_major, "
              "slayout=pl.TileLayout.col_major)] = pl.tile.transpose_view(b__tile)\n"
              "c__tile: pl.Tile[[64, 256], pl.INT32, pl.Mem.Acc] = pl.tile.matmul(a__tile, b__tile_t)\n"
              "out__tile: pl.Tensor[[64, 512], pl.INT32] = pl.tile.store(c__tile, [0, n0__ssa_v0], out__ssa_v0)\n"
              "return out__ssa_v0\n");
    EXPECT_NE(body_of(*trace.after("BlockNzTensorViews")->module, "product").find("[0, 0, n0__ssa_v0 // 16, 0, 0], [1, 16, 16, 16, 32]"),
              std::string::npos);
    // Every statement of the kernel goes back to a line that was written.
    const Snapshot* converted = trace.after("ConvertTensorToTileOps");
    for (const ir::Stmt& s : converted->module->find("product")->body->stmts) {
        EXPECT_NE(converted->origins->origin_of(*s), nullptr) << pypto::print(*s);
    }
}

TEST(OutlineScopes, NamesTheLaunchAndCountsItsCores) {
    const Trace trace = run_pipeline(read(kProgram), nz::nz_pipeline(), {});
    const Snapshot* incore = trace.after("OutlineIncoreScopes");
    ASSERT_NE(incore, nullptr);
    EXPECT_EQ(body_of(*incore->module, "main"),
              "with pl.spmd(2, name_hint=\"product_spmd\"):\n"
              "    out__ssa_v1: pl.Tensor[[64, 512], pl.INT32] = self.product(x__ssa_v0, w__ssa_v0, out__ssa_v0)\n"
              "return out__ssa_v1\n");
    const Snapshot* cluster = trace.after("OutlineClusterScopes");
    EXPECT_EQ(cluster->module->find("product_spmd")->function, ir::FunctionKind::Spmd);
    EXPECT_NE(body_of(*cluster->module, "main").find("attrs={\"core_num\": 2}"), std::string::npos);
}

TEST(OutlineScopes, WhatAScopeStoresToIsAnOutputAndLaterUsesAreOfTheResult) {
    const ir::Module m = read("import pypto.language as pl\n\n@pl.program\nclass P:\n    @pl.function\n"
                              "    def f(self, x: pl.Tensor[[16, 16], pl.FP32], y: pl.Tensor[[16, 16], pl.FP32]) -> pl.Tensor[[16, 16], pl.FP32]:\n"
                              "        with pl.at(level=pl.Level.CORE_GROUP):\n"
                              "            t: pl.Tile[[16, 16], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [16, 16], [16, 16], target_memory=pl.Mem.Vec)\n"
                              "            pl.tile.store(t, [0, 0], y)\n"
                              "        return y\n");
    const PassResult out = front::outline_incore_scopes(m, {});
    ASSERT_TRUE(out.ok());
    EXPECT_EQ(body_of(*out.module, "f"), "y__ssa_v1: pl.Tensor[[16, 16], pl.FP32] = self.f_incore_0(x, y)\nreturn y__ssa_v1\n");
    const ir::FunctionNode* made = out.module->find("f_incore_0");
    ASSERT_NE(made, nullptr);
    ASSERT_EQ(made->params.size(), 2U);
    EXPECT_EQ(made->params[0].direction, ir::Direction::In);
    EXPECT_EQ(made->params[1].direction, ir::Direction::Out);
    EXPECT_EQ(out.module->find("f")->function, ir::FunctionKind::Orchestration);
}

TEST(ConvertTensorToTileOps, StoresWhatIsReturnedAndMakesTheTensorAtTheCall) {
    const ir::Module m = read("import pypto.language as pl\n\n@pl.program\nclass P:\n"
                              "    @pl.function(type=pl.FunctionType.InCore)\n"
                              "    def k(x: pl.Tensor[[64, 64], pl.FP32]) -> pl.Tensor[[64, 64], pl.FP32]:\n"
                              "        y: pl.Tensor[[64, 64], pl.FP32] = pl.tensor.add(x, x)\n        return y\n"
                              "    @pl.function(type=pl.FunctionType.Orchestration)\n"
                              "    def main(self, x: pl.Tensor[[64, 64], pl.FP32]) -> pl.Tensor[[64, 64], pl.FP32]:\n"
                              "        y: pl.Tensor[[64, 64], pl.FP32] = self.k(x)\n        return y\n");
    const PassResult out = tile::convert_tensor_to_tile_ops(m, {});
    ASSERT_TRUE(out.ok());
    EXPECT_EQ(body_of(*out.module, "k"),
              "x__tile: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Vec)\n"
              "y__tile: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.add(x__tile, x__tile)\n"
              "ret0__store: pl.Tensor[[64, 64], pl.FP32] = pl.tile.store(y__tile, [0, 0], ret0__out)\n"
              "return ret0__store\n");
    EXPECT_EQ(out.module->find("k")->params.back().direction, ir::Direction::Out);
    EXPECT_EQ(body_of(*out.module, "main"),
              "ret0__out: pl.Tensor[[64, 64], pl.FP32] = pl.tensor.create([64, 64], dtype=pl.FP32, layout=pl.TensorLayout.ND)\n"
              "y: pl.Tensor[[64, 64], pl.FP32] = self.k(x, ret0__out)\nreturn y\n");
    EXPECT_EQ(tile::convert_tensor_to_tile_ops(out.module, {}).module, out.module) << "nothing is left to do";
}

TEST(ConvertTensorToTileOps, KeepsWhatItDoesNotKnowAndSaysSo) {
    const PassResult out = tile::convert_tensor_to_tile_ops(
        read_kernel("x: pl.Tensor[[64, 64], pl.FP32]", "y: pl.Tensor[[64, 64], pl.FP32] = pl.tensor.no_such_thing(x)"), {});
    ASSERT_TRUE(out.ok());
    ASSERT_EQ(out.diagnostics.size(), 1U);
    EXPECT_EQ(out.diagnostics[0].code, "TILE_OP_KEPT");
    EXPECT_EQ(body_text(out), "y: pl.Tensor[[64, 64], pl.FP32] = pl.tensor.no_such_thing(x)\n");
}

TEST(ConvertTensorToTileOps, WarnsOfTwoWaysToOneTensor) {
    const PassResult out = tile::convert_tensor_to_tile_ops(
        read_kernel("x: pl.Tensor[[16, 16], pl.FP32], y: pl.Tensor[[16, 16], pl.FP32]",
                    "t: pl.Tile[[16, 16], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [16, 16], [16, 16], target_memory=pl.Mem.Vec)\n"
                    "pl.tile.store(t, [0, 0], y)\npl.tensor.write(y, [0, 0], 1.0)"),
        {});
    ASSERT_TRUE(out.ok());
    ASSERT_EQ(out.diagnostics.size(), 1U);
    EXPECT_EQ(out.diagnostics[0].code, "TILE_MIXED_STORES");
    EXPECT_EQ(out.module->functions[0]->params[1].direction, ir::Direction::Out);
}

TEST(FlattenTileNdTo2D, MergesRowsAndNamesThePartition) {
    const PassResult out = tile::flatten_tile_nd_to_2d(
        read_kernel("x: pl.Tensor[[2, 3, 4], pl.FP32], y: pl.Tensor[[2, 3, 4], pl.FP32]",
                    "t: pl.Tile[[2, 3, 4], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0, 0], [2, 3, 4], [2, 3, 4], target_memory=pl.Mem.Vec)\n"
                    "u: pl.Tile[[2, 3, 4], pl.FP32, pl.Mem.Vec] = pl.tile.add(t, t)\n"
                    "z: pl.Tensor[[2, 3, 4], pl.FP32] = pl.tile.store(u, [0, 0, 0], y)"),
        {});
    EXPECT_EQ(body_text(out),
              "t: pl.Tile[[6, 4], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0, 0], [2, 3, 4], [2, 3, 4], target_memory=pl.Mem.Vec)\n"
              "u: pl.Tile[[6, 4], pl.FP32, pl.Mem.Vec] = pl.tile.add(t, t)\n"
              "z: pl.Tensor[[2, 3, 4], pl.FP32] = pl.tile.store(u, [0, 0, 0], y, [2, 3, 4])\n");
}

TEST(FlattenTileNdTo2D, ReadsAnNdTensorAsRowsAndLeavesAnNzTensorAlone) {
    const std::string load = " = pl.tile.load(w, [1, 0, 0], [1, 64, 64], [1, 64, 64], target_memory=pl.Mem.Mat)";
    const std::string type = "t: pl.Tile[[1, 64, 64], pl.FP16, pl.Mem.Mat]";
    const PassResult nd = tile::flatten_tile_nd_to_2d(read_kernel("w: pl.Tensor[[4, 64, 64], pl.FP16]", type + load), {});
    EXPECT_EQ(body_text(nd), "t__view2d: pl.Tensor[[256, 64], pl.FP16] = pl.tensor.view(w, [256, 64])\n"
                             "t: pl.Tile[[64, 64], pl.FP16, pl.Mem.Mat] = pl.tile.load(t__view2d, [64, 0], [64, 64], [64, 64], "
                             "target_memory=pl.Mem.Mat)\n");
    const PassResult nz = tile::flatten_tile_nd_to_2d(read_kernel("w: pl.Tensor[[4, 64, 64], pl.FP16, pl.NZ]", type + load), {});
    EXPECT_EQ(body_text(nz), "t: pl.Tile[[64, 64], pl.FP16, pl.Mem.Mat]" + load + "\n");
}

TEST(FlattenTileNdTo2D, SpellsOutABatchedProductAndStoresEachBatch) {
    const PassResult out = tile::flatten_tile_nd_to_2d(
        read_kernel("a: pl.Tensor[[2, 16, 32], pl.FP16], b: pl.Tensor[[32, 64], pl.FP16], y: pl.Tensor[[2, 16, 64], pl.FP32]",
                    "l: pl.Tile[[2, 16, 32], pl.FP16, pl.Mem.Mat] = pl.tile.load(a, [0, 0, 0], [2, 16, 32], [2, 16, 32], target_memory=pl.Mem.Mat)\n"
                    "r: pl.Tile[[32, 64], pl.FP16, pl.Mem.Mat] = pl.tile.load(b, [0, 0], [32, 64], [32, 64], target_memory=pl.Mem.Mat)\n"
                    "c: pl.Tile[[2, 16, 64], pl.FP32, pl.Mem.Acc] = pl.tile.batch_matmul(l, r)\n"
                    "z: pl.Tensor[[2, 16, 64], pl.FP32] = pl.tile.store(c, [0, 0, 0], y)\n"
                    "return z"),
        {});
    ASSERT_TRUE(out.ok()) << out.error().message;
    const std::string text = body_text(out);
    EXPECT_NE(text.find("lhs_slice_1: pl.Tile[[16, 32], pl.FP16, pl.Mem.Mat] = pl.tile.slice(l, [16, 32], [16, 0])"), std::string::npos) << text;
    EXPECT_NE(text.find("pl.tile.slice(r, [32, 64], [0, 0])"), std::string::npos) << "the one panel is read again\n" << text;
    EXPECT_NE(text.find("z_1: pl.Tensor[[2, 16, 64], pl.FP32] = pl.tile.store(matmul_1, [1, 0, 0], z_0, [1, 16, 64])\nreturn z_1\n"),
              std::string::npos)
        << text;
}

TEST(FlattenTileNdTo2D, RefusesExtentsThatAreNoConstants) {
    const PassResult out = tile::flatten_tile_nd_to_2d(
        read_kernel("x: pl.Tensor[[2, 3, 4], pl.FP32], n: pl.Scalar[pl.INDEX]",
                    "t: pl.Tile[[2, n, 4], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0, 0], [2, n, 4], [2, n, 4], target_memory=pl.Mem.Vec)"),
        {});
    ASSERT_FALSE(out.ok());
    EXPECT_EQ(out.error().code, "FLATTEN_DYNAMIC");
}

const char* kPipeline = "for i, (s,) in pl.pipeline(0, {}, 16, stage=2, init_values=(y,)):\n"
                        "    t: pl.Tile[[16, 16], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [i, 0], [16, 16], [16, 16], target_memory=pl.Mem.Vec)\n"
                        "    u: pl.Tile[[16, 16], pl.FP32, pl.Mem.Vec] = pl.tile.neg(t)\n"
                        "    v: pl.Tensor[[64, 16], pl.FP32] = pl.tile.store(u, [i, 0], s)\n"
                        "    r: pl.Tensor[[64, 16], pl.FP32] = pl.yield_(v)";

ir::Module pipeline_of(const std::string& stop) {
    std::string text = kPipeline;
    text.replace(text.find("{}"), 2, stop);
    return read_kernel("x: pl.Tensor[[64, 16], pl.FP32], y: pl.Tensor[[64, 16], pl.FP32], n: pl.Scalar[pl.INDEX]", text);
}

TEST(LowerPipelineLoops, CopiesTheBodyAndWhatIsLeft) {
    const PassResult out = tile::lower_pipeline_loops(pipeline_of("48"), {}); // three turns: one round of two and one
    ASSERT_TRUE(out.ok());
    const std::string text = body_text(out);
    EXPECT_NE(text.find("pl.pipeline(0, 32, 32, stage=1, init_values=(y,))"), std::string::npos) << text;
    EXPECT_NE(text.find("[i + 16, 0], [16, 16], [16, 16], target_memory=pl.Mem.Vec, attrs={\"pipeline_membership\": \"0:1\"})"), std::string::npos) << text;
    EXPECT_NE(text.find("[32, 0], [16, 16], [16, 16], target_memory=pl.Mem.Vec, attrs={\"pipeline_membership\": \"1:0\"})"), std::string::npos) << text;
    EXPECT_NE(text.find("r: pl.Tensor[[64, 16], pl.FP32] = v_2\n"), std::string::npos) << text;
}

TEST(LowerPipelineLoops, BranchesOnWhatIsLeftOfAnUnknownCount) {
    const PassResult out = tile::lower_pipeline_loops(pipeline_of("n"), {});
    ASSERT_TRUE(out.ok());
    const std::string text = body_text(out);
    EXPECT_NE(text.find("unroll_main_end: pl.Scalar[pl.INDEX] = 0 + (n - 0 + 15) // 16 // 2 * 32\n"), std::string::npos) << text;
    EXPECT_NE(text.find("if unroll_rem == 1:\n"), std::string::npos) << text;
}

TEST(CanonicalizeIOOrder, PutsLoadsFirstAndMakesAPlainLoop) {
    const PassResult copies = tile::lower_pipeline_loops(pipeline_of("64"), {});
    const PassResult out = tile::canonicalize_io_order(copies.module, {});
    ASSERT_TRUE(out.ok());
    const std::string text = body_text(out);
    EXPECT_EQ(text.find("pipeline("), std::string::npos) << text;
    const std::size_t second_load = text.find("t_1:"), first_neg = text.find("u:"), first_store = text.find("v:"), second_neg = text.find("u_1:");
    EXPECT_LT(second_load, first_neg) << text;
    EXPECT_LT(first_neg, first_store) << text;
    EXPECT_LT(first_store, second_neg) << "a stage stores before the next one computes\n" << text;
}

TEST(CanonicalizeTileSlice, AddsOffsetsInTheExtract) {
    const PassResult out = tile::canonicalize_tile_slice(
        read_kernel("x: pl.Tensor[[64, 64], pl.FP16], k: pl.Scalar[pl.INDEX]",
                    "m: pl.Tile[[64, 64], pl.FP16, pl.Mem.Mat] = pl.tile.load(x, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Mat)\n"
                    "s: pl.Tile[[32, 64], pl.FP16, pl.Mem.Mat] = pl.tile.slice(m, [32, 64], [32, 0])\n"
                    "a: pl.Tile[[32, 16], pl.FP16, pl.Mem.Left] = pl.tile.extract(s, 0, k, [32, 16], target_memory=pl.Mem.Left)"),
        {});
    EXPECT_NE(body_text(out).find("pl.tile.extract(m, 32, k, [32, 16], target_memory=pl.Mem.Left)"), std::string::npos) << body_text(out);
    EXPECT_EQ(body_text(out).find("pl.tile.slice"), std::string::npos);
}

TEST(NormalizeReturnOrder, SortsResultsAndMendsTheCaller) {
    const ir::Module m = read(
        "import pypto.language as pl\n\n@pl.program\nclass P:\n"
        "    @pl.function(type=pl.FunctionType.InCore)\n"
        "    def k(x: pl.Tensor[[16, 16], pl.FP32], a: pl.Out[pl.Tensor[[16, 16], pl.FP32]], b: pl.Out[pl.Tensor[[16, 16], pl.FP32]]) -> "
        "tuple[pl.Tensor[[16, 16], pl.FP32], pl.Tensor[[16, 16], pl.FP32]]:\n"
        "        t: pl.Tile[[16, 16], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [16, 16], [16, 16], target_memory=pl.Mem.Vec)\n"
        "        b1: pl.Tensor[[16, 16], pl.FP32] = pl.tile.store(t, [0, 0], b)\n"
        "        a1: pl.Tensor[[16, 16], pl.FP32] = pl.tile.store(t, [0, 0], a)\n"
        "        return b1, a1\n"
        "    @pl.function(type=pl.FunctionType.Orchestration)\n"
        "    def main(self, x: pl.Tensor[[16, 16], pl.FP32], p: pl.Out[pl.Tensor[[16, 16], pl.FP32]], q: pl.Out[pl.Tensor[[16, 16], pl.FP32]]) -> "
        "pl.Tensor[[16, 16], pl.FP32]:\n"
        "        both: pl.Tuple[pl.Tensor[[16, 16], pl.FP32], pl.Tensor[[16, 16], pl.FP32]] = self.k(x, p, q)\n"
        "        q1: pl.Tensor[[16, 16], pl.FP32] = both[0]\n"
        "        return q1\n");
    const PassResult out = tile::normalize_return_order(m, {});
    ASSERT_TRUE(out.ok());
    EXPECT_NE(body_of(*out.module, "k").find("return a, b\n"), std::string::npos);
    EXPECT_NE(body_of(*out.module, "main").find("q1: pl.Tensor[[16, 16], pl.FP32] = both[1]\n"), std::string::npos);
}

} // namespace
} // namespace ls
