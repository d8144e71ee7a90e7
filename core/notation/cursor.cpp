#include "core/notation/cursor.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "core/support/checked.h"

namespace ls::notation {

namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word(char c) { return is_letter(c) || is_digit(c); }
int hex_value(char c) {
    if (is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/// Length of the UTF-8 character that starts with `lead`, so that a caret never splits one.
std::size_t character_length(char lead) {
    const auto byte = static_cast<unsigned char>(lead);
    if (byte >= 0xF0U) return 4;
    if (byte >= 0xE0U) return 3;
    if (byte >= 0xC0U) return 2;
    return 1;
}

} // namespace

void Cursor::skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
}

bool Cursor::at_end() {
    skip_space();
    return at_ >= text_.size();
}

void Cursor::advance_to(std::size_t position) {
    at_ = token_end_ = std::min(position, text_.size());
    skip_space();
}

char Cursor::peek() { return at_end() ? '\0' : text_[at_]; }

bool Cursor::looking_at(std::string_view token) {
    skip_space();
    if (text_.substr(at_, token.size()) != token) return false;
    const std::size_t behind = at_ + token.size();
    return !is_word(token.back()) || behind >= text_.size() || !is_word(text_[behind]);
}

bool Cursor::accept(std::string_view token) {
    if (!looking_at(token)) return false;
    advance_to(at_ + token.size());
    return true;
}

std::string_view Cursor::word() {
    skip_space();
    if (at_ >= text_.size() || !is_letter(text_[at_])) return {};
    const std::size_t begin = at_;
    std::size_t end = begin;
    while (end < text_.size() && is_word(text_[end])) ++end;
    advance_to(end);
    return text_.substr(begin, end - begin);
}

Result<std::optional<std::int64_t>> Cursor::number() {
    skip_space();
    if (at_ >= text_.size() || !is_digit(text_[at_])) return std::optional<std::int64_t>{};
    const std::size_t begin = at_;
    const bool hex = text_.substr(at_, 2) == "0x" && at_ + 2 < text_.size() && hex_value(text_[at_ + 2]) >= 0;
    if (hex) at_ += 2;
    CheckedInt value = 0;
    for (; at_ < text_.size(); ++at_) {
        const int digit = hex ? hex_value(text_[at_]) : is_digit(text_[at_]) ? text_[at_] - '0' : -1;
        if (digit < 0) break;
        if (value) value = checked_mul(*value, hex ? 16 : 10);
        if (value) value = checked_add(*value, digit);
    }
    const std::size_t end = at_;
    advance_to(end);
    if (!value) {
        return error_at(since(begin), "TXT_NUMBER",
                        fmt::format("{} does not fit 64 bits", text_.substr(begin, end - begin)),
                        "the largest number is 9223372036854775807");
    }
    return value;
}

Result<std::optional<std::int64_t>> Cursor::signed_number() {
    skip_space();
    const std::size_t begin = at_;
    const bool negative = accept("-");
    if (!negative) accept("+");
    LS_TRY(const auto value, number());
    if (!value) {
        at_ = begin;
        return value;
    }
    return std::optional(negative ? -*value : *value);
}

Result<std::optional<std::string_view>> Cursor::quoted() {
    skip_space();
    if (at_ >= text_.size() || (text_[at_] != '"' && text_[at_] != '\'')) return std::optional<std::string_view>{};
    const std::size_t begin = at_;
    const std::size_t end = text_.find(text_[at_], at_ + 1);
    if (end == std::string_view::npos) {
        advance_to(text_.size());
        return error_at(since(begin), "TXT_EXPECTED", "this string does not end", "close it with the same quote");
    }
    advance_to(end + 1);
    return std::optional(text_.substr(begin + 1, end - begin - 1));
}

Span Cursor::here() {
    skip_space();
    std::size_t end = at_;
    if (end < text_.size()) {
        if (is_word(text_[end])) {
            while (end < text_.size() && is_word(text_[end])) ++end;
        } else {
            end = std::min(text_.size(), end + character_length(text_[end]));
        }
    }
    return range(at_, end);
}

Diagnostic Cursor::expected(std::string_view what, std::string hint) {
    const Span next = here();
    const std::string found = next.empty() ? std::string("the end of the text")
                                           : fmt::format("'{}'", text_.substr(at_, next.end - next.begin));
    return error_at(next, "TXT_EXPECTED", fmt::format("expected {} here, found {}", what, found), std::move(hint));
}

Status Cursor::require(std::string_view token, std::string_view what, std::string hint) {
    if (accept(token)) return ok_status();
    return expected(what.empty() ? fmt::format("'{}'", token) : std::string(what), std::move(hint));
}

Status Cursor::require_end(std::string hint) {
    if (at_end()) return ok_status();
    return expected("the end of the layout", std::move(hint));
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t above = row[j];
            row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U)});
            diagonal = above;
        }
    }
    return row[b.size()];
}

} // namespace ls::notation
