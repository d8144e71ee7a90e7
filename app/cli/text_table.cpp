#include "app/cli/text_table.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace ls::cli {

std::size_t display_width(std::string_view utf8) {
    return static_cast<std::size_t>(std::count_if(utf8.begin(), utf8.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string text_table(const scene::TableSource& table, std::int64_t max_rows) {
    const auto& columns = table.columns();
    const std::int64_t shown = std::min(max_rows, table.row_count());
    std::vector<std::vector<std::string>> cells;
    std::vector<std::size_t> widths;
    for (const auto& column : columns) widths.push_back(display_width(column.title));
    for (std::int64_t r = 0; r < shown; ++r) {
        std::vector<std::string> row;
        for (std::size_t c = 0; c < columns.size(); ++c) {
            row.push_back(table.text(r, c));
            widths[c] = std::max(widths[c], display_width(row.back()));
        }
        cells.push_back(std::move(row));
    }
    std::string out;
    const auto line = [&](const auto& text_of) {
        std::string one = " ";
        for (std::size_t c = 0; c < columns.size(); ++c) {
            const std::string text = text_of(c);
            const std::string gap(widths[c] - display_width(text), ' ');
            one += " " + (columns[c].numeric ? gap + text : text + gap) + " ";
        }
        while (!one.empty() && one.back() == ' ') one.pop_back();
        out += one + "\n";
    };
    line([&](std::size_t c) { return columns[c].title; });
    for (const auto& row : cells) line([&](std::size_t c) { return row[c]; });
    if (shown < table.row_count()) out += fmt::format("  … {} more rows\n", table.row_count() - shown);
    return out;
}

std::string csv_table(const scene::TableSource& table, std::int64_t max_rows) {
    std::string out;
    const auto put = [&out](std::string_view text, bool first) {
        if (!first) out += ',';
        if (text.find_first_of(",\"\n\r") == std::string_view::npos) {
            out += text;
            return;
        }
        out += '"';
        for (const char c : text) {
            if (c == '"') out += '"';
            out += c;
        }
        out += '"';
    };
    for (std::size_t c = 0; c < table.columns().size(); ++c) put(table.columns()[c].title, c == 0);
    out += "\r\n";
    for (std::int64_t r = 0; r < std::min(max_rows, table.row_count()); ++r) {
        for (std::size_t c = 0; c < table.columns().size(); ++c) put(table.text(r, c), c == 0);
        out += "\r\n";
    }
    return out;
}

} // namespace ls::cli
