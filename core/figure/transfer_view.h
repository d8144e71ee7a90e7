// Fields of a copy and windows that are clamped, as they are shown. Plain values, for those who draw them and know no
// programs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/scene/bars.h"

namespace ls::figure {

/// One hardware field or memory that a copy fills.
struct TransferField {
    std::string name; ///< "gap between bursts"
    std::string unit; ///< "32 B blocks"
    std::int64_t value = 0;
    std::int64_t limit = 0;
    std::string note; ///< what happens beyond, or why it is not looked at here
    bool exceeded() const { return value > limit; }
};

/// A lane a field, in percent of its limit, so that fields of different units stand on one scale.
scene::BarChart transfer_chart(const std::vector<TransferField>& fields);

/// The rows that an offset asked for and the rows that the hardware reads: the emitted maxsi clamps a negative offset
/// to 0, so another window is read than was asked for.
struct ClampedWindow {
    std::int64_t asked_first = 0; ///< first row (or column) that the program asks for
    std::int64_t extent = 0;
    std::string unit; ///< "rows", "columns"
};
scene::BarChart clamp_chart(const ClampedWindow& window);

} // namespace ls::figure
