#include "core/figure/ub_map.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/ub/model/model_checks.h"

namespace ls::figure {

namespace {

using ub::LiveRange;

constexpr std::int64_t kAllocStep = std::int64_t{1} << 24; // views a buffer; the reader allows a hundred thousand
constexpr std::int64_t kConflictIds = std::int64_t{1} << 52;
constexpr std::size_t kMostShared = 4096; ///< pairs that are looked at
constexpr std::size_t kMostConflicts = 64;
constexpr std::uint32_t kBufferCategory = 7; // slate: buffers are the frame of what lies in them
/// Neighbours differ as much as ten colours can; slate comes late.
constexpr std::array<std::uint32_t, 10> kViewCategories{0, 1, 2, 3, 4, 8, 5, 9, 6, 7};

std::vector<MemoryRows> rows_of(const std::vector<LiveRange>& live, std::size_t rows) {
    std::vector<MemoryRows> out;
    for (const LiveRange& range : live) {
        if (range.last < 0 || range.first > range.last || range.first >= static_cast<std::int64_t>(rows)) continue;
        out.push_back({static_cast<std::size_t>(std::max<std::int64_t>(0, range.first)),
                       std::min(rows - 1, static_cast<std::size_t>(range.last))});
    }
    std::sort(out.begin(), out.end(), [](const MemoryRows& a, const MemoryRows& b) { return a.first < b.first; });
    // Lives that touch are one life of the bytes.
    std::vector<MemoryRows> joined;
    for (const MemoryRows& one : out) {
        if (!joined.empty() && one.first <= joined.back().last + 1)
            joined.back().last = std::max(joined.back().last, one.last);
        else
            joined.push_back(one);
    }
    return joined;
}

std::string rows_text(const std::vector<MemoryRows>& live) {
    std::string text;
    for (const MemoryRows& r : live)
        text += r.first == r.last ? fmt::format("{}{}", text.empty() ? "" : ", ", r.first)
                                  : fmt::format("{}{}–{}", text.empty() ? "" : ", ", r.first, r.last);
    return text;
}

void live_bytes(MemoryMap& map) {
    if (map.rows.size() < 2) return; // without time there is nothing to compare
    for (const MemoryBlock& block : map.blocks) {
        const std::int64_t bytes = block.used_bytes > 0 ? block.used_bytes : block.end_byte - block.begin_byte;
        for (const MemoryRows& rows : block.live) {
            for (std::size_t row = rows.first; row <= rows.last; ++row) map.rows[row].live_bytes += bytes;
        }
    }
    const auto peak = std::max_element(map.rows.begin(), map.rows.end(), [](const MemoryRow& a, const MemoryRow& b) { return a.live_bytes < b.live_bytes; });
    for (MemoryRow& row : map.rows) {
        row.strong = map.rows.size() > 1 && &row == &*peak;
        row.describe = fmt::format("{} · {} B live{}", row.name, row.live_bytes, row.strong ? ", the peak" : "");
    }
}

/// Views that begin and end together are one bar with both names.
void add_view_bar(MemoryTrack& track, const MemoryBlock& block) {
    MemoryBlock bar = block;
    bar.used_bytes = 0;
    bar.live.clear();
    if (block.shared && !track.bars.empty()) {
        MemoryBlock& last = track.bars.back();
        if (last.begin_byte == bar.begin_byte && last.end_byte == bar.end_byte) {
            last.name += " ∩ " + bar.name;
            last.note = fmt::format("{} shared", bar.end_byte - bar.begin_byte);
            return;
        }
    }
    track.bars.push_back(std::move(bar));
}

/// Where the named bytes end, and the tail that library calls use. The capacity is drawn by the map itself.
void frame_lines(MemoryMap& map, std::int64_t used_end, std::int64_t tail_bytes) {
    const std::int64_t capacity = map.capacity_bytes;
    const bool over = capacity > 0 && used_end > capacity;
    const std::string slack = capacity <= 0 ? ""
                              : over        ? fmt::format(", {} too many", used_end - capacity)
                                            : fmt::format(", slack {}", capacity - used_end);
    map.lines.push_back({used_end, fmt::format("used {}{}", used_end, slack),
                         over ? scene::Role::Finding : scene::Role::Ink, 2, false, true});
    if (capacity > used_end)
        map.bands.push_back({used_end, capacity, true, scene::Role::Unused,
                             fmt::format("slack: {} B that no view uses", capacity - used_end)});
    if (tail_bytes <= 0 || capacity <= tail_bytes) return;
    map.lines.push_back({capacity - tail_bytes, fmt::format("reserved tail from {}", capacity - tail_bytes),
                         scene::Role::Warning, 1, true, true});
    map.bands.push_back({capacity - tail_bytes, capacity, false, scene::Role::WarningTint,
                         fmt::format("reserved tail: scratch of library calls, {} B", tail_bytes)});
}

void add_conflict(MemoryMap& map, const std::string& a, const std::string& b, std::int64_t begin, std::int64_t end, MemoryRows rows) {
    if (map.conflicts.size() >= kMostConflicts) return;
    map.conflicts.push_back({a, b, begin, end, rows, kConflictIds + static_cast<std::int64_t>(map.conflicts.size())});
}

/// Many clashes are one mistake: each pair keeps its first place, so that there is no wall of red.
void thin_out(MemoryMap& map) {
    constexpr std::size_t kAll = 8;
    if (map.conflicts.size() <= kAll) return;
    std::vector<MemoryConflict> kept;
    for (MemoryConflict& one : map.conflicts) {
        const bool known = std::any_of(kept.begin(), kept.end(), [&](const MemoryConflict& other) {
            return other.first == one.first && other.second == one.second;
        });
        if (!known) kept.push_back(std::move(one));
    }
    map.conflicts = std::move(kept);
}

/// What two blocks' lives have in common, as rows.
std::vector<MemoryRows> both(const MemoryBlock& a, const MemoryBlock& b) {
    std::vector<MemoryRows> common;
    for (const MemoryRows& x : a.live) {
        for (const MemoryRows& y : b.live) {
            const MemoryRows meet{std::max(x.first, y.first), std::min(x.last, y.last)};
            if (meet.first <= meet.last) common.push_back(meet);
        }
    }
    return common;
}

/// Marks blocks that share bytes, and what of it clashes. `grouped(i, j)`: the sharing is meant.
template <class Grouped>
void find_sharing(MemoryMap& map, std::size_t first, const std::vector<ub::PlacedView>& views, std::int64_t base, const Grouped& grouped) {
    for (const ub::SharedBytes& s : ub::shared_bytes(views, kMostShared)) {
        MemoryBlock &a = map.blocks[first + s.i], &b = map.blocks[first + s.j];
        a.shared = b.shared = true;
        const bool known = views[s.i].live && views[s.j].live;
        const auto meet = both(a, b);
        // Without lives a declared sharing is taken at its word; W_ALIAS_NO_LIVENESS says that nobody knows.
        if (meet.empty() || (!known && grouped(s.i, s.j))) continue;
        for (const MemoryRows& rows : meet) add_conflict(map, a.name, b.name, base + s.begin, base + s.end, rows);
    }
}

std::size_t row_count(const ub::Model& model) {
    std::int64_t last = -1;
    for (const ub::Alloc& alloc : model.allocs) {
        for (const LiveRange& r : alloc.live.value_or(std::vector<LiveRange>{})) last = std::max(last, r.last);
        for (const ub::View& view : alloc.views)
            for (const LiveRange& r : view.live.value_or(std::vector<LiveRange>{})) last = std::max(last, r.last);
    }
    constexpr std::int64_t kMostRows = 100'000;
    return std::max(model.phases.size(), static_cast<std::size_t>(std::clamp<std::int64_t>(last + 1, 1, kMostRows)));
}

struct ShortName {
    std::string_view name, brief;
};
constexpr std::array kShort{ShortName{"kCumdecay", "kCum"},      ShortName{"decayMask", "mask"}, ShortName{"chunkScores", "scores"},
                            ShortName{"stateIn", "state"},       ShortName{"chunkAttnOut", "out"}, ShortName{"gCumsum", "g"},
                            ShortName{"delta", "δ"},             ShortName{"dotProduct", "dot"}, ShortName{"expGCum", "e"},
                            ShortName{"chunkK", "K"},            ShortName{"chunkV", "V"},       ShortName{"beta", "β"}};

struct PhaseName {
    std::string_view name, shown;
};
constexpr std::array kPhaseNames{
    PhaseName{"P1_LoadChunkKey", "P1 load K"},     PhaseName{"P1b_GCumsum", "P1b prefix sum g"},
    PhaseName{"P2_KBeta", "P2 K·beta"},            PhaseName{"P3_DecayAndExp", "P3 decay, exp"},
    PhaseName{"P3q_QueryCache", "P3q cache Q"},    PhaseName{"P4_AttnMatrix", "P4 attention"},
    PhaseName{"P5_KCumdecay", "P5 k_cumdecay"},    PhaseName{"S1_LoadVBeta", "S1 load V·beta"},
    PhaseName{"S2_ValueNew", "S2 value_new"},      PhaseName{"S3_LoadState", "S3 load state"},
    PhaseName{"S4_VNew", "S4 v_new"},              PhaseName{"S5_AttnInter", "S5 inter-chunk"},
    PhaseName{"S6_AccumOutput", "S6 accumulate"},  PhaseName{"S6w_WriteAttn", "S6w store output"},
    PhaseName{"S7_UpdateState", "S7 update state"}};

std::string brief_of(std::string_view name) {
    for (const ShortName& one : kShort)
        if (one.name == name) return std::string(one.brief);
    return {};
}

} // namespace

std::int64_t ub_target_id(UbTarget target) {
    // From one step on: smaller ids belong to bands.
    return static_cast<std::int64_t>(target.alloc + 1) * kAllocStep + (target.view ? static_cast<std::int64_t>(*target.view) + 1 : 0);
}

std::optional<UbTarget> ub_target(std::int64_t id) {
    if (id < kAllocStep || id >= kConflictIds) return {};
    UbTarget target{static_cast<std::size_t>(id / kAllocStep - 1), {}};
    if (id % kAllocStep > 0) target.view = static_cast<std::size_t>(id % kAllocStep - 1);
    return target;
}

std::string_view shown_name(std::string_view name) {
    constexpr std::string_view kType = "Fp32";
    if (name.size() > kType.size() && name.ends_with(kType)) name.remove_suffix(kType.size());
    return name;
}

std::string shown_phase(std::string_view name) {
    const std::size_t hash = name.find("#t");
    const std::string_view stem = name.substr(0, hash);
    for (const PhaseName& one : kPhaseNames) {
        if (one.name != stem) continue;
        if (hash == std::string_view::npos) return std::string(one.shown);
        const std::string_view tile = name.substr(hash + 2);
        return tile == "0" ? std::string(one.shown) : fmt::format("{} · tile {}", one.shown, tile);
    }
    return std::string(name);
}

MemoryMap ub_map(const ub::Model& model, const ub::Partition& partition) {
    MemoryMap map;
    map.title = "Unified buffer";
    map.capacity_bytes = partition.ub_bytes;
    const std::size_t rows = row_count(model);
    const bool timed = !model.phases.empty() || rows > 1;
    map.subtitle = timed ? "address across, phases down" : "address across; the model has no phases";
    for (std::size_t i = 0; i < rows; ++i)
        map.rows.push_back({i < model.phases.size() ? shown_phase(model.phases[i]) : timed ? fmt::format("phase {}", i) : "always", 0, false, {}});
    const std::vector<MemoryRows> always{{0, rows - 1}};

    MemoryTrack buffers{"buffers", {}}, views{"views", {}};
    std::uint32_t category = 0;
    std::int64_t used_end = 0;
    for (std::size_t a = 0; a < partition.allocs.size(); ++a) {
        const ub::PlacedAlloc& alloc = partition.allocs[a];
        const ub::Alloc& source = model.allocs[a];
        MemoryBlock block;
        block.name = alloc.name;
        block.id = ub_target_id({a, {}});
        block.category = kBufferCategory;
        block.movable = !source.rest;
        const bool rest_tail = source.rest && !alloc.views.empty();
        block.describe = fmt::format("{} · {} · {} × {} B at {}", alloc.name, name(alloc.position), alloc.num, alloc.len, alloc.ub_base);
        for (std::int64_t i = 0; i < std::min<std::int64_t>(alloc.num, 64); ++i) {
            MemoryBlock bar = block;
            bar.begin_byte = alloc.ub_base + i * alloc.len;
            bar.end_byte = bar.begin_byte + alloc.len;
            if (alloc.num > 1) bar.name = fmt::format("{} [{}]", alloc.name, i), bar.short_name = fmt::format("[{}]", i);
            bar.note = fmt::format("{}", alloc.len);
            buffers.bars.push_back(bar);
            if (alloc.views.empty()) {
                bar.live = source.live ? rows_of(*source.live, rows) : always;
                map.blocks.push_back(bar);
            }
        }
        used_end = std::max(used_end, rest_tail ? alloc.ub_base + alloc.used : alloc.ub_base + alloc.total);
        const std::size_t first = map.blocks.size();
        for (std::size_t v = 0; v < alloc.views.size(); ++v) {
            const ub::PlacedView& view = alloc.views[v];
            MemoryBlock one;
            one.name = std::string(shown_name(view.name));
            one.short_name = brief_of(one.name);
            one.note = fmt::format("{}", view.bytes);
            one.begin_byte = alloc.ub_base + view.off;
            one.end_byte = alloc.ub_base + view.end;
            one.live = view.live ? rows_of(*view.live, rows) : always;
            one.category = kViewCategories[category++ % kViewCategories.size()];
            one.movable = true;
            one.id = ub_target_id({a, v});
            one.describe = fmt::format("{} · {} B at {}–{}{}", view.name, view.bytes, one.begin_byte, one.end_byte - 1,
                                       view.live ? fmt::format(" · live in phases {}", rows_text(one.live)) : std::string());
            map.blocks.push_back(std::move(one));
            if (view.end > alloc.len)
                map.bands.push_back({alloc.ub_base + std::max(view.off, alloc.len), alloc.ub_base + view.end, true, scene::Role::Finding,
                                     fmt::format("{} ends {} B beyond {}", view.name, view.end - alloc.len, alloc.name)});
            used_end = std::max(used_end, alloc.ub_base + view.end);
        }
        if (!rest_tail && !alloc.views.empty() && alloc.used < alloc.len)
            map.bands.push_back({alloc.ub_base + alloc.used, alloc.ub_base + alloc.len, true, scene::Role::Unused,
                                 fmt::format("{} B of {} that no view uses", alloc.len - alloc.used, alloc.name)});
        find_sharing(map, first, alloc.views, alloc.ub_base, [&](std::size_t i, std::size_t j) {
            return !alloc.views[i].alias_group.empty() && alloc.views[i].alias_group == alloc.views[j].alias_group;
        });
        for (std::size_t i = first; i < map.blocks.size() && !alloc.views.empty(); ++i) add_view_bar(views, map.blocks[i]);
    }
    map.tracks.push_back(std::move(buffers));
    if (!views.bars.empty()) map.tracks.push_back(std::move(views));
    frame_lines(map, used_end, model.platform.reserved_tail_bytes);
    live_bytes(map);
    thin_out(map);
    return map;
}

MemoryMap ub_map(const ub::cgdr::Scenario& scenario, const ub::cgdr::ScenarioReport& report) {
    using namespace ub::cgdr;
    MemoryMap map;
    map.title = "Unified buffer";
    map.capacity_bytes = scenario.ub_bytes.value_or(0);
    const bool timed = scenario.device.variant == Variant::V1108;
    map.subtitle = timed ? "address across, phases of one chunk down" : "address across; the Cube code has no published phases";
    const std::int64_t tiles = std::clamp<std::int64_t>(report.serial_tiles, 1, 16);
    if (timed) {
        for (const std::string& phase : unrolled_phases(tiles)) map.rows.push_back({shown_phase(phase), 0, false, {}});
    } else {
        map.rows.push_back({"always", 0, false, {}});
    }
    const std::vector<MemoryRows> always{{0, map.rows.size() - 1}};

    std::int64_t queue_base = 0, scratch_base = report.device.queue_ub_bytes();
    std::int64_t scratch_end = scratch_base + report.device.used_bytes;
    for (const UbBlock& block : report.blocks) {
        if (block.name == "stateOutQueue") queue_base = block.begin;
        else scratch_base = block.begin, scratch_end = block.end;
    }
    const std::int64_t rest = scratch_end - scratch_base;

    MemoryTrack buffers{"buffers", {}}, views{"views", {}};
    MemoryBlock queue;
    queue.id = ub_target_id({0, {}});
    queue.category = kBufferCategory;
    const std::int64_t blocks = std::clamp<std::int64_t>(report.device.queue_num, 1, 64);
    const std::int64_t length = report.device.queue_ub_bytes() / blocks;
    std::vector<LiveRange> queue_live;
    for (std::int64_t tile = 0; tile < tiles; ++tile) {
        for (const Life& life : queue_lives())
            queue_live.push_back({life.range.first + tile * kTilePhases, life.range.last + tile * kTilePhases});
    }
    for (std::int64_t i = 0; i < blocks; ++i) {
        MemoryBlock bar = queue;
        bar.name = blocks > 1 ? fmt::format("outQueue [{}]", i) : "outQueue";
        bar.short_name = blocks > 1 ? fmt::format("[{}]", i) : "queue";
        bar.note = fmt::format("{}", length);
        bar.begin_byte = queue_base + i * length;
        bar.end_byte = bar.begin_byte + length;
        bar.describe = fmt::format("stateOutQueue · VECOUT · {} × {} B at {}", blocks, length, queue_base);
        buffers.bars.push_back(bar);
        bar.live = timed ? rows_of(queue_live, map.rows.size()) : always;
        // The content is as large as what is written out, the block is rounded to 32 bytes.
        map.blocks.push_back(bar);
    }
    MemoryBlock scratch;
    scratch.name = "tmpBuff";
    scratch.note = fmt::format("{} B, VECCALC", rest);
    scratch.begin_byte = scratch_base;
    scratch.end_byte = scratch_end;
    scratch.category = kBufferCategory;
    scratch.id = ub_target_id({1, {}});
    scratch.describe = fmt::format("tmpBuff · VECCALC · {} B at {}", rest, scratch_base);
    buffers.bars.push_back(std::move(scratch));

    const std::size_t first = map.blocks.size();
    std::vector<ub::PlacedView> placed;
    for (std::size_t v = 0; v < report.device.views.size(); ++v) {
        const CarvedView& view = report.device.views[v];
        MemoryBlock one;
        one.name = std::string(shown_name(name(view.id)));
        one.short_name = brief_of(one.name);
        one.note = fmt::format("{}", view.bytes);
        one.begin_byte = scratch_base + view.off;
        one.end_byte = scratch_base + view.end;
        const std::int64_t content = content_bytes(report.device, view.id);
        if (content > 0 && content < view.bytes) one.used_bytes = content;
        const bool lived = timed && view.id != ViewId::Appended && !lives(view.id).empty();
        one.live = lived ? rows_of(unrolled_lives(view.id, tiles), map.rows.size()) : always;
        one.category = kViewCategories[v % kViewCategories.size()];
        one.movable = true;
        one.id = ub_target_id({1, v});
        one.describe = fmt::format("{} · {} B at {}–{}{}", name(view.id), view.bytes, one.begin_byte, one.end_byte - 1,
                                   lived ? fmt::format(" · live in phases {}", rows_text(one.live)) : std::string());
        if (view.end > rest)
            map.bands.push_back({scratch_base + std::max(view.off, rest), scratch_base + view.end, true, scene::Role::Finding,
                                 fmt::format("{} ends {} B beyond tmpBuff", name(view.id), view.end - rest)});
        map.blocks.push_back(std::move(one));
        ub::PlacedView plain;
        plain.name = name(view.id);
        plain.bytes = view.bytes;
        plain.off = view.off;
        plain.end = view.end;
        if (lived) plain.live = unrolled_lives(view.id, tiles);
        placed.push_back(std::move(plain));
    }
    find_sharing(map, first, placed, scratch_base, [&](std::size_t i, std::size_t j) {
        const auto one = report.device.views[i].id, other = report.device.views[j].id;
        return !timed && report.device.overlap && one == ViewId::ChunkScores && other == ViewId::StateIn;
    });
    for (std::size_t i = first; i < map.blocks.size(); ++i) add_view_bar(views, map.blocks[i]);
    map.tracks.push_back(std::move(buffers));
    map.tracks.push_back(std::move(views));
    frame_lines(map, std::max(scratch_base + report.device.used_bytes, report.blocks.empty() ? 0 : queue_base + report.device.queue_ub_bytes()), scenario.reserved_tail_bytes);
    live_bytes(map);
    thin_out(map);
    return map;
}

} // namespace ls::figure
