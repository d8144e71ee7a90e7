#include "core/figure/tile_memory.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/scene/metrics.h"
#include "core/scene/place.h"
#include "core/support/dtype.h"

namespace ls::figure {

using namespace ir;

std::string short_tile_name(std::string_view name) {
    const std::size_t at = name.find("__ssa_v");
    const bool version = at != std::string_view::npos && at > 0 &&
                         name.find_first_not_of("0123456789", at + 7) == std::string_view::npos;
    return std::string(version ? name.substr(0, at) : name);
}

std::string tile_shape_text(const VarNode& tile) {
    const auto* type = as<TileTypeNode>(tile.type);
    if (type == nullptr) return {};
    const auto dims = constant_dims(type->shape);
    return fmt::format("[{}] {}", dims ? fmt::format("{}", fmt::join(*dims, ", ")) : "…", info(type->dtype).brief);
}

namespace {

constexpr std::uint32_t kReserved = 7; // the grey of the categories: what is reserved; tiles take the colours before it

std::string position_text(const TileLifetimes& lifetimes, std::size_t p) {
    const TilePosition& at = lifetimes.positions[p];
    return fmt::format("{} {}", p, at.what);
}

std::string range_text(const TileLifetimes& lifetimes, const std::vector<LiveTimes>& live) {
    std::string text;
    for (const LiveTimes& t : live) {
        text += fmt::format("{}{} to {}", text.empty() ? "" : ", ", position_text(lifetimes, t.first_position()),
                            position_text(lifetimes, t.last_position()));
    }
    return text;
}

class Builder {
public:
    Builder(const TileLifetimes& lifetimes, const SpaceUse& use, const Hardware& hardware) : lifetimes_(lifetimes), use_(use) {
        map_.capacity_bytes = hardware.capacity_bytes(use.space).value_or(0);
        map_.title = fmt::format("{}", name(use.space));
        map_.shared_means = "another name of these bytes";
    }

    MemoryMap build() {
        rows();
        allocations();
        for (const std::size_t i : use_.buffers) block(i);
        conflicts();
        levels();
        return std::move(map_);
    }

private:
    void rows() {
        std::set<std::size_t> events; // positions where a row must begin
        for (const std::size_t i : use_.buffers) {
            for (const TileName& n : lifetimes_.buffers[i].names) {
                for (const LiveTimes& t : n.live) {
                    for (const std::size_t p : {t.first_position(), t.last_position()}) events.insert({p, p + 1});
                }
            }
        }
        events.insert(use_.peak_position);
        events.insert(use_.peak_position + 1);
        const std::size_t end = lifetimes_.positions.size();
        row_of_.assign(end, 0);
        const std::size_t first = events.empty() ? 0 : *events.begin();
        for (auto at = events.begin(); at != events.end() && *at < end; ++at) {
            const auto after = std::next(at);
            std::size_t last = (after == events.end() ? end : std::min(*after, end)) - 1;
            MemoryRow row;
            std::int64_t most = 0;
            for (std::size_t p = *at; p <= last; ++p) {
                row_of_[p] = map_.rows.size();
                most = std::max(most, use_.live_bytes[p]);
            }
            if (after == events.end() && most == 0) continue; // nothing lives after the last
            row.name = last == *at ? position_text(lifetimes_, *at) : fmt::format("{}–{}", *at, last);
            row.live_bytes = most;
            row.strong = *at == use_.peak_position && use_.peak_live_bytes > 0;
            const TilePosition& p = lifetimes_.positions[*at];
            row.describe = fmt::format("position {}: {}{}{}, {} B live{}", *at, p.what, p.subject.empty() ? "" : " ", p.subject, most,
                                       row.strong ? ", the peak" : "");
            map_.rows.push_back(std::move(row));
        }
        for (std::size_t p = 0; p < first; ++p) row_of_[p] = 0;
    }

    std::vector<MemoryRows> rows_of(const std::vector<LiveTimes>& live) const {
        std::vector<MemoryRows> all;
        for (const LiveTimes& t : live) {
            const std::size_t last = std::min(row_of_[t.last_position()], map_.rows.size() - 1);
            all.push_back({std::min(row_of_[t.first_position()], last), last, t.first % 2 != 0, t.last % 2 == 0});
        }
        return all;
    }

    /// What is reserved, whether something lives there or not.
    void allocations() {
        std::map<const Node*, MemoryBlock> bars;
        std::vector<const Node*> order;
        for (const std::size_t i : use_.buffers) {
            const TileBuffer& b = lifetimes_.buffers[i];
            const auto& memref = as<TileTypeNode>(b.var().type)->memref;
            const auto* base = memref ? as<VarNode>(memref->base) : nullptr;
            if (base == nullptr || !b.begin_byte) continue;
            const auto [at, is_new] = bars.try_emplace(base);
            MemoryBlock& bar = at->second;
            if (is_new) {
                order.push_back(base);
                bar.name = base->name;
                bar.short_name = base->name.substr(base->name.rfind('_') + 1);
                bar.begin_byte = *b.begin_byte;
                bar.end_byte = b.end_byte();
                bar.category = kReserved;
                bar.id = static_cast<std::int64_t>(i);
            }
            bar.begin_byte = std::min(bar.begin_byte, *b.begin_byte);
            bar.end_byte = std::max(bar.end_byte, b.end_byte());
        }
        if (bars.empty()) return;
        MemoryTrack track{"buffers", {}};
        for (const Node* base : order) {
            MemoryBlock& bar = bars.at(base);
            bar.note = fmt::format("{}", bar.end_byte - bar.begin_byte);
            bar.describe = fmt::format("buffer {}, bytes {}–{}", bar.name, bar.begin_byte, bar.end_byte - 1);
            track.bars.push_back(bar);
        }
        map_.tracks.push_back(std::move(track));
    }

