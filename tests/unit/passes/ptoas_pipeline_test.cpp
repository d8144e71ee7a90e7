#include "core/passes/ptoas/ptoas_pipeline.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/dialect/pto/pto.h"
#include "core/passes/nz/nz_pipeline.h"
#include "core/passes/pipeline.h"
#include "core/passes/pipelines.h"

namespace ls::ptoas {
namespace {

/// A view of i8 of this shape and these strides, and a window into it.
std::string program(const std::string& shape, const std::string& strides, const std::string& layout,
                    const std::string& offsets = {}, const std::string& sizes = {}) {
    std::string text = "module {\n  func.func @f(%p: !pto.ptr<i8>, %n: index) {\n";
    for (const int c : {0, 1, 8, 16, 32, 64, 256, 512, 8192, 131072}) text += fmt::format("    %c{0} = arith.constant {0} : index\n", c);
    std::string dims;
    for (const char c : shape) dims += c == '%' ? "?x" : "";
    text += fmt::format("    %v = pto.make_tensor_view %p, shape = [{}], strides = [{}]{} : !pto.tensor_view<{}i8>\n", shape, strides,
                        layout.empty() ? "" : fmt::format(" {{layout = #pto.layout<{}>}}", layout), dims);
    if (!offsets.empty()) {
        text += fmt::format("    %w = pto.partition_view %v, offsets = [{}], sizes = [{}] : !pto.tensor_view<{}i8> -> !pto.partition_tensor_view<{}i8>\n",
                            offsets, sizes, dims, dims);
    }
    return text + "    return\n  }\n}\n";
}

/// The code of what InferPTOLayout of PTOAS 0.`minor` says; "ok" when it goes through.
std::string said(const std::string& text, int minor) {
    const auto module = pto::read(text);
    if (!module.ok()) return module.error().code;
    PassContext context;
    context.ptoas.minor = minor;
    const Trace trace = run_pipeline(*module, pipeline_of((*module)->dialect), context);
    if (trace.ok()) return "ok";
    EXPECT_EQ(trace.refused_by->name, "InferPTOLayout");
    EXPECT_FALSE(trace.refusals.front().span.empty());
    return trace.refusals.front().code;
}

const std::string kShape = "%c1, %c16, %c16, %c16, %c32";
const std::string kStrides = "%c131072, %c8192, %c512, %c32, %c1";

TEST(PtoasPipeline, IsTheAssemblers) {
    EXPECT_EQ(pipeline_of(ir::Dialect::PtoText).data(), ptoas_pipeline().data());
    EXPECT_EQ(pipeline_of(ir::Dialect::Pypto).data(), nz::nz_pipeline().data());
    for (const Pass& p : ptoas_pipeline()) EXPECT_EQ(p.run != nullptr, p.status == PassStatus::Implemented) << p.name;
}

TEST(PtoasPipeline, VersionsDisagreeAboutACanonicalNzView) {
    EXPECT_EQ(said(program(kShape, kStrides, "nz"), 60), "PTOAS_LAYOUT_MISMATCH");
    EXPECT_EQ(said(program(kShape, kStrides, "nz"), 61), "ok");
    EXPECT_EQ(said(program(kShape, kStrides, ""), 60), "ok") << "without a stated layout there is nothing to compare";
    EXPECT_EQ(said(program("%n, %c16, %c16, %c16, %c32", kStrides, "nz"), 60), "ok") << "nothing is inferred from what is not known";
    EXPECT_EQ(said(program("%c64, %c32", "%c32, %c1", "nd"), 60), "ok");
}

TEST(PtoasPipeline, StatedNzIsCheckedFromItsVersionOn) {
    EXPECT_EQ(said(program("%c256, %c512", "%c512, %c1", "nz"), 61), "PTOAS_NZ_RANK");
    EXPECT_EQ(said(program("%c1, %c16, %c16, %c8, %c32", kStrides, "nz"), 61), "PTOAS_NZ_STRIDE");
    EXPECT_EQ(said(program(kShape, "%c131072, %c512, %c512, %c32, %c1", "nz"), 61), "PTOAS_NZ_STRIDE");
    EXPECT_EQ(said(program(kShape, "%n, %n, %c512, %c32, %c1", "nz"), 61), "ok") << "unknown strides are held against nothing";
}

TEST(PtoasPipeline, WindowsTakeWholeFractals) {
    const auto window = [](const std::string& offsets, const std::string& sizes, int minor) {
        return said(program(kShape, "%n, %n, %c512, %c32, %c1", "nz", offsets, sizes), minor);
    };
    EXPECT_EQ(window("%c0, %n, %c8, %c0, %c0", "%c1, %c1, %n, %c16, %c32", 61), "ok");
    EXPECT_EQ(window("%c0, %c0, %c0, %c8, %c0", "%c1, %c1, %c1, %c8, %c32", 61), "PTOAS_NZ_WINDOW");
    EXPECT_EQ(window("%c0, %c0, %c0, %c0, %c0", "%c1, %c1, %c1, %c16, %n", 61), "PTOAS_NZ_WINDOW");
    EXPECT_EQ(window("%c0, %c0, %c0, %c8, %c0", "%c1, %c1, %c1, %c8, %c32", 60), "ok");
}

} // namespace
} // namespace ls::ptoas
