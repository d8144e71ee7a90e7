// All values that the iters of one axis can add up to, and how to get from such a sum back to the digits.
//
//     value = low + Σ digit_k · stride_k        stride_k > 0 (an iter that runs downwards is read from its far end)
//     element = element_at_low + Σ digit_k · place_k
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/layout/engine/fast_div.h"
#include "core/layout/engine/lower.h"
#include "core/support/checked.h"

namespace ls::engine {

class AxisSum {
public:
    AxisSum() = default; ///< no iter: only the value 0
    /// Of the iters of `axis`, elements and copies, before the swizzle.
    static AxisSum of(const Lowered& lowered, const AxisRange& range);
    /// Of any digits; empty when a sum, or the distance of two, does not fit 64 bits.
    static std::optional<AxisSum> of(std::span<const Digit> digits, std::int64_t origin);

    struct Term {
        std::int64_t extent = 1;
        std::int64_t stride = 1; ///< > 0
        std::int64_t place = 0;  ///< < 0 for an iter read from its far end, 0 for a replica iter
        bool reversed = false;   ///< read from its far end
        FastDiv by_stride;
        std::int64_t below = 0;   ///< largest sum of all terms after this one
        std::int64_t divisor = 0; ///< greatest common divisor of the strides after this one; 0 for the last
        std::int64_t step = 1;    ///< digits that leave a sum divisible by it are so far apart
    };

    std::int64_t low() const { return low_; }
    std::int64_t high() const { return high_; }
    /// Largest stride first.
    std::span<const Term> terms() const { return terms_; }
    /// Iters of stride 0 over elements: they all share one value. Smallest place first.
    std::span<const Digit> shared() const { return shared_; }
    /// Product of the extents of all iters of stride 0, replicas too.
    CheckedInt multiplicity() const { return multiplicity_; }
    /// Product of the extents of terms().
    CheckedInt combinations() const { return combinations_; }

    /// Every stride exceeds the sum of everything below it: no two combinations of digits share a value.
    bool is_nested() const { return nested_; }
    /// The element at `value` with all shared digits 0, relative to the digits of other axes. Only when nested.
    std::optional<std::int64_t> decode(std::int64_t value) const;
    /// The values from one on that the same digits reach but for the smallest stride, which must be 1 for more than one
    /// value: element, element + place, ...
    struct Run {
        std::int64_t element = 0;
        std::int64_t place = 0;
        std::int64_t length = 0; ///< 0: nobody is at the first value
    };
    Run decode_run(std::int64_t value) const;
    /// How many combinations of terms have a value below `bound`. Only when nested and combinations() fits.
    std::int64_t count_below(std::int64_t bound) const;

    /// Calls `visit(element)` for every combination of terms at `value`. Returns false when `budget` steps did not
    /// suffice; budget is counted down.
    template <class Visit>
    bool search(std::int64_t value, std::int64_t& budget, Visit&& visit) const {
        if (value < low_ || value > high_) return true;
        return search_from(0, value - low_, element_at_low_, budget, visit);
    }

private:
    template <class Visit>
    bool search_from(std::size_t k, std::int64_t rest, std::int64_t element, std::int64_t& budget, Visit& visit) const {
        if (k == terms_.size()) {
            if (rest == 0) visit(element);
            return true;
        }
        const Term& term = terms_[k];
        const std::int64_t most = std::min(term.extent - 1, term.by_stride.quotient(rest));
        const std::int64_t over = rest - term.below;
        const std::int64_t least = over <= 0 ? 0 : ceil_div(over, term.stride);
        std::int64_t stride = 1; // between digits worth trying: term.step once the first is found
        for (std::int64_t digit = least; digit <= most; digit += stride) {
            if (--budget < 0) return false;
            const std::int64_t left = rest - digit * term.stride;
            if (term.divisor != 0 && left % term.divisor != 0) {
                if (digit - least >= term.step) break;
                continue;
            }
            stride = term.step;
            if (!search_from(k + 1, left, element + digit * term.place, budget, visit)) return false;
        }
        return true;
    }

    void finish();

    std::int64_t low_ = 0;
    std::int64_t high_ = 0;
    std::int64_t element_at_low_ = 0;
    std::vector<Term> terms_;
    std::vector<Digit> shared_;
    CheckedInt multiplicity_ = 1;
    CheckedInt combinations_ = 1;
    bool nested_ = true;
};

} // namespace ls::engine
