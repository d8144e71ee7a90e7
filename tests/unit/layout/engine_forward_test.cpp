// Compiled evaluation agrees with the algebra, in every way of asking.
#include <atomic>
#include <limits>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/layout/engine/block_plan.h"
#include "core/layout/engine/compiled_layout.h"
#include "core/layout/engine/kernels.h"
#include "tests/unit/layout/engine_support.h"

namespace ls::engine {
namespace {

using engine_test::Case;
using engine_test::describe;
using engine_test::Generator;
using engine_test::product;
using engine_test::reference_all;
using engine_test::unravel;
using testing::ElementsAre;

TileLayout tile(std::vector<Iter> shard) { return {std::move(shard), {}, {}}; }

const Axis kAxes[] = {axes::m, axes::laneid, axes::TCol, axes::warpid};

TEST(EngineForward, OneElementAgreesWithApply) {
    Generator generator(1);
    for (int round = 0; round < 400; ++round) {
        const Case c = generator.next({.most_elements = 300});
        for (const Axis axis : kAxes) {
            const auto compiled = compile(c.layout, c.shape, axis);
            ASSERT_TRUE(compiled.ok()) << describe(c) << compiled.error().message;
            const auto expected = reference_all(c, axis);
            for (std::int64_t i = 0; i < compiled->elements(); ++i) {
                const Shape x = unravel(i, c.shape);
                ASSERT_EQ(compiled->offset_linear(i), expected[static_cast<std::size_t>(i)])
                    << describe(c) << " element " << i;
                ASSERT_EQ(compiled->offset(x), expected[static_cast<std::size_t>(i)])
                    << describe(c) << " element " << i;
                ASSERT_EQ(compiled->index(x), i);
                ASSERT_EQ(compiled->coordinate(i), x);
                ASSERT_GE(expected[static_cast<std::size_t>(i)], compiled->bounds().low);
                ASSERT_LE(expected[static_cast<std::size_t>(i)], compiled->bounds().high);
            }
        }
    }
}

TEST(EngineForward, FillsAgreeWithApplyInBothWidths) {
    Generator generator(2);
    int several_blocks = 0;
    for (int round = 0; round < 250; ++round) {
        const Case c = generator.next({.most_elements = 12000});
        const auto compiled = compile(c.layout, c.shape).value();
        const auto expected = reference_all(c);
        std::vector<std::int64_t> wide(expected.size());
        ASSERT_TRUE(compiled.fill(wide).ok());
        ASSERT_EQ(wide, expected) << describe(c);
        ASSERT_TRUE(compiled.fits_int32());
        std::vector<std::int32_t> narrow(expected.size());
        ASSERT_TRUE(compiled.fill(narrow).ok());
        ASSERT_EQ(std::vector<std::int64_t>(narrow.begin(), narrow.end()), expected) << describe(c);

        const std::int64_t first = generator.below(compiled.elements());
        const std::int64_t count = generator.between(0, compiled.elements() - first);
        std::vector<std::int32_t> part(static_cast<std::size_t>(count));
        ASSERT_TRUE(compiled.fill_range(first, part).ok());
        ASSERT_TRUE(std::equal(part.begin(), part.end(), narrow.begin() + first)) << describe(c);
        several_blocks += compiled.elements() > BlockPlan::kPatternElements ? 1 : 0;
    }
    EXPECT_GT(several_blocks, 20);
}

/// The coordinates of a window, one at a time.
std::vector<std::int64_t> window_reference(const CompiledLayout& compiled, const Shape& begin, const Shape& extent) {
    std::vector<std::int64_t> out;
    for (std::int64_t i = 0; i < product(extent); ++i) {
        Shape x = unravel(i, extent);
        for (std::size_t d = 0; d < x.size(); ++d) x[d] += begin[d];
        out.push_back(compiled.offset(x));
    }
    return out;
}

TEST(EngineForward, WindowsHoldTheirOwnElements) {
    Generator generator(3);
    for (int round = 0; round < 300; ++round) {
        const Case c = generator.next({.most_elements = 4000});
        const auto compiled = compile(c.layout, c.shape).value();
        Shape begin, extent;
        for (const std::int64_t all : c.shape) {
            const bool full = generator.chance(40);
            begin.push_back(full ? 0 : generator.below(all));
            extent.push_back(full ? all : generator.between(generator.chance(5) ? 0 : 1, all - begin.back()));
        }
        const auto expected = window_reference(compiled, begin, extent);
        std::vector<std::int64_t> wide(expected.size());
        ASSERT_TRUE(compiled.fill({begin, extent}, wide).ok());
        ASSERT_EQ(wide, expected) << describe(c);
        std::vector<std::int32_t> narrow(expected.size());
        ASSERT_TRUE(compiled.fill({begin, extent}, narrow).ok());
        ASSERT_EQ(std::vector<std::int64_t>(narrow.begin(), narrow.end()), expected) << describe(c);
    }
}

TEST(EngineForward, SectionsHoldTheirOwnCells) {
    Generator generator(4);
    int separable = 0;
    int entangled = 0;
    for (int round = 0; round < 300; ++round) {
        Case c = generator.next({.most_elements = 3000});
        if (c.shape.size() < 2) c.shape.insert(c.shape.begin(), 1);
        const auto compiled = compile(c.layout, c.shape).value();
        (compiled.is_separable() ? separable : entangled) += 1;
        const auto rank = static_cast<std::int64_t>(c.shape.size());
        const auto row_dim = static_cast<std::size_t>(generator.below(rank));
        const auto col_dim = (row_dim + static_cast<std::size_t>(generator.between(1, rank - 1))) % c.shape.size();
        Shape fixed, rows, cols;
        for (const std::int64_t extent : c.shape) fixed.push_back(generator.below(extent));
        for (std::int64_t i = generator.between(0, 20); i > 0; --i) rows.push_back(generator.below(c.shape[row_dim]));
        for (std::int64_t i = generator.between(0, 20); i > 0; --i) cols.push_back(generator.below(c.shape[col_dim]));
        std::vector<std::int64_t> expected;
        for (const std::int64_t row : rows) {
            for (const std::int64_t col : cols) {
                Shape x = fixed;
                x[row_dim] = row;
                x[col_dim] = col;
                expected.push_back(compiled.offset(x));
            }
        }
        fixed[row_dim] = fixed[col_dim] = -1; // not read
        std::vector<std::int64_t> wide(expected.size());
        ASSERT_TRUE(compiled.sample({row_dim, col_dim, fixed, rows, cols}, wide).ok());
        ASSERT_EQ(wide, expected) << describe(c);
        std::vector<std::int32_t> narrow(expected.size());
        ASSERT_TRUE(compiled.sample({row_dim, col_dim, fixed, rows, cols}, narrow).ok());
        ASSERT_EQ(std::vector<std::int64_t>(narrow.begin(), narrow.end()), expected) << describe(c);
    }
    EXPECT_GT(separable, 100);
    EXPECT_GT(entangled, 20);
}

TEST(EngineForward, ASectionWiderThanOneStrip) {
    const auto compiled =
        compile(Layout(ComposeLayout{3, 3, 3, row_major(Shape{8, 5000}), true}), Shape{8, 5000}).value();
    Shape rows{7, 0, 3}, cols(5000), fixed{0, 0};
    std::iota(cols.begin(), cols.end(), 0);
    std::vector<std::int32_t> out(rows.size() * cols.size());
    ASSERT_TRUE(compiled.sample({0, 1, fixed, rows, cols}, out).ok());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::size_t j = 0; j < cols.size(); ++j) {
            ASSERT_EQ(out[i * cols.size() + j], compiled.offset(Shape{rows[i], cols[j]})) << rows[i] << ", " << j;
        }
    }
}

