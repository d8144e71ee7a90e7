// Two texts line by line: what stayed, what went, what came, and which words of a changed line differ.
#pragma once

#include <utility>
#include <vector>

#include <QtCore/QStringList>

namespace ls::models {

/// A row of the aligned view. −1: no line on that side.
struct DiffRow {
    int left = -1;
    int right = -1;
    bool changed = false;
    /// Character ranges [begin, end) that differ; only in rows that have both lines.
    std::vector<std::pair<int, int>> left_words, right_words;
};

/// Shortest edit script by lines (Myers), then lines of one hunk that resemble each other share a row.
std::vector<DiffRow> diff_lines(const QStringList& before, const QStringList& after);

/// Ranges of `before` and `after` that are not common to both, by words and signs.
std::pair<std::vector<std::pair<int, int>>, std::vector<std::pair<int, int>>> diff_words(const QString& before,
                                                                                         const QString& after);

} // namespace ls::models
