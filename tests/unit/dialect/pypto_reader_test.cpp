#include "core/dialect/pypto/pypto.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/ir/equality.h"
#include "core/ir/walk.h"

namespace ls::pypto {
namespace {

using namespace ir;

/// A program with one function of this body, four columns each level.
std::string kernel(const std::string& body,
                   const std::string& params = "self, x: pl.Tensor[[64, 64], pl.FP16], n: pl.Scalar[pl.INDEX]") {
    std::string out = "# pypto.program: P\nimport pypto.language as pl\n\n@pl.program\nclass P:\n    "
                      "@pl.function(type=pl.FunctionType.InCore)\n    def f(" +
                      params + "):\n";
    std::string line;
    for (const char c : body + "\n") {
        if (c == '\n') {
            out += "        " + line + "\n";
            line.clear();
        } else {
            line += c;
        }
    }
    return out;
}

Module must_read(const std::string& text) {
    ReadResult r = read_all(text);
    for (const Diagnostic& d : r.diagnostics) EXPECT_NE(d.severity, Severity::Error) << render(d, text, "test");
    return r.module;
}

std::string first_error(const std::string& text) {
    const auto r = read(text);
    return r.ok() ? "ok" : r.error().code;
}

/// The body as it is printed again, without the function around it.
std::string body_again(const std::string& body) {
    const Module m = must_read(kernel(body));
    if (m == nullptr) return "refused";
    std::string out;
    for (const Stmt& s : m->functions[0]->body->stmts) out += print(*s);
    return out;
}

struct Line {
    const char* written;
    const char* printed;
};

TEST(Reader, PrintsStatementsInOneForm) {
    const Line lines[] = {
        {"a: pl.Scalar[pl.INDEX] = n * 256", "a: pl.Scalar[pl.INDEX] = n * 256\n"},
        {"a = n * 256", "a = n * 256\n"},
        {"a = (n + 1) * 2 - n // 3 % 4", "a = (n + 1) * 2 - n // 3 % 4\n"},
        {"a = n - (n - 1)", "a = n - (n - 1)\n"},
        {"a = -n ** 2", "a = -n ** 2\n"},
        {"a = (-n) ** 2", "a = (-n) ** 2\n"},
        {"a = 2 ** n ** 3", "a = 2 ** n ** 3\n"},
        {"a = 4 * 64 + 1", "a = 257\n"},
        {"a = pl.const(4, pl.INDEX) == pl.const(5, pl.INDEX)", "a = pl.const(4, pl.INDEX) == pl.const(5, pl.INDEX)\n"},
        {"a = pl.const(-1, pl.INT32)", "a = pl.const(-1, pl.INT32)\n"},
        {"a = pl.min(n, pl.max(n, 3))", "a = pl.min(n, pl.max(n, 3))\n"},
        {"a = min(n, 3)", "a = pl.min(n, 3)\n"},
        {"a = abs(n) if not n < 3 and n == 2 or n != 1 else ~n",
         "a = abs(n) if not n < 3 and n == 2 or n != 1 else ~n\n"},
        {"a = n < 3 xor n > 5", "a = n < 3 xor n > 5\n"},
        {"a = 0 < n < 8", "a = 0 < n and n < 8\n"},
        {"a = n << 2 | n & 1 ^ 3", "a = n << 2 | n & 1 ^ 3\n"},
        {"a = pl.cast(n, pl.INT64)", "a = pl.cast(n, pl.INT64)\n"},
        {"a = 1.0000000000000001e-05", "a = 1.0000000000000001e-05\n"},
        {"a = [n, 0][1]", "a = [n, 0][1]\n"},
        {"a = x[n]", "a = x[n]\n"},
        {"a = pl.FP16", "a = pl.FP16\n"},
        {"n += 4", "n = n + 4\n"},
        {"a, b = n, 4", "a, b = (n, 4)\n"},
        {"pl.system.bar_all()", "pl.system.bar_all()\n"},
        {"pl.tile.store(x, [0, 0], x, mode='rint', attrs={\"k\": [pl.adir.input, True]})",
         "pl.tile.store(x, [0, 0], x, mode='rint', attrs={\"k\": [pl.adir.input, True]})\n"},
        {"return", "return\n"},
        {"return (n, x)", "return n, x\n"},
        {"assert n > 0, \"more\"", "assert n > 0, \"more\"\n"},
        {"import math", "import math\n"},
        {"pass", ""},
    };
    for (const Line& l : lines) EXPECT_EQ(body_again(l.written), l.printed) << l.written;
}

TEST(Reader, PutsUserSpellingIntoThePrintedForm) {
    EXPECT_EQ(body_again("t = pl.load(x, offsets=[0, 0], shapes=[16, 16], target_memory=pl.Mem.Mat)"),
              "t = pl.tile.load(x, [0, 0], [16, 16], target_memory=pl.Mem.Mat)\n");
    EXPECT_EQ(body_again("t = pl.load(x, [0, 0], [16, 16], [8, 16], pl.Mem.Vec)"),
              "t = pl.tile.load(x, [0, 0], [16, 16], [8, 16], target_memory=pl.Mem.Vec)\n");
    EXPECT_EQ(body_again("t = pl.load(x, [0, 0], [16, 16], valid_shapes=[8, 16])"),
              "t = pl.tile.load(x, [0, 0], [16, 16], [8, 16])\n");
    EXPECT_EQ(body_again("t = pl.add(x, x)"), "t = pl.tensor.add(x, x)\n");
    EXPECT_EQ(body_again("t = pl.load(x, [0, 0], [16, 16])\nu = pl.add(t, t)"),
              "t = pl.tile.load(x, [0, 0], [16, 16])\nu = pl.tile.add(t, t)\n");
    EXPECT_EQ(body_again("t = pl.foo(x, bar=1)"), "t = pl.foo(x, bar=1)\n") << "unknown operations pass through";
}

TEST(Reader, TakesTheMemoryOfATileFromItsOperationWhereTheAnnotationLeavesItOut) {
    EXPECT_EQ(body_again("t: pl.Tile[[16, 64], pl.FP16] = pl.tile.load(x, [0, 0], [16, 64], target_memory=pl.Mem.Mat)"),
              "t: pl.Tile[[16, 64], pl.FP16, pl.Mem.Mat] = pl.tile.load(x, [0, 0], [16, 64], target_memory=pl.Mem.Mat)\n");
}

TEST(Reader, ReadsWhatUsersLeaveOut) {
    EXPECT_EQ(body_again("..."), "");
    EXPECT_EQ(body_again("for i in pl.spmd(core_num=4):\n    y = pl.tensor.add(x, x)"),
              "for i in pl.spmd(4):\n    y = pl.tensor.add(x, x)\n");
    EXPECT_EQ(body_again("for a, b in pl.while_(init_values=(n, x)):\n    pl.cond(a > 0)\n    (c,) = pl.yield_(a)"),
              body_again("for (a, b) in pl.while_(init_values=(n, x)):\n    pl.cond(a > 0)\n    c = pl.yield_(a)"));
}

TEST(Reader, ReadsBlocks) {
    const std::string body = "for i in pl.range(0, 64, 16):\n"
                             "    if i == 0:\n"
                             "        continue\n"
                             "    else:\n"
                             "        break\n"
                             "while n > 0:\n"
                             "    n: pl.Scalar[pl.INDEX] = n - 1\n"
                             "with pl.at(level=pl.Level.CORE_GROUP, name_hint=\"k\") as tid:\n"
                             "    pl.system.bar_all()\n"
                             "for i in pl.pipeline(4, stage=2):\n"
                             "    pass\n"
                             "for nb in pl.spmd(2, name_hint=\"s\"):\n"
                             "    pass\n";
    EXPECT_EQ(body_again(body), body);
}

TEST(Reader, GivesNamesToWhatBlocksYield) {
    const std::string body = "a: pl.Scalar[pl.INDEX] = n\n"
                             "for i, (c,) in pl.range(4, init_values=(a,)):\n"
                             "    d: pl.Scalar[pl.INDEX] = c + i\n"
                             "    r: pl.Scalar[pl.INDEX] = pl.yield_(d)\n"
                             "if n == 0:\n"
                             "    p, q = pl.yield_(r, 1)\n"
                             "else:\n"
                             "    p, q = pl.yield_(r, 2)\n"
                             "for (u, v) in pl.while_(init_values=(p, q)):\n"
                             "    pl.cond(u < v)\n"
                             "    w, z = pl.yield_(u + 1, v)\n"
                             "return w, z\n";
    EXPECT_EQ(body_again(body), body);
    const Module m = must_read(kernel(body));
    const auto* loop = as<ForNode>(m->functions[0]->body->stmts[1]);
    ASSERT_NE(loop, nullptr);
    ASSERT_EQ(loop->results.size(), 1U);
    const auto* branch = as<IfNode>(m->functions[0]->body->stmts[2]);
    EXPECT_EQ(as<YieldNode>(branch->then_body->stmts[0])->values[0], loop->results[0])
        << "a result is what later uses mean";
}

TEST(Reader, KeepsCommentsWithWhatTheyStandBefore) {
    const std::string body = "# first\n"
                             "# \n"
                             "a: pl.Scalar[pl.INDEX] = n\n"
                             "if n == 0:\n"
                             "    # inside\n"
                             "    b: pl.Scalar[pl.INDEX] = n\n"
                             "    # at the end of the block\n"
                             "# before the return\n"
                             "return a\n";
    EXPECT_EQ(body_again(body), body);
    EXPECT_EQ(body_again("\"\"\"Says what it does.\nMore.\"\"\"\na: pl.Scalar[pl.INDEX] = n\n"),
              "# Says what it does.\n#         More.\na: pl.Scalar[pl.INDEX] = n\n")
        << "a doc string becomes comment lines, its own indentation kept";
    EXPECT_EQ(body_again("a: pl.Scalar[pl.INDEX] = n  # why\n"), "# why\na: pl.Scalar[pl.INDEX] = n\n");
}

TEST(Reader, ReadsTypes) {
    const char* types[] = {
        "pl.Scalar[pl.BOOL]",
        "pl.Tensor[[64, 1024], pl.INT8]",
        "pl.Tensor[[512, 1024], pl.INT8, pl.TensorView(stride=[], layout=pl.TensorLayout.NZ)]",
        "pl.Tensor[[16, n], pl.FP32, pl.TensorView(valid_shape=[16, n], stride=[n, 1], layout=pl.TensorLayout.ND, "
        "pad=pl.PadValue.zero)]",
        "pl.Tensor[[16, 16], pl.FP32, pl.TensorView()]",
        "pl.Tensor[[n * pl.const(2, pl.INDEX), 16], pl.FP32]",
        "pl.Tensor[[64], pl.FP32, pl.MemRef(\"mem_ddr_0\", n * 128 * 4, 256)]",
        "pl.Tensor[[64], pl.FP32, pl.MemRef(\"pool\", slots=2)[n]]",
        "pld.DistributedTensor[[1, 64], pl.FP32]",
        "pld.DistributedTensor[[1, 64], pl.FP32, \"window_buffer=data_buf\"]",
        "pl.Tile[[64, 64], pl.FP16, pl.Mem.Mat]",
        "pl.Tile[[64, 64], pl.FP16]",
        "pl.Tile[[128, 64], pl.BF16, pl.Mem.Left, pl.TileView(blayout=pl.TileLayout.row_major)]",
        "pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[64, n], pad=pl.PadValue.min)]",
        "pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec, pl.TileView(stride=[64, 1], start_offset=n, "
        "compact=pl.CompactMode.normal)]",
        "pl.Tile[[16, 1], pl.FP32, pl.MemRef(m, pl.const(64, pl.INT64), 64), pl.Mem.Vec]",
        "pl.Tuple[pl.Tensor[[16, 1], pl.FP32], pl.Scalar[pl.INDEX]]",
        "pl.Array[4, pl.TASK_ID]",
        "pl.Ptr",
        "pl.UnknownType",
        "pld.CommCtxType",
        "pl.PrefetchAsyncContext",
    };
    for (const char* type : types) {
        const std::string line = std::string("v: ") + type + " = pl.foo()\n";
        EXPECT_EQ(body_again("m: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 64)\n" + line),
                  "m: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 64)\n" + line);
    }
    EXPECT_EQ(body_again("v: pl.Tensor[[512, 1024], pl.INT8, pl.NZ] = pl.foo()"),
              "v: pl.Tensor[[512, 1024], pl.INT8, pl.TensorView(stride=[], layout=pl.TensorLayout.NZ)] = pl.foo()\n");
}

TEST(Reader, LeavesOutWhatTheImplicitViewSays) {
    const Module m = must_read(kernel("t: pl.Tile[[64, 64], pl.FP16, pl.Mem.Mat, "
                                      "pl.TileView(blayout=pl.TileLayout.col_major, slayout=pl.TileLayout.row_major, "
                                      "fractal=512)] = pl.foo()\n"));
    const Stmt& s = m->functions[0]->body->stmts[0];
    EXPECT_EQ(print(*s), "t: pl.Tile[[64, 64], pl.FP16, pl.Mem.Mat] = pl.foo()\n");
    EXPECT_EQ(print(*s, DumpLevel::Explicit),
              "t: pl.Tile[[64, 64], pl.FP16, pl.Mem.Mat, pl.TileView(blayout=pl.TileLayout.col_major, "
              "slayout=pl.TileLayout.row_major, "
              "fractal=512)] = pl.foo()\n");
}

TEST(Reader, ReadsFunctionsAndModules) {
    const std::string text =
        "# pypto.program: _jit_ring\n"
        "import pypto.language as pl\n"
        "\n"
        "ROWS = pl.dynamic(\"ROWS\")\n"
        "\n"
        "@pl.program\n"
        "class _jit_ring:\n"
        "    @pl.function(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)\n"
        "    def step(x: pl.Tensor[[ROWS, 64], pl.FP32], y: pl.Out[pl.Tensor[[ROWS, 64], pl.FP32]]) -> "
        "tuple[pl.Tensor[[ROWS, 64], pl.FP32], pl.Scalar[pl.INDEX]]:\n"
        "        pl.func_attr({\"split\": pl.SplitMode.UP_DOWN, \"split_aiv\": True})\n"
        "        return y, 1\n"
        "    # A comment of the function.\n"
        "    @pl.function(type=pl.FunctionType.Orchestration, auto_scope=False, strict_ssa=True)\n"
        "    def main(self, x: pl.InOut[pl.Tensor[[ROWS, 64], pl.FP32]]):\n"
        "        r: pl.Tuple[pl.Tensor[[ROWS, 64], pl.FP32], pl.Scalar[pl.INDEX]] = self.step(x, x, "
        "attrs={\"core_num\": 2})\n"
        "        y: pl.Tensor[[ROWS, 64], pl.FP32] = r[0]\n"
        "        pl.submit(self.step, y, device=0)\n"
        "    @pl.function\n"
        "    def empty():\n"
        "        pass\n";
    const Module m = must_read(text);
    ASSERT_NE(m, nullptr);
    EXPECT_EQ(print_text(*m), text);
    EXPECT_EQ(m->functions.size(), 3U);
    EXPECT_EQ(m->functions[0]->returns.size(), 2U);
    EXPECT_EQ(m->functions[1]->params[0].direction, Direction::InOut);
    const Printed printed = print(*m);
    EXPECT_EQ(static_cast<std::size_t>(std::count(printed.text.begin(), printed.text.end(), '\n')),
              printed.lines.size());
    EXPECT_EQ(printed.lines[10], m->functions[0]->body->stmts[0].get())
        << "line 11 is the return of the first function";
}

TEST(Reader, ReadsWrappedTextAsTheSameProgram) {
    const Module one = must_read(kernel("t: pl.Tile[[16, 16], pl.FP16, pl.Mem.Mat] = pl.tile.load(x, [0, 0], [16, 16], "
                                        "target_memory=pl.Mem.Mat)\nreturn t"));
    const Module wrapped =
        must_read(kernel("t: pl.Tile[\n    [16, 16],\n    pl.FP16,\n    pl.Mem.Mat,\n] = pl.tile.load(\n    x,\n    "
                         "[0, 0],\n    [\n        16,\n        16,\n    ],\n"
                         "    target_memory=pl.Mem.Mat,\n)\nreturn (\n    t\n)"));
    EXPECT_FALSE(first_difference(one, wrapped).has_value());
}

TEST(Reader, UsesConstantsOfTheModule) {
    const Module m = must_read("import pypto.language as pl\nM, unused = 1, 2\nROWS = 4 * 64\nDT = "
                               "pl.FP16\n@pl.program\nclass P:\n    COLS = 32\n    @pl.function\n"
                               "    def f(self, x: pl.Tensor[[ROWS, COLS], DT]):\n        return x\n");
    ASSERT_NE(m, nullptr);
    const auto* t = as<TensorTypeNode>(m->functions[0]->params[0].var->type);
    EXPECT_EQ(constant_dims(t->shape), (std::vector<std::int64_t>{256, 32}));
    EXPECT_EQ(t->dtype, DType::Fp16);
}

TEST(Reader, MeansOneVariableWhenANameIsAssignedAgain) {
    const Module m = must_read(kernel("a: pl.Scalar[pl.INDEX] = n\na: pl.Scalar[pl.INDEX] = a + 1\nb: "
                                      "pl.Scalar[pl.INT32] = pl.const(1, pl.INT32)\nb: pl.Scalar[pl.INDEX] = a\n"));
    const auto& s = m->functions[0]->body->stmts;
    EXPECT_EQ(as<AssignNode>(s[0])->targets[0], as<AssignNode>(s[1])->targets[0]);
    EXPECT_NE(as<AssignNode>(s[2])->targets[0], as<AssignNode>(s[3])->targets[0]) << "another type is another variable";
}

TEST(Reader, WarnsOfNamesWithoutADefinition) {
    const std::string text = kernel("a = missing + 1");
    const ReadResult r = read_all(text);
    ASSERT_TRUE(r.ok());
    ASSERT_EQ(r.diagnostics.size(), 1U);
    EXPECT_EQ(r.diagnostics[0].code, "PYPTO_UNDEFINED");
    EXPECT_EQ(text.substr(r.diagnostics[0].span.begin, r.diagnostics[0].span.end - r.diagnostics[0].span.begin),
              "missing");
}

TEST(Reader, RefusesWithACodeAndAPlace) {
    const Line rows[] = {
        {"a = ", "PYPTO_SYNTAX"},
        {"a = n +", "PYPTO_SYNTAX"},
        {"if n\n    pass", "PYPTO_SYNTAX"},
        {"if n:", "PYPTO_SYNTAX"},
        {"for i in n:\n    pass", "PYPTO_LOOP"},
        {"for i in pl.range():\n    pass", "PYPTO_LOOP"},
        {"for i, (a,) in pl.range(4):\n    pass", "PYPTO_CARRY"},
        {"for (a,) in pl.while_(init_values=(n,)):\n    a = n", "PYPTO_LOOP"},
        {"r = pl.yield_(n)", "PYPTO_YIELD"},
        {"if n == 0:\n    a = pl.yield_(1)\nelse:\n    b = pl.yield_(2)", "PYPTO_YIELD"},
        {"a, b = pl.yield_(n)", "PYPTO_YIELD"},
        {"a: pl.Tensor[[4], pl.NOPE] = n", "PYPTO_DTYPE"},
        {"a: pl.Tile[[4, 4], pl.FP16, pl.Mem.Nowhere] = n", "PYPTO_TYPE"},
        {"a: pl.Tile[[4, 4], pl.FP16, pl.TileView(fractal=n)] = n", "PYPTO_TYPE"},
        {"a: pl.Tensor[[4], pl.FP16, pl.TensorView(layout=pl.TensorLayout.XY)] = n", "PYPTO_TYPE"},
        {"a = 99999999999999999999", "PYPTO_NUMBER"},
        {"a = [i for i in n]", "PYPTO_UNSUPPORTED"},
        {"a = lambda: 1", "PYPTO_UNSUPPORTED"},
        {"a = f(*n)", "PYPTO_UNSUPPORTED"},
        {"a = pl.const(n, pl.INT32)", "PYPTO_CONST"},
        {"a = f(k=1, n)", "PYPTO_SYNTAX"},
        {"def g():\n    pass", "PYPTO_SYNTAX"},
        {"n = 1 n", "PYPTO_SYNTAX"},
        {"a = {1: 2}", "PYPTO_SYNTAX"},
    };
    for (const Line& row : rows) {
        const std::string text = kernel(row.written);
        const auto r = read(text);
        ASSERT_FALSE(r.ok()) << row.written;
        EXPECT_EQ(r.error().code, row.printed) << row.written << ": " << r.error().message;
        EXPECT_GT(r.error().span.begin, 100U) << row.written << " has no place";
        EXPECT_LE(r.error().span.end, text.size());
    }
    EXPECT_EQ(first_error(""), "PYPTO_EMPTY");
    EXPECT_EQ(
        first_error(
            "@pl.program\nclass P:\n    @pl.function(type=pl.FunctionType.Nope)\n    def f(self):\n        pass\n"),
        "PYPTO_FUNCTION");
}

TEST(Reader, GoesOnAfterAnError) {
    const ReadResult r = read_all(kernel("a = \nb: pl.Scalar[pl.INDEX] = n\nif n ==\n    c = 1\nd = )\ne = n"));
    EXPECT_FALSE(r.ok());
    std::vector<std::string> codes;
    for (const Diagnostic& d : r.diagnostics) codes.push_back(d.code);
    EXPECT_EQ(codes, (std::vector<std::string>{"PYPTO_BRACKET"})) << "brackets are checked before anything else";
    const ReadResult s = read_all(kernel("a = \nb: pl.Scalar[pl.INDEX] = n\nif n ==:\n    c = 1\nd = +\ne = n"));
    EXPECT_EQ(s.diagnostics.size(), 3U);
}

TEST(Reader, RefusesDeepTextInsteadOfRunningOutOfStack) {
    EXPECT_EQ(first_error(kernel("a = " + std::string(5000, '(') + "n" + std::string(5000, ')'))), "IR_TOO_DEEP");
    EXPECT_EQ(first_error(kernel("a = " + std::string(100000, '-') + "n")), "IR_TOO_DEEP");
    EXPECT_EQ(first_error(kernel("a = " + std::string(50000, '[') + std::string(50000, ']'))), "IR_TOO_DEEP");
    std::string sum = "a = n", blocks, power = "a = n";
    for (int i = 0; i < 5000; ++i) sum += " + n";
    EXPECT_EQ(first_error(kernel(sum)), "IR_TOO_DEEP");
    for (int i = 0; i < 5000; ++i) power += " ** n";
    EXPECT_EQ(first_error(kernel(power)), "IR_TOO_DEEP");
    for (int i = 0; i < 400; ++i) blocks += std::string(static_cast<std::size_t>(i) * 4, ' ') + "if n:\n";
    EXPECT_EQ(first_error(kernel(blocks + std::string(1600, ' ') + "pass")), "IR_TOO_DEEP");
    std::string fine = "a = n";
    for (int i = 0; i < 500; ++i) fine += " + n";
    EXPECT_EQ(first_error(kernel(fine)), "ok");
    std::string chain = "if n == 0:\n    pass\n";
    for (int i = 0; i < 3000; ++i) chain += "elif n == 1:\n    pass\n";
    EXPECT_EQ(first_error(kernel(chain)), "IR_TOO_DEEP");
}

TEST(Reader, SurvivesAnyCut) {
    const std::string text = kernel("# c\nfor i, (c,) in pl.range(4, init_values=(n,)):\n    if i == 0:\n        a: "
                                    "pl.Tile[[16, 1], pl.FP32, pl.Mem.Vec, "
                                    "pl.TileView(valid_shape=[16, n])] = pl.tile.load(x, [0, \"s\"], attrs={\"k\": "
                                    "1})\n    r: pl.Scalar[pl.INDEX] = pl.yield_(c)\nreturn r");
    for (std::size_t cut = 0; cut <= text.size(); ++cut) {
        const ReadResult r = read_all(std::string_view(text).substr(0, cut));
        for (const Diagnostic& d : r.diagnostics) EXPECT_LE(d.span.end, text.size() + 1);
        std::string without = text;
        if (cut < text.size()) without.erase(cut, 1);
        static_cast<void>(read_all(without));
    }
}

} // namespace
} // namespace ls::pypto
