// A small table whose texts are all known: what panels of facts show.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/scene/table.h"

namespace ls::models {

class RowsTable : public scene::TableSource {
public:
    /// "<name": text at the left; all others are numbers. A width in characters may follow: "<name|16".
    RowsTable(std::initializer_list<std::string_view> titles);
    /// `cell`: what the row stands for elsewhere; hovering it lights that.
    void add(std::vector<std::string> texts, std::optional<scene::Cell> cell = {});

    const std::vector<scene::TableColumn>& columns() const override { return columns_; }
    std::int64_t row_count() const override { return static_cast<std::int64_t>(rows_.size()); }
    std::string text(std::int64_t row, std::size_t column) const override;
    std::optional<scene::Cell> cell(std::int64_t row) const override;
    std::optional<std::int64_t> row_of(scene::Cell cell) const override;

private:
    struct Row {
        std::vector<std::string> texts;
        std::optional<scene::Cell> cell;
    };
    std::vector<scene::TableColumn> columns_;
    std::vector<Row> rows_;
};

} // namespace ls::models
