// Walks over one line of layout text and makes the diagnostics of all readers look alike.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/support/diagnostic.h"
#include "core/support/result.h"

namespace ls::notation {

/// Nesting deeper than this is refused (TXT_TOO_DEEP), so that no text can exhaust the stack.
inline constexpr int kMaxDepth = 48;

class Cursor {
public:
    explicit Cursor(std::string_view text, std::size_t base = 0) : text_(text), base_(base) {}

    std::string_view text() const { return text_; }
    /// Position in the text, always at a token or at the end (white space is skipped eagerly by every accept).
    std::size_t position() const { return at_; }
    void rewind(std::size_t position) { at_ = position; }

    void skip_space();
    bool at_end();
    /// Takes everything up to `position`, as one token.
    void advance_to(std::size_t position);
    /// Next character that is not white space; '\0' at the end.
    char peek();
    bool looking_at(std::string_view token);
    /// Takes `token` if it is next. A token that ends in a letter must not run on into a longer word.
    bool accept(std::string_view token);
    /// Takes an identifier [A-Za-z_][A-Za-z0-9_]*; empty when there is none.
    std::string_view word();
    /// Takes an unsigned integer (decimal or 0x...); refused when it does not fit 64 bits. Empty when there is none.
    Result<std::optional<std::int64_t>> number();
    /// Same with an optional sign in front.
    Result<std::optional<std::int64_t>> signed_number();
    /// Takes "..." or '...'; empty when there is none, refused when it does not end.
    Result<std::optional<std::string_view>> quoted();

    /// The next token (number, word or one character), or the empty place behind the end.
    Span here();
    /// From `begin` to the end of the last token taken, without the white space behind it.
    Span since(std::size_t begin) const { return range(begin, std::max(begin, std::min(token_end_, at_))); }
    Span range(std::size_t begin, std::size_t end) const { return {base_ + begin, base_ + end}; }

    /// TXT_EXPECTED at the next token: "expected ':' or ']' here, found 'x'".
    Diagnostic expected(std::string_view what, std::string hint = {});
    /// Takes `token`, or says what was expected.
    Status require(std::string_view token, std::string_view what = {}, std::string hint = {});
    /// Refuses text behind a complete layout.
    Status require_end(std::string hint = {});

private:
    std::string_view text_;
    std::size_t base_ = 0; ///< where text_ starts in the user's text
    std::size_t at_ = 0;
    std::size_t token_end_ = 0;
};

/// Insertions, deletions and replacements that turn `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate closest to `word`, if close enough to be a slip of the fingers; empty otherwise.
template <class Range, class Name>
std::string_view nearest(std::string_view word, const Range& candidates, Name name_of) {
    std::string_view best;
    if (word.size() > 64) return best;
    std::size_t best_distance = word.size() / 2 + 1;
    for (const auto& candidate : candidates) {
        const std::string_view name = name_of(candidate);
        if (const std::size_t d = edit_distance(word, name); d < best_distance) {
            best_distance = d;
            best = name;
        }
    }
    return best;
}

} // namespace ls::notation
