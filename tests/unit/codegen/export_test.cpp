#include "core/codegen/export.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

#include <gtest/gtest.h>

#include "core/codegen/kernel/kernel.h"
#include "core/codegen/pto_isa/pipes.h"
#include "core/dialect/pypto/pypto.h"

namespace ls::codegen {
namespace {

ir::Module read(const std::string& body) {
    const std::string source = "import pypto.language as pl\n\n@pl.program\nclass P:\n" + body;
    const auto module = pypto::read(source);
    EXPECT_TRUE(module.ok()) << (module.ok() ? "" : render(module.error(), source, "test.py"));
    return module.ok() ? *module : nullptr;
}

/// An NZ weight, blocked, times an activation: K in two steps.
const char* const kMatmul = R"(    @pl.function(type=pl.FunctionType.InCore)
    def mm(self, x: pl.Tensor[[64, 256], pl.FP16], w: pl.Tensor[[1, 4, 16, 16, 16], pl.FP16, pl.TensorView(stride=[16384, 4096, 256, 16, 1], layout=pl.TensorLayout.NZ)], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        xt: pl.Tile[[64, 256], pl.FP16, pl.Mem.Mat] = pl.tile.load(x, [0, 0], [64, 256], [64, 256], target_memory=pl.Mem.Mat)
        wt: pl.Tile[[256, 64], pl.FP16, pl.Mem.Mat] = pl.tile.load(w, [0, 0, 0, 0, 0], [1, 4, 16, 16, 16], [1, 4, 16, 16, 16], target_memory=pl.Mem.Mat)
        a0: pl.Tile[[64, 128], pl.FP16, pl.Mem.Left, pl.TileView(blayout=pl.TileLayout.row_major)] = pl.tile.extract(xt, 0, 0, [64, 128], target_memory=pl.Mem.Left)
        b0: pl.Tile[[128, 64], pl.FP16, pl.Mem.Right] = pl.tile.extract(wt, 0, 0, [128, 64], target_memory=pl.Mem.Right)
        c0: pl.Tile[[64, 64], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(a0, b0)
        for k, (acc,) in pl.range(128, 256, 128, init_values=(c0,)):
            a: pl.Tile[[64, 128], pl.FP16, pl.Mem.Left, pl.TileView(blayout=pl.TileLayout.row_major)] = pl.tile.extract(xt, 0, k, [64, 128], target_memory=pl.Mem.Left)
            b: pl.Tile[[128, 64], pl.FP16, pl.Mem.Right] = pl.tile.extract(wt, k, 0, [128, 64], target_memory=pl.Mem.Right)
            next: pl.Tile[[64, 64], pl.FP32, pl.Mem.Acc] = pl.tile.matmul_acc(acc, a, b)
            c: pl.Tile[[64, 64], pl.FP32, pl.Mem.Acc] = pl.yield_(next)
        done: pl.Tensor[[64, 64], pl.FP32] = pl.tile.store(c, [0, 0], out)
        return done
)";

std::string exported(const ir::Module& module, std::string_view target, ExportOptions options = {}) {
    const auto out = find_target(target)->run(module, options);
    if (!out.ok()) return out.error().code + ": " + out.error().message;
    return out->files.front().text;
}

std::string golden(const std::string& name) {
    std::ifstream in(std::string(LS_SOURCE_DIR) + "/tests/golden/codegen/" + name);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::size_t count(const std::string& text, std::string_view what) {
    std::size_t found = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + what.size())) ++found;
    return found;
}

TEST(ExportPto, MatchesTheReviewedText) { EXPECT_EQ(exported(read(kMatmul), "pto"), golden("mm.pto")); }
TEST(ExportPtoIsa, MatchesTheReviewedSource) { EXPECT_EQ(exported(read(kMatmul), "pto-isa"), golden("mm.cpp")); }

TEST(ExportPto, DefinesEveryValueBeforeItsUse) {
    std::istringstream lines(exported(read(kMatmul), "pto"));
    std::vector<std::string> defined;
    for (std::string line; std::getline(lines, line);) {
        const std::size_t equals = line.find(" = ");
        const bool defines = line.find_first_not_of(' ') != std::string::npos && line[line.find_first_not_of(' ')] == '%' && equals != std::string::npos;
        for (std::size_t at = line.find('%', defines ? equals : 0); at != std::string::npos; at = line.find('%', at + 1)) {
            std::size_t end = at + 1;
            while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) != 0 || line[end] == '_')) ++end;
            const std::string name = line.substr(at, end - at);
            if (line.find("func.func") != std::string::npos || line.find("scf.for " + name) != std::string::npos) {
                defined.push_back(name);
                continue;
            }
            EXPECT_NE(std::find(defined.begin(), defined.end(), name), defined.end()) << name << " in: " << line;
        }
        if (defines) defined.push_back(line.substr(line.find('%'), equals - line.find('%')));
    }
}

