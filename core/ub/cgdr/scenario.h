// One question asked as a whole: this host plan, launched with these blocks, on a kernel with these one-line changes.
// Everything that follows, and every named check that fires (spec ub 4, 7). The what-ifs of the debugger are Scenarios.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/ub/cgdr/books.h"
#include "core/ub/cgdr/device_partition.h"
#include "core/ub/cgdr/fast_paths.h"
#include "core/ub/cgdr/host_plan.h"
#include "core/ub/cgdr/lifetimes.h"
#include "core/ub/finding.h"
#include "core/ub/platform.h"

namespace ls::ub::cgdr {

/// How tmpBuff's length is found.
enum class RestRule : std::uint8_t {
    UbLessQueue,   ///< as the host computes it: ub - queue
    AllThatIsLeft, ///< whatever the bump allocator has left at the call
};

struct Scenario {
    DeviceInput device; ///< block_num is the launch as it really happens
    HostBelief host;
    std::optional<std::int64_t> ub_bytes = {};   ///< nullopt: no capacity is known, nothing is checked against it
    std::optional<std::int64_t> rest_bytes = {}; ///< ubRestBytes of the record; nullopt: ub - host queue
    std::int64_t reserved_tail_bytes = 0;
    std::optional<std::int64_t> physical_cores = {};
    std::optional<std::int64_t> key_heads = {};
    std::optional<std::int64_t> chunk_len = {};      ///< rows of the chunk looked at; nullopt: a full chunk
    std::optional<std::int64_t> tiles_per_core = {}; ///< serial V tiles; nullopt: as the launch makes them
    DeviceTweaks tweaks;
    bool rest_first = false; ///< InitBuffer(tmpBuff) before InitBuffer(stateOutQueue)
    RestRule rest_rule = RestRule::UbLessQueue;
    std::int64_t host_record_fields = 16;
    std::int64_t device_record_fields = 16;
    bool init_returns_bool = true; ///< false: Process runs even if Init left early
};

/// Where a block lies in the unified buffer.
struct UbBlock {
    std::string_view name;
    std::int64_t begin = 0, end = 0;
};

struct ScenarioReport {
    DevicePartition device;
    Books books;
    FastPaths paths;
    LivePeak peak;
    std::vector<Sharing> sharings;
    std::int64_t serial_tiles = 1;

    // Below: only when ub_bytes is known.
    std::int64_t rest_bytes = 0;      ///< length of tmpBuff
    std::int64_t slack_bytes = 0;     ///< rest - used; negative when the views do not fit
    std::vector<UbBlock> blocks;      ///< in the order of allocation
    std::int64_t ub_total_bytes = 0;  ///< what InitBuffer hands out
    std::int64_t named_end_bytes = 0; ///< UB address where the last named view ends
    std::vector<Finding> findings;
};

Result<ScenarioReport> examine(const Scenario& scenario);

/// The launch that the plan makes, as a Scenario. Needs plan.search.ok; `platform` adds tail and physical cores.
Scenario scenario_of(const HostPlan& plan, const Platform* platform = nullptr);

} // namespace ls::ub::cgdr