TEST(EngineForward, WhatCanBeGroupedIsSeparable) {
    Generator generator(5);
    int grouped = 0;
    for (int round = 0; round < 300; ++round) {
        const Case c = generator.next({});
        if (!group(c.layout.tile(), engine_test::dims(c.shape)).ok()) continue;
        ++grouped;
        EXPECT_TRUE(compile(c.layout, c.shape)->is_separable()) << describe(c);
    }
    EXPECT_GT(grouped, 100);
    // 3 × 8 over iters 4 × 6: rows of 8 end in the middle of a 6.
    EXPECT_FALSE(compile(Layout(tile({{4, 1, {}}, {6, 4, {}}})), Shape{3, 8})->is_separable());
}

TEST(EngineForward, EveryInstructionSetComputesTheSame) {
    std::vector<std::uint64_t> pattern(777);
    std::mt19937_64 random(6);
    for (std::uint64_t& value : pattern) value = random() >> 24U;
    const std::vector<std::uint32_t> pattern32(pattern.begin(), pattern.end());
    const Swizzle swizzles[] = {{}, {Swizzle::Kind::Inner, 0x1C0, 3, 512, 8}, {Swizzle::Kind::Outer, 0x38, 4, 1024, 8}};
    ASSERT_EQ(runnable_kernels().back()->name, "baseline");
    for (const Kernels* set : runnable_kernels()) {
        for (const Swizzle& swizzle : swizzles) {
            std::vector<std::uint64_t> wide(pattern.size());
            std::vector<std::uint32_t> narrow(pattern.size());
            set->emit64(wide.data(), pattern.data(), pattern.size(), 12345, swizzle);
            set->emit32(narrow.data(), pattern32.data(), pattern.size(), 12345, swizzle);
            for (std::size_t i = 0; i < pattern.size(); ++i) {
                const auto expected =
                    static_cast<std::uint64_t>(swizzle(static_cast<std::int64_t>(12345 + pattern[i])));
                ASSERT_EQ(wide[i], expected) << set->name;
                ASSERT_EQ(narrow[i], static_cast<std::uint32_t>(expected)) << set->name;
            }
        }
        std::vector<std::uint64_t> other = pattern;
        other[0] += 1;
        other[500] ^= std::uint64_t{1} << 63U;
        other[776] = 0;
        EXPECT_EQ(set->count_different(pattern.data(), other.data(), pattern.size()), 3U) << set->name;
    }
}

