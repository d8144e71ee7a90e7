// Our PTO text against the text that the compiler itself wrote for the same program, where a folder of such programs is at
// hand: LS_DUMPS, or ../shared/dumps beside the source.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "core/codegen/export.h"
#include "core/codegen/kernel/kernel.h"
#include "core/dialect/pypto/pypto.h"
#include "tests/unit/codegen/pto_structure.h"

namespace ls::codegen {
namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
}

fs::path dumps() {
    if (const char* named = std::getenv("LS_DUMPS")) return named;
    return fs::path(LS_SOURCE_DIR) / ".." / "shared" / "dumps";
}

/// The snapshot behind the last pass: what the text is made from.
fs::path last_snapshot(const fs::path& folder) {
    fs::path last;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() == ".py" && entry.path().filename() > last.filename()) last = entry.path();
    }
    return last;
}

TEST(RealText, OursHasTheSameViewsWindowsTilesOperationsAndLoops) {
    if (!fs::is_directory(dumps())) GTEST_SKIP() << "no folder of dumps at " << dumps();
    std::size_t compared = 0, exported = 0, refused = 0;
    for (const auto& entry : fs::recursive_directory_iterator(dumps())) {
        if (!entry.is_directory() || entry.path().filename() != "passes_dump") continue;
        const fs::path program = last_snapshot(entry.path());
        const auto module = pypto::read(read_file(program));
        ASSERT_TRUE(module.ok()) << program;
        std::vector<std::string> texts;
        for (const auto& file : fs::recursive_directory_iterator(entry.path().parent_path())) {
            if (file.path().extension() == ".pto") texts.push_back(read_file(file.path()));
        }
        const auto functions = kernel_functions(**module, "");
        if (!functions.ok()) continue;
        for (const ir::Function& function : *functions) {
            ExportOptions options;
            options.function = function->name;
            const auto ours = find_target("pto")->run(*module, options);
            if (!ours.ok()) {
                EXPECT_EQ(ours.error().code, "CG_DISTRIBUTED") << program << ": " << ours.error().message;
                ++refused;
                continue;
            }
            ++exported;
            const auto real = std::find_if(texts.begin(), texts.end(), [&](const std::string& t) { return t.find("func.func @" + function->name + "(") != std::string::npos; });
            if (real == texts.end()) continue; // a dump without its text
            ++compared;
            EXPECT_EQ(PtoStructure::of(ours->files.front().text, function->name), PtoStructure::of(*real, function->name)) << program << " " << function->name;
        }
    }
    RecordProperty("compared", static_cast<int>(compared));
    RecordProperty("exported", static_cast<int>(exported));
    RecordProperty("refused", static_cast<int>(refused));
    EXPECT_GT(compared, 0U);
}

TEST(PtoStructure, SeesWhatDiffersAndNotWhatItIsCalled) {
    const std::string text = "func.func @f(%arg0: !pto.ptr<f16>) {\n  %c0 = arith.constant 0 : i64\n  %c4 = arith.constant 4 : index\n"
                             "  %t = pto.alloc_tile addr = %c0 valid_row = %c4 valid_col = %c4 : !pto.tile_buf<loc=vec, dtype=f16>\n"
                             "  scf.for %i = %c4 to %c4 step %c4 {\n    pto.tabs ins(%t : !pto.tile_buf<loc=vec, dtype=f16>) outs(%t : !pto.tile_buf<loc=vec, dtype=f16>)\n  }\n  return\n}\n";
    const auto changed = [&](const std::string& from, const std::string& to) {
        std::string other = text;
        for (std::size_t at = other.find(from); at != std::string::npos; at = other.find(from, at + to.size())) other.replace(at, from.size(), to);
        return PtoStructure::of(other) == PtoStructure::of(text);
    };
    EXPECT_EQ(PtoStructure::of(text).size(), 4U); // arguments, for, tabs, end
    EXPECT_TRUE(changed("%t", "%tile"));
    EXPECT_TRUE(changed("%c4", "%four"));
    EXPECT_FALSE(changed("constant 0 : i64", "constant 512 : i64"));
    EXPECT_FALSE(changed("constant 4 : index", "constant 8 : index"));
    EXPECT_FALSE(changed("pto.tabs", "pto.texp"));
    EXPECT_FALSE(changed("dtype=f16", "dtype=f32"));
}

} // namespace
} // namespace ls::codegen
