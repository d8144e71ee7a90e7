#include "core/dialect/pypto/token_cursor.h"

#include <fmt/format.h>

namespace ls::pypto {

Span TokenCursor::span_from(std::size_t first_token) const {
    std::size_t last = at_;
    while (last > first_token) {
        const TokenKind kind = tokens_[last - 1].kind;
        if (kind != TokenKind::Newline && kind != TokenKind::Indent && kind != TokenKind::Dedent &&
            kind != TokenKind::Comment && kind != TokenKind::Trailing) {
            break;
        }
        --last;
    }
    const std::size_t begin = tokens_[first_token].begin;
    return {begin, last > first_token ? std::max<std::size_t>(begin, tokens_[last - 1].end) : begin};
}

std::string TokenCursor::found() const {
    switch (peek().kind) {
    case TokenKind::End: return "the end of the text";
    case TokenKind::Newline:
    case TokenKind::Trailing:
    case TokenKind::Comment: return "the end of the line";
    case TokenKind::Indent: return "more indentation";
    case TokenKind::Dedent: return "less indentation";
    default: return fmt::format("\"{}\"", text().substr(0, 40));
    }
}

} // namespace ls::pypto