    void block(std::size_t index) {
        const TileBuffer& b = lifetimes_.buffers[index];
        if (!b.begin_byte) return;
        for (std::size_t n = 0; n < b.names.size(); ++n) {
            const TileName& name = b.names[n];
            if (!name.begin_byte || name.live.empty()) continue;
            MemoryBlock block;
            block.name = short_tile_name(name.var->name);
            block.short_name = fmt::format("#{}", index);
            block.note = tile_shape_text(*name.var);
            block.begin_byte = *name.begin_byte;
            block.end_byte = *name.begin_byte + name.bytes;
            block.live = rows_of(name.live);
            block.category = static_cast<std::uint32_t>(index % kReserved);
            block.shared = n > 0;
            block.id = static_cast<std::int64_t>(index);
            block.describe = fmt::format("{}, {}, {} bytes {}–{}, live {}", name.var->name, block.note, ir::name(b.space), block.begin_byte,
                                         block.end_byte - 1, range_text(lifetimes_, name.live));
            if (n > 0) block.describe += fmt::format("; the bytes of {}", b.name());
            map_.blocks.push_back(std::move(block));
        }
    }

    void conflicts() {
        for (std::size_t i = 0; i < lifetimes_.conflicts.size(); ++i) {
            const TileConflict& c = lifetimes_.conflicts[i];
            if (lifetimes_.buffers[c.first].space != use_.space) continue;
            map_.conflicts.push_back({short_tile_name(c.first_name), short_tile_name(c.second_name), c.begin_byte, c.end_byte,
                                      rows_of({c.times}).front(), kTileConflictHit - static_cast<std::int64_t>(i)});
        }
    }

    void levels() {
        const bool over = map_.capacity_bytes > 0 && use_.high_water_bytes > map_.capacity_bytes;
        if (use_.high_water_bytes != map_.capacity_bytes) {
            map_.lines.push_back({use_.high_water_bytes, fmt::format("used {}", use_.high_water_bytes),
                                  over ? scene::Role::Finding : scene::Role::Ink, 2, false, over});
        }
        if (map_.capacity_bytes > use_.high_water_bytes) {
            map_.bands.push_back({use_.high_water_bytes, map_.capacity_bytes, true, scene::Role::Unused,
                                  fmt::format("{} B unused", map_.capacity_bytes - use_.high_water_bytes)});
        }
        map_.subtitle = fmt::format("{} of {} B used, {} live at the peak, {}", use_.high_water_bytes, map_.capacity_bytes, use_.peak_live_bytes,
                                    position_text(lifetimes_, use_.peak_position));
        if (over) map_.subtitle += fmt::format(" · ✗ {} B too many", use_.high_water_bytes - map_.capacity_bytes);
        if (use_.without_address > 0) map_.subtitle += fmt::format(" · {} without an address", use_.without_address);
    }

    const TileLifetimes& lifetimes_;
    const SpaceUse& use_;
    std::vector<std::size_t> row_of_; ///< of each position
    MemoryMap map_;
};

} // namespace

MemoryMap tile_memory_map(const TileLifetimes& lifetimes, const SpaceUse& use, const Hardware& hardware) {
    return Builder(lifetimes, use, hardware).build();
}

scene::Picture tile_memory_picture(std::span<const TileLifetimes> functions, const Hardware& hardware, const TileMemoryOptions& options,
                                   const scene::TextMeasure& measure) {
    using namespace scene;
    const Metrics& m = Metrics::builtin();
    Picture all;
    all.title = "On-chip memory";
    all.subtitle = fmt::format("address across, program positions down, {}", hardware.id);
    double y = 4;
    const auto text = [&](double x, const std::string& s, FontFace face, double size, Role role) {
        all.list.add(Text{{x, y}, s, face, size, HAlign::Left, VAlign::Top, {ColorKey::role(role)}, ColorKey::role(Role::None)});
    };
    for (const TileLifetimes& lifetimes : functions) {
        if (lifetimes.spaces.empty()) continue;
        y += 8;
        text(12, lifetimes.function, FontFace::UiBold, m.title, Role::Text);
        const std::string what = fmt::format("{} buffers, {} positions, {}", lifetimes.buffers.size(), lifetimes.positions.size(), hardware.id);
        const double beside = 24 + measure.width(lifetimes.function, FontFace::UiBold, m.title);
        y += 3;
        text(beside, what, FontFace::Ui, m.small, Role::Text3);
        y += 27;
        for (const SpaceUse& use : lifetimes.spaces) {
            MemoryMap map = tile_memory_map(lifetimes, use, hardware);
            map.legend = &use == &lifetimes.spaces.back();
            text(12, map.title, FontFace::UiBold, m.body, Role::Text);
            text(20 + measure.width(map.title, FontFace::UiBold, m.body), map.subtitle, FontFace::Ui, m.small, Role::Text2);
            y += 20;
            MemoryMapOptions one;
            one.width = options.width;
            if (options.used_only) one.end_byte = std::max<std::int64_t>(64, use.high_water_bytes + use.high_water_bytes / 32);
            MemoryMapPicture drawn = draw_memory_map(map, one, measure);
            for (HitRegion hit : drawn.picture.hits) {
                hit.rect.y += y;
                all.hits.push_back(std::move(hit));
            }
            const double height = drawn.picture.list.height;
            place(all.list, std::move(drawn.picture.list), {0, y});
            y += height + 4;
        }
    }
    all.list.width = options.width;
    all.list.height = y + 4;
    return all;
}

} // namespace ls::figure
