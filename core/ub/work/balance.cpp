#include "core/ub/work/balance.h"

#include <algorithm>
#include <functional>
#include <queue>

#include "core/support/checked.h"

namespace ls::ub::work {

namespace {

constexpr std::int64_t kMaxLongestFirstUnits = 1'000'000;

/// Cores that a closed-before-the-limit split takes; stops counting beyond `most`.
std::int64_t cores_needed(const WorkInput& in, std::uint64_t limit, std::int64_t most) {
    const auto units_a_batch = static_cast<std::uint64_t>(in.heads * in.v_tiles);
    std::int64_t used = 1;
    std::uint64_t load = 0;
    for (const std::int32_t length : in.seq_lens) {
        if (length <= 0) continue;
        const auto len = static_cast<std::uint64_t>(length);
        std::uint64_t units = units_a_batch;
        const std::uint64_t here = std::min(units, (limit - load) / len);
        load += here * len;
        units -= here;
        if (units == 0) continue;
        const std::uint64_t a_core = limit / len; // limit >= the longest unit, so at least 1
        const std::uint64_t full = (units - 1) / a_core;
        used += static_cast<std::int64_t>(full) + 1;
        load = (units - full * a_core) * len;
        if (used > most) return used;
    }
    return used;
}

Alternative summary(std::string name, std::string what, const Distribution& d) {
    return {std::move(name), std::move(what), d.input.cores, d.quota_exact, d.makespan, d.idle_cores, d.imbalance()};
}

} // namespace

std::uint64_t smallest_limit(const WorkInput& in) {
    std::uint64_t longest = 0, rows = 0;
    for (const std::int32_t len : in.seq_lens) {
        if (len <= 0) continue;
        longest = std::max(longest, static_cast<std::uint64_t>(len));
        rows += static_cast<std::uint64_t>(len);
    }
    const std::uint64_t total = rows * static_cast<std::uint64_t>(in.heads * in.v_tiles);
    if (total == 0) return 0;
    const auto cores = static_cast<std::uint64_t>(in.cores);
    std::uint64_t low = std::max(longest, (total - 1) / cores + 1);
    std::uint64_t high = low + longest; // closing at the quota stays within quota + longest - 1
    while (low < high) {
        const std::uint64_t middle = low + (high - low) / 2;
        if (cores_needed(in, middle, in.cores) <= in.cores) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

std::uint64_t longest_first_makespan(const WorkInput& in) {
    std::vector<std::int32_t> lens;
    std::copy_if(in.seq_lens.begin(), in.seq_lens.end(), std::back_inserter(lens),
                 [](std::int32_t l) { return l > 0; });
    std::sort(lens.begin(), lens.end(), std::greater<>());
    std::priority_queue<std::uint64_t, std::vector<std::uint64_t>, std::greater<>> loads;
    for (std::int64_t c = 0; c < in.cores; ++c) loads.push(0);
    std::uint64_t makespan = 0;
    for (const std::int32_t len : lens) {
        for (std::int64_t unit = 0; unit < in.heads * in.v_tiles; ++unit) {
            const std::uint64_t load = loads.top() + static_cast<std::uint64_t>(len);
            loads.pop();
            loads.push(load);
            makespan = std::max(makespan, load);
        }
    }
    return makespan;
}

ChunkCost chunk_cost(const Distribution& d, std::int64_t chunk_rows) {
    ChunkCost cost;
    cost.core_chunks.assign(d.core_load.size(), 0);
    std::int64_t total = 0;
    for (const Run& run : d.runs) {
        const std::int64_t chunks =
            run.count * ceil_div(d.input.seq_lens[static_cast<std::size_t>(run.batch)], chunk_rows);
        total += chunks;
        if (run.core != kNobody) cost.core_chunks[static_cast<std::size_t>(run.core)] += chunks;
    }
    cost.makespan = *std::max_element(cost.core_chunks.begin(), cost.core_chunks.end());
    cost.lower_bound = ceil_div(total, d.input.cores);
    return cost;
}

Result<std::vector<Alternative>> alternatives(const WorkInput& input, std::int64_t batch_aware_cores) {
    std::vector<Alternative> all;
    const auto add = [&](std::string name, std::string what, WorkInput changed) -> Status {
        LS_TRY(const Distribution d, distribute(std::move(changed)));
        all.push_back(summary(std::move(name), std::move(what), d));
        return ok_status();
    };
    const auto with_rule = [&](Rule rule) {
        WorkInput changed = input;
        changed.rule = rule;
        changed.quota_override.reset();
        return changed;
    };
    LS_CHECK(add("source", "the kernel as it is: a core closes once it reached the quota, the excess is dropped",
                 with_rule(Rule::Source)));
    LS_CHECK(add("carry-over", "the excess over the quota counts for the next core", with_rule(Rule::CarryOver)));
    LS_CHECK(add("balanced", "a core closes before it would exceed the smallest limit that covers everything",
                 with_rule(Rule::Balanced)));
    WorkInput sorted = with_rule(Rule::Source);
    std::stable_sort(sorted.seq_lens.begin(), sorted.seq_lens.end(), std::greater<>());
    LS_CHECK(add("longest batch first", "the kernel's rule on batches sorted by falling length", std::move(sorted)));
    if (batch_aware_cores > input.cores) {
        WorkInput launched = with_rule(Rule::Source);
        launched.cores = batch_aware_cores;
        LS_CHECK(add("batch-aware launch", "the kernel's rule on min(B * hv * vTiles, cores) blocks", launched));
    }
    LS_TRY(const Distribution source, distribute(with_rule(Rule::Source)));
    if (source.item_count() <= kMaxLongestFirstUnits) {
        const std::uint64_t makespan = longest_first_makespan(input);
        const double bound = static_cast<double>(source.lower_bound);
        all.push_back({"longest unit first", "each unit to the least loaded core; needs a table, not a quota",
                       input.cores, source.quota_exact, makespan,
                       std::max<std::int64_t>(0, input.cores - source.item_count()),
                       bound == 0 ? 0 : static_cast<double>(makespan) / bound});
    }
    return all;
}

} // namespace ls::ub::work