TEST(EngineForward, BlocksHoldAtMostOnePatternAndSplitEvenly) {
    // 7 · 1000003 elements: the prime extent is cut into nearly equal blocks.
    const std::vector<Digit> digits{{7, 2, 1, {}}, {1000003, 14, 7, {}}};
    const BlockPlan plan(digits);
    EXPECT_EQ(plan.inner().divisor(), 7);
    EXPECT_EQ(plan.block_steps(), 146);
    BlockCursor<std::uint64_t> cursor(plan, 5, {});
    std::vector<std::uint64_t> out(3000);
    cursor.seek(7000021 - 3000);
    cursor.run(out.data(), 3000);
    for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], 5 + 2 * (7000021 - 3000 + i));
}

TEST(EngineForward, CarriesRunThroughManyDigits) {
    // Six iters that do not fuse, 430080 elements: several digits stand above the blocks.
    const Layout layout(tile({{3, 1, {}}, {5, 500000, {}}, {4, -70, {}}, {7, 9000, {}}, {16, 300, {}}, {64, 4, {}}}));
    const auto compiled = compile(layout, Shape{3, 20, 7168}).value();
    std::vector<std::int32_t> out(430080);
    ASSERT_TRUE(compiled.fill(out).ok());
    for (std::int64_t i = 0; i < compiled.elements(); ++i) {
        ASSERT_EQ(out[static_cast<std::size_t>(i)], compiled.offset_linear(i)) << i;
    }
    const Shape begin{1, 3, 100}, extent{2, 15, 5000};
    const auto expected = window_reference(compiled, begin, extent);
    std::vector<std::int64_t> window(expected.size());
    ASSERT_TRUE(compiled.fill({begin, extent}, window).ok());
    ASSERT_EQ(window, expected);
}

TEST(EngineForward, ASwizzleThatChangesNothingIsLeftOut) {
    // All 64 offsets are below bit 6, the first that (3, 3, 3) reads.
    const auto below = compile(Layout(ComposeLayout{3, 3, 3, row_major(Shape{64}), true}), Shape{64}).value();
    EXPECT_EQ(below.swizzle().kind, Swizzle::Kind::None);
    EXPECT_EQ(below.bounds(), (Bounds{0, 63}));
    EXPECT_THAT(below.contiguous_runs(), ElementsAre(64));
    const auto beyond = compile(Layout(ComposeLayout{3, 3, 3, row_major(Shape{65}), true}), Shape{65}).value();
    EXPECT_EQ(beyond.swizzle().kind, Swizzle::Kind::Inner);
    EXPECT_EQ(beyond.offset(Shape{64}), 64 + 8);
}

