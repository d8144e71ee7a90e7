#include "core/figure/layout_figure.h"

#include <algorithm>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "core/notation/notation.h"

namespace ls::figure {
namespace {

using scene::Cell;

std::shared_ptr<const LayoutFigure> figure_of(std::string_view text, LayoutFigureOptions options = {}) {
    auto tensor = read_layout(text);
    if (!tensor.ok()) {
        ADD_FAILURE() << render(tensor.error(), text, "");
        return nullptr;
    }
    auto built = LayoutFigure::build(*tensor, std::move(options));
    if (!built.ok()) {
        ADD_FAILURE() << render(built.error(), text, "");
        return nullptr;
    }
    return *built;
}

std::string property(const LayoutFigure& figure, std::string_view name) {
    for (const auto& row : figure.properties()) {
        if (row.name == name) return row.value;
    }
    return "(none)";
}

TEST(LayoutFigure, TellsTheWholeWayOfOneElementOfAnNzTensor) {
    const auto figure = figure_of("nz(64, 64, f16)");
    ASSERT_NE(figure, nullptr);
    const Formula formula = figure->formula({37, 21});
    EXPECT_EQ(formula.text(), "(37, 21)  →  1·1024 + 2·256 + 5·16 + 5·1 = 1621  →  byte 0x0CAA");
    ASSERT_EQ(formula.terms.size(), 4U);
    EXPECT_EQ(formula.terms[0].expression, "c÷16");
    EXPECT_EQ(formula.terms[0].role, "column block");
    EXPECT_EQ(formula.terms[2].expression, "r%16");
    EXPECT_EQ(formula.byte, 3242);
    EXPECT_EQ(figure->verdict().value, "dense bijection");
}

TEST(LayoutFigure, NamesTheHierarchyOfNzFromTheInsideOut) {
    const auto figure = figure_of("nz(64, 64, f16)");
    ASSERT_NE(figure, nullptr);
    const auto& levels = figure->logical()->levels;
    ASSERT_EQ(levels.size(), 3U);
    EXPECT_EQ(levels[0].name, "C0 line");
    EXPECT_EQ((std::pair(levels[0].rows, levels[0].cols)), (std::pair<std::int64_t, std::int64_t>(1, 16)));
    EXPECT_EQ(levels[1].name, "fractal");
    EXPECT_EQ((std::pair(levels[1].rows, levels[1].cols)), (std::pair<std::int64_t, std::int64_t>(16, 16)));
    EXPECT_EQ(levels[2].name, "column block");
    EXPECT_EQ(levels[2].size_text, "2048 B");
    const auto& physical = figure->physical()->levels;
    EXPECT_EQ((std::pair(physical[1].rows, physical[1].cols)), (std::pair<std::int64_t, std::int64_t>(4, 64))) << "512 B are four rows of 128 B";
    const scene::BlockLabel label = figure->logical()->cells->block_label(1, {37, 21});
    EXPECT_EQ(label.name, "block 1 · fractal 2");
    EXPECT_EQ(label.detail, "0x0C00");
}

TEST(LayoutFigure, RulerReadsTheAddressOutsideIn) {
    const auto figure = figure_of("nz(64, 64, f16)");
    ASSERT_NE(figure, nullptr);
    const auto ruler = figure->ruler({37, 21});
    ASSERT_EQ(ruler.size(), 4U);
    EXPECT_EQ(ruler[0].name, "tensor");
    EXPECT_EQ(ruler[1].name, "block 1");
    EXPECT_EQ(ruler[2].name, "fractal 2");
    EXPECT_EQ(ruler[3].name, "line 5");
    EXPECT_EQ(ruler[3].first, 1616);
    EXPECT_EQ(ruler[3].index, 5);
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i + 1 < ruler.size(); ++i) bytes = ruler[i].first + ruler[i].index * ruler[i].step;
    EXPECT_EQ(bytes / 2 + ruler[3].index, 1621);
}

TEST(LayoutFigure, BothPicturesLinkToEachOther) {
    for (const char* text : {"nz(64, 64, f16)", "mma_shared(f16, 128B, (128, 64))", "S[(8, 64):(1, 8)] | f32", "tmem_datapath(D, 128, 64)",
                             "S[(8, 4, 4):(4@laneid, 1@laneid, 1)] + R[2:1@warpid] | f32 [8, 16]", "S[(4, 8):(16, 1)] + 3 | i8"}) {
        const auto figure = figure_of(text);
        ASSERT_NE(figure, nullptr);
        std::mt19937 random(5);
        for (int i = 0; i < 200; ++i) {
            const Cell cell{static_cast<std::int64_t>(random() % static_cast<unsigned>(figure->logical()->rows)),
                            static_cast<std::int64_t>(random() % static_cast<unsigned>(figure->logical()->cols))};
            const auto there = figure->logical()->cells->linked(cell);
            ASSERT_FALSE(there.empty()) << text;
            for (const Cell& physical : there) {
                const auto back = figure->physical()->cells->linked(physical);
                EXPECT_NE(std::find(back.begin(), back.end(), cell), back.end()) << text << " (" << cell.row << ", " << cell.col << ")";
            }
        }
    }
}

TEST(LayoutFigure, LinkedCellsHaveTheSameColour) {
    for (const char* text : {"nz(64, 64, f16)", "mma_shared(f16, 128B, (128, 64))", "S[(8, 4, 4):(4@laneid, 1@laneid, 1)] | f32 [8, 16]"}) {
        const auto plain = figure_of(text);
        ASSERT_NE(plain, nullptr);
        for (const ColorBy by : plain->color_choices()) {
            LayoutFigureOptions options;
            options.color = by;
            const auto figure = figure_of(text, options);
            for (std::int64_t r = 0; r < figure->logical()->rows; r += 3) {
                for (std::int64_t c = 0; c < figure->logical()->cols; c += 5) {
                    const Cell there = figure->logical()->cells->linked({r, c}).front();
                    scene::ColorKey a, b;
                    figure->logical()->cells->colors(std::vector{r}, std::vector{c}, &a);
                    figure->physical()->cells->colors(std::vector{there.row}, std::vector{there.col}, &b);
                    EXPECT_EQ(a, b) << text << " coloured by " << name(by) << " at (" << r << ", " << c << ")";
                }
            }
        }
    }
}

TEST(LayoutFigure, CountsHolesAndSharedAddresses) {
    EXPECT_EQ(figure_of("S[(4, 8):(16, 1)] | i8")->verdict().value, "24 holes");
    EXPECT_EQ(figure_of("S[(4, 4):(1, 1)] | i8")->verdict().value, "5 addresses are shared");
    EXPECT_EQ(property(*figure_of("S[(4, 4):(1, 1)] | i8"), "injective"), "no, 5 shared addresses");
    const auto holes = figure_of("S[(4, 8):(16, 1)] | i8");
    EXPECT_TRUE(holes->coordinates_at(holes->physical_cells({0, 7}).front()).size() == 1);
    EXPECT_NE(holes->physical()->cells->describe({0, 9}).find("no element lives here"), std::string::npos);
}

TEST(LayoutFigure, ReplicasAreAllThere) {
    const auto figure = figure_of("S[(8, 4, 4):(4@laneid, 1@laneid, 1)] + R[2:1@warpid] | f32 [8, 16]");
    ASSERT_NE(figure, nullptr);
    EXPECT_EQ(figure->physical_cells({3, 9}).size(), 2U);
    const Formula formula = figure->formula({3, 9});
    ASSERT_EQ(formula.replicas.size(), 1U);
    EXPECT_EQ(formula.replicas[0][0], (std::pair<std::string, std::int64_t>("warpid", 1)));
    EXPECT_EQ(figure->physical()->rows, 64);
    EXPECT_EQ(figure->physical()->cols, 4);
}

TEST(LayoutFigure, TakingTheSwizzleOffShowsTheTile) {
    LayoutFigureOptions off;
    off.show_swizzle = false;
    const auto on = figure_of("mma_shared(f16, 128B, (128, 64))");
    const auto plain = figure_of("mma_shared(f16, 128B, (128, 64))", off);
    ASSERT_NE(plain, nullptr);
    EXPECT_EQ(plain->physical_cells({1, 8}).front(), (Cell{1, 8}));
    EXPECT_EQ(on->physical_cells({1, 8}).front(), (Cell{1, 0}));
    EXPECT_EQ(on->formula({1, 8}).swizzle_text, "72 ⊕ 8 = 64");
}

TEST(LayoutFigure, HigherRanksChooseTheirAxes) {
    LayoutFigureOptions options;
    options.axes = ViewAxes{0, 2, {0, 7, 0}};
    const auto figure = figure_of("nz(3, 32, 64, i8)", options);
    ASSERT_NE(figure, nullptr);
    EXPECT_EQ(figure->logical()->rows, 3);
    EXPECT_EQ(figure->logical()->cols, 64);
    EXPECT_EQ(figure->coordinate({2, 40}), (std::vector<std::int64_t>{2, 7, 40}));
    EXPECT_FALSE(figure->logical_cell({2, 8, 40}).has_value()) << "it lies on another slice";
    options.axes = ViewAxes{1, 1, {}};
    const auto refused = LayoutFigure::build(*read_layout("nz(3, 32, 64, i8)"), options);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, "FIG_AXES");
}

