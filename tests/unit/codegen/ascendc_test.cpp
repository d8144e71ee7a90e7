// Exported AscendC is compiled with the stub, strictly, and run: its own check program compares what it computes with
// the explorer's tables.
#include "core/codegen/ascendc/ascendc.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/codegen/ascendc/source_template.h"
#include "core/ub/cgdr/as_model.h"

namespace ls::codegen {
namespace {

namespace fs = std::filesystem;
using ub::cgdr::HostInput;
using ub::cgdr::Variant;

HostInput input(Variant variant, std::int64_t hv, std::int64_t dk, std::int64_t dv, std::int64_t ub_bytes = 262144,
                std::int64_t aiv = 8) {
    HostInput in;
    in.variant = variant;
    in.batch = 3;
    in.t = 700;
    in.hqk = in.hv = hv;
    in.dk = dk;
    in.dv = dv;
    in.ub_bytes = ub_bytes;
    in.aiv = aiv;
    return in;
}

std::vector<AscendcFile> exported(const HostInput& in, std::vector<std::int32_t> lens = {300, 0, 400}) {
    const auto plan = ub::cgdr::plan_host(in);
    EXPECT_TRUE(plan.ok());
    CgdrExportOptions options;
    options.seq_lens = std::move(lens);
    options.has_gamma = true;
    options.scale = 0.08838834764831845F;
    auto files = export_cgdr(*plan, options);
    EXPECT_TRUE(files.ok());
    return files.ok() ? *files : std::vector<AscendcFile>{};
}

/// A folder that is gone when the test ends.
class Folder {
public:
    Folder()
        : path_(fs::temp_directory_path() /
                ("ls_ascendc_" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) + "_" +
                 std::to_string(count_++) + "_" + ::testing::UnitTest::GetInstance()->current_test_info()->name())) {
        fs::create_directories(path_);
    }
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    const fs::path& path() const { return path_; }

private:
    static inline int count_ = 0;
    fs::path path_;
};

/// 0 when the check program compiles without a warning and answers that all tables agree; its output otherwise printed.
int compile_and_run(const std::vector<AscendcFile>& files, const std::string& check) {
    const Folder folder;
    for (const AscendcFile& file : files) std::ofstream(folder.path() / file.name) << file.text;
    const std::string where = "cd '" + folder.path().string() + "' && ";
    const std::string compile =
        where + "'" LS_CXX_COMPILER "' -std=c++17 -O0 -Wall -Wextra -Werror -Wpedantic -DUB_EXPORT_STUB " + check +
        " -o check";
    if (std::system(compile.c_str()) != 0) return 2;
    return std::system((where + "./check > table.txt || { cat table.txt; exit 1; }").c_str()) == 0 ? 0 : 1;
}

std::string text_of(const std::vector<AscendcFile>& files, std::string_view name) {
    for (const AscendcFile& file : files) {
        if (file.name == name) return file.text;
    }
    return {};
}

TEST(AscendcExport, ChecksItselfAgainstOurTables) {
    struct Case {
        HostInput in;
        std::vector<std::int32_t> lens;
    };
    const std::vector<Case> cases{
        {input(Variant::V1108, 16, 128, 128), {128}},                    // shares, one tile
        {input(Variant::V1108, 16, 128, 256), {512, 8, 64}},             // apart, three serial tiles
        {input(Variant::V1108, 4, 128, 256), {300, 0, 400, -20, 7}},     // spread over cores, a negative length
        {input(Variant::V1135, 8, 80, 256, 196352, 40), {100, 200, 50}}, // Cube version, bucket 80
        {input(Variant::V1135, 2, 200, 64), {1, 2, 3}},                  // beyond every bucket
    };
    for (const Case& c : cases) {
        EXPECT_EQ(compile_and_run(exported(c.in, c.lens), "cgdr_check.cpp"), 0)
            << ub::cgdr::name(c.in.variant) << " dk " << c.in.dk << " dv " << c.in.dv << " hv " << c.in.hv;
    }
}

TEST(AscendcExport, TheCheckProgramCanFail) {
    auto files = exported(input(Variant::V1108, 16, 128, 128));
    for (AscendcFile& file : files) {
        const std::size_t at = file.text.find("kCumdecay_ = Carve(rows * keyRow_);");
        if (at != std::string::npos) file.text.replace(at, 35, "kCumdecay_ = Carve(rows * stateRow_ + 8);");
    }
    testing::internal::CaptureStdout();
    EXPECT_EQ(compile_and_run(files, "cgdr_check.cpp"), 1);
    testing::internal::GetCapturedStdout();
}

TEST(AscendcExport, KeepsTheRulesOfTheForm) {
    for (const Variant variant : {Variant::V1108, Variant::V1135}) {
        const std::string kernel = text_of(exported(input(variant, 16, 128, 128)), "cgdr_kernel.h");
        const auto count = [&](std::string_view what) {
            std::size_t found = 0;
            for (std::size_t at = kernel.find(what); at != std::string::npos; at = kernel.find(what, at + 1)) ++found;
            return found;
        };
        EXPECT_LT(kernel.find("InitBuffer(stateOutQueue_"), kernel.find("InitBuffer(tmpBuff_"));
        EXPECT_EQ(count("IsCurrentBlock(length)"), 1U);
        EXPECT_NE(kernel.find("const bool mine = IsCurrentBlock(length);"), std::string::npos); // never behind && or ||
        EXPECT_LT(kernel.find("ComputeAvgload();  // before"), kernel.find("IsCurrentBlock(length)"));
        EXPECT_EQ(count("= Carve("), variant == Variant::V1108 ? 11U : 10U);
        EXPECT_EQ(count(".template GetWithOffset<float>"), 1U);
        EXPECT_EQ(count("inline bool Init("), 1U);
        EXPECT_EQ(kernel.find('@'), std::string::npos) << "an unfilled name";
    }
}

TEST(AscendcExport, LinesKnowTheViewThatTheyCarve) {
    const auto files = exported(input(Variant::V1108, 16, 128, 128));
    const AscendcFile& kernel = files[1];
    ASSERT_EQ(kernel.name, "cgdr_kernel.h");
    EXPECT_EQ(kernel.origins.size(),
              static_cast<std::size_t>(std::count(kernel.text.begin(), kernel.text.end(), '\n')));
    EXPECT_THAT(kernel.origins,
                testing::IsSupersetOf({"stateOutQueue", "tmpBuff", "chunkKFp32", "stateInFp32", "expGCumFp32"}));
}

TEST(AscendcExport, RefusesWhatHasNoPlan) {
    HostInput in = input(Variant::V1108, 16, 256, 256, 131072);
    const auto files = export_cgdr(*ub::cgdr::plan_host(in), {});
    ASSERT_FALSE(files.ok());
    EXPECT_EQ(files.error().code, "CG_ASCENDC_NO_PLAN");
}

ub::CompiledModel compiled(ub::Model model) {
    auto result = ub::CompiledModel::compile(std::move(model));
    EXPECT_TRUE(result.ok());
    return *result;
}

ub::Model double_buffered() {
    ub::Model m;
    m.platform = {"test", 65536, 0, 8};
    m.params = {{"rows", 60, {}}, {"width", 100, {}}};
    m.derived = {{"pitch", "align(width,16)", {}}, {"big", "rows*pitch > 4000 ? max(rows, pitch, 7) : min(1,2)", {}}};
    ub::Alloc in;
    in.name = "in-queue";
    in.kind = ub::AllocKind::Queue;
    in.position = ub::Position::VecIn;
    in.depth = 2;
    in.num = "2";
    in.len = "rows*pitch*2 + 8";
    ub::Alloc fixed;
    fixed.name = "3 fixed";
    fixed.len = "8*1024";
    fixed.views = {{"a", DType::Fp32, "rows", "64", {}, "", {}, {}},
                   {"a.", DType::Bf16, "ceil(rows,7)*16", {}, "4096", "", {}, {}},
                   {"b", DType::Int8, "big", {}, {}, "g\"?\?/", std::vector<ub::LiveRange>{{0, 2}}, {}}};
    ub::Alloc rest;
    rest.name = "rest";
    rest.len = "rest";
    rest.rest = true;
    rest.views = {{"x", DType::Fp16, "rows*pitch", {}, {}, "", {}, {}},
                  {"y", DType::UInt32, "pitch", {}, "0", "", {}, {}}};
    m.allocs = {in, fixed, rest};
    return m;
}

TEST(AscendcModelExport, ChecksItselfAgainstOurTables) {
    const auto files = export_model(compiled(double_buffered()), "my kernel");
    ASSERT_TRUE(files.ok()) << files.error().message;
    EXPECT_EQ((*files)[0].name, "my_kernel_buffers.h");
    EXPECT_EQ(compile_and_run(*files, "my_kernel_check.cpp"), 0);
    EXPECT_THAT((*files)[0].origins, testing::IsSupersetOf({"in-queue", "3 fixed", "3 fixed.a", "rest.y"}));
}

TEST(AscendcModelExport, TheKernelAsAModelChecksItselfToo) {
    for (const Variant variant : {Variant::V1108, Variant::V1135}) {
        const auto device = ub::cgdr::carve({variant, 64, 100, 384, 112, 16, 8, {}});
        const auto files =
            export_model(compiled(ub::cgdr::as_model(*device, {"Ascend310P3", 262144, 8192, 8}, 2)), "cgdr");
        ASSERT_TRUE(files.ok());
        EXPECT_EQ(compile_and_run(*files, "cgdr_check.cpp"), 0);
    }
}

TEST(AscendcModelExport, NamesAndTypesThatCannotBe) {
    ub::Model m = double_buffered();
    m.params.push_back({"int", 3, {}});
    EXPECT_EQ(export_model(compiled(m), "x").error().code, "CG_ASCENDC_NAME");
    m = double_buffered();
    m.allocs[2].views[0].dtype = DType::Fp64;
    EXPECT_EQ(export_model(compiled(m), "x").error().code, "CG_ASCENDC_TYPE");
}

TEST(SourceTemplate, ReplacesNamesAndChoosesLines) {
    EXPECT_EQ(
        fill_template("a @X@ b\n//@if one\n1 @Y@\n//@else\n2\n//@end\nend @ x\n", "one", {{"X", "5"}, {"Y", "@X@"}}),
        "a 5 b\n1 @X@\nend @ x\n");
    EXPECT_EQ(fill_template("//@if one\n1\n//@else\n2\n//@end\n@Z@ @X@", "two", {{"X", "5"}}), "2\n@Z@ 5\n");
}

} // namespace
} // namespace ls::codegen
