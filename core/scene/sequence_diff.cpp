#include "core/scene/sequence_diff.h"

#include <algorithm>
#include <utility>

namespace ls::scene {

namespace {

using Index = std::ptrdiff_t;

/// A point that splits an edit script in two halves: all before it can be solved apart from all behind it.
struct Split {
    Index x = 0, y = 0;
};

class Myers {
public:
    Myers(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) : a_(a), b_(b) {
        const std::size_t size = 2 * (a.size() + b.size()) + 3;
        forward_.assign(size, 0);
        backward_.assign(size, 0);
    }

    std::vector<Match> solve() {
        // Parts still to be solved; a stack instead of recursion, worked from left to right.
        struct Part {
            Index a0, a1, b0, b1;
        };
        std::vector<Part> parts{{0, static_cast<Index>(a_.size()), 0, static_cast<Index>(b_.size())}};
        while (!parts.empty()) {
            Part p = parts.back();
            parts.pop_back();
            const Index a0 = p.a0, b0 = p.b0;
            while (p.a0 < p.a1 && p.b0 < p.b1 && at_a(p.a0) == at_b(p.b0)) ++p.a0, ++p.b0;
            match(a0, b0, p.a0 - a0);
            Index tail = 0;
            while (p.a0 < p.a1 - tail && p.b0 < p.b1 - tail && at_a(p.a1 - tail - 1) == at_b(p.b1 - tail - 1)) ++tail;
            if (tail > 0) {
                // The common end is itself a part: it matches as a prefix when its turn comes.
                parts.push_back({p.a1 - tail, p.a1, p.b1 - tail, p.b1});
                p.a1 -= tail;
                p.b1 -= tail;
            }
            if (p.a0 == p.a1 || p.b0 == p.b1) continue;
            const Split s = split(p.a0, p.a1, p.b0, p.b1);
            parts.push_back({s.x, p.a1, s.y, p.b1});
            parts.push_back({p.a0, s.x, p.b0, s.y});
        }
        return std::move(matches_);
    }

private:
    std::uint32_t at_a(Index i) const { return a_[static_cast<std::size_t>(i)]; }
    std::uint32_t at_b(Index i) const { return b_[static_cast<std::size_t>(i)]; }

    void match(Index a, Index b, Index length) {
        if (length <= 0) return;
        const auto ua = static_cast<std::size_t>(a), ub = static_cast<std::size_t>(b),
                   n = static_cast<std::size_t>(length);
        if (!matches_.empty() && matches_.back().a + matches_.back().length == ua &&
            matches_.back().b + matches_.back().length == ub) {
            matches_.back().length += n;
        } else {
            matches_.push_back({ua, ub, n});
        }
    }

    /// Searches from both corners of a[a0, a1) × b[b0, b1) until the furthest reaching paths meet. Both ranges are not
    /// empty and differ in their first and last elements, so that neither half is the whole.
    Split split(Index a0, Index a1, Index b0, Index b1) {
        constexpr Index kMostEdits = 2048;
        const Index n = a1 - a0, m = b1 - b0, delta = n - m;
        const bool odd = (delta & 1) != 0;
        const Index half = (n + m + 1) / 2;
        const Index zero = static_cast<Index>(forward_.size() / 2); // diagonal 0
        const auto fwd = [&](Index k) -> Index& { return forward_[static_cast<std::size_t>(zero + k)]; };
        const auto bwd = [&](Index k) -> Index& { return backward_[static_cast<std::size_t>(zero + k)]; };
        fwd(1) = 0;
        bwd(1) = 0;
        for (Index d = 0; d <= half; ++d) {
            for (Index k = -d; k <= d; k += 2) {
                Index x = k == -d || (k != d && fwd(k - 1) < fwd(k + 1)) ? fwd(k + 1) : fwd(k - 1) + 1;
                Index y = x - k;
                while (x < n && y < m && at_a(a0 + x) == at_b(b0 + y)) ++x, ++y;
                fwd(k) = x;
                // The backward path on the same diagonal was advanced d-1 times.
                if (odd && delta - k >= -(d - 1) && delta - k <= d - 1 && x + bwd(delta - k) >= n)
                    return inside(a0, a1, b0, b1, x, y);
            }
            for (Index k = -d; k <= d; k += 2) {
                Index x = k == -d || (k != d && bwd(k - 1) < bwd(k + 1)) ? bwd(k + 1) : bwd(k - 1) + 1;
                Index y = x - k;
                while (x < n && y < m && at_a(a1 - 1 - x) == at_b(b1 - 1 - y)) ++x, ++y;
                bwd(k) = x;
                if (!odd && delta - k >= -d && delta - k <= d && x + fwd(delta - k) >= n)
                    return inside(a0, a1, b0, b1, n - x, m - y);
            }
            if (d >= kMostEdits) return furthest(a0, a1, b0, b1, d);
        }
        return {a0 + n / 2, b0 + m / 2};
    }

    /// Paths may run past the box by one step; the split stays in it.
    static Split inside(Index a0, Index a1, Index b0, Index b1, Index x, Index y) {
        return {std::clamp(a0 + x, a0, a1), std::clamp(b0 + y, b0, b1)};
    }

    /// The forward path that has come furthest after d edits.
    Split furthest(Index a0, Index a1, Index b0, Index b1, Index d) const {
        const Index zero = static_cast<Index>(forward_.size() / 2);
        Split best{a0, b0};
        for (Index k = -d; k <= d; k += 2) {
            const Index x = std::min(forward_[static_cast<std::size_t>(zero + k)], a1 - a0), y = x - k;
            if (y < 0 || y > b1 - b0) continue;
            if (a0 + x + b0 + y > best.x + best.y) best = {a0 + x, b0 + y};
        }
        return best;
    }

    std::span<const std::uint32_t> a_, b_;
    std::vector<Index> forward_, backward_;
    std::vector<Match> matches_;
};

} // namespace

std::vector<Match> longest_matches(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
    return Myers(a, b).solve();
}

} // namespace ls::scene
