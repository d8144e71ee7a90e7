// Variable-length work spread over cores (spec ub 6): quota, enumeration, ownership exactly as the kernel decides it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/support/result.h"

namespace ls::ub::work {

inline constexpr std::int32_t kNobody = -1; ///< owner of a unit that no core executes

/// How IsCurrentBlock is written. Source is the kernel; the others are its known variants and mistakes.
enum class Rule : std::uint8_t {
    Source,     ///< load reset to 0 once it reaches the quota
    CarryOver,  ///< load -= quota instead: the excess counts for the next core
    FloorQuota, ///< quota rounded down: loses units
    DoubleCall, ///< the owner evaluates IsCurrentBlock twice and acts on both answers: loses units
    RetryCall,  ///< a core that is refused evaluates it again: units with two owners, and lost ones
    Balanced,   ///< a core is closed before it exceeds the smallest limit that still covers everything
};
std::string_view name(Rule rule);
std::optional<Rule> rule_from_name(std::string_view text);

struct WorkInput {
    std::vector<std::int32_t> seq_lens; ///< rows a batch; zero and negative are skipped as the kernel skips them
    std::int64_t heads = 1;             ///< value heads, NV
    std::int64_t v_tiles = 1;           ///< W: tiles of one head that are units of their own
    std::int64_t cores = 1;             ///< launched blocks, C
    Rule rule = Rule::Source;
    std::optional<std::uint32_t> quota_override = {}; ///< what avgload holds, whatever ComputeAvgload would say
};

/// Rows [begin, end) of a batch in the packed tensors; 32-bit arithmetic of the kernel, so a negative length moves
/// back.
struct RowRange {
    std::int32_t begin = 0, end = 0;
    bool operator==(const RowRange&) const = default;
};

/// A stretch of consecutive units with one owner: the form in which ten thousand batches stay small.
struct Run {
    std::int64_t first_item = 0;
    std::int64_t count = 0;
    std::int64_t batch = 0;
    std::int32_t core = 0; ///< kNobody: none; the first one where RetryCall makes several
};

struct WorkItem {
    std::int64_t batch = 0, head = 0, v_tile = 0;
    bool operator==(const WorkItem&) const = default;
};

struct Distribution {
    WorkInput input;
    std::int64_t total_rows = 0;   ///< sum of the positive lengths
    std::uint64_t quota_exact = 0; ///< ceil(rows * heads * tiles / cores), in 64 bits
    std::uint32_t quota = 0;       ///< as stored: narrowed to 32 bits, or the override
    std::vector<RowRange> row_ranges;
    std::vector<std::int64_t> first_item; ///< of each batch, and the total at the end
    std::vector<Run> runs;
    std::vector<std::uint64_t> core_load; ///< rows that each core processes
    std::vector<std::int64_t> core_items;
    std::uint64_t total_work = 0;
    std::int64_t unassigned = 0;
    std::int64_t duplicated = 0;
    std::int64_t idle_cores = 0;
    std::uint64_t makespan = 0;    ///< the largest core load
    std::uint64_t lower_bound = 0; ///< ceil(total work / cores)

    std::int64_t item_count() const { return first_item.back(); }
    /// Makespan over bound; 0 when there is no work.
    double imbalance() const;
    /// Time that cores spend waiting for the last one: cores * makespan - assigned work.
    std::uint64_t idle_time() const;

    /// The unit of an index in enumeration order (batch, head, tile).
    WorkItem item(std::int64_t index) const;
    std::int64_t item_length(std::int64_t index) const;
    /// Owner of each unit in enumeration order; kNobody where there is none. One entry a unit.
    std::vector<std::int32_t> owners() const;
};

/// UB_PARAM_RANGE for bad input; UB_WORK_TOO_LARGE for more than 2^28 units, or work beyond 2^62.
Result<Distribution> distribute(WorkInput input);

/// What a core's state is after one call of IsCurrentBlock.
struct TraceRow {
    std::int64_t item = 0;
    std::int32_t length = 0;
    std::uint32_t load = 0; ///< after the call
    std::uint32_t turn = 0; ///< after the call
    std::int32_t owner = kNobody;

    bool operator==(const TraceRow&) const = default;
};
/// The calls [first, first + count) replayed. With DoubleCall and RetryCall cores disagree: what is shown is the state
/// of a core that calls once a unit.
std::vector<TraceRow> replay(const Distribution& distribution, std::int64_t first, std::int64_t count);

} // namespace ls::ub::work
