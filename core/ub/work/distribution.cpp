#include "core/ub/work/distribution.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "core/support/checked.h"
#include "core/ub/work/balance.h"
#include "core/ub/work/per_core.h"

namespace ls::ub::work {

namespace {

constexpr std::int64_t kMaxItems = std::int64_t{1} << 28;
constexpr std::int64_t kMaxCores = std::int64_t{1} << 16;
constexpr std::int64_t kMaxWork = std::int64_t{1} << 62;
constexpr std::uint64_t kU32Range = std::uint64_t{1} << 32;

constexpr std::array<std::string_view, 6> kRuleNames{"source",      "carry-over", "floor",
                                                     "double-call", "retry-call", "balanced"};

Diagnostic out_of_range(std::string_view what, std::int64_t value, std::int64_t low, std::int64_t high) {
    return error("UB_PARAM_RANGE", fmt::format("{} = {} lies outside {}..{}", what, value, low, high),
                 fmt::format("choose {} between {} and {}", what, low, high));
}

/// One core's load and turn, shared by all cores as long as each unit is evaluated once on each.
struct Scheduler {
    Rule rule;
    std::uint32_t quota;
    std::uint32_t load = 0;
    std::uint32_t turn = 0;

    /// Units of length `len` up to and including the one that may close the current core.
    std::int64_t units_to_close(std::uint32_t len) const {
        if (load >= quota) return 1;
        return static_cast<std::int64_t>((std::uint64_t{quota} - load + len - 1) / len);
    }
    /// `count` calls with the same length, of which only the last can close the core.
    void call(std::uint32_t len, std::int64_t count) {
        load = static_cast<std::uint32_t>((load + std::uint64_t{len} * static_cast<std::uint64_t>(count)) % kU32Range);
        if (load < quota) return;
        load = rule == Rule::CarryOver ? load - quota : 0;
        ++turn;
    }
};

class Assigner {
public:
    explicit Assigner(Distribution& d) : d_(d), cores_(static_cast<std::uint64_t>(d.input.cores)) {}

    /// Owners are non-decreasing, so each core's share is a stretch of runs (spec ub 6.3).
    void by_quota(Rule rule) {
        Scheduler scheduler{rule, d_.quota};
        for_each_batch([&](std::int64_t batch, std::uint32_t len, std::int64_t units) {
            while (units > 0) {
                if (scheduler.turn >= cores_) { // every core has passed its turn: the rest is lost
                    push(batch, units, kNobody, len);
                    return;
                }
                const std::int64_t count = std::min(units, scheduler.units_to_close(len));
                push(batch, count, static_cast<std::int32_t>(scheduler.turn), len);
                scheduler.call(len, count);
                units -= count;
            }
        });
    }

    /// A core takes units while they stay within the limit (balance.h).
    void by_limit(std::uint64_t limit) {
        std::uint64_t load = 0;
        std::int32_t core = 0;
        for_each_batch([&](std::int64_t batch, std::uint32_t len, std::int64_t units) {
            while (units > 0) {
                const auto room = static_cast<std::int64_t>(std::min<std::uint64_t>((limit - load) / len, kMaxItems));
                if (room == 0) {
                    ++core;
                    load = 0;
                    continue;
                }
                const std::int64_t count = std::min(units, room);
                push(batch, count, core, len);
                load += static_cast<std::uint64_t>(count) * len;
                units -= count;
            }
        });
    }

