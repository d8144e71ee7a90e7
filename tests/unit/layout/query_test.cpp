// Size, span, scope and the yes-or-no questions.
#include "tests/unit/layout/layout_testing.h"

namespace ls {
namespace {

using namespace testing_layout;

TEST(Size, CountsTheShardOnly) {
    const TileLayout tile{{iter(8, 4, axes::laneid), iter(4, 1)}, {iter(2, 4)}, {{axes::m, 3}}};
    EXPECT_EQ(size(Layout(tile)), Dim(32));
    EXPECT_EQ(size(Layout(tile), axes::m).value(), Dim(4));
    EXPECT_EQ(size(Layout(tile), axes::TCol).value(), Dim(1));
    EXPECT_EQ(size(Layout()), Dim(1));
}

TEST(Span, ReachesOverMemoryAxes) {
    EXPECT_EQ(span(Layout(shard({iter(4, 16), iter(8, 1)}))), Dim(56));
    // Threads do not count; replicas and offsets do.
    const TileLayout tile{{iter(8, 4, axes::laneid), iter(4, 1)}, {iter(2, 4)}, {{axes::m, 3}, {axes::laneid, 9}}};
    EXPECT_EQ(span(Layout(tile)), Dim(1 + 3 + 4 + 3));
    EXPECT_EQ(span(Layout(tile), axes::laneid).value(), Dim(1 + 28 + 9));
    // All memory axes together.
    EXPECT_EQ(span(Layout(shard({iter(128, 1, axes::TLane), iter(64, 1, axes::TCol)}))), Dim(191));
    const Dim n = Dim::symbol("n");
    EXPECT_EQ(span(Layout(shard({iter(8, n), iter(16, 1)}))), n * 7 + 16);
}

TEST(SizeAndSpan, RefuseAnAxisOfASwizzle) {
    const Layout layout = swizzled(3, 3, 3, shard({iter(512, 1)}));
    EXPECT_EQ(size(layout), Dim(512));
    EXPECT_EQ(span(layout), Dim(512));
    EXPECT_EQ(size(layout, axes::m).error().code, "LAYOUT_AXIS_ARGUMENT");
    EXPECT_EQ(span(layout, axes::m).error().code, "LAYOUT_AXIS_ARGUMENT");
}

TEST(Size, OverflowIsSaid) {
    const Dim big = std::int64_t{1} << 40;
    EXPECT_TRUE(size(Layout(shard({iter(big, 1), iter(big, 1)}))).is_overflow());
}

std::optional<LayoutScope> scope_of_axes(std::initializer_list<Axis> axes) {
    TileLayout tile;
    for (const Axis axis : axes) tile.shard.push_back(iter(2, 1, axis));
    const auto scope = get_scope(Layout(tile));
    EXPECT_TRUE(scope.ok());
    return scope ? *scope : std::nullopt;
}

TEST(GetScope, FollowsTheChainFromTheNarrowest) {
    using enum ScopeKind;
    EXPECT_EQ(scope_of_axes({axes::m, axes::TCol}), std::nullopt);
    EXPECT_EQ(scope_of_axes({axes::laneid}), (LayoutScope{Thread, Warp}));
    EXPECT_EQ(scope_of_axes({axes::warpid, axes::laneid, axes::m}), (LayoutScope{Thread, Cta}));
    EXPECT_EQ(scope_of_axes({axes::wgid, axes::wid_in_wg, axes::laneid}), (LayoutScope{Thread, Cta}));
    EXPECT_EQ(scope_of_axes({axes::cbx, axes::tx}), (LayoutScope{Thread, Cluster}));
    EXPECT_EQ(scope_of_axes({axes::bx}), (LayoutScope{Cta, Thread})) << "bx says so";
}

TEST(GetScope, AnswersACircle) {
    // tx lies in a CTA, and bx says that a CTA lies in a thread.
    EXPECT_EQ(scope_of_axes({axes::bx, axes::tx}), (LayoutScope{ScopeKind::Thread, ScopeKind::Cta}));
    EXPECT_EQ(scope_of_axes({axes::by, axes::warpid, axes::laneid}), (LayoutScope{ScopeKind::Thread, ScopeKind::Cta}));
}

TEST(GetScope, RefusesBrokenChains) {
    EXPECT_EQ(get_scope(Layout(shard({iter(2, 1, axes::wgid), iter(32, 1, axes::laneid)}))).error().code,
              "LAYOUT_SCOPE");
    EXPECT_EQ(get_scope(Layout(shard({iter(2, 1, axes::tx), iter(32, 1, axes::laneid)}))).error().code, "LAYOUT_SCOPE");
    const TileLayout by_offset{{iter(2, 1, axes::laneid)}, {}, {{axes::wgid, 1}}};
    EXPECT_EQ(get_scope(Layout(by_offset)).error().code, "LAYOUT_SCOPE");
    const TileLayout memory_only{{iter(2, 1)}, {iter(2, 1, axes::wgid)}, {{axes::laneid, 1}}};
    EXPECT_EQ(get_scope(Layout(memory_only)).value(), std::nullopt) << "only asked of a shard with threads";
}

TEST(VerifyWellFormed, SaysWhatIsWrong) {
    EXPECT_TRUE(verify_well_formed(Layout(shard({iter(4, 7)}))).ok());
    EXPECT_EQ(verify_well_formed(Layout(shard({iter(0, 7)}))).error().code, "LAYOUT_EXTENT");
    EXPECT_EQ(verify_well_formed(swizzled(3, 3, 1, {})).error().code, "LAYOUT_SWIZZLE");
    EXPECT_EQ(verify_well_formed(Layout(shard({iter(2, 1, axes::wgid), iter(32, 1, axes::laneid)}))).error().code,
              "LAYOUT_SCOPE");
}

TEST(IsTrivial, IsAskedOfTheCanonicalForm) {
    EXPECT_TRUE(is_trivial(Layout()));
    EXPECT_TRUE(is_trivial(Layout(row_major(Ints{4, 1, 8}))));
    EXPECT_TRUE(is_trivial(Layout(shard({iter(8, 1, axes::TCol)}))));
    EXPECT_TRUE(is_trivial(Layout(TileLayout{{iter(8, 1)}, {}, {{axes::m, 0}}})));
    EXPECT_FALSE(is_trivial(Layout(TileLayout{{iter(8, 1)}, {}, {{axes::m, 4}}})));
    EXPECT_FALSE(is_trivial(Layout(TileLayout{{iter(8, 1)}, {iter(2, 8)}, {}})));
    EXPECT_FALSE(is_trivial(Layout(shard({iter(8, 1, axes::laneid)}))));
    EXPECT_FALSE(is_trivial(Layout(shard({iter(4, 16), iter(8, 1)}))));
    EXPECT_FALSE(is_trivial(Layout(shard({iter(2, 1, axes::wgid), iter(32, 1, axes::laneid)}))))
        << "it has no canonical form";
}

TEST(IsSwizzle, IsASwizzleOverATrivialTile) {
    EXPECT_TRUE(is_swizzle(swizzled(3, 3, 3, row_major(Ints{8, 64}))));
    EXPECT_FALSE(is_swizzle(swizzled(3, 3, 3, shard({iter(64, 64), iter(4, 4096), iter(64, 1)}))));
    EXPECT_FALSE(is_swizzle(Layout(shard({iter(512, 1)}))));
    EXPECT_FALSE(is_trivial(swizzled(3, 3, 3, shard({iter(512, 1)}))));
}

TEST(IsTrainium, LooksAtMemoryItersOfTheShard) {
    EXPECT_TRUE(is_trainium(Layout(shard({iter(128, 1, axes::P), iter(64, 1, axes::F)}))));
    EXPECT_FALSE(is_trainium(Layout(shard({iter(128, 1, axes::P), iter(64, 1)}))));
    EXPECT_TRUE(is_trainium(Layout(TileLayout{{iter(2, 1, axes::tx)}, {iter(4, 1)}, {}})))
        << "no memory iter, and replicas are not asked";
}

} // namespace
} // namespace ls
