#include "core/support/diagnostic.h"

#include <gtest/gtest.h>

namespace ls {
namespace {

TEST(Render, PutsTheCaretUnderTheSpan) {
    const std::string source = "a\n\tw: pl.Tensor[[200, 512]]\n";
    const std::size_t at = source.find("200");
    const Diagnostic d = error_at({at, at + 3}, "NZ_ROWS_UNALIGNED", "200 rows", "pad to 208");
    EXPECT_EQ(render(d, source, "w.py"), "error[NZ_ROWS_UNALIGNED] w.py:2:16: 200 rows\n"
                                         "  2 | \tw: pl.Tensor[[200, 512]]\n"
                                         "    | \t              ^~~\n"
                                         "help: pad to 208\n");
}

TEST(Render, PointsBehindTheLastCharacterAtTheEndOfText) {
    const std::string source = "S[(8";
    const Diagnostic d = error_at({4, 4}, "TXT_END", "the text ends here");
    EXPECT_EQ(render(d, source, ""), "error[TXT_END]: the text ends here\n"
                                     "  1 | S[(8\n"
                                     "    |     ^\n");
}

TEST(Render, CountsColumnsOfUtf8AsCharactersInTheCaretLine) {
    const std::string source = "é x";
    const Diagnostic d = error_at({3, 4}, "C", "m");
    EXPECT_EQ(render(d, source, ""), "error[C]: m\n  1 | é x\n    |   ^\n");
}

TEST(Render, CutsLongLinesAroundThePlace) {
    const std::string source = std::string(100'000, 'a') + "bcd" + std::string(100'000, 'e');
    const std::string shown = render(error_at({100'000, 100'003}, "C", "m"), source, "");
    EXPECT_EQ(shown, "error[C]: m\n  1 | …" + std::string(60, 'a') + "bcd" + std::string(97, 'e') + "…\n    | " + std::string(61, ' ') + "^~~\n");
    // Never inside a character.
    std::string accents;
    for (int i = 0; i < 1000; ++i) accents += "é";
    const std::string cut = render(error_at({1001, 1002}, "C", "m"), accents, "");
    for (std::size_t at = cut.find('\xc3'); at != std::string::npos; at = cut.find('\xc3', at + 1)) EXPECT_EQ(cut[at + 1], '\xa9');
    EXPECT_EQ(cut.find("…\xa9"), std::string::npos);
}

TEST(Render, ShortensMessagesThatQuoteMegabytes) {
    const std::string shown = render(error("C", "there is no '" + std::string(1'000'000, 'x') + "' here"), "", "");
    EXPECT_LT(shown.size(), 1100U);
    EXPECT_EQ(shown.substr(0, 25), "error[C]: there is no 'xx");
    EXPECT_EQ(shown.substr(shown.size() - 8), "x' here\n");
}

TEST(Render, KeepsControlCharactersFromTheTerminal) {
    const std::string source = "a\x1b[31mb\x7f";
    EXPECT_EQ(render(error_at({5, 6}, "C", "'\x1b[2J'"), source, ""), "error[C]: '?[2J'\n  1 | a?[31mb?\n    |      ^\n");
}

TEST(LineColumn, IsOneBased) {
    EXPECT_EQ(line_column("ab\ncd", 0).line, 1U);
    EXPECT_EQ(line_column("ab\ncd", 3).line, 2U);
    EXPECT_EQ(line_column("ab\ncd", 4).column, 2U);
}

} // namespace
} // namespace ls
