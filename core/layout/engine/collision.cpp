// Two elements meet when the difference of their digits adds up to nothing on every axis. Differences on one axis alone
// suffice: were the smallest pair to differ on two, leaving one of them out would give a smaller pair that still meets.
// So each axis is searched for digit differences d with Σ d_k · stride_k = 0; the elements are then the positive and
// the negative part of d, all other digits 0, which is the smallest pair with that difference.
#include "core/layout/engine/collision.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "core/layout/engine/axis_sum.h"
#include "core/support/checked.h"

namespace ls::engine {

namespace {

constexpr std::int64_t kSteps = std::int64_t{1} << 27; ///< about a second
constexpr std::int64_t kStepsPerTick = std::int64_t{1} << 20;

/// Smallest pair found so far, and the digit differences (second − first, along each term) that gave it.
struct Best {
    std::int64_t second = 0; ///< pairs must stay below it; the number of elements at first
    std::int64_t first = 0;
    bool found = false;
    std::size_t axis = 0;
    std::vector<std::int64_t> difference;
};

class Search {
public:
    Search(const AxisSum& sum, std::size_t axis, Best& best, const Watch* watch)
        : terms_(sum.terms()), axis_(axis), best_(best), watch_(watch), difference_(sum.terms().size(), 0) {}

    Status run(Axis axis, std::int64_t& steps) {
        steps_ = &steps;
        LS_CHECK(from(0, 0, 0, 0, true));
        if (steps > 0) return ok_status();
        return error("ENGINE_SEARCH",
                     fmt::format("whether elements meet on axis {} was not decided in {} steps", axis.name(), kSteps),
                     "make each stride larger than everything below it adds up to, or ask for a smaller shape");
    }

private:
    /// rest: Σ d·stride so far; up and down: Σ of the positive and of the negative d·place.
    Status from(std::size_t k, std::int64_t rest, std::int64_t up, std::int64_t down, bool all_zero) {
        if (std::max(up, down) > best_.second) return ok_status();
        if (k == terms_.size()) {
            if (rest == 0 && up != down) accept(up, down);
            return ok_status();
        }
        const AxisSum::Term& term = terms_[k];
        // The terms after this one reach from −below to +below. A difference and its negative are the same pair.
        std::int64_t low = std::max(-(term.extent - 1), ceil_div(-term.below - rest, term.stride));
        const std::int64_t high = std::min(term.extent - 1, floor_div(term.below - rest, term.stride));
        if (all_zero) low = std::max<std::int64_t>(low, 0);
        // Small differences first: they give small elements, which end the search early.
        const std::int64_t nearest = low > 0 ? low : high < 0 ? -high : 0;
        const std::int64_t farthest = std::max(high, -low);
        for (std::int64_t size = nearest; size <= farthest; ++size) {
            if (--*steps_ <= 0) return ok_status();
            if (*steps_ % kStepsPerTick == 0) LS_CHECK(Watch::tick(watch_, kSteps - *steps_, kSteps));
            const std::int64_t moved = size * std::abs(term.place);
            if (moved > best_.second) break;
            for (const std::int64_t d : {size, -size}) {
                if (d < low || d > high || (d == 0 && size != 0)) continue;
                const std::int64_t next = rest + d * term.stride;
                if (term.divisor != 0 && next % term.divisor != 0) continue;
                difference_[k] = d;
                const bool upwards = (d > 0) == (term.place > 0);
                LS_CHECK(
                    from(k + 1, next, up + (upwards ? moved : 0), down + (upwards ? 0 : moved), all_zero && d == 0));
                if (d == 0) break;
            }
        }
        difference_[k] = 0;
        return ok_status();
    }

    void accept(std::int64_t up, std::int64_t down) {
        const std::int64_t second = std::max(up, down);
        const std::int64_t first = std::min(up, down);
        const bool better =
            best_.found ? std::pair(second, first) < std::pair(best_.second, best_.first) : second < best_.second;
        if (!better) return;
        best_ = {second, first, true, axis_, difference_};
        if (down > up) {
            for (std::int64_t& d : best_.difference) d = -d;
        }
    }

    std::span<const AxisSum::Term> terms_;
    std::size_t axis_;
    Best& best_;
    const Watch* watch_;
    std::vector<std::int64_t> difference_;
    std::int64_t* steps_ = nullptr;
};

/// The point of the first element's copy that the second one meets.
std::vector<std::int64_t> meeting_point(const CompiledMap& map, const Best& best,
                                        std::span<const AxisSum::Term> terms) {
    std::vector<std::int64_t> point(map.axes().size());
    map.point(best.first, point);
    const Swizzle& swizzle = map.on(best.axis).swizzle();
    std::int64_t displacement = 0;
    for (std::size_t k = 0; k < best.difference.size(); ++k) {
        if (terms[k].place != 0) continue;
        const std::int64_t digits = terms[k].reversed ? -best.difference[k] : best.difference[k];
        if (digits < 0) displacement += -digits * (terms[k].reversed ? -terms[k].stride : terms[k].stride);
    }
    point[best.axis] = swizzle(swizzle(point[best.axis]) + displacement);
    return point;
}

} // namespace

Result<std::optional<Collision>> find_collision(const CompiledMap& map, const Watch* watch) {
    Best best;
    best.second = map.elements();
    std::vector<AxisSum> sums;
    std::int64_t steps = kSteps;
    for (std::size_t a = 0; a < map.axes().size(); ++a) {
        sums.push_back(AxisSum::of(map.lowered(), map.lowered().axes[a]));
        const AxisSum& sum = sums.back();
        if (sum.high() / 2 - sum.low() / 2 > std::int64_t{1} << 60) {
            return error("ENGINE_OVERFLOW",
                         fmt::format("offsets on axis {} reach from {} to {}: too far apart to compare",
                                     map.axes()[a].name(), sum.low(), sum.high()),
                         "use smaller strides");
        }
        if (!sum.shared().empty() && sum.shared().front().place < best.second) {
            best = {sum.shared().front().place, 0, true, a, {}};
        }
        if (!sum.is_nested()) LS_CHECK(Search(sum, a, best, watch).run(map.axes()[a], steps));
    }
    if (!best.found) return std::optional<Collision>{};
    Collision out;
    out.first = best.first;
    out.second = best.second;
    out.first_coordinate = map.on(0).coordinate(best.first);
    out.second_coordinate = map.on(0).coordinate(best.second);
    out.point = meeting_point(map, best, sums[best.axis].terms());
    return std::optional<Collision>(std::move(out));
}

} // namespace ls::engine
