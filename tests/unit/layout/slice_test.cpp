// A slice keeps the address of every element that it holds.
#include "tests/unit/layout/layout_testing.h"

namespace ls {
namespace {

using namespace testing_layout;

std::vector<Region> regions(const Ints& begin, const Ints& extent) {
    std::vector<Region> result;
    for (std::size_t d = 0; d < begin.size(); ++d) result.push_back({begin[d], extent[d]});
    return result;
}

void expect_addresses(const Layout& layout, const Ints& shape, const Ints& begin, const Ints& extent,
                      const Layout& sliced) {
    each_coordinate(extent, [&](const Ints& x) {
        Ints there = x;
        for (std::size_t d = 0; d < x.size(); ++d) there[d] += begin[d];
        ASSERT_EQ(point(apply(sliced, dims(x), dims(extent)).value()),
                  point(apply(layout, dims(there), dims(shape)).value()))
            << to_string(layout) << " -> " << to_string(sliced);
    });
}

// Up to two iters a dimension: with three, the reference's form does not follow a second carry (tested below).
TEST(Slice, KeepsAddresses) {
    Generator random(47);
    int kept = 0;
    for (int round = 0; round < 1500; ++round) {
        Ints extents;
        Ints shape;
        for (int d = 0; d < 2; ++d) {
            const std::int64_t a = random.pick<std::int64_t>({1, 2, 4, 6});
            const std::int64_t b = random.pick<std::int64_t>({1, 2, 4, 5});
            extents.insert(extents.end(), {a, b});
            shape.push_back(a * b);
        }
        const bool swizzle = random.chance(30);
        const TileLayout tile = random.tile(extents, swizzle ? std::vector<Axis>{axes::m}
                                                             : std::vector<Axis>{axes::m, axes::TCol, axes::laneid});
        const Layout layout = swizzle ? swizzled(1, 2, 2, tile) : Layout(tile);
        if (is_swizzle(layout)) continue; // its tile is read as the identity of the shape, which is as large
        Ints begin;
        Ints extent;
        for (const std::int64_t s : shape) {
            begin.push_back(random.number(0, s - 1));
            extent.push_back(random.number(1, s - begin.back()));
        }
        const auto sliced = slice(layout, dims(shape), regions(begin, extent));
        if (!sliced) {
            ASSERT_EQ(sliced.error().code, "LAYOUT_NONE_SLICE");
            continue;
        }
        ++kept;
        EXPECT_EQ(sliced->tile().replica.size(), tile.replica.size());
        expect_addresses(layout, shape, begin, extent, *sliced);
    }
    EXPECT_GT(kept, 500);
}

TEST(Slice, Examples) {
    const Layout layout = shard({iter(4, 64), iter(4, 4), iter(4, 16), iter(4, 1)});
    const Layout sliced = slice(layout, dims({16, 16}), regions({2, 6}, {1, 4})).value();
    EXPECT_EQ(sliced, Layout(TileLayout{{iter(1, 4), iter(2, 14), iter(2, 1)}, {}, {{axes::m, 26}}}));
    // The middle of two rows: half of one, half of the next.
    const Layout blocks = shard({iter(128, 64), iter(2, 8192), iter(64, 1)});
    EXPECT_EQ(slice(blocks, dims({128, 128}), regions({0, 32}, {128, 64})).value(),
              Layout(TileLayout{{iter(128, 64), iter(2, 8160), iter(32, 1)}, {}, {{axes::m, 32}}}));
}

TEST(Slice, OfABareSwizzleSeesTheAbsoluteAddress) {
    const Layout atom = swizzled(3, 3, 3, shard({iter(8192, 1)}));
    const Layout sliced = slice(atom, dims({128, 64}), regions({8, 16}, {4, 8})).value();
    EXPECT_EQ(sliced, swizzled(3, 3, 3, TileLayout{{iter(4, 64), iter(8, 1)}, {}, {{axes::m, 8 * 64 + 16}}}));
    expect_addresses(atom, {128, 64}, {8, 16}, {4, 8}, sliced);
}

TEST(Slice, SymbolicBegin) {
    const Dim st = Dim::symbol("st");
    const Layout layout = row_major(Ints{128, 64});
    const std::vector<Region> row{{st, 1}, {0, 64}};
    EXPECT_EQ(slice(layout, dims({128, 64}), row).value(),
              Layout(TileLayout{{iter(1, 64), iter(64, 1)}, {}, {{axes::m, st * 64}}}));
    const Layout blocks = shard({iter(128, 16), iter(4, 2048), iter(16, 1)});
    const std::vector<Region> aligned{{0, 128}, {st * 16, 16}};
    EXPECT_EQ(
        slice(blocks, dims({128, 64}), aligned).value(),
        Layout(TileLayout{{iter(128, 16), iter(1, 2048), iter(16, 1)}, {}, {{axes::m, floor_mod(st, 4) * 2048}}}));
    const std::vector<Region> anywhere{{0, 128}, {st, 16}};
    EXPECT_EQ(slice(blocks, dims({128, 64}), anywhere).error().code, "LAYOUT_NONE_SLICE");
}

TEST(Slice, DoesNotFollowASecondCarry) {
    // Digits (2, 2, 4) of one dimension; 6 .. 9 crosses from (0, 1, 2) to (1, 0, 1), where two digits change.
    const Layout layout = shard({iter(2, 100), iter(2, 10), iter(4, 1)});
    const Layout sliced = slice(layout, dims({16}), regions({6}, {4})).value();
    EXPECT_EQ(point(apply(sliced, 1).value()), (Point{{"m", 13}}));
    EXPECT_EQ(point(apply(sliced, 2).value()), (Point{{"m", 20}})) << "the reference's answer; the element lies at 100";
}

TEST(Slice, Refusals) {
    const Layout layout = row_major(Ints{8, 8});
    EXPECT_EQ(slice(layout, dims({8, 8}), regions({0}, {8})).error().code, "LAYOUT_RANK");
    EXPECT_EQ(slice(layout, dims({5, 8}), regions({0, 0}, {1, 1})).error().code, "LAYOUT_GROUP");
    EXPECT_EQ(slice(layout, dims({8, 8}), regions({0, 0}, {0, 1})).error().code, "LAYOUT_EXTENT");
    EXPECT_EQ(slice(Layout(), dims({1}), regions({0}, {1})).error().code, "LAYOUT_GROUP");
    const Layout broken = shard({iter(2, 1, axes::wgid), iter(32, 1, axes::laneid)});
    EXPECT_EQ(slice(broken, dims({2, 32}), regions({0, 0}, {1, 1})).error().code, "LAYOUT_SCOPE");
}

TEST(Slice, FusesThreadsForCuda) {
    const Layout layout = shard({iter(4, 1, axes::wid_in_wg), iter(32, 1, axes::laneid), iter(8, 1)});
    const Layout sliced = slice(layout, dims({128, 8}), regions({0, 2}, {128, 4}), AxisTarget::Cuda).value();
    EXPECT_EQ(canonicalize(sliced).value(),
              Layout(TileLayout{{iter(128, 1, axes::tid_in_wg), iter(4, 1)}, {}, {{axes::m, 2}}}));
}

} // namespace
} // namespace ls
