#include "core/ub/model/model_checks.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace ls::ub {

namespace {

constexpr std::int64_t kMaxBlocks = 64; ///< blocks that one TPipe can hand out (spec ub 1)
constexpr std::size_t kMaxAliasPairs = 1000;

class Checker {
public:
    Checker(const Model& model, const Partition& partition) : model_(model), partition_(partition) {}

    std::vector<Finding> run() {
        bool after_rest = false;
        for (std::size_t i = 0; i < partition_.allocs.size(); ++i) {
            alloc_checks(model_.allocs[i], partition_.allocs[i], after_rest);
            after_rest = after_rest || model_.allocs[i].rest;
            if (model_.allocs[i].kind == AllocKind::TBuf) tbuf_checks(model_.allocs[i], partition_.allocs[i]);
        }
        capacity_checks();
        count_checks();
        budget_checks();
        return std::move(out_);
    }

private:
    void report(Finding finding, const Place& place) {
        finding.pointer = place.pointer;
        finding.span = place.span;
        out_.push_back(std::move(finding));
    }

    void alloc_checks(const Alloc& alloc, const PlacedAlloc& placed, bool after_rest) {
        if (after_rest) {
            report(finding("E_ALLOC_AFTER_REST", alloc.name,
                           {{"begin", placed.ub_base}, {"end", placed.ub_base + placed.total}},
                           fmt::format("requested after the rest buffer, which leaves nothing; lies at {}..{}",
                                       placed.ub_base, placed.ub_base + placed.total)),
                   alloc.place);
        }
        if (placed.len != placed.requested_len) {
            report(finding("W_LEN_ROUNDED_32", alloc.name, {{"len", placed.requested_len}, {"rounded", placed.len}},
                           fmt::format("{} B are requested, {} taken", placed.requested_len, placed.len)),
                   alloc.len.place);
        }
        if (alloc.kind == AllocKind::Queue && alloc.depth > 0 && alloc.depth < placed.num) {
            report(finding("W_QUEUE_DEPTH_LT_NUM", alloc.name, {{"depth", alloc.depth}, {"num", placed.num}},
                           fmt::format("declared with depth {}, initialised with {} blocks", alloc.depth, placed.num)),
                   alloc.num.place);
        }
    }

    void tbuf_checks(const Alloc& alloc, const PlacedAlloc& placed) {
        for (std::size_t i = 0; i < placed.views.size(); ++i) view_checks(alloc.views[i], placed.views[i], placed);
        if (placed.views.empty()) return; // used whole, with Get<T>()
        if (placed.slack > 0) {
            report(finding("W_SLACK", alloc.name, {{"bytes", placed.slack}},
                           fmt::format("{} of {} B at its end are unused", placed.slack, placed.len)),
                   alloc.place);
        }
        const PlacedView& last = placed.views.back();
        // Where no view is placed by the cursor nothing would be appended by it either.
        const bool by_cursor =
            std::any_of(placed.views.begin(), placed.views.end(), [](const PlacedView& v) { return v.at_cursor; });
        if (by_cursor && placed.cursor_final < placed.used && last.off == placed.cursor_final) {
            report(finding("W_LAST_VIEW_NOT_ADVANCED", last.name, {{"cursor", placed.cursor_final}, {"end", last.end}},
                           fmt::format("the cursor stays at {}: a view appended here would land on {}..{}",
                                       placed.cursor_final, last.off, last.end)),
                   alloc.views.back().place);
        }
        if (placed.gaps > 0) {
            report(finding("W_GAP", alloc.name, {{"bytes", placed.gaps}},
                           fmt::format("{} B between views belong to none", placed.gaps)),
                   alloc.place);
        }
        alias_checks(alloc, placed);
    }

    void view_checks(const View& view, const PlacedView& v, const PlacedAlloc& placed) {
        if (v.off % 32 != 0) {
            report(finding("E_OFFSET_MISALIGNED", view.name, {{"off", v.off}, {"mod", v.off % 32}},
                           fmt::format("starts at {}, {} B past a 32-byte boundary", v.off, v.off % 32)),
                   view.off ? view.off->place : view.place);
        }
        if (v.end > placed.len) {
            std::string hint;
            if (v.elems > 0 && v.bytes / v.elems > 1 && v.off + v.elems <= placed.len) {
                hint =
                    fmt::format("{} looks like a byte count: GetWithOffset takes elements, {} of them would end at {}",
                                v.elems, v.elems / (v.bytes / v.elems), v.off + v.elems);
            }
            report(finding("E_TBUF_OVERRUN", view.name,
                           {{"off", v.off}, {"end", v.end}, {"len", placed.len}, {"by", v.end - placed.len}},
                           fmt::format("ends at {}, {} B past the {} of {}", v.end, v.end - placed.len, placed.len,
                                       placed.name),
                           std::move(hint)),
                   view.elems.place.pointer.empty() ? view.place : view.elems.place);
        }
    }

    void alias_checks(const Alloc& alloc, const PlacedAlloc& placed) {
        for (const SharedBytes& shared : shared_bytes(placed.views, kMaxAliasPairs)) {
            const PlacedView& a = placed.views[shared.i];
            const PlacedView& b = placed.views[shared.j];
            std::vector<Number> numbers{{"begin", shared.begin}, {"end", shared.end}};
            const std::string where = fmt::format("share {}..{}", shared.begin, shared.end);
            const bool grouped = !a.alias_group.empty() && a.alias_group == b.alias_group;
            std::string_view code = "I_ALIAS_OK";
            std::string text = where + ", never live together";
            if (!grouped) {
                code = "E_ALIAS_UNDECLARED";
                text = where + " without a common alias group";
            } else if (!a.live || !b.live) {
                code = "W_ALIAS_NO_LIVENESS";
                text = fmt::format("{} in group {}, and {} has no live ranges", where, a.alias_group,
                                   !a.live ? a.name : b.name);
            } else if (const auto meet = both_live(*a.live, *b.live); !meet.empty()) {
                code = "E_LIVE_ALIAS";
                text = fmt::format("{} while both are live, first in {}", where, phase_text(meet.front()));
                numbers.push_back({"firstPhase", meet.front().first});
                numbers.push_back({"lastPhase", meet.front().last});
            }
            report(finding(code, fmt::format("{}|{}", a.name, b.name), std::move(numbers), std::move(text)),
                   alloc.views[shared.j].place);
        }
    }

