#include "tests/unit/layout/layout_testing.h"

namespace ls {
namespace {

using namespace testing_layout;

TEST(DirectSum, AddsThePointsOfBothParts) {
    Generator random(41);
    for (int round = 0; round < 300; ++round) {
        const auto rank = static_cast<std::size_t>(random.number(1, 3));
        Ints left_shape;
        Ints right_shape;
        for (std::size_t d = 0; d < rank; ++d) {
            left_shape.push_back(random.number(1, 4));
            right_shape.push_back(random.number(1, 4));
        }
        const TileLayout left = random.tile(left_shape, {axes::m, axes::TCol});
        const TileLayout right = random.tile(right_shape, {axes::m, axes::TCol});
        const Layout whole = direct_sum(Layout(right), left, dims(left_shape), dims(right_shape)).value();
        Ints shape;
        for (std::size_t d = 0; d < rank; ++d) shape.insert(shape.end(), {left_shape[d], right_shape[d]});
        each_coordinate(shape, [&](const Ints& x) {
            Ints a;
            Ints b;
            for (std::size_t d = 0; d < rank; ++d) {
                a.push_back(x[2 * d]);
                b.push_back(x[2 * d + 1]);
            }
            Point expected = reference_point(left, flatten(a, left_shape));
            for (const auto& [axis, amount] : reference_point(right, flatten(b, right_shape))) expected[axis] += amount;
            std::erase_if(expected, [](const auto& entry) { return entry.second == 0; });
            ASSERT_EQ(point(apply(whole, flatten(x, shape)).value()), expected);
        });
        EXPECT_EQ(whole.tile().replica.size(), left.replica.size() + right.replica.size());
    }
}

TEST(IsDirectSum, TakesTheSumApart) {
    Generator random(43);
    int right_found = 0;
    int left_found = 0;
    for (int round = 0; round < 400; ++round) {
        const Ints left_shape{random.number(1, 4), random.number(1, 4)};
        const Ints right_shape{random.number(1, 4), random.number(1, 4)};
        TileLayout left = random.tile(left_shape, {axes::m, axes::TCol});
        TileLayout right = random.tile(right_shape, {axes::m, axes::TCol});
        left.replica.clear();
        right.replica.clear();
        const Layout whole = direct_sum(Layout(right), left, dims(left_shape), dims(right_shape)).value();
        const std::vector<Dim> shape = dims({left_shape[0], right_shape[0], left_shape[1], right_shape[1]});
        if (const auto found = is_direct_sum_right(Layout(right), whole, shape, dims(right_shape))) {
            ++right_found;
            EXPECT_EQ(direct_sum(Layout(right), found->tile(), dims(left_shape), dims(right_shape)).value(), whole);
        }
        if (const auto found = is_direct_sum_left(Layout(left), whole, shape, dims(left_shape))) {
            ++left_found;
            EXPECT_EQ(direct_sum(*found, left, dims(left_shape), dims(right_shape)).value(), whole);
        }
    }
    EXPECT_GT(right_found, 300);
    EXPECT_GT(left_found, 300);
}

TEST(IsDirectSum, Examples) {
    const Layout right = row_major(Ints{2, 2});
    const Layout found = is_direct_sum_right(Layout(shard({iter(2, 4), iter(2, 1)})), Layout(shard({iter(16, 1)})),
                                             dims({2, 2, 2, 2}), dims({2, 2}))
                             .value();
    EXPECT_EQ(canonicalize(found).value(), Layout(shard({iter(2, 8), iter(2, 2)})));
    EXPECT_EQ(is_direct_sum_right(right, Layout(shard({iter(16, 1)})), dims({2, 2, 2, 2}), dims({2, 2})).error().code,
              "LAYOUT_NONE_DIRECT_SUM");
    // An offset that only the part has leaves its negative.
    const Layout moved = TileLayout{{iter(2, 1)}, {}, {{axes::TCol, 3}}};
    const Layout rest = is_direct_sum_right(moved, Layout(shard({iter(4, 1)})), dims({2, 2}), dims({2})).value();
    EXPECT_EQ(rest.tile().offset.get(axes::TCol), Dim(-3));
}

TEST(DirectSum, SwizzlesGoWithTheRightPart) {
    const Layout atom = swizzled(3, 3, 3, shard({iter(512, 1)}));
    const TileLayout outer = shard({iter(4, 512)});
    const Layout whole = direct_sum(atom, outer, dims({4}), dims({512})).value();
    EXPECT_EQ(whole, swizzled(3, 3, 3, shard({iter(2048, 1)})));
    EXPECT_EQ(canonicalize(is_direct_sum_right(atom, whole, dims({4, 512}), dims({512})).value()).value(),
              Layout(outer));
    EXPECT_EQ(is_direct_sum_left(Layout(outer), whole, dims({4, 512}), dims({4})).error().code,
              "LAYOUT_NONE_DIRECT_SUM");
    EXPECT_EQ(is_direct_sum_right(Layout(shard({iter(512, 1)})), whole, dims({4, 512}), dims({512})).error().code,
              "LAYOUT_NONE_DIRECT_SUM");
}

TEST(DirectSum, Refusals) {
    const TileLayout four = shard({iter(4, 1)});
    EXPECT_EQ(direct_sum(Layout(four), four, dims({4}), dims({2, 2})).error().code, "LAYOUT_RANK");
    EXPECT_EQ(direct_sum(Layout(four), four, dims({4}), dims({8})).error().code, "LAYOUT_GROUP");
    EXPECT_EQ(is_direct_sum_right(Layout(four), Layout(shard({iter(16, 1)})), dims({4, 4, 1}), dims({4})).error().code,
              "LAYOUT_RANK");
}

} // namespace
} // namespace ls
