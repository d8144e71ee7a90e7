#include "core/scene/grid_fill.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "core/scene/oklab.h"
#include "tests/unit/scene/synthetic.h"

namespace ls::scene {
namespace {

using testing_support::FunctionSource;
using testing_support::NzSource;
using namespace std::chrono_literals;

const ColorLut& lut() {
    static const ColorLut built(Theme::builtin(Theme::Kind::Light));
    return built;
}

GridView view(std::int64_t side, Camera camera, double width = 200, double height = 150, double dpr = 1,
              double aspect = 1) {
    return {side, side, aspect, width, height, dpr, camera};
}

Rgba linear_mean(std::vector<Rgba> colours) {
    LinearRgb sum;
    for (Rgba c : colours) {
        const LinearRgb l = to_linear(c);
        sum = {sum.r + l.r, sum.g + l.g, sum.b + l.b};
    }
    const double n = static_cast<double>(colours.size());
    return to_rgba({sum.r / n, sum.g / n, sum.b / n});
}

int difference(Rgba a, Rgba b) { return std::max({std::abs(a.r - b.r), std::abs(a.g - b.g), std::abs(a.b - b.b)}); }

const ColorKey kA = ColorKey::role(Role::Panel), kB = ColorKey::role(Role::Ink);

TEST(GridFill, OneTexelACellWhenZoomedIn) {
    const auto source = std::make_shared<NzSource>(64, 64);
    const CellImage image = GridFill::complete(view(64, {10, 20, 8}), source, lut());
    EXPECT_EQ(image.width, 25);  // 200 / 8
    EXPECT_EQ(image.height, 19); // 150 / 8 = 18.75
    EXPECT_EQ(image.rect, (Rect{0, 0, 200, 152}));
    for (int r = 0; r < image.height; ++r) {
        for (int c = 0; c < image.width; ++c) {
            const ColorKey key = ColorKey::category(static_cast<std::uint32_t>((20 + c) / 16 % 4),
                                                    static_cast<std::uint32_t>((10 + r) / 16));
            ASSERT_EQ(image.pixels[static_cast<std::size_t>(r * image.width + c)], lut().color(key)) << r << "," << c;
        }
    }
}

TEST(GridFill, CheckerboardsHaveTheirMeanEverywhere) {
    const Rgba mean = linear_mean({lut().color(kA), lut().color(kB)});
    for (const int period : {1, 2, 4}) {
        const auto board = std::make_shared<FunctionSource>(
            [period](std::int64_t r, std::int64_t c) { return ((r / period) ^ (c / period)) & 1 ? kA : kB; });
        for (const int per_pixel : {8 * period, 16 * period, 32 * period, 64, 80, 128, 300, 437, 1000}) {
            if (per_pixel < 8 * period) continue;
            const CellImage image = GridFill::complete(view(1 << 20, {0, 0, 1.0 / per_pixel}, 60, 40), board, lut());
            ASSERT_EQ(image.pixels.size(), 60U * 40U);
            int worst = 0;
            for (Rgba p : image.pixels) worst = std::max(worst, difference(p, mean));
            EXPECT_LE(worst, 2) << "period " << period << ", " << per_pixel << " cells a pixel";
        }
    }
}

TEST(GridFill, FinestCheckerboardHasNoBeatAtAnyZoom) {
    const Rgba mean = linear_mean({lut().color(kA), lut().color(kB)});
    const auto board =
        std::make_shared<FunctionSource>([](std::int64_t r, std::int64_t c) { return (r ^ c) & 1 ? kA : kB; });
    for (const double per_pixel : {1.03, 1.5, 2.0, 2.2, 3.0, 3.3, 4.9, 6.1, 7.99, 8.3, 9.7, 13.1, 31.7, 65.3, 82.1}) {
        const CellImage image = GridFill::complete(view(65536, {100.3, 77.7, 1 / per_pixel}, 80, 50), board, lut());
        int worst = 0;
        for (Rgba p : image.pixels) worst = std::max(worst, difference(p, mean));
        EXPECT_LE(worst, 2) << per_pixel << " cells a pixel";
    }
}

TEST(GridFill, MeansAreNearTheTrueOnes) {
    // Blocks of 16 columns in four colours with four shades, at zooms where a pixel holds whole and broken blocks.
    // The judge weighs every cell: by a box up to 8 cells a pixel, by a tent of two pixels beyond.
    const auto nz = std::make_shared<NzSource>(65536, 65536);
    std::vector<LinearRgb> linear;
    for (std::uint32_t key = 0; key < 16; ++key)
        linear.push_back(to_linear(lut().color(ColorKey::category(key / 4, key % 4))));
    for (const double per_pixel : {2.7, 5.85, 11.0, 23.0, 52.0, 93.6}) {
        const GridView v = view(65536, {3000, 3000, 1 / per_pixel}, 20, 12);
        const CellImage image = GridFill::complete(v, nz, lut());
        const bool tent = per_pixel >= 8;
        const auto weights = [&](double pixel) {
            std::vector<std::pair<std::int64_t, double>> out;
            const double middle = (pixel + 0.5) * per_pixel, reach = (tent ? 1 : 0.5) * per_pixel;
            for (auto cell = static_cast<std::int64_t>(middle - reach); static_cast<double>(cell) < middle + reach;
                 ++cell) {
                const double away = std::abs(static_cast<double>(cell) + 0.5 - middle) / per_pixel;
                out.emplace_back(cell, tent ? std::max(0.0, 1 - away) : 1);
            }
            return out;
        };
        const double top = std::round(3000 / per_pixel), left = std::round(3000 / per_pixel);
        double total = 0;
        for (int y = 0; y < image.height; ++y) {
            for (int x = 0; x < image.width; ++x) {
                LinearRgb sum;
                double weight = 0;
                const auto col_weights = weights(left + x);
                for (const auto& [r, wr] : weights(top + y)) {
                    for (const auto& [c, wc] : col_weights) {
                        const LinearRgb& l = linear[static_cast<std::size_t>(c / 16 % 4 * 4 + r / 16 % 4)];
                        sum = {sum.r + wr * wc * l.r, sum.g + wr * wc * l.g, sum.b + wr * wc * l.b};
                        weight += wr * wc;
                    }
                }
                const Rgba expected = to_rgba({sum.r / weight, sum.g / weight, sum.b / weight});
                total += difference(image.pixels[static_cast<std::size_t>(y * image.width + x)], expected);
            }
        }
        EXPECT_LT(total / static_cast<double>(image.pixels.size()), tent ? 2.5 : 4) << per_pixel << " cells a pixel";
    }
}

TEST(GridFill, ScrolledImageEqualsAFreshOne) {
    const auto nz = std::make_shared<NzSource>(1 << 18, 1 << 18);
    std::mt19937 random(5);
    for (const double zoom : {8.0, 3.7, 1.0, 0.61, 0.2, 0.013}) {
        GridFill fill;
        GridView v = view(1 << 18, {1000.25, 2000.75, zoom}, 70, 50, zoom > 3 ? 1.5 : 1);
        fill.update(v, nz, lut(), 1h);
        for (int step = 0; step < 20; ++step) {
            const double dx = std::uniform_real_distribution<>(-40, 40)(random),
                         dy = std::uniform_real_distribution<>(-40, 40)(random);
            v.camera = step == 12 ? v.panned(-500, 300) : v.panned(dx, dy);
            fill.update(v, nz, lut(), 1h);
            const CellImage fresh = GridFill::complete(v, nz, lut());
            ASSERT_EQ(fill.image().rect, fresh.rect) << zoom;
            ASSERT_EQ(fill.image().width, fresh.width);
            ASSERT_TRUE(std::equal(fresh.pixels.begin(), fresh.pixels.end(), fill.image().pixels.begin()))
                << zoom << " step " << step;
        }
    }
}

TEST(GridFill, ScrollingAsksOnlyForWhatCameIntoSight) {
    const auto nz = std::make_shared<NzSource>(1 << 18, 1 << 18);
    GridFill fill;
    GridView v = view(1 << 18, {1000, 2000, 0.25});
    fill.update(v, nz, lut(), 1h);
    const std::uint64_t whole = fill.samples();
    EXPECT_EQ(whole, 200U * 150U * 16U); // 4 × 4 cells a pixel
    v.camera = v.panned(-5, 0);
    const auto outcome = fill.update(v, nz, lut(), 1h);
    EXPECT_TRUE(outcome.changed);
    EXPECT_FALSE(outcome.more);
    EXPECT_EQ(fill.samples() - whole, 5U * 150U * 16U);
    EXPECT_FALSE(fill.update(v, nz, lut(), 1h).changed) << "nothing moved";
}

TEST(GridFill, RefinesToTheSameImageInSmallSteps) {
    const auto nz = std::make_shared<NzSource>(1 << 18, 1 << 18);
    GridView v = view(1 << 18, {1000, 2000, 0.011}, 300, 300);
    GridFill fill;
    auto outcome = fill.update(v, nz, lut(), 0ns);
    EXPECT_TRUE(outcome.changed);
    EXPECT_TRUE(outcome.more);
    for (Rgba p : fill.image().pixels) ASSERT_EQ(p.a, 255);
    // Pan while it is still coarse, then let it finish.
    v.camera = v.panned(-17, -9);
    outcome = fill.update(v, nz, lut(), 0ns);
    EXPECT_TRUE(outcome.more);
    int calls = 0;
    while (fill.update(v, nz, lut(), 500us).more) ASSERT_LT(++calls, 100000);
    EXPECT_GT(calls, 3);
    EXPECT_EQ(fill.image().pixels, GridFill::complete(v, nz, lut()).pixels);
}

TEST(GridFill, CoarsePicturesAreMeansToo) {
    const Rgba mean = linear_mean({lut().color(kA), lut().color(kB)});
    const auto board =
        std::make_shared<FunctionSource>([](std::int64_t r, std::int64_t c) { return (r ^ c) & 1 ? kA : kB; });
    GridFill fill;
    EXPECT_TRUE(fill.update(view(1 << 18, {0, 0, 0.0123}, 300, 300), board, lut(), 0ns).more);
    double worst = 0;
    for (Rgba p : fill.image().pixels) worst = std::max<double>(worst, difference(p, mean));
    EXPECT_LE(worst, 2) << "the first passes already meet both parities evenly";
}

TEST(GridFill, LongDragsWithoutTimeStayWhole) {
    const auto nz = std::make_shared<NzSource>(1 << 18, 1 << 18);
    GridView v = view(1 << 18, {90000, 90000, 0.02}, 200, 200);
    GridFill fill;
    fill.update(v, nz, lut(), 0ns);
    for (int i = 0; i < 60; ++i) {
        v.camera = v.panned(i % 2 == 0 ? -3 : 4, -2);
        fill.update(v, nz, lut(), 0ns);
        for (Rgba p : fill.image().pixels) ASSERT_EQ(p.a, 255);
        for (Rgba p : fill.image().pixels) ASSERT_NE(p, (Rgba{0, 0, 0, 255})) << "a texel was never filled";
    }
    int calls = 0;
    while (fill.update(v, nz, lut(), 5ms).more) ASSERT_LT(++calls, 10000);
    EXPECT_EQ(fill.image().pixels, GridFill::complete(v, nz, lut()).pixels);
}

TEST(GridFill, MixesCellsAndPixelsWhenCellsAreNotSquare) {
    // 4 px wide, a quarter pixel tall: columns are cells, rows are means.
    const auto stripes =
        std::make_shared<FunctionSource>([](std::int64_t r, std::int64_t c) { return (r + c) & 1 ? kA : kB; });
    const CellImage image = GridFill::complete(view(4096, {0, 0, 0.25}, 100, 100, 1, 16), stripes, lut());
    EXPECT_EQ(image.width, 25);
    EXPECT_EQ(image.height, 100);
    const Rgba mean = linear_mean({lut().color(kA), lut().color(kB)});
    for (Rgba p : image.pixels) EXPECT_LE(difference(p, mean), 1);
}

TEST(GridFill, EmptyAndTinyGridsAreHarmless) {
    const auto source = std::make_shared<FunctionSource>([](std::int64_t, std::int64_t) { return kA; });
    GridFill fill;
    EXPECT_FALSE(fill.update({0, 0, 1, 200, 150, 1, {0, 0, 8}}, source, lut(), 1ms).more);
    EXPECT_TRUE(fill.image().pixels.empty());
    EXPECT_FALSE(fill.update({5, 5, 1, 0, 0, 1, {0, 0, 8}}, source, lut(), 1ms).more);
    EXPECT_FALSE(fill.update({5, 5, 1, 200, 150, 1, {0, 0, 0}}, source, lut(), 1ms).more);
    EXPECT_FALSE(fill.update({5, 5, 1, 200, 150, 1, {0, 0, 8}}, nullptr, lut(), 1ms).more);
    const CellImage dot = GridFill::complete({3, 3, 1, 200, 150, 1, {0, 0, 0.01}}, source, lut());
    EXPECT_EQ(dot.pixels, std::vector<Rgba>{lut().color(kA)}) << "a grid below a pixel keeps one";
}

TEST(GridFill, InvalidateAsksAgain) {
    auto shown = kA;
    const auto source = std::make_shared<FunctionSource>([&shown](std::int64_t, std::int64_t) { return shown; });
    GridFill fill;
    const GridView v = view(64, {0, 0, 8});
    fill.update(v, source, lut(), 1h);
    shown = kB;
    fill.invalidate();
    EXPECT_TRUE(fill.update(v, source, lut(), 1h).changed);
    EXPECT_EQ(fill.image().pixels.front(), lut().color(kB));
}

} // namespace
} // namespace ls::scene
