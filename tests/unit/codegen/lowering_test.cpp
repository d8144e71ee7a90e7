// What statements become: numbers, carried and chosen values, windows of tiles, queues that wait.
#include <chrono>

#include <gtest/gtest.h>

#include "core/codegen/export.h"
#include "core/codegen/kernel/kernel.h"
#include "core/codegen/kernel/names.h"
#include "core/codegen/pto_isa/flags.h"
#include "core/codegen/pto_isa/pipes.h"
#include "core/dialect/pypto/pypto.h"

namespace ls::codegen {
namespace {

/// A kernel over x, y and out, 64 by 64 of FP32, and the numbers n (INDEX), m (INT32) and f (FP32).
std::string program(const std::string& body, const std::string& type = "InCore") {
    return "import pypto.language as pl\n\n@pl.program\nclass P:\n    @pl.function(type=pl.FunctionType." + type +
           ")\n    def k(self, x: pl.Tensor[[64, 64], pl.FP32], y: pl.InOut[pl.Tensor[[64, 64], pl.FP32]], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]], n: pl.Scalar[pl.INDEX], "
           "m: pl.Scalar[pl.INT32], f: pl.Scalar[pl.FP32]):\n" +
           body;
}
const std::string kLoad = "        t: pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [16, 64], target_memory=pl.Mem.Vec)\n";
const std::string kStore = "        done: pl.Tensor[[64, 64], pl.FP32] = pl.tile.store(t, [0, 0], out)\n";

std::string exported(const std::string& body, std::string_view target) {
    const auto module = pypto::read(program(body));
    if (!module.ok()) return "unreadable: " + module.error().message;
    const auto out = find_target(target)->run(*module, {});
    return out.ok() ? out->files.front().text : out.error().code;
}
bool has(const std::string& text, std::string_view what) { return text.find(what) != std::string::npos; }
std::size_t count(const std::string& text, std::string_view what) {
    std::size_t found = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + what.size())) ++found;
    return found;
}

TEST(Numbers, ArgumentsAreNumberedTensorsFirst) {
    EXPECT_TRUE(has(exported(kLoad + kStore, "pto"), "@k(%arg0: !pto.ptr<f32>, %arg1: !pto.ptr<f32>, %arg2: !pto.ptr<f32>, %arg3: index, %arg4: i32, %arg5: f32)"));
    EXPECT_TRUE(has(exported(kLoad + kStore, "pto-isa"), "(__gm__ float* v1, __gm__ float* v2, __gm__ float* v3, int32_t v4, int32_t v5, float v6)"));
}

TEST(Numbers, HaveTheirTypesAndAreBroughtTogether) {
    const std::string text = exported("        a: pl.Scalar[pl.INDEX] = m + n\n        b: pl.Scalar[pl.FP32] = f * 0.5\n"
                                      "        t: pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [a, 0], [16, 64], target_memory=pl.Mem.Vec)\n"
                                      "        u: pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.muls(t, b)\n" +
                                          kStore, "pto");
    EXPECT_TRUE(has(text, "%s0 = arith.index_cast %arg4 : i32 to index")) << text;
    EXPECT_TRUE(has(text, "%a = arith.addi %s0, %arg3 : index")) << text;
    EXPECT_TRUE(has(text, "%cst = arith.constant 5.00000000000000000e-01 : f32")) << text;
    EXPECT_TRUE(has(text, "%b = arith.mulf %arg5, %cst : f32")) << text;
    EXPECT_TRUE(has(text, "pto.tmuls ins(%t, %b : ")) << text;
}

TEST(Numbers, ModuloTakesTheDivisorsSign) {
    const std::string window = "        t: pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [a, 0], [16, 64], target_memory=pl.Mem.Vec)\n" + kStore;
    const std::string unknown = exported("        a: pl.Scalar[pl.INDEX] = n % 4\n" + window, "pto");
    EXPECT_EQ(count(unknown, "arith.remsi"), 2U) << unknown;
    const std::string block = exported("        b: pl.Scalar[pl.INDEX] = pl.tile.get_block_idx()\n        a: pl.Scalar[pl.INDEX] = b % 4\n" + window, "pto");
    EXPECT_EQ(count(block, "arith.remsi"), 1U) << block;
}