TEST(LayoutFigure, FindsByCoordinateOffsetAndAddress) {
    const auto figure = figure_of("nz(64, 64, f16)");
    ASSERT_NE(figure, nullptr);
    const std::vector<std::int64_t> element{37, 21};
    EXPECT_EQ(*figure->find("37, 21"), element);
    EXPECT_EQ(*figure->find("1621"), element);
    EXPECT_EQ(*figure->find("0x0CAA"), element);
    EXPECT_EQ(*figure->find("0x0CAB"), element) << "the second byte of the same element";
    for (const char* wrong : {"64, 0", "0x2000", "4096", "1, 2, 3", "x", ""}) {
        const auto refused = figure->find(wrong);
        ASSERT_FALSE(refused.ok()) << wrong;
        EXPECT_EQ(refused.error().code, "FIG_FIND");
    }
}

TEST(LayoutFigure, ElementsFilterAndSort) {
    const auto figure = figure_of("nz(64, 64, f16)");
    ASSERT_NE(figure, nullptr);
    const auto all = figure->elements({});
    ASSERT_TRUE(all.ok());
    EXPECT_EQ((*all)->row_count(), 4096);
    const auto some = figure->elements({"block == 1 && fractal == 2", std::nullopt, false});
    ASSERT_TRUE(some.ok());
    EXPECT_EQ((*some)->row_count(), 256);
    EXPECT_EQ((*some)->text(0, 0), "32");
    EXPECT_EQ((*some)->row_of({37, 21}), 5 * 16 + 5);
    EXPECT_FALSE((*some)->row_of({0, 0}).has_value());
    const auto sorted = figure->elements({"", 2, true});
    ASSERT_TRUE(sorted.ok());
    EXPECT_EQ((*sorted)->text(0, 2), "4095");
    const auto refused = figure->elements({"bloc == 1", std::nullopt, false});
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, "FILTER_NAME");
}

TEST(LayoutFigure, RefusesWhatNoPictureCanShow) {
    const auto code = [](std::string_view text) {
        const auto tensor = read_layout(text);
        if (!tensor.ok()) return tensor.error().code;
        const auto built = LayoutFigure::build(*tensor);
        return built.ok() ? std::string("accepted") : built.error().code;
    };
    EXPECT_EQ(code("S[(2, 2):(4611686018427387904, 1)] | i8"), "FIG_TOO_LARGE");
    EXPECT_EQ(code("ComposeLayout(3, 3, 3, S[(8, 64):(-64, 1)]) | f16"), "FIG_NEGATIVE_SWIZZLE");
}

TEST(LayoutFigure, ShowsFourBillionElementsAtOnce) {
    const auto figure = figure_of("S[(65536, 65536):(65536, 1)] | f16");
    ASSERT_NE(figure, nullptr);
    EXPECT_EQ(figure->verdict().value, "dense bijection");
    const auto owners = figure->coordinates_at(figure->physical_cells({65535, 65535}).front());
    ASSERT_EQ(owners.size(), 1U);
    EXPECT_EQ(owners[0], (std::vector<std::int64_t>{65535, 65535}));
}

} // namespace
} // namespace ls::figure
