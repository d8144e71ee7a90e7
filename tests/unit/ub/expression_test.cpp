#include "core/ub/model/expression.h"

#include <gmock/gmock.h>

#include <random>

namespace ls::ub {
namespace {

std::int64_t value(std::string_view text, std::vector<std::int64_t> values = {}) {
    const auto e = Expression::parse(text);
    EXPECT_TRUE(e.ok()) << text;
    if (!e.ok()) return -1;
    const auto v = e->evaluate(values);
    EXPECT_TRUE(v.ok()) << text;
    return v.ok() ? *v : -1;
}

Diagnostic refusal(std::string_view text, std::vector<std::int64_t> values = {}) {
    const auto e = Expression::parse(text);
    if (!e.ok()) return e.error();
    const auto v = e->evaluate(values);
    EXPECT_FALSE(v.ok()) << text;
    return v.ok() ? Diagnostic{} : v.error();
}

TEST(Expression, PrecedenceAndTruncation) {
    EXPECT_EQ(value("1+2*3-4/3%5"), 1 + 6 - 1 % 5);
    EXPECT_EQ(value("20-8-4"), 8);
    EXPECT_EQ(value("100/7/2"), 7);
    EXPECT_EQ(value("(1+2)*3"), 9);
    EXPECT_EQ(value("7-9"), -2);
    EXPECT_EQ(value("(7-10)/2"), -1); // towards zero
    EXPECT_EQ(value("196352-64-60160"), 136128);
}

TEST(Expression, Functions) {
    EXPECT_EQ(value("align(100,16)"), 112);
    EXPECT_EQ(value("align(112, 16)"), 112);
    EXPECT_EQ(value("ceildiv(17,8)"), 3);
    EXPECT_EQ(value("ceil(16,8)"), 2);
    EXPECT_EQ(value("max(1,5,3)"), 5);
    EXPECT_EQ(value("min(4, 2)"), 2);
    EXPECT_EQ(value("max(max(1,2),3)*4"), 12);
}

TEST(Expression, ComparisonAndChoice) {
    EXPECT_EQ(value("3<=3"), 1);
    EXPECT_EQ(value("2==3 ? 10 : 20"), 20);
    EXPECT_EQ(value("a!=0 ? 100/a : 0", {0}), 0); // only the chosen branch is evaluated
    EXPECT_EQ(value("a>1 ? a>2 ? 3 : 2 : 1", {2}), 2);
}

TEST(Expression, NamesAreNumberedInOrderOfFirstUse) {
    const auto e = Expression::parse("cs*ak + cs*_x2");
    ASSERT_TRUE(e.ok());
    EXPECT_THAT(e->names(), testing::ElementsAre("cs", "ak", "_x2"));
    EXPECT_EQ(e->name_span(2), (Span{11, 14}));
    EXPECT_EQ(*e->evaluate(std::vector<std::int64_t>{64, 128, 2}), 64 * 130);
}

TEST(Expression, RefusalsPointAtTheText) {
    const Diagnostic end = refusal("cs *");
    EXPECT_EQ(end.code, "EXPR_SYNTAX");
    EXPECT_EQ(end.span, (Span{4, 4}));
    EXPECT_EQ(refusal("3 $ 4").span, (Span{2, 3}));
    EXPECT_EQ(refusal("(1+2").code, "EXPR_SYNTAX");
    EXPECT_EQ(refusal("").code, "EXPR_SYNTAX");
    EXPECT_EQ(refusal("1 < 2 < 3").code, "EXPR_SYNTAX"); // one comparison
    EXPECT_EQ(refusal("round(3)").code, "EXPR_FUNCTION");
    EXPECT_EQ(refusal("align(3)").code, "EXPR_FUNCTION");
    EXPECT_EQ(refusal("align(1,2,3)").code, "EXPR_FUNCTION");
    EXPECT_EQ(refusal("0x20").code, "EXPR_NUMBER");
    EXPECT_EQ(refusal("1.5").code, "EXPR_NUMBER");
    EXPECT_EQ(refusal("99999999999999999999").code, "EXPR_NUMBER");
}

TEST(Expression, ArithmeticIsChecked) {
    EXPECT_EQ(refusal("9223372036854775807+1").code, "EXPR_OVERFLOW");
    EXPECT_EQ(refusal("3037000500*3037000500").span, (Span{0, 21}));
    EXPECT_EQ(refusal("1/(2-2)").code, "EXPR_DIVIDE_BY_ZERO");
    EXPECT_EQ(refusal("5%a", {0}).code, "EXPR_DIVIDE_BY_ZERO");
    EXPECT_EQ(refusal("align(5,0)").code, "EXPR_DIVIDE_BY_ZERO");
    EXPECT_EQ(refusal("align(9223372036854775807,16)").code, "EXPR_OVERFLOW");
    EXPECT_EQ(refusal("(0-9223372036854775807-1)/(0-1)").code, "EXPR_OVERFLOW");
    EXPECT_EQ(value("(0-9223372036854775807-1)%(0-1)"), 0);
}

TEST(Expression, DepthAndLengthAreLimited) {
    EXPECT_EQ(refusal(std::string(5000, '(') + "1" + std::string(5000, ')')).code, "EXPR_TOO_DEEP");
    std::string chain = "1";
    for (int i = 0; i < 5000; ++i) chain += "+1";
    EXPECT_EQ(refusal(chain).code, "EXPR_TOO_DEEP");
    std::string fine = "1";
    for (int i = 0; i < 900; ++i) fine += "+1";
    EXPECT_EQ(value(fine), 901);
}

TEST(Expression, RandomBytesNeverCrash) {
    std::mt19937 random(3);
    const std::string alphabet = "0129ab_+-*/%()<>=!?:, \tmaxalign\"\\";
    int parsed = 0;
    for (int i = 0; i < 20000; ++i) {
        std::string text;
        for (std::size_t n = random() % 24; n > 0; --n) text += alphabet[random() % alphabet.size()];
        const auto e = Expression::parse(text);
        if (!e.ok()) continue;
        ++parsed;
        const std::vector<std::int64_t> values(e->names().size(), 7);
        static_cast<void>(e->evaluate(values).ok());
    }
    EXPECT_GT(parsed, 100);
}

} // namespace
} // namespace ls::ub
