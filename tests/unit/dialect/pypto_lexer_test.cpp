#include "core/dialect/pypto/lexer.h"

#include <gtest/gtest.h>

namespace ls::pypto {
namespace {

std::string shape(std::string_view source) {
    const auto tokens = tokenize(source);
    if (!tokens.ok()) return tokens.error().code;
    std::string out;
    for (const Token& t : *tokens) {
        switch (t.kind) {
        case TokenKind::Newline: out += "; "; break;
        case TokenKind::Indent: out += "{ "; break;
        case TokenKind::Dedent: out += "} "; break;
        case TokenKind::End: out += "."; break;
        case TokenKind::Comment: out += "# "; break;
        case TokenKind::Trailing: out += "#> "; break;
        default: out += std::string(source.substr(t.begin, t.end - t.begin)) + " ";
        }
    }
    return out;
}

TEST(Lexer, MeasuresIndentation) {
    EXPECT_EQ(shape("a:\n    b\n    c\nd\n"), "a : ; { b ; c ; } d ; .");
    EXPECT_EQ(shape("a:\n\tb\n        c\n"), "a : ; { b ; c ; } .") << "a tab reaches to the next multiple of eight";
    EXPECT_EQ(shape("a:\n    b\n  c\n"), "PYPTO_INDENT");
}

TEST(Lexer, ForgetsNewlinesInsideBrackets) {
    EXPECT_EQ(shape("f(\n  a,\n    [b,\nc],\n)\nd"), "f ( a , [ b , c ] , ) ; d ; .");
    EXPECT_EQ(shape("a = 1 + \\\n  2\n"), "a = 1 + 2 ; .");
}

TEST(Lexer, KeepsCommentLinesApartFromCommentsBehindCode) {
    EXPECT_EQ(shape("# one\n\n  # two\na # three\n"), "# # a #> ; .");
}

TEST(Lexer, TakesTheLongestSign) {
    EXPECT_EQ(shape("a**b//c<<d>=e->f != g"), "a ** b // c << d >= e -> f != g ; .");
    EXPECT_EQ(shape("x **= 2\ny //= 3"), "x **= 2 ; y //= 3 ; .");
}

TEST(Lexer, ReadsNumbersAndStrings) {
    EXPECT_EQ(shape("1_000 0x1F 1.5e-05 .5 'it\\'s' \"\"\"a\n'b'\"\"\" r'\\d'"),
              "1_000 0x1F 1.5e-05 .5 'it\\'s' \"\"\"a\n'b'\"\"\" r'\\d' ; .");
    EXPECT_EQ(shape("12ab"), "PYPTO_NUMBER");
    EXPECT_EQ(shape("'open\n"), "PYPTO_STRING");
    EXPECT_EQ(shape("'''open"), "PYPTO_STRING");
}

TEST(Lexer, RefusesWhatDoesNotBalance) {
    EXPECT_EQ(shape("f(a]"), "PYPTO_BRACKET");
    EXPECT_EQ(shape("f(a"), "PYPTO_BRACKET");
    EXPECT_EQ(shape(")"), "PYPTO_BRACKET");
    EXPECT_EQ(shape("a ? b"), "PYPTO_CHARACTER");
    EXPECT_EQ(shape(std::string_view("a \0", 3)), "PYPTO_CHARACTER");
}

TEST(Lexer, ReadsCarriageReturnsAndAByteOrderMark) {
    EXPECT_EQ(shape("\xEF\xBB\xBF"
                    "a\r\nif b:\r\n    c\r\n"),
              "a ; if b : ; { c ; } .");
    EXPECT_EQ(shape(""), ".");
    EXPECT_EQ(shape("\n\n   \n"), ".");
}

TEST(StringValue, UndoesEscapes) {
    const auto value = [](std::string_view text) {
        const auto v = string_value(text, {TokenKind::String, 0, static_cast<std::uint32_t>(text.size())});
        return v.ok() ? *v : v.error().code;
    };
    EXPECT_EQ(value(R"("a\n\t\\\"b")"), "a\n\t\\\"b");
    EXPECT_EQ(value(R"('\x41\u00e9')"), "A\xC3\xA9");
    EXPECT_EQ(value(R"(r"\n")"), "\\n");
    EXPECT_EQ(value(R"('\q\x4')"), "\\q\\x4");
    EXPECT_EQ(value("\"\""), "");
    EXPECT_EQ(value(R"(f"{x}")"), "PYPTO_UNSUPPORTED");
}

} // namespace
} // namespace ls::pypto