    /// Cores that disagree about the state are walked one by one (per_core.h).
    Status by_own_calls(CallPattern pattern) {
        if (d_.item_count() * d_.input.cores > kMaxPerCoreCalls) {
            return error(
                "UB_WORK_TOO_LARGE",
                fmt::format("{} units on {} cores are too many for this rule, which walks each core on its own",
                            d_.item_count(), d_.input.cores),
                "fewer batches, heads or cores");
        }
        std::vector<std::int32_t> lengths;
        lengths.reserve(static_cast<std::size_t>(d_.item_count()));
        for_each_batch([&](std::int64_t, std::uint32_t len, std::int64_t units) {
            lengths.insert(lengths.end(), static_cast<std::size_t>(units), static_cast<std::int32_t>(len));
        });
        PerCoreOwners owners = walk_per_core(lengths, d_.input.cores, d_.quota, false, pattern);
        std::size_t i = 0;
        for_each_batch([&](std::int64_t batch, std::uint32_t len, std::int64_t units) {
            for (; units > 0; --units, ++i) {
                if (owners.owner_count[i] > 1) ++d_.duplicated;
                push(batch, 1, owners.first_owner[i], len);
            }
        });
        d_.core_load = std::move(owners.core_load); // a unit with two owners is worked on twice
        d_.core_items = std::move(owners.core_items);
        return ok_status();
    }

private:
    template <class Visit>
    void for_each_batch(Visit visit) {
        const std::int64_t units = d_.input.heads * d_.input.v_tiles;
        for (std::size_t b = 0; b < d_.input.seq_lens.size(); ++b) {
            const std::int32_t len = d_.input.seq_lens[b];
            if (len > 0 && units > 0) visit(static_cast<std::int64_t>(b), static_cast<std::uint32_t>(len), units);
        }
    }

    void push(std::int64_t batch, std::int64_t count, std::int32_t core, std::uint32_t len) {
        if (!d_.runs.empty() && d_.runs.back().batch == batch && d_.runs.back().core == core) {
            d_.runs.back().count += count;
        } else {
            d_.runs.push_back({next_, count, batch, core});
        }
        next_ += count;
        if (core == kNobody) {
            d_.unassigned += count;
            return;
        }
        d_.core_load[static_cast<std::size_t>(core)] += static_cast<std::uint64_t>(count) * len;
        d_.core_items[static_cast<std::size_t>(core)] += count;
    }

