#include "core/figure/filter_expression.h"

#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace ls::figure {
namespace {

const std::vector<std::string> kNames{"r", "c", "offset", "in_line"};

bool selects(std::string_view text, std::vector<std::int64_t> row) {
    const auto filter = FilterExpression::read(text, kNames);
    EXPECT_TRUE(filter.ok()) << (filter.ok() ? "" : filter.error().message);
    return filter.ok() && filter->selects(row);
}

std::string refusal(std::string_view text) {
    const auto filter = FilterExpression::read(text, kNames);
    return filter.ok() ? "accepted" : filter.error().code;
}

TEST(FilterExpression, ReadsOperatorsByPrecedence) {
    EXPECT_TRUE(selects("r == 2 && c == 3", {2, 3, 0, 0}));
    EXPECT_FALSE(selects("r == 2 && c == 4", {2, 3, 0, 0}));
    EXPECT_TRUE(selects("r == 9 || c == 3 && offset == 7", {2, 3, 7, 0}));
    EXPECT_TRUE(selects("1 + 2 * 3 == 7", {0, 0, 0, 0}));
    EXPECT_TRUE(selects("(1 + 2) * 3 == 9", {0, 0, 0, 0}));
    EXPECT_TRUE(selects("10 - 3 - 2 == 5", {0, 0, 0, 0})) << "subtraction groups from the left";
    EXPECT_TRUE(selects("offset >= 0x0C00 && !(in_line < 4)", {0, 0, 0xC00, 4}));
    EXPECT_TRUE(selects("-r < 0", {1, 0, 0, 0}));
    EXPECT_TRUE(selects("r % 32 == 31 && r / 32 == -1", {-1, 0, 0, 0})) << "floor semantics";
}

TEST(FilterExpression, AnEmptyFilterSelectsEverything) {
    EXPECT_TRUE(selects("", {0, 0, 0, 0}));
    EXPECT_TRUE(selects("   ", {0, 0, 0, 0}));
}

TEST(FilterExpression, RowsThatCannotBeComputedAreNotSelected) {
    EXPECT_FALSE(selects("1 / c == 0 || 1 == 1", {0, 0, 0, 0}));
    EXPECT_FALSE(selects("r * r != 0", {std::numeric_limits<std::int64_t>::max(), 0, 0, 0}));
}

TEST(FilterExpression, RefusalsPointAtThePlace) {
    EXPECT_EQ(refusal("r == "), "FILTER_SYNTAX");
    EXPECT_EQ(refusal("r 3"), "FILTER_SYNTAX");
    EXPECT_EQ(refusal("(r == 1"), "FILTER_SYNTAX");
    EXPECT_EQ(refusal("r == 99999999999999999999"), "FILTER_NUMBER");
    EXPECT_EQ(refusal(std::string(300, '(')), "FILTER_DEEP");
    const auto unknown = FilterExpression::read("r == 1 && bank == 2", kNames);
    ASSERT_FALSE(unknown.ok());
    EXPECT_EQ(unknown.error().code, "FILTER_NAME");
    EXPECT_EQ(unknown.error().span, (Span{10, 14}));
    EXPECT_EQ(unknown.error().hint, "the columns are r, c, offset, in_line");
}

TEST(FilterExpression, NeverCrashesOnGarbage) {
    std::mt19937 random(7);
    const std::string alphabet = "rc()!-+*/%<>=&|0x19 _";
    for (int i = 0; i < 20000; ++i) {
        std::string text;
        for (unsigned n = random() % 40; n > 0; --n) text += alphabet[random() % alphabet.size()];
        const auto filter = FilterExpression::read(text, kNames);
        const std::vector<std::int64_t> row{1, -2, 3, 4};
        if (filter.ok()) (void)filter->selects(row);
    }
}

} // namespace
} // namespace ls::figure
