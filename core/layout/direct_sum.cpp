// Placing two layouts side by side on the same axes, without scaling, and taking them apart (spec/tirx.md 3.6).
#include <algorithm>

#include <fmt/format.h>

#include "core/layout/operations.h"
#include "core/layout/refusal.h"
#include "core/layout/shard.h"

namespace ls {

namespace {

Diagnostic none(std::string why) { return error("LAYOUT_NONE_DIRECT_SUM", std::move(why)); }

/// Which half of every [left, right] pair of dimensions the known part fills.
enum class Half : std::size_t { Left, Right };

/// The other part of `sum`: the halves that `part` does not fill.
Result<TileLayout> other_part(const TileLayout& part, const TileLayout& whole, std::span<const Dim> interleaved_shape,
                              std::span<const Dim> part_shape, Half half) {
    if (interleaved_shape.size() != 2 * part_shape.size()) {
        return error("LAYOUT_RANK", fmt::format("interleaved shape {} needs two dimensions for each of {}",
                                                to_string(interleaved_shape), to_string(part_shape)));
    }
    LS_TRY(const Layout part_canonical, canonicalize(part));
    LS_TRY(const Layout whole_canonical, canonicalize(whole));
    LS_TRY(const Grouped grouped, group(whole_canonical.tile(), interleaved_shape));
    LS_TRY(const Grouped known, group(part_canonical.tile(), part_shape));

    const auto filled = static_cast<std::size_t>(half);
    TileLayout other;
    for (std::size_t d = 0; d < part_shape.size(); ++d) {
        const auto there = dimension(grouped, 2 * d + filled);
        const auto here = dimension(known, d);
        if (!std::equal(here.begin(), here.end(), there.begin(), there.end(), same_steps)) {
            return none(fmt::format("dimension {} of the sum does not hold {}", d, to_string(part)));
        }
        const auto rest = dimension(grouped, 2 * d + (1 - filled));
        other.shard.insert(other.shard.end(), rest.begin(), rest.end());
    }
    other.replica = others(grouped.layout.replica, known.layout.replica);
    other.offset = difference(grouped.layout.offset, known.layout.offset);
    return other;
}

} // namespace

Result<Layout> direct_sum(const Layout& right, const TileLayout& left, std::span<const Dim> left_shape,
                          std::span<const Dim> right_shape) {
    LS_CHECK(same_rank("left shape", left_shape, "right shape", right_shape));
    if (right.is_compose()) {
        LS_TRY(const Layout whole, direct_sum(working_tile(right, right_shape), left, left_shape, right_shape));
        return right.with_tile(whole.tile());
    }
    LS_TRY(const Layout right_canonical, canonicalize(right));
    LS_TRY(const Layout left_canonical, canonicalize(left));
    LS_TRY(const Grouped right_grouped, group(right_canonical.tile(), right_shape));
    LS_TRY(const Grouped left_grouped, group(left_canonical.tile(), left_shape));
    TileLayout whole;
    for (std::size_t d = 0; d < left_shape.size(); ++d) {
        for (const Grouped* part : {&left_grouped, &right_grouped}) {
            const auto iters = dimension(*part, d);
            whole.shard.insert(whole.shard.end(), iters.begin(), iters.end());
        }
    }
    whole.replica = left_grouped.layout.replica;
    whole.replica.insert(whole.replica.end(), right_grouped.layout.replica.begin(), right_grouped.layout.replica.end());
    whole.offset = sum(left_grouped.layout.offset, right_grouped.layout.offset);
    return canonicalize(whole);
}

Result<Layout> is_direct_sum_right(const Layout& right, const Layout& whole, std::span<const Dim> interleaved_shape,
                                   std::span<const Dim> right_shape) {
    const bool alike = right.is_compose() ? whole.is_compose() && same_swizzle(*right.compose(), *whole.compose())
                                          : !whole.is_compose();
    if (!alike) return none("the two layouts do not swizzle alike");
    LS_TRY(TileLayout left, other_part(working_tile(right, right_shape), working_tile(whole, interleaved_shape),
                                       interleaved_shape, right_shape, Half::Right));
    return finish(std::move(left));
}

Result<Layout> is_direct_sum_left(const Layout& left, const Layout& whole, std::span<const Dim> interleaved_shape,
                                  std::span<const Dim> left_shape) {
    // A swizzle belongs to the right part and moves addresses of both, so that it never comes off on this side.
    if (left.is_compose() || whole.is_compose()) return none("a swizzled layout has no left part");
    LS_TRY(TileLayout right, other_part(left.tile(), whole.tile(), interleaved_shape, left_shape, Half::Left));
    return finish(std::move(right));
}

} // namespace ls
