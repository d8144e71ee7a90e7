// Finding a name by typing parts of it.
#pragma once

#include <optional>
#include <vector>

#include <QtCore/QString>

namespace ls::models {

struct FuzzyMatch {
    int score = 0;                    ///< higher is better
    std::vector<qsizetype> positions; ///< matched characters of the text, ascending
};

/// All characters of `query` (blanks aside) in order in `text`, letter case ignored. Words' beginnings and runs count
/// more, gaps and long texts less. An empty query matches everything with score 0.
std::optional<FuzzyMatch> fuzzy_match(const QString& query, const QString& text);

/// Styled text with the matched characters bold.
QString with_bold(const QString& text, const std::vector<qsizetype>& positions);

} // namespace ls::models
