#include "core/passes/memory/reuse_packing.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/passes/memory/space_plan.h"

namespace ls::memory {

using namespace ir;

namespace {

/// Depth of a pipeline's copies in one memory: copy k lies in buffer k mod `depth`.
struct PipelineGroup {
    std::int64_t slot_bytes = 0;
    int asked = 1, depth = 1;
    std::map<int, int> ordinal; ///< of each stage, counted without gaps
};

class Packer {
public:
    Packer(const ReuseLifetimes& lifetimes, const SharingRules& rules, const Hardware& hardware)
        : lifetimes_(lifetimes), rules_(rules), hardware_(hardware) {}

    std::vector<std::vector<std::size_t>> run(Span span, std::vector<Diagnostic>& findings) {
        std::map<TileSpace, std::vector<std::size_t>> spaces;
        for (std::size_t i = 0; i < lifetimes_.buffers.size(); ++i) spaces[lifetimes_.buffers[i].space].push_back(i);
        std::vector<std::vector<std::size_t>> all;
        for (auto& [space, order] : spaces) {
            std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
                const BufferLife &x = lifetimes_.buffers[a], &y = lifetimes_.buffers[b];
                return x.bytes != y.bytes ? x.bytes > y.bytes : x.span.defined < y.span.defined;
            });
            auto packed = one_space(space, order, span, findings);
            all.insert(all.end(), std::make_move_iterator(packed.begin()), std::make_move_iterator(packed.end()));
        }
        return all;
    }

private:
    std::vector<std::vector<std::size_t>> one_space(TileSpace space, const std::vector<std::size_t>& order, Span span,
                                                    std::vector<Diagnostic>& findings) {
        const auto capacity = hardware_.capacity_bytes(space);
        const auto kept = rules_.reserved_end_bytes.find(space);
        const std::int64_t begin = kept == rules_.reserved_end_bytes.end() ? 0 : kept->second;
        gated_ = capacity.has_value() && *capacity > 0;
        find_groups(order, capacity.value_or(0));
        auto packed = pack(order);
        if (!gated_) return packed;
        constexpr int kMostRepacks = 256; // a real program has a handful of groups
        for (int repacks = 0; high_water(packed, begin) > *capacity; ++repacks) {
            PipelineGroup* largest = nullptr;
            for (auto& [number, group] : groups_) {
                if (group.depth > 1 && (largest == nullptr || padded(group.slot_bytes) > padded(largest->slot_bytes))) largest = &group;
            }
            if (largest == nullptr || repacks == kMostRepacks) {
                gated_ = false; // pipelines no longer count, but for their loads
                packed = pack(order);
                const bool one_too_large = lifetimes_.buffers[order.front()].bytes > *capacity;
                if (!one_too_large && !groups_.empty()) {
                    findings.push_back(warning_at(span, "MEM_PIPELINE_DEPTH",
                                                  fmt::format("the copies that pipelines made do not fit in {} at any depth, so that they share buffers", name(space)),
                                                  "make the tiles of a stage smaller or lower stage="));
                }
                return packed;
            }
            --largest->depth;
            packed = pack(order);
        }
        for (const auto& [number, group] : groups_) {
            if (group.depth == group.asked) continue;
            findings.push_back(warning_at(
                span, "MEM_PIPELINE_DEPTH",
                fmt::format("pipeline {} asks for {} buffers of {} B in {}, of which {} fit in {} B: stages {} apart wait for each other", number,
                            group.asked, padded(group.slot_bytes), name(space), group.depth, std::max<std::int64_t>(0, *capacity - begin), group.depth),
                fmt::format("make a stage's tile at most {} B, or lower stage= to {}", std::max<std::int64_t>(0, *capacity - begin) / group.asked, group.depth)));
        }
        return packed;
    }

    void find_groups(const std::vector<std::size_t>& order, std::int64_t capacity) {
        groups_.clear();
        for (const std::size_t i : order) {
            const BufferLife& life = lifetimes_.buffers[i];
            for (const auto& [group, stage] : life.stages) {
                groups_[group].slot_bytes = std::max(groups_[group].slot_bytes, life.bytes);
                groups_[group].ordinal.emplace(stage, 0);
            }
        }
        for (auto& [number, group] : groups_) {
            int next = 0;
            for (auto& [stage, ordinal] : group.ordinal) ordinal = next++;
            group.asked = next;
            const std::int64_t fit = capacity > 0 && group.slot_bytes > 0 ? capacity / group.slot_bytes : 1;
            group.depth = static_cast<int>(std::clamp<std::int64_t>(fit, 1, group.asked));
        }
    }

