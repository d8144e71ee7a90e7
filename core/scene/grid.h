// A picture made of rows × columns of cells: tensors, memories, TMEM, fragments. Sizes may reach 2^32 cells and more,
// so cells are asked for in bulk and never stored.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/scene/color.h"
#include "core/scene/draw_list.h"

namespace ls::scene {

struct Cell {
    std::int64_t row = -1;
    std::int64_t col = -1;
    bool valid() const { return row >= 0 && col >= 0; }
    bool operator==(const Cell&) const = default;
    auto operator<=>(const Cell&) const = default;
};

/// Rows [row, row+rows) × columns [col, col+cols).
struct CellRect {
    std::int64_t row = 0, col = 0, rows = 0, cols = 0;
    bool contains(Cell c) const { return c.row >= row && c.row < row + rows && c.col >= col && c.col < col + cols; }
    bool operator==(const CellRect&) const = default;
};

/// One level of the layout's own hierarchy, innermost first: element run, inner tile, outer tile.
struct GridLevel {
    std::string name;      ///< "C0 line", "fractal", "column block"
    std::int64_t rows = 1; ///< period of the outline in cells
    std::int64_t cols = 1;
    std::string size_text; ///< "512 B", shown in the legend
};

enum class CellLabel : std::uint8_t { None, Coordinate, Offset, Address, FlatIndex, Bank, Block, Thread };

struct BlockLabel {
    std::string name;       ///< "block 1 · fractal 2"
    std::string short_name; ///< drawn when `name` does not fit: "1·2"
    std::string detail;     ///< "0x0C00"
};

/// Answers everything a grid picture asks. Implementations are immutable and may be called from worker threads.
class CellSource {
public:
    virtual ~CellSource() = default;

    /// Colour of every (rows[i], cols[j]), written to out[i*cols.size()+j]. Indices are in range and ascending; one may
    /// repeat. Called with few, large lists.
    virtual void colors(std::span<const std::int64_t> rows, std::span<const std::int64_t> cols,
                        ColorKey* out) const = 0;
    /// Label of one cell; empty when it has none.
    virtual std::string label(Cell cell, CellLabel which) const = 0;
    /// Name of the block of `level` that holds `cell`; empty name when blocks of that level are not named.
    virtual BlockLabel block_label(std::size_t level, Cell cell) const = 0;
    virtual std::string row_tick(std::int64_t row) const = 0;
    virtual std::string col_tick(std::int64_t col) const = 0;
    /// Pills at the axes for a hovered cell: "37" / "c 21" / "0x0C80" / "+42 B".
    virtual std::string row_pill(Cell cell) const = 0;
    virtual std::string col_pill(Cell cell) const = 0;
    /// One sentence for the status bar and for screen readers.
    virtual std::string describe(Cell cell) const = 0;
    /// Cells of the linked picture that show the same element (several when it is replicated, none in a hole).
    virtual std::vector<Cell> linked(Cell cell) const = 0;
};

/// Shown under the picture. An entry without swatches is a line of its own; a tab parts its name from its text.
struct LegendEntry {
    std::vector<ColorKey> swatches;
    std::string text;
};
struct LegendLine {
    std::size_t level; ///< index into GridScene::levels
    std::string text;
};

/// Something drawn over the cells: a load's window, a finding, bytes that nobody reads.
struct Overlay {
    enum class Kind : std::uint8_t { Window, Finding, Unused, Shared, Focus };
    CellRect cells;
    Kind kind = Kind::Window;
    std::string label;
};

struct GridScene {
    std::string title;    ///< "Logical"
    std::string subtitle; ///< "[64 rows, 64 columns]"
    std::string corner;   ///< "r \\ c"
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    double cell_aspect = 1;        ///< width : height of a cell
    std::vector<GridLevel> levels; ///< innermost first; at most 4
    std::shared_ptr<const CellSource> cells;
    std::vector<LegendEntry> legend;
    std::vector<LegendLine> legend_lines;
    std::vector<Overlay> overlays;
    std::vector<CellLabel> label_choices;    ///< which labels this picture can show, default first
    std::vector<std::int64_t> row_tick_step; ///< preferred tick periods, coarsest first; empty: outermost levels
    std::vector<std::int64_t> col_tick_step;
};

/// screen = (cell − origin) · zoom, zoom in points per cell row; x is scaled by cell_aspect too.
struct Camera {
    double origin_row = 0, origin_col = 0;
    double zoom = 8;
    bool operator==(const Camera&) const = default;
};

/// What the user points at; part of the picture, not of the data.
struct GridFocus {
    Cell hover;
    std::vector<Cell> also_hover;           ///< replicas and the linked picture's cells
    std::vector<std::pair<Cell, int>> pins; ///< numbered 1..9
    std::vector<Cell> selected;
    CellLabel label = CellLabel::None;
    bool keyboard_focus = false;
};

} // namespace ls::scene