    std::string phase_text(const LiveRange& range) const {
        const auto label = [&](std::int64_t index) {
            const auto i = static_cast<std::size_t>(index);
            return i < model_.phases.size() ? fmt::format("{} ({})", index, model_.phases[i])
                                            : fmt::format("{}", index);
        };
        return range.first == range.last ? "phase " + label(range.first)
                                         : fmt::format("phases {} to {}", label(range.first), label(range.last));
    }

    void capacity_checks() {
        const std::int64_t total = partition_.ub_used, capacity = partition_.ub_bytes;
        if (total > capacity) {
            report(finding("E_UB_OVERFLOW", "UB", {{"total", total}, {"capacity", capacity}, {"by", total - capacity}},
                           fmt::format("{} B are requested of {}: {} too many{}", total, capacity, total - capacity,
                                       largest())),
                   {});
            return;
        }
        const std::int64_t tail = model_.platform.reserved_tail_bytes;
        const std::int64_t limit = capacity - tail;
        if (tail > 0 && total > limit) {
            report(finding("W_RESERVED_TAIL", "UB", {{"total", total}, {"limit", limit}, {"by", total - limit}},
                           fmt::format("buffers end at {}, {} B into the library scratch from {}", total, total - limit,
                                       limit)),
                   {});
        }
    }

    /// "; largest: a 289792" - the culprit by name.
    std::string largest() const {
        const auto at = std::max_element(partition_.allocs.begin(), partition_.allocs.end(),
                                         [](const PlacedAlloc& a, const PlacedAlloc& b) { return a.total < b.total; });
        return at == partition_.allocs.end() ? "" : fmt::format("; the largest is {} with {}", at->name, at->total);
    }

    void count_checks() {
        if (partition_.buffer_count > kMaxBlocks) {
            report(
                finding("E_BUFFER_COUNT", "UB", {{"count", partition_.buffer_count}, {"limit", kMaxBlocks}},
                        fmt::format("{} blocks are requested, one TPipe has {}", partition_.buffer_count, kMaxBlocks)),
                {});
        }
        std::array<std::int64_t, 3> blocks{};
        for (const PlacedAlloc& alloc : partition_.allocs) {
            if (alloc.kind == AllocKind::Queue) blocks[static_cast<std::size_t>(alloc.position)] += alloc.num;
        }
        const std::int64_t limit = model_.platform.queue_buffers_per_position;
        for (const Position position : {Position::VecIn, Position::VecOut, Position::VecCalc}) {
            const std::int64_t count = blocks[static_cast<std::size_t>(position)];
            if (count <= limit) continue;
            report(finding("W_QUEUE_COUNT", std::string(name(position)), {{"count", count}, {"limit", limit}},
                           fmt::format("{} queue blocks at {}, the chip has {}", count, name(position), limit)),
                   {});
        }
    }

    void budget_checks() {
        if (!partition_.host_tmp) return;
        const std::int64_t host = *partition_.host_tmp, device = partition_.device_used;
        if (host == device) return;
        const std::vector<Number> numbers{
            {"host", host}, {"device", device}, {"by", host < device ? device - host : host - device}};
        report(host < device ? finding("E_BUDGET_UNDER", "host", numbers,
                                       fmt::format("the host budgets {} B, the views take {}: {} short", host, device,
                                                   device - host))
                             : finding("W_BUDGET_OVER", "host", numbers,
                                       fmt::format("the host budgets {} B, the views take {}: {} wasted", host, device,
                                                   host - device)),
               model_.host_tmp->place);
    }

    const Model& model_;
    const Partition& partition_;
    std::vector<Finding> out_;
};

} // namespace

std::vector<SharedBytes> shared_bytes(const std::vector<PlacedView>& views, std::size_t most) {
    std::vector<std::size_t> by_offset;
    for (std::size_t i = 0; i < views.size(); ++i) {
        if (views[i].off < views[i].end) by_offset.push_back(i);
    }
    std::sort(by_offset.begin(), by_offset.end(),
              [&](std::size_t a, std::size_t b) { return views[a].off < views[b].off; });
    std::vector<SharedBytes> pairs;
    for (std::size_t a = 0; a < by_offset.size() && pairs.size() < most; ++a) {
        const PlacedView& first = views[by_offset[a]];
        for (std::size_t b = a + 1; b < by_offset.size() && pairs.size() < most; ++b) {
            const PlacedView& second = views[by_offset[b]];
            if (second.off >= first.end) break; // sorted: no later view begins within the first
            const auto [i, j] = std::minmax(by_offset[a], by_offset[b]);
            pairs.push_back({i, j, second.off, std::min(first.end, second.end)});
        }
    }
    std::sort(pairs.begin(), pairs.end(),
              [](const SharedBytes& a, const SharedBytes& b) { return a.i != b.i ? a.i < b.i : a.j < b.j; });
    return pairs;
}

std::vector<Finding> check_partition(const Model& model, const Partition& partition) {
    return Checker(model, partition).run();
}

} // namespace ls::ub
