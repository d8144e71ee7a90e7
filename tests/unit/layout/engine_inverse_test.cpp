// From places back to elements, against a list of everything that is anywhere.
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/layout/engine/collision.h"
#include "core/layout/engine/inverse.h"
#include "tests/unit/layout/engine_support.h"

namespace ls::engine {
namespace {

using engine_test::Case;
using engine_test::describe;
using engine_test::Generator;
using testing::ElementsAre;

using Point = std::vector<std::int64_t>;

/// Every point with the elements that have a copy there.
std::map<Point, std::set<std::int64_t>> everything(const CompiledMap& map) {
    std::map<Point, std::set<std::int64_t>> out;
    const std::size_t width = map.axes().size();
    for (std::int64_t i = 0; i < map.elements(); ++i) {
        const auto points = map.points(i).value();
        for (std::size_t p = 0; p < points.size(); p += width) {
            out[Point(points.begin() + static_cast<std::ptrdiff_t>(p),
                      points.begin() + static_cast<std::ptrdiff_t>(p + width))]
                .insert(i);
        }
    }
    return out;
}

TEST(EngineInverse, FindsExactlyWhoLivesThere) {
    Generator generator(21);
    int closed = 0;
    int searched = 0;
    int holes = 0;
    for (int round = 0; round < 400; ++round) {
        const Case c = generator.next({.most_elements = 300});
        const auto map = compile_map(c.layout, c.shape).value();
        const Inverse inverse(map);
        (inverse.is_closed_form() ? closed : searched) += 1;
        const auto all = everything(map);
        for (const auto& [point, owners] : all) {
            const auto found = inverse.find(point, 100000);
            ASSERT_TRUE(found.ok()) << describe(c) << found.error().message;
            ASSERT_EQ(found->elements, std::vector<std::int64_t>(owners.begin(), owners.end())) << describe(c);
            ASSERT_FALSE(found->more);
            ASSERT_EQ(inverse.first(point).value(), *owners.begin()) << describe(c);
        }
        for (int probe = 0; probe < 40; ++probe) {
            Point point;
            for (std::size_t a = 0; a < map.axes().size(); ++a) {
                const Bounds bounds = map.on(a).bounds();
                point.push_back(generator.between(bounds.low - 3, bounds.high + 3));
            }
            const auto at = all.find(point);
            const auto found = inverse.find(point, 100000).value();
            const std::vector<std::int64_t> expected =
                at == all.end() ? std::vector<std::int64_t>()
                                : std::vector<std::int64_t>(at->second.begin(), at->second.end());
            ASSERT_EQ(found.elements, expected) << describe(c);
            ASSERT_EQ(inverse.first(point).value(), expected.empty() ? Inverse::kNone : expected.front());
            holes += expected.empty() ? 1 : 0;
        }
    }
    EXPECT_GT(closed, 80);
    EXPECT_GT(searched, 80);
    EXPECT_GT(holes, 1000);
}

TEST(EngineInverse, ListsTheSmallestWhenThereAreTooMany) {
    Generator generator(22);
    int cut = 0;
    for (int round = 0; round < 200; ++round) {
        const Case c = generator.next({.most_elements = 300});
        const auto map = compile_map(c.layout, c.shape).value();
        const Inverse inverse(map);
        for (const auto& [point, owners] : everything(map)) {
            const std::size_t limit = static_cast<std::size_t>(generator.between(1, 4));
            const auto found = inverse.find(point, limit).value();
            std::vector<std::int64_t> expected(owners.begin(), owners.end());
            ASSERT_EQ(found.more, expected.size() > limit) << describe(c);
            if (expected.size() > limit) expected.resize(limit);
            ASSERT_EQ(found.elements, expected) << describe(c);
            cut += found.more ? 1 : 0;
        }
    }
    EXPECT_GT(cut, 200);
}

TEST(EngineInverse, HugeTensorsNeedNoTable) {
    const std::int64_t n = 65536;
    // NZ, swizzled: a bijection of 2^32 elements.
    const ComposeLayout nz{3, 3, 3, TileLayout{{{n, 16, {}}, {n / 16, 16 * n, {}}, {16, 1, {}}}, {}, {}}, true};
    const auto map = compile_map(Layout(nz), Shape{n, n}).value();
    const Inverse inverse(map);
    EXPECT_TRUE(inverse.is_closed_form());
    Generator generator(23);
    for (int probe = 0; probe < 2000; ++probe) {
        const std::int64_t address = generator.below(n * n);
        const auto found = inverse.find({&address, 1}).value();
        ASSERT_EQ(found.elements.size(), 1U);
        ASSERT_EQ(map.on(0).offset_linear(found.elements[0]), address);
    }
    // Rows that are a little apart, upside down: injective with holes.
    TileLayout padded{{{n, -(n + 8), {}}, {n, 1, {}}}, {}, {}};
    padded.offset[axes::m] = (n - 1) * (n + 8);
    const Inverse strided(compile_map(Layout(padded), Shape{n, n}).value());
    EXPECT_TRUE(strided.is_closed_form());
    const std::int64_t last_row = 5;
    EXPECT_EQ(strided.coordinate(strided.first({&last_row, 1}).value()), (Shape{n - 1, 5}));
    const std::int64_t gap = n + 3;
    EXPECT_EQ(strided.first({&gap, 1}).value(), Inverse::kNone);
    // Rows that overlap by one element: the search still reads both owners off.
    const Inverse overlapping(
        compile_map(Layout(TileLayout{{{n, n - 1, {}}, {n, 1, {}}}, {}, {}}), Shape{n, n}).value());
    EXPECT_FALSE(overlapping.is_closed_form());
    const std::int64_t seam = (n - 1) * 1000;
    EXPECT_THAT(overlapping.find({&seam, 1})->elements, ElementsAre(999 * n + n - 1, 1000 * n));
}

TEST(EngineInverse, SeveralAxes) {
    // 128 × 512 accumulators in tensor memory, kept twice along the columns.
    TileLayout tmem{{{128, 1, axes::TLane}, {256, 1, axes::TCol}}, {{2, 256, axes::TCol}}, {}};
    const Inverse inverse(compile_map(Layout(tmem), Shape{128, 256}).value());
    EXPECT_TRUE(inverse.is_closed_form());
    std::vector<std::int64_t> point(2);
    const std::size_t lane = inverse.axes()[0] == axes::TLane ? 0 : 1;
    point[lane] = 7;
    point[1 - lane] = 300;
    EXPECT_THAT(inverse.find(point)->elements, ElementsAre(7 * 256 + 44));
    point[lane] = 128;
    EXPECT_THAT(inverse.find(point)->elements, ElementsAre());
    EXPECT_EQ(inverse.find({point.data(), 1}).error().code, "ENGINE_POINT");
    EXPECT_EQ(inverse.first({point.data(), 1}).error().code, "ENGINE_POINT");
}

TEST(EngineInverse, FillsWholeMemories) {
    Generator generator(24);
    for (int round = 0; round < 100; ++round) {
        const Case c = generator.next({.several_axes = false, .most_elements = 300});
        const auto map = compile_map(c.layout, c.shape).value();
        const Inverse inverse(map);
        const Bounds bounds = map.on(0).bounds();
        std::vector<std::int64_t> owners(static_cast<std::size_t>(bounds.high - bounds.low + 9));
        ASSERT_TRUE(inverse.fill_first(bounds.low - 4, owners).ok());
        for (std::size_t i = 0; i < owners.size(); ++i) {
            const std::int64_t address = bounds.low - 4 + static_cast<std::int64_t>(i);
            ASSERT_EQ(owners[i], inverse.first({&address, 1}).value()) << describe(c);
        }
    }
    std::vector<std::int64_t> out(4);
    EXPECT_EQ(Inverse().fill_first(std::numeric_limits<std::int64_t>::max() - 2, out).error().code, "ENGINE_OVERFLOW");
    ASSERT_TRUE(Inverse().fill_first(-1, out).ok());
    EXPECT_THAT(out, ElementsAre(-1, 0, -1, -1));
    const TileLayout two{{{4, 1, axes::TLane}, {4, 1, axes::TCol}}, {}, {}};
    EXPECT_EQ(Inverse(compile_map(Layout(two), Shape{4, 4}).value()).fill_first(0, out).error().code, "ENGINE_POINT");
}

TEST(EngineInverse, GivesUpOnSumsThatAreTooMany) {
    // Sixty digits of two values with equal strides: 2^60 elements, C(60, 30) of them in one place.
    TileLayout tile;
    for (int i = 0; i < 60; ++i) tile.shard.push_back({2, i % 2 == 0 ? 1 : 3, {}});
    const auto map = compile_map(Layout(tile), Shape{std::int64_t{1} << 60}).value();
    const std::int64_t middle = 60;
    EXPECT_EQ(Inverse(map).find({&middle, 1}).error().code, "ENGINE_SEARCH");
    EXPECT_EQ(Inverse(map).first({&middle, 1}).error().code, "ENGINE_SEARCH");
    // That some two meet is found all the same.
    const auto collision = find_collision(map).value();
    ASSERT_TRUE(collision.has_value());
    EXPECT_EQ(collision->first, 1);
    EXPECT_EQ(collision->second, 4);
}

} // namespace
} // namespace ls::engine
