// A place in the tokens of Python-like text: what the readers of pypto and of TIRx script stand on.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/dialect/pypto/lexer.h"

namespace ls::pypto {

class TokenCursor {
protected:
    TokenCursor(std::string_view source, std::vector<Token> tokens) : source_(source), tokens_(std::move(tokens)) {}

    const Token& peek(std::size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
    std::string_view text(const Token& t) const { return source_.substr(t.begin, t.end - t.begin); }
    std::string_view text() const { return text(peek()); }
    /// Whether the token is this word or sign (at most eight bytes).
    bool is(std::string_view spelling, std::size_t ahead = 0) const {
        return peek(ahead).word != 0 && peek(ahead).word == word(spelling);
    }
    bool is(TokenKind kind) const { return peek().kind == kind; }
    void next() {
        if (at_ + 1 < tokens_.size()) ++at_;
    }
    bool accept(std::string_view spelling) {
        if (!is(spelling)) return false;
        next();
        return true;
    }
    /// Up to the last token of substance before here.
    Span span_from(std::size_t first_token) const;
    Span here() const { return {peek().begin, std::max<std::size_t>(peek().end, peek().begin)}; }
    std::string found() const; ///< the next token as a message names it

    std::string_view source_;
    std::vector<Token> tokens_;
    std::size_t at_ = 0;
};

} // namespace ls::pypto
