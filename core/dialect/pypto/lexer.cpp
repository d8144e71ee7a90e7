#include "core/dialect/pypto/lexer.h"

#include <algorithm>

#include <fmt/format.h>

namespace ls::pypto {

namespace {

constexpr std::uint32_t kTabWidth = 8; // Python's

bool is_name_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80U;
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name(char c) { return is_name_start(c) || is_digit(c); }

constexpr std::string_view kPunct1 = "()[]{},:.=+-*/%&|^~<>@;!";

class Lexer {
public:
    explicit Lexer(std::string_view source) : source_(source) {}

    Result<std::vector<Token>> run() {
        if (source_.size() > kMaxSource) {
            return error("PYPTO_TOO_LONG",
                         fmt::format("the text is {} bytes long; at most {} are read", source_.size(), kMaxSource));
        }
        tokens_.reserve(source_.size() / 5 + 16);
        if (source_.substr(0, 3) == "\xEF\xBB\xBF") at_ = 3;
        while (at_ < source_.size()) {
            if (line_start_ && brackets_.empty()) {
                if (Status s = start_line(); !s.ok()) return std::move(s).error();
                if (at_ >= source_.size()) break;
                if (line_start_) continue;
            }
            if (Status s = token(); !s.ok()) return std::move(s).error();
        }
        if (!brackets_.empty()) {
            return error_at({brackets_.back(), brackets_.back() + 1}, "PYPTO_BRACKET",
                            fmt::format("'{}' is never closed", source_[brackets_.back()]), "close it, or remove it");
        }
        if (!tokens_.empty() && tokens_.back().kind != TokenKind::Newline &&
            tokens_.back().kind != TokenKind::Comment) {
            push(TokenKind::Newline, at_, at_);
        }
        for (; indents_.size() > 1; indents_.pop_back()) push(TokenKind::Dedent, at_, at_);
        push(TokenKind::End, at_, at_);
        return std::move(tokens_);
    }

private:
    void push(TokenKind kind, std::size_t begin, std::size_t end, std::uint32_t column = 0) {
        const bool spelled = kind == TokenKind::Name || kind == TokenKind::Punct;
        tokens_.push_back({kind, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), column,
                           spelled ? word(source_.substr(begin, end - begin)) : 0});
    }
    char peek(std::size_t ahead = 0) const { return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0'; }
    std::size_t line_end(std::size_t from) const {
        const std::size_t end = source_.find('\n', from);
        return end == std::string_view::npos ? source_.size() : end;
    }
    std::size_t without_return(std::size_t begin, std::size_t end) const {
        return end > begin && source_[end - 1] == '\r' ? end - 1 : end;
    }

    /// Measures the indentation of a line; blank and comment lines do not count. Leaves line_start_ set for those.
    Status start_line() {
        const std::size_t begin = at_;
        std::uint32_t column = 0;
        for (; peek() == ' ' || peek() == '\t' || peek() == '\f'; ++at_) {
            if (source_[at_] == ' ')
                ++column;
            else if (source_[at_] == '\t')
                column = (column / kTabWidth + 1) * kTabWidth;
            else
                column = 0;
        }
        if (at_ >= source_.size()) return ok_status();
        if (peek() == '\n' || (peek() == '\r' && peek(1) == '\n')) {
            at_ += peek() == '\r' ? 2 : 1;
            return ok_status();
        }
        if (peek() == '#') {
            const std::size_t end = line_end(at_);
            push(TokenKind::Comment, at_, without_return(at_, end), column);
            at_ = end < source_.size() ? end + 1 : end;
            return ok_status();
        }
        line_start_ = false;
        if (column > indents_.back()) {
            indents_.push_back(column);
            push(TokenKind::Indent, begin, at_, column);
        } else {
            while (column < indents_.back()) {
                indents_.pop_back();
                push(TokenKind::Dedent, at_, at_, column);
            }
            if (column != indents_.back()) {
                return error_at(
                    {begin, at_}, "PYPTO_INDENT",
                    fmt::format("this line is indented by {} columns, which matches no enclosing block", column),
                    fmt::format("indent it by {} columns", indents_.back()));
            }
        }
        return ok_status();
    }

    Status token() {
        const char c = source_[at_];
        if (c == ' ' || c == '\t' || c == '\r' || c == '\f') {
            ++at_;
            return ok_status();
        }
        if (c == '\n') {
            if (brackets_.empty()) {
                push(TokenKind::Newline, at_, at_);
                line_start_ = true;
            }
            ++at_;
            return ok_status();
        }
        if (c == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'))) {
            at_ += peek(1) == '\n' ? 2 : 3;
            return ok_status();
        }
        if (c == '#') {
            const std::size_t end = line_end(at_);
            if (brackets_.empty()) push(TokenKind::Trailing, at_, without_return(at_, end));
            at_ = end;
            return ok_status();
        }
        if (is_name_start(c)) return name();
        if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
        if (c == '"' || c == '\'') return quoted(at_);
        return punct();
    }

    Status name() {
        const std::size_t begin = at_;
        while (at_ < source_.size() && is_name(source_[at_])) ++at_;
        const std::size_t length = at_ - begin;
        if (length <= 2 && (peek() == '"' || peek() == '\'')) return quoted(begin);
        push(TokenKind::Name, begin, at_);
        return ok_status();
    }

    Status number() {
        const std::size_t begin = at_;
        bool real = false;
        if (peek() == '0' && (peek(1) == 'x' || peek(1) == 'X' || peek(1) == 'b' || peek(1) == 'B' || peek(1) == 'o' ||
                              peek(1) == 'O')) {
            at_ += 2;
            while (at_ < source_.size() && is_name(source_[at_])) ++at_;
        } else {
            const auto digits = [this] {
                while (is_digit(peek()) || peek() == '_') ++at_;
            };
            digits();
            if (peek() == '.') {
                real = true;
                ++at_;
                digits();
            }
            if (peek() == 'e' || peek() == 'E') {
                const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 2 : 1;
                if (is_digit(peek(sign))) {
                    real = true;
                    at_ += sign;
                    digits();
                }
            }
        }
        if (at_ < source_.size() && is_name_start(source_[at_])) {
            return error_at({begin, at_ + 1}, "PYPTO_NUMBER",
                            fmt::format("\"{}\" is not a number", source_.substr(begin, at_ + 1 - begin)));
        }
        push(real ? TokenKind::Float : TokenKind::Int, begin, at_);
        return ok_status();
    }

    /// A string from its prefix (at `begin`) to its closing quotes; at_ is at the opening quote.
    Status quoted(std::size_t begin) {
        const char quote = source_[at_];
        const bool triple = peek(1) == quote && peek(2) == quote;
        at_ += triple ? 3 : 1;
        for (; at_ < source_.size(); ++at_) {
            const char c = source_[at_];
            if (c == '\\') {
                ++at_;
            } else if (c == '\n' && !triple) {
                break;
            } else if (c == quote && (!triple || (peek(1) == quote && peek(2) == quote))) {
                at_ += triple ? 3 : 1;
                push(TokenKind::String, begin, at_);
                return ok_status();
            }
        }
        at_ = std::min(at_, source_.size());
        return error_at({begin, at_}, "PYPTO_STRING", "this string is never closed",
                        fmt::format("end it with {}", triple ? std::string(3, quote) : std::string(1, quote)));
    }

    /// Length of the longest sign that starts here: "**=", "//=", "...", two of a kind, "->", or a sign with "=".
    std::size_t sign_length() const {
        const char a = peek(), b = peek(1);
        if ((a == '*' || a == '/' || a == '<' || a == '>') && b == a) return peek(2) == '=' ? 3 : 2;
        if (a == '.' && b == '.' && peek(2) == '.') return 3;
        if (b == '=' && std::string_view("+-*/%&|^@<>=!:").find(a) != std::string_view::npos) return 2;
        if (a == '-' && b == '>') return 2;
        return kPunct1.find(a) != std::string_view::npos ? 1 : 0;
    }

    Status punct() {
        const std::string_view rest = source_.substr(at_);
        const std::size_t length = sign_length();
        if (length == 0) {
            const auto byte = static_cast<unsigned char>(rest.front());
            const std::string shown =
                byte >= 0x20U && byte < 0x7FU ? fmt::format("'{}'", rest.front()) : fmt::format("byte 0x{:02X}", byte);
            return error_at({at_, at_ + 1}, "PYPTO_CHARACTER", fmt::format("{} has no meaning here", shown),
                            "remove it");
        }
        if (length == 1) {
            if (Status s = bracket(rest.front()); !s.ok()) return s;
        }
        push(TokenKind::Punct, at_, at_ + length);
        at_ += length;
        return ok_status();
    }

    Status bracket(char c) {
        if (c == '(' || c == '[' || c == '{') {
            brackets_.push_back(at_);
        } else if (c == ')' || c == ']' || c == '}') {
            const char open = c == ')' ? '(' : c == ']' ? '[' : '{';
            if (brackets_.empty() || source_[brackets_.back()] != open) {
                Diagnostic d = error_at({at_, at_ + 1}, "PYPTO_BRACKET", fmt::format("'{}' closes nothing", c),
                                        fmt::format("there is no '{}' open here", open));
                if (!brackets_.empty()) {
                    Diagnostic note = error_at({brackets_.back(), brackets_.back() + 1}, "PYPTO_BRACKET",
                                               fmt::format("'{}' is open", source_[brackets_.back()]));
                    note.severity = Severity::Note;
                    d.notes.push_back(std::move(note));
                }
                return d;
            }
            brackets_.pop_back();
        }
        return ok_status();
    }

    std::string_view source_;
    std::size_t at_ = 0;
    std::vector<Token> tokens_;
    std::vector<std::uint32_t> indents_{0};
    std::vector<std::size_t> brackets_;
    bool line_start_ = true;
};

void append_utf8(std::string& out, std::uint32_t code) {
    if (code < 0x80U) {
        out += static_cast<char>(code);
    } else if (code < 0x800U) {
        out += static_cast<char>(0xC0U | (code >> 6U));
        out += static_cast<char>(0x80U | (code & 0x3FU));
    } else if (code < 0x10000U) {
        out += static_cast<char>(0xE0U | (code >> 12U));
        out += static_cast<char>(0x80U | ((code >> 6U) & 0x3FU));
        out += static_cast<char>(0x80U | (code & 0x3FU));
    } else {
        out += static_cast<char>(0xF0U | (code >> 18U));
        out += static_cast<char>(0x80U | ((code >> 12U) & 0x3FU));
        out += static_cast<char>(0x80U | ((code >> 6U) & 0x3FU));
        out += static_cast<char>(0x80U | (code & 0x3FU));
    }
}

/// Reads `count` hex digits after the escape's letter; false when they are not there.
bool hex(std::string_view text, std::size_t at, std::size_t count, std::uint32_t& value) {
    if (at + count > text.size()) return false;
    value = 0;
    for (std::size_t i = at; i < at + count; ++i) {
        const char c = text[i];
        std::uint32_t digit = 0;
        if (c >= '0' && c <= '9')
            digit = static_cast<std::uint32_t>(c - '0');
        else if (c >= 'a' && c <= 'f')
            digit = static_cast<std::uint32_t>(c - 'a' + 10);
        else if (c >= 'A' && c <= 'F')
            digit = static_cast<std::uint32_t>(c - 'A' + 10);
        else
            return false;
        value = value * 16 + digit;
    }
    return value <= 0x10FFFFU;
}

} // namespace

Result<std::vector<Token>> tokenize(std::string_view source) { return Lexer(source).run(); }

Result<std::string> string_value(std::string_view source, const Token& token) {
    std::string_view text = source.substr(token.begin, token.end - token.begin);
    bool raw = false;
    while (text.front() != '"' && text.front() != '\'') {
        const char prefix = static_cast<char>(text.front() | 0x20);
        if (prefix != 'r' && prefix != 'u' && prefix != 'b') {
            return error_at({token.begin, token.end}, "PYPTO_UNSUPPORTED", "formatted strings are not read",
                            "write the text itself");
        }
        raw = raw || prefix == 'r';
        text.remove_prefix(1);
    }
    const std::size_t quotes = text.size() >= 6 && text[1] == text[0] && text[2] == text[0] ? 3 : 1;
    text = text.substr(quotes, text.size() - 2 * quotes);
    if (raw || text.find('\\') == std::string_view::npos) return std::string(text);
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 >= text.size()) {
            out += text[i];
            continue;
        }
        const char c = text[++i];
        std::uint32_t code = 0;
        switch (c) {
        case 'n': out += '\n'; break;
        case 't': out += '\t'; break;
        case 'r': out += '\r'; break;
        case '0': out += '\0'; break;
        case '\n': break;
        case '\\':
        case '\'':
        case '"': out += c; break;
        case 'x':
        case 'u':
        case 'U': {
            const std::size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : 8;
            if (hex(text, i + 1, digits, code)) {
                append_utf8(out, code);
                i += digits;
                break;
            }
            [[fallthrough]];
        }
        default: out += '\\'; out += c;
        }
    }
    return out;
}

} // namespace ls::pypto
