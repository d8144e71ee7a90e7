#include "core/passes/tirx/tirx_pipeline.h"

#include "core/passes/tirx/annotate_entry_func.h"
#include "core/passes/tirx/bind_target.h"
#include "core/passes/tirx/common_subexpr_elim.h"
#include "core/passes/tirx/flatten_buffer.h"
#include "core/passes/tirx/lower_intrin.h"
#include "core/passes/tirx/lower_tirx_cleanup.h"
#include "core/passes/tirx/lower_tirx_opaque.h"
#include "core/passes/tirx/split_host_device.h"
#include "core/passes/tirx/stmt_simplify.h"
#include "core/passes/tirx/tile_primitive_dispatch/tile_primitive_dispatch.h"
#include "core/passes/tirx/unify_thread_binding.h"
#include "core/passes/tirx/unroll_loop.h"
#include "core/passes/tirx/verify_memory.h"

namespace ls::tirx {

namespace {

constexpr PassStatus kDone = PassStatus::Implemented;
constexpr PassStatus kLeaves = PassStatus::LeavesLayouts;

constexpr Pass kPasses[] = {
    {"BindTarget", 1, kDone, "Says of each function what it is compiled for.", &bind_target},
    {"TilePrimitiveDispatch", 2, kDone, "Turns tile primitives into loops of instructions.", &tile_primitive_dispatch},
    {"LowerTIRxCleanup", 3, kDone, "Applies layouts: every buffer is flat, every access an element offset.",
     &lower_tirx_cleanup},
    {"UnifyThreadBinding", 4, kDone, "Gathers the thread axes of a kernel, one variable each.", &unify_thread_binding},
    {"StmtSimplify", 5, kDone, "Simplifies values, conditions and indices.", &stmt_simplify},
    {"LowerTIRxOpaque", 6, kDone, "Makes thread extents of thread loops and drops loops of one iteration.",
     &lower_tirx_opaque},
    {"FlattenBuffer", 7, kDone, "Turns what still has dimensions or an offset into a row of elements.",
     &flatten_buffer},
    {"BF16ComputeLegalize", 8, kLeaves, "Computes bfloat16 in float32 where the target cannot."},
    {"NarrowDataType", 9, kLeaves, "Narrows 64-bit indices that fit 32 bits."},
    {"VectorizeLoop", 10, kLeaves, "Turns T.vectorized loops into vector operations."},
    {"UnrollLoop", 11, kDone, "Writes out T.unroll loops.", &unroll_loop},
    {"StmtSimplify", 12, kDone, "Simplifies the copies of unrolled bodies.", &stmt_simplify},
    {"CommonSubexprElim", 13, kDone, "Computes once what is computed more than once.", &common_subexpr_elim},
    {"FP8ComputeLegalize", 14, kLeaves, "Computes float8 in a wider type where the target cannot."},
    {"VerifyMemory", 15, kDone, "Refuses host code that touches device memory.", &verify_memory},
    {"AnnotateEntryFunc", 16, kDone, "Marks the function where the module is entered.", &annotate_entry_func},
    {"SplitHostDevice", 17, kDone, "Makes a function of what runs on the device, and calls it.", &split_host_device},
    {"LowerIket", 18, kLeaves, "Lowers instrumentation of kernels."},
    {"MakePackedAPI", 19, kLeaves, "Takes the host function's arguments from a packed call and checks them."},
    {"FP8StorageLegalize", 20, kLeaves, "Stores float8 as bytes where the target has no such type."},
    {"BF16StorageLegalize", 21, kLeaves, "Stores bfloat16 as 16-bit integers where the target has no such type."},
    {"DeviceFunctions", 27, kDone, "Keeps the functions that run on the device.", &device_functions},
    {"LowerWarpMemory", 28, kLeaves, "Turns memory of a warp into shuffles."},
    {"StmtSimplify", 29, kDone, "Simplifies the device's functions.", &stmt_simplify},
    {"LowerIntrin", 30, kDone, "Turns floor division, remainders and shuffles into what C++ has.", &lower_intrin},
};

} // namespace

std::span<const Pass> tirx_pipeline() { return kPasses; }

} // namespace ls::tirx
