// Holes, overlaps and collisions, against counting every copy of every element.
#include <atomic>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/layout/engine/collision.h"
#include "core/layout/engine/coverage.h"
#include "tests/unit/layout/engine_support.h"

namespace ls::engine {
namespace {

using engine_test::Case;
using engine_test::describe;
using engine_test::Generator;
using testing::ElementsAre;

using Point = std::vector<std::int64_t>;

/// Every point with one entry for each hit: the element.
std::map<Point, std::vector<std::int64_t>> all_hits(const CompiledMap& map) {
    std::map<Point, std::vector<std::int64_t>> out;
    const std::size_t width = map.axes().size();
    for (std::int64_t i = 0; i < map.elements(); ++i) {
        const auto points = map.points(i).value();
        for (std::size_t p = 0; p < points.size(); p += width) {
            out[Point(points.begin() + static_cast<std::ptrdiff_t>(p),
                      points.begin() + static_cast<std::ptrdiff_t>(p + width))]
                .push_back(i);
        }
    }
    return out;
}

Coverage count_by_hand(const CompiledMap& map, const std::vector<std::int64_t>& spans) {
    Coverage out;
    out.places = 1;
    for (const std::int64_t span : spans) out.places *= span;
    for (const auto& [point, hits] : all_hits(map)) {
        const auto count = static_cast<std::int64_t>(hits.size());
        out.hits += count;
        bool inside = true;
        for (std::size_t a = 0; a < spans.size(); ++a) inside = inside && point[a] >= 0 && point[a] < spans[a];
        if (!inside) {
            out.out_of_range += count;
            continue;
        }
        ++out.used;
        out.shared += count > 1 ? 1 : 0;
    }
    out.holes = out.places - out.used;
    return out;
}

std::string text(const Coverage& c) {
    return fmt::format("places {} hits {} out {} used {} holes {} shared {}", c.places, c.hits, c.out_of_range, c.used,
                       c.holes, c.shared);
}

TEST(EngineCoverage, CountsWhatIsThere) {
    Generator generator(31);
    int exact = 0, shared = 0, outside = 0, refused = 0;
    for (int round = 0; round < 600; ++round) {
        const Case c = generator.next({.any_strides = generator.chance(60), .most_elements = 300});
        const auto map = compile_map(c.layout, c.shape).value();
        std::vector<std::int64_t> spans = natural_spans(map);
        if (generator.chance(60)) {
            for (std::int64_t& span : spans) span = generator.between(0, span + 5);
        }
        const auto counted = coverage(map, {.spans = spans});
        if (!counted.ok()) {
            ASSERT_EQ(counted.error().code, "ENGINE_PARTIAL") << describe(c) << counted.error().message;
            ASSERT_TRUE(map.lowered().partial);
            ++refused;
            continue;
        }
        const Coverage expected = count_by_hand(map, spans);
        ASSERT_EQ(*counted, expected) << describe(c) << "\n" << text(*counted) << "\n" << text(expected);
        exact += counted->is_exact() ? 1 : 0;
        shared += counted->shared > 0 ? 1 : 0;
        outside += counted->out_of_range > 0 ? 1 : 0;
    }
    EXPECT_GT(exact, 40);
    EXPECT_GT(shared, 100);
    EXPECT_GT(outside, 100);
    EXPECT_LT(refused, 60);
}

TEST(EngineCoverage, NaturalSpansAreWhatTheAlgebraSays) {
    Generator generator(32);
    for (int round = 0; round < 200; ++round) {
        const Case c = generator.next({.several_axes = false, .mismatched_shape = false, .most_elements = 300});
        const auto map = compile_map(c.layout, c.shape).value();
        bool downwards = false;
        for (const auto* list : {&c.layout.tile().shard, &c.layout.tile().replica}) {
            for (const Iter& iter : *list) downwards = downwards || iter.stride.value() < 0;
        }
        if (downwards) continue; // span() adds negative strides up as well
        EXPECT_EQ(natural_spans(map)[0], std::max<std::int64_t>(0, span(c.layout).value())) << describe(c);
    }
}

TEST(EngineCoverage, HugeTensorsInClosedForm) {
    const std::int64_t n = 65536;
    const Layout nz(TileLayout{{{n, 16, {}}, {n / 16, 16 * n, {}}, {16, 1, {}}}, {}, {}});
    const auto full = coverage(compile_map(nz, Shape{n, n}).value()).value();
    EXPECT_TRUE(full.is_exact());
    EXPECT_EQ(full.used, n * n);
    const Layout padded(TileLayout{{{n, n + 8, {}}, {n, 1, {}}}, {}, {}});
    const std::int64_t span = (n + 8) * 100 + 50;
    const auto part = coverage(compile_map(padded, Shape{n, n}).value(), {.spans = {&span, 1}}).value();
    EXPECT_EQ(part.used, n * 100 + 50);
    EXPECT_EQ(part.holes, 8 * 100);
    EXPECT_EQ(part.out_of_range, n * n - n * 100 - 50);
    EXPECT_EQ(part.shared, 0);
}

TEST(EngineCoverage, ASwizzleMayLeaveAnAllocationThatIsNoMultipleOfItsPeriod) {
    // 4 × 64 halves under the 128-byte swizzle stay inside; 20 rows of 8 reach past 160 elements.
    const auto good = compile_map(Layout(ComposeLayout{3, 3, 3, row_major(Shape{4, 64}), true}), Shape{4, 64}).value();
    EXPECT_TRUE(coverage(good)->is_exact());
    const auto map = compile_map(Layout(ComposeLayout{3, 3, 3, row_major(Shape{11, 8}), true}), Shape{11, 8}).value();
    const auto counted = coverage(map).value();
    EXPECT_EQ(counted, count_by_hand(map, {88}));
    EXPECT_GT(counted.out_of_range, 0);
}

TEST(EngineCoverage, RefusalsSayWhatToDo) {
    // Same stride twice: counted, which a small limit forbids.
    const auto map =
        compile_map(Layout(TileLayout{{{100000, 3, {}}, {1000, 2, {}}}, {}, {}}), Shape{100000, 1000}).value();
    const auto memory = coverage(map, {.memory_limit_bytes = 1000});
    EXPECT_EQ(memory.error().code, "ENGINE_LIMIT");
    EXPECT_THAT(memory.error().hint, testing::HasSubstr("memory limit"));
    EXPECT_EQ(coverage(map, {.step_limit = 1000}).error().code, "ENGINE_LIMIT");
    std::atomic<bool> cancel = true;
    const Watch watch{&cancel, {}};
    EXPECT_EQ(coverage(map, {.watch = &watch}).error().code, "ENGINE_CANCELLED");
    const std::vector<std::int64_t> two{1, 1}, negative{-1};
    EXPECT_EQ(coverage(map, {.spans = two}).error().code, "ENGINE_SPAN");
    EXPECT_EQ(coverage(map, {.spans = negative}).error().code, "ENGINE_SPAN");
    const TileLayout copied{{{4, 1, {}}}, {{std::int64_t{1} << 62, 0, {}}}, {}};
    EXPECT_EQ(coverage(compile_map(Layout(copied), Shape{4}).value()).error().code, "ENGINE_OVERFLOW");
}

/// The pair with the smallest second, then the smallest first.
std::optional<std::pair<std::int64_t, std::int64_t>> collision_by_hand(const CompiledMap& map) {
    std::optional<std::pair<std::int64_t, std::int64_t>> best;
    for (const auto& [point, hits] : all_hits(map)) {
        // Elements come in ascending order.
        for (std::size_t i = 1; i < hits.size(); ++i) {
            if (hits[i] == hits[0]) continue;
            const std::pair pair(hits[i], hits[0]);
            if (!best || pair < *best) best = pair;
            break;
        }
    }
    return best;
}

TEST(EngineCollision, FindsTheSmallestPair) {
    Generator generator(33);
    int found = 0, none = 0;
    for (int round = 0; round < 600; ++round) {
        const Case c = generator.next({.any_strides = generator.chance(60), .most_elements = 300});
        const auto map = compile_map(c.layout, c.shape).value();
        const auto collision = find_collision(map);
        ASSERT_TRUE(collision.ok()) << describe(c) << collision.error().message;
        const auto expected = collision_by_hand(map);
        ASSERT_EQ(collision->has_value(), expected.has_value()) << describe(c);
        (expected ? found : none) += 1;
        if (!expected) continue;
        const Collision& pair = **collision;
        ASSERT_EQ(std::pair(pair.second, pair.first), *expected) << describe(c);
        ASSERT_EQ(map.on(0).index(pair.first_coordinate), pair.first);
        ASSERT_EQ(map.on(0).index(pair.second_coordinate), pair.second);
        // Both have a copy where it says that they meet.
        const auto hits = all_hits(map)[pair.point];
        ASSERT_TRUE(std::count(hits.begin(), hits.end(), pair.first) > 0 &&
                    std::count(hits.begin(), hits.end(), pair.second) > 0)
            << describe(c);
    }
    EXPECT_GT(found, 150);
    EXPECT_GT(none, 100);
}

TEST(EngineCollision, HugeTensorsNeedNoTable) {
    const std::int64_t n = 65536;
    const auto apart = compile_map(Layout(row_major(Shape{n, n})), Shape{n, n}).value();
    EXPECT_FALSE(find_collision(apart)->has_value());
    const auto overlapping = compile_map(Layout(TileLayout{{{n, n - 1, {}}, {n, 1, {}}}, {}, {}}), Shape{n, n}).value();
    const auto seam = find_collision(overlapping).value();
    ASSERT_TRUE(seam.has_value());
    EXPECT_THAT(seam->first_coordinate, ElementsAre(0, n - 1));
    EXPECT_THAT(seam->second_coordinate, ElementsAre(1, 0));
    EXPECT_THAT(seam->point, ElementsAre(n - 1));
    // Iters that do not nest and yet never meet: 3a + 2b with a < 2, b < 3.
    const auto interleaved = compile_map(Layout(TileLayout{{{2, 3, {}}, {3, 2, {}}}, {}, {}}), Shape{2, 3}).value();
    EXPECT_FALSE(find_collision(interleaved)->has_value());
}

} // namespace
} // namespace ls::engine
