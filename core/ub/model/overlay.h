// Safe overlays (spec ub 5): views whose lives are disjoint may share bytes. Proposals are placements, each proved free
// of conflicts before it is handed out.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/support/result.h"
#include "core/ub/live_range.h"
#include "core/ub/model/partition.h"

namespace ls::ub {

/// Something to be placed.
struct OverlayItem {
    std::string name;
    std::int64_t bytes = 0;
    std::vector<LiveRange> live; ///< empty: live always
};

struct OverlayBlock {
    std::size_t item = 0; ///< index into the items
    std::int64_t off = 0;
    std::int64_t end = 0;
};

/// Two items that share bytes and are live together: what a placement must not have.
struct OverlayConflict {
    std::size_t a = 0, b = 0;
    std::int64_t begin = 0, end = 0;
};

struct OverlayPlan {
    std::vector<OverlayBlock> blocks; ///< in the order in which they are carved
    std::int64_t used_bytes = 0;
    std::int64_t reference_bytes = 0;                        ///< without any sharing
    std::vector<std::pair<std::size_t, std::size_t>> shared; ///< items that share bytes, all with disjoint lives

    std::int64_t saved_bytes() const { return reference_bytes - used_bytes; }
};

/// Most bytes live in one phase: no placement is smaller. `phase` is the first such phase, -1 without live ranges.
struct LiveBound {
    std::int64_t bytes = 0;
    std::int64_t phase = -1;
};
LiveBound live_bound(const std::vector<OverlayItem>& items);

/// Every pair of blocks that share bytes while both items are live.
std::vector<OverlayConflict> overlay_conflicts(const std::vector<OverlayItem>& items,
                                               const std::vector<OverlayBlock>& blocks);

/// Carves the items in the given order at a cursor (multiples of 32), except that `guest` starts where the first of
/// `hosts` starts; the hosts lie one after another at the end. OVERLAY_CONFLICT names two items that would clash.
Result<OverlayPlan> overlay_on(const std::vector<OverlayItem>& items, const std::vector<std::size_t>& order,
                               const std::vector<std::size_t>& hosts, std::size_t guest);

/// For each item, its best place on others that are dead while it is live, everything else left side by side; largest
/// saving first, none without a saving. Empty beyond 256 items.
std::vector<OverlayPlan> single_overlays(const std::vector<OverlayItem>& items);

/// The smallest placement found: several greedy orders, then a bounded search; stops at the live bound, which is the
/// optimum. Deterministic. Beyond 2048 items everything stays side by side.
OverlayPlan pack(const std::vector<OverlayItem>& items);

/// The views of one buffer as items.
std::vector<OverlayItem> overlay_items(const PlacedAlloc& alloc);

/// The model with the views of `alloc` placed as the plan says: explicit offsets, and alias groups where views share.
/// Offsets are numbers, for the parameters that the plan was made with.
Model apply_overlay(const Model& model, std::string_view alloc, const OverlayPlan& plan);

} // namespace ls::ub
