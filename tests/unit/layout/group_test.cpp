#include "tests/unit/layout/layout_testing.h"

namespace ls {
namespace {

using namespace testing_layout;

/// Extents of every group multiply to the shape, and the grouped shard maps as the original.
void expect_grouping(const TileLayout& tile, const Ints& shape) {
    const Grouped grouped = group(tile, dims(shape)).value();
    ASSERT_EQ(grouped.separators.size(), shape.size() + 1);
    EXPECT_EQ(grouped.separators.front(), 0U);
    EXPECT_EQ(grouped.separators.back(), grouped.layout.shard.size());
    for (std::size_t d = 0; d < shape.size(); ++d) {
        Dim extent = 1;
        for (std::size_t i = grouped.separators[d]; i < grouped.separators[d + 1]; ++i)
            extent *= grouped.layout.shard[i].extent;
        EXPECT_EQ(extent, Dim(shape[d]));
    }
    EXPECT_EQ(grouped.layout.replica, tile.replica);
    EXPECT_EQ(grouped.layout.offset, tile.offset);
    for (std::int64_t x = 0; x < product(shape); ++x)
        ASSERT_EQ(reference_point(grouped.layout, x), reference_point(tile, x));
}

TEST(Group, SplitsItersWhereDimensionsEnd) {
    const Grouped grouped = group(shard({iter(4, 1), iter(16, 8), iter(2, 4)}), dims({8, 16})).value();
    EXPECT_EQ(grouped.layout, shard({iter(4, 1), iter(2, 64), iter(8, 8), iter(2, 4)}));
    EXPECT_EQ(grouped.separators, (std::vector<std::size_t>{0, 2, 4}));
}

TEST(Group, UnitDimensionsGetUnitIters) {
    const Grouped grouped = group(shard({iter(64, 1)}), dims({1, 8, 1, 8, 1})).value();
    EXPECT_EQ(grouped.layout, shard({iter(1, 64), iter(8, 8), iter(1, 8), iter(8, 1), iter(1, 1)}));
    EXPECT_EQ(grouped.separators, (std::vector<std::size_t>{0, 1, 2, 3, 4, 5}));
}

TEST(Group, KeepsTheMap) {
    Generator random(13);
    for (int round = 0; round < 500; ++round) {
        const Ints extents = random.extents(5);
        expect_grouping(random.tile(extents), random.grouping(extents));
    }
}

TEST(Group, DoesNotFuseOrScale) { expect_grouping(row_major(Ints{128, 64}), {4, 32, 64}); }

TEST(Group, Symbols) {
    const Dim n = Dim::symbol("n");
    const Grouped grouped = group(shard({iter(n * 4, 1)}), std::vector<Dim>{n, 4}).value();
    EXPECT_EQ(grouped.layout, shard({iter(n, 4), iter(4, 1)}));
    EXPECT_FALSE(group(shard({iter(n, 1)}), dims({4})).ok());
}

TEST(Group, RefusesShapesThatDoNotFit) {
    EXPECT_EQ(group(shard({iter(4, 3), iter(3, 1)}), dims({6, 2})).error().code, "LAYOUT_GROUP");
    EXPECT_EQ(group(shard({iter(64, 1)}), dims({8, 4})).error().code, "LAYOUT_GROUP");
    EXPECT_EQ(group(shard({iter(64, 1)}), dims({8, 16})).error().code, "LAYOUT_GROUP");
    EXPECT_EQ(group({}, dims({1})).error().code, "LAYOUT_GROUP") << "there is no iter for the dimension";
    EXPECT_EQ(group(shard({iter(64, 1)}), dims({0, 64})).error().code, "LAYOUT_EXTENT");
    EXPECT_EQ(group(shard({iter(64, 1)}), dims({-8, -8})).error().code, "LAYOUT_EXTENT");
    EXPECT_TRUE(group({}, {}).ok());
}

// --- several shapes at once

TEST(GroupMany, FindsTheCoarsestCommonSplit) {
    const std::vector<std::vector<Dim>> shapes{dims({128, 128}), dims({16, 8, 128})};
    const GroupedMany grouped = group_many(shard({iter(128, 64), iter(2, 8192), iter(64, 1)}), shapes).value();
    EXPECT_EQ(grouped.layout, shard({iter(16, 512), iter(8, 64), iter(2, 8192), iter(64, 1)}));
    EXPECT_EQ(grouped.separators, (std::vector<std::vector<std::size_t>>{{0, 2, 4}, {0, 1, 2, 4}}));
}

TEST(GroupMany, EverySeparatorListReadsItsShape) {
    Generator random(19);
    for (int round = 0; round < 300; ++round) {
        const Ints extents = random.extents(5);
        const TileLayout tile = random.tile(extents);
        const std::vector<Ints> shapes{random.grouping(extents), random.grouping(extents)};
        std::vector<std::vector<Dim>> asked;
        for (const Ints& shape : shapes) asked.push_back(dims(shape));
        const GroupedMany grouped = group_many(tile, asked).value();
        for (std::size_t s = 0; s < shapes.size(); ++s) {
            ASSERT_EQ(grouped.separators[s].size(), shapes[s].size() + 1);
            for (std::size_t d = 0; d < shapes[s].size(); ++d) {
                Dim extent = 1;
                for (std::size_t i = grouped.separators[s][d]; i < grouped.separators[s][d + 1]; ++i)
                    extent *= grouped.layout.shard[i].extent;
                EXPECT_EQ(extent, Dim(shapes[s][d]));
            }
        }
        for (std::int64_t x = 0; x < product(extents); ++x)
            ASSERT_EQ(reference_point(grouped.layout, x), reference_point(tile, x));
    }
}

TEST(GroupMany, SymbolsNeedAProvenOrder) {
    const Dim e = floor_mod(Dim::symbol("n"), 16) + 2;
    const TileLayout tile = shard({iter(e * 2, 1)});
    const std::vector<std::vector<Dim>> ordered{{2, e}, {1, 2, e}};
    const GroupedMany grouped = group_many(tile, ordered).value();
    EXPECT_EQ(grouped.layout, shard({iter(1, e * 2), iter(2, e), iter(e, 1)}));
    EXPECT_EQ(grouped.separators, (std::vector<std::vector<std::size_t>>{{0, 2, 3}, {0, 1, 2, 3}}));
    const std::vector<std::vector<Dim>> crossed{{2, e}, {e, 2}};
    EXPECT_EQ(group_many(tile, crossed).error().code, "LAYOUT_GROUP_ORDER");
}

TEST(GroupMany, Refusals) {
    const TileLayout tile = shard({iter(12, 1)});
    const auto code = [&](const std::vector<std::vector<Dim>>& shapes, const TileLayout& of) {
        return group_many(of, shapes).error().code;
    };
    EXPECT_EQ(code({dims({3, 4}), dims({2, 6})}, tile), "LAYOUT_GROUP_BOUNDARIES");
    EXPECT_EQ(code({dims({3, 4}), dims({6, 4})}, tile), "LAYOUT_GROUP_TOTAL");
    EXPECT_EQ(code({dims({1}), dims({1})}, {}), "LAYOUT_GROUP_EMPTY");
    EXPECT_EQ(code({}, tile), "LAYOUT_GROUP_EMPTY");
    EXPECT_EQ(code({{}}, tile), "LAYOUT_GROUP_EMPTY");
    EXPECT_EQ(code({dims({0})}, tile), "LAYOUT_EXTENT");
}

} // namespace
} // namespace ls
