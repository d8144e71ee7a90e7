#include "core/passes/tirx/value_range.h"

#include <algorithm>

#include "core/support/checked.h"

namespace ls::tirx {

namespace {

constexpr std::int64_t kLow = ValueRange::kOpenLow, kHigh = ValueRange::kOpenHigh;

bool open(std::int64_t end) { return end == kLow || end == kHigh; }

std::int64_t end_sum(std::int64_t a, std::int64_t b, std::int64_t otherwise) {
    if (open(a) || open(b)) return otherwise;
    return checked_add(a, b).value_or(otherwise);
}

} // namespace

ValueRange meet(ValueRange a, ValueRange b) {
    const ValueRange both{std::max(a.lo, b.lo), std::min(a.hi, b.hi)};
    return both.lo <= both.hi ? both : a;
}

ValueRange join(ValueRange a, ValueRange b) { return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)}; }

ValueRange add(ValueRange a, ValueRange b) { return {end_sum(a.lo, b.lo, kLow), end_sum(a.hi, b.hi, kHigh)}; }

ValueRange scale(ValueRange a, std::int64_t factor) {
    if (factor == 0) return point(0);
    const auto times = [&](std::int64_t end, std::int64_t otherwise) {
        return open(end) ? otherwise : checked_mul(end, factor).value_or(otherwise);
    };
    return factor > 0 ? ValueRange{times(a.lo, kLow), times(a.hi, kHigh)}
                      : ValueRange{times(a.hi, kLow), times(a.lo, kHigh)};
}

ValueRange multiply(ValueRange a, ValueRange b) {
    if (a.is_point()) return scale(b, a.lo);
    if (b.is_point()) return scale(a, b.lo);
    if (a.lo < 0 || b.lo < 0) { // four corners, where all of them are known
        if (open(a.lo) || open(a.hi) || open(b.lo) || open(b.hi)) return {};
        ValueRange all{kHigh, kLow};
        for (const std::int64_t x : {a.lo, a.hi}) {
            for (const std::int64_t y : {b.lo, b.hi}) {
                const auto corner = checked_mul(x, y);
                if (!corner) return {};
                all = {std::min(all.lo, *corner), std::max(all.hi, *corner)};
            }
        }
        return all;
    }
    const auto low = checked_mul(a.lo, b.lo);
    const bool bounded = a.hi != kHigh && b.hi != kHigh;
    const auto high = bounded ? checked_mul(a.hi, b.hi) : CheckedInt{};
    return {low.value_or(0), high.value_or(kHigh)};
}

ValueRange floor_div(ValueRange a, std::int64_t divisor) {
    return {open(a.lo) ? kLow : ls::floor_div(a.lo, divisor), open(a.hi) ? kHigh : ls::floor_div(a.hi, divisor)};
}

ValueRange floor_mod(ValueRange a, std::int64_t divisor) {
    if (!open(a.lo) && !open(a.hi) && ls::floor_div(a.lo, divisor) == ls::floor_div(a.hi, divisor)) {
        return {ls::floor_mod(a.lo, divisor), ls::floor_mod(a.hi, divisor)};
    }
    return {0, divisor - 1};
}

} // namespace ls::tirx
