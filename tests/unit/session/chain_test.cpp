// Our whole pipeline from the program that a user wrote to PTO text, against the compiler's own states and text, where a
// folder of its dumps is at hand: LS_DUMPS, or ../shared/dumps beside the source.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "core/codegen/export.h"
#include "core/codegen/kernel/kernel.h"
#include "core/dialect/pypto/pypto.h"
#include "core/passes/export_options.h"
#include "core/passes/nz/nz_pipeline.h"
#include "core/session/dump_directory.h"
#include "tests/unit/codegen/pto_structure.h"

namespace ls::session {
namespace {

namespace fs = std::filesystem;

fs::path dumps() {
    const char* named = std::getenv("LS_DUMPS");
    return named != nullptr ? fs::path(named) : fs::path(LS_SOURCE_DIR) / ".." / "shared" / "dumps";
}

std::string read_all(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

struct Count {
    int equal = 0, differing = 0, refused = 0;
};

/// Of each kernel that the compiler wrote text for, whether ours has the same operations on the same windows and tiles.
Count compare_texts(const fs::path& directory) {
    Count count;
    const auto source = read_dump_source(directory);
    const auto module = source.ok() ? pypto::read(*source) : Result<ir::Module>(source.error());
    if (!module.ok()) return {0, 0, 1};
    const Trace trace = run_pipeline(*module, nz::nz_pipeline(), {});
    if (!trace.ok()) return {0, 0, 1};
    std::vector<std::string> texts;
    for (const auto& file : fs::recursive_directory_iterator(directory.parent_path())) {
        if (file.path().extension() == ".pto") texts.push_back(read_all(file.path()));
    }
    const auto functions = codegen::kernel_functions(*trace.last().module, "");
    if (!functions.ok()) return {0, 0, 1};
    for (const ir::Function& f : *functions) {
        const auto real = std::find_if(texts.begin(), texts.end(), [&](const std::string& t) { return t.find("func.func @" + f->name + "(") != std::string::npos; });
        if (real == texts.end()) continue;
        const auto ours = codegen::find_target("pto")->run(trace.last().module, export_options({}, f->name));
        if (!ours.ok()) {
            ++count.refused;
        } else {
            const bool same = codegen::PtoStructure::of(ours->files.front().text, f->name) == codegen::PtoStructure::of(*real, f->name);
            ++(same ? count.equal : count.differing);
        }
    }
    return count;
}

TEST(Chain, NzProgramsBecomeTheTextThatTheCompilerWrites) {
    if (!fs::is_directory(dumps() / "nz")) GTEST_SKIP() << "no folder of dumps at " << dumps();
    for (const fs::path& directory : find_dump_directories(dumps() / "nz")) {
        const Count count = compare_texts(directory);
        EXPECT_GT(count.equal, 0) << directory;
        EXPECT_EQ(count.differing + count.refused, 0) << directory;
    }
}

TEST(Chain, MostProgramsBecomeTheTextThatTheCompilerWrites) {
    if (!fs::is_directory(dumps())) GTEST_SKIP() << "no folder of dumps at " << dumps();
    Count all;
    for (const fs::path& directory : find_dump_directories(dumps())) {
        const Count one = compare_texts(directory);
        all.equal += one.equal;
        all.differing += one.differing;
        all.refused += one.refused;
        if (one.differing + one.refused > 0) {
            RecordProperty(fs::relative(directory, dumps()).parent_path().string(), fmt::format("{} equal, {} differ, {} refused", one.equal, one.differing, one.refused));
        }
    }
    RecordProperty("equal", all.equal);
    RecordProperty("differing", all.differing);
    RecordProperty("refused", all.refused);
    EXPECT_GT(all.equal, 7 * (all.differing + all.refused)); // which ones are not: among the properties of this test's report
}

} // namespace
} // namespace ls::session