TEST(ExportPto, EveryLineKnowsItsStatement) {
    const ir::Module module = read(kMatmul);
    const auto out = find_target("pto")->run(module, {});
    ASSERT_TRUE(out.ok());
    const SourceFile& file = out->files.front();
    ASSERT_EQ(file.lines.size(), count(file.text, "\n"));
    std::istringstream lines(file.text);
    std::size_t at = 0;
    for (std::string line; std::getline(lines, line); ++at) {
        const bool moves = line.find("pto.tload") != std::string::npos || line.find("pto.tstore") != std::string::npos || line.find("pto.tmatmul") != std::string::npos;
        if (moves) {
            EXPECT_NE(file.lines[at], nullptr) << line;
        }
    }
}

TEST(Lowering, ACarriedAccumulatorIsOneBuffer) {
    const ir::Module module = read(kMatmul);
    const auto kernel = lower_kernel(module->functions.front(), {});
    ASSERT_TRUE(kernel.ok()) << kernel.error().message;
    EXPECT_EQ(std::count_if(kernel->tiles.begin(), kernel->tiles.end(), [](const Tile& t) { return t.space == ir::TileSpace::Acc; }), 1);
    EXPECT_EQ(kernel->kind, KernelKind::Cube);
    std::vector<std::int64_t> left;
    for (const Tile& t : kernel->tiles) {
        if (t.space == ir::TileSpace::Left) left.push_back(*t.address_bytes);
    }
    EXPECT_EQ(left, (std::vector<std::int64_t>{0, 64 * 128 * 2}));
}

TEST(Lowering, RefusalsNameThePlaceAndTheMend) {
    const auto code = [](std::string text, const std::string& from, const std::string& to) {
        const std::size_t at = text.find(from);
        EXPECT_NE(at, std::string::npos);
        text.replace(at, from.size(), to);
        const ir::Module module = read(text);
        if (module == nullptr) return std::string("unreadable");
        ExportOptions options;
        options.memory = {{ir::TileSpace::Right, 65536, 512}};
        const auto out = find_target("pto")->run(module, options);
        return out.ok() ? std::string("accepted") : out.error().code;
    };
    EXPECT_EQ(code(kMatmul, "def mm", "def mm"), "accepted");
    EXPECT_EQ(code(kMatmul, "[1, 4, 16, 16, 16], pl.FP16, pl.TensorView(stride=[16384, 4096, 256, 16, 1], layout=pl.TensorLayout.NZ)", "[256, 64], pl.FP16, pl.NZ"), "CG_BLOCKED");
    EXPECT_EQ(code(kMatmul, "pl.tile.matmul(a0, b0)", "pl.tile.matmul(xt, b0)"), "CG_MATMUL_SPACE");
    EXPECT_EQ(code(kMatmul, "c0: pl.Tile[[64, 64], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(a0, b0)", "c0: pl.Tile[[64, 64], pl.FP32, pl.Mem.Acc] = pl.tile.mystery(a0, b0)"), "CG_OP");
    EXPECT_EQ(code(kMatmul, "[128, 64], target_memory=pl.Mem.Right)\n        c0", "[128, 64], target_memory=pl.Mem.Right)\n        big: pl.Tile[[512, 256], pl.FP16, pl.Mem.Right] = pl.tile.extract(wt, 0, 0, [512, 256], target_memory=pl.Mem.Right)\n        c0"), "CG_CAPACITY");
    EXPECT_EQ(code(kMatmul, "            c: pl.Tile", "            late: pl.Tile[[64, 64], pl.FP32, pl.Mem.Acc] = pl.tile.matmul_acc(acc, a, b)\n            c: pl.Tile"), "CG_CARRIED");
    const ir::Module empty = read("    @pl.function\n    def host(self, x: pl.Tensor[[4], pl.FP32]):\n        return x\n");
    EXPECT_EQ(find_target("pto")->run(empty, {}).error().code, "CG_NO_KERNEL");
}

TEST(Pipes, QueuesWaitForEachOtherOnceAndOnTheBackEdge) {
    const ir::Module module = read(kMatmul);
    const auto kernel = lower_kernel(module->functions.front(), {});
    ASSERT_TRUE(kernel.ok());
    const std::string text = exported(module, "pto-isa");
    EXPECT_EQ(count(text, "set_flag("), count(text, "wait_flag("));
    EXPECT_NE(text.find("set_flag(PIPE_MTE2, PIPE_MTE1"), std::string::npos) << "loads before extracts";
    EXPECT_NE(text.find("set_flag(PIPE_MTE1, PIPE_M"), std::string::npos) << "extracts before the product";
    EXPECT_NE(text.find("set_flag(PIPE_M, PIPE_FIX"), std::string::npos) << "the product before the store";
    // In the loop the next extract overwrites what the last product read.
    const std::size_t loop = text.find("for (");
    ASSERT_NE(loop, std::string::npos);
    EXPECT_NE(text.find("set_flag(PIPE_M, PIPE_MTE1", loop), std::string::npos);
    EXPECT_EQ(text.find("set_flag(PIPE_M, PIPE_MTE1"), text.find("set_flag(PIPE_M, PIPE_MTE1", loop)) << "and only there";
}

} // namespace
} // namespace ls::codegen
