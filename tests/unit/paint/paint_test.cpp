#include "views/paint/paint.h"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "core/scene/grid_draw.h"
#include "core/scene/grid_fill.h"
#include "core/scene/tree.h"
#include "tests/unit/paint/xml_check.h"
#include "tests/unit/scene/synthetic.h"
#include "views/paint/image_runs.h"
#include "views/paint/utf8.h"

namespace ls::paint {
namespace {

using namespace scene;
using paint::testing_support::xml_fault;
using scene::testing_support::FixedMeasure;
using scene::testing_support::nz_scene;

const Theme& light() { return Theme::builtin(Theme::Kind::Light); }

DrawList grid(std::int64_t side, double zoom, double width, double height, const GridFocus& focus) {
    static const FixedMeasure measure;
    const GridScene scene = nz_scene(side, side);
    const GridLayout layout = layout_grid(scene, width, height, 1, measure);
    const Camera camera{0, 0, zoom};
    const ColorLut lut(light());
    const CellImage image = GridFill::complete(layout.view(scene, camera), scene.cells, lut);
    return draw_grid(scene, camera, layout, focus, measure, {}, &image).list;
}

/// One of each mark, with awkward values.
DrawList every_mark() {
    DrawList list;
    list.width = 200;
    list.height = 100;
    const Paint ink{ColorKey::role(Role::Ink), 0.5F}, fill{ColorKey::category(3)};
    list.add(FillRect{{1, 2, 30, 20}, fill, 4});
    list.add(StrokeRect{{1.25, 2.5, 30, 20}, ink, 1.5, 0, 4, 3});
    for (const Pattern p : {Pattern::Finding, Pattern::Unused, Pattern::Shared, Pattern::Diagonal, Pattern::Horizontal,
                            Pattern::Vertical, Pattern::Cross, Pattern::Dots}) {
        list.add(HatchRect{{40, 2, 20, 20}, p, ink});
    }
    list.add(Polyline{{{0, 0}, {10, 10}, {20, 0}}, ink, 2, 0, 0, true, fill});
    list.add(Curve{{0, 50}, {50, 50}, {50, 90}, {100, 90}, ink, 1.6});
    list.add(Ellipse{{150, 50}, 10, 5, fill, ink, 1});
    list.add(PushClip{{0, 0, 100, 100}});
    list.add(Text{{5, 40},
                  "0x0C <= & \"a\" ᵀ·→",
                  FontFace::MonoBold,
                  12,
                  HAlign::Centre,
                  VAlign::Baseline,
                  ink,
                  ColorKey::role(Role::Canvas)});
    list.add(CellImage{{100, 0, 50, 50}, 2, 1, {{255, 0, 0, 255}, {0, 0, 255, 255}}});
    list.add(PopClip{});
    list.add(PopClip{});                // one too many
    list.add(PushClip{{0, 0, 10, 10}}); // and one left open
    return list;
}

TEST(Svg, IsWellFormedForEveryMark) {
    const auto svg = paint_svg(every_mark(), light(), {Role::Canvas, 1, "A & B <\"x\">"});
    ASSERT_TRUE(svg.ok());
    EXPECT_EQ(xml_fault(*svg), "");
    EXPECT_NE(svg->find(">0x0C &lt;= &amp; &quot;a&quot; ᵀ·→</text>"), std::string::npos) << "text stays text";
    EXPECT_NE(svg->find("<title>A &amp; B &lt;&quot;x&quot;&gt;</title>"), std::string::npos);
    EXPECT_NE(svg->find("<pattern id=\"p0\""), std::string::npos);
    EXPECT_NE(svg->find("<clipPath id=\"c0\""), std::string::npos);
    EXPECT_NE(svg->find("font-feature-settings"), std::string::npos);
}

TEST(Svg, TheJudgeItselfFindsFaults) {
    EXPECT_EQ(xml_fault("<a><b x=\"1\"/>t&amp;</a>"), "");
    for (const char* bad :
         {"<a>", "<a></b>", "<a x=\"1\" x=\"2\"/>", "<a>&</a>", "<a/><b/>", "<a x=1/>", "x<a/>", "<a x=\"<\"/>", ""})
        EXPECT_NE(xml_fault(bad), "") << bad;
}

TEST(Svg, IsTheSameEveryTime) {
    const DrawList list = grid(64, 8, 400, 400, {});
    EXPECT_EQ(*paint_svg(list, light()), *paint_svg(list, light()));
}

TEST(Svg, AnyBytesInTextsGiveValidFiles) {
    std::mt19937 random(47);
    for (int i = 0; i < 300; ++i) {
        DrawList list;
        list.width = list.height = 10;
        std::string text(random() % 12, ' ');
        for (char& c : text) c = static_cast<char>(random() % 256);
        list.add(Text{{0, 0}, text, FontFace::Ui, 11, HAlign::Left, VAlign::Top, {ColorKey::role(Role::Ink)}});
        const auto svg = paint_svg(list, light());
        ASSERT_TRUE(svg.ok());
        ASSERT_EQ(xml_fault(*svg), "");
        for (const char32_t c : code_points(*svg)) ASSERT_TRUE(c >= 0x20) << "control characters are not XML";
    }
}

TEST(Svg, NumbersNeverBreakIt) {
    DrawList list;
    list.width = list.height = 10;
    list.add(FillRect{{NAN, INFINITY, 5, 1e300}, {ColorKey::role(Role::Ink)}});
    list.add(FillRect{{-0.0001, 0.1 + 0.2, 5, 5}, {ColorKey::role(Role::Ink)}});
    const auto svg = paint_svg(list, light());
    ASSERT_TRUE(svg.ok());
    EXPECT_EQ(xml_fault(*svg), "");
    EXPECT_EQ(svg->find("nan"), std::string::npos);
    EXPECT_EQ(svg->find("inf"), std::string::npos);
    EXPECT_NE(svg->find("<rect x=\"0\" y=\"0.3\" width=\"5\" height=\"5\""), std::string::npos);
}

TEST(Svg, CellsAreRectanglesWhileFewAndAPngBeyond) {
    const auto few = paint_svg(grid(64, 8, 400, 400, {}), light());
    EXPECT_EQ(few->find("data:image/png"), std::string::npos);
    CellImage noise{{0, 0, 100, 100}, 100, 100, {}};
    std::mt19937 random(53);
    for (int i = 0; i < 10000; ++i)
        noise.pixels.push_back({static_cast<std::uint8_t>(random()), static_cast<std::uint8_t>(random()), 0, 255});
    DrawList list;
    list.width = list.height = 100;
    list.add(noise);
    const auto many = paint_svg(list, light());
    EXPECT_NE(many->find("data:image/png;base64,iVBORw0KGgo"), std::string::npos);
    EXPECT_EQ(xml_fault(*many), "");
}

TEST(Svg, AnEightByEightGridIsAsReviewed) {
    GridFocus focus;
    focus.hover = {5, 2};
    focus.pins = {{{1, 6}, 1}};
    const auto svg = paint_svg(grid(8, 30, 330, 370, focus), light(), {Role::Canvas, 1, "8 × 8"});
    ASSERT_TRUE(svg.ok());
    const std::string path = std::string(LS_SOURCE_DIR) + "/tests/unit/paint/golden/grid_8x8.svg";
    if (std::getenv("LS_UPDATE_GOLDEN") != nullptr) std::ofstream(path, std::ios::binary) << *svg;
    std::ifstream file(path, std::ios::binary);
    std::stringstream golden;
    golden << file.rdbuf();
    EXPECT_EQ(*svg, golden.str()) << "run with LS_UPDATE_GOLDEN=1 and look at the picture";
}

TEST(Runs, CoverTheImageOnce) {
    std::mt19937 random(59);
    for (int i = 0; i < 300; ++i) {
        CellImage image{{}, 1 + static_cast<int>(random() % 12), 1 + static_cast<int>(random() % 12), {}};
        for (int k = 0; k < image.width * image.height; ++k)
            image.pixels.push_back({static_cast<std::uint8_t>(random() % 2), 0, 0, 255});
        const auto runs = merged_runs(image, 1000);
        ASSERT_TRUE(runs.has_value());
        std::vector<int> covered(image.pixels.size(), 0);
        for (const ColorRun& run : *runs) {
            for (int y = run.y; y < run.y + run.h; ++y) {
                for (int x = run.x; x < run.x + run.w; ++x) {
                    const auto at = static_cast<std::size_t>(y * image.width + x);
                    ++covered[at];
                    ASSERT_EQ(image.pixels[at], run.color);
                }
            }
        }
        for (const int n : covered) ASSERT_EQ(n, 1);
    }
    const CellImage plain{{}, 50, 40, std::vector<Rgba>(2000)};
    EXPECT_EQ(merged_runs(plain, 1), (std::vector<ColorRun>{{{}, 0, 0, 50, 40}}));
    const CellImage broken{{}, 50, 40, std::vector<Rgba>(3)};
    EXPECT_TRUE(merged_runs(broken, 1)->empty());
}

std::uint32_t big_endian(const std::string& bytes, std::size_t at) {
    std::uint32_t v = 0;
    for (std::size_t i = 0; i < 4; ++i) v = (v << 8U) | static_cast<unsigned char>(bytes[at + i]);
    return v;
}

TEST(Png, HasTheSizeOfThePictureTimesTheScale) {
    const auto png = paint_png(every_mark(), light(), {Role::Canvas, 1.5, ""});
    ASSERT_TRUE(png.ok()) << png.error().message;
    EXPECT_EQ(png->substr(0, 8), "\x89PNG\r\n\x1a\n");
    EXPECT_EQ(big_endian(*png, 16), 300U);
    EXPECT_EQ(big_endian(*png, 20), 150U);
    EXPECT_EQ(*png, *paint_png(every_mark(), light(), {Role::Canvas, 1.5, ""}));
    EXPECT_NE(*png, *paint_png(every_mark(), Theme::builtin(Theme::Kind::Dark), {Role::Canvas, 1.5, ""}));
}

TEST(Pdf, IsAPageWithFonts) {
    const auto pdf = paint_pdf(grid(64, 8, 400, 400, {}), light(), {Role::Canvas, 1, "NZ"});
    ASSERT_TRUE(pdf.ok()) << pdf.error().message;
    EXPECT_EQ(pdf->substr(0, 5), "%PDF-");
    EXPECT_NE(pdf->find("%%EOF"), std::string::npos);
    EXPECT_NE(pdf->find("/MediaBox [ 0 0 400 400 ]"), std::string::npos);
    EXPECT_NE(pdf->find("/ToUnicode"), std::string::npos) << "text can be searched and copied";
}

TEST(Paint, RefusesSizesThatCannotBe) {
    DrawList list;
    for (const auto& [w, h, scale] :
         {std::tuple{0.0, 10.0, 1.0}, {10.0, NAN, 1.0}, {1e7, 1e7, 1.0}, {100.0, 100.0, 1e6}, {100.0, 100.0, 0.0}}) {
        list.width = w;
        list.height = h;
        const auto png = paint_png(list, light(), {Role::Canvas, scale, ""});
        ASSERT_FALSE(png.ok()) << w << " " << h << " " << scale;
        EXPECT_EQ(png.error().code, "PAINT_SIZE");
    }
    list.width = list.height = 0;
    EXPECT_EQ(paint_svg(list, light()).error().code, "PAINT_SIZE");
    EXPECT_EQ(paint_pdf(list, light()).error().code, "PAINT_SIZE");
}

TEST(Html, StandsAloneWithHoverTitles) {
    const FixedMeasure measure;
    Picture picture = draw_tree({{"a < b", "both", "", TreeNode::Verdict::Proven, 0, {}}}, measure);
    picture.title = "Proof & more";
    const auto html = paint_html(picture, light());
    ASSERT_TRUE(html.ok());
    EXPECT_NE(html->find("<h1>Proof &amp; more</h1>"), std::string::npos);
    EXPECT_NE(html->find("<title>a &lt; b: both</title>"), std::string::npos);
    const std::size_t from = html->find("<svg"), to = html->find("</svg>");
    EXPECT_EQ(xml_fault(std::string_view(*html).substr(from, to + 6 - from)), "");
    EXPECT_EQ(html->find("http://"), html->find("http://www.w3.org/2000/svg")) << "loads nothing from elsewhere";
}

TEST(Measure, SetsTextAsItIsWritten) {
    const auto measure = text_measure();
    const double digit = measure->width("0", FontFace::Mono, 12);
    EXPECT_GT(digit, 5);
    EXPECT_NEAR(measure->width("0x0CAA", FontFace::Mono, 12), 6 * digit, 1e-6);
    EXPECT_NEAR(measure->width("->!=", FontFace::Mono, 12), 4 * digit, 1e-6) << "no ligatures";
    EXPECT_NEAR(measure->width("ab", FontFace::Ui, 24), 2 * measure->width("ab", FontFace::Ui, 12), 1e-9);
    EXPECT_GT(measure->width("block", FontFace::UiBold, 12), measure->width("block", FontFace::Ui, 12));
    EXPECT_GT(measure->width("ᵀ▴", FontFace::Ui, 12), 4) << "fallback fonts fill in";
    EXPECT_EQ(measure->width("", FontFace::Ui, 12), 0);
}

TEST(Utf8, InvalidBytesBecomeReplacements) {
    EXPECT_EQ(code_points("aµ→😀"), (std::vector<char32_t>{U'a', U'µ', U'→', U'😀'}));
    EXPECT_EQ(code_points("\xC0\x80"), (std::vector<char32_t>{0xFFFD, 0xFFFD})) << "overlong";
    EXPECT_EQ(code_points("\xED\xA0\x80").front(), char32_t{0xFFFD}) << "surrogate";
    EXPECT_EQ(code_points("\xE2\x86"), (std::vector<char32_t>{0xFFFD, 0xFFFD})) << "cut";
    EXPECT_EQ(code_points(std::string_view("a\0b", 3)), (std::vector<char32_t>{U'a', 0xFFFD, U'b'}));
}

} // namespace
} // namespace ls::paint
