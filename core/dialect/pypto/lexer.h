// Tokens of pypto text: Python's, with indentation; newlines inside brackets mean nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/result.h"

namespace ls::pypto {

enum class TokenKind : std::uint8_t {
    Name,
    Int,
    Float,
    String,
    Punct,
    Comment,  ///< a comment line of its own
    Trailing, ///< a comment after code, before the Newline
    Newline,
    Indent,
    Dedent,
    End,
};

/// A short word as one number, so that the parser compares numbers; 0 for words of more than eight bytes.
constexpr std::uint64_t word(std::string_view text) {
    if (text.size() > 8) return 0;
    std::uint64_t packed = 0;
    for (const char c : text) packed = (packed << 8U) | static_cast<unsigned char>(c);
    return packed;
}

struct Token {
    TokenKind kind = TokenKind::End;
    std::uint32_t begin = 0; ///< byte offset in the source
    std::uint32_t end = 0;
    std::uint32_t column = 0; ///< of a comment, Indent or Dedent: the indentation of its line; else 0
    std::uint64_t word = 0;   ///< of a Name or Punct: word() of its text
};

/// Longest text that is read, in bytes.
inline constexpr std::size_t kMaxSource = std::size_t{1} << 30U;

/// The whole text as tokens, an End token last. Refuses unbalanced brackets (PYPTO_BRACKET), an unindent that matches
/// no outer level (PYPTO_INDENT), unfinished strings (PYPTO_STRING), unknown characters (PYPTO_CHARACTER) and texts
/// over 1 GiB (PYPTO_TOO_LONG).
Result<std::vector<Token>> tokenize(std::string_view source);

/// The text that a String token stands for, escapes undone. A prefix other than r, b or u is PYPTO_UNSUPPORTED.
Result<std::string> string_value(std::string_view source, const Token& token);

} // namespace ls::pypto
