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

TEST(LineColumn, IsOneBased) {
    EXPECT_EQ(line_column("ab\ncd", 0).line, 1U);
    EXPECT_EQ(line_column("ab\ncd", 3).line, 2U);
    EXPECT_EQ(line_column("ab\ncd", 4).column, 2U);
}

} // namespace
} // namespace ls