TEST(EngineForward, AnAxisThatIsNotNamedIsZero) {
    const auto compiled =
        compile(Layout(tile({{32, 1, axes::laneid}, {4, 1, axes::m}})), Shape{32, 4}, axes::TCol).value();
    EXPECT_EQ(compiled.bounds(), (Bounds{0, 0}));
    std::vector<std::int32_t> out(128, 7);
    ASSERT_TRUE(compiled.fill(out).ok());
    EXPECT_THAT(out, testing::Each(0));
}

TEST(EngineForward, TheEmptyTileIsOneElementAtZero) {
    std::vector<std::int32_t> out{9};
    ASSERT_TRUE(CompiledLayout().fill(out).ok());
    EXPECT_EQ(out[0], 0);
    const auto compiled = compile(Layout(), Shape{}).value();
    EXPECT_EQ(compiled.elements(), 1);
    EXPECT_EQ(compiled.offset(Shape{}), 0);
}

TEST(EngineForward, Int32AtItsEdges) {
    const std::int64_t most = std::numeric_limits<std::int32_t>::max();
    TileLayout up = tile({{2, most, {}}});
    EXPECT_TRUE(compile(Layout(up), Shape{2})->fits_int32());
    up.offset[axes::m] = 1;
    const auto compiled = compile(Layout(up), Shape{2}).value();
    EXPECT_EQ(compiled.bounds(), (Bounds{1, most + 1}));
    EXPECT_FALSE(compiled.fits_int32());
    std::vector<std::int32_t> narrow(2);
    EXPECT_EQ(compiled.fill(narrow).error().code, "ENGINE_INT32");
    std::vector<std::int64_t> wide(2);
    ASSERT_TRUE(compiled.fill(wide).ok());
    EXPECT_THAT(wide, ElementsAre(1, most + 1));
    // A copy beyond 32 bits counts too.
    TileLayout copied = tile({{2, 1, {}}});
    copied.replica.push_back({2, most, {}});
    EXPECT_FALSE(compile(Layout(copied), Shape{2})->fits_int32());
    // Partial sums may leave 32 bits while every offset fits.
    TileLayout wide_steps = tile({{2, most, {}}, {2, -most, {}}});
    std::vector<std::int32_t> four(4);
    ASSERT_TRUE(compile(Layout(wide_steps), Shape{2, 2})->fill(four).ok());
    EXPECT_THAT(four, ElementsAre(0, -most, most, 0));
}

TEST(EngineForward, OffsetsUpToTheEndOf64Bits) {
    const std::int64_t most = std::numeric_limits<std::int64_t>::max();
    TileLayout last = tile({{4, most / 3, {}}});
    ASSERT_EQ(most % 3, 1);
    last.offset[axes::m] = 1;
    const auto compiled = compile(Layout(last), Shape{4}).value();
    EXPECT_EQ(compiled.offset(Shape{3}), most);
    last.offset[axes::m] = 2;
    EXPECT_EQ(compile(Layout(last), Shape{4}).error().code, "ENGINE_OVERFLOW");
    EXPECT_EQ(compile(Layout(tile({{4, most / 2, {}}})), Shape{4}).error().code, "ENGINE_OVERFLOW");
    EXPECT_EQ(compile(Layout(tile({{2, most, {}}, {2, most, {}}})), Shape{2, 2}).error().code, "ENGINE_OVERFLOW");
    // Each offset would fit, their distance does not.
    EXPECT_EQ(compile(Layout(tile({{2, most, {}}, {2, -most, {}}})), Shape{2, 2}).error().code, "ENGINE_OVERFLOW");
    EXPECT_EQ(compile(Layout(), Shape{std::int64_t{1} << 40, std::int64_t{1} << 40}).error().code, "ENGINE_OVERFLOW");
    EXPECT_EQ(compile(Layout(), Shape{std::int64_t{1} << 62, 2}).error().code, "ENGINE_OVERFLOW");
    EXPECT_TRUE(compile(Layout(), Shape{std::int64_t{1} << 62}).ok());
}

