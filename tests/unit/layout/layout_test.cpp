// Making, comparing and naming layouts; the swizzle on numbers.
#include "core/layout/layout.h"

#include <limits>
#include <set>

#include "tests/unit/layout/layout_testing.h"

namespace ls {
namespace {

using namespace testing_layout;

struct Refusal {
    const char* what;
    Result<Layout> result;
    const char* code;
};
class MakeLayout : public testing::TestWithParam<Refusal> {};
TEST_P(MakeLayout, Refuses) {
    ASSERT_FALSE(GetParam().result.ok()) << GetParam().what;
    EXPECT_EQ(GetParam().result.error().code, GetParam().code) << GetParam().what;
    EXPECT_FALSE(GetParam().result.error().message.empty());
}
INSTANTIATE_TEST_SUITE_P(
    Table, MakeLayout,
    testing::Values(
        Refusal{"extent 0", make_layout(shard({iter(0, 1)})), "LAYOUT_EXTENT"},
        Refusal{"replica extent -1", make_layout(TileLayout{{}, {iter(-1, 1)}, {}}), "LAYOUT_EXTENT"},
        Refusal{"overflow", make_layout(shard({iter(2, Dim::overflow())})), "LAYOUT_OVERFLOW"},
        Refusal{"negative M", make_layout(ComposeLayout{-1, 0, 0, {}, true}), "LAYOUT_SWIZZLE"},
        Refusal{"S < B", make_layout(ComposeLayout{3, 3, 2, {}, true}), "LAYOUT_SWIZZLE"},
        Refusal{"too wide", make_layout(ComposeLayout{30, 3, 30, {}, true}), "LAYOUT_SWIZZLE"},
        Refusal{"absurdly wide", make_layout(ComposeLayout{3, 3, std::numeric_limits<int>::max(), {}, true}),
                "LAYOUT_SWIZZLE"},
        Refusal{"tile of a swizzle", make_layout(ComposeLayout{3, 3, 3, shard({iter(0, 1)}), true}), "LAYOUT_EXTENT"}));

TEST(Layout, EqualityIgnoresTheOrderOfReplicasOnly) {
    const TileLayout a{{iter(2, 1), iter(4, 2)}, {iter(8, 4, axes::laneid), iter(4, 1, axes::laneid)}, {}};
    TileLayout b = a;
    std::swap(b.replica[0], b.replica[1]);
    EXPECT_EQ(a, b);
    std::swap(b.shard[0], b.shard[1]);
    EXPECT_FALSE(a == b);
    TileLayout twice = a;
    twice.replica = {a.replica[0], a.replica[0]};
    EXPECT_FALSE(a == twice) << "replicas are a multiset";
    EXPECT_FALSE(Layout(a) == swizzled(3, 0, 0, a));
    EXPECT_FALSE(swizzled(3, 3, 3, a) == swizzled(3, 3, 3, a, false));
}

TEST(Layout, RowMajor) {
    EXPECT_EQ(row_major(Ints{2, 3, 4}), shard({iter(2, 12), iter(3, 4), iter(4, 1)}));
    EXPECT_EQ(row_major(Ints{8}, axes::TCol), shard({iter(8, 1, axes::TCol)}));
    EXPECT_EQ(row_major(Ints{}), TileLayout{});
    const std::vector<Dim> symbolic{4, Dim::symbol("n")};
    EXPECT_EQ(row_major(symbolic).shard[0].stride, Dim::symbol("n"));
}

TEST(Layout, ConstantAndText) {
    const TileLayout tile{{iter(8, 4, axes::laneid), iter(4, 1)}, {iter(2, 4)}, {{axes::m, 3}}};
    EXPECT_TRUE(Layout(tile).is_constant());
    EXPECT_FALSE(Layout(shard({iter(Dim::symbol("n"), 1)})).is_constant());
    EXPECT_EQ(to_string(Layout(tile)), "S[(8, 4):(4@laneid, 1)] + R[2:4] + 3");
    EXPECT_EQ(to_string(swizzled(3, 3, 3, shard({iter(512, 1)}), false)), "ComposeLayout(3, 3, 3, S[512:1], False)");
    EXPECT_EQ(Layout(tile).with_tile(shard({iter(2, 1)})), Layout(shard({iter(2, 1)})));
    EXPECT_EQ(swizzled(3, 2, 3, tile).with_tile({}).compose()->swizzle_len, 2);
}

TEST(Swizzle, MovesTheBitsThatItNames) {
    // q = offset >> 3; inner: q's low three bits are XORed with the next three.
    const ComposeLayout inner{3, 3, 3, {}, true};
    EXPECT_EQ(swizzle(0, inner), 0);
    EXPECT_EQ(swizzle(64, inner), 64 + 8);
    EXPECT_EQ(swizzle(64 * 7 + 8 * 5 + 3, inner), 64 * 7 + 8 * 2 + 3);
    EXPECT_EQ(swizzle(512 + 64, inner), 512 + 64 + 8) << "bits above the period pass through";
    const ComposeLayout outer{0, 3, 3, {}, false};
    EXPECT_EQ(swizzle(1, outer), 9);
    EXPECT_EQ(swizzle(9, outer), 1);
}

TEST(Swizzle, IsAPermutationOfEveryPeriodAndTheInnerOneUndoesItself) {
    for (int m = 0; m <= 3; ++m) {
        for (int s = 0; s <= 4; ++s) {
            for (int b = 0; b <= s; ++b) {
                for (const bool inner : {true, false}) {
                    const ComposeLayout p{m, b, s, {}, inner};
                    const std::int64_t period = std::int64_t{1} << (m + b + s);
                    std::set<std::int64_t> seen;
                    for (std::int64_t x = 0; x < period; ++x) {
                        const std::int64_t y = swizzle(x, p);
                        EXPECT_GE(y, 0);
                        EXPECT_LT(y, period);
                        seen.insert(y);
                        EXPECT_EQ(swizzle(x + 3 * period, p), y + 3 * period);
                        EXPECT_EQ(y % (1 << m), x % (1 << m));
                        EXPECT_EQ(swizzle(y, p), x);
                        EXPECT_TRUE(b > 0 || y == x);
                    }
                    EXPECT_EQ(static_cast<std::int64_t>(seen.size()), period);
                }
            }
        }
    }
}

} // namespace
} // namespace ls
