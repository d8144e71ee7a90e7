#include "core/layout/engine/axis_sum.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace ls::engine {

AxisSum AxisSum::of(const Lowered& lowered, const AxisRange& range) {
    std::vector<Digit> digits;
    for (const auto* list : {&lowered.digits, &lowered.replicas}) {
        for (const Digit& digit : *list) {
            if (digit.axis == range.axis) digits.push_back(digit);
        }
    }
    return *of(digits, range.offset); // lower() has seen to it that all sums fit
}

std::optional<AxisSum> AxisSum::of(std::span<const Digit> digits, std::int64_t origin) {
    AxisSum out;
    CheckedInt low = origin;
    CheckedInt high = origin;
    for (const Digit& digit : digits) {
        if (digit.stride == 0) {
            out.multiplicity_ = out.multiplicity_ ? checked_mul(*out.multiplicity_, digit.extent) : CheckedInt{};
            if (digit.place != 0) out.shared_.push_back(digit);
            continue;
        }
        out.combinations_ = out.combinations_ ? checked_mul(*out.combinations_, digit.extent) : CheckedInt{};
        const CheckedInt far = checked_mul(digit.extent - 1, digit.stride);
        CheckedInt& end = digit.stride < 0 ? low : high;
        end = end && far ? checked_add(*end, *far) : CheckedInt{};
        if (!end) return {};
        Term term;
        term.extent = digit.extent;
        term.place = digit.place;
        term.stride = digit.stride;
        if (digit.stride < 0) {
            if (digit.stride == std::numeric_limits<std::int64_t>::min()) return {};
            term.reversed = true;
            term.stride = -digit.stride;
            term.place = -digit.place;
            out.element_at_low_ += (digit.extent - 1) * digit.place;
        }
        term.by_stride = FastDiv(term.stride);
        out.terms_.push_back(term);
    }
    if (!checked_sub(*high, *low)) return {};
    out.low_ = *low;
    out.high_ = *high;
    out.finish();
    return out;
}

void AxisSum::finish() {
    std::stable_sort(shared_.begin(), shared_.end(), [](const Digit& a, const Digit& b) { return a.place < b.place; });
    std::stable_sort(terms_.begin(), terms_.end(), [](const Term& a, const Term& b) { return a.stride > b.stride; });

    std::int64_t below = 0;
    std::int64_t divisor = 0;
    for (std::size_t k = terms_.size(); k-- > 0;) {
        Term& term = terms_[k];
        term.below = below;
        term.divisor = divisor;
        if (divisor != 0) term.step = divisor / std::gcd(divisor, term.stride);
        nested_ = nested_ && term.stride > below;
        below += (term.extent - 1) * term.stride;
        divisor = std::gcd(divisor, term.stride);
    }
}

AxisSum::Run AxisSum::decode_run(std::int64_t value) const {
    if (value < low_ || value > high_) return {};
    std::int64_t rest = value - low_;
    Run run{element_at_low_, 0, 1};
    for (const Term& term : terms_) {
        const std::int64_t digit = term.by_stride.quotient(rest);
        if (digit >= term.extent) return {};
        rest -= digit * term.stride;
        run.element += digit * term.place;
        if (term.stride == 1) { // the last one
            run.place = term.place;
            run.length = term.extent - digit;
        }
    }
    if (rest != 0) return {};
    return run;
}

std::optional<std::int64_t> AxisSum::decode(std::int64_t value) const {
    const Run run = decode_run(value);
    return run.length > 0 ? std::optional(run.element) : std::nullopt;
}

std::int64_t AxisSum::count_below(std::int64_t bound) const {
    if (bound <= low_) return 0;
    if (bound > high_) return *combinations_;
    std::int64_t rest = bound - low_; // combinations of sum < rest
    std::int64_t each = *combinations_;
    std::int64_t count = 0;
    for (const Term& term : terms_) {
        each /= term.extent;
        const std::int64_t digit = term.by_stride.quotient(rest);
        if (digit >= term.extent) return count + term.extent * each;
        count += digit * each;
        rest -= digit * term.stride;
        if (rest > term.below) return count + each;
    }
    return count + (rest > 0 ? 1 : 0);
}

} // namespace ls::engine
