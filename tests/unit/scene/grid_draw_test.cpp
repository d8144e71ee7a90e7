#include "core/scene/grid_draw.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/scene/grid_fill.h"
#include "tests/unit/scene/synthetic.h"

namespace ls::scene {
namespace {

using testing::Contains;
using testing::Not;
using testing_support::FixedMeasure;
using testing_support::FunctionSource;
using testing_support::nz_scene;

const FixedMeasure kMeasure;

struct Frame {
    GridScene scene;
    GridLayout layout;
    GridDrawing drawing;
};

Frame draw(GridScene scene, Camera camera, GridFocus focus = {}, GridDrawOptions options = {}, double w = 585,
           double h = 640, double dpr = 1) {
    Frame f{std::move(scene), {}, {}};
    f.layout = layout_grid(f.scene, w, h, dpr, kMeasure, options);
    f.drawing = draw_grid(f.scene, camera, f.layout, focus, kMeasure, options);
    return f;
}

template <class M>
std::vector<M> all(const DrawList& list) {
    std::vector<M> out;
    for (const Mark& mark : list.marks) {
        if (const M* m = std::get_if<M>(&mark)) out.push_back(*m);
    }
    return out;
}

std::vector<std::string> texts(const DrawList& list) {
    std::vector<std::string> out;
    for (const Text& t : all<Text>(list)) out.push_back(t.utf8);
    return out;
}

Rect box_of(const Text& t) {
    const double w = kMeasure.width(t.utf8, t.face, t.size);
    const double x = t.h == HAlign::Left ? t.at.x : t.h == HAlign::Right ? t.at.x - w : t.at.x - w / 2;
    return {x, t.at.y - 7, w, 14};
}

bool inside(const Rect& inner, const Rect& outer) {
    return inner.x >= outer.x - 1e-9 && inner.y >= outer.y - 1e-9 && inner.right() <= outer.right() + 1e-9 &&
           inner.bottom() <= outer.bottom() + 1e-9;
}

Camera zoom(double z, double row = 0, double col = 0) { return {row, col, z}; }

TEST(GridDraw, LayoutKeepsGuttersAndTheLegendApart) {
    const Frame f = draw(nz_scene(64, 64), zoom(8));
    EXPECT_GE(f.layout.area.x, 40);
    EXPECT_EQ(f.layout.area.y, 38);
    EXPECT_GE(f.layout.legend_height, 60) << "two rows";
    EXPECT_NEAR(f.layout.area.bottom() + f.layout.legend_height, 640, 1);
    const GridDrawOptions bare{false, false, false, LinkSide::None};
    const GridLayout plain = layout_grid(f.scene, 585, 640, 1, kMeasure, bare);
    EXPECT_EQ(plain.area, (Rect{18, 18, 549, 604}));
}

TEST(GridDraw, LayoutIsTheSameForEveryCamera) {
    const Frame near = draw(nz_scene(64, 64), zoom(60)), far = draw(nz_scene(64, 64), zoom(2));
    EXPECT_EQ(near.layout.area, far.layout.area);
}

TEST(GridDraw, GeometryMapsTheMouse) {
    const Frame f = draw(nz_scene(64, 64), zoom(8));
    const GridGeometry& g = f.drawing.geometry;
    EXPECT_EQ(g.area, f.layout.area);
    EXPECT_EQ(g.picture, (Rect{f.layout.area.x, f.layout.area.y, std::min(512.0, f.layout.area.w),
                               std::min(512.0, f.layout.area.h)}));
    const Cell cell{37, 21};
    const Rect r = g.rect_of(cell);
    EXPECT_EQ(r, (Rect{g.area.x + 21 * 8, g.area.y + 37 * 8, 8, 8}));
    EXPECT_EQ(g.cell_at({r.x + 4, r.y + 4}), cell);
    EXPECT_FALSE(g.cell_at({g.area.x - 1, r.y}).has_value());
}

TEST(GridDraw, BlocksAreNamedFromSixToTwentyFour) {
    EXPECT_THAT(texts(draw(nz_scene(64, 64), zoom(4)).drawing.list), Not(Contains("block 1 · fractal 2")));
    const Frame at9 = draw(nz_scene(64, 64), zoom(9));
    EXPECT_THAT(texts(at9.drawing.list), Contains("block 1 · fractal 2"));
    EXPECT_THAT(texts(at9.drawing.list), Contains("0x0C00"));
    const Frame at18 = draw(nz_scene(64, 64), zoom(18));
    EXPECT_THAT(texts(at18.drawing.list), Contains("block 0 · fractal 0"));
    EXPECT_THAT(texts(at18.drawing.list), Not(Contains("0x0000"))) << "plates carry the name alone";
    EXPECT_THAT(texts(draw(nz_scene(64, 64), zoom(40)).drawing.list), Not(Contains("block 0 · fractal 0")));
}

TEST(GridDraw, ElementsCarryOneThenThreeLabels) {
    EXPECT_THAT(texts(draw(nz_scene(64, 64), zoom(20)).drawing.list), Not(Contains("83")));
    const auto one = texts(draw(nz_scene(64, 64), zoom(40)).drawing.list);
    EXPECT_THAT(one, Contains("83"));
    EXPECT_THAT(one, Not(Contains("5, 3")));
    GridFocus chosen;
    chosen.label = CellLabel::Coordinate;
    EXPECT_THAT(texts(draw(nz_scene(64, 64), zoom(40), chosen).drawing.list), Contains("5, 3"));
    const auto three = texts(draw(nz_scene(64, 64), zoom(60)).drawing.list);
    EXPECT_THAT(three, Contains("83"));
    EXPECT_THAT(three, Contains("5, 3"));
    EXPECT_THAT(three, Contains("0x0A6"));
}

TEST(GridDraw, LabelsThatDoNotFitAreLeftOut) {
    GridScene wide = nz_scene(64, 1 << 20); // offsets up to eight digits
    const Frame f = draw(wide, zoom(27, 40, 900000));
    for (const Text& t : all<Text>(f.drawing.list)) {
        const bool digits = std::all_of(t.utf8.begin(), t.utf8.end(), [](char c) { return c >= '0' && c <= '9'; });
        const auto cell = f.drawing.geometry.cell_at(t.at);
        if (t.h == HAlign::Centre && digits && cell) FAIL() << t.utf8 << " is wider than 27 px";
    }
    EXPECT_THAT(texts(draw(nz_scene(64, 64), zoom(27)).drawing.list), Contains("17"));
}

TEST(GridDraw, EveryLabelFitsItsBlockWithRoomRoundIt) {
    std::mt19937 random(3);
    for (int i = 0; i < 200; ++i) {
        const double z = std::exp(std::uniform_real_distribution<>(std::log(5.0), std::log(90.0))(random));
        GridFocus focus;
        focus.hover = {std::uniform_int_distribution<>(0, 255)(random),
                       std::uniform_int_distribution<>(0, 255)(random)};
        focus.pins = {{{10, 10}, 1}, {focus.hover, 2}};
        const Frame f = draw(
            nz_scene(256, 256),
            zoom(z, std::uniform_real_distribution<>(0, 150)(random), std::uniform_real_distribution<>(0, 150)(random)),
            focus);
        const Rect area = f.layout.area;
        for (const Text& t : all<Text>(f.drawing.list)) {
            const Rect box = box_of(t);
            EXPECT_TRUE(inside(box, {0, 0, 585, 640})) << t.utf8 << " leaves the picture at zoom " << z;
            const bool label = t.utf8.starts_with("block ") && t.face == FontFace::UiBold;
            if (!label || !area.contains(t.at)) continue;
            EXPECT_TRUE(inside(box, area)) << t.utf8;
            // Its own fractal: block b holds columns 16b, fractal f rows 16f.
            int b = 0, k = 0;
            ASSERT_EQ(std::sscanf(t.utf8.c_str(), "block %d · fractal %d", &b, &k), 2);
            const Rect first = f.drawing.geometry.rect_of({16 * k, 16 * b}),
                       last = f.drawing.geometry.rect_of({16 * k + 15, 16 * b + 15});
            EXPECT_GE(box.x, first.x + 4 - 1e-9) << t.utf8;
            EXPECT_LE(box.right(), last.right() - 4 + 1e-9) << t.utf8;
            EXPECT_GE(box.y, first.y) << t.utf8;
            EXPECT_LE(box.bottom(), last.bottom()) << t.utf8;
            // It dodges the hovered run.
            const Rect run0 = f.drawing.geometry.rect_of({focus.hover.row, focus.hover.col / 16 * 16});
            const Rect run{run0.x, run0.y, 16 * run0.w, run0.h};
            const bool apart =
                box.right() <= run.x || run.right() <= box.x || box.y + 2 >= run.bottom() || box.bottom() - 2 <= run.y;
            EXPECT_TRUE(apart) << t.utf8 << " hides the hovered run at zoom " << z;
        }
    }
}

TEST(GridDraw, HoverShowsElementRunTileGuidesAndPills) {
    GridFocus focus;
    focus.hover = {37, 21};
    const Frame f = draw(nz_scene(64, 64), zoom(8), focus, {true, true, false, LinkSide::Right});
    const auto said = texts(f.drawing.list);
    EXPECT_THAT(said, Contains("37"));
    EXPECT_THAT(said, Contains("c 21"));
    const Rect area = f.layout.area;
    const auto has_frame = [&](Rect r, double least) {
        const auto frames = all<StrokeRect>(f.drawing.list);
        return std::any_of(frames.begin(), frames.end(), [&](const StrokeRect& s) {
            return std::abs(s.rect.x - r.x) <= 1.5 && std::abs(s.rect.y - r.y) <= 1.5 &&
                   std::abs(s.rect.right() - r.right()) <= 1.5 && std::abs(s.rect.bottom() - r.bottom()) <= 1.5 &&
                   s.width >= least && s.stroke.color == ColorKey::role(Role::HoverEdge);
        });
    };
    EXPECT_TRUE(has_frame({area.x + 168, area.y + 296, 8, 8}, 2)) << "element";
    EXPECT_TRUE(has_frame({area.x + 128, area.y + 296, 128, 8}, 1)) << "run";
    EXPECT_TRUE(has_frame({area.x + 128, area.y + 256, 128, 128}, 2)) << "tile";
    EXPECT_EQ(all<Polyline>(f.drawing.list).size(), 3U) << "guides left, up and to the link";
    ASSERT_TRUE(f.drawing.geometry.link.has_value());
    EXPECT_EQ(f.drawing.geometry.link->x, f.drawing.geometry.picture.right());
    EXPECT_EQ(f.drawing.geometry.link->y, area.y + 300);
}

TEST(GridDraw, PillsReplaceTicksNearby) {
    const Frame plain = draw(nz_scene(64, 64), zoom(8));
    EXPECT_THAT(texts(plain.drawing.list), Contains("32"));
    GridFocus near;
    near.hover = {32, 40}; // 3 px under the tick's middle
    const Frame f = draw(nz_scene(64, 64), zoom(8), near);
    int pills = 0;
    for (const Text& t : all<Text>(f.drawing.list)) {
        if (t.utf8 == "32") {
            ++pills;
            EXPECT_EQ(t.ink.color, ColorKey::role(Role::OnPlate));
        }
        EXPECT_NE(t.utf8, "32–47") << "12 px from the pill of column 40";
    }
    EXPECT_EQ(pills, 1);
    EXPECT_THAT(texts(f.drawing.list), Contains("48"));
}

TEST(GridDraw, TicksDoNotTouchAtAnyZoom) {
    for (double z = 0.01; z < 96; z *= 1.13) {
        const Frame f = draw(nz_scene(4096, 4096), zoom(z, 3, 5));
        std::vector<Rect> boxes;
        for (const Text& t : all<Text>(f.drawing.list)) {
            if (t.ink.color == ColorKey::role(Role::Text3) && t.face == FontFace::Mono) boxes.push_back(box_of(t));
        }
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            for (std::size_t k = 0; k < i; ++k) {
                const bool apart = boxes[i].x >= boxes[k].right() || boxes[k].x >= boxes[i].right() ||
                                   boxes[i].y >= boxes[k].bottom() || boxes[k].y >= boxes[i].bottom();
                EXPECT_TRUE(apart) << "zoom " << z;
            }
        }
        EXPECT_GE(boxes.size(), 2U) << "no ticks at zoom " << z;
    }
}

TEST(GridDraw, FindingsNeverVanish) {
    GridScene scene = nz_scene(4096, 4096);
    scene.overlays = {{{2000, 2000, 1, 1}, Overlay::Kind::Finding, ""}};
    for (double z = 0.05; z < 96; z *= 1.21) {
        GridLayout layout = layout_grid(scene, 585, 640, 1, kMeasure);
        GridView view = layout.view(scene, zoom(z));
        const Camera camera = view.centred_on({2000, 2000});
        const GridDrawing d = draw_grid(scene, camera, layout, {}, kMeasure);
        double largest = 0;
        const auto see = [&](const Rect& r, ColorKey c) {
            if (c == ColorKey::role(Role::Finding)) largest = std::max(largest, std::min(r.w, r.h));
        };
        for (const FillRect& r : all<FillRect>(d.list)) see(r.rect, r.fill.color);
        for (const StrokeRect& r : all<StrokeRect>(d.list)) see(r.rect, r.stroke.color);
        EXPECT_GE(largest, 7) << "zoom " << z;
        if (z < 6) {
            EXPECT_THAT(texts(d.list), Contains("1 finding")) << "zoom " << z;
        }
    }
}

TEST(GridDraw, FindingsThatWouldTouchAreCounted) {
    GridScene scene = nz_scene(4096, 4096);
    for (int i = 0; i < 50; ++i) scene.overlays.push_back({{100 + i, 100, 1, 1}, Overlay::Kind::Finding, "NZ_GM_GAP"});
    scene.overlays.push_back({{3000, 3000, 1, 1}, Overlay::Kind::Finding, "NZ_ROWS"});
    const auto said = texts(draw(scene, zoom(0.1)).drawing.list);
    EXPECT_THAT(said, Contains("50 findings"));
    EXPECT_THAT(said, Contains("NZ_ROWS"));
}

TEST(GridDraw, WindowsAndPinsAndSelectionAreMarked) {
    GridScene scene = nz_scene(64, 64);
    scene.overlays = {{{0, 16, 32, 16}, Overlay::Kind::Window, "load"},
                      {{48, 0, 16, 16}, Overlay::Kind::Unused, "slack"}};
    GridFocus focus;
    focus.pins = {{{5, 5}, 1}, {{60, 60}, 9}, {{100, 100}, 3}};
    focus.selected = {{20, 3}, {20, 2}, {20, 4}, {30, 9}};
    focus.keyboard_focus = true;
    const Frame f = draw(scene, zoom(8), focus);
    const auto said = texts(f.drawing.list);
    EXPECT_THAT(said, Contains("load"));
    EXPECT_THAT(said, Contains("1"));
    EXPECT_THAT(said, Contains("9"));
    EXPECT_THAT(said, Not(Contains("3"))) << "a pin outside the grid";
    int selected = 0, rings = 0;
    for (const StrokeRect& s : all<StrokeRect>(f.drawing.list)) {
        if (s.stroke.color == ColorKey::role(Role::Selected)) ++selected;
        if (s.stroke.color == ColorKey::role(Role::Accent)) ++rings;
    }
    EXPECT_EQ(selected, 2) << "neighbours share an outline";
    EXPECT_EQ(rings, 1);
    const auto hatches = all<HatchRect>(f.drawing.list);
    ASSERT_EQ(hatches.size(), 1U);
    EXPECT_EQ(hatches[0].pattern, Pattern::Unused);
}

TEST(GridDraw, PatternsStandBesideCategories) {
    const Frame f = draw(nz_scene(64, 64), zoom(8), {}, {true, true, true, LinkSide::None});
    const auto hatches = all<HatchRect>(f.drawing.list);
    EXPECT_EQ(hatches.size(), 12U) << "four fractals in each of three blocks; the first category is plain";
    EXPECT_EQ(std::count_if(hatches.begin(), hatches.end(),
                            [](const HatchRect& h) { return h.pattern == Pattern::Vertical; }),
              4);
}

TEST(GridDraw, LabelsUseInkThatReadsOnMaps) {
    GridScene scene = nz_scene(64, 64);
    class Ramp : public testing_support::NzSource {
    public:
        Ramp() : NzSource(64, 64) {}
        void colors(std::span<const std::int64_t> rows, std::span<const std::int64_t> cols,
                    ColorKey* out) const override {
            for (std::int64_t r : rows) {
                for (std::int64_t c : cols) *out++ = ColorKey::sequential(static_cast<double>(offset({r, c})) / 4095);
            }
        }
    };
    scene.cells = std::make_shared<Ramp>();
    const Frame f = draw(scene, zoom(40));
    int seen = 0;
    for (const Text& t : all<Text>(f.drawing.list)) {
        if (t.utf8 != "17") continue;
        ++seen;
        EXPECT_EQ(t.ink.color, ColorKey::ink_on(ColorKey::sequential(17.0 / 4095)));
    }
    EXPECT_EQ(seen, 1);
}

TEST(GridDraw, ClipsAreBalancedAndEmptyScenesDrawNothing) {
    for (const double z : {0.1, 3.0, 9.0, 30.0, 70.0}) {
        const Frame f = draw(nz_scene(64, 64), zoom(z));
        EXPECT_EQ(all<PushClip>(f.drawing.list).size(), all<PopClip>(f.drawing.list).size());
    }
    GridScene empty;
    EXPECT_TRUE(draw(empty, zoom(8)).drawing.list.marks.empty());
    GridScene no_rows = nz_scene(64, 64);
    no_rows.rows = 0;
    EXPECT_TRUE(draw(no_rows, zoom(8)).drawing.list.marks.empty());
    EXPECT_TRUE(draw(nz_scene(64, 64), zoom(8), {}, {}, 10, 10).drawing.list.marks.empty());
}

TEST(GridDraw, StaysSmallOnHugeGrids) {
    GridScene huge = nz_scene(std::int64_t{1} << 40, std::int64_t{1} << 20);
    huge.row_tick_step.clear();
    huge.col_tick_step.clear();
    for (double z = 1e-12; z < 96; z *= 3) {
        const Frame f =
            draw(huge, zoom(z, 1e11, 5e5), {{std::int64_t{100000000005}, 500007}, {}, {}, {}, CellLabel::None, false});
        EXPECT_LT(f.drawing.list.marks.size(), 8000U) << z;
    }
}

TEST(GridDraw, PutsTheFillUnderEverything) {
    const GridScene scene = nz_scene(64, 64);
    const GridLayout layout = layout_grid(scene, 585, 640, 1, kMeasure);
    const Camera camera = zoom(8);
    const ColorLut lut(Theme::builtin(Theme::Kind::Light));
    const CellImage image = GridFill::complete(layout.view(scene, camera), scene.cells, lut);
    const GridDrawing d = draw_grid(scene, camera, layout, {}, kMeasure, {}, &image);
    const auto images = all<CellImage>(d.list);
    ASSERT_EQ(images.size(), 1U);
    EXPECT_EQ(images[0].rect.x, layout.area.x);
    EXPECT_TRUE(std::holds_alternative<CellImage>(d.list.marks[1]));
}

} // namespace
} // namespace ls::scene
