// Live ranges: inclusive intervals of phase indices.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace ls::ub {

struct LiveRange {
    std::int64_t first = 0;
    std::int64_t last = 0; ///< inclusive

    bool operator==(const LiveRange&) const = default;
};

/// The pairwise intersections of two lists, in order of `a` and then `b`; empty when the two are never live together.
inline std::vector<LiveRange> both_live(std::span<const LiveRange> a, std::span<const LiveRange> b) {
    std::vector<LiveRange> both;
    for (const LiveRange& x : a) {
        for (const LiveRange& y : b) {
            const LiveRange meet{std::max(x.first, y.first), std::min(x.last, y.last)};
            if (meet.first <= meet.last) both.push_back(meet);
        }
    }
    return both;
}

inline bool ever_both_live(std::span<const LiveRange> a, std::span<const LiveRange> b) {
    for (const LiveRange& x : a) {
        for (const LiveRange& y : b) {
            if (x.first <= y.last && y.first <= x.last) return true;
        }
    }
    return false;
}

} // namespace ls::ub
