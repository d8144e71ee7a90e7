#include "app/models/fuzzy.h"

#include <algorithm>
#include <limits>

namespace ls::models {

namespace {

constexpr int kWordStart = 10, kRun = 8, kHit = 2, kGap = 1;
constexpr int kNone = std::numeric_limits<int>::min() / 2;

bool starts_word(const QString& text, qsizetype at) {
    if (at == 0) return true;
    const QChar before = text[at - 1], here = text[at];
    return !before.isLetterOrNumber() || (before.isLower() && here.isUpper());
}

} // namespace

std::optional<FuzzyMatch> fuzzy_match(const QString& query, const QString& text) {
    QString wanted;
    for (const QChar c : query) {
        if (!c.isSpace()) wanted += c.toCaseFolded();
    }
    if (wanted.isEmpty()) return FuzzyMatch{};
    constexpr qsizetype kLongest = 400;
    const qsizetype n = wanted.size(), m = std::min(text.size(), kLongest);
    if (n > m) return {};

    // best[i][j]: the best score with wanted[i] placed at text[j]; from[i][j]: where wanted[i−1] then stood.
    std::vector<int> best(static_cast<std::size_t>(n * m), kNone);
    std::vector<qsizetype> from(best.size(), -1);
    const auto slot = [m](qsizetype i, qsizetype j) { return static_cast<std::size_t>(i * m + j); };
    for (qsizetype i = 0; i < n; ++i) {
        int carried = kNone; // best of row i−1 before j, less a little for each character passed
        qsizetype carried_from = -1;
        for (qsizetype j = i; j < m; ++j) {
            if (i > 0 && j > 0) {
                const int fresh = best[slot(i - 1, j - 1)] - kGap;
                carried -= carried == kNone ? 0 : (j < 40 ? kGap : 0);
                if (fresh > carried) {
                    carried = fresh;
                    carried_from = j - 1;
                }
            }
            if (text[j].toCaseFolded() != wanted[i]) continue;
            const int own = kHit + (starts_word(text, j) ? kWordStart : 0);
            if (i == 0) {
                best[slot(i, j)] = own - static_cast<int>(std::min<qsizetype>(j, 10));
                continue;
            }
            int score = carried <= kNone / 2 ? kNone : carried + own;
            qsizetype source = carried_from;
            if (j > 0 && best[slot(i - 1, j - 1)] > kNone / 2) {
                const int run = best[slot(i - 1, j - 1)] + own + kRun;
                if (run >= score) {
                    score = run;
                    source = j - 1;
                }
            }
            best[slot(i, j)] = score;
            from[slot(i, j)] = source;
        }
    }
    qsizetype end = -1;
    for (qsizetype j = 0; j < m; ++j) {
        if (best[slot(n - 1, j)] > (end < 0 ? kNone / 2 : best[slot(n - 1, end)])) end = j;
    }
    if (end < 0) return {};
    FuzzyMatch match;
    match.score = best[slot(n - 1, end)] * 4 - static_cast<int>(std::min<qsizetype>(text.size(), 100)) / 4;
    match.positions.resize(static_cast<std::size_t>(n));
    for (qsizetype i = n - 1, j = end; i >= 0; --i) {
        match.positions[static_cast<std::size_t>(i)] = j;
        j = from[slot(i, j)];
    }
    return match;
}

QString with_bold(const QString& text, const std::vector<qsizetype>& positions) {
    QString out;
    bool bold = false;
    auto next = positions.begin();
    for (qsizetype i = 0; i < text.size(); ++i) {
        const bool hit = next != positions.end() && *next == i;
        if (hit) ++next;
        if (hit != bold) out += hit ? QStringLiteral("<b>") : QStringLiteral("</b>");
        bold = hit;
        out += QString(text[i]).toHtmlEscaped();
    }
    return bold ? out + QStringLiteral("</b>") : out;
}

} // namespace ls::models
