#include "core/scene/diff.h"

#include <algorithm>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "core/scene/sequence_diff.h"

namespace ls::scene {
namespace {

using Numbers = std::vector<std::uint32_t>;

std::size_t common_length(const std::vector<Match>& matches) {
    std::size_t n = 0;
    for (const Match& m : matches) n += m.length;
    return n;
}

/// Textbook dynamic programme, the independent judge.
std::size_t longest_common(const Numbers& a, const Numbers& b) {
    std::vector<std::size_t> row(b.size() + 1, 0);
    for (const std::uint32_t x : a) {
        std::size_t diagonal = 0;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t above = row[j + 1];
            row[j + 1] = x == b[j] ? diagonal + 1 : std::max(row[j + 1], row[j]);
            diagonal = above;
        }
    }
    return row.back();
}

void expect_valid(const std::vector<Match>& matches, const Numbers& a, const Numbers& b) {
    std::size_t i = 0, j = 0;
    for (const Match& m : matches) {
        ASSERT_GT(m.length, 0U);
        ASSERT_GE(m.a, i);
        ASSERT_GE(m.b, j);
        ASSERT_LE(m.a + m.length, a.size());
        ASSERT_LE(m.b + m.length, b.size());
        for (std::size_t k = 0; k < m.length; ++k) ASSERT_EQ(a[m.a + k], b[m.b + k]);
        i = m.a + m.length;
        j = m.b + m.length;
    }
}

TEST(SequenceDiff, IsShortestOnRandomSequences) {
    std::mt19937 random(17);
    for (int i = 0; i < 4000; ++i) {
        const std::uint32_t letters = 1 + random() % 6;
        Numbers a(random() % 24), b(random() % 24);
        for (auto& x : a) x = random() % letters;
        for (auto& x : b) x = random() % letters;
        const auto matches = longest_matches(a, b);
        expect_valid(matches, a, b);
        ASSERT_EQ(common_length(matches), longest_common(a, b)) << "case " << i;
    }
}

TEST(SequenceDiff, IsShortestOnEditedSequences) {
    std::mt19937 random(23);
    for (int i = 0; i < 60; ++i) {
        Numbers a(600);
        for (auto& x : a) x = random() % 200;
        Numbers b = a;
        for (int k = 0; k < 40; ++k) {
            const std::size_t at = random() % b.size();
            if (random() % 2 == 0) {
                b.erase(b.begin() + static_cast<std::ptrdiff_t>(at));
            } else {
                b.insert(b.begin() + static_cast<std::ptrdiff_t>(at), random() % 200);
            }
        }
        const auto matches = longest_matches(a, b);
        expect_valid(matches, a, b);
        ASSERT_EQ(common_length(matches), longest_common(a, b));
    }
}

TEST(SequenceDiff, TakesEmptyAndEqual) {
    const Numbers none, some{1, 2, 3};
    EXPECT_TRUE(longest_matches(none, none).empty());
    EXPECT_TRUE(longest_matches(none, some).empty());
    EXPECT_TRUE(longest_matches(some, none).empty());
    EXPECT_EQ(longest_matches(some, some), (std::vector<Match>{{0, 0, 3}}));
}

TEST(SequenceDiff, StaysBoundedOnVeryDifferentSequences) {
    std::mt19937 random(29);
    Numbers a(20000), b(20000);
    for (auto& x : a) x = random() % 5000;
    for (auto& x : b) x = random() % 5000;
    const auto matches = longest_matches(a, b);
    expect_valid(matches, a, b);
    EXPECT_GT(common_length(matches), 100U);
}

TEST(Diff, LinesAreSplitWithoutTheirEnds) {
    EXPECT_EQ(split_lines("a\nb\r\n\nc"), (std::vector<std::string_view>{"a", "b", "", "c"}));
    EXPECT_EQ(split_lines("a\n"), (std::vector<std::string_view>{"a"}));
    EXPECT_TRUE(split_lines("").empty());
}

// The pass of the second picture of the design: shapes and windows of NZ tensors.
constexpr std::string_view kBefore = R"(def kernel(
    self,
    w: pl.Tensor[[32, 2048, 4096], pl.INT8,
        pl.TensorView(stride=[], layout=pl.TensorLayout.NZ)],
):
    t0: pl.Tile[[256, 512], pl.INT8, pl.Mem.Mat] = pl.tile.load(
        w, [1, 256, 512],
        [1, 256, 512], [1, 256, 512],
        target_memory=pl.Mem.Mat)
)";
constexpr std::string_view kAfter = R"(def kernel(
    self,
    w: pl.Tensor[[32, 128, 128, 16, 32], pl.INT8,
        pl.TensorView(stride=[], layout=pl.TensorLayout.NZ)],
):
    t0: pl.Tile[[256, 512], pl.INT8, pl.Mem.Mat] = pl.tile.load(
        w, [1, 16, 16, 0, 0],
        [1, 16, 16, 16, 32], [1, 16, 16, 16, 32],
        target_memory=pl.Mem.Mat)
)";

