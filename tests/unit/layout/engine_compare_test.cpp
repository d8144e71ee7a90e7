// Comparisons of layouts, against comparing every element.
#include <atomic>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/layout/engine/compare.h"
#include "tests/unit/layout/engine_support.h"

namespace ls::engine {
namespace {

using engine_test::Case;
using engine_test::describe;
using engine_test::Generator;

/// Differing elements and the first of them.
std::pair<std::int64_t, std::int64_t> by_hand(const CompiledMap& a, const CompiledMap& b) {
    std::pair<std::int64_t, std::int64_t> out{0, -1};
    const auto value = [](const CompiledMap& map, Axis axis, std::int64_t i) {
        const CompiledLayout* on = map.find(axis);
        return on == nullptr ? 0 : on->offset_linear(i);
    };
    for (std::int64_t i = 0; i < a.elements(); ++i) {
        bool differ = false;
        for (const auto* map : {&a, &b}) {
            for (const Axis axis : map->axes()) differ = differ || value(a, axis, i) != value(b, axis, i);
        }
        if (!differ) continue;
        ++out.first;
        if (out.second < 0) out.second = i;
    }
    return out;
}

void check(const Case& a, const Case& b) {
    const auto left = compile_map(a.layout, a.shape).value();
    const auto right = compile_map(b.layout, b.shape).value();
    const auto [differing, first] = by_hand(left, right);
    const auto found = compare(left, right).value();
    ASSERT_EQ(found.differing, differing) << describe(a) << "\n" << describe(b);
    ASSERT_EQ(found.equal(), differing == 0);
    const auto quick = compare(left, right, {.count = false}).value();
    ASSERT_EQ(quick.equal(), found.equal());
    if (differing == 0) return;
    ASSERT_EQ(found.first->element, first) << describe(a) << "\n" << describe(b);
    ASSERT_EQ(quick.first, found.first);
    ASSERT_EQ(quick.differing > 0, true);
    ASSERT_EQ(found.first->coordinate, left.on(0).coordinate(first));
    const CompiledLayout* l = left.find(found.first->axis);
    const CompiledLayout* r = right.find(found.first->axis);
    ASSERT_EQ(found.first->left, l == nullptr ? 0 : l->offset_linear(first));
    ASSERT_EQ(found.first->right, r == nullptr ? 0 : r->offset_linear(first));
    ASSERT_NE(found.first->left, found.first->right);
}

TEST(EngineCompare, CountsWhatDiffers) {
    Generator generator(41);
    for (int round = 0; round < 300; ++round) {
        const Case a = generator.next({.most_elements = 5000});
        Case b = generator.next({.mismatched_shape = false, .most_elements = 5000});
        b.shape = a.shape;
        check(a, b);
    }
}

TEST(EngineCompare, NeighboursOfALayout) {
    // One stride, extent cut, offset or swizzle parameter away: where closed forms and near misses are.
    Generator generator(42);
    for (int round = 0; round < 400; ++round) {
        const Case a = generator.next({.most_elements = 600});
        Case b = a;
        TileLayout tile = a.layout.tile();
        if (!tile.shard.empty()) {
            Iter& iter =
                tile.shard[static_cast<std::size_t>(generator.below(static_cast<std::int64_t>(tile.shard.size())))];
            switch (generator.below(4)) {
            case 0: iter.stride = iter.stride.value() + generator.between(0, 2); break;
            case 1: tile.offset[iter.axis] += generator.between(0, 2); break;
            case 2: std::swap(tile.shard.front(), tile.shard.back()); break;
            default: break;
            }
        }
        b.layout = a.layout.with_tile(tile);
        if (a.layout.is_compose() && generator.chance(30)) {
            ComposeLayout compose = *b.layout.compose();
            compose.swizzle_inner = !compose.swizzle_inner;
            b.layout = compose;
        }
        check(a, b);
    }
}

TEST(EngineCompare, TheSameMapWrittenDifferently) {
    const auto one = compile(Layout(row_major(Shape{64, 64})), Shape{64, 64}).value();
    const auto other = compile(Layout(row_major(Shape{4, 16, 8, 8})), Shape{64, 64}).value();
    EXPECT_TRUE(compare(one, other)->equal());
}

TEST(EngineCompare, HugeTensorsInClosedForm) {
    const std::int64_t n = 65536;
    const Shape shape{n, n};
    const auto row = compile(Layout(row_major(shape)), shape).value();
    const auto nz =
        compile(Layout(TileLayout{{{n, 16, {}}, {n / 16, 16 * n, {}}, {16, 1, {}}}, {}, {}}), shape).value();
    const auto found = compare(row, nz).value();
    // n·r + 16·c + i = 16·r + 16·n·c + i: for r = c = 0, and for no other: r·(n − 16) = 16·c·(n − 1).
    std::int64_t alike = 0;
    for (std::int64_t c = 0; c < n / 16; ++c) {
        const std::int64_t over = 16 * c * (n - 1);
        alike += over % (n - 16) == 0 && over / (n - 16) < n ? 16 : 0;
    }
    EXPECT_EQ(found.differing, n * n - alike);
    EXPECT_EQ(found.first->element, 16);
    EXPECT_EQ(found.first->left, 16);
    EXPECT_EQ(found.first->right, 16 * n);
}

TEST(EngineCompare, RefusesOtherShapesAndStops) {
    const auto a = compile(Layout(row_major(Shape{4, 8})), Shape{4, 8}).value();
    const auto b = compile(Layout(row_major(Shape{8, 4})), Shape{8, 4}).value();
    EXPECT_EQ(compare(a, b).error().code, "ENGINE_SHAPES");
    const Shape shape{1 << 14, 1 << 10};
    const auto inner = compile(Layout(ComposeLayout{3, 3, 3, row_major(shape), true}), shape).value();
    const auto outer = compile(Layout(ComposeLayout{3, 3, 3, row_major(shape), false}), shape).value();
    std::atomic<bool> cancel = false;
    const Watch watch{&cancel, [&](double part) { cancel = part > 0.2; }};
    EXPECT_EQ(compare(inner, outer, {.watch = &watch}).error().code, "ENGINE_CANCELLED");
    cancel = false;
    EXPECT_EQ(compare(inner, outer, {.count = false, .watch = &watch})->first->element, 8);
}

} // namespace
} // namespace ls::engine
