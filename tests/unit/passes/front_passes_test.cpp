// Functions written out where they are called, and loops without jumps.
#include <gtest/gtest.h>

#include "core/passes/front/ctrl_flow_transform.h"
#include "core/passes/front/inline_functions.h"
#include "core/passes/nz/nz_pipeline.h"
#include "core/passes/pipeline.h"
#include "tests/unit/passes/kernel_text.h"

namespace ls {
namespace {

const std::string kHead = "# pypto.program: P\nimport pypto.language as pl\n\n@pl.program\nclass P:\n";

std::string indented(const std::string& body) {
    std::string text;
    for (std::size_t at = 0; at < body.size();) {
        const std::size_t end = std::min(body.find('\n', at), body.size());
        text += "        " + body.substr(at, end - at) + "\n";
        at = end + 1;
    }
    return text;
}

/// `main` after InlineFunctions, or the code of the refusal.
std::string inlined(const std::string& helpers, const std::string& body) {
    const std::string text = kHead + helpers + "    @pl.function(type=pl.FunctionType.InCore)\n    def main(self, n: pl.Scalar[pl.INDEX], m: pl.Scalar[pl.INDEX]):\n" + indented(body);
    const auto module = pypto::read(text);
    if (!module.ok()) return render(module.error(), text, "test");
    const PassResult r = front::inline_functions(*module, {});
    if (!r.ok()) return r.error().code;
    EXPECT_EQ(r.module->functions.size(), 1U);
    std::string out;
    for (const ir::Stmt& s : r.module->functions[0]->body->stmts) out += pypto::print(*s);
    return out;
}

std::string helper(const std::string& signature, const std::string& body) {
    return "    @pl.function(type=pl.FunctionType.Inline)\n    def " + signature + ":\n" + indented(body);
}

const std::string kSquare = helper("square(self, x: pl.Scalar[pl.INDEX])", "y: pl.Scalar[pl.INDEX] = x * x\nreturn y");

TEST(InlineFunctions, EveryCallGetsVariablesOfItsOwn) {
    EXPECT_EQ(inlined(kSquare, "a: pl.Scalar[pl.INDEX] = self.square(n)\nb: pl.Scalar[pl.INDEX] = self.square(m + 1)\nreturn a"),
              "y_inline0: pl.Scalar[pl.INDEX] = n * n\na: pl.Scalar[pl.INDEX] = y_inline0\n"
              "y_inline1: pl.Scalar[pl.INDEX] = (m + 1) * (m + 1)\nb: pl.Scalar[pl.INDEX] = y_inline1\nreturn a\n");
    EXPECT_EQ(inlined(kSquare, "return self.square(n)"), "y_inline0: pl.Scalar[pl.INDEX] = n * n\nreturn y_inline0\n");
}

TEST(InlineFunctions, AParameterThatIsAssignedIsNotTheCallersOwn) {
    EXPECT_EQ(inlined(helper("next(self, x: pl.Scalar[pl.INDEX])", "x = x + 1\nreturn x"), "a: pl.Scalar[pl.INDEX] = self.next(n)\nreturn n"),
              "x_inline0: pl.Scalar[pl.INDEX] = n\nx_inline0 = x_inline0 + 1\na: pl.Scalar[pl.INDEX] = x_inline0\nreturn n\n");
}

TEST(InlineFunctions, SeveralValuesAreTakenAllAtOnce) {
    EXPECT_EQ(inlined(helper("swap(self, x: pl.Scalar[pl.INDEX], y: pl.Scalar[pl.INDEX])", "return y, x"), "n, m = self.swap(n, m)\nreturn n"),
              "m_inline1: pl.Scalar[pl.INDEX] = n\nn: pl.Scalar[pl.INDEX] = m\nm: pl.Scalar[pl.INDEX] = m_inline1\nreturn n\n");
}

TEST(InlineFunctions, InlineFunctionsCallEachOther) {
    const std::string twice = helper("fourth(self, x: pl.Scalar[pl.INDEX])", "z: pl.Scalar[pl.INDEX] = self.square(x)\nw: pl.Scalar[pl.INDEX] = self.square(z)\nreturn w");
    const std::string text = inlined(kSquare + twice, "a: pl.Scalar[pl.INDEX] = self.fourth(n)\nreturn a");
    EXPECT_EQ(text.find("self."), std::string::npos) << text;
    EXPECT_NE(text.find("= n * n\n"), std::string::npos) << text;
}

TEST(InlineFunctions, Refusals) {
    EXPECT_EQ(inlined(helper("f(self, x: pl.Scalar[pl.INDEX])", "y: pl.Scalar[pl.INDEX] = self.f(x)\nreturn y"), "a: pl.Scalar[pl.INDEX] = self.f(n)\nreturn a"), "INLINE_CYCLE");
    EXPECT_EQ(inlined(helper("f(self, x: pl.Scalar[pl.INDEX])", "if x == 0:\n    return x\nreturn x"), "a: pl.Scalar[pl.INDEX] = self.f(n)\nreturn a"), "INLINE_RETURN");
    EXPECT_EQ(inlined(kSquare, "a: pl.Scalar[pl.INDEX] = self.square(n) + 1\nreturn a"), "INLINE_NESTED");
    EXPECT_EQ(inlined(kSquare, "a: pl.Scalar[pl.INDEX] = self.square()\nreturn a"), "INLINE_ARGUMENTS");
    std::string tower = kSquare;
    std::string last = "square";
    for (int i = 0; i < 20; ++i) {
        const std::string name = "f" + std::to_string(i);
        tower += helper(name + "(self, x: pl.Scalar[pl.INDEX])", "y: pl.Scalar[pl.INDEX] = self." + last + "(x)\nz: pl.Scalar[pl.INDEX] = self." + last + "(y)\nreturn z");
        last = name;
    }
    EXPECT_EQ(inlined(tower, "a: pl.Scalar[pl.INDEX] = self." + last + "(n)\nreturn a"), "INLINE_SIZE");
}

const char* kN = "n: pl.Scalar[pl.INDEX]";
std::string structured(const std::string& body) { return body_text(front::ctrl_flow_transform(read_kernel(kN, body), {})); }

TEST(CtrlFlowTransform, WhatAContinueSkipsMovesIntoTheOtherBranch) {
    EXPECT_EQ(structured("for i in pl.range(4):\n    a = n + i\n    if a == 2:\n        continue\n    b = a\n    c = b"),
              "for i in pl.range(4):\n    a = n + i\n    if a == 2:\n        pass\n    else:\n        b = a\n        c = b\n");
    const ir::Module plain = read_kernel(kN, "for i in pl.range(4):\n    a = n + i");
    EXPECT_EQ(front::ctrl_flow_transform(plain, {}).module, plain);
}

TEST(CtrlFlowTransform, ABreakEndsAWhileLoop) {
    EXPECT_EQ(structured("for i in pl.range(2, 8, 2):\n    a = n + i\n    if a == 4:\n        break\n    b = a"),
              "i: pl.Scalar[pl.INDEX] = 2\n__break_0: pl.Scalar[pl.BOOL] = False\nwhile i < 8 and not __break_0:\n    a = n + i\n    if a == 4:\n"
              "        __break_0: pl.Scalar[pl.BOOL] = True\n    else:\n        b = a\n    if not __break_0:\n        i: pl.Scalar[pl.INDEX] = i + 2\n");
}

TEST(CtrlFlowTransform, InnerLoopsKeepTheirJumpsToThemselves) {
    const std::string text = structured("for i in pl.range(4):\n    for j in pl.range(4):\n        if j == 2:\n            break\n        a = n + j\n    if i == 1:\n        continue\n    b = n");
    EXPECT_EQ(text.find("break\n"), std::string::npos) << text;
    EXPECT_EQ(text.find("continue"), std::string::npos) << text;
    EXPECT_EQ(text.rfind("for i in pl.range(4):\n", 0), 0U) << text;
}

TEST(CtrlFlowTransform, Refusals) {
    const auto code = [](const std::string& body) {
        const PassResult r = front::ctrl_flow_transform(read_kernel(kN, body), {});
        return r.ok() ? std::string() : r.error().code;
    };
    EXPECT_EQ(code("for i in pl.range(0, 8, n):\n    break"), "CTRL_LOOP");
    EXPECT_EQ(code("for i in pl.parallel(8):\n    break"), "CTRL_LOOP");
    std::string many;
    for (int i = 0; i < 400; ++i) many += "    if n == " + std::to_string(i) + ":\n        continue\n    a = n\n";
    EXPECT_EQ(code("for i in pl.range(8):\n" + many), "CTRL_SIZE");
}

TEST(CtrlFlowTransform, TheRestOfThePipelineTakesTheLoop) {
    const Trace trace = run_pipeline(read_kernel(kN, "a = n\nfor i in pl.range(2, 8, 2):\n    a = a + i\n    if a == 4:\n        break\nreturn a"), nz::nz_pipeline(), {});
    EXPECT_TRUE(trace.ok()) << (trace.ok() ? "" : trace.refusals[0].message);
}

} // namespace
} // namespace ls
