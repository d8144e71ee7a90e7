// The host's whole plan: V step, launch, workspace, tiling record (spec ub 3.4, 9).
#pragma once

#include <cstdint>

#include "core/ub/cgdr/tiling_record.h"
#include "core/ub/cgdr/v_step_search.h"

namespace ls::ub::cgdr {

struct HostPlan {
    HostInput input;
    VStepSearch search;
    std::int64_t pad_rows = 0; ///< padSize
    std::int64_t num_chunks = 0;

    // Below: only when search.ok.
    std::int64_t v_tile_count = 0;
    std::int64_t work_items = 0;
    std::int64_t block_dim = 0;
    bool split_v = false;        ///< the device will spread V tiles, if block_dim blocks are launched
    bool device_overlap = false; ///< the branch that the device will take then
    std::int64_t workspace_needed_bytes = 0;
    std::int64_t workspace_bytes = 0; ///< at least 32 MiB
    std::int64_t tiling_key = 0;
};

/// UB_PARAM_RANGE for bad input, UB_WORKSPACE_OVERFLOW if the workspace exceeds 64 bits. A search without a fit is a
/// plan with search.ok == false.
Result<HostPlan> plan_host(const HostInput& input);

/// Units of work that the host counts for the launch; v1108 leaves the batch out.
std::int64_t launch_work_items(Variant variant, std::int64_t batch, std::int64_t hv, std::int64_t v_tiles,
                               std::int64_t aiv);
/// max(1, min(work_items, aiv)).
std::int64_t launch_blocks(std::int64_t work_items, std::int64_t aiv);

/// The record that the plan writes. Values beyond 32 bits are cut as the host's casts cut them.
TilingRecord tiling_record(const HostPlan& plan, bool has_gamma, float scale);

} // namespace ls::ub::cgdr
