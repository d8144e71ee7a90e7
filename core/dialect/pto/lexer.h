// Tokens of PTO text. Types and attributes are one token each, brackets and all: `!pto.tile_buf<loc=vec, ...>`,
// `#pto.layout<nd>`, `<PIPE_ALL>`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/result.h"

namespace ls::pto {

enum class TokenKind : std::uint8_t {
    Value,  ///< %x, %x#1
    Symbol, ///< @main
    Word,   ///< pto.tload, ins, index
    Int,
    Float,
    String,
    Type,  ///< !pto.ptr<f16>, memref<4xf32>
    Attr,  ///< #pto.layout<nd>, dense<1>
    Angle, ///< <PIPE_ALL>
    Label, ///< ^bb0
    Punct, ///< one of ( ) [ ] { } , : = -> and the like
    End,
};

struct Token {
    TokenKind kind = TokenKind::End;
    bool space_before = false;
    bool line_start = false; ///< nothing but white space stands before it in its line
    std::uint32_t begin = 0; ///< byte offset in the source
    std::uint32_t end = 0;
};

/// A comment or an empty line: what stands between tokens and is kept.
struct Trivia {
    std::uint32_t before = 0; ///< index of the token that follows it
    bool own_line = true;     ///< false for a comment behind code
    std::string_view text;    ///< with its slashes; empty for an empty line
};

struct Tokens {
    std::vector<Token> tokens; ///< an End token last
    std::vector<Trivia> trivia;
};

/// Longest text that is read, in bytes.
inline constexpr std::size_t kMaxSource = std::size_t{1} << 30U;

/// PTO_TOO_LONG, PTO_CHARACTER, PTO_STRING for a string without end, PTO_BRACKET for a `<` without end.
Result<Tokens> tokenize(std::string_view source);

} // namespace ls::pto