TEST(ControlFlow, LoopsCarryNumbersAndBranchesGiveThem) {
    const std::string body = "        for i, (at,) in pl.range(0, n, 1, init_values=(0,)):\n    " + kLoad +
                             "            if i == 0:\n                step: pl.Scalar[pl.INDEX] = pl.yield_(16)\n            else:\n                step: pl.Scalar[pl.INDEX] = pl.yield_(32)\n"
                             "            done: pl.Tensor[[64, 64], pl.FP32] = pl.tile.store(t, [at, 0], out)\n            end: pl.Scalar[pl.INDEX] = pl.yield_(at + step)\n";
    const std::string text = exported(body, "pto");
    EXPECT_TRUE(has(text, "%end = scf.for %i = %c0_index to %arg3 step %c1_index iter_args(%at = %c0_index) -> (index) {")) << text;
    EXPECT_TRUE(has(text, "%step = scf.if %s0 -> (index) {")) << text;
    EXPECT_TRUE(has(text, "scf.yield %c32_index : index")) << text;
    const std::string cpp = exported(body, "pto-isa");
    EXPECT_TRUE(has(cpp, "= 32;\n")) << cpp;
    EXPECT_EQ(exported("        while n < 4:\n    " + kLoad, "pto"), "CG_WHILE");
}

TEST(ControlFlow, CarriedNumbersThatChangePlacesAreReadFirst) {
    const std::string cpp = exported("        for i, (a, b) in pl.range(0, 4, 1, init_values=(0, 16)):\n"
                                     "            t: pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [a, 0], [16, 64], target_memory=pl.Mem.Vec)\n"
                                     "            done: pl.Tensor[[64, 64], pl.FP32] = pl.tile.store(t, [b, 0], out)\n            p, q = pl.yield_(b, a)\n", "pto-isa");
    // int32_t x = b; int32_t y = a; a = x; b = y;
    const std::size_t last = cpp.rfind("int32_t v");
    EXPECT_TRUE(has(cpp.substr(last), ";\n    v")) << cpp;
    EXPECT_EQ(count(cpp.substr(last), " = v"), 3U) << cpp.substr(last);
}

TEST(Tiles, WindowsBeginAtBoxes) {
    const std::string vec = kLoad + "        w: pl.Tile[[1, 16], pl.FP32, pl.Mem.Vec] = pl.tile.slice(t, [1, 16], [n, 16])\n"
                                    "        u: pl.Tile[[1, 16], pl.FP32, pl.Mem.Vec] = pl.tile.abs(w)\n" + kStore;
    EXPECT_TRUE(has(exported(vec, "pto"), "%w = pto.subview %t[%arg3, %c16_index] sizes [1, 16] : ")) << exported(vec, "pto");
    EXPECT_TRUE(has(exported(vec, "pto-isa"), " + (v4) * 256 + (16) * 4);")) << exported(vec, "pto-isa");
    const std::string boxed = "        b: pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat] = pl.tile.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)\n"
                              "        l: pl.Tile[[16, 64], pl.FP32, pl.Mem.Left] = pl.tile.extract(b, 8, 0, [16, 64], target_memory=pl.Mem.Left)\n";
    EXPECT_EQ(exported(boxed, "pto"), "CG_WINDOW");
}

TEST(Tiles, WithoutAddressesOneAllocationIsOneBuffer) {
    const std::string text = exported("        a: pl.Tile[[16, 64], pl.FP32, pl.MemRef(\"m0\", pl.const(0, pl.INT64), 4096), pl.Mem.Vec] = pl.tile.load(x, [0, 0], [16, 64], target_memory=pl.Mem.Vec)\n"
                                      "        b: pl.Tile[[16, 64], pl.FP32, pl.MemRef(\"m1\", pl.const(0, pl.INT64), 4096), pl.Mem.Vec] = pl.tile.abs(a)\n"
                                      "        t: pl.Tile[[16, 64], pl.FP32, pl.MemRef(\"m0\", pl.const(0, pl.INT64), 4096), pl.Mem.Vec] = pl.tile.exp(b)\n" + kStore, "pto");
    EXPECT_EQ(count(text, "pto.alloc_tile"), 2U) << text;
    EXPECT_TRUE(has(text, "addr = %c4096_i64")) << text;
}

