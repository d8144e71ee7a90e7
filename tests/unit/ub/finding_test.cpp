#include "core/ub/finding.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace ls::ub {
namespace {

TEST(Finding, CarriesItsNumbersAndBecomesADiagnostic) {
    Finding f = finding("E_TBUF_OVERRUN", "chunkV", {{"end", 96}, {"by", 32}}, "ends at 96, 32 B past it");
    EXPECT_EQ(f.severity(), Severity::Error);
    EXPECT_EQ(f.number("by"), 32);
    EXPECT_FALSE(f.number("off"));
    EXPECT_FALSE(f.hint.empty()); // the catalogue's
    f.span = {3, 7};
    const Diagnostic d = f.diagnostic();
    EXPECT_EQ(d.code, "E_TBUF_OVERRUN");
    EXPECT_EQ(d.message, "chunkV: ends at 96, 32 B past it");
    EXPECT_EQ(d.span, (Span{3, 7}));
    EXPECT_EQ(finding("W_GAP", "t", {}, "x", "y").hint, "y");
}

TEST(Finding, SeverityFollowsTheCode) {
    for (const CheckInfo& check : check_catalogue()) {
        const Severity expected = check.code[0] == 'E'   ? Severity::Error
                                  : check.code[0] == 'W' ? Severity::Warning
                                                         : Severity::Note;
        EXPECT_EQ(check.severity, expected) << check.code;
        EXPECT_EQ(find_check(check.code), &check);
        EXPECT_FALSE(check.condition.empty());
        EXPECT_FALSE(check.mend.empty());
    }
    EXPECT_EQ(find_check("E_NOTHING"), nullptr);
}

TEST(Finding, EveryCodeHasItsParagraphInTheHelp) {
    std::ifstream in(LS_SOURCE_DIR "/resources/docs/unified-buffer.md");
    const std::string help((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    for (const CheckInfo& check : check_catalogue()) {
        EXPECT_NE(help.find("`" + std::string(check.code) + "`"), std::string::npos) << check.code;
    }
}

} // namespace
} // namespace ls::ub
