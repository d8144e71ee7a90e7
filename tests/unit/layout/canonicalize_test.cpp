#include "tests/unit/layout/layout_testing.h"

namespace ls {
namespace {

using namespace testing_layout;

TileLayout canonical(const TileLayout& tile, AxisTarget target = AxisTarget::None) {
    return canonicalize(Layout(tile), target).value().tile();
}

TEST(Canonicalize, DropsUnitsAndKeepsOneToNameTheAxis) {
    EXPECT_EQ(canonical(shard({iter(8, 2), iter(1, 7), iter(2, 1)})), shard({iter(16, 1)}));
    EXPECT_EQ(canonical(shard({iter(1, 7, axes::laneid), iter(1, 3)})), shard({iter(1, 1, axes::laneid)}));
    EXPECT_EQ(canonical({}), TileLayout{});
}

TEST(Canonicalize, DropsOffsetsOfZero) {
    EXPECT_EQ(canonical({{iter(4, 1)}, {}, {{axes::m, 0}, {axes::TCol, 2}}}),
              (TileLayout{{iter(4, 1)}, {}, {{axes::TCol, 2}}}));
}

TEST(Canonicalize, FusesNeighboursThatCountOn) {
    EXPECT_EQ(canonical(row_major(Ints{8, 8, 8, 4, 2})), shard({iter(4096, 1)}));
    EXPECT_EQ(canonical(shard({iter(2, 9), iter(4, 2), iter(3, 2)})), shard({iter(2, 9), iter(4, 2), iter(3, 2)}));
    EXPECT_EQ(canonical(shard({iter(4, 0), iter(3, 0)})), shard({iter(12, 0)}));
    EXPECT_EQ(canonical(shard({iter(4, 8), iter(8, 1, axes::TCol)})), shard({iter(4, 8), iter(8, 1, axes::TCol)}))
        << "axes differ";
    const Dim n = Dim::symbol("n");
    EXPECT_EQ(canonical(shard({iter(4, n), iter(n, 1)})), shard({iter(n * 4, 1)}));
}

TEST(Canonicalize, MapsAsTheOriginalAndIsIdempotent) {
    Generator random(11);
    for (int round = 0; round < 500; ++round) {
        const Ints extents = random.extents(5);
        const TileLayout tile = random.tile(extents);
        const TileLayout once = canonical(tile);
        EXPECT_EQ(canonical(once), once);
        EXPECT_LE(once.shard.size(), tile.shard.size());
        for (std::int64_t x = 0; x < product(extents); ++x)
            ASSERT_EQ(point(apply(Layout(once), x).value()), reference_point(tile, x)) << to_string(Layout(tile));
    }
}

TEST(Canonicalize, KeepsTheSwizzle) {
    const Layout layout = swizzled(3, 3, 3, row_major(Ints{8, 64}));
    EXPECT_EQ(canonicalize(layout).value(), swizzled(3, 3, 3, shard({iter(512, 1)})));
}

TEST(Canonicalize, SortsReplicas) {
    const TileLayout a{{iter(1, 1)}, {iter(8, 4, axes::laneid), iter(4, 1, axes::laneid)}, {}};
    TileLayout b = a;
    std::swap(b.replica[0], b.replica[1]);
    EXPECT_EQ(canonical(a).replica, canonical(b).replica);
}

TEST(Canonicalize, FusesThreadAxesForCuda) {
    const AxisTarget cuda = AxisTarget::Cuda;
    const TileLayout warps =
        shard({iter(2, 2, axes::warpid), iter(2, 1, axes::warpid), iter(8, 4, axes::laneid), iter(4, 1, axes::laneid)});
    EXPECT_EQ(canonical(warps, cuda), shard({iter(128, 1, axes::tx)}));
    EXPECT_EQ(canonical(warps), shard({iter(4, 1, axes::warpid), iter(32, 1, axes::laneid)}))
        << "not without the target";
    EXPECT_EQ(canonical(shard({iter(4, 1, axes::wid_in_wg), iter(32, 1, axes::laneid)}), cuda),
              shard({iter(128, 1, axes::tid_in_wg)}));
    EXPECT_EQ(canonical(shard({iter(4, 1, axes::wgid), iter(128, 1, axes::tid_in_wg)}), cuda),
              shard({iter(512, 1, axes::tx)}));
    // Warps of warpgroups: scaled, under the old name.
    EXPECT_EQ(canonical(shard({iter(2, 1, axes::wgid), iter(4, 1, axes::wid_in_wg)}), cuda),
              shard({iter(2, 4, axes::wgid), iter(4, 1, axes::warpid)}));
    EXPECT_EQ(canonical(shard({iter(32, 1, axes::laneid)}), cuda), shard({iter(32, 1, axes::laneid)}));
}

TEST(Canonicalize, AnOffsetFusedOntoAnotherOverwritesIt) {
    const TileLayout tile{
        {iter(2, 1, axes::wgid), iter(2, 1, axes::tid_in_wg)}, {}, {{axes::tid_in_wg, 3}, {axes::wgid, 64}}};
    const TileLayout result = canonical(tile, AxisTarget::Cuda);
    EXPECT_EQ(result.offset.size(), 1U);
    EXPECT_TRUE(result.offset.get(axes::tx).is(3) || result.offset.get(axes::tx).is(64 * 128));
}

TEST(Canonicalize, RefusesBrokenScopesAndOverflow) {
    const Layout broken = shard({iter(2, 1, axes::wgid), iter(32, 1, axes::laneid)});
    EXPECT_EQ(canonicalize(broken).error().code, "LAYOUT_SCOPE");
    const Dim big = std::int64_t{1} << 40;
    EXPECT_EQ(canonicalize(Layout(row_major(std::vector<Dim>{big, big, 2}))).error().code, "LAYOUT_OVERFLOW");
    EXPECT_TRUE(canonicalize(Layout(shard({iter(2, 1, axes::bx), iter(32, 1, axes::tx)})), AxisTarget::Cuda).ok());
}

} // namespace
} // namespace ls
