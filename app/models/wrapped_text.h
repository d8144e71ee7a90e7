// Long lines of a program broken at the commas of their longest bracket, one item a line, so that two states of a
// program can be compared side by side. Knows where every line and position went. Knows no Qt.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/diagnostic.h"

namespace ls::models {

class WrappedText {
public:
    explicit WrappedText(std::string_view text, std::size_t width = 92);

    const std::string& text() const { return text_; }
    /// source_lines()[i]: 0-based line of the given text that line i came from.
    const std::vector<std::size_t>& source_lines() const { return source_lines_; }
    /// A range of the given text as a range of this one.
    Span map(const Span& span) const;

private:
    struct Piece {
        std::size_t from = 0, to = 0, length = 0; ///< given [from, from+length) stands at [to, to+length)
    };
    void put(std::string_view part, std::size_t from, std::size_t indent, std::size_t line);
    void wrap(std::string_view part, std::size_t from, std::size_t indent, std::size_t line, int depth);
    std::size_t position(std::size_t from) const;

    std::size_t width_;
    std::string text_;
    std::vector<std::size_t> source_lines_;
    std::vector<Piece> pieces_; ///< ascending
};

} // namespace ls::models
