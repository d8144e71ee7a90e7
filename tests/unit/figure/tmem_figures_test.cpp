// The workbench's pictures: what is hit where, what is outlined, what is named.
#include <algorithm>

#include <gtest/gtest.h>

#include "core/figure/bank_phases.h"
#include "core/figure/descriptor_bits.h"
#include "core/figure/gmem_operands.h"
#include "core/figure/smem_tile.h"
#include "core/figure/tmem_map.h"

namespace ls::figure {
namespace {

class FixedMeasure : public scene::TextMeasure {
public:
    double width(std::string_view utf8, scene::FontFace, double size) const override { return static_cast<double>(utf8.size()) * size * 0.6; }
};
const FixedMeasure kMeasure;

bool says(const scene::Picture& picture, std::string_view words) {
    return std::any_of(picture.list.marks.begin(), picture.list.marks.end(), [&](const scene::Mark& mark) {
        const auto* text = std::get_if<scene::Text>(&mark);
        return text && text->utf8.find(words) != std::string::npos;
    });
}
/// No text of a picture reaches out of it.
void expect_inside(const scene::Picture& picture) {
    for (const scene::Mark& mark : picture.list.marks) {
        const auto* text = std::get_if<scene::Text>(&mark);
        if (!text) continue;
        const double w = kMeasure.width(text->utf8, text->face, text->size);
        const double x = text->h == scene::HAlign::Left ? text->at.x : text->h == scene::HAlign::Right ? text->at.x - w : text->at.x - w / 2;
        EXPECT_GE(x, -1) << text->utf8;
        EXPECT_LE(x + w, picture.list.width + 1) << text->utf8;
        EXPECT_LE(text->at.y, picture.list.height + 1) << text->utf8;
    }
}

tirx::GemmBench worked() { return tirx::examine(tirx::worked_example()); }

TEST(DescriptorBits, NamesFieldsInTheUnitAsked) {
    const auto bench = worked();
    const auto fields = tensor_core::matrix_fields(bench.a.word, tensor_core::Generation::Blackwell, {false, {}, {}});
    for (const auto& [unit, words] : {std::pair{DescriptorUnit::Units16, "sdo 64"}, std::pair{DescriptorUnit::Bytes, "sdo 1024 B"}, std::pair{DescriptorUnit::Elements, "sdo 512 elements"}}) {
        const auto picture = draw_descriptor_bits(fields, bench.a.word, {900, 64, unit, 16}, kMeasure);
        EXPECT_TRUE(says(picture, words));
        EXPECT_EQ(picture.hits.size(), 64U);
        expect_inside(picture);
    }
    const auto instruction = tensor_core::instruction_fields(bench.plan->idesc, bench.plan->kind);
    const auto picture = draw_descriptor_bits(instruction, bench.plan->idesc, {900, 32, DescriptorUnit::Units16, 16}, kMeasure);
    EXPECT_TRUE(says(picture, "M 128"));
    EXPECT_TRUE(says(picture, "N 128"));
    expect_inside(picture);
}

TEST(SmemTile, PointerFindsTheSwizzledChunk) {
    const auto bench = worked();
    SmemTileOptions options;
    options.window_mn_count = 128;
    options.window_k = options.window_k_count = 16;
    const auto drawn = draw_smem_tile(bench.a, options, kMeasure);
    expect_inside(drawn.picture);
    const auto& g = drawn.geometry;
    EXPECT_EQ(g.atom_lines, 8);
    EXPECT_EQ(g.lines, 128);
    const std::int64_t chunk = g.chunk_at({g.grid.x + 5, g.line_y(2) + 3});
    EXPECT_EQ(chunk, 16);
    EXPECT_EQ(chunk_text(bench.a, chunk, true), "A[2, 16–23] · chunk 0 · banks 0–3 · 0x0500");
    EXPECT_EQ(chunk_text(bench.a, chunk, false), "A[2, 0–7] · chunk 0 · banks 0–3 · 0x0500");
    EXPECT_EQ(g.chunk_at({g.grid.x - 1, g.line_y(2)}), -1);
    EXPECT_EQ(g.minimap_line({g.minimap.x + 1, g.minimap.y + g.minimap.h - 0.01}), 127);
    EXPECT_TRUE(says(drawn.picture, "k 16–23"));
    EXPECT_TRUE(says(drawn.picture, "atom 1"));
}

TEST(SmemTile, StaysInsideWhateverItsPlace) {
    for (const bool transposed : {false, true}) {
        tirx::GemmSubject subject = tirx::worked_example();
        subject.a.transposed = transposed;
        subject.a.swizzle = catalogue::SwizzleMode::B64;
        const auto bench = tirx::examine(subject);
        for (const double width : {320.0, 560.0, 900.0})
            for (const double height : {240.0, 420.0}) {
                SmemTileOptions options;
                options.width = width;
                options.height = height;
                options.lit = {127, 63};
                options.first_line = 1 << 20;
                const auto drawn = draw_smem_tile(bench.a, options, kMeasure);
                expect_inside(drawn.picture);
                EXPECT_EQ(drawn.geometry.first_line + drawn.geometry.lines_shown, drawn.geometry.lines);
            }
    }
}

TEST(TmemMap, PointerFindsTheCell) {
    const auto bench = worked();
    const auto rects = tirx::tmem_rects(bench.c).value();
    const auto drawn = draw_tmem_map(bench, rects, {}, kMeasure);
    expect_inside(drawn.picture);
    const auto& grid = drawn.geometry.grid;
    const auto cell = drawn.geometry.cell_at({grid.x + grid.w * 100.5 / 512, grid.y + grid.h * 37.5 / 128});
    EXPECT_EQ(cell.lane, 37);
    EXPECT_EQ(cell.column, 100);
    EXPECT_TRUE(says(drawn.picture, "128 of 512 columns"));
    EXPECT_TRUE(says(drawn.picture, "datapath D"));
}

TEST(BankPhases, SaysWhatTheSwizzleSaves) {
    const auto bench = worked();
    const auto swizzled = tirx::bank_access(*bench.a.tile, tirx::AccessKind::LdmatrixPhase, 0, 16).value();
    const auto plain = tirx::bank_access(*bench.a.plain, tirx::AccessKind::LdmatrixPhase, 0, 16).value();
    const auto picture = draw_bank_phases(&plain, &swizzled, {}, kMeasure);
    EXPECT_TRUE(says(picture, "8 wavefronts"));
    EXPECT_TRUE(says(picture, "1 wavefront"));
    EXPECT_TRUE(says(picture, "×8"));
    expect_inside(picture);
}

TEST(RegisterMap, PointerFindsTheRegister) {
    const auto owners = tirx::RegisterOwners::make(*worked().registers).value();
    const auto drawn = draw_register_map(owners, {}, kMeasure);
    const auto& grid = drawn.geometry.grid;
    EXPECT_EQ(drawn.geometry.place_at({grid.x + grid.w * 21.5 / 128, grid.y + grid.h * 37.5 / 128}), (tirx::RegisterPlace{37, 21}));
}

TEST(GmemOperands, TransposedOperandsTurn) {
    tirx::GemmSubject subject = tirx::worked_example();
    subject.a.transposed = true;
    const auto drawn = draw_gmem_operands(tirx::examine(subject), {}, kMeasure);
    bool of_b = true;
    const auto& a = drawn.geometry.a;
    EXPECT_EQ(drawn.geometry.element_at({a.x + a.w - 0.01, a.y + 0.01}, of_b), (tirx::MatrixElement{127, 0}));
    EXPECT_FALSE(of_b);
    EXPECT_TRUE(says(drawn.picture, "A[64, 128]"));
}

} // namespace
} // namespace ls::figure
