#include "core/passes/nz/block_nz_tensor_views.h"

#include <gtest/gtest.h>

#include "core/ir/equality.h"
#include "core/passes/nz/materialize_tensor_strides.h"
#include "tests/unit/passes/kernel_text.h"

namespace ls::nz {
namespace {

constexpr const char* kWeight = "w: pl.Tensor[[256, 512], pl.INT8, pl.NZ], n: pl.Scalar[pl.INDEX]";
constexpr const char* kStack = "w: pl.Tensor[[2, 4, 256, 512], pl.INT8, pl.NZ], n: pl.Scalar[pl.INDEX]";
constexpr const char* kOut = "out: pl.Out[pl.Tensor[[64, 48], pl.FP32, pl.NZ]], acc: pl.Tile[[64, 16], pl.FP32, "
                             "pl.Mem.Acc], n: pl.Scalar[pl.INDEX]";

PassResult block(const std::string& params, const std::string& body, const char* chip = "a2a3") {
    PassContext context;
    context.hardware = find_hardware(chip);
    return block_nz_tensor_views(read_kernel(params, body), context);
}

TEST(BlockNz, BlocksTypesAndLoadsAndKeepsTheTile) {
    const PassResult r = block(kWeight, "t: pl.Tile[[128, 256], pl.INT8, pl.Mem.Mat] = pl.tile.load(w, [128, 256], "
                                        "[128, 256], [128, 256], target_memory=pl.Mem.Mat, "
                                        "attrs={\"k\": True})");
    EXPECT_EQ(body_text(r), "t: pl.Tile[[128, 256], pl.INT8, pl.Mem.Mat] = pl.tile.load(w, [0, 8, 8, 0, 0], [1, 8, 8, "
                            "16, 32], [1, 8, 8, 16, 32], "
                            "target_memory=pl.Mem.Mat, attrs={\"k\": True})\n");
    const ir::FunctionNode& f = *r.module->functions[0];
    EXPECT_EQ(pypto::print(*f.params[0].var->type),
              "pl.Tensor[[1, 16, 16, 16, 32], pl.INT8, pl.TensorView(stride=[], layout=pl.TensorLayout.NZ)]");
    ASSERT_NE(f.attr(kBlockedAttr), nullptr);
    EXPECT_EQ(block_nz_tensor_views(r.module, {}).module, r.module) << "a blocked function goes through as it is";
    EXPECT_EQ(f.params[1].var->origin, nullptr) << "what has nothing to do with NZ is the same object";
}

TEST(BlockNz, LeavesOtherFunctionsAlone) {
    const ir::Module m = read_kernel("x: pl.Tensor[[64, 64], pl.FP16]",
                                     "t: pl.Tile[[64, 64], pl.FP16, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [64, 64])");
    EXPECT_EQ(block_nz_tensor_views(m, {}).module, m);
}

TEST(BlockNz, DividesProvenOffsetsAsAWhole) {
    const PassResult r = block(kWeight, "b: pl.Scalar[pl.INDEX] = pl.tile.get_block_idx()\n"
                                        "r0: pl.Scalar[pl.INDEX] = b * 128\n"
                                        "for k in pl.range(0, 512, 64):\n"
                                        "    t: pl.Tile[[128, 64], pl.INT8, pl.Mem.Mat] = pl.tile.load(w, [r0, k], "
                                        "[128, 64], target_memory=pl.Mem.Mat)");
    EXPECT_NE(body_text(r).find("pl.tile.load(w, [0, k // 32, r0 // 16, 0, 0], [1, 2, 8, 16, 32], target_memory"),
              std::string::npos)
        << body_text(r);
    ASSERT_EQ(r.proofs.size(), 4U); // multiple and sign, rows before columns
    EXPECT_EQ(r.proofs[0].coordinate, "offset on shape[-2]");
    EXPECT_EQ(r.proofs[2].coordinate, "offset on shape[-1]");
    for (const ProofRecord& p : r.proofs) EXPECT_TRUE(p.proof.proven);
}

TEST(BlockNz, FoldsLeadingOffsets) {
    const PassResult r = block(kStack, "a: pl.Tile[[16, 32], pl.INT8, pl.Mem.Mat] = pl.tile.load(w, [1, 2, 0, 0], [1, "
                                       "1, 16, 32], target_memory=pl.Mem.Mat)\n"
                                       "b: pl.Tile[[16, 32], pl.INT8, pl.Mem.Mat] = pl.tile.load(w, [n, 3, 0, 0], [1, "
                                       "1, 16, 32], target_memory=pl.Mem.Mat)\n"
                                       "c: pl.Tile[[16, 32], pl.INT8, pl.Mem.Mat] = pl.tile.load(w, [0, n, 0, 0], [1, "
                                       "1, 16, 32], target_memory=pl.Mem.Mat)");
    const std::string text = body_text(r);
    EXPECT_NE(text.find("(w, [6, 0, 0, 0, 0]"), std::string::npos) << text;
    EXPECT_NE(text.find("(w, [n * 4 + 3, 0, 0, 0, 0]"), std::string::npos) << text;
    EXPECT_NE(text.find("(w, [n, 0, 0, 0, 0]"), std::string::npos) << text;
}

TEST(BlockNz, BlocksSlicesAndTheirResults) {
    const PassResult r = block(
        kStack,
        "s: pl.Tensor[[4, 256, 512], pl.INT8, pl.NZ] = pl.tensor.slice(w, [1, 4, 256, 512], [1, 0, 0, 0], [], [0])\n"
        "u: pl.Tensor[[1, 1, 256, 512], pl.INT8] = pl.tensor.slice(w, [1, 1, 256, 512], [1, n, 0, 0])\n"
        "t: pl.Tile[[16, 32], pl.INT8, pl.Mem.Mat] = pl.tile.load(u, [0, 0, 16, 32], [1, 1, 16, 32], "
        "target_memory=pl.Mem.Mat)");
    EXPECT_EQ(body_text(r),
              "s: pl.Tensor[[4, 16, 16, 16, 32], pl.INT8, pl.TensorView(stride=[], layout=pl.TensorLayout.NZ)] = "
              "pl.tensor.slice(w, [4, 16, 16, 16, 32], [4, 0, 0, 0, 0])\n"
              "u: pl.Tensor[[1, 16, 16, 16, 32], pl.INT8, pl.TensorView(stride=[], layout=pl.TensorLayout.NZ)] = "
              "pl.tensor.slice(w, [1, 16, 16, 16, 32], [4 + n, 0, 0, 0, 0])\n"
              "t: pl.Tile[[16, 32], pl.INT8, pl.Mem.Mat] = pl.tile.load(u, [0, 1, 1, 0, 0], [1, 1, 1, 16, 32], "
              "target_memory=pl.Mem.Mat)\n")
        << "a slice of NZ is NZ even where its annotation does not say so";
}

TEST(BlockNz, BlocksStoresOfAccumulators) {
    const PassResult r = block(
        kOut,
        "done: pl.Tensor[[64, 48], pl.FP32, pl.NZ] = pl.tile.store(acc, [0, 16], out, st_phase=pl.STPhase.Final)");
    EXPECT_EQ(body_text(r),
              "done: pl.Tensor[[1, 6, 4, 16, 8], pl.FP32, pl.TensorView(stride=[], layout=pl.TensorLayout.NZ)] = "
              "pl.tile.store(acc, [0, 2, 0, 0, 0], out, [1, 2, 4, 16, 8], st_phase=pl.STPhase.Final)\n");
    const PassResult strided = materialize_tensor_strides(r.module, {});
    ASSERT_TRUE(strided.ok());
    EXPECT_EQ(pypto::print(*strided.module->functions[0]->params[0].var->type),
              "pl.Tensor[[1, 6, 4, 16, 8], pl.FP32, pl.TensorView(stride=[3072, 512, 128, 8, 1], "
              "layout=pl.TensorLayout.NZ)]");
}

TEST(BlockNz, HandsTensorsToFunctionsOfTheProgram) {
    const PassResult r = block(
        kWeight,
        "self.other(w)\npl.submit(self.other, w, n)\nf: pl.Tensor[[131072], pl.INT8] = pl.tensor.reshape(w, [131072])");
    EXPECT_EQ(body_text(r), "self.other(w)\npl.submit(self.other, w, n)\nf: pl.Tensor[[131072], pl.INT8] = "
                            "pl.tensor.reshape(w, [131072])\n");
}

struct Refusal {
    const char* code;
    const char* params;
    const char* body;
    const char* chip = "a2a3";
};

class BlockNzRefusal : public ::testing::TestWithParam<Refusal> {};

TEST_P(BlockNzRefusal, NamesItsCodeItsPlaceAndAMend) {
    const Refusal& r = GetParam();
    const PassResult result = block(r.params, r.body, r.chip);
    ASSERT_FALSE(result.ok()) << body_text(result);
    EXPECT_EQ(result.error().code, r.code) << result.error().message;
    EXPECT_FALSE(result.error().message.empty());
    EXPECT_FALSE(result.error().hint.empty()) << r.code << " does not say how to mend it";
    EXPECT_GT(result.error().span.end, result.error().span.begin) << r.code << " has no place";
}

#define LOAD(args) "t: pl.Tile[[16, 32], pl.INT8, pl.Mem.Mat] = pl.tile.load(w, " args ", target_memory=pl.Mem.Mat)"
#define STORE(tile, args) "acc2: " tile " = pl.tile.move(acc)\npl.tile.store(acc2, " args ")"

INSTANTIATE_TEST_SUITE_P(
    Table, BlockNzRefusal,
    ::testing::Values(
        Refusal{"NZ_RANK_LT_2", "w: pl.Tensor[[512], pl.INT8, pl.NZ]", "pass"},
        Refusal{"NZ_DTYPE_SUBBYTE", "w: pl.Tensor[[256, 512], pl.FP4, pl.NZ]", "pass"},
        Refusal{"NZ_DTYPE_SUBBYTE", "w: pl.Tensor[[256, 512], pl.FP64, pl.NZ]", "pass"},
        Refusal{"NZ_ROWS_DYNAMIC", "n: pl.Scalar[pl.INDEX], w: pl.Tensor[[n, 512], pl.INT8, pl.NZ]", "pass"},
        Refusal{"NZ_COLS_DYNAMIC", "n: pl.Scalar[pl.INDEX], w: pl.Tensor[[256, n], pl.INT8, pl.NZ]", "pass"},
        Refusal{"NZ_ROWS_UNALIGNED", "w: pl.Tensor[[200, 512], pl.INT8, pl.NZ]", "pass"},
        Refusal{"NZ_COLS_UNALIGNED", "w: pl.Tensor[[256, 500], pl.INT8, pl.NZ]", "pass"},
        Refusal{"NZ_LEAD_DYNAMIC", "n: pl.Scalar[pl.INDEX], w: pl.Tensor[[n, 4, 256, 512], pl.INT8, pl.NZ]", "pass"},
        Refusal{"NZ_OVERFLOW", "w: pl.Tensor[[4294967296, 4294967296, 256, 512], pl.INT8, pl.NZ]", "pass"},
        Refusal{"NZ_DISTRIBUTED", "w: pld.DistributedTensor[[256, 512], pl.INT8, pl.NZ]", "pass"},
        Refusal{"NZ_TENSOR_VALID_SHAPE",
                "w: pl.Tensor[[256, 512], pl.INT8, pl.TensorView(valid_shape=[256, 512], stride=[], "
                "layout=pl.TensorLayout.NZ)]",
                "pass"},
        Refusal{"NZ_TENSOR_STRIDE",
                "w: pl.Tensor[[256, 512], pl.INT8, pl.TensorView(stride=[512, 1], layout=pl.TensorLayout.NZ)]", "pass"},
        Refusal{"NZ_VIEW_OF_NZ", kWeight, "v: pl.Tensor[[512, 256], pl.INT8] = pl.tensor.view(w, [512, 256])"},
        Refusal{"NZ_BAD_CONSUMER", kWeight, "v: pl.Tensor[[256, 512], pl.INT8] = pl.tensor.add(w, w)"},
        Refusal{"NZ_BAD_CONSUMER", kWeight, "v: pl.Tensor[[256, 512], pl.INT8] = pl.tensor.exp(w)"},
        Refusal{"NZ_BAD_CONSUMER", kWeight, "pl.foo(n, t=w)"}, Refusal{"NZ_BAD_CONSUMER", kWeight, "other(w)"},
        Refusal{"NZ_BAD_CONSUMER", kWeight, "v = w[n]"},
        Refusal{"NZ_BAD_CONSUMER", kWeight,
                "t: pl.Tile[[16, 32], pl.INT8, pl.Mem.Mat] = pl.tile.load(pl.tensor.slice(w, [256, 512], [0, 0]), [0, "
                "0], [16, 32], target_memory=pl.Mem.Mat)"},
        Refusal{"NZ_LOAD_TARGET", kWeight, "t: pl.Tile[[16, 32], pl.INT8] = pl.tile.load(w, [0, 0], [16, 32])"},
        Refusal{"NZ_LOAD_TARGET", kWeight,
                "t: pl.Tile[[16, 32], pl.INT8] = pl.tile.load(w, [0, 0], [16, 32], target_memory=pl.Mem.Vec)"},
        Refusal{"NZ_OFF_CONST", kWeight, LOAD("[8, 0], [16, 32]")},
        Refusal{"NZ_OFF_CONST", kWeight, LOAD("[0, -32], [16, 32]")},
        Refusal{"NZ_OFF_UNPROVEN_MULTIPLE", kWeight, LOAD("[n, 0], [16, 32]")},
        Refusal{"NZ_OFF_UNPROVEN_SIGN", kWeight, LOAD("[n * 16, 0], [16, 32]")},
        Refusal{"NZ_RANK_MISMATCH", kWeight, LOAD("[0, 0, 0], [1, 16, 32]")},
        Refusal{"NZ_COORDINATES", kWeight, LOAD("n, [16, 32]")},
        Refusal{"NZ_VALID_COLS", kWeight, LOAD("[0, 0], [16, 32], [n * 16, 20]")},
        Refusal{"NZ_VALID_UNPROVEN_MULTIPLE", kWeight, LOAD("[0, 0], [16, 32], [n, 32]")},
        Refusal{"NZ_LOAD_MULTI_BATCH", kStack, LOAD("[0, 0, 0, 0], [1, 2, 16, 32]")},
        Refusal{"NZ_GM_GAP", "w: pl.Tensor[[65552, 512], pl.INT8, pl.NZ]", LOAD("[0, 0], [16, 64]")},
        Refusal{"NZ_SLICE_VALID_RANK", kStack,
                "s: pl.Tensor[[1, 4, 256, 512], pl.INT8, pl.NZ] = pl.tensor.slice(w, [1, 4, 256, 512], [0, 0, 0, 0], "
                "[4, 256, 512])"},
        Refusal{"NZ_SLICE_VALID_NARROW", kStack,
                "s: pl.Tensor[[1, 4, 256, 512], pl.INT8, pl.NZ] = pl.tensor.slice(w, [1, 4, 256, 512], [0, 0, 0, 0], "
                "[1, 4, 240, 512])"},
        Refusal{"NZ_SLICE_DROP_TRAILING", kStack,
                "s: pl.Tensor[[1, 4, 256, 512], pl.INT8, pl.NZ] = pl.tensor.slice(w, [1, 4, 256, 512], [0, 0, 0, 0], "
                "[], [2])"},
        Refusal{"NZ_SLICE_INNER_WINDOW", kStack,
                "s: pl.Tensor[[1, 4, 128, 512], pl.INT8, pl.NZ] = pl.tensor.slice(w, [1, 4, 128, 512], [0, 0, 0, 0])"},
        Refusal{"NZ_SLICE_MULTI_WINDOW", kStack,
                "s: pl.Tensor[[2, 2, 256, 512], pl.INT8, pl.NZ] = pl.tensor.slice(w, [2, 2, 256, 512], [0, 1, 0, 0])"},
        Refusal{"NZ_RESHAPE_NOT_FLATTEN", kWeight,
                "s: pl.Tensor[[65536, 2], pl.INT8] = pl.tensor.reshape(w, [65536, 2])"},
        Refusal{"NZ_STORE_BACKEND", kOut, "pl.tile.store(acc, [0, 0], out)", "a5"},
        Refusal{"NZ_STORE_SRC_SPACE", kOut, STORE("pl.Tile[[64, 16], pl.FP32, pl.Mem.Vec]", "[0, 0], out")},
        Refusal{"NZ_STORE_DTYPE", kOut, STORE("pl.Tile[[64, 16], pl.INT32, pl.Mem.Acc]", "[0, 0], out")},
        Refusal{"NZ_STORE_ATTR", kOut, "pl.tile.store(acc, [0, 0], out, atomic=pl.AtomicType.Add)"},
        Refusal{"NZ_STORE_TILE_RANK", kOut, STORE("pl.Tile[[1, 64, 16], pl.FP32, pl.Mem.Acc]", "[0, 0], out")},
        Refusal{"NZ_STORE_TILE_DYNAMIC", kOut, STORE("pl.Tile[[n, 16], pl.FP32, pl.Mem.Acc]", "[0, 0], out")},
        Refusal{"NZ_STORE_TILE_PARTIAL", kOut,
                STORE("pl.Tile[[64, 16], pl.FP32, pl.Mem.Acc, pl.TileView(valid_shape=[48, 16])]", "[0, 0], out")},
        Refusal{"NZ_STORE_TILE_UNALIGNED", kOut, STORE("pl.Tile[[64, 8], pl.FP32, pl.Mem.Acc]", "[0, 0], out")},
        Refusal{"NZ_STORE_ROW_WINDOW", kOut, STORE("pl.Tile[[32, 16], pl.FP32, pl.Mem.Acc]", "[0, 0], out")},
        Refusal{"NZ_STORE_ROW_WINDOW", kOut, "pl.tile.store(acc, [n, 0], out)"},
        Refusal{"NZ_STORE_MULTI_PANEL",
                "out: pl.Out[pl.Tensor[[3, 64, 48], pl.FP32, pl.NZ]], acc: pl.Tile[[64, 16], pl.FP32, pl.Mem.Acc]",
                "pl.tile.store(acc, [0, 0, 0], out, [2, 64, 16])"}));

TEST(BlockNz, ReportsEveryRefusal) {
    const PassResult r = block(kWeight, LOAD("[8, 0], [16, 32]") "\n" LOAD("[0, 0], [16, 20]"));
    ASSERT_EQ(r.diagnostics.size(), 2U);
    EXPECT_EQ(r.diagnostics[0].code, "NZ_OFF_CONST");
    EXPECT_EQ(r.diagnostics[1].code, "NZ_COLS_UNALIGNED");
}

TEST(BlockNz, ShowsWhereAProofStopped) {
    const PassResult r = block(kWeight, "m: pl.Scalar[pl.INDEX] = n * 8\n" LOAD("[m + 16, 0], [16, 32]"));
    ASSERT_FALSE(r.ok());
    ASSERT_EQ(r.error().notes.size(), 1U);
    EXPECT_NE(r.error().notes[0].message.find("constant 8: 8 mod 16 = 8"), std::string::npos)
        << r.error().notes[0].message;
    ASSERT_EQ(r.proofs.size(), 1U) << "the failed proof is kept to be shown";
    EXPECT_FALSE(r.proofs[0].proof.proven);
}

TEST(BlockNz, WarnsOfWindowsThatReachOutside) {
    const PassResult r = block(kWeight, LOAD("[256, 0], [16, 32]"));
    ASSERT_TRUE(r.ok());
    ASSERT_EQ(r.diagnostics.size(), 1U);
    EXPECT_EQ(r.diagnostics[0].code, "NZ_WINDOW_OUTSIDE");
}

TEST(BlockNz, AcceptsWhatIsJustWithinTheGuard) {
    EXPECT_TRUE(block("w: pl.Tensor[[65536, 512], pl.INT8, pl.NZ]", LOAD("[0, 0], [16, 64]")).ok());
    EXPECT_TRUE(block("w: pl.Tensor[[65552, 512], pl.INT8, pl.NZ]", LOAD("[0, 0], [32, 64]")).ok());
    EXPECT_TRUE(block("w: pl.Tensor[[65552, 512], pl.INT8, pl.NZ]", LOAD("[0, 0], [16, 32]")).ok())
        << "one burst never uses the gap";
}

} // namespace
} // namespace ls::nz
