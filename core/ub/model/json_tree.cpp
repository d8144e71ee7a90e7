#include "core/ub/model/json_tree.h"

#include <algorithm>
#include <charconv>
#include <unordered_set>

#include <fmt/format.h>

namespace ls::ub {

namespace {

constexpr int kMaxDepth = 64;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

void append_utf8(std::string& out, std::uint32_t code) {
    const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
    if (code < 0x80) {
        put(code);
    } else if (code < 0x800) {
        put(0xC0 | code >> 6);
        put(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        put(0xE0 | code >> 12);
        put(0x80 | (code >> 6 & 0x3F));
        put(0x80 | (code & 0x3F));
    } else {
        put(0xF0 | code >> 18);
        put(0x80 | (code >> 12 & 0x3F));
        put(0x80 | (code >> 6 & 0x3F));
        put(0x80 | (code & 0x3F));
    }
}

/// "a/b~c" as one reference token of a JSON pointer.
std::string pointer_token(std::string_view key) {
    std::string token;
    for (const char c : key) {
        if (c == '~') {
            token += "~0";
        } else if (c == '/') {
            token += "~1";
        } else {
            token += c;
        }
    }
    return token;
}

class Reader {
public:
    explicit Reader(std::string_view text) : text_(text) {}

    Result<JsonNode> run() {
        JsonNode root;
        LS_CHECK(value(root, 0));
        skip_space();
        if (at_ < text_.size()) return unexpected("the end of the file");
        return root;
    }

private:
    void skip_space() {
        while (at_ < text_.size() &&
               (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
            ++at_;
    }
    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    bool take(char c) {
        if (peek() != c || at_ >= text_.size()) return false;
        ++at_;
        return true;
    }

    Diagnostic unexpected(std::string_view wanted) const {
        if (at_ >= text_.size())
            return error_at({at_, at_}, "JSON_SYNTAX", fmt::format("the file ends where {} is expected", wanted));
        const auto byte = static_cast<unsigned char>(text_[at_]);
        const std::string seen =
            byte >= 0x20 && byte < 0x7F ? fmt::format("'{}'", text_[at_]) : fmt::format("byte 0x{:02x}", byte);
        return error_at({at_, at_ + 1}, "JSON_SYNTAX", fmt::format("{} where {} is expected", seen, wanted));
    }

    Status value(JsonNode& node, int depth) {
        skip_space();
        if (depth > kMaxDepth)
            return error_at({at_, at_ + 1}, "JSON_TOO_DEEP", fmt::format("nested more than {} levels deep", kMaxDepth));
        node.span.begin = at_;
        const auto close = [&](Status status) {
            node.span.end = at_;
            return status;
        };
        const char c = peek();
        if (c == '{') return close(object(node, depth));
        if (c == '[') return close(array(node, depth));
        if (c == '"') {
            node.kind = JsonNode::Kind::String;
            return close(string(node.string, node.verbatim));
        }
        if (c == '-' || is_digit(c)) return close(number(node));
        for (const std::string_view word : {"true", "false", "null"}) {
            if (!text_.substr(at_).starts_with(word)) continue;
            at_ += word.size();
            node.kind = word == "null" ? JsonNode::Kind::Null : JsonNode::Kind::Bool;
            node.boolean = word == "true";
            return close(ok_status());
        }
        return unexpected("a value");
    }

    Status object(JsonNode& node, int depth) {
        node.kind = JsonNode::Kind::Object;
        std::unordered_set<std::string> seen;
        ++at_;
        skip_space();
        if (take('}')) return ok_status();
        for (;;) {
            skip_space();
            if (peek() != '"') return unexpected("a key in quotes");
            const std::size_t key_begin = at_;
            std::string key;
            bool verbatim = true;
            LS_CHECK(string(key, verbatim));
            const Span key_span{key_begin, at_};
            if (!seen.insert(key).second) {
                return error_at(key_span, "JSON_DUPLICATE_KEY", fmt::format("the key '{}' stands here twice", key),
                                "keep one of the two");
            }
            skip_space();
            if (!take(':')) return unexpected("':'");
            node.members.push_back({std::move(key), key_span, {}});
            JsonNode& member = node.members.back().value;
            member.pointer = node.pointer + "/" + pointer_token(node.members.back().key);
            LS_CHECK(value(member, depth + 1));
            skip_space();
            if (take('}')) return ok_status();
            if (!take(',')) return unexpected("',' or '}'");
        }
    }

    Status array(JsonNode& node, int depth) {
        node.kind = JsonNode::Kind::Array;
        ++at_;
        skip_space();
        if (take(']')) return ok_status();
        for (;;) {
            node.items.emplace_back();
            node.items.back().pointer = fmt::format("{}/{}", node.pointer, node.items.size() - 1);
            LS_CHECK(value(node.items.back(), depth + 1));
            skip_space();
            if (take(']')) return ok_status();
            if (!take(',')) return unexpected("',' or ']'");
        }
    }

    Status number(JsonNode& node) {
        const std::size_t begin = at_;
        if (peek() == '-') ++at_;
        if (!is_digit(peek())) return unexpected("a digit");
        const bool leading_zero = peek() == '0';
        const std::size_t digits = at_;
        while (is_digit(peek())) ++at_;
        if (leading_zero && at_ - digits > 1)
            return error_at({begin, at_}, "JSON_NUMBER", "a number does not begin with 0");
        bool real = false;
        if (peek() == '.') {
            real = true;
            ++at_;
            if (!is_digit(peek())) return unexpected("a digit");
            while (is_digit(peek())) ++at_;
        }
        if (peek() == 'e' || peek() == 'E') {
            real = true;
            ++at_;
            if (peek() == '+' || peek() == '-') ++at_;
            if (!is_digit(peek())) return unexpected("a digit");
            while (is_digit(peek())) ++at_;
        }
        const char* first = text_.data() + begin;
        const char* last = text_.data() + at_;
        node.kind = real ? JsonNode::Kind::Real : JsonNode::Kind::Integer;
        const auto failure =
            real ? std::from_chars(first, last, node.real).ec : std::from_chars(first, last, node.integer).ec;
        if (failure != std::errc()) return error_at({begin, at_}, "JSON_NUMBER", "the number does not fit 64 bits");
        return ok_status();
    }

    Status string(std::string& out, bool& verbatim) {
        const std::size_t begin = at_++;
        for (;;) {
            if (at_ >= text_.size())
                return error_at({begin, at_}, "JSON_SYNTAX", "the string has no end", "close it with a quote");
            const char c = text_[at_];
            if (c == '"') {
                ++at_;
                return ok_status();
            }
            if (static_cast<unsigned char>(c) < 0x20) return unexpected("a printable character");
            if (c != '\\') {
                out += c;
                ++at_;
                continue;
            }
            verbatim = false;
            LS_CHECK(escape(out));
        }
    }

    Status escape(std::string& out) {
        static constexpr std::string_view kShort = "\"\\/bfnrt";
        static constexpr std::string_view kMeans = "\"\\/\b\f\n\r\t";
        const std::size_t begin = at_++;
        const char c = peek();
        if (const std::size_t which = kShort.find(c); at_ < text_.size() && which != std::string_view::npos) {
            ++at_;
            out += kMeans[which];
            return ok_status();
        }
        if (!take('u'))
            return error_at({begin, std::min(at_ + 1, text_.size())}, "JSON_SYNTAX", "unknown escape in a string");
        std::uint32_t code = 0;
        if (!hex4(code)) return unexpected("four hex digits");
        if (code >= 0xD800 && code < 0xDC00) { // first half of a pair
            std::uint32_t low = 0;
            if (!take('\\') || !take('u') || !hex4(low) || low < 0xDC00 || low > 0xDFFF) {
                return error_at({begin, std::min(at_ + 1, text_.size())}, "JSON_SYNTAX",
                                "half a surrogate pair in a string");
            }
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        } else if (code >= 0xDC00 && code <= 0xDFFF) {
            return error_at({begin, at_}, "JSON_SYNTAX", "half a surrogate pair in a string");
        }
        append_utf8(out, code);
        return ok_status();
    }

    bool hex4(std::uint32_t& code) {
        if (at_ + 4 > text_.size()) return false;
        const char* first = text_.data() + at_;
        const auto [end, failure] = std::from_chars(first, first + 4, code, 16);
        if (failure != std::errc() || end != first + 4) return false;
        at_ += 4;
        return true;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

} // namespace

const JsonNode* JsonNode::find(std::string_view key) const {
    const auto at =
        std::find_if(members.begin(), members.end(), [&](const auto& member) { return member.key == key; });
    return at == members.end() ? nullptr : &at->value;
}

std::string_view JsonNode::kind_name() const {
    switch (kind) {
    case Kind::Null: return "null";
    case Kind::Bool: return "a truth value";
    case Kind::Integer: return "a whole number";
    case Kind::Real: return "a fraction";
    case Kind::String: return "a string";
    case Kind::Array: return "a list";
    case Kind::Object: break;
    }
    return "an object";
}

Result<JsonNode> parse_json(std::string_view text) { return Reader(text).run(); }

} // namespace ls::ub