std::vector<std::string> pieces(std::string_view line, const std::vector<Span>& spans) {
    std::vector<std::string> out;
    for (Span s : spans) out.emplace_back(line.substr(s.begin, s.end - s.begin));
    return out;
}

TEST(Diff, AlignsChangedLinesAndTheirWords) {
    const TextDiff diff = diff_text(kBefore, kAfter);
    ASSERT_EQ(diff.rows.size(), 9U);
    EXPECT_EQ(diff.added, 3U);
    EXPECT_EQ(diff.removed, 3U);
    const auto left = split_lines(kBefore), right = split_lines(kAfter);
    for (const std::size_t row : {2U, 6U, 7U}) {
        EXPECT_EQ(diff.rows[row].kind, DiffRow::Kind::Changed);
        EXPECT_EQ(diff.rows[row].left, row);
        EXPECT_EQ(diff.rows[row].right, row);
    }
    EXPECT_EQ(pieces(left[2], diff.rows[2].left_words), (std::vector<std::string>{"2048", "4096"}));
    const auto new_words = pieces(right[2], diff.rows[2].right_words);
    EXPECT_EQ(new_words.front().substr(0, 3), "128");
    EXPECT_EQ(new_words.back().substr(new_words.back().size() - 2), "32");
    EXPECT_EQ(diff.rows[3].kind, DiffRow::Kind::Same);
    EXPECT_TRUE(diff.rows[3].left_words.empty());
}

TEST(Diff, UnlikeLinesStandAlone) {
    const TextDiff diff = diff_text("a = load(x)\nfor i in range(8):\n", "a = load(x)\nstore(out, tile)\n");
    ASSERT_EQ(diff.rows.size(), 3U);
    EXPECT_EQ(diff.rows[1].kind, DiffRow::Kind::Removed);
    EXPECT_FALSE(diff.rows[1].right.has_value());
    EXPECT_EQ(diff.rows[2].kind, DiffRow::Kind::Added);
    EXPECT_FALSE(diff.rows[2].left.has_value());
}

TEST(Diff, AChangedLineIsFoundAmongInsertedOnes) {
    const TextDiff diff = diff_text("x = tile.load(w, 256)\n", "first()\nsecond()\nx = tile.load(w, 512)\nthird()\n");
    ASSERT_EQ(diff.rows.size(), 4U);
    EXPECT_EQ(diff.rows[2].kind, DiffRow::Kind::Changed);
    EXPECT_EQ(diff.rows[2].left, 0U);
    EXPECT_EQ(diff.rows[2].right, 2U);
    EXPECT_EQ(diff.rows[2].left_words, (std::vector<Span>{{17, 20}}));
}

TEST(Diff, WordsJoinAcrossBlanks) {
    const WordDiff words = diff_words("let a b c end", "let x y z end");
    EXPECT_EQ(words.left, (std::vector<Span>{{4, 9}}));
    EXPECT_EQ(words.right, (std::vector<Span>{{4, 9}}));
    EXPECT_NEAR(words.likeness, 12.0 / 18.0, 1e-12);
    EXPECT_EQ(diff_words("same", "same").likeness, 1);
    EXPECT_EQ(diff_words("", "").likeness, 1);
    EXPECT_EQ(diff_words("abc", "").likeness, 0);
    EXPECT_EQ(diff_words("ᵀa", "ᵀb").left, (std::vector<Span>{{0, 4}})) << "letters beyond ASCII are not cut";
}

TEST(Diff, RowsRebuildBothTexts) {
    std::mt19937 random(31);
    const auto text = [&random] {
        std::string out;
        for (std::size_t n = random() % 30; n > 0; --n)
            out += "v" + std::to_string(random() % 5) + " = f(" + std::to_string(random() % 3) + ")\n";
        return out;
    };
    for (int i = 0; i < 500; ++i) {
        const std::string left = text(), right = text();
        const TextDiff diff = diff_text(left, right);
        std::vector<std::size_t> l, r;
        std::size_t added = 0, removed = 0;
        for (const DiffRow& row : diff.rows) {
            if (row.left) l.push_back(*row.left);
            if (row.right) r.push_back(*row.right);
            if (row.kind == DiffRow::Kind::Same) {
                ASSERT_EQ(split_lines(left)[*row.left], split_lines(right)[*row.right]);
                continue;
            }
            added += row.right ? 1U : 0U;
            removed += row.left ? 1U : 0U;
        }
        ASSERT_EQ(l.size(), split_lines(left).size());
        ASSERT_EQ(r.size(), split_lines(right).size());
        for (std::size_t k = 0; k < l.size(); ++k) ASSERT_EQ(l[k], k);
        for (std::size_t k = 0; k < r.size(); ++k) ASSERT_EQ(r[k], k);
        ASSERT_EQ(diff.added, added);
        ASSERT_EQ(diff.removed, removed);
    }
}

} // namespace
} // namespace ls::scene
