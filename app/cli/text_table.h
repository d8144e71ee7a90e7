// Tables in a terminal.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "core/scene/table.h"

namespace ls::cli {

/// Aligned columns under their titles; a note says how many rows were left out.
std::string text_table(const scene::TableSource& table, std::int64_t max_rows = std::numeric_limits<std::int64_t>::max());
/// RFC 4180.
std::string csv_table(const scene::TableSource& table, std::int64_t max_rows = std::numeric_limits<std::int64_t>::max());

/// Columns that a terminal needs for UTF-8 text of one cell width a character.
std::size_t display_width(std::string_view utf8);

} // namespace ls::cli
