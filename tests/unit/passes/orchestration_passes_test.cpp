// What becomes of functions that launch kernels: sides of kernels, directions of calls, scopes, carried values.
#include <gtest/gtest.h>

#include "core/passes/orchestration/classify_iter_arg_carry.h"
#include "core/passes/orchestration/derive_call_directions.h"
#include "core/passes/orchestration/materialize_runtime_scopes.h"
#include "core/passes/orchestration/materialize_valid_shape_symbols.h"
#include "core/passes/tile/expand_mixed_kernel.h"
#include "core/passes/tile/optimize_orch_tensors.h"
#include "tests/unit/passes/kernel_text.h"

namespace ls {
namespace {

constexpr const char* kHead = "# pypto.program: P\nimport pypto.language as pl\n\n@pl.program\nclass P:\n";
constexpr const char* kTensor = "pl.Tensor[[64, 64], pl.FP32]";

ir::Module read(const std::string& functions) {
    const auto m = pypto::read(kHead + functions);
    EXPECT_TRUE(m.ok()) << (m.ok() ? "" : render(m.error(), kHead + functions, "test"));
    return m.ok() ? *m : nullptr;
}

std::string function(const std::string& decorator, const std::string& signature, const std::string& body) {
    std::string text = "    @pl.function(" + decorator + ")\n    def " + signature + ":\n";
    std::string line;
    for (const char c : body + "\n") {
        if (c != '\n') {
            line += c;
            continue;
        }
        text += "        " + line + "\n";
        line.clear();
    }
    return text;
}

/// A kernel that writes `o` and answers it, and an orchestration function that launches it.
ir::Module launching(const std::string& parameters, const std::string& body, const std::string& direction = "Out") {
    const std::string t = kTensor;
    return read(function("type=pl.FunctionType.AIV", "k(self, x: " + t + ", o: pl." + direction + "[" + t + "]) -> " + t, "return o") +
                function("type=pl.FunctionType.Orchestration", "main(self, " + parameters + ") -> " + t, body));
}

std::string main_body(const PassResult& result) {
    if (!result.ok()) return result.error().code;
    std::string out;
    for (const ir::Stmt& s : result.module->find("main")->body->stmts) out += pypto::print(*s);
    return out;
}

/// The directions of the calls of `main`, one line each.
std::string directions(const ir::Module& module) {
    const std::string text = main_body(orchestration::derive_call_directions(module, {}));
    std::string out;
    const std::string key = "\"arg_directions\": [";
    for (std::size_t at = text.find(key); at != std::string::npos; at = text.find(key, at)) {
        at += key.size();
        std::string one = text.substr(at, text.find(']', at) - at);
        for (std::size_t dot = one.find("pl.adir."); dot != std::string::npos; dot = one.find("pl.adir.")) one.erase(dot, 8);
        out += one + "\n";
    }
    return out;
}

const std::string kX = std::string("x: ") + kTensor;
const std::string kCreate = std::string("a: ") + kTensor + " = pl.tensor.create([64, 64], dtype=pl.FP32)\n";
const std::string kT = kTensor;

TEST(DeriveCallDirections, TheFirstWriterMakesAnOutputALaterOneAddsToIt) {
    EXPECT_EQ(directions(launching(kX, kCreate + "b: " + kT + " = self.k(x, a)\nc: " + kT + " = self.k(x, b)\nreturn c")),
              "input, output_existing\ninput, inout\n");
    EXPECT_EQ(directions(launching(kX, kCreate + "b: " + kT + " = self.k(x, a)\nreturn b", "InOut")), "input, inout\n");
}

TEST(DeriveCallDirections, LoopsInOrderWaitForThemselvesParallelOnesDoNot) {
    const auto loop = [&](const std::string& kind) {
        return directions(launching(kX, kCreate + "for i in pl." + kind + "(4):\n    b: " + kT + " = self.k(x, a)\nreturn a"));
    };
    EXPECT_EQ(loop("range"), "input, inout\n");
    EXPECT_EQ(loop("parallel"), "input, output_existing\n");
}

TEST(DeriveCallDirections, BranchesDoNotSeeEachOtherAndWhatFollowsSeesBoth) {
    EXPECT_EQ(directions(launching(kX + ", n: pl.Scalar[pl.INDEX]",
                                   kCreate + "if n == 0:\n    b: " + kT + " = self.k(x, a)\nelse:\n    c: " + kT + " = self.k(x, a)\nd: " + kT +
                                       " = self.k(x, a)\nreturn d")),
              "input, output_existing\ninput, output_existing\ninput, inout\n");
}

TEST(DeriveCallDirections, WhatTheCallerHandsInAsInOutStaysSo) {
    EXPECT_EQ(directions(launching(kX + ", y: pl.InOut[" + kT + "]", "b: " + kT + " = self.k(x, y)\nreturn b")), "input, inout\n");
    EXPECT_EQ(directions(launching(kX + ", y: pl.Out[" + kT + "]", "b: " + kT + " = self.k(x, y)\nreturn b")), "input, output_existing\n");
}

TEST(DeriveCallDirections, SignaturesOfWrappersTakeOverWhatTheyCall) {
    const ir::Module m = read(function("type=pl.FunctionType.AIV", "k(self, x: " + kT + ", o: pl.Out[" + kT + "]) -> " + kT, "return o") +
                              function("type=pl.FunctionType.Group", "inner(self, x: " + kT + ", o: " + kT + ") -> " + kT, "r: " + kT + " = self.k(x, o)\nreturn r") +
                              function("type=pl.FunctionType.Spmd", "outer(self, x: " + kT + ", o: " + kT + ") -> " + kT, "r: " + kT + " = self.inner(x, o)\nreturn r"));
    const PassResult r = orchestration::derive_call_directions(m, {});
    ASSERT_TRUE(r.ok());
    for (const char* name : {"inner", "outer"}) {
        EXPECT_EQ(r.module->find(name)->params[0].direction, ir::Direction::In);
        EXPECT_EQ(r.module->find(name)->params[1].direction, ir::Direction::Out);
    }
    EXPECT_EQ(orchestration::derive_call_directions(r.module, {}).module, r.module);
}

TEST(MaterializeRuntimeScopes, WrapsFunctionsLoopsAndBranchesOnce) {
    const ir::Module m = launching(kX + ", n: pl.Scalar[pl.INDEX]", "for i in pl.range(4):\n    if n == 0:\n        b: " + kT + " = self.k(x, x)\nreturn x");
    const PassResult r = orchestration::materialize_runtime_scopes(m, {});
    EXPECT_EQ(main_body(r), "with pl.scope():\n    for i in pl.range(4):\n        with pl.scope():\n            if n == 0:\n                with "
                            "pl.scope():\n                    b: " + kT + " = self.k(x, x)\n    return x\n");
    EXPECT_FALSE(r.module->find("main")->auto_scope);
    EXPECT_TRUE(r.module->find("k")->auto_scope);
    EXPECT_EQ(orchestration::materialize_runtime_scopes(r.module, {}).module, r.module);
}

TEST(ClassifyIterArgCarry, TellsTheSameBufferFromAnother) {
    const auto carried = [&](const std::string& yielded) {
        const std::string text = main_body(orchestration::classify_iter_arg_carry(
            launching(kX + ", y: pl.Out[" + kT + "]", "for i, (acc,) in pl.range(4, init_values=(y,)):\n    " + yielded + "\n    r: " + kT +
                                                          " = pl.yield_(b)\nreturn r"), {}));
        return text.substr(text.find("attrs="), text.find("):") - text.find("attrs="));
    };
    EXPECT_EQ(carried("b: " + kT + " = self.k(x, acc)"), "attrs={\"iter_arg_rebind_0\": False}");
    EXPECT_EQ(carried("b: " + kT + " = pl.tensor.assemble(acc, x, [0, 0])"), "attrs={\"iter_arg_rebind_0\": False}");
    EXPECT_EQ(carried("b: " + kT + " = pl.tensor.create([64, 64], dtype=pl.FP32)"), "attrs={\"iter_arg_rebind_0\": True}");
    EXPECT_EQ(carried("b: " + kT + " = self.k(acc, x)"), "attrs={\"iter_arg_rebind_0\": True}");
}

TEST(ExpandMixedKernel, GivesKernelsTheirSide) {
    const auto kernel = [&](const std::string& body) {
        return tile::expand_mixed_kernel(read(function("type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE", "k(self, x: pl.Tensor[[64, 64], pl.FP16])", body)), {});
    };
    const std::string mat = "a: pl.Tile[[64, 64], pl.FP16, pl.Mem.Mat] = pl.tile.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)\n";
    const std::string vec = "b: pl.Tile[[64, 64], pl.FP16, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Vec)\n";
    const PassResult cube = kernel(mat);
    EXPECT_EQ(cube.module->functions[0]->function, ir::FunctionKind::AIC);
    EXPECT_EQ(cube.module->functions[0]->level, "AIC");
    EXPECT_EQ(kernel(vec).module->functions[0]->function, ir::FunctionKind::AIV);
    EXPECT_EQ(kernel("n: pl.Scalar[pl.INDEX] = 1").module->functions[0]->function, ir::FunctionKind::AIV);
    const PassResult mixed = kernel(mat + vec);
    EXPECT_EQ(mixed.module->functions[0]->function, ir::FunctionKind::InCore);
    ASSERT_EQ(mixed.diagnostics.size(), 1U);
    EXPECT_EQ(mixed.diagnostics[0].code, "MIXED_KERNEL");
    EXPECT_EQ(kernel(mat + "c: pl.Tile[[64, 64], pl.FP16, pl.Mem.Vec] = pl.tile.move(a, target_memory=pl.Mem.Vec)").diagnostics.size(), 1U);
}

TEST(OptimizeOrchTensors, KernelsLearnTheStridesOfWhatWasSliced) {
    const auto parameter = [&](const std::string& wholes, const std::string& body, const std::string& type = "pl.Tensor[[16, 64], pl.FP32]") {
        const PassResult r = tile::optimize_orch_tensors(
            read(function("type=pl.FunctionType.InCore", "k(self, x: " + type + ", o: pl.Out[" + kT + "]) -> " + kT, "return o") +
                 function("type=pl.FunctionType.Orchestration", "main(self, " + wholes + ", o: pl.Out[" + kT + "]) -> " + kT, body)), {});
        return r.ok() ? pypto::print(*r.module->find("k")->params[0].var->type) : r.error().code;
    };
    const std::string one = "w: pl.Tensor[[512, 256], pl.FP32]", slice = "s: pl.Tensor[[16, 64], pl.FP32] = pl.tensor.slice(w, [16, 64], [0, 0])\n";
    const std::string launch = "r: " + kT + " = self.k(s, o)\n";
    EXPECT_EQ(parameter(one, slice + launch + "return r"), "pl.Tensor[[16, 64], pl.FP32, pl.TensorView(stride=[256, 1], layout=pl.TensorLayout.ND)]");
    EXPECT_EQ(parameter(one, slice + "return o"), "pl.Tensor[[16, 64], pl.FP32]");
    const std::string other = "t: pl.Tensor[[16, 64], pl.FP32] = pl.tensor.slice(v, [16, 64], [0, 0])\nq: " + kT + " = self.k(t, o)\n";
    EXPECT_EQ(parameter(one + ", v: pl.Tensor[[512, 128], pl.FP32]", slice + launch + other + "return r"), "pl.Tensor[[16, 64], pl.FP32]");
    EXPECT_EQ(parameter(one, slice + launch + "return r", "pl.Tensor[[16, 64], pl.FP32, pl.NZ]"),
              "pl.Tensor[[16, 64], pl.FP32, pl.TensorView(stride=[], layout=pl.TensorLayout.NZ)]");
}

TEST(MaterializeValidShapeSymbols, KernelsAreHandedWhatNoTensorSays) {
    const auto run = [&](const std::string& view, const std::string& valid) {
        const std::string text = std::string(kHead).insert(std::string(kHead).find("@pl.program"), "V = pl.dynamic(\"V\")\n\n") +
                                 function("type=pl.FunctionType.AIV", "k(self, x: pl.Tensor[[16, 64], pl.FP32, pl.TensorView(valid_shape=[16, " + view + "])], o: pl.Out[" + kT + "]) -> " + kT, "return o") +
                                 function("type=pl.FunctionType.Orchestration", "main(self, a: pl.Tensor[[16, 64], pl.FP32], n: pl.Scalar[pl.INDEX], o: pl.Out[" + kT + "]) -> " + kT,
                                          "s: pl.Tensor[[16, 64], pl.FP32, pl.TensorView(valid_shape=[16, " + valid + "])] = pl.tensor.slice(a, [16, 64], [0, 0], [16, n])\nr: " + kT +
                                              " = self.k(s, o, attrs={\"arg_directions\": [pl.adir.input, pl.adir.output_existing]})\nreturn r");
        const auto m = pypto::read(text);
        EXPECT_TRUE(m.ok()) << (m.ok() ? "" : render(m.error(), text, "test"));
        return m.ok() ? orchestration::materialize_valid_shape_symbols(*m, {}) : PassResult{};
    };
    const PassResult r = run("V", "n");
    ASSERT_TRUE(r.ok());
    ASSERT_EQ(r.module->find("k")->params.size(), 3U);
    EXPECT_EQ(r.module->find("k")->params[0].var->name, "V");
    EXPECT_NE(main_body(r).find("self.k(n, s, o, attrs={\"arg_directions\": [pl.adir.scalar, pl.adir.input, pl.adir.output_existing]})"), std::string::npos) << main_body(r);
    EXPECT_EQ(orchestration::materialize_valid_shape_symbols(r.module, {}).module, r.module);
    EXPECT_EQ(main_body(run("V * 2", "n")), "VALID_SYMBOL");
    EXPECT_EQ(run("32", "n").module->find("k")->params.size(), 2U);
}

} // namespace
} // namespace ls
