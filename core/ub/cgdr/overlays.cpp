#include "core/ub/cgdr/overlays.h"

#include <algorithm>
#include <array>

namespace ls::ub::cgdr {

namespace {

// The rows and tiles that stay, in the order in which they are carved; the short scratch rows last.
constexpr std::array kStaying{ViewId::ChunkK,  ViewId::DecayMask, ViewId::ChunkV, ViewId::ChunkAttnOut,
                              ViewId::GCumsum, ViewId::ExpGCum,   ViewId::Delta,  ViewId::DotProduct};
// The prologue's tiles that may be dead when the state is loaded.
constexpr std::array kPossibleHosts{ViewId::KCumdecay, ViewId::ChunkScores};

} // namespace

std::vector<OverlayItem> overlay_items(const DevicePartition& partition, std::int64_t tiles) {
    std::vector<OverlayItem> items;
    for (const CarvedView& view : partition.views) {
        items.push_back(
            {std::string(name(view.id)), content_bytes(partition, view.id), unrolled_lives(view.id, tiles)});
    }
    return items;
}

Result<OverlayPlan> overlay_state_tile(const DevicePartition& partition, std::int64_t tiles) {
    if (partition.input.variant != Variant::V1108) {
        return error("UB_NOT_V1108", "the overlay is proved for the v1108 phases alone", "choose the variant v1108");
    }
    const auto items = overlay_items(partition, tiles);
    const auto index = [&](ViewId id) {
        const auto at = std::find_if(partition.views.begin(), partition.views.end(),
                                     [id](const CarvedView& v) { return v.id == id; });
        return static_cast<std::size_t>(at - partition.views.begin());
    };
    const std::size_t state = index(ViewId::StateIn);
    std::vector<std::size_t> order, hosts;
    for (const ViewId id : kStaying) order.push_back(index(id));
    for (const ViewId id : kPossibleHosts) {
        if (ever_both_live(items[index(id)].live, items[state].live)) {
            order.push_back(index(id));
        } else {
            hosts.push_back(index(id));
        }
    }
    LS_TRY(OverlayPlan plan, overlay_on(items, order, hosts, state));
    plan.reference_bytes = partition.used_bytes; // what the kernel carves, with its own sharing
    return plan;
}

} // namespace ls::ub::cgdr
