#include "core/ub/model/overlay.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <random>

#include <fmt/format.h>

#include "core/support/checked.h"

namespace ls::ub {

namespace {

constexpr std::int64_t kBlock = 32;
constexpr std::size_t kMaxPacked = 2048; ///< placing is quadratic in the items
constexpr std::size_t kMaxSingle = 256;  ///< trying each item as a guest is cubic

using Items = std::vector<OverlayItem>;
using Order = std::vector<std::size_t>;

bool clash(const OverlayItem& a, const OverlayItem& b) {
    return a.live.empty() || b.live.empty() || ever_both_live(a.live, b.live);
}

/// Which items may never share bytes.
class ClashTable {
public:
    explicit ClashTable(const Items& items) : size_(items.size()), table_(size_ * size_) {
        for (std::size_t a = 0; a < size_; ++a) {
            for (std::size_t b = 0; b < size_; ++b) table_[a * size_ + b] = a != b && clash(items[a], items[b]) ? 1 : 0;
        }
    }
    bool operator()(std::size_t a, std::size_t b) const { return table_[a * size_ + b] != 0; }

private:
    std::size_t size_;
    std::vector<std::uint8_t> table_;
};

std::int64_t side_by_side(const Items& items) {
    std::int64_t bytes = 0;
    for (const OverlayItem& item : items) bytes = align_up(bytes, kBlock) + item.bytes;
    return bytes;
}

/// Each item in turn at the lowest offset that no clashing item takes.
std::vector<OverlayBlock> first_fit(const Items& items, const ClashTable& clashes, const Order& order) {
    std::vector<OverlayBlock> placed; // sorted by offset
    placed.reserve(items.size());
    for (const std::size_t item : order) {
        std::int64_t off = 0;
        for (const OverlayBlock& block : placed) {
            if (block.off >= off + items[item].bytes) break;
            if (block.end > off && clashes(item, block.item)) off = align_up(block.end, kBlock);
        }
        const OverlayBlock block{item, off, off + items[item].bytes};
        placed.insert(std::upper_bound(placed.begin(), placed.end(), block,
                                       [](const OverlayBlock& a, const OverlayBlock& b) { return a.off < b.off; }),
                      block);
    }
    return placed;
}

std::int64_t extent(const std::vector<OverlayBlock>& blocks) {
    std::int64_t end = 0;
    for (const OverlayBlock& block : blocks) end = std::max(end, block.end);
    return end;
}

OverlayPlan make_plan(const Items& items, std::vector<OverlayBlock> blocks) {
    OverlayPlan plan;
    plan.used_bytes = extent(blocks);
    plan.reference_bytes = side_by_side(items);
    for (std::size_t a = 0; a < blocks.size(); ++a) {
        for (std::size_t b = a + 1; b < blocks.size(); ++b) {
            if (blocks[a].off < blocks[b].end && blocks[b].off < blocks[a].end) {
                plan.shared.emplace_back(blocks[a].item, blocks[b].item);
            }
        }
    }
    plan.blocks = std::move(blocks);
    return plan;
}

std::int64_t life_length(const OverlayItem& item) {
    std::int64_t length = 0;
    for (const LiveRange& range : item.live) length += range.last - range.first + 1;
    return length;
}

/// Hosts for `guest` that cover it with the least waste: all that are dead while it lives, largest first, until
/// covered.
Order choose_hosts(const Items& items, const ClashTable& clashes, std::size_t guest) {
    Order candidates;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (i != guest && items[i].bytes > 0 && !clashes(i, guest)) candidates.push_back(i);
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [&](std::size_t a, std::size_t b) { return items[a].bytes > items[b].bytes; });
    Order hosts;
    std::int64_t covered = 0;
    for (const std::size_t host : candidates) {
        if (covered >= items[guest].bytes) break;
        hosts.push_back(host);
        covered = align_up(covered, kBlock) + items[host].bytes;
    }
    std::sort(hosts.begin(), hosts.end()); // in carving order
    return hosts;
}

} // namespace

LiveBound live_bound(const Items& items) {
    // Bytes change only where a life begins or ends.
    std::map<std::int64_t, std::int64_t> change;
    std::int64_t always = 0;
    for (const OverlayItem& item : items) {
        if (item.live.empty()) {
            always += item.bytes;
            continue;
        }
        auto ranges = item.live;
        std::sort(ranges.begin(), ranges.end(),
                  [](const LiveRange& a, const LiveRange& b) { return a.first < b.first; });
        std::int64_t counted_to = std::numeric_limits<std::int64_t>::min();
        for (const LiveRange& range : ranges) {
            const std::int64_t first = std::max(range.first, counted_to);
            if (first > range.last) continue;
            change[first] += item.bytes;
            change[range.last + 1] -= item.bytes;
            counted_to = range.last + 1;
        }
    }
    LiveBound bound{always, change.empty() ? -1 : change.begin()->first};
    std::int64_t now = always;
    for (const auto& [phase, delta] : change) {
        now += delta;
        if (now > bound.bytes) bound = {now, phase};
    }
    return bound;
}

std::vector<OverlayConflict> overlay_conflicts(const Items& items, const std::vector<OverlayBlock>& blocks) {
    std::vector<OverlayConflict> conflicts;
    for (std::size_t a = 0; a < blocks.size(); ++a) {
        for (std::size_t b = a + 1; b < blocks.size(); ++b) {
            const std::int64_t begin = std::max(blocks[a].off, blocks[b].off);
            const std::int64_t end = std::min(blocks[a].end, blocks[b].end);
            if (begin < end && clash(items[blocks[a].item], items[blocks[b].item])) {
                conflicts.push_back({blocks[a].item, blocks[b].item, begin, end});
            }
        }
    }
    return conflicts;
}

