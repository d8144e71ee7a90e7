// copy_async from this CTA's shared memory to another CTA's of the cluster, in bulk (spec/tirx.md 6, dsmem).
#pragma once

#include "core/passes/tirx/plan/operand.h"

namespace ls::tirx {

struct DsmemCopy {
    Operand dst;
    Operand src;
    Config config; ///< mbar and remote_cta_id
};

struct DsmemPlan {
    std::int64_t chunk_bytes = 0; ///< of one instruction: a multiple of 16
    /// Loops over the chunks, outermost first; strides in elements.
    struct Loop {
        std::int64_t extent;
        std::int64_t src_stride_elems;
        std::int64_t dst_stride_elems;
        bool operator==(const Loop&) const = default;
    };
    std::vector<Loop> loops;
    static constexpr std::string_view instruction = "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes";
};

/// Refused: COPY_CONFIG (mbar or remote_cta_id is missing), COPY_CHUNK (no contiguous run of 16 bytes), PLAN_SYMBOLIC,
/// LAYOUT_*.
Result<DsmemPlan> plan_dsmem(const DsmemCopy& call);

} // namespace ls::tirx
