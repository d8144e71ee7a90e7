// All axes at once: points, copies and their displacements.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/layout/engine/fast_div.h"
#include "core/layout/engine/map.h"
#include "tests/unit/layout/engine_support.h"

namespace ls::engine {
namespace {

using engine_test::Case;
using engine_test::describe;
using engine_test::Generator;
using engine_test::reference;
using testing::ElementsAre;

TEST(EngineMap, PointsAgreeWithApplyOnEveryAxis) {
    Generator generator(11);
    int several = 0;
    for (int round = 0; round < 150; ++round) {
        const Case c = generator.next({.most_elements = 200});
        const auto map = compile_map(c.layout, c.shape).value();
        several += map.axes().size() > 1 ? 1 : 0;
        std::vector<std::int64_t> point(map.axes().size());
        for (std::int64_t i = 0; i < map.elements(); ++i) {
            map.point(i, point);
            for (std::size_t a = 0; a < point.size(); ++a) {
                ASSERT_EQ(point[a], reference(c, i, map.axes()[a])) << describe(c);
            }
        }
    }
    EXPECT_GT(several, 20);
}

TEST(EngineMap, NamesItsAxesOnce) {
    TileLayout tile{{{8, 4, axes::laneid}, {2, 1, axes::warpid}, {4, 1, axes::laneid}, {2, 1, axes::m}},
                    {{2, 4, axes::warpid}},
                    {}};
    tile.offset[axes::TCol] = 5;
    const auto map = compile_map(Layout(tile), Shape{8, 16}).value();
    EXPECT_EQ(map.axes().size(), 4U);
    EXPECT_NE(map.find(axes::TCol), nullptr);
    EXPECT_EQ(map.find(axes::TLane), nullptr);
    EXPECT_EQ(map.find(axes::TCol)->bounds(), (Bounds{5, 5}));
    EXPECT_EQ(map.find(axes::laneid)->bounds(), (Bounds{0, 31}));
    EXPECT_EQ(map.find(axes::warpid)->bounds(), (Bounds{0, 5}));
    EXPECT_EQ(map.copies(), 2);
}

TEST(EngineMap, DisplacementsListEveryCopyOnce) {
    TileLayout tile{{{4, 1, axes::laneid}}, {{2, 100, axes::m}, {3, -4, axes::laneid}}, {}};
    const auto map = compile_map(Layout(tile), Shape{4}).value();
    ASSERT_EQ(map.axes()[0], axes::m);
    EXPECT_EQ(map.copies(), 6);
    EXPECT_THAT(map.displacements().value(), ElementsAre(0, 0, 0, -4, 0, -8, 100, 0, 100, -4, 100, -8));
    EXPECT_THAT(map.points(3).value(), ElementsAre(0, 3, 0, -1, 0, -5, 100, 3, 100, -1, 100, -5));
    EXPECT_EQ(map.displacements(5).error().code, "ENGINE_LIMIT");

    TileLayout many{{}, {{std::int64_t{1} << 40, 1, {}}, {std::int64_t{1} << 40, 0, {}}}, {}};
    const auto beyond = compile_map(Layout(many), Shape{}).value();
    EXPECT_EQ(beyond.copies(), std::numeric_limits<std::int64_t>::max());
    EXPECT_EQ(beyond.displacements().error().code, "ENGINE_LIMIT");
}

TEST(EngineMap, CopiesAreSwizzledToo) {
    ComposeLayout compose{0, 2, 2, TileLayout{{{16, 1, {}}}, {{2, 4, {}}}, {}}, true};
    const auto map = compile_map(Layout(compose), Shape{16}).value();
    for (std::int64_t i = 0; i < 16; ++i) {
        EXPECT_THAT(map.points(i).value(), ElementsAre(swizzle(i, compose), swizzle(i + 4, compose)));
    }
    // The bulk fill of one copy is the same list.
    std::vector<std::int64_t> second(16);
    ASSERT_TRUE(map.on(0).fill(second, {.displacement = 4}).ok());
    for (std::int64_t i = 0; i < 16; ++i) EXPECT_EQ(second[static_cast<std::size_t>(i)], swizzle(i + 4, compose));
    EXPECT_EQ(map.on(0).fill(second, {.displacement = 5}).error().code, "ENGINE_DISPLACEMENT");
    EXPECT_EQ(map.on(0).fill(second, {.displacement = -1}).error().code, "ENGINE_DISPLACEMENT");
}

TEST(EngineMap, ASwizzledTileMayBeCopiedAlongAnotherAxis) {
    // The same shared memory in every block of a cluster.
    ComposeLayout compose{0, 2, 2, TileLayout{{{16, 1, {}}}, {{4, 1, axes::cbx}}, {}}, true};
    const auto map = compile_map(Layout(compose), Shape{16}).value();
    ASSERT_EQ(map.axes().size(), 2U);
    ASSERT_EQ(map.axes()[1], axes::cbx);
    EXPECT_THAT(map.points(4).value(), ElementsAre(5, 0, 5, 1, 5, 2, 5, 3));
}

TEST(EngineMap, TheDefaultIsTheEmptyTile) {
    const CompiledMap map;
    EXPECT_EQ(map.elements(), 1);
    EXPECT_THAT(map.points(0).value(), ElementsAre(0));
}

TEST(EngineFastDiv, IsDivision) {
    const std::int64_t most = std::numeric_limits<std::int64_t>::max();
    std::vector<std::int64_t> numbers{0, 1, 2, 3, most, most - 1};
    Generator generator(12);
    for (int bit = 1; bit < 63; ++bit) {
        const std::int64_t power = std::int64_t{1} << bit;
        for (const std::int64_t near : {power - 1, power, power + 1}) numbers.push_back(near);
        numbers.push_back(generator.below(power));
    }
    for (const std::int64_t divisor : numbers) {
        if (divisor < 1) continue;
        const FastDiv by(divisor);
        EXPECT_EQ(by.divisor(), divisor);
        std::vector<std::int64_t> tried = numbers;
        // Around the last multiples, where a multiplier that is a little off shows first.
        for (const std::int64_t q : {std::int64_t{1}, most / divisor, most / divisor / 2}) {
            tried.push_back(q * divisor);
            if (q > 0) tried.push_back(q * divisor - 1);
        }
        for (const std::int64_t n : tried) {
            ASSERT_EQ(by.quotient(n), n / divisor) << n << " / " << divisor;
            ASSERT_EQ(by.remainder(n, by.quotient(n)), n % divisor);
        }
    }
    EXPECT_EQ(FastDiv().quotient(most), most);
}

} // namespace
} // namespace ls::engine
