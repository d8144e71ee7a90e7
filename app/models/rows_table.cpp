#include "app/models/rows_table.h"

#include <algorithm>
#include <charconv>

namespace ls::models {

RowsTable::RowsTable(std::initializer_list<std::string_view> titles) {
    for (std::string_view title : titles) {
        const bool text = title.starts_with('<');
        if (text) title.remove_prefix(1);
        double width = std::max<double>(6, static_cast<double>(title.size()));
        if (const std::size_t bar = title.rfind('|'); bar != std::string_view::npos) {
            int chars = 0;
            const std::string_view digits = title.substr(bar + 1);
            std::from_chars(digits.data(), digits.data() + digits.size(), chars);
            width = chars;
            title = title.substr(0, bar);
        }
        columns_.push_back({std::string(title), !text, width, {}});
    }
}

void RowsTable::add(std::vector<std::string> texts, std::optional<scene::Cell> cell) {
    texts.resize(columns_.size());
    rows_.push_back({std::move(texts), cell});
}

std::string RowsTable::text(std::int64_t row, std::size_t column) const {
    return rows_[static_cast<std::size_t>(row)].texts[column];
}

std::optional<scene::Cell> RowsTable::cell(std::int64_t row) const { return rows_[static_cast<std::size_t>(row)].cell; }

std::optional<std::int64_t> RowsTable::row_of(scene::Cell cell) const {
    const auto at = std::find_if(rows_.begin(), rows_.end(), [&](const Row& row) { return row.cell == cell; });
    return at == rows_.end() ? std::nullopt : std::optional<std::int64_t>(at - rows_.begin());
}

} // namespace ls::models
