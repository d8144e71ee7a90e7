#include "core/scene/line_rules.h"

#include <cmath>

#include <gtest/gtest.h>

namespace ls::scene {
namespace {

struct Row {
    double px;
    LineKind kind;
    double period_px;
    double width, alpha;
    Role ink;
};

// The table of section 4 of the design, in the middle of each band.
class LineTable : public testing::TestWithParam<Row> {};

TEST_P(LineTable, IsAsDesigned) {
    const Row& row = GetParam();
    const LineLook look = line_look(row.kind, row.px, row.period_px);
    EXPECT_NEAR(look.alpha, row.alpha, 1e-9);
    if (row.alpha > 0) {
        EXPECT_NEAR(look.width, row.width, 1e-9);
        EXPECT_EQ(look.ink, row.ink);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Design, LineTable,
    testing::Values(
        Row{1, LineKind::Element, 99, 0, 0, Role::Ink}, Row{1, LineKind::Run, 99, 0, 0, Role::Ink},
        Row{1, LineKind::Tile, 99, 0, 0, Role::Ink}, Row{1, LineKind::Block, 20, 0, 0, Role::Ink},
        Row{1, LineKind::Block, 30, 1, 1, Role::Ink}, Row{4, LineKind::Element, 4, 0, 0, Role::Ink},
        Row{4, LineKind::Run, 64, 0, 0, Role::Ink}, Row{4, LineKind::Tile, 64, 0.5, 0.35, Role::Ink},
        Row{4, LineKind::Block, 64, 1, 1, Role::Ink}, Row{9, LineKind::Element, 9, 0.5, 0.38, Role::Panel},
        Row{9, LineKind::Run, 9, 0.5, 0.16, Role::Ink}, Row{9, LineKind::Tile, 144, 1, 0.55, Role::Ink},
        Row{9, LineKind::Block, 144, 1.75, 1, Role::Ink}, Row{18, LineKind::Element, 18, 0.5, 0.14, Role::Ink},
        Row{18, LineKind::Run, 18, 0.5, 0.28, Role::Ink}, Row{18, LineKind::Tile, 288, 1.25, 0.7, Role::Ink},
        Row{18, LineKind::Block, 288, 2.25, 1, Role::Ink}, Row{40, LineKind::Element, 40, 0.5, 0.14, Role::Ink},
        Row{40, LineKind::Run, 40, 1, 0.28, Role::Ink}, Row{60, LineKind::Run, 60, 1, 0.28, Role::Ink},
        Row{60, LineKind::Tile, 960, 1.25, 0.7, Role::Ink}, Row{60, LineKind::Block, 960, 2.25, 1, Role::Ink}));

TEST(LineRules, NothingPopsWhileZooming) {
    for (const LineKind kind : {LineKind::Element, LineKind::Run, LineKind::Tile, LineKind::Block}) {
        const double cells = kind == LineKind::Element || kind == LineKind::Run ? 1 : 16;
        LineLook before = line_look(kind, 0.5, 0.5 * cells);
        for (double px = 0.5; px < 96; px *= 1.002) {
            const LineLook look = line_look(kind, px, px * cells);
            EXPECT_LT(std::abs(look.alpha - before.alpha), 0.03) << "at " << px << " px";
            EXPECT_LT(std::abs(look.width - before.width), 0.03) << "at " << px << " px";
            if (look.ink != before.ink) {
                EXPECT_LT(look.alpha + before.alpha, 0.02) << "changes its ink while seen, at " << px;
            }
            before = look;
        }
    }
}

TEST(LineRules, FadesOverTenPercentEachWay) {
    EXPECT_EQ(fade_in(21.6, 24), 0);
    EXPECT_NEAR(fade_in(24, 24), 0.5, 1e-12);
    EXPECT_NEAR(fade_in(26.4, 24), 1, 1e-12);
    EXPECT_EQ(fade_in(1000, 24), 1);
}

TEST(LineRules, FourLevelsHaveTwoKindsOfRun) {
    EXPECT_EQ(line_kind(0, 1), LineKind::Run);
    EXPECT_EQ(line_kind(1, 2), LineKind::Tile);
    EXPECT_EQ(line_kind(2, 3), LineKind::Block);
    EXPECT_EQ(line_kind(1, 4), LineKind::Run);
    EXPECT_EQ(line_kind(2, 4), LineKind::Tile);
    EXPECT_EQ(line_kind(3, 4), LineKind::Block);
}

TEST(LineRules, ThinLinesAreOneWeakDevicePixel) {
    EXPECT_EQ(on_device(0.5, 0.28, 1).width, 1);
    EXPECT_EQ(on_device(0.5, 0.28, 1).alpha, 0.14);
    EXPECT_EQ(on_device(0.5, 0.28, 2).width, 0.5);
    EXPECT_EQ(on_device(0.5, 0.28, 2).alpha, 0.28);
    EXPECT_EQ(on_device(1.75, 1, 1).width, 2);
    EXPECT_EQ(on_device(2.25, 1, 1.5).width, 2); // 3.375 device pixels are 3
}

} // namespace
} // namespace ls::scene
