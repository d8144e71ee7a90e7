// Tiling and its two inverses.
#include "tests/unit/layout/layout_testing.h"

namespace ls {
namespace {

using namespace testing_layout;

/// A layout over `shape`, one to two iters a dimension.
struct Shaped {
    TileLayout tile;
    Ints shape;
};
Shaped shaped(Generator& random, std::size_t rank, const std::vector<Axis>& on) {
    Ints extents;
    Shaped result;
    for (std::size_t d = 0; d < rank; ++d) {
        const std::int64_t a = random.pick<std::int64_t>({1, 2, 3, 4});
        const std::int64_t b = random.pick<std::int64_t>({1, 1, 2, 4});
        extents.insert(extents.end(), {a, b});
        result.shape.push_back(a * b);
    }
    result.tile = random.tile(extents, on);
    return result;
}

Ints multiply(const Ints& a, const Ints& b) {
    Ints result;
    for (std::size_t i = 0; i < a.size(); ++i) result.push_back(a[i] * b[i]);
    return result;
}

/// Element o·I + i lies where the inner element i does, moved by the outer element o in steps of the inner span.
void expect_tiling(const Shaped& inner, const Shaped& outer, const Layout& tiled) {
    const Ints whole = multiply(outer.shape, inner.shape);
    const TileLayout inner_canonical = canonicalize(Layout(inner.tile)).value().tile();
    each_coordinate(whole, [&](const Ints& x) {
        Ints o = x;
        Ints i = x;
        for (std::size_t d = 0; d < x.size(); ++d) {
            o[d] = x[d] / inner.shape[d];
            i[d] = x[d] % inner.shape[d];
        }
        TileLayout steps = outer.tile;
        for (Iter& step : steps.shard) {
            const bool shared = std::any_of(inner_canonical.shard.begin(), inner_canonical.shard.end(),
                                            [&](const Iter& other) { return other.axis == step.axis; });
            if (shared) step.stride *= span(Layout(inner_canonical), step.axis).value();
        }
        Point expected = reference_point(inner.tile, flatten(i, inner.shape));
        for (const auto& [axis, amount] : reference_point(steps, flatten(o, outer.shape))) expected[axis] += amount;
        std::erase_if(expected, [](const auto& entry) { return entry.second == 0; });
        ASSERT_EQ(point(apply(tiled, dims(x), dims(whole)).value()), expected) << to_string(tiled);
    });
}

TEST(Tile, StepsTheInnerLayoutOverTheOuterOne) {
    Generator random(29);
    int tiled_count = 0;
    for (int round = 0; round < 300; ++round) {
        const auto rank = static_cast<std::size_t>(random.number(1, 2));
        const Shaped inner = shaped(random, rank, {axes::m, axes::TCol});
        const Shaped outer = shaped(random, rank, {axes::m, axes::TCol});
        const auto tiled = tile(Layout(inner.tile), outer.tile, dims(outer.shape), dims(inner.shape));
        if (!tiled) continue; // a canonical form that no longer groups by the shape
        ++tiled_count;
        expect_tiling(inner, outer, *tiled);
    }
    EXPECT_GT(tiled_count, 250);
}

TEST(Tile, WritesTheExamples) {
    const TileLayout atom = row_major(Ints{8, 8});
    EXPECT_EQ(tile(Layout(shard({iter(8, 1)})), shard({iter(8, 1)}), dims({8}), dims({8})).value(),
              Layout(shard({iter(64, 1)})));
    EXPECT_EQ(tile_to(Layout(atom), dims({64, 64}), dims({8, 8})).value(),
              Layout(shard({iter(8, 512), iter(8, 8), iter(8, 64), iter(8, 1)})));
    // Replicas and offsets of the outer layout are kept as they are.
    const TileLayout outer{{iter(2, 1)}, {iter(2, 5)}, {{axes::m, 3}}};
    EXPECT_EQ(tile(Layout(shard({iter(4, 1)})), outer, dims({2}), dims({4})).value(),
              Layout(TileLayout{{iter(8, 1)}, {iter(2, 5)}, {{axes::m, 3}}}));
}

TEST(Tile, ABareSwizzleReadsAsTheIdentityOfItsShape) {
    const Layout atom = swizzled(3, 3, 3, shard({iter(512, 1)}));
    EXPECT_EQ(tile_to(atom, dims({128, 64}), dims({8, 64})).value(), swizzled(3, 3, 3, shard({iter(8192, 1)})));
    EXPECT_EQ(tile_to(atom, dims({64, 256}), dims({8, 64})).value().compose()->tile.shard.size(), 4U);
}

TEST(Tile, Refusals) {
    const TileLayout four = shard({iter(4, 1)});
    EXPECT_EQ(tile(Layout(four), four, dims({4}), dims({2, 2})).error().code, "LAYOUT_RANK");
    EXPECT_EQ(tile(Layout(four), four, dims({3}), dims({4})).error().code, "LAYOUT_GROUP");
    EXPECT_EQ(tile_to(Layout(four), dims({6}), dims({4})).error().code, "LAYOUT_DIVIDE");
    EXPECT_EQ(
        tile(Layout(shard({iter(4, 1, axes::tid_in_wg)})), shard({iter(2, 1, axes::laneid)}), dims({2}), dims({4}))
            .error()
            .code,
        "LAYOUT_SCOPE");
}

TEST(IsTileInner, FindsAnOuterLayoutThatTilesToTheSame) {
    Generator random(31);
    int found = 0;
    for (int round = 0; round < 400; ++round) {
        const auto rank = static_cast<std::size_t>(random.number(1, 3));
        Shaped inner = shaped(random, rank, {axes::m, axes::TCol});
        Shaped outer = shaped(random, rank, {axes::m, axes::TCol});
        inner.tile.replica.clear(); // replicas of both kinds are told apart by structure alone
        outer.tile.replica.clear();
        outer.tile.offset.clear();
        const auto tiled = tile(Layout(inner.tile), outer.tile, dims(outer.shape), dims(inner.shape));
        if (!tiled) continue;
        const Ints whole = multiply(outer.shape, inner.shape);
        const auto answer = is_tile_inner(Layout(inner.tile), *tiled, dims(whole), dims(inner.shape));
        if (!answer) continue; // iters of both may have fused into one
        ++found;
        const auto again = tile(Layout(inner.tile), answer->tile(), dims(outer.shape), dims(inner.shape));
        ASSERT_TRUE(again.ok());
        EXPECT_EQ(*again, *tiled) << to_string(*answer);
    }
    EXPECT_GT(found, 200);
}

TEST(IsTileInner, Examples) {
    const Layout inner = row_major(Ints{8, 8});
    const Layout tiled = shard({iter(8, 512), iter(8, 8), iter(8, 64), iter(8, 1)});
    const Layout outer = is_tile_inner(inner, tiled, dims({64, 64}), dims({8, 8})).value();
    EXPECT_EQ(canonicalize(outer).value(), Layout(shard({iter(64, 1)})));
    // Offsets that the inner layout does not explain stay with the outer one, also when they are 0.
    const Layout moved = TileLayout{{iter(4, 8), iter(8, 1)}, {}, {{axes::m, 5}}};
    const Layout inner_moved = TileLayout{{iter(8, 1)}, {}, {{axes::m, 5}}};
    EXPECT_EQ(is_tile_inner(inner_moved, moved, dims({32}), dims({8})).error().code, "LAYOUT_NONE_TILE")
        << "span 13 does not divide 8";
    EXPECT_EQ(is_tile_inner(Layout(shard({iter(8, 1)})), moved, dims({32}), dims({8})).value(),
              Layout(TileLayout{{iter(4, 1)}, {}, {{axes::m, 5}}}));
}

TEST(IsTileInner, NoneAndRefusals) {
    const Layout inner = row_major(Ints{8});
    const auto code = [](const Result<Layout>& result) {
        return result.ok() ? std::string("found") : result.error().code;
    };
    EXPECT_EQ(code(is_tile_inner(inner, Layout(shard({iter(4, 16), iter(8, 2)})), dims({32}), dims({8}))),
              "LAYOUT_NONE_TILE");
    EXPECT_EQ(code(is_tile_inner(inner, swizzled(3, 3, 3, shard({iter(32, 1)})), dims({32}), dims({8}))),
              "LAYOUT_NONE_TILE");
    EXPECT_EQ(code(is_tile_inner(swizzled(3, 2, 3, shard({iter(8, 1)})), swizzled(3, 3, 3, shard({iter(32, 1)})),
                                 dims({32}), dims({8}))),
              "LAYOUT_NONE_TILE");
    EXPECT_EQ(code(is_tile_inner(inner, Layout(shard({iter(32, 1)})), dims({32}), dims({5}))), "LAYOUT_DIVIDE");
    EXPECT_EQ(code(is_tile_inner(inner, Layout(shard({iter(32, 1)})), dims({4, 8}), dims({8}))), "LAYOUT_RANK");
    EXPECT_EQ(code(is_tile_inner(Layout(shard({iter(4, 1)})), Layout(shard({iter(32, 1)})), dims({32}), dims({8}))),
              "LAYOUT_GROUP");
}

TEST(IsTileInner, SplitsThreadAxesForCuda) {
    const Layout tiled =
        shard({iter(2, 64, axes::tx), iter(8, 4, axes::tx), iter(2, 32, axes::tx), iter(4, 1, axes::tx), iter(2, 1)});
    const Layout lanes = shard({iter(8, 4, axes::laneid), iter(1, 2), iter(4, 1, axes::laneid), iter(2, 1)});
    const Layout outer = is_tile_inner(lanes, tiled, dims({16, 16}), dims({8, 8}), AxisTarget::Cuda).value();
    EXPECT_EQ(canonicalize(outer).value(), Layout(shard({iter(4, 1, axes::warpid)})));
    EXPECT_EQ(is_tile_inner(lanes, tiled, dims({16, 16}), dims({8, 8})).error().code, "LAYOUT_NONE_TILE")
        << "without the target nothing splits";
    // A wider inner scope than the tiled layout has.
    const Layout warps = shard({iter(2, 1, axes::warpid), iter(32, 1, axes::laneid)});
    EXPECT_EQ(is_tile_inner(warps, Layout(shard({iter(64, 1, axes::laneid)})), dims({64}), dims({64})).error().code,
              "LAYOUT_NONE_TILE");
}

TEST(IsTileOuter, FindsTheInnerLayout) {
    const Layout outer = row_major(Ints{8});
    EXPECT_EQ(is_tile_outer(outer, Layout(shard({iter(64, 1)})), dims({64}), dims({8})).value(),
              Layout(shard({iter(8, 1)})));
    EXPECT_EQ(is_tile_outer(outer, Layout(shard({iter(8, 9), iter(8, 1)})), dims({64}), dims({8})).error().code,
              "LAYOUT_NONE_TILE");
    EXPECT_EQ(is_tile_outer(outer, swizzled(3, 1, 3, shard({iter(64, 1)})), dims({64}), dims({8})).value(),
              swizzled(3, 1, 3, shard({iter(8, 1)})));
    EXPECT_EQ(is_tile_outer(swizzled(3, 1, 3, shard({iter(8, 1)})), swizzled(3, 1, 3, shard({iter(64, 1)})), dims({64}),
                            dims({8}))
                  .error()
                  .code,
              "LAYOUT_NONE_TILE");
    EXPECT_EQ(is_tile_outer(outer, Layout(shard({iter(64, 1)})), dims({64}), dims({2, 4})).error().code, "LAYOUT_RANK");
}

TEST(IsTileOuter, WhatItFindsTilesToTheSame) {
    Generator random(37);
    int found = 0;
    for (int round = 0; round < 400; ++round) {
        const auto rank = static_cast<std::size_t>(random.number(1, 3));
        const Shaped inner = shaped(random, rank, {axes::m, axes::TCol});
        const Shaped outer = shaped(random, rank, {axes::m, axes::TCol});
        const auto tiled = tile(Layout(inner.tile), outer.tile, dims(outer.shape), dims(inner.shape));
        if (!tiled) continue;
        const Ints whole = multiply(outer.shape, inner.shape);
        const auto answer = is_tile_outer(Layout(outer.tile), *tiled, dims(whole), dims(outer.shape));
        if (!answer) continue;
        ++found;
        EXPECT_EQ(tile(*answer, outer.tile, dims(outer.shape), dims(inner.shape)).value(), *tiled);
    }
    EXPECT_GT(found, 100);
}

} // namespace
} // namespace ls