    std::vector<std::vector<std::size_t>> pack(const std::vector<std::size_t>& order) const {
        std::vector<std::vector<std::size_t>> buffers;
        for (const std::size_t i : order) {
            const BufferLife& candidate = lifetimes_.buffers[i];
            const bool alone = rules_.pinned.count(candidate.base) != 0;
            const auto fits = [&](const std::vector<std::size_t>& buffer) {
                return rules_.pinned.count(lifetimes_.buffers[buffer.front()].base) == 0 &&
                       std::all_of(buffer.begin(), buffer.end(), [&](std::size_t m) { return may_share(candidate, lifetimes_.buffers[m]); });
            };
            const auto host = alone ? buffers.end() : std::find_if(buffers.begin(), buffers.end(), fits);
            if (host != buffers.end()) {
                host->push_back(i);
            } else {
                buffers.push_back({i});
            }
        }
        return buffers;
    }

    static std::int64_t padded(std::int64_t bytes) {
        SpacePlan plan;
        plan.place(bytes);
        return plan.high_water();
    }

    std::int64_t high_water(const std::vector<std::vector<std::size_t>>& buffers, std::int64_t begin) const {
        SpacePlan plan(begin);
        for (const auto& buffer : buffers) plan.place(lifetimes_.buffers[buffer.front()].bytes);
        return plan.high_water();
    }

    bool may_share(const BufferLife& a, const BufferLife& b) const {
        if (a.span.overlaps(b.span) && really_overlap(a, b)) return false;
        return !written_over_load(a, b) && !written_over_load(b, a) && !must_keep_apart(a, b) && !must_keep_apart(b, a) &&
               !separate_stages(a, b);
    }

    /// Buffers whose intervals overlap may still be two names of one If's result, of which only one exists.
    bool really_overlap(const BufferLife& a, const BufferLife& b) const {
        bool related = false;
        for (const Var& x : a.members) {
            for (const Var& y : b.members) {
                if (same_family(*x, *y)) {
                    related = true;
                } else if (lifetimes_.spans.at(x.get()).overlaps(lifetimes_.spans.at(y.get()))) {
                    return true;
                }
            }
        }
        return !related;
    }

    bool same_family(const VarNode& x, const VarNode& y) const {
        const auto a = lifetimes_.families.find(&x), b = lifetimes_.families.find(&y);
        if (a == lifetimes_.families.end() || b == lifetimes_.families.end()) return false;
        return std::any_of(a->second.begin(), a->second.end(), [&](int id) { return b->second.count(id) != 0; });
    }

    bool written_over_load(const BufferLife& writer, const BufferLife& input) const {
        return writer.span.defined == input.span.last_use && rules_.reads_popped.count(writer.first().get()) != 0 &&
               rules_.from_load.count(input.first().get()) != 0;
    }

    bool must_keep_apart(const BufferLife& writer, const BufferLife& occupant) const {
        const auto found = rules_.keep_apart.find(writer.base);
        return found != rules_.keep_apart.end() && found->second.count(occupant.base) != 0;
    }

    bool separate_stages(const BufferLife& a, const BufferLife& b) const {
        for (const auto& [group_a, stage_a] : a.stages) {
            for (const auto& [group_b, stage_b] : b.stages) {
                if (group_a != group_b || stage_a == stage_b) continue;
                if (!gated_) {
                    if (!is_l0(a.space) && (a.loaded || b.loaded)) return true;
                    continue;
                }
                const PipelineGroup& group = groups_.at(group_a);
                if (group.ordinal.at(stage_a) % group.depth != group.ordinal.at(stage_b) % group.depth) return true;
            }
        }
        return false;
    }

    static bool is_l0(TileSpace space) {
        return space != TileSpace::Vec && space != TileSpace::Mat && space != TileSpace::DDR && space != TileSpace::ScalarLocal;
    }

    const ReuseLifetimes& lifetimes_;
    const SharingRules& rules_;
    const Hardware& hardware_;
    std::map<int, PipelineGroup> groups_; ///< of the memory at hand
    bool gated_ = true;                   ///< copies of all kinds are kept apart, as far as they fit
};

} // namespace

std::vector<std::vector<std::size_t>> pack_buffers(const ReuseLifetimes& lifetimes, const SharingRules& rules, const Hardware& hardware,
                                                   Span function_span, std::vector<Diagnostic>& findings) {
    return Packer(lifetimes, rules, hardware).run(function_span, findings);
}

} // namespace ls::memory
