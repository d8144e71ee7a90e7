#include "core/scene/grid_camera.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "core/scene/metrics.h"

namespace ls::scene {
namespace {

GridView view(std::int64_t rows, std::int64_t cols, Camera camera = {0, 0, 8}, double aspect = 1, double dpr = 1) {
    return {rows, cols, aspect, 800, 700, dpr, camera};
}

TEST(Metrics, AreTheTokens) {
    const Metrics& m = Metrics::builtin();
    EXPECT_EQ(m.zoom_max, 96);
    EXPECT_EQ(m.zoom_min, 1.0 / 4096);
    EXPECT_EQ(m.texture_below, 2);
    EXPECT_EQ(m.three_labels, 52);
    EXPECT_EQ(m.run[1], (LineStep{12, 0.5, 0.28}));
    EXPECT_EQ(m.tile[2], (LineStep{12, 1.25, 0.7}));
    EXPECT_EQ(m.block[1], (LineStep{6, 1.75, 1}));
    EXPECT_EQ(m.hover, 2.5);
    EXPECT_FALSE(Metrics::from_tokens("{}").ok());
    EXPECT_EQ(Metrics::from_tokens("{}").error().message, "token /zoom/min is missing or no number");
}

TEST(GridView, FitShowsTheWholeGridAtWholePixels) {
    GridView v = view(64, 64);
    v.camera = v.fit();
    EXPECT_EQ(v.camera, (Camera{0, 0, 10})); // 700 / 64 = 10.9
    EXPECT_EQ(v.visible(), (CellRect{0, 0, 64, 64}));
    EXPECT_EQ(v.picture(), (Rect{0, 0, 640, 640}));

    v = view(4096, 4096);
    v.camera = v.fit();
    EXPECT_DOUBLE_EQ(v.camera.zoom, 700.0 / 4096);
    EXPECT_EQ(v.visible(), (CellRect{0, 0, 4096, 4096}));

    v = view(std::int64_t{1} << 40, 16);
    v.camera = v.fit();
    EXPECT_LT(v.camera.zoom, Metrics::builtin().zoom_min) << "a huge grid must still fit";
    EXPECT_EQ(v.visible().rows, std::int64_t{1} << 40);
}

TEST(GridView, ZoomKeepsTheCellUnderThePointer) {
    std::mt19937 random(7);
    for (int i = 0; i < 500; ++i) {
        GridView v = view(100000, 100000, {0, 0, 8}, i % 3 == 0 ? 2 : 1, i % 2 == 0 ? 1 : 1.5);
        v.camera = v.clamped({std::uniform_real_distribution<>(1000, 90000)(random),
                              std::uniform_real_distribution<>(1000, 90000)(random), 8});
        const Point p{std::uniform_real_distribution<>(0, 799)(random),
                      std::uniform_real_distribution<>(0, 699)(random)};
        const double row = v.camera.origin_row + p.y / v.points_per_row(),
                     col = v.camera.origin_col + p.x / v.points_per_col();
        v.camera = v.zoomed_at(p, std::uniform_real_distribution<>(0.3, 3)(random));
        EXPECT_NEAR(v.camera.origin_row + p.y / v.points_per_row(), row, 1e-6);
        EXPECT_NEAR(v.camera.origin_col + p.x / v.points_per_col(), col, 1e-6);
    }
}

TEST(GridView, ZoomStaysInItsRange) {
    GridView v = view(64, 64);
    v.camera = v.zoomed_at({400, 350}, 1e9);
    EXPECT_EQ(v.camera.zoom, 96);
    v.camera = v.zoomed_at({400, 350}, 1e-12);
    EXPECT_EQ(v.camera.zoom, 1.0 / 4096);
    v.camera = v.zoomed_at({400, 350}, std::nan(""));
    EXPECT_EQ(v.camera.zoom, 1.0 / 4096);
}

TEST(GridView, CellAtAgreesWithDrawnEdges) {
    std::mt19937 random(11);
    for (int i = 0; i < 400; ++i) {
        const double dpr = 1 + 0.5 * (i % 3);
        GridView v = view(5000, 3000, {}, i % 2 == 0 ? 1 : 0.5, dpr);
        v.camera = v.clamped({std::uniform_real_distribution<>(0, 4000)(random),
                              std::uniform_real_distribution<>(0, 2000)(random),
                              std::uniform_real_distribution<>(2, 90)(random)});
        const Point p{std::uniform_real_distribution<>(0, 799)(random),
                      std::uniform_real_distribution<>(0, 699)(random)};
        const auto cell = v.cell_at(p);
        ASSERT_TRUE(cell.has_value());
        const Rect r = v.rect_of(*cell);
        EXPECT_TRUE(r.contains(p)) << p.x << "," << p.y << " in " << r.x << ".." << r.right() << " " << r.y << ".."
                                   << r.bottom();
        EXPECT_TRUE(v.visible().contains(*cell));
    }
}

TEST(GridView, NothingIsHitOutside) {
    GridView v = view(4, 4, {0, 0, 8});
    EXPECT_EQ(v.cell_at({31, 31}), (Cell{3, 3}));
    EXPECT_FALSE(v.cell_at({32, 10}).has_value());
    EXPECT_FALSE(v.cell_at({-1, 10}).has_value());
    EXPECT_FALSE(v.cell_at({10, 700}).has_value());
    EXPECT_FALSE(view(0, 0).cell_at({0, 0}).has_value());
    EXPECT_EQ(view(0, 0).visible(), CellRect{});
}

TEST(GridView, PanIsClampedToTheGrid) {
    GridView big = view(1000, 1000);
    EXPECT_EQ(big.panned(50, 60), big.camera) << "already at the top left";
    big.camera = big.panned(-80, -160);
    EXPECT_EQ(big.camera, (Camera{20, 10, 8}));
    big.camera = big.panned(-1e9, -1e9);
    EXPECT_EQ(big.camera, (Camera{1000 - 700.0 / 8, 1000 - 100.0, 8}));

    GridView small = view(10, 10);
    small.camera = small.panned(1e9, 1e9);
    EXPECT_EQ(small.rect_of(CellRect{0, 0, 10, 10}), (Rect{720, 620, 80, 80})) << "a small grid stays inside";
    small.camera = small.panned(-1e9, -1e9);
    EXPECT_EQ(small.rect_of(CellRect{0, 0, 10, 10}), (Rect{0, 0, 80, 80}));
}

TEST(GridView, CentresAndReveals) {
    GridView v = view(1000, 1000);
    v.camera = v.centred_on({500, 400});
    EXPECT_EQ(v.cell_at({400, 350}), (Cell{500, 400}));
    EXPECT_EQ(v.revealing({500, 400}, 20), v.camera);
    v.camera = v.revealing({900, 400}, 20);
    EXPECT_NEAR(v.rect_of(Cell{900, 400}).bottom(), 680, 1);
    v.camera = v.revealing({0, 0}, 20);
    EXPECT_EQ(v.rect_of(Cell{0, 0}), (Rect{0, 0, 8, 8}));
}

TEST(GridView, PanningMovesEveryEdgeByTheSameDistance) {
    GridView a = view(100000, 100000, {0, 0, 7.3});
    a.camera = a.clamped({123.4, 567.8, 7.3});
    GridView b = a;
    b.camera = a.panned(-37, -11);
    const double dx = a.x_of(600) - b.x_of(600), dy = a.y_of(150) - b.y_of(150);
    EXPECT_NEAR(dx, 37, 1e-9);
    EXPECT_NEAR(dy, 11, 1e-9);
    for (double i = 0; i < 200; ++i) {
        EXPECT_DOUBLE_EQ(a.x_of(i + 500) - b.x_of(i + 500), dx);
        EXPECT_DOUBLE_EQ(a.y_of(i + 100) - b.y_of(i + 100), dy);
    }
}

} // namespace
} // namespace ls::scene