TEST(Refusals, SayWhatIsNotOnOneCore) {
    const std::string mixed = kLoad + "        a: pl.Tile[[16, 16], pl.FP32, pl.Mem.Acc] = pl.tile.create([16, 16], dtype=pl.FP32, target_memory=pl.Mem.Acc)\n" + kStore;
    EXPECT_EQ(exported(mixed, "pto-isa"), "CG_MIXED");
    EXPECT_TRUE(has(exported(mixed, "pto"), "loc=acc"));
}

TEST(Pipes, WhatWasStoredIsWaitedForBeforeItIsLoaded) {
    const std::string cpp = exported(kLoad + "        s: pl.Tensor[[64, 64], pl.FP32] = pl.tile.store(t, [0, 0], y)\n"
                                             "        u: pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(s, [0, 0], [16, 64], target_memory=pl.Mem.Vec)\n"
                                             "        v: pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.abs(u)\n"
                                             "        w: pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.exp(v)\n", "pto-isa");
    EXPECT_TRUE(has(cpp, "set_flag(PIPE_MTE2, PIPE_MTE3")) << cpp;
    EXPECT_TRUE(has(cpp, "set_flag(PIPE_MTE3, PIPE_MTE2")) << cpp;
    EXPECT_EQ(count(cpp, "pipe_barrier(PIPE_V)"), 1U) << cpp;
}

TEST(Pipes, ALoopThatMayNotRunHasWaitedForNothing) {
    const auto flags_behind = [](const std::string& bound) {
        const std::string cpp = exported(kLoad + "        for i in pl.range(0, " + bound + ", 1):\n            a: pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.abs(t)\n"
                                                 "        b: pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.exp(t)\n", "pto-isa");
        return count(cpp.substr(cpp.find("}\n")), "set_flag(PIPE_MTE2, PIPE_V");
    };
    EXPECT_EQ(flags_behind("4"), 0U);
    EXPECT_EQ(flags_behind("n"), 1U);
}

TEST(Pipes, NestingCostsNoMoreThanItsText) {
    std::string body = kLoad, indent = "        ";
    for (int depth = 0; depth < 40; ++depth) {
        body += indent + "for i" + std::to_string(depth) + " in pl.range(0, 2, 1):\n";
        indent += "    ";
    }
    body += indent + "a: pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.abs(t)\n";
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_TRUE(has(exported(body, "pto-isa"), "TABS("));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2)); // twice at each level would be 2^40
}

TEST(Flags, AreTakenInTurnAndNotRaisedAgainBeforeTheyWereWaitedFor) {
    Flags flags;
    for (int i = 0; i < 8; ++i) {
        EXPECT_EQ(flags.wait(Pipe::Mte2, Pipe::Mte1), (std::vector<std::string>{"set_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID" + std::to_string(i) + ");",
                                                                                "wait_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID" + std::to_string(i) + ");"}));
    }
    const auto ninth = flags.wait(Pipe::Mte2, Pipe::Mte1);
    ASSERT_EQ(ninth.size(), 4U);
    EXPECT_EQ(ninth[0], "set_flag(PIPE_MTE1, PIPE_MTE2, EVENT_ID0);");
    EXPECT_EQ(ninth[2], "set_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID0);");
    EXPECT_EQ(flags.wait(Pipe::Mte2, Pipe::Mte1).size(), 2U);
    EXPECT_EQ(flags.wait(Pipe::Vector, Pipe::Vector), std::vector<std::string>{"pipe_barrier(PIPE_V);"});
}

TEST(Names, AreOnceAndNeverAConstants) {
    Names names;
    EXPECT_EQ(names.take("x"), "x");
    EXPECT_EQ(names.take("x"), "x_1");
    EXPECT_EQ(names.take("x_1"), "x_1_1");
    EXPECT_EQ(names.take("c16_index"), "v_c16_index");
    EXPECT_EQ(names.take("c16"), "c16");
    EXPECT_EQ(names.take("é"), "__");
}

} // namespace
} // namespace ls::codegen
