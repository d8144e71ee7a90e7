// Two texts side by side: lines aligned, and in changed lines the words that changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/support/diagnostic.h"

namespace ls::scene {

struct DiffRow {
    enum class Kind : std::uint8_t { Same, Changed, Removed, Added };
    Kind kind = Kind::Same;
    std::optional<std::size_t> left, right;    ///< line numbers from 0; Removed has no right, Added no left
    std::vector<Span> left_words, right_words; ///< of a Changed row: byte ranges in each line that differ
};

struct TextDiff {
    std::vector<DiffRow> rows;
    std::size_t added = 0;   ///< lines of the right that are Added or Changed
    std::size_t removed = 0; ///< lines of the left that are Removed or Changed
    bool same() const { return added == 0 && removed == 0; }
};

/// Lines of a text without their line ends; a final line end does not make an empty line.
std::vector<std::string_view> split_lines(std::string_view text);

TextDiff diff_text(std::string_view left, std::string_view right);

/// Words that differ between two lines, as byte ranges; ranges that only blanks part are joined.
struct WordDiff {
    std::vector<Span> left, right;
    double likeness = 1; ///< share of characters in common, blanks aside; 0..1
};
WordDiff diff_words(std::string_view left, std::string_view right);

} // namespace ls::scene
