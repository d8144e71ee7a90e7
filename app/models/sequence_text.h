// Sequence lengths as people type, paste and generate them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/result.h"

namespace ls::models {

/// Numbers between commas, blanks, brackets or line ends; "512x8" or "512*8" stands for eight of them. Refuses with
/// UB_LENGTHS at the first word that is no number, for more than a million, and for what does not fit 32 bits.
Result<std::vector<std::int32_t>> read_lengths(std::string_view text);
/// "512, 8"; runs of four and more equal ones as "512x4".
std::string write_lengths(const std::vector<std::int32_t>& lengths);

/// "equal", "uniform", "long-tail", "one-long": always the same for the same arguments.
std::vector<std::int32_t> generate_lengths(std::string_view kind, std::size_t count, std::int32_t longest);

} // namespace ls::models
