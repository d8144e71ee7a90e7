// A pass that changes nothing answers the module that it was given: only then does a Trace share it, and a list of passes
// say truly which ones did something. Over the examples and, where a folder of the compiler's dumps is at hand (LS_DUMPS,
// or ../shared/dumps beside the source), over every state in it.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "core/dialect/surface.h"
#include "core/ir/equality.h"
#include "core/passes/nz/nz_pipeline.h"
#include "core/session/dump_directory.h"

namespace ls::session {
namespace {

namespace fs = std::filesystem;

/// Runs the pass; counts a module that is new and says the same as the one before.
void expect_same_object_when_equal(const Pass& pass, const ir::Module& given, const std::string& where) {
    const PassResult result = pass.run(given, {});
    if (!result.ok() || result.module == given) return;
    const auto difference = ir::first_difference(given, result.module, {.comments = true, .types = true, .names = true});
    EXPECT_TRUE(difference.has_value()) << pass.name << " makes a new module of " << where << " that says the same";
}

/// Also once more on what the pass made: most passes find nothing left to do.
void expect_passes_share(const ir::Module& source, const std::string& where) {
    const Trace trace = run_pipeline(source, nz::nz_pipeline(), {});
    for (std::size_t i = 1; i < trace.snapshots.size(); ++i) {
        const Snapshot& s = trace.snapshots[i];
        if (s.pass->run == nullptr) continue;
        expect_same_object_when_equal(*s.pass, trace.snapshots[i - 1].module, where);
        expect_same_object_when_equal(*s.pass, s.module, where + " once more");
    }
}

TEST(UnchangedModule, IsTheSameObjectForTheExamples) {
    std::size_t programs = 0;
    for (const auto& entry : fs::directory_iterator(fs::path(LS_SOURCE_DIR) / "resources" / "examples")) {
        if (entry.path().extension() != ".py") continue;
        std::ifstream in(entry.path(), std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        const auto module = dialect::read(text, entry.path().string());
        ASSERT_TRUE(module.ok()) << entry.path();
        if ((*module)->dialect != ir::Dialect::Pypto) continue;
        expect_passes_share(*module, entry.path().filename().string());
        ++programs;
    }
    EXPECT_GT(programs, 0U);
}

TEST(UnchangedModule, IsTheSameObjectForEveryStateOfTheDumps) {
    const char* named = std::getenv("LS_DUMPS");
    const fs::path root = named != nullptr ? fs::path(named) : fs::path(LS_SOURCE_DIR) / ".." / "shared" / "dumps";
    if (!fs::is_directory(root)) GTEST_SKIP() << "no folder of dumps at " << root;
    for (const fs::path& directory : find_dump_directories(root)) {
        const auto dumps = read_dump_directory(directory, nz::nz_pipeline());
        ASSERT_TRUE(dumps.ok()) << directory << ": " << dumps.error().message;
        const std::string where = fs::relative(directory, root).string();
        for (std::size_t i = 1; i < dumps->snapshots.size(); ++i) {
            const Snapshot& s = dumps->snapshots[i];
            if (s.pass == nullptr || s.pass->run == nullptr) continue;
            expect_same_object_when_equal(*s.pass, dumps->snapshots[i - 1].module, where);
            expect_same_object_when_equal(*s.pass, s.module, where + " once more");
        }
    }
}

} // namespace
} // namespace ls::session
