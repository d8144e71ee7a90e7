// The shape of the house: a room includes only rooms on floors below its own, so there is no circle.
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace {

namespace fs = std::filesystem;

const std::map<std::string, int>& floors() {
    static const std::map<std::string, int> table{
        {"core/support", 0}, {"core/scene", 1},
        {"core/layout", 2},  {"core/ub", 2},      {"views", 2},
        {"core/notation", 3}, {"core/ir", 3},
        {"core/dialect", 4}, {"core/analysis", 4}, {"core/machine", 4}, {"core/codegen", 4},
        {"core/passes", 5},
        {"core/check", 6},   {"core/session", 6},
        {"core/figure", 7},
        {"app", 8},
    };
    return table;
}

/// "core/layout/engine/map.h" → "core/layout"; "views/canvas/x.h" → "views"; empty for what is no room.
std::string room_of(const std::string& path) {
    for (const auto& [room, floor] : floors()) {
        if (path.rfind(room + "/", 0) == 0) return room;
    }
    return {};
}

std::vector<std::string> includes_of(const fs::path& file) {
    static const std::regex line("^\\s*#\\s*include\\s*[\"<]([^\">]+)[\">]");
    std::vector<std::string> found;
    std::ifstream in(file);
    for (std::string text; std::getline(in, text);) {
        std::smatch match;
        if (std::regex_search(text, match, line)) found.push_back(match[1]);
    }
    return found;
}

template <class Visit>
void for_each_source(Visit visit) {
    const fs::path root = LS_SOURCE_DIR;
    for (const char* top : {"core", "views", "app"}) {
        for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
            const std::string extension = entry.path().extension().string();
            if (extension == ".h" || extension == ".cpp") visit(fs::relative(entry.path(), root).string(), entry.path());
        }
    }
}

TEST(Floors, NoIncludeRunsBackUp) {
    std::size_t seen = 0;
    for_each_source([&](const std::string& name, const fs::path& path) {
        const std::string room = room_of(name);
        ASSERT_FALSE(room.empty()) << name << " is in no room of the house";
        for (const std::string& include : includes_of(path)) {
            const std::string target = room_of(include);
            if (target.empty() || target == room) continue;
            ++seen;
            EXPECT_LT(floors().at(target), floors().at(room)) << name << " includes " << include << ", which stands on the same floor or above";
        }
    });
    EXPECT_GT(seen, 50U) << "the includes were not found";
}

TEST(Floors, ViewsKnowScenesAndSupportAlone) {
    for_each_source([](const std::string& name, const fs::path& path) {
        if (room_of(name) != "views") return;
        for (const std::string& include : includes_of(path)) {
            const std::string target = room_of(include);
            EXPECT_TRUE(target.empty() || target == "views" || target == "core/scene" || target == "core/support")
                << name << " includes " << include;
        }
    });
}

TEST(Floors, CoreKnowsNoToolkit) {
    static const std::regex toolkit("^(Q[A-Za-z]+|Qt[A-Za-z]+/.*|imgui.*)$");
    for_each_source([](const std::string& name, const fs::path& path) {
        if (name.rfind("core/", 0) != 0) return;
        for (const std::string& include : includes_of(path)) {
            EXPECT_FALSE(std::regex_match(include, toolkit)) << name << " includes " << include;
        }
    });
}

} // namespace
