// From coordinates to points: numbers against the definition, symbols against numbers.
#include <set>

#include "tests/unit/layout/layout_testing.h"

namespace ls {
namespace {

using namespace testing_layout;

TEST(SplitDigits, TheFirstTakesTheRest) {
    const std::vector<Dim> extents = dims({2, 3, 4});
    EXPECT_EQ(split_digits(23, extents), dims({1, 2, 3}));
    EXPECT_EQ(split_digits(24, extents), dims({2, 0, 0}));
    EXPECT_TRUE(split_digits(5, {}).empty());
}

TEST(Apply, LinearIsTheDefinition) {
    Generator random(5);
    for (int round = 0; round < 300; ++round) {
        const Ints extents = random.extents();
        const TileLayout tile = random.tile(extents);
        const std::int64_t count = product(extents);
        for (std::int64_t x = 0; x < count + 3; ++x)
            ASSERT_EQ(point(apply(Layout(tile), x).value()), reference_point(tile, x))
                << to_string(Layout(tile)) << " at " << x;
    }
}

TEST(Apply, ShapeAndShardCoordinatesNameTheSameElements) {
    Generator random(6);
    for (int round = 0; round < 300; ++round) {
        const Ints extents = random.extents();
        const TileLayout tile = random.tile(extents);
        const Ints shape = random.grouping(extents);
        const auto dims_of_shape = dims(shape);
        each_coordinate(shape, [&](const Ints& x) {
            ASSERT_EQ(point(apply(Layout(tile), dims(x), dims_of_shape).value()),
                      reference_point(tile, flatten(x, shape)));
        });
        each_coordinate(extents, [&](const Ints& x) {
            ASSERT_EQ(point(apply_shard(Layout(tile), dims(x)).value()), reference_point(tile, flatten(x, extents)));
        });
    }
}

TEST(Apply, ShapesThatDoNotGroupAreFlattened) {
    const TileLayout tile = shard({iter(4, 100), iter(3, 1)});
    const Ints shape{6, 2};
    ASSERT_FALSE(group(tile, dims(shape)).ok());
    each_coordinate(shape, [&](const Ints& x) {
        EXPECT_EQ(point(apply(Layout(tile), dims(x), dims(shape)).value()), reference_point(tile, flatten(x, shape)));
    });
}

TEST(Apply, CoordinatesOutOfRangeStayInTheirOwnDimensionWhereTheShapeGroups) {
    const Layout padded = shard({iter(4, 16), iter(8, 1)});
    EXPECT_EQ(point(apply(padded, dims({0, 8}), dims({4, 8})).value()), (Point{{"m", 8}}));
    EXPECT_EQ(point(apply(padded, dims({5, 9}), dims({4, 8})).value()), (Point{{"m", 89}}));
    EXPECT_EQ(point(apply(padded, 33).value()), (Point{{"m", 65}}));
}

TEST(Apply, NamesTheAxesOfItersThatGotADigit) {
    const Layout layout = shard({iter(1, 5, axes::laneid), iter(8, 1)});
    EXPECT_TRUE(apply(layout, 3)->contains(axes::laneid)) << "0 on the linear path";
    EXPECT_FALSE(apply(layout, dims({1, 1}), dims({2, 4}))->contains(axes::laneid)) << "grouping drops the unit iter";
}

TEST(Apply, ReplicasTakeNoPart) {
    const TileLayout tile{{iter(4, 2)}, {iter(3, 100)}, {}};
    EXPECT_EQ(point(apply(Layout(tile), 3).value()), (Point{{"m", 6}}));
}

TEST(Apply, RefusesWrongCounts) {
    const Layout layout = row_major(Ints{8, 8});
    EXPECT_EQ(apply_shard(layout, dims({1, 1, 1})).error().code, "LAYOUT_COORDINATES");
    EXPECT_EQ(apply(layout, dims({1, 1}), dims({64})).error().code, "LAYOUT_COORDINATES");
    EXPECT_EQ(apply_to_shape(layout, dims({1}), dims({8, 8})).error().code, "LAYOUT_COORDINATES");
}

TEST(Apply, RefusesOverflow) {
    const Layout layout = shard({iter(4, std::int64_t{1} << 62)});
    EXPECT_TRUE(apply(layout, 1).ok());
    EXPECT_EQ(apply(layout, 3).error().code, "LAYOUT_OVERFLOW");
    EXPECT_EQ(apply_shard(swizzled(3, 3, 3, layout.tile()), dims({3})).error().code, "LAYOUT_OVERFLOW");
}

TEST(ApplyToShape, GivesTheDigits) {
    const Layout layout = shard({iter(4, 1), iter(4, 64), iter(8, 4)});
    EXPECT_EQ(apply_to_shape(layout, dims({5, 9}), dims({8, 16})).value(), (dims({2, 1, 1, 1})));
    EXPECT_EQ(apply_to_shape(row_major(Ints{16, 16}), dims({5, 7}), dims({16, 16})).value(), dims({5, 7}));
}

TEST(ApplySwizzled, IsTheSwizzleOfTheTilesAddress) {
    Generator random(7);
    for (int round = 0; round < 200; ++round) {
        const Ints extents = random.extents(3);
        const TileLayout tile = random.tile(extents, {axes::m});
        const ComposeLayout compose{static_cast<int>(random.number(0, 3)), static_cast<int>(random.number(0, 2)),
                                    static_cast<int>(random.number(2, 3)), tile, random.chance(70)};
        for (std::int64_t x = 0; x < product(extents); ++x) {
            const Point m = reference_point(tile, x);
            const std::int64_t address = swizzle(m.contains("m") ? m.at("m") : 0, compose);
            ASSERT_EQ(apply(Layout(compose), x)->get(axes::m), Dim(address));
            ASSERT_EQ(apply_shard(Layout(compose), split_digits(x, dims(extents)))->get(axes::m), Dim(address));
        }
    }
}

TEST(ApplySwizzled, AnswersAxisMAloneAndRefusesOthers) {
    EXPECT_EQ(point(apply(swizzled(3, 3, 3, {}), 0).value()), Point{});
    EXPECT_TRUE(apply(swizzled(3, 3, 3, {}), 0)->contains(axes::m));
    const Layout threads = swizzled(3, 3, 3, shard({iter(8, 1, axes::laneid)}));
    EXPECT_EQ(apply(threads, 0).error().code, "LAYOUT_COMPOSE_AXIS");
    EXPECT_EQ(apply_shard(threads, dims({0})).error().code, "LAYOUT_COMPOSE_AXIS");
}

TEST(ApplySwizzled, CoordinatesOfUnitItersCountAsZero) {
    const Layout layout = swizzled(3, 3, 3, shard({iter(1, -1), iter(8, 64), iter(8, 1)}));
    EXPECT_EQ(apply_shard(layout, dims({5, 2, 3}))->get(axes::m), apply_shard(layout, dims({0, 2, 3}))->get(axes::m));
}

// --- symbols

TEST(ApplySymbolic, WritesTheStructuredForm) {
    const Dim x = Dim::symbol("x");
    const Dim y = Dim::symbol("y");
    const std::vector<Dim> xy{x, y};
    const auto address = [&](const Layout& layout) { return to_string(apply_shard(layout, xy)->get(axes::m)); };
    const TileLayout rows = shard({iter(8, 64), iter(8, 1)});
    TileLayout shifted = rows;
    shifted.offset[axes::m] = 72;
    EXPECT_EQ(address(swizzled(3, 3, 3, shifted)), "(x * 64 + (y ^ (((x + 1) & 7) << 3)) + 64) ^ 8");
    EXPECT_EQ(address(swizzled(3, 0, 3, shifted)), "x * 64 + y + 72");
    EXPECT_EQ(address(swizzled(3, 3, 3, shard({iter(128, 8), iter(8, 1)}))),
              "x // 8 * 64 + ((x % 8 * 8 + y) ^ (((x // 8) & 7) << 3))");
    // An offset that could carry into the row falls back to the swizzle of the whole address.
    shifted.offset[axes::m] = 4;
    EXPECT_NE(address(swizzled(3, 3, 3, shifted)).find("// 8"), std::string::npos);
}

TEST(ApplySymbolic, AgreesWithNumbersAtEveryCoordinate) {
    Generator random(9);
    for (int round = 0; round < 250; ++round) {
        const Ints extents = random.extents();
        const bool swizzle = random.chance(60);
        const TileLayout tile =
            random.tile(extents, swizzle ? std::vector<Axis>{axes::m} : std::vector<Axis>{axes::m, axes::laneid});
        const Layout layout = swizzle ? swizzled(static_cast<int>(random.number(0, 3)),
                                                 static_cast<int>(random.number(0, 3)), 3, tile, random.chance(80))
                                      : Layout(tile);
        const Ints shape = random.chance(80) ? random.grouping(extents) : Ints{product(extents), 1};
        std::vector<Dim> symbols;
        for (std::size_t d = 0; d < shape.size(); ++d) symbols.push_back(Dim::symbol("x" + std::to_string(d)));
        const AxisMap symbolic = apply(layout, symbols, dims(shape)).value();
        const AxisMap linear = apply(layout, Dim::symbol("x")).value();
        each_coordinate(shape, [&](const Ints& x) {
            std::map<std::string, std::int64_t, std::less<>> values{{"x", flatten(x, shape)}};
            for (std::size_t d = 0; d < x.size(); ++d) values["x" + std::to_string(d)] = x[d];
            const AxisMap numbers = apply(layout, dims(x), dims(shape)).value();
            ASSERT_EQ(numbers.size(), symbolic.size());
            for (const auto& [axis, amount] : numbers) {
                ASSERT_EQ(value_at(symbolic.get(axis), values), amount.value())
                    << to_string(layout) << ": " << to_string(symbolic.get(axis));
            }
            const AxisMap by_index = apply(layout, flatten(x, shape)).value();
            for (const auto& [axis, amount] : by_index) {
                ASSERT_EQ(value_at(linear.get(axis), values), amount.value())
                    << to_string(layout) << ": " << to_string(linear.get(axis));
            }
        });
    }
}

TEST(ApplySymbolic, ExtentsAndStridesMayBeSymbols) {
    const Dim n = Dim::symbol("n");
    const Dim k = Dim::symbol("k");
    const std::vector<Dim> shape{n, k};
    const std::vector<Dim> x{Dim::symbol("i"), Dim::symbol("j")};
    EXPECT_EQ(to_string(apply(Layout(row_major(shape)), x, shape)->get(axes::m)), "i * k + j");
    EXPECT_EQ(to_string(apply(Layout(row_major(shape)), Dim::symbol("i"))->get(axes::m)), "i");
}

} // namespace
} // namespace ls
