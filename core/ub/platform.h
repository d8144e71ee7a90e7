// Chips as the unified-buffer planner sees them: capacities, core counts, queue limits (spec ub 2). Data, not code:
// resources/hardware/platforms_ub.json, compiled in.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/result.h"

namespace ls::ub {

/// A number that no public source gives is nullopt.
struct Platform {
    std::string id;
    std::vector<std::string> aliases;
    std::int64_t ub_bytes = 0;                      ///< physical
    std::optional<std::int64_t> ub_runtime_bytes;   ///< what the host's query answers
    std::int64_t reserved_tail_bytes = 0;           ///< scratch of library calls at the top of the physical buffer
    std::optional<std::int64_t> tmp_scratch_offset; ///< where that scratch begins
    std::optional<std::int64_t> ai_cores;
    std::optional<std::int64_t> vector_cores;      ///< as the chip's ini file says
    std::optional<std::int64_t> aiv_num_reported;  ///< what the vector-core query answers, where it differs
    std::optional<std::int64_t> core_num_reported; ///< what the generic query answers, where it differs
    std::int64_t queue_buffers_per_position = 8;
    std::string note;

    /// Bytes that a host plan may count on.
    std::int64_t planning_bytes() const { return ub_runtime_bytes.value_or(ub_bytes); }
    /// Vector cores that a host plan sees.
    std::optional<std::int64_t> planning_cores() const { return aiv_num_reported ? aiv_num_reported : vector_cores; }
    /// Part of the planning bytes that lies in the library scratch.
    std::int64_t planning_tail_bytes() const;
};

std::span<const Platform> platforms();

/// By id or alias, ignoring case. The error lists what there is.
Result<Platform> find_platform(std::string_view name);

} // namespace ls::ub
