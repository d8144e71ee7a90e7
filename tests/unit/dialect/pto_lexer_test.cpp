#include "core/dialect/pto/lexer.h"

#include <gtest/gtest.h>

namespace ls::pto {
namespace {

std::vector<std::string> texts(std::string_view source) {
    const auto tokens = tokenize(source);
    EXPECT_TRUE(tokens.ok());
    std::vector<std::string> out;
    if (!tokens.ok()) return out;
    for (const Token& t : tokens->tokens) out.emplace_back(source.substr(t.begin, t.end - t.begin));
    out.pop_back(); // End
    return out;
}

std::string code(std::string_view source) {
    const auto tokens = tokenize(source);
    return tokens.ok() ? "ok" : tokens.error().code;
}

TEST(PtoLexer, TypesAndAttributesAreOneTokenEach) {
    EXPECT_EQ(texts("%0 = pto.alloc_tile addr = %c : !pto.tile_buf<loc=vec, rows=4>"),
              (std::vector<std::string>{"%0", "=", "pto.alloc_tile", "addr", "=", "%c", ":", "!pto.tile_buf<loc=vec, rows=4>"}));
    EXPECT_EQ(texts("{layout = #pto.layout<nd>}: memref<4xf32, #pto.address_space<gm>>"),
              (std::vector<std::string>{"{", "layout", "=", "#pto.layout<nd>", "}", ":", "memref<4xf32, #pto.address_space<gm>>"}));
    EXPECT_EQ(texts("pto.set_flag[<PIPE_V>, <PIPE_M>]"),
              (std::vector<std::string>{"pto.set_flag", "[", "<PIPE_V>", ",", "<PIPE_M>", "]"}));
    EXPECT_EQ(texts("affine_map<(d0) -> (d0)> -> %r#1"), (std::vector<std::string>{"affine_map<(d0) -> (d0)>", "->", "%r#1"}));
}

TEST(PtoLexer, NumbersNamesAndLabels) {
    EXPECT_EQ(texts("-1.5e-01 0x1F 16 ^bb0 @main @\"a b\" %arg0 %x.y-z"),
              (std::vector<std::string>{"-1.5e-01", "0x1F", "16", "^bb0", "@main", "@\"a b\"", "%arg0", "%x.y-z"}));
    const auto tokens = tokenize("1 1.0 x");
    ASSERT_TRUE(tokens.ok());
    EXPECT_EQ(tokens->tokens[0].kind, TokenKind::Int);
    EXPECT_EQ(tokens->tokens[1].kind, TokenKind::Float);
    EXPECT_EQ(tokens->tokens[2].kind, TokenKind::Word);
}

TEST(PtoLexer, CommentsAndEmptyLinesAreKeptBesideTheTokens) {
    const auto tokens = tokenize("// first\n\nreturn // behind\n\n\n}\n");
    ASSERT_TRUE(tokens.ok());
    ASSERT_EQ(tokens->trivia.size(), 4u);
    EXPECT_EQ(tokens->trivia[0].text, "// first");
    EXPECT_TRUE(tokens->trivia[0].own_line);
    EXPECT_EQ(tokens->trivia[1].text, "");
    EXPECT_EQ(tokens->trivia[2].text, "// behind");
    EXPECT_FALSE(tokens->trivia[2].own_line);
    EXPECT_EQ(tokens->trivia[2].before, 1u);
    EXPECT_EQ(tokens->trivia[3].text, "") << "several empty lines count as one";
    EXPECT_TRUE(tokens->tokens[0].line_start);
}

TEST(PtoLexer, Refusals) {
    EXPECT_EQ(code("!pto.tile_buf<loc=vec"), "PTO_BRACKET");
    EXPECT_EQ(code("\"open\n\""), "PTO_STRING");
    EXPECT_EQ(code("%a ; %b"), "PTO_CHARACTER");
    EXPECT_EQ(code("\xff"), "PTO_CHARACTER");
    EXPECT_EQ(code("%"), "PTO_CHARACTER");
    EXPECT_EQ(code(""), "ok");
    const auto open = tokenize("a b <c");
    ASSERT_FALSE(open.ok());
    EXPECT_EQ(open.error().span, (Span{4, 5}));
}

} // namespace
} // namespace ls::pto
