#include "core/scene/diff.h"

#include <algorithm>
#include <unordered_map>

#include "core/scene/sequence_diff.h"

namespace ls::scene {

namespace {

constexpr double kAlike = 0.4;              // lines less alike stand on rows of their own
constexpr std::size_t kMostPairings = 4096; // of one hunk; beyond, lines are paired in order

/// Numbers equal strings alike.
class Interner {
public:
    std::uint32_t operator()(std::string_view text) {
        return ids_.emplace(text, static_cast<std::uint32_t>(ids_.size())).first->second;
    }

private:
    std::unordered_map<std::string_view, std::uint32_t> ids_;
};

bool is_word(char c) {
    const auto u = static_cast<unsigned char>(c);
    return (u >= '0' && u <= '9') || (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') || u == '_' || u >= 0x80;
}
bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// Identifiers and numbers whole, blanks in one piece, every other sign alone.
std::vector<Span> words_of(std::string_view line) {
    std::vector<Span> out;
    for (std::size_t i = 0; i < line.size();) {
        std::size_t end = i + 1;
        if (is_word(line[i])) {
            while (end < line.size() && is_word(line[end])) ++end;
        } else if (is_blank(line[i])) {
            while (end < line.size() && is_blank(line[end])) ++end;
        }
        out.push_back({i, end});
        i = end;
    }
    return out;
}

std::string_view text_of(std::string_view line, Span s) { return line.substr(s.begin, s.end - s.begin); }

std::size_t weight(std::string_view line, const std::vector<Span>& words, std::size_t from, std::size_t to) {
    std::size_t n = 0;
    for (std::size_t i = from; i < to; ++i) n += is_blank(line[words[i].begin]) ? 0 : words[i].end - words[i].begin;
    return n;
}

/// Adds words [from, to) as a range, joined to the range before when only blanks lie between.
void add_range(std::vector<Span>& ranges, std::string_view line, const std::vector<Span>& words, std::size_t from,
               std::size_t to) {
    if (from == to) return;
    const Span s{words[from].begin, words[to - 1].end};
    if (!ranges.empty()) {
        const std::string_view between = line.substr(ranges.back().end, s.begin - ranges.back().end);
        if (std::all_of(between.begin(), between.end(), is_blank)) {
            ranges.back().end = s.end;
            return;
        }
    }
    ranges.push_back(s);
}

/// Which removed line of a hunk stands beside which added one: in order, and as alike as possible in sum.
class Pairing {
public:
    Pairing(const std::vector<std::string_view>& left, const std::vector<std::string_view>& right)
        : left_(left), right_(right) {}

    void add_rows(std::size_t l0, std::size_t l1, std::size_t r0, std::size_t r1, TextDiff& out) const {
        const std::size_t m = l1 - l0, n = r1 - r0;
        std::vector<std::pair<std::size_t, std::size_t>> pairs;
        if (m * n <= kMostPairings) {
            pairs = best(l0, m, r0, n);
        } else {
            for (std::size_t i = 0; i < std::min(m, n); ++i) {
                if (likeness(l0 + i, r0 + i) >= kAlike) pairs.emplace_back(i, i);
            }
        }
        std::size_t i = 0, j = 0;
        const auto until = [&](std::size_t i_end, std::size_t j_end) {
            for (; i < i_end; ++i) out.rows.push_back({DiffRow::Kind::Removed, l0 + i, {}, {}, {}});
            for (; j < j_end; ++j) out.rows.push_back({DiffRow::Kind::Added, {}, r0 + j, {}, {}});
        };
        for (const auto& [pi, pj] : pairs) {
            until(pi, pj);
            WordDiff words = diff_words(left_[l0 + i], right_[r0 + j]);
            out.rows.push_back(
                {DiffRow::Kind::Changed, l0 + i++, r0 + j++, std::move(words.left), std::move(words.right)});
        }
        until(m, n);
        out.removed += m;
        out.added += n;
    }

private:
    double likeness(std::size_t l, std::size_t r) const { return diff_words(left_[l], right_[r]).likeness; }

    std::vector<std::pair<std::size_t, std::size_t>> best(std::size_t l0, std::size_t m, std::size_t r0,
                                                          std::size_t n) const {
        std::vector<double> like(m * n), sum((m + 1) * (n + 1), 0);
        const auto at = [n](std::size_t i, std::size_t j) { return i * (n + 1) + j; };
        for (std::size_t i = m; i-- > 0;) {
            for (std::size_t j = n; j-- > 0;) {
                like[i * n + j] = likeness(l0 + i, r0 + j);
                double value = std::max(sum[at(i + 1, j)], sum[at(i, j + 1)]);
                if (like[i * n + j] >= kAlike) value = std::max(value, like[i * n + j] + sum[at(i + 1, j + 1)]);
                sum[at(i, j)] = value;
            }
        }
        std::vector<std::pair<std::size_t, std::size_t>> pairs;
        for (std::size_t i = 0, j = 0; i < m && j < n;) {
            if (like[i * n + j] >= kAlike && sum[at(i, j)] == like[i * n + j] + sum[at(i + 1, j + 1)]) {
                pairs.emplace_back(i++, j++);
            } else if (sum[at(i, j)] == sum[at(i + 1, j)]) {
                ++i;
            } else {
                ++j;
            }
        }
        return pairs;
    }

    const std::vector<std::string_view>& left_;
    const std::vector<std::string_view>& right_;
};

} // namespace

std::vector<std::string_view> split_lines(std::string_view text) {
    std::vector<std::string_view> out;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        out.push_back(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
}

WordDiff diff_words(std::string_view left, std::string_view right) {
    const std::vector<Span> lw = words_of(left), rw = words_of(right);
    Interner intern;
    std::vector<std::uint32_t> a, b;
    for (Span s : lw) a.push_back(intern(text_of(left, s)));
    for (Span s : rw) b.push_back(intern(text_of(right, s)));
    WordDiff out;
    std::size_t i = 0, j = 0, common = 0;
    const auto changed_until = [&](std::size_t i_end, std::size_t j_end) {
        add_range(out.left, left, lw, i, i_end);
        add_range(out.right, right, rw, j, j_end);
    };
    for (const Match& m : longest_matches(a, b)) {
        changed_until(m.a, m.b);
        i = m.a + m.length;
        j = m.b + m.length;
        common += weight(left, lw, m.a, i);
    }
    changed_until(lw.size(), rw.size());
    const std::size_t total = weight(left, lw, 0, lw.size()) + weight(right, rw, 0, rw.size());
    if (total > 0) out.likeness = 2.0 * static_cast<double>(common) / static_cast<double>(total);
    return out;
}

TextDiff diff_text(std::string_view left, std::string_view right) {
    const std::vector<std::string_view> l = split_lines(left), r = split_lines(right);
    Interner intern;
    std::vector<std::uint32_t> a, b;
    for (std::string_view line : l) a.push_back(intern(line));
    for (std::string_view line : r) b.push_back(intern(line));
    TextDiff out;
    const Pairing pairing(l, r);
    std::size_t i = 0, j = 0;
    for (const Match& m : longest_matches(a, b)) {
        pairing.add_rows(i, m.a, j, m.b, out);
        for (std::size_t k = 0; k < m.length; ++k) out.rows.push_back({DiffRow::Kind::Same, m.a + k, m.b + k, {}, {}});
        i = m.a + m.length;
        j = m.b + m.length;
    }
    pairing.add_rows(i, l.size(), j, r.size(), out);
    return out;
}

} // namespace ls::scene