TEST(EngineForward, HugeTensorsAreReadAnywhere) {
    // 65536 × 65536 in column blocks of 16: 2^32 elements, offsets beyond 32 bits.
    const std::int64_t n = 65536;
    const Layout nz(tile({{n, 16, {}}, {n / 16, 16 * n, {}}, {16, 1, {}}}));
    const auto compiled = compile(nz, Shape{n, n}).value();
    EXPECT_FALSE(compiled.fits_int32());
    EXPECT_EQ(compiled.bounds().high, n * n - 1);
    const Shape begin{n - 3, n - 1000}, extent{3, 1000};
    std::vector<std::int64_t> out(3000);
    ASSERT_TRUE(compiled.fill({begin, extent}, out).ok());
    for (std::int64_t i = 0; i < 3000; ++i) {
        const std::int64_t row = n - 3 + i / 1000;
        const std::int64_t col = n - 1000 + i % 1000;
        ASSERT_EQ(out[static_cast<std::size_t>(i)], col / 16 * 16 * n + row * 16 + col % 16);
    }
}

TEST(EngineForward, RefusesWhatIsNotALayoutOfNumbers) {
    EXPECT_EQ(compile(Layout(tile({{Dim::symbol("n"), 1, {}}})), Shape{4}).error().code, "ENGINE_SYMBOLIC");
    TileLayout moved = tile({{4, 1, {}}});
    moved.offset[axes::m] = Dim::symbol("base");
    const Diagnostic why = compile(Layout(moved), Shape{4}).error();
    EXPECT_EQ(why.code, "ENGINE_SYMBOLIC");
    EXPECT_THAT(why.message, testing::HasSubstr("base"));
    EXPECT_EQ(compile(Layout(tile({{0, 1, {}}})), Shape{4}).error().code, "LAYOUT_EXTENT");
    EXPECT_EQ(compile(Layout(tile({{4, Dim::overflow(), {}}})), Shape{4}).error().code, "ENGINE_OVERFLOW");
    EXPECT_EQ(compile(Layout(tile({{4, 1, {}}})), Shape{4, 0}).error().code, "ENGINE_SHAPE");
    EXPECT_EQ(compile(Layout(tile({{4, 1, {}}})), Shape{-4}).error().code, "ENGINE_SHAPE");
    EXPECT_EQ(compile(Layout(ComposeLayout{3, 4, 3, tile({{4, 1, {}}}), true}), Shape{4}).error().code,
              "LAYOUT_SWIZZLE");
    EXPECT_EQ(compile(Layout(ComposeLayout{60, 2, 2, tile({{4, 1, {}}}), true}), Shape{4}).error().code,
              "LAYOUT_SWIZZLE");
    EXPECT_EQ(compile(Layout(ComposeLayout{3, 3, 3, tile({{4, 1, axes::TCol}}), true}), Shape{4}).error().code,
              "LAYOUT_COMPOSE_AXIS");
}

TEST(EngineForward, RefusesWindowsAndOutputsThatDoNotFit) {
    const auto compiled = compile(Layout(row_major(Shape{4, 8})), Shape{4, 8}).value();
    std::vector<std::int32_t> out(8);
    EXPECT_EQ(compiled.fill(out).error().code, "ENGINE_OUT_SIZE");
    const auto window = [&](const Shape& begin, const Shape& extent) { return compiled.fill({begin, extent}, out); };
    EXPECT_TRUE(window({3, 0}, {1, 8}).ok());
    EXPECT_EQ(window({3, 0}, {2, 4}).error().code, "ENGINE_WINDOW");
    EXPECT_EQ(window({-1, 0}, {1, 8}).error().code, "ENGINE_WINDOW");
    EXPECT_EQ(window({0, 0}, {-1, -8}).error().code, "ENGINE_WINDOW");
    EXPECT_EQ(window({1, std::numeric_limits<std::int64_t>::max()}, {1, 8}).error().code, "ENGINE_WINDOW");
    EXPECT_EQ(window({0}, {8}).error().code, "ENGINE_WINDOW");
    EXPECT_EQ(window({0, 0}, {1, 7}).error().code, "ENGINE_OUT_SIZE");
    EXPECT_EQ(compiled.fill_range(25, out).error().code, "ENGINE_WINDOW");
    EXPECT_EQ(compiled.fill_range(-1, out).error().code, "ENGINE_WINDOW");
    EXPECT_TRUE(compiled.fill_range(24, out).ok());

    const Shape fixed{0, 0}, rows{3}, cols{0, 1, 2, 3, 4, 5, 6, 7}, bad{8};
    EXPECT_TRUE(compiled.sample({0, 1, fixed, rows, cols}, out).ok());
    EXPECT_EQ(compiled.sample({0, 0, fixed, rows, cols}, out).error().code, "ENGINE_SECTION");
    EXPECT_EQ(compiled.sample({0, 2, fixed, rows, cols}, out).error().code, "ENGINE_SECTION");
    EXPECT_EQ(compiled.sample({0, 1, rows, rows, cols}, out).error().code, "ENGINE_SECTION");
    EXPECT_EQ(compiled.sample({0, 1, fixed, bad, cols}, out).error().code, "ENGINE_SECTION");
    EXPECT_EQ(compiled.sample({0, 1, fixed, rows, bad}, out).error().code, "ENGINE_SECTION");
    EXPECT_EQ(compiled.sample({0, 1, fixed, rows, rows}, out).error().code, "ENGINE_OUT_SIZE");
}