Result<OverlayPlan> overlay_on(const Items& items, const Order& order, const Order& hosts, std::size_t guest) {
    std::vector<OverlayBlock> blocks;
    std::int64_t cursor = 0;
    const auto carve = [&](std::size_t item) {
        cursor = align_up(cursor, kBlock);
        blocks.push_back({item, cursor, cursor + items[item].bytes});
        cursor += items[item].bytes;
    };
    for (const std::size_t item : order) {
        if (item != guest && std::find(hosts.begin(), hosts.end(), item) == hosts.end()) carve(item);
    }
    const std::int64_t shared_from = align_up(cursor, kBlock);
    for (const std::size_t host : hosts) carve(host);
    blocks.push_back({guest, shared_from, shared_from + items[guest].bytes});
    if (const auto conflicts = overlay_conflicts(items, blocks); !conflicts.empty()) {
        const OverlayConflict& first = conflicts.front();
        return error("OVERLAY_CONFLICT",
                     fmt::format("{} and {} would share {}..{} while both are live", items[first.a].name,
                                 items[first.b].name, first.begin, first.end),
                     "choose hosts whose lives end before the guest's begins");
    }
    return make_plan(items, std::move(blocks));
}

std::vector<OverlayPlan> single_overlays(const Items& items) {
    std::vector<OverlayPlan> plans;
    if (items.size() > kMaxSingle) return plans;
    const ClashTable clashes(items);
    Order order(items.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t guest = 0; guest < items.size(); ++guest) {
        const Order hosts = choose_hosts(items, clashes, guest);
        if (hosts.empty() || items[guest].bytes == 0) continue;
        auto plan = overlay_on(items, order, hosts, guest);
        if (plan.ok() && plan->saved_bytes() > 0) plans.push_back(std::move(plan).value());
    }
    std::stable_sort(plans.begin(), plans.end(),
                     [](const OverlayPlan& a, const OverlayPlan& b) { return a.used_bytes < b.used_bytes; });
    return plans;
}

OverlayPlan pack(const Items& items) {
    constexpr int kTries = 400;
    if (items.size() > kMaxPacked) {
        std::vector<OverlayBlock> apart;
        std::int64_t cursor = 0;
        for (std::size_t i = 0; i < items.size(); ++i) {
            cursor = align_up(cursor, kBlock);
            apart.push_back({i, cursor, cursor + items[i].bytes});
            cursor += items[i].bytes;
        }
        return make_plan(items, std::move(apart));
    }
    const ClashTable clashes(items);
    const std::int64_t bound = live_bound(items).bytes;
    Order order(items.size());
    std::iota(order.begin(), order.end(), std::size_t{0});

    std::vector<OverlayBlock> best = first_fit(items, clashes, order);
    Order best_order = order;
    const auto attempt = [&](const Order& candidate) {
        auto blocks = first_fit(items, clashes, candidate);
        if (extent(blocks) >= extent(best)) return;
        best = std::move(blocks);
        best_order = candidate;
    };
    const auto by = [&](auto key) {
        Order sorted = order;
        std::stable_sort(sorted.begin(), sorted.end(),
                         [&](std::size_t a, std::size_t b) { return key(items[a]) > key(items[b]); });
        attempt(sorted);
    };
    by([](const OverlayItem& item) { return item.bytes; });
    by([](const OverlayItem& item) { return life_length(item); });
    by([](const OverlayItem& item) {
        return static_cast<double>(item.bytes) * static_cast<double>(life_length(item));
    });

    // Swapping two items of the best order often removes the last hole.
    std::mt19937 random(12345);
    for (int i = 0; i < kTries && items.size() > 1 && items.size() <= kMaxSingle && extent(best) > bound; ++i) {
        Order candidate = best_order;
        std::swap(candidate[random() % candidate.size()], candidate[random() % candidate.size()]);
        attempt(candidate);
    }
    return make_plan(items, std::move(best));
}

std::vector<OverlayItem> overlay_items(const PlacedAlloc& alloc) {
    Items items;
    items.reserve(alloc.views.size());
    for (const PlacedView& view : alloc.views)
        items.push_back({view.name, view.bytes, view.live.value_or(std::vector<LiveRange>{})});
    return items;
}

Model apply_overlay(const Model& model, std::string_view alloc, const OverlayPlan& plan) {
    Model changed = model;
    for (Alloc& each : changed.allocs) {
        if (each.name != alloc) continue;
        for (const OverlayBlock& block : plan.blocks) {
            if (block.item >= each.views.size()) continue;
            each.views[block.item].off = SizeText(fmt::format("{}", block.off));
            each.views[block.item].advance.reset();
            each.views[block.item].alias_group.clear();
        }
        // One group for the views that share, directly or through others.
        for (const auto& [a, b] : plan.shared) {
            if (std::max(a, b) >= each.views.size()) continue;
            std::string& first = each.views[a].alias_group;
            std::string& second = each.views[b].alias_group;
            if (first.empty() && second.empty()) {
                first = second = "over_" + each.views[a].name;
            } else if (first.empty()) {
                first = second;
            } else if (second.empty()) {
                second = first;
            } else if (first != second) {
                const std::string from = second, to = first;
                for (View& view : each.views) {
                    if (view.alias_group == from) view.alias_group = to;
                }
            }
        }
    }
    return changed;
}

} // namespace ls::ub
