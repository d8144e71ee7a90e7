#include "app/models/text_diff.h"

#include <algorithm>
#include <tuple>

#include <QtCore/QHash>

namespace ls::models {

namespace {

/// Which items of a and b are common, as ascending pairs. Items are numbers, equal iff the texts are.
std::vector<std::pair<int, int>> common_items(const std::vector<int>& a, const std::vector<int>& b) {
    std::vector<std::pair<int, int>> pairs;
    int begin = 0, a_end = static_cast<int>(a.size()), b_end = static_cast<int>(b.size());
    while (begin < a_end && begin < b_end && a[static_cast<std::size_t>(begin)] == b[static_cast<std::size_t>(begin)]) {
        pairs.emplace_back(begin, begin);
        ++begin;
    }
    std::vector<std::pair<int, int>> tail;
    while (a_end > begin && b_end > begin &&
           a[static_cast<std::size_t>(a_end - 1)] == b[static_cast<std::size_t>(b_end - 1)]) {
        --a_end;
        --b_end;
        tail.emplace_back(a_end, b_end);
    }
    // Myers' greedy walk over the middle; trace[d] holds the furthest x on every diagonal after d edits.
    constexpr int kMostEdits = 4000;
    const int n = a_end - begin, m = b_end - begin;
    const int most = std::min(n + m, kMostEdits);
    std::vector<std::vector<int>> trace;
    std::vector<int> furthest(static_cast<std::size_t>(2 * most + 3), 0);
    const auto at = [&](std::vector<int>& v, int k) -> int& { return v[static_cast<std::size_t>(k + most + 1)]; };
    bool found = n == 0 && m == 0;
    for (int d = 0; d <= most && !found; ++d) {
        trace.push_back(furthest);
        for (int k = -d; k <= d; k += 2) {
            int x = (k == -d || (k != d && at(furthest, k - 1) < at(furthest, k + 1))) ? at(furthest, k + 1)
                                                                                       : at(furthest, k - 1) + 1;
            int y = x - k;
            while (x < n && y < m && a[static_cast<std::size_t>(begin + x)] == b[static_cast<std::size_t>(begin + y)]) {
                ++x;
                ++y;
            }
            at(furthest, k) = x;
            if (x >= n && y >= m) {
                found = true;
                break;
            }
        }
    }
    std::vector<std::pair<int, int>> middle;
    if (found && !trace.empty()) {
        int x = n, y = m;
        for (int d = static_cast<int>(trace.size()) - 1; d >= 0; --d) {
            std::vector<int>& v = trace[static_cast<std::size_t>(d)];
            const int k = x - y;
            const int from = (k == -d || (k != d && at(v, k - 1) < at(v, k + 1))) ? k + 1 : k - 1;
            const int from_x = at(v, from), from_y = from_x - from;
            while (x > from_x && y > from_y && x > 0 && y > 0) {
                --x;
                --y;
                middle.emplace_back(begin + x, begin + y);
            }
            if (d > 0) {
                x = from_x;
                y = from_y;
            }
        }
    }
    pairs.insert(pairs.end(), middle.rbegin(), middle.rend());
    pairs.insert(pairs.end(), tail.rbegin(), tail.rend());
    return pairs;
}

template <class List>
std::vector<int> numbered(const List& items, QHash<QString, int>& known) {
    std::vector<int> numbers;
    for (const auto& item : items) {
        const QString text(item);
        auto it = known.find(text);
        if (it == known.end()) it = known.insert(text, static_cast<int>(known.size()));
        numbers.push_back(*it);
    }
    return numbers;
}

struct Word {
    int begin = 0, end = 0;
};

std::vector<Word> words_of(const QString& line) {
    std::vector<Word> words;
    for (int at = 0; at < line.size();) {
        const int begin = at;
        const auto is_word = [&](QChar c) { return c.isLetterOrNumber() || c == QLatin1Char('_'); };
        if (is_word(line[at])) {
            while (at < line.size() && is_word(line[at])) ++at;
        } else {
            ++at;
        }
        if (!line[begin].isSpace()) words.push_back({begin, at});
    }
    return words;
}

/// Changed words close together read as one mark: "[32, 2048, 4096]", not five.
std::vector<std::pair<int, int>> joined(const std::vector<Word>& words, const std::vector<bool>& common) {
    constexpr int kGap = 3;
    std::vector<std::pair<int, int>> ranges;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (common[i]) continue;
        if (!ranges.empty() && words[i].begin - ranges.back().second <= kGap)
            ranges.back().second = words[i].end;
        else
            ranges.emplace_back(words[i].begin, words[i].end);
    }
    return ranges;
}

/// Share of characters that are common words, 0 to 1.
double likeness(const QString& a, const QString& b) {
    const auto [left, right] = diff_words(a, b);
    const auto length = [](const std::vector<std::pair<int, int>>& ranges) {
        int sum = 0;
        for (const auto& [begin, end] : ranges) sum += end - begin;
        return sum;
    };
    const double all = static_cast<double>(a.trimmed().size() + b.trimmed().size());
    return all == 0 ? 1 : 1 - (length(left) + length(right)) / all;
}

} // namespace

std::pair<std::vector<std::pair<int, int>>, std::vector<std::pair<int, int>>> diff_words(const QString& before,
                                                                                         const QString& after) {
    const std::vector<Word> a = words_of(before), b = words_of(after);
    QHash<QString, int> known;
    const auto texts = [](const QString& line, const std::vector<Word>& words) {
        QStringList list;
        for (const Word& word : words) list << line.mid(word.begin, word.end - word.begin);
        return list;
    };
    const auto pairs = common_items(numbered(texts(before, a), known), numbered(texts(after, b), known));
    std::vector<bool> in_a(a.size(), false), in_b(b.size(), false);
    for (const auto& [i, j] : pairs) {
        in_a[static_cast<std::size_t>(i)] = true;
        in_b[static_cast<std::size_t>(j)] = true;
    }
    return {joined(a, in_a), joined(b, in_b)};
}

std::vector<DiffRow> diff_lines(const QStringList& before, const QStringList& after) {
    constexpr double kAlike = 0.3;
    QHash<QString, int> known;
    auto pairs = common_items(numbered(before, known), numbered(after, known));
    pairs.emplace_back(static_cast<int>(before.size()), static_cast<int>(after.size()));
    std::vector<DiffRow> rows;
    int left = 0, right = 0;
    for (const auto& [next_left, next_right] : pairs) {
        // A hunk: lines gone and lines come. Walk both, sharing rows where they resemble each other.
        while (left < next_left || right < next_right) {
            DiffRow row;
            row.changed = true;
            const bool both = left < next_left && right < next_right;
            // One line for one line is that line changed, however much of it.
            const bool single = both && next_left - left == 1 && next_right - right == 1;
            if (single || (both && likeness(before[left], after[right]) >= kAlike)) {
                row.left = left++;
                row.right = right++;
                std::tie(row.left_words, row.right_words) = diff_words(before[row.left], after[row.right]);
            } else if (left < next_left && (!both || next_left - left >= next_right - right)) {
                row.left = left++;
            } else {
                row.right = right++;
            }
            rows.push_back(std::move(row));
        }
        if (next_left < before.size() && next_right < after.size()) {
            DiffRow row;
            row.left = left++;
            row.right = right++;
            rows.push_back(std::move(row));
        }
    }
    return rows;
}

} // namespace ls::models
