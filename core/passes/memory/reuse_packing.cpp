#include "core/passes/memory/reuse_packing.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <tuple>

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

/// Buffers that have become one, so far.
struct Host {
    std::vector<std::size_t> members;
    bool alone = false;                                  ///< declared by the user
    std::set<std::tuple<int, int, std::size_t>> by_life; ///< (defined, last use, member)
    int longest_in_family = 0;                           ///< statements that a member of an If's family lives
    std::map<int, std::set<int>> stages, loaded_stages;  ///< by pipeline: slots of its members, of its loads
};

class Packer {
public:
    Packer(const ReuseLifetimes& lifetimes, const SharingRules& rules, const Hardware& hardware)
        : lifetimes_(lifetimes), rules_(rules), hardware_(hardware) {
        const std::size_t count = lifetimes.buffers.size();
        apart_.resize(count);
        in_family_.resize(count);
        std::unordered_map<const VarNode*, std::size_t> by_base;
        for (std::size_t i = 0; i < count; ++i) {
            const BufferLife& life = lifetimes.buffers[i];
            by_base.emplace(life.base, i);
            in_family_[i] = std::any_of(life.members.begin(), life.members.end(),
                                        [&](const Var& member) { return lifetimes.families.count(member.get()) != 0; });
        }
        for (const auto& [writer, operands] : rules.keep_apart) {
            const auto from = by_base.find(writer);
            if (from == by_base.end()) continue;
            for (const VarNode* operand : operands) {
                const auto to = by_base.find(operand);
                if (to == by_base.end() || to->second == from->second) continue;
                apart_[from->second].push_back(to->second);
                apart_[to->second].push_back(from->second);
            }
        }
    }

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

    /// First fit, in this order. A host is asked only about what lives near the candidate, so that a long program is
    /// packed in about the time that its length asks for.
    std::vector<std::vector<std::size_t>> pack(const std::vector<std::size_t>& order) const {
        std::vector<Host> hosts;
        constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();
        std::vector<std::size_t> host_of(lifetimes_.buffers.size(), kNowhere);
        std::vector<std::size_t> refused_for; // by host: the last candidate that must keep apart from one of its members
        for (const std::size_t i : order) {
            const BufferLife& candidate = lifetimes_.buffers[i];
            const bool alone = rules_.pinned.count(candidate.base) != 0;
            for (const std::size_t other : apart_[i]) {
                if (host_of[other] != kNowhere) refused_for[host_of[other]] = i;
            }
            std::size_t at = alone ? hosts.size() : 0;
            while (at < hosts.size() && (hosts[at].alone || refused_for[at] == i || !has_room(hosts[at], i))) ++at;
            if (at == hosts.size()) {
                hosts.emplace_back();
                hosts.back().alone = alone;
                refused_for.push_back(kNowhere);
            }
            add(hosts[at], i);
            host_of[i] = at;
        }
        std::vector<std::vector<std::size_t>> packed;
        for (Host& host : hosts) packed.push_back(std::move(host.members));
        return packed;
    }

    void add(Host& host, std::size_t i) const {
        const BufferLife& life = lifetimes_.buffers[i];
        host.members.push_back(i);
        host.by_life.emplace(life.span.defined, life.span.last_use, i);
        if (in_family_[i]) host.longest_in_family = std::max(host.longest_in_family, life.span.last_use - life.span.defined);
        for (const auto& [group, stage] : life.stages) {
            host.stages[group].insert(slot_of(group, stage));
            if (life.loaded) host.loaded_stages[group].insert(slot_of(group, stage));
        }
    }

    bool has_room(const Host& host, std::size_t i) const {
        const BufferLife& candidate = lifetimes_.buffers[i];
        if (separate_stages(host, candidate)) return false;
        // Backwards from the last member that begins before the candidate ends. Members overlap only within a family, so
        // behind one that ended before the candidate began there are none that reach it, but for families.
        const int begin = candidate.span.defined, end = candidate.span.last_use;
        const auto past = host.by_life.upper_bound({end, std::numeric_limits<int>::max(), std::numeric_limits<std::size_t>::max()});
        for (auto at = std::make_reverse_iterator(past); at != host.by_life.rend(); ++at) {
            const auto [defined, last_use, index] = *at;
            if (last_use < begin) {
                if (in_family_[index] && defined + host.longest_in_family >= begin) continue;
                return true;
            }
            const BufferLife& member = lifetimes_.buffers[index];
            if (candidate.span.overlaps(member.span) && really_overlap(i, index)) return false;
            if (written_over_load(candidate, member) || written_over_load(member, candidate)) return false;
        }
        return true;
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

    /// Buffers whose intervals overlap may still be two names of one If's result, of which only one exists.
    bool really_overlap(std::size_t i, std::size_t j) const {
        if (!in_family_[i] || !in_family_[j]) return true;
        bool related = false;
        for (const Var& x : lifetimes_.buffers[i].members) {
            for (const Var& y : lifetimes_.buffers[j].members) {
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

    /// What tells a pipeline's copies apart: the buffer that a copy lies in while they fit, the copy itself where they
    /// do not.
    int slot_of(int group, int stage) const {
        if (!gated_) return stage;
        const PipelineGroup& pipeline = groups_.at(group);
        return pipeline.ordinal.at(stage) % pipeline.depth;
    }

    bool separate_stages(const Host& host, const BufferLife& candidate) const {
        if (!gated_ && is_l0(candidate.space)) return false;
        const auto& taken = gated_ || candidate.loaded ? host.stages : host.loaded_stages;
        return std::any_of(candidate.stages.begin(), candidate.stages.end(), [&](const std::pair<int, int>& s) {
            const auto found = taken.find(s.first);
            return found != taken.end() && (found->second.size() > 1 || *found->second.begin() != slot_of(s.first, s.second));
        });
    }

    static bool is_l0(TileSpace space) {
        return space != TileSpace::Vec && space != TileSpace::Mat && space != TileSpace::DDR && space != TileSpace::ScalarLocal;
    }

    const ReuseLifetimes& lifetimes_;
    const SharingRules& rules_;
    const Hardware& hardware_;
    std::vector<std::vector<std::size_t>> apart_; ///< by buffer: those that it may not share with, both ways
    std::vector<bool> in_family_;                 ///< by buffer: whether a member is a value of some If's result
    std::map<int, PipelineGroup> groups_;         ///< of the memory at hand
    bool gated_ = true;                           ///< copies of all kinds are kept apart, as far as they fit
};

} // namespace

std::vector<std::vector<std::size_t>> pack_buffers(const ReuseLifetimes& lifetimes, const SharingRules& rules, const Hardware& hardware,
                                                   Span function_span, std::vector<Diagnostic>& findings) {
    return Packer(lifetimes, rules, hardware).run(function_span, findings);
}

} // namespace ls::memory