TEST(EngineForward, LongFillsReportAndStop) {
    const std::int64_t n = 3000;
    const auto compiled = compile(Layout(row_major(Shape{n, n})), Shape{n, n}).value();
    std::vector<std::int32_t> out(static_cast<std::size_t>(n * n));
    std::vector<double> told;
    Watch watch{nullptr, [&](double part) { told.push_back(part); }};
    ASSERT_TRUE(compiled.fill(out, {.watch = &watch}).ok());
    EXPECT_GE(told.size(), 8U);
    EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
    EXPECT_DOUBLE_EQ(told.back(), 1.0);
    EXPECT_EQ(out.back(), n * n - 1);

    std::atomic<bool> cancel = false;
    watch = {&cancel, [&](double part) { cancel = part > 0.3; }};
    std::fill(out.begin(), out.end(), -1);
    EXPECT_EQ(compiled.fill(out, {.watch = &watch}).error().code, "ENGINE_CANCELLED");
    EXPECT_EQ(out.front(), 0);
    EXPECT_EQ(out.back(), -1);
    const Shape begin{0, 1}, extent{n, n - 1};
    std::vector<std::int32_t> rows(static_cast<std::size_t>(n * (n - 1)));
    cancel = false;
    EXPECT_EQ(compiled.fill({begin, extent}, rows, {.watch = &watch}).error().code, "ENGINE_CANCELLED");
}

/// By the definition: every break of the run along d must fall on a multiple of it.
std::int64_t run_by_definition(const CompiledLayout& compiled, std::size_t d) {
    std::int64_t run = compiled.shape()[d];
    for (std::int64_t i = 0; i < compiled.elements(); ++i) {
        Shape x = compiled.coordinate(i);
        if (x[d] == 0) continue;
        Shape before = x;
        --before[d];
        if (compiled.offset(x) != compiled.offset(before) + 1) run = std::gcd(run, x[d]);
    }
    return run;
}

TEST(EngineForward, ContiguousRunsAreWhatTheySay) {
    Generator generator(7);
    int long_runs = 0;
    for (int round = 0; round < 500; ++round) {
        const Case c =
            generator.next({.any_strides = generator.chance(50), .mismatched_shape = false, .most_elements = 400});
        const auto compiled = compile(c.layout, c.shape).value();
        const Shape runs = compiled.contiguous_runs();
        for (std::size_t d = 0; d < runs.size(); ++d) {
            const std::int64_t exact = run_by_definition(compiled, d);
            ASSERT_EQ(exact % runs[d], 0) << describe(c) << " dim " << d << ": " << runs[d] << " of " << exact;
            if (compiled.swizzle().kind == Swizzle::Kind::None && compiled.is_separable()) {
                ASSERT_EQ(runs[d], exact) << describe(c) << " dim " << d;
            }
            long_runs += runs[d] > 1 ? 1 : 0;
        }
    }
    EXPECT_GT(long_runs, 50);
    // 128-byte swizzle of 8 × 64 halves: 8 elements, 16 bytes, stay together along a row.
    const auto smem = compile(Layout(ComposeLayout{3, 3, 3, row_major(Shape{8, 64}), true}), Shape{8, 64}).value();
    EXPECT_THAT(smem.contiguous_runs(), ElementsAre(1, 8));
    const auto nz = compile(Layout(tile({{64, 16, {}}, {4, 1024, {}}, {16, 1, {}}})), Shape{64, 64}).value();
    EXPECT_THAT(nz.contiguous_runs(), ElementsAre(1, 16));
}

} // namespace
} // namespace ls::engine
