// Closed intervals of int64 values, open where nothing is known. Arithmetic on them never wraps: an end that would
// overflow becomes open.
#pragma once

#include <cstdint>
#include <limits>

namespace ls::tirx {

struct ValueRange {
    static constexpr std::int64_t kOpenLow = std::numeric_limits<std::int64_t>::min();
    static constexpr std::int64_t kOpenHigh = std::numeric_limits<std::int64_t>::max();
    std::int64_t lo = kOpenLow;
    std::int64_t hi = kOpenHigh;

    bool operator==(const ValueRange&) const = default;
    bool is_point() const { return lo == hi && lo != kOpenLow && hi != kOpenHigh; }
    bool within(std::int64_t first, std::int64_t last) const { return lo >= first && hi <= last; }
};

inline ValueRange point(std::int64_t value) { return {value, value}; }
ValueRange meet(ValueRange a, ValueRange b); ///< what both allow; `a` where they contradict each other
ValueRange join(ValueRange a, ValueRange b); ///< what either allows
ValueRange add(ValueRange a, ValueRange b);
ValueRange scale(ValueRange a, std::int64_t factor);
ValueRange multiply(ValueRange a, ValueRange b);
ValueRange floor_div(ValueRange a, std::int64_t divisor); ///< divisor > 0
ValueRange floor_mod(ValueRange a, std::int64_t divisor); ///< divisor > 0

} // namespace ls::tirx
