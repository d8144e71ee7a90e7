// Rows and columns of text for a table view, asked for row by row so that millions of rows cost nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/scene/color.h"
#include "core/scene/grid.h"

namespace ls::scene {

struct TableColumn {
    std::string title;
    bool numeric = true;       ///< right-aligned, Mono
    double width_chars = 6;    ///< preferred width in characters
    std::string help;          ///< what the column means and its unit
};

/// Immutable; `row` is the position in the current order and filter.
class TableSource {
public:
    virtual ~TableSource() = default;
    virtual const std::vector<TableColumn>& columns() const = 0;
    virtual std::int64_t row_count() const = 0;
    virtual std::string text(std::int64_t row, std::size_t column) const = 0;
    /// The cell of the picture that this row stands for, if any; hovering the row lights it.
    virtual std::optional<Cell> cell(std::int64_t row) const = 0;
    /// Position of the row that stands for `cell`, if it passes the filter.
    virtual std::optional<std::int64_t> row_of(Cell cell) const = 0;
};

struct PropertyRow {
    std::string name;
    std::string value;
    Role tone = Role::Text;   ///< Fine, Warning, Finding or Text
};

} // namespace ls::scene
