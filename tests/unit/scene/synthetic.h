// Grids whose every colour is known in closed form, for tests of fills, drawing and painters.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/scene/grid.h"

namespace ls::scene::testing_support {

/// Every character 0.6 em wide, bold or not; no fonts needed.
class FixedMeasure : public TextMeasure {
public:
    double width(std::string_view utf8, FontFace, double size) const override {
        double characters = 0;
        for (const char c : utf8) characters += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
        return 0.6 * size * characters;
    }
};

/// Colour from a function of row and column; no texts.
class FunctionSource : public CellSource {
public:
    using Function = std::function<ColorKey(std::int64_t, std::int64_t)>;
    explicit FunctionSource(Function function) : function_(std::move(function)) {}

    void colors(std::span<const std::int64_t> rows, std::span<const std::int64_t> cols, ColorKey* out) const override {
        for (std::int64_t row : rows) {
            for (std::int64_t col : cols) *out++ = function_(row, col);
        }
    }
    std::string label(Cell, CellLabel) const override { return {}; }
    BlockLabel block_label(std::size_t, Cell) const override { return {}; }
    std::string row_tick(std::int64_t row) const override { return fmt::format("{}", row); }
    std::string col_tick(std::int64_t col) const override { return fmt::format("{}", col); }
    std::string row_pill(Cell cell) const override { return fmt::format("{}", cell.row); }
    std::string col_pill(Cell cell) const override { return fmt::format("c {}", cell.col); }
    std::string describe(Cell cell) const override { return fmt::format("row {}, column {}", cell.row, cell.col); }
    std::vector<Cell> linked(Cell) const override { return {}; }

private:
    Function function_;
};

/// The logical picture of NZ: rows × cols elements of 2 bytes, fractals of 16 × 16, column blocks of rows × 16.
class NzSource : public CellSource {
public:
    NzSource(std::int64_t rows, std::int64_t cols) : rows_(rows), cols_(cols) {}

    void colors(std::span<const std::int64_t> rows, std::span<const std::int64_t> cols, ColorKey* out) const override {
        for (std::int64_t row : rows) {
            const auto rank = static_cast<std::uint32_t>(row / 16);
            for (std::int64_t col : cols) *out++ = ColorKey::category(static_cast<std::uint32_t>(col / 16 % 4), rank);
        }
    }
    std::string label(Cell c, CellLabel which) const override {
        switch (which) {
        case CellLabel::Coordinate: return fmt::format("{}, {}", c.row, c.col);
        case CellLabel::Offset: return fmt::format("{}", offset(c));
        case CellLabel::Address: return fmt::format("0x{:03X}", 2 * offset(c));
        default: return {};
        }
    }
    BlockLabel block_label(std::size_t level, Cell c) const override {
        if (level != 1) return {};
        const Cell first{c.row / 16 * 16, c.col / 16 * 16};
        return {fmt::format("block {} · fractal {}", c.col / 16, c.row / 16),
                fmt::format("{}·{}", c.col / 16, c.row / 16), fmt::format("0x{:04X}", 2 * offset(first))};
    }
    std::string row_tick(std::int64_t row) const override { return fmt::format("{}", row); }
    std::string col_tick(std::int64_t col) const override { return fmt::format("{}–{}", col, col + 15); }
    std::string row_pill(Cell c) const override { return fmt::format("{}", c.row); }
    std::string col_pill(Cell c) const override { return fmt::format("c {}", c.col); }
    std::string describe(Cell c) const override {
        return fmt::format("row {}, column {}, byte 0x{:04X}", c.row, c.col, 2 * offset(c));
    }
    std::vector<Cell> linked(Cell) const override { return {}; }

    std::int64_t offset(Cell c) const { return c.col / 16 * rows_ * 16 + c.row * 16 + c.col % 16; }

private:
    std::int64_t rows_, cols_;
};

inline GridScene nz_scene(std::int64_t rows, std::int64_t cols) {
    GridScene s;
    s.title = "Logical";
    s.subtitle = fmt::format("[{} rows, {} columns]", rows, cols);
    s.corner = "r \\ c";
    s.rows = rows;
    s.cols = cols;
    s.levels = {{"C0 line", 1, 16, "32 B"},
                {"fractal", 16, 16, "512 B"},
                {"column block", rows, 16, fmt::format("{} B", rows * 32)}};
    s.cells = std::make_shared<NzSource>(rows, cols);
    for (std::uint32_t block = 0; block < 4; ++block) {
        LegendEntry entry;
        for (std::uint32_t rank = 0; rank < 4; ++rank) entry.swatches.push_back(ColorKey::category(block, rank));
        entry.text = fmt::format("block {}", block);
        s.legend.push_back(std::move(entry));
    }
    s.legend_lines = {{0, "C0 line 32 B"}, {1, "fractal 512 B"}, {2, s.levels[2].name + " " + s.levels[2].size_text}};
    s.label_choices = {CellLabel::Offset, CellLabel::Coordinate, CellLabel::Address};
    s.row_tick_step = {16, 1};
    s.col_tick_step = {16};
    return s;
}

} // namespace ls::scene::testing_support
