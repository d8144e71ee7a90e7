#include "core/figure/memory_map_lens.h"

#include <algorithm>
#include <set>

namespace ls::figure {

namespace {

constexpr std::size_t kMaxGroups = 12;
constexpr double kGap = 8, kNarrowest = 10;

} // namespace

std::optional<std::pair<double, double>> ByteScale::place(std::int64_t begin, std::int64_t end) const {
    double x0 = 0, x1 = 0;
    bool found = false;
    for (const Segment& s : segments) {
        const std::int64_t from = std::max(begin, s.begin_byte), to = std::min(end, s.end_byte);
        if (from > to || (from == to && begin != end)) continue;
        const double scale = (s.x1 - s.x0) / static_cast<double>(std::max<std::int64_t>(1, s.end_byte - s.begin_byte));
        if (!found) x0 = s.x0 + scale * static_cast<double>(from - s.begin_byte);
        x1 = s.x0 + scale * static_cast<double>(to - s.begin_byte);
        found = true;
    }
    if (!found) return std::nullopt;
    return std::pair(x0, x1);
}

LensGroups lens_groups(const MemoryMap& map, double points_per_byte) {
    std::set<std::pair<std::int64_t, std::int64_t>> narrow;
    const auto look = [&](const MemoryBlock& b) {
        if (b.end_byte <= b.begin_byte) return;
        if (static_cast<double>(b.end_byte - b.begin_byte) * points_per_byte < kLensBelow) {
            narrow.insert({b.begin_byte, b.end_byte});
        }
    };
    for (const MemoryBlock& b : map.blocks) look(b);
    for (const MemoryTrack& t : map.tracks)
        for (const MemoryBlock& b : t.bars) look(b);

    LensGroups groups;
    for (const auto& [begin, end] : narrow) {
        if (!groups.ranges.empty() && begin <= groups.ranges.back().second) {
            groups.ranges.back().second = std::max(groups.ranges.back().second, end);
        } else if (groups.ranges.size() == kMaxGroups) {
            ++groups.left_out;
            continue;
        } else {
            groups.ranges.emplace_back(begin, end);
        }
        ++groups.blocks;
    }
    return groups;
}

ByteScale lens_scale(const LensGroups& groups, double x, double width) {
    ByteScale scale;
    if (groups.ranges.empty()) return scale;
    std::int64_t bytes = 0;
    for (const auto& [begin, end] : groups.ranges) bytes += end - begin;
    const auto count = static_cast<double>(groups.ranges.size());
    const double room = std::max(0.0, width - kGap * (count - 1) - kNarrowest * count);
    for (const auto& [begin, end] : groups.ranges) {
        const double w = kNarrowest + room * static_cast<double>(end - begin) / static_cast<double>(bytes);
        scale.segments.push_back({begin, end, x, x + w});
        x += w + kGap;
    }
    return scale;
}

} // namespace ls::figure
