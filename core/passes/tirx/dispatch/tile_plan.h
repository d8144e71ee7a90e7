// Whatever a variant answers: the plan from which a pass emits statements.
#pragma once

#include <string>
#include <variant>

#include "core/passes/tirx/plan/copy_partition.h"
#include "core/passes/tirx/plan/dsmem.h"
#include "core/passes/tirx/plan/elementwise.h"
#include "core/passes/tirx/plan/gemm_async.h"
#include "core/passes/tirx/plan/matrix_fragments.h"
#include "core/passes/tirx/plan/permute_layout.h"
#include "core/passes/tirx/plan/reduction.h"
#include "core/passes/tirx/plan/register_copy.h"
#include "core/passes/tirx/plan/tcgen05_cp.h"
#include "core/passes/tirx/plan/tcgen05_ldst.h"
#include "core/passes/tirx/plan/tma.h"

namespace ls::tirx {

/// cp.async: a partition, or one transfer that the author laid out himself (direct).
struct LdgstsPlan {
    CopyPartition partition;
    bool direct = false;
    std::string instruction; ///< "cp.async.cg.shared.global"
};
/// Elements one by one, by the first thread of the scope.
struct ScalarCopyPlan {
    std::vector<Dim> extents; ///< non-unit, in order
};
using TilePlan = std::variant<GemmAsyncPlan, Tcgen05CpPlan, Tcgen05LdStPlan, TmaPlan, DsmemPlan, LdgstsPlan, CopyPartition,
                              RegisterCopyPlan, VectorCopyPlan, ScalarCopyPlan, PermuteLayoutPlan, LdStMatrixPlan,
                              MmaPlan, ElementwisePlan, ReductionPlan>;

} // namespace ls::tirx
