// Permuting, packing, broadcasting, and what lies in memory.
#include <algorithm>
#include <numeric>

#include "tests/unit/layout/layout_testing.h"

namespace ls {
namespace {

using namespace testing_layout;
using Order = std::vector<std::size_t>;

TEST(PermuteDims, ReordersCoordinates) {
    Generator random(53);
    for (int round = 0; round < 100; ++round) {
        const Ints extents = random.extents();
        const TileLayout tile = random.tile(extents);
        Order order(extents.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::rotate(order.begin(), order.begin() + random.number(0, static_cast<std::int64_t>(order.size()) - 1),
                    order.end());
        const Layout permuted = permute_dims(Layout(tile), order).value();
        each_coordinate(extents, [&](const Ints& x) {
            Ints moved;
            for (const std::size_t d : order) moved.push_back(x[d]);
            ASSERT_EQ(point(apply_shard(permuted, dims(moved)).value()), reference_point(tile, flatten(x, extents)));
        });
    }
}

TEST(PermuteByGroups, MovesWholeGroups) {
    const Layout layout = shard({iter(8, 512), iter(8, 8), iter(8, 64), iter(8, 1)});
    EXPECT_EQ(permute_by_groups(layout, Order{0, 2, 4}, Order{1, 0}).value(),
              Layout(shard({iter(8, 64), iter(8, 1), iter(8, 512), iter(8, 8)})));
    EXPECT_EQ(permute_by_groups(layout, Order{0, 0, 4}, Order{1, 0}).value(), layout) << "an empty group moves nothing";
    EXPECT_EQ(permute_by_groups(swizzled(3, 3, 3, layout.tile()), Order{0, 2, 4}, Order{0, 1}).value(),
              swizzled(3, 3, 3, layout.tile()));
}

TEST(Permute, Refusals) {
    const Layout layout = row_major(Ints{8, 8});
    EXPECT_EQ(permute_dims(layout, Order{0}).error().code, "LAYOUT_PERMUTATION");
    EXPECT_EQ(permute_dims(layout, Order{0, 0}).error().code, "LAYOUT_PERMUTATION");
    EXPECT_EQ(permute_dims(layout, Order{0, 2}).error().code, "LAYOUT_PERMUTATION");
    EXPECT_EQ(permute_by_groups(layout, Order{0, 1, 2}, Order{0, 0}).error().code, "LAYOUT_PERMUTATION");
    EXPECT_EQ(permute_by_groups(layout, Order{0, 1}, Order{0}).error().code, "LAYOUT_SEPARATORS");
    EXPECT_EQ(permute_by_groups(layout, Order{0, 3, 1, 2}, Order{0, 1, 2}).error().code, "LAYOUT_SEPARATORS");
    EXPECT_EQ(permute_by_groups(layout, Order{}, Order{}).error().code, "LAYOUT_SEPARATORS");
}

TEST(Unpack, GivesEveryElementItsParts) {
    Generator random(59);
    for (int round = 0; round < 100; ++round) {
        const Ints extents = random.extents(3);
        TileLayout tile = random.tile(extents, {axes::m});
        tile.offset.clear(); // offsets are copied unscaled
        const std::int64_t factor = random.number(1, 4);
        const Layout parts = unpack(Layout(tile), factor).value();
        for (std::int64_t x = 0; x < product(extents) * factor; ++x) {
            const Dim whole = apply(Layout(tile), x / factor)->get(axes::m);
            ASSERT_EQ(apply(parts, x)->get(axes::m), whole * factor + x % factor);
        }
    }
}

TEST(Pack, UndoesUnpack) {
    Generator random(61);
    for (int round = 0; round < 100; ++round) {
        const TileLayout tile = random.tile(random.extents(3), {axes::m});
        const std::int64_t factor = random.number(1, 4);
        const Layout again = pack(unpack(Layout(tile), factor).value(), factor).value();
        TileLayout expected = tile;
        expected.shard.push_back(iter(1, 1));
        EXPECT_EQ(again, Layout(expected));
    }
    const Layout atom = swizzled(3, 3, 3, shard({iter(512, 1)}));
    EXPECT_EQ(canonicalize(unpack(atom, 2).value()).value(), swizzled(4, 3, 3, shard({iter(1024, 1)})));
    EXPECT_EQ(canonicalize(pack(unpack(atom, 4).value(), 4).value()).value(), atom);
}

TEST(Pack, RoundsStridesDownAsTheReferenceDoes) {
    EXPECT_EQ(pack(Layout(shard({iter(2, 21), iter(4, 1)})), 2).value(), Layout(shard({iter(2, 10), iter(2, 1)})));
}

TEST(Pack, Refusals) {
    EXPECT_EQ(pack(Layout(), 2).error().code, "LAYOUT_PACK");
    EXPECT_EQ(pack(Layout(shard({iter(4, 2)})), 2).error().code, "LAYOUT_PACK");
    EXPECT_EQ(pack(Layout(shard({iter(3, 1)})), 2).error().code, "LAYOUT_PACK");
    EXPECT_EQ(pack(Layout(shard({iter(4, 1, axes::laneid)})), 2).error().code, "LAYOUT_PACK");
    EXPECT_EQ(pack(Layout(shard({iter(4, 1)})), 0).error().code, "LAYOUT_PACK");
    EXPECT_EQ(pack(swizzled(0, 3, 3, shard({iter(64, 1)})), 2).error().code, "LAYOUT_PACK")
        << "the swizzle moves single elements";
    EXPECT_EQ(pack(swizzled(3, 3, 3, shard({iter(48, 1)})), 3).error().code, "LAYOUT_PACK");
    EXPECT_EQ(unpack(Layout(shard({iter(4, 1)})), 0).error().code, "LAYOUT_UNPACK");
    EXPECT_EQ(unpack(swizzled(3, 3, 3, shard({iter(48, 1)})), 3).error().code, "LAYOUT_PACK");
    EXPECT_EQ(unpack(Layout(shard({iter(4, std::int64_t{1} << 62)})), 4).error().code, "LAYOUT_OVERFLOW");
    EXPECT_EQ(unpack(swizzled(58, 1, 2, shard({iter(4, 1)})), 8).error().code, "LAYOUT_SWIZZLE");
}

TEST(Broadcast, InsertsAnIterThatGoesNowhere) {
    const Layout layout = row_major(Ints{8, 8});
    EXPECT_EQ(broadcast(layout, 4, 2).value(), Layout(shard({iter(8, 8), iter(8, 1), iter(4, 0)})));
    EXPECT_EQ(broadcast(layout, 4, 1, axes::TCol).value(),
              Layout(shard({iter(8, 8), iter(4, 0, axes::TCol), iter(8, 1)})));
    EXPECT_EQ(broadcast(layout, 4, 3).error().code, "LAYOUT_POSITION");
    EXPECT_EQ(broadcast(layout, 0, 0).error().code, "LAYOUT_EXTENT");
}

TEST(Storage, KeepsMemoryAxes) {
    const TileLayout tile{{iter(2, 2), iter(8, 4, axes::laneid), iter(2, 1)},
                          {iter(2, 8), iter(2, 1, axes::warpid)},
                          {{axes::m, 3}, {axes::laneid, 1}}};
    EXPECT_EQ(storage(Layout(tile)), Layout(TileLayout{{iter(2, 2), iter(2, 1)}, {iter(2, 8)}, {{axes::m, 3}}}));
    EXPECT_EQ(storage(swizzled(3, 3, 3, tile)).compose()->tile.shard.size(), 2U);
}

} // namespace
} // namespace ls
