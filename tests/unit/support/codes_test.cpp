// Every code that the program can say has a paragraph in resources/docs/diagnostics.md, and every paragraph a code.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>

#include <gtest/gtest.h>

namespace ls {
namespace {

const std::filesystem::path kRoot = LS_SOURCE_DIR;

std::string read(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    EXPECT_TRUE(file) << path;
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// String literals that look like codes and are none.
const std::set<std::string> kNoCodes{
    "PIPE_FIX", "PIPE_M", "PIPE_MTE1", "PIPE_MTE2", "PIPE_MTE3", "PIPE_S", "PIPE_V",                       // hardware queues in exported C++
    "CAST_RINT", "DIR_BOTH", "DIR_C2V", "DIR_V2C", "TFILLPAD_INPLACE",                                    // pto-isa's words in it
    "TILE_LEFT_RIGHT", "TILE_NO_SPLIT", "TILE_UP_DOWN",
    "CORE_GROUP", "MMA_K",                                                                                // a level of pypto, a name in cases
    "SWIZZLE_NONE", "SWIZZLE_32B_ATOM", "SWIZZLE_64B_ATOM", "SWIZZLE_128B_ATOM", "SW128_32B", "SW_3_4_3", // swizzles as dialects call them
    "MX_A_ZZ", "MX_B_NN", "TASK_ID", "CHIP_DIE",                                                          // words of pypto
    "NO_COLOR", "QT_QPA_PLATFORM", "WAYLAND_DISPLAY",                                                     // environment
};

/// Code -> a file that says it. Codes reach a Diagnostic through many helpers, so every literal of their form counts.
std::map<std::string, std::string> codes_in_sources() {
    // "NZ_GM_GAP" as a literal, or error[GUI_SIZE] inside a printed line.
    const std::regex form(R"re("([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)"|error\[([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\])re");
    std::map<std::string, std::string> found;
    for (const char* top : {"core", "app"}) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(kRoot / top)) {
            const auto ending = entry.path().extension();
            if (ending != ".cpp" && ending != ".h") continue;
            const std::string text = read(entry.path());
            for (std::sregex_iterator it(text.begin(), text.end(), form), end; it != end; ++it) {
                const std::string code = (*it)[1].matched ? (*it)[1].str() : (*it)[2].str();
                found.emplace(code, std::filesystem::relative(entry.path(), kRoot).string());
            }
        }
    }
    return found;
}

std::map<std::string, std::string> paragraphs() {
    const std::string text = read(kRoot / "resources/docs/diagnostics.md");
    const std::regex heading("### ([A-Z0-9_]+)\n");
    std::map<std::string, std::string> found;
    for (std::sregex_iterator it(text.begin(), text.end(), heading), end; it != end; ++it) {
        const auto from = static_cast<std::size_t>(it->position() + it->length());
        const auto to = std::min(text.find("\n#", from), text.size());
        const bool fresh = found.emplace((*it)[1], text.substr(from, to - from)).second;
        EXPECT_TRUE(fresh) << (*it)[1] << " has two paragraphs";
    }
    return found;
}

TEST(DiagnosticCodes, EachHasAParagraphInTheHelp) {
    const auto pages = paragraphs();
    const auto codes = codes_in_sources();
    EXPECT_GE(codes.size(), 300u);
    for (const auto& [code, file] : codes) {
        if (kNoCodes.contains(code)) continue;
        const auto page = pages.find(code);
        if (page == pages.end()) {
            ADD_FAILURE() << code << " (" << file << ") has no heading in resources/docs/diagnostics.md: say there what it means, "
                          << "give an example and how to mend it; if it is no code, list it in tests/unit/support/codes_test.cpp";
            continue;
        }
        EXPECT_GE(page->second.size(), 50u) << code << " is not explained";
    }
}

TEST(DiagnosticCodes, NoParagraphIsAboutACodeThatIsGone) {
    const auto codes = codes_in_sources();
    for (const auto& [code, text] : paragraphs()) EXPECT_TRUE(codes.contains(code)) << code << " is explained and nobody says it";
}

} // namespace
} // namespace ls
