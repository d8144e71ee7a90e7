#include "core/passes/nz/convert_to_ssa.h"

#include <gtest/gtest.h>

#include "core/passes/nz/flatten_call_expr.h"
#include "core/passes/nz/simplify.h"
#include "tests/unit/passes/kernel_text.h"

namespace ls::nz {
namespace {

const char* kParams = "x: pl.Tensor[[64, 64], pl.FP16], n: pl.Scalar[pl.INDEX]";

std::string ssa(const std::string& body) { return body_text(convert_to_ssa(read_kernel(kParams, body), {})); }

TEST(ConvertToSsa, NumbersEveryAssignment) {
    EXPECT_EQ(ssa("a = n + 1\na = a * 2\nn = a\nreturn n"),
              "a__ssa_v0 = n__ssa_v0 + 1\na__ssa_v1 = a__ssa_v0 * 2\nn__ssa_v1 = a__ssa_v1\nreturn n__ssa_v1\n");
}

TEST(ConvertToSsa, CarriesWhatALoopChanges) {
    EXPECT_EQ(ssa("a = 0\nb = 0\nfor i in pl.range(4):\n    t = a + i\n    a = t + b\nreturn a"),
              "a__ssa_v0 = 0\n"
              "b__ssa_v0 = 0\n"
              "for i__idx_v0, (a__iter_v1,) in pl.range(4, init_values=(a__ssa_v0,)):\n"
              "    t__ssa_v0 = a__iter_v1 + i__idx_v0\n"
              "    a__ssa_v3 = t__ssa_v0 + b__ssa_v0\n"
              "    a__rv_v2: pl.Scalar[pl.INDEX] = pl.yield_(a__ssa_v3)\n"
              "return a__rv_v2\n");
}

TEST(ConvertToSsa, JoinsBranches) {
    EXPECT_EQ(ssa("a = 0\nif n == 0:\n    a = 1\n    b = 2\nelse:\n    b = 3\nreturn a, b"),
              "a__ssa_v0 = 0\n"
              "if n__ssa_v0 == 0:\n"
              "    a__ssa_v1 = 1\n"
              "    b__ssa_v0 = 2\n"
              "    a__phi_v2, b__phi_v2 = pl.yield_(a__ssa_v1, b__ssa_v0)\n"
              "else:\n"
              "    b__ssa_v1 = 3\n"
              "    a__phi_v2, b__phi_v2 = pl.yield_(a__ssa_v0, b__ssa_v1)\n"
              "return a__phi_v2, b__phi_v2\n");
    EXPECT_EQ(ssa("a = 0\nif n == 0:\n    a = 1\nreturn a"),
              "a__ssa_v0 = 0\n"
              "if n__ssa_v0 == 0:\n"
              "    a__ssa_v1 = 1\n"
              "    a__phi_v2: pl.Scalar[pl.INDEX] = pl.yield_(a__ssa_v1)\n"
              "else:\n"
              "    a__phi_v2: pl.Scalar[pl.INDEX] = pl.yield_(a__ssa_v0)\n"
              "return a__phi_v2\n");
}

TEST(ConvertToSsa, CarriesThroughWhileLoops) {
    EXPECT_EQ(ssa("while n > 0:\n    n = n - 1\nreturn n"),
              "for (n__iter_v1,) in pl.while_(init_values=(n__ssa_v0,)):\n"
              "    pl.cond(n__iter_v1 > 0)\n"
              "    n__ssa_v3 = n__iter_v1 - 1\n"
              "    n__rv_v2: pl.Scalar[pl.INDEX] = pl.yield_(n__ssa_v3)\n"
              "return n__rv_v2\n");
}

TEST(ConvertToSsa, StartsAWriteThatEscapesItsLoopFromItsDestination) {
    EXPECT_EQ(ssa("t: pl.Tile[[16, 64], pl.FP16, pl.Mem.Vec] = pl.load(x, [0, 0], [16, 64])\nfor i in pl.range(4):\n   "
                  " y: pl.Tensor[[64, 64], pl.FP16] = pl.store(t, [i, 0], x)\nreturn y"),
              "t__ssa_v0: pl.Tile[[16, 64], pl.FP16, pl.Mem.Vec] = pl.tile.load(x__ssa_v0, [0, 0], [16, 64])\n"
              "for i__idx_v0, (y__iter_v0,) in pl.range(4, init_values=(x__ssa_v0,)):\n"
              "    y__ssa_v2: pl.Tensor[[64, 64], pl.FP16] = pl.tile.store(t__ssa_v0, [i__idx_v0, 0], x__ssa_v0)\n"
              "    y__rv_v1: pl.Tensor[[64, 64], pl.FP16] = pl.yield_(y__ssa_v2)\n"
              "return y__rv_v1\n");
}

TEST(ConvertToSsa, ExtendsWhatALoopYieldsAlready) {
    EXPECT_EQ(ssa("a = 0\nfor i, (c,) in pl.range(4, init_values=(n,)):\n    a = a + c\n    with pl.scope():\n        "
                  "r: pl.Scalar[pl.INDEX] = pl.yield_(c)\nreturn r, a"),
              "a__ssa_v0 = 0\n"
              "for i__idx_v0, (c__iter_v0, a__iter_v1) in pl.range(4, init_values=(n__ssa_v0, a__ssa_v0)):\n"
              "    a__ssa_v3 = a__iter_v1 + c__iter_v0\n"
              "    with pl.scope():\n"
              "        r__rv_v0, a__rv_v2 = pl.yield_(c__iter_v0, a__ssa_v3)\n"
              "return r__rv_v0, a__rv_v2\n");
}

TEST(ConvertToSsa, RefusesValuesThatSomePathLeavesOut) {
    EXPECT_EQ(ssa("if n == 0:\n    b = 1\nreturn b"), "SSA_MAYBE_UNDEFINED");
    EXPECT_EQ(ssa("for i in pl.range(4):\n    b = i\nreturn b"), "SSA_MAYBE_UNDEFINED");
    EXPECT_EQ(ssa("a = 0\nfor i in pl.range(4):\n    a = a + 1\n    if a == 2:\n        break\nreturn a"), "SSA_BREAK");
}

TEST(ConvertToSsa, LeavesConvertedProgramsAsTheyAre) {
    const PassResult once = convert_to_ssa(read_kernel(kParams, "a = n\nif n == 0:\n    a = 1\nreturn a"), {});
    EXPECT_EQ(convert_to_ssa(once.module, {}).module, once.module);
}

TEST(Simplify, FoldsConstantsAndDropsThem) {
    const auto simple = [](const std::string& body) { return body_text(simplify(read_kernel(kParams, body), {})); };
    EXPECT_EQ(simple("a = 4\nb = n + a - 1\nreturn b * 1"), "b = n + 3\nreturn b\n");
    EXPECT_EQ(simple("b = n - 3 + 3\nreturn b"), "b = n\nreturn b\n");
    EXPECT_EQ(simple("b = n + 2 - 5\nreturn b"), "b = n - 3\nreturn b\n");
    EXPECT_EQ(simple("b = (n * 256) // 16\nreturn b"), "b = n * 256 // 16\nreturn b\n")
        << "products and divisions are never rearranged";
    EXPECT_EQ(simple("a = 4\na = n\nreturn a"), "a = 4\na = n\nreturn a\n") << "assigned twice: no constant";
    EXPECT_EQ(simple("b = pl.const(127, pl.INT8) + pl.const(1, pl.INT8)\nreturn b"),
              "b = pl.const(127, pl.INT8) + pl.const(1, pl.INT8)\nreturn b\n")
        << "it would wrap";
    EXPECT_EQ(simple("b = pl.const(9223372036854775807, pl.INDEX) + pl.const(1, pl.INDEX)\nreturn b").substr(0, 8),
              "b = pl.c");
}

TEST(Simplify, TakesIndexVariablesForCountsAsTheCompilerDoes) {
    const auto simple = [](const std::string& body) { return body_text(simplify(read_kernel("n: pl.Scalar[pl.INDEX], m: pl.Scalar[pl.INDEX], k: pl.Scalar[pl.INT32]", body), {})); };
    EXPECT_EQ(simple("b = pl.max(pl.min(n, m), 0)\nreturn b"), "b = pl.min(n, m)\nreturn b\n");
    EXPECT_EQ(simple("b = pl.max(0, n * 16)\nreturn b"), "b = n * 16\nreturn b\n");
    EXPECT_EQ(simple("b = pl.max(n - m, 0)\nreturn b"), "b = pl.max(n - m, 0)\nreturn b\n") << "a difference may be negative";
    EXPECT_EQ(simple("b = pl.max(k, 0)\nreturn b"), "b = pl.max(k, 0)\nreturn b\n") << "a number of 32 bits is no count";
    EXPECT_EQ(simple("b = pl.max(n, 1)\nreturn b"), "b = pl.max(n, 1)\nreturn b\n");
    EXPECT_EQ(simple("b = n > m\nreturn b"), "b = m < n\nreturn b\n");
}

TEST(Simplify, DropsResultsThatNobodyUses) {
    const PassResult s = convert_to_ssa(
        read_kernel(kParams, "if n == 0:\n    a = n\n    b = n\nelse:\n    a = n + 1\n    b = n + 2\nreturn a"), {});
    EXPECT_EQ(body_text(simplify(s.module, {})), "if n__ssa_v0 == 0:\n"
                                                 "    a__ssa_v0 = n__ssa_v0\n"
                                                 "    b__ssa_v0 = n__ssa_v0\n"
                                                 "    a__phi_v2: pl.Scalar[pl.INDEX] = pl.yield_(a__ssa_v0)\n"
                                                 "else:\n"
                                                 "    a__ssa_v1 = n__ssa_v0 + 1\n"
                                                 "    b__ssa_v1 = n__ssa_v0 + 2\n"
                                                 "    a__phi_v2: pl.Scalar[pl.INDEX] = pl.yield_(a__ssa_v1)\n"
                                                 "return a__phi_v2\n");
}

TEST(FlattenCallExpr, NamesCallsInTheOrderTheyRun) {
    const auto flat = [](const std::string& body) {
        return body_text(flatten_call_expr(read_kernel(kParams, body), {}));
    };
    EXPECT_EQ(flat("# why\npl.foo(pl.bar(pl.baz(x)), pl.qux(n))\nreturn self.f(x)"), "# why\n"
                                                                                     "t__tmp_v0 = pl.baz(x)\n"
                                                                                     "t__tmp_v1 = pl.bar(t__tmp_v0)\n"
                                                                                     "t__tmp_v2 = pl.qux(n)\n"
                                                                                     "pl.foo(t__tmp_v1, t__tmp_v2)\n"
                                                                                     "t__tmp_v3 = self.f(x)\n"
                                                                                     "return t__tmp_v3\n");
    EXPECT_EQ(flat("for i in pl.range(pl.count(x)):\n    with pl.at(level=pl.Level.CORE_GROUP, "
                   "optimizations=[pl.split(1)]):\n        a = n + pl.len(x)"),
              "t__tmp_v0 = pl.count(x)\n"
              "for i in pl.range(t__tmp_v0):\n"
              "    with pl.at(level=pl.Level.CORE_GROUP, optimizations=[pl.split(1)]):\n"
              "        t__tmp_v1 = pl.len(x)\n"
              "        a = n + t__tmp_v1\n");
    const ir::Module plain = read_kernel(kParams, "a = pl.foo(x)\nif n == 0:\n    pl.bar(a)");
    EXPECT_EQ(flatten_call_expr(plain, {}).module, plain);
}

} // namespace
} // namespace ls::nz
