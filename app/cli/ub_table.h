// Tables of `layoutscope ub`, built row by row.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/cli/text_table.h"

namespace ls::cli::ub {

/// A column title that begins with '<' is left-aligned text; all others are numbers.
class Rows : public scene::TableSource {
public:
    Rows(std::initializer_list<std::string_view> titles) {
        for (std::string_view title : titles) {
            const bool text = title.starts_with('<');
            columns_.push_back({std::string(text ? title.substr(1) : title), !text, 6, {}});
        }
    }

    template <class... Cells>
    void add(const Cells&... cells) {
        rows_.push_back({fmt::format("{}", cells)...});
    }

    const std::vector<scene::TableColumn>& columns() const override { return columns_; }
    std::int64_t row_count() const override { return static_cast<std::int64_t>(rows_.size()); }
    std::string text(std::int64_t row, std::size_t column) const override {
        return rows_[static_cast<std::size_t>(row)][column];
    }
    std::optional<scene::Cell> cell(std::int64_t) const override { return {}; }
    std::optional<std::int64_t> row_of(scene::Cell) const override { return {}; }

    void print() const { fmt::print("{}", text_table(*this)); }

private:
    std::vector<scene::TableColumn> columns_;
    std::vector<std::vector<std::string>> rows_;
};

} // namespace ls::cli::ub
