// sum, max and min over dimensions of a region (spec/tirx.md 6): in one thread's registers, over the lanes of a warp,
// in shared memory.
#pragma once

#include "core/passes/tirx/plan/operand.h"

namespace ls::tirx {

enum class ReductionKind : std::uint8_t {
    Serial,       ///< one thread, element by element
    PackedSum,    ///< one thread: eight sums in pairs of float32
    ThreeInputs,  ///< one thread: four maxima of three operands each
    SharedGroups, ///< groups of lanes share out each result and shuffle
    LaneReplica,  ///< lanes hold parts, the destination a copy in each lane: one warp_reduce for each register
    LocalView, ///< each thread over its own registers, then perhaps a shuffle over the lanes of the reduced dimensions
};

struct ReductionCall {
    std::string op; ///< "sum", "max", "min"
    Operand dst, src;
    std::vector<std::int64_t> axes; ///< may be negative
    bool thread_reduce = false;     ///< the lanes' parts are put together too
};

struct ReductionPlan {
    std::string op;
    ReductionKind kind = ReductionKind::Serial;
    std::vector<std::size_t> reduced, kept; ///< dimensions of the source
    std::int64_t group = 1, threads = 1;    ///< SharedGroups
    std::int64_t width = 32, elements = 1;  ///< LaneReplica: lanes of a group, registers of a thread
    /// LocalView: the dimensions that one thread holds a part of. `place`: which of them, for each dimension of the
    /// buffer.
    struct Local {
        std::vector<Dim> shape, begin, extent;
        std::vector<std::optional<std::size_t>> place;
    };
    Local src, dst;
    std::vector<std::int64_t> shuffle_masks; ///< distances of lanes, ascending
};

/// Refused: REDUCTION_AXES, REDUCTION_LAYOUT, PLAN_SYMBOLIC, LAYOUT_*.
Result<ReductionPlan> plan_thread_reduction(const ReductionCall& call, ReductionKind kind);
Result<ReductionPlan> plan_shared_reduction(const ReductionCall& call, std::int64_t threads);
Result<ReductionPlan> plan_warp_reduction(const ReductionCall& call, bool one_warp);

} // namespace ls::tirx
