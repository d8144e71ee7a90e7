// Trees, bars, strips and patterns.
#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/scene/bars.h"
#include "core/scene/pattern.h"
#include "core/scene/strip.h"
#include "core/scene/tree.h"
#include "tests/unit/scene/synthetic.h"

namespace ls::scene {
namespace {

using testing_support::FixedMeasure;
using Verdict = TreeNode::Verdict;

const FixedMeasure kMeasure;

template <class M>
std::vector<M> all(const DrawList& list) {
    std::vector<M> out;
    for (const Mark& mark : list.marks) {
        if (const M* m = std::get_if<M>(&mark)) out.push_back(*m);
    }
    return out;
}

bool overlap(const Rect& a, const Rect& b) {
    return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

TreeNode random_tree(std::mt19937& random, int depth) {
    TreeNode node;
    node.title = std::string(1 + random() % 18, 'x');
    node.note = random() % 3 == 0 ? "" : std::string(random() % 25, 'n');
    node.verdict = static_cast<Verdict>(random() % 4);
    if (depth > 0) {
        for (std::size_t n = random() % 4; n > 0; --n) node.children.push_back(random_tree(random, depth - 1));
    }
    return node;
}

TEST(Tree, BoxesNeverOverlapAndStayInThePicture) {
    std::mt19937 random(41);
    for (int i = 0; i < 200; ++i) {
        std::vector<TreeNode> roots;
        for (std::size_t n = 1 + random() % 3; n > 0; --n) roots.push_back(random_tree(random, 5));
        const Picture picture = draw_tree(roots, kMeasure);
        for (std::size_t a = 0; a < picture.hits.size(); ++a) {
            const Rect& r = picture.hits[a].rect;
            ASSERT_GE(r.x, 0);
            ASSERT_GE(r.y, 0);
            ASSERT_LE(r.right(), picture.list.width);
            ASSERT_LE(r.bottom(), picture.list.height);
            for (std::size_t b = 0; b < a; ++b) ASSERT_FALSE(overlap(r, picture.hits[b].rect)) << "tree " << i;
        }
    }
}

TEST(Tree, ParentsStandOverTheirChildren) {
    const TreeNode root{
        "a - b", "both must hold",
        "",      Verdict::Proven,
        7,       {{"nb * 256", "one factor", "", Verdict::Proven, 8, {}}, {"256", "", "", Verdict::Failed, 9, {}}}};
    const Picture picture = draw_tree({root}, kMeasure);
    ASSERT_EQ(picture.hits.size(), 3U);
    EXPECT_EQ(picture.hits[0].id, 7);
    EXPECT_EQ(picture.hits[0].describe, "a - b: both must hold");
    EXPECT_EQ(picture.hits[2].describe, "256");
    const auto middle = [&](std::size_t i) { return picture.hits[i].rect.x + picture.hits[i].rect.w / 2; };
    EXPECT_NEAR(middle(0), (middle(1) + middle(2)) / 2, 1);
    EXPECT_GT(picture.hits[1].rect.y, picture.hits[0].rect.bottom());
    EXPECT_EQ(picture.hit({middle(2), picture.hits[2].rect.y + 5})->id, 9);
    EXPECT_EQ(picture.hit({0, 0}), nullptr);
    // The failing path is drawn over the others, two pixels wide and red.
    const auto lines = all<Polyline>(picture.list);
    EXPECT_EQ(lines[1].stroke.color, ColorKey::role(Role::Finding));
    EXPECT_EQ(lines[1].width, 2);
}

TEST(Tree, UnvisitedPartsAreDashed) {
    const Picture picture =
        draw_tree({{"a", "", "", Verdict::Failed, 0, {{"b", "not visited", "", Verdict::Unvisited, 1, {}}}}}, kMeasure);
    const auto boxes = all<StrokeRect>(picture.list);
    ASSERT_EQ(boxes.size(), 2U);
    EXPECT_EQ(boxes[0].dash_on, 0);
    EXPECT_EQ(boxes[1].dash_on, 4);
    EXPECT_EQ(boxes[1].dash_off, 3);
    EXPECT_EQ(all<FillRect>(picture.list).size(), 1U) << "no fill on what was not visited";
}

TEST(Tree, DeepAndWideTreesAreGathered) {
    TreeNode chain{"0", "", "", Verdict::Proven, 0, {}};
    TreeNode* at = &chain;
    for (int i = 1; i < 300; ++i) {
        at->children.push_back({"n", "", "", Verdict::Proven, i, {}});
        at = &at->children.back();
    }
    const Picture deep = draw_tree({chain}, kMeasure);
    EXPECT_EQ(deep.hits.size(), 65U);
    EXPECT_EQ(deep.hits.back().describe, "…: 236 more");

    TreeNode wide{"0", "", "", Verdict::Proven, 0, std::vector<TreeNode>(10000)};
    const Picture broad = draw_tree({wide}, kMeasure);
    EXPECT_EQ(broad.hits.size(), 4097U);
    EXPECT_EQ(broad.hits.back().describe, "…: 5905 more");
    EXPECT_TRUE(draw_tree({}, kMeasure).hits.empty());
}

BarChart chart() {
    BarChart c;
    c.min = -256;
    c.max = 768;
    c.unit = "rows";
    c.lanes = {{"asked",
                {{-256, 0, "rows −256 … −1", ColorKey::role(Role::FindingTint), Pattern::Finding,
                  "asked for rows below 0", 3}},
                {}},
               {"core", {{0, 700, "work", ColorKey::category(1), Pattern::None, "", 4}}, 512.0}};
    c.limits = {{512, "quota", Role::Fine}};
    return c;
}

TEST(Bars, LieOnOneScaleAndSplitAtTheLimit) {
    const Picture picture = draw_bars(chart(), 600, kMeasure);
    EXPECT_EQ(picture.list.width, 600);
    ASSERT_EQ(picture.hits.size(), 2U);
    const Rect asked = picture.hits[0].rect, core = picture.hits[1].rect;
    EXPECT_EQ(picture.hits[0].describe, "asked for rows below 0");
    EXPECT_EQ(picture.hits[1].describe, "work");
    EXPECT_NEAR(asked.right(), core.x, 1) << "row 0";
    EXPECT_NEAR(core.w / asked.w, 700.0 / 256, 0.03);
    const auto hatches = all<HatchRect>(picture.list);
    ASSERT_EQ(hatches.size(), 2U);
    EXPECT_NEAR(hatches[1].rect.x, core.x + core.w * 512 / 700, 1.5) << "what lies beyond the limit is hatched";
    EXPECT_NEAR(hatches[1].rect.right(), core.right(), 1e-9);
    EXPECT_TRUE(overlap(hatches[1].rect, core));
}

TEST(Bars, TinyAndBrokenBarsAreHarmless) {
    BarChart c = chart();
    c.lanes[0].bars = {{10, 10, "", ColorKey::category(0), Pattern::None, "", 0},
                       {50, 20, "backwards", ColorKey::category(0), Pattern::None, "", 1},
                       {1e300, 1e301, "outside", ColorKey::category(0), Pattern::None, "", 2},
                       {0, std::nan(""), "no end", ColorKey::category(0), Pattern::None, "", 3}};
    const Picture picture = draw_bars(c, 600, kMeasure);
    ASSERT_EQ(picture.hits.size(), 2U);
    EXPECT_GE(picture.hits[0].rect.w, 2) << "a bar is never thinner than can be seen";
    c.max = c.min;
    EXPECT_GT(draw_bars(c, 600, kMeasure).list.height, 0);
    EXPECT_GT(draw_bars(BarChart{}, 5, kMeasure).list.height, 0);
}

TEST(Bars, TicksAreRound) {
    EXPECT_EQ(round_ticks(0, 100, 5), (std::vector<double>{0, 20, 40, 60, 80, 100}));
    EXPECT_EQ(round_ticks(-256, 768, 4, true), (std::vector<double>{-256, 0, 256, 512, 768}));
    EXPECT_EQ(round_ticks(0, 196608, 6, true), (std::vector<double>{0, 32768, 65536, 98304, 131072, 163840, 196608}));
    EXPECT_TRUE(round_ticks(1, 1, 5).empty());
    EXPECT_TRUE(round_ticks(0, INFINITY, 5).empty());
}

TEST(Strip, GathersWhatChangedNothing) {
    using State = StripStep::State;
    std::vector<StripStep> steps{{"00", "frontend", "", State::Unchanged, true, ""}};
    for (int i = 1; i < 14; ++i) steps.push_back({fmt::format("{:02}", i), "p", "", State::Unchanged, false, ""});
    steps.push_back({"14", "FlattenTileNdTo2D", "tile [1,256,512]", State::Changed, false, "14 changed the tile"});
    steps.push_back({"15", "BlockNzTensorViews", "refused", State::Refused, false, ""});
    steps.push_back({"16", "p", "", State::NotRun, false, ""});
    const Picture picture = draw_strip(steps, 15, kMeasure);
    std::vector<std::string> said;
    for (const Text& t : all<Text>(picture.list)) said.push_back(t.utf8);
    EXPECT_THAT(said, testing::Contains("01–13"));
    EXPECT_THAT(said, testing::Contains("16"));
    EXPECT_THAT(said, testing::Contains("refused"));
    ASSERT_EQ(picture.hits.size(), 3U + 6U + 1U);
    EXPECT_EQ(picture.hits[7].describe, "14 changed the tile");
    for (std::size_t i = 1; i < picture.hits.size(); ++i) {
        EXPECT_LT(picture.hits[i - 1].id, picture.hits[i].id);
        EXPECT_LE(picture.hits[i - 1].rect.right(), picture.hits[i].rect.x + 1e-9);
        EXPECT_LE(picture.hits[i].rect.right(), picture.list.width);
    }
    EXPECT_TRUE(draw_strip({}, {}, kMeasure).hits.empty());
}

TEST(Patterns, LinesStayInTheirRectangleAndHangInSpace) {
    const Rect r{13.5, 21.25, 90, 40};
    for (const Pattern p : {Pattern::Finding, Pattern::Unused, Pattern::Shared, Pattern::Diagonal, Pattern::Horizontal,
                            Pattern::Vertical, Pattern::Cross}) {
        const auto lines = hatch_lines(r, p);
        ASSERT_GT(lines.size(), 4U);
        for (const HatchLine& l : lines) {
            for (const Point& q : {l.a, l.b}) {
                EXPECT_GE(q.x, r.x - 1e-9);
                EXPECT_LE(q.x, r.right() + 1e-9);
                EXPECT_GE(q.y, r.y - 1e-9);
                EXPECT_LE(q.y, r.bottom() + 1e-9);
            }
        }
    }
    // A rising line of a neighbour continues the same one: x + y is a multiple of pitch·√2.
    for (const Rect& part : {r, Rect{r.right(), r.y, 50, 40}}) {
        for (const HatchLine& l : hatch_lines(part, Pattern::Finding)) {
            const double k = (l.a.x + l.a.y) / (6 * std::sqrt(2.0));
            EXPECT_NEAR(k, std::round(k), 1e-9);
        }
    }
    EXPECT_EQ(hatch_dots({0, 0, 12, 12}, Pattern::Dots).size(), 4U);
    EXPECT_TRUE(hatch_lines(r, Pattern::None).empty());
    EXPECT_LT(hatch_lines({0, 0, 1e9, 1e9}, Pattern::Cross).size(), 50000U);
}

TEST(Patterns, TellTenCategoriesApart) {
    std::set<std::array<Pattern, 2>> seen;
    for (std::uint32_t c = 0; c < 10; ++c) seen.insert(category_patterns(c));
    EXPECT_EQ(seen.size(), 10U);
    EXPECT_EQ(category_patterns(11), category_patterns(1));
}

} // namespace
} // namespace ls::scene
