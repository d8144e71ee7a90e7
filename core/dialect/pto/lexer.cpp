#include "core/dialect/pto/lexer.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace ls::pto {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool in_word(char c) { return is_letter(c) || is_digit(c) || c == '.' || c == '$'; }
/// Names of values, symbols and labels may hold dashes too.
bool in_name(char c) { return in_word(c) || c == '-'; }

/// Types that are written without '!'.
bool is_type_word(std::string_view word) {
    constexpr std::array<std::string_view, 5> kTypes{"memref", "vector", "tensor", "tuple", "complex"};
    return std::find(kTypes.begin(), kTypes.end(), word) != kTypes.end();
}

class Lexer {
public:
    explicit Lexer(std::string_view source) : source_(source) {}

    Result<Tokens> run() {
        while (true) {
            skip_space();
            if (at_ == source_.size()) break;
            LS_CHECK(token());
            line_start_ = false;
        }
        push(TokenKind::End, at_);
        return std::move(out_);
    }

private:
    char peek(std::size_t ahead = 0) const {
        return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
    }

    void skip_space() {
        space_ = false;
        std::size_t newlines = 0;
        while (at_ < source_.size()) {
            const char c = source_[at_];
            if (c == '\n') {
                // Two newlines with nothing between them: an empty line. Several count as one.
                if (++newlines == 2 && !(out_.tokens.empty() && out_.trivia.empty())) trivia({});
                line_start_ = true;
            } else if (c == '/' && peek(1) == '/') {
                std::size_t end = std::min(source_.find('\n', at_), source_.size());
                std::string_view text = source_.substr(at_, end - at_);
                while (!text.empty() && (text.back() == ' ' || text.back() == '\r' || text.back() == '\t')) {
                    text.remove_suffix(1);
                }
                trivia(text);
                at_ = end;
                newlines = 0;
                space_ = true;
                continue;
            } else if (c != ' ' && c != '\t' && c != '\r') {
                return;
            }
            space_ = true;
            ++at_;
        }
    }

    void trivia(std::string_view text) {
        out_.trivia.push_back({static_cast<std::uint32_t>(out_.tokens.size()), line_start_ || text.empty(), text});
    }

    void push(TokenKind kind, std::size_t begin) {
        out_.tokens.push_back(
            {kind, space_, line_start_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_)});
    }

    template <class Predicate>
    void take_while(Predicate is_part) {
        while (at_ < source_.size() && is_part(source_[at_])) ++at_;
    }

    Status token() {
        const std::size_t begin = at_;
        const char c = peek();
        if (is_letter(c)) {
            take_while(in_word);
            const std::string_view word = source_.substr(begin, at_ - begin);
            if (peek() != '<') {
                push(TokenKind::Word, begin);
                return ok_status();
            }
            return angles(is_type_word(word) ? TokenKind::Type : TokenKind::Attr, begin);
        }
        if (is_digit(c) || (c == '-' && is_digit(peek(1)))) return number();
        switch (c) {
        case '%': return name(TokenKind::Value);
        case '@': return name(TokenKind::Symbol);
        case '^': return name(TokenKind::Label);
        case '!': return name(TokenKind::Type);
        case '#': return name(TokenKind::Attr);
        case '<': return angles(TokenKind::Angle, begin);
        case '"':
            LS_CHECK(string());
            push(TokenKind::String, begin);
            return ok_status();
        case '-':
            if (peek(1) != '>') break;
            at_ += 2;
            push(TokenKind::Punct, begin);
            return ok_status();
        default: break;
        }
        if (std::string_view("()[]{},:=?*+-|&").find(c) != std::string_view::npos) {
            ++at_;
            push(TokenKind::Punct, begin);
            return ok_status();
        }
        return unknown_character(begin);
    }

    Status name(TokenKind kind) {
        const std::size_t begin = at_++;
        if (kind == TokenKind::Symbol && peek() == '"') {
            LS_CHECK(string());
        } else {
            const bool plain = kind == TokenKind::Type || kind == TokenKind::Attr;
            take_while(plain ? in_word : in_name);
            if (at_ == begin + 1 && kind != TokenKind::Attr) return unknown_character(begin);
        }
        if (kind == TokenKind::Value && peek() == '#' && is_digit(peek(1))) {
            ++at_;
            take_while(is_digit);
        }
        if ((kind == TokenKind::Type || kind == TokenKind::Attr) && peek() == '<') return angles(kind, begin);
        push(kind, begin);
        return ok_status();
    }

    Status number() {
        const std::size_t begin = at_;
        if (peek() == '-') ++at_;
        TokenKind kind = TokenKind::Int;
        if (peek() == '0' && (peek(1) == 'x' || peek(1) == 'X')) {
            at_ += 2;
            take_while([](char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); });
        } else {
            take_while(is_digit);
            if (peek() == '.') {
                kind = TokenKind::Float;
                ++at_;
                take_while(is_digit);
            }
            const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
            if ((peek() == 'e' || peek() == 'E') && is_digit(peek(1 + sign))) {
                kind = TokenKind::Float;
                at_ += 1 + sign;
                take_while(is_digit);
            }
        }
        push(kind, begin);
        return ok_status();
    }

    /// Skips a string; at_ is at its first quote.
    Status string() {
        const std::size_t begin = at_++;
        for (; at_ < source_.size() && source_[at_] != '\n'; ++at_) {
            if (source_[at_] == '\\') {
                ++at_;
            } else if (source_[at_] == '"') {
                ++at_;
                return ok_status();
            }
        }
        at_ = std::min(at_, source_.size());
        return error_at({begin, at_}, "PTO_STRING", "this string has no end in its line", "close it with \"");
    }

    /// From the '<' at at_ to its '>'. Arrows inside close nothing.
    Status angles(TokenKind kind, std::size_t begin) {
        const std::size_t open = at_;
        std::size_t depth = 0;
        while (at_ < source_.size()) {
            const char c = source_[at_];
            if (c == '"') {
                LS_CHECK(string());
                continue;
            }
            if (c == '-' && peek(1) == '>') ++at_;
            if (c == '<') ++depth;
            ++at_;
            if (c != '>' || --depth > 0) continue;
            push(kind, begin);
            return ok_status();
        }
        return error_at({open, open + 1}, "PTO_BRACKET", "this '<' is never closed", "close it with '>'");
    }

    Status unknown_character(std::size_t begin) const {
        const auto byte = static_cast<unsigned char>(source_[begin]);
        const std::string shown = byte >= 0x20 && byte < 0x7f ? fmt::format("'{}'", source_[begin])
                                                              : fmt::format("the byte 0x{:02x}", byte);
        return error_at({begin, begin + 1}, "PTO_CHARACTER", fmt::format("{} starts nothing in PTO text", shown),
                        "remove it, or write it inside a string or a comment");
    }

    std::string_view source_;
    std::size_t at_ = 0;
    bool space_ = false;
    bool line_start_ = true;
    Tokens out_;
};

} // namespace

Result<Tokens> tokenize(std::string_view source) {
    if (source.size() > kMaxSource) {
        return error("PTO_TOO_LONG", fmt::format("the text has {} bytes; at most {} are read", source.size(), kMaxSource),
                     "divide it into several files");
    }
    return Lexer(source).run();
}

} // namespace ls::pto