    Distribution& d_;
    std::uint64_t cores_;
    std::int64_t next_ = 0;
};

Status prepare(Distribution& d) {
    const WorkInput& in = d.input;
    if (in.cores < 1 || in.cores > kMaxCores) return out_of_range("cores", in.cores, 1, kMaxCores);
    if (in.heads < 0 || in.heads > kMaxItems) return out_of_range("heads", in.heads, 0, kMaxItems);
    if (in.v_tiles < 1 || in.v_tiles > kMaxItems) return out_of_range("vTiles", in.v_tiles, 1, kMaxItems);
    const std::int64_t units = in.heads * in.v_tiles;

    d.row_ranges.reserve(in.seq_lens.size());
    d.first_item.reserve(in.seq_lens.size() + 1);
    std::uint32_t row = 0; // the kernel's int32 cursor; unsigned here because it may wrap
    std::int64_t items = 0;
    for (const std::int32_t len : in.seq_lens) {
        const std::uint32_t end = row + static_cast<std::uint32_t>(len);
        d.row_ranges.push_back({static_cast<std::int32_t>(row), static_cast<std::int32_t>(end)});
        row = end;
        d.first_item.push_back(items);
        if (len <= 0) continue;
        d.total_rows += len;
        items += units; // at most 2^28 batches of 2^56 would overflow: stop long before
        if (items > kMaxItems) {
            return error("UB_WORK_TOO_LARGE", fmt::format("more than {} units of work", kMaxItems),
                         "fewer batches, heads or V tiles");
        }
    }
    d.first_item.push_back(items);
    const std::array factors{d.total_rows, units};
    const CheckedInt total = checked_product(factors);
    if (!total || *total > kMaxWork) {
        return error("UB_WORK_TOO_LARGE", "the total work exceeds 2^62 rows", "shorter sequences or fewer heads");
    }
    d.total_work = static_cast<std::uint64_t>(*total);
    return ok_status();
}

std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

} // namespace

std::string_view name(Rule rule) { return kRuleNames[static_cast<std::size_t>(rule)]; }

std::optional<Rule> rule_from_name(std::string_view text) {
    const auto at = std::find(kRuleNames.begin(), kRuleNames.end(), text);
    if (at == kRuleNames.end()) return {};
    return static_cast<Rule>(at - kRuleNames.begin());
}

Result<Distribution> distribute(WorkInput input) {
    Distribution d;
    d.input = std::move(input);
    LS_CHECK(prepare(d));
    const auto cores = static_cast<std::uint64_t>(d.input.cores);
    d.core_load.assign(cores, 0);
    d.core_items.assign(cores, 0);
    d.lower_bound = divide_up(d.total_work, cores);
    d.quota_exact = d.input.rule == Rule::FloorQuota ? d.total_work / cores : d.lower_bound;
    d.quota = d.input.quota_override.value_or(static_cast<std::uint32_t>(d.quota_exact));

    Assigner assigner(d);
    switch (d.input.rule) {
    case Rule::Source:
    case Rule::FloorQuota: assigner.by_quota(Rule::Source); break;
    case Rule::CarryOver: assigner.by_quota(Rule::CarryOver); break;
    case Rule::DoubleCall: LS_CHECK(assigner.by_own_calls(CallPattern::OwnerTwice)); break;
    case Rule::RetryCall: LS_CHECK(assigner.by_own_calls(CallPattern::RefusedTwice)); break;
    case Rule::Balanced:
        d.quota_exact = smallest_limit(d.input);
        d.quota = static_cast<std::uint32_t>(d.quota_exact);
        if (d.total_work > 0) assigner.by_limit(d.quota_exact);
        break;
    }
    d.makespan = *std::max_element(d.core_load.begin(), d.core_load.end());
    d.idle_cores = std::count(d.core_items.begin(), d.core_items.end(), 0);
    return d;
}

double Distribution::imbalance() const {
    return lower_bound == 0 ? 0.0 : static_cast<double>(makespan) / static_cast<double>(lower_bound);
}

std::uint64_t Distribution::idle_time() const {
    std::uint64_t idle = 0;
    for (const std::uint64_t load : core_load) idle += makespan - load;
    return idle;
}

WorkItem Distribution::item(std::int64_t index) const {
    const auto after = std::upper_bound(first_item.begin(), first_item.end() - 1, index);
    const std::int64_t batch = after - first_item.begin() - 1;
    const std::int64_t within = index - first_item[static_cast<std::size_t>(batch)];
    return {batch, within / input.v_tiles, within % input.v_tiles};
}

std::int64_t Distribution::item_length(std::int64_t index) const {
    return input.seq_lens[static_cast<std::size_t>(item(index).batch)];
}

std::vector<std::int32_t> Distribution::owners() const {
    std::vector<std::int32_t> owner(static_cast<std::size_t>(item_count()), kNobody);
    for (const Run& run : runs) std::fill_n(owner.begin() + run.first_item, run.count, run.core);
    return owner;
}

std::vector<TraceRow> replay(const Distribution& d, std::int64_t first, std::int64_t count) {
    std::vector<TraceRow> rows;
    Scheduler scheduler{d.input.rule, d.quota};
    for (const Run& run : d.runs) {
        const auto len = d.input.seq_lens[static_cast<std::size_t>(run.batch)];
        for (std::int64_t i = run.first_item; i < run.first_item + run.count; ++i) {
            if (i >= first + count) return rows;
            if (d.input.rule == Rule::Balanced && scheduler.load + static_cast<std::uint64_t>(len) > d.quota_exact) {
                scheduler.load = 0; // closed before it would exceed the limit
                ++scheduler.turn;
            }
            if (d.input.rule == Rule::Balanced) {
                scheduler.load += static_cast<std::uint32_t>(len);
            } else {
                scheduler.call(static_cast<std::uint32_t>(len), 1);
            }
            if (i >= first) rows.push_back({i, len, scheduler.load, scheduler.turn, run.core});
        }
    }
    return rows;
}

} // namespace ls::ub::work
