// Exported C++ against pto-isa: it compiles with the headers, and on the CPU simulator computes the right numbers. pto-isa is
// looked for where LS_PTO_ISA (environment, or the CMake option of that name) says; without it the test is skipped.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/codegen/export.h"
#include "core/dialect/pypto/pypto.h"
#include "core/passes/nz/nz_pipeline.h"
#include "core/passes/pipeline.h"

namespace ls {
namespace {

namespace fs = std::filesystem;

const fs::path kHere = fs::path(LS_SOURCE_DIR) / "tests" / "pto_isa";

std::string read_file(const fs::path& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
}

fs::path pto_isa() {
    const char* named = std::getenv("LS_PTO_ISA");
    return named != nullptr ? named : LS_PTO_ISA;
}

/// Takes a program through every pass and writes what is exported to `folder`.
void export_to(const fs::path& program, const fs::path& folder) {
    const auto module = pypto::read(read_file(program));
    ASSERT_TRUE(module.ok()) << program << ": " << module.error().message;
    const Trace trace = run_pipeline(*module, nz::nz_pipeline(), {});
    ASSERT_TRUE(trace.ok()) << program << ": " << trace.refusals.front().message;
    const auto exported = codegen::find_target("pto-isa")->run(trace.last().module, {});
    ASSERT_TRUE(exported.ok()) << program << ": " << exported.error().message;
    for (const codegen::SourceFile& file : exported->files) std::ofstream(folder / file.name) << file.text;
}

fs::path work_folder(const std::string& name) {
    const fs::path folder = fs::path(testing::TempDir()) / ("layoutscope_" + name);
    fs::create_directories(folder);
    for (const auto& program : fs::directory_iterator(kHere / "programs")) export_to(program.path(), folder);
    export_to(fs::path(LS_SOURCE_DIR) / "resources" / "examples" / "nz_expert.py", folder); // written on tensors
    return folder;
}

int run(const std::string& command) { return std::system(command.c_str()); }

/// The simulator's list of instructions names two reductions that g++ 12 does not compile; no kernel here uses them.
void overlay_headers(const fs::path& isa, const fs::path& folder) {
    fs::create_directories(folder / "pto" / "common");
    std::istringstream in(read_file(isa / "include" / "pto" / "common" / "pto_instr_impl.hpp"));
    std::ofstream out(folder / "pto" / "common" / "pto_instr_impl.hpp");
    for (std::string line; std::getline(in, line);) {
        if (line.find("ReduceIdx.hpp") == std::string::npos) out << line << '\n';
    }
}

TEST(PtoIsa, ExportedKernelsComputeTheRightNumbersOnTheSimulator) {
    const fs::path isa = pto_isa();
    if (isa.empty() || !fs::exists(isa / "include" / "pto" / "pto-inst.hpp")) {
        GTEST_SKIP() << "pto-isa is not at '" << isa.string() << "'; set LS_PTO_ISA to a clone of it";
    }
    const fs::path folder = work_folder("pto_isa");
    overlay_headers(isa, folder / "overlay");
    const std::string compile = fmt::format("{} -std=c++20 -O1 -w -D__CPU_SIM -I{}/overlay -I{}/include -I{} {}/check.cpp -o {}/check > {}/compile.txt 2>&1", LS_CXX_COMPILER,
                                            folder.string(), isa.string(), folder.string(), kHere.string(), folder.string(), folder.string());
    ASSERT_EQ(run(compile), 0) << read_file(folder / "compile.txt").substr(0, 4000);
    EXPECT_EQ(run(fmt::format("{0}/check > {0}/check.txt", folder.string())), 0);
    EXPECT_EQ(read_file(folder / "check.txt"), "nz_full 0\nnz_rows 0\nnz_cols 0\nnz_batch 0\nnz_kloop_i8 0\nnz_kloop_bf16 0\nnz_store 0\nnz_expert 0\nrows 0\n");
}

TEST(Packers, TheExportedTestProgramsPass) {
    if (run(std::string(LS_CXX_COMPILER) + " --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no compiler at " << LS_CXX_COMPILER;
    const fs::path folder = work_folder("packers");
    std::size_t tried = 0;
    for (const char* name : {"nz_batch", "nz_kloop_i8", "nz_store"}) {
        const fs::path program = folder / (std::string(name) + "_pack_test");
        ASSERT_EQ(run(fmt::format("{} -std=c++17 -Wall -Wextra -Werror {}.cpp -o {}", LS_CXX_COMPILER, program.string(), program.string())), 0) << name;
        EXPECT_EQ(run(program.string() + " > /dev/null"), 0) << name;
        ++tried;
    }
    EXPECT_EQ(tried, 3U);
    // A program without NZ arguments has nothing to pack.
    EXPECT_FALSE(fs::exists(folder / "rows_pack.h"));
}

} // namespace
} // namespace ls
