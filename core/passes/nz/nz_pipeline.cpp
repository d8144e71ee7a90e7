#include "core/passes/nz/nz_pipeline.h"

#include "core/passes/front/ctrl_flow_transform.h"
#include "core/passes/front/inline_functions.h"
#include "core/passes/front/outline_scopes.h"
#include "core/passes/front/unroll_loops.h"
#include "core/passes/memory/allocate_memory_addr.h"
#include "core/passes/memory/fold_no_op_reshape.h"
#include "core/passes/memory/infer_tile_memory_space.h"
#include "core/passes/memory/init_memref.h"
#include "core/passes/memory/materialize_semantic_aliases.h"
#include "core/passes/memory/memory_reuse.h"
#include "core/passes/nz/auto_tile_matmul_l0.h"
#include "core/passes/nz/block_nz_tensor_views.h"
#include "core/passes/nz/convert_to_ssa.h"
#include "core/passes/nz/flatten_call_expr.h"
#include "core/passes/nz/materialize_tensor_strides.h"
#include "core/passes/nz/simplify.h"
#include "core/passes/orchestration/classify_iter_arg_carry.h"
#include "core/passes/orchestration/derive_call_directions.h"
#include "core/passes/orchestration/materialize_runtime_scopes.h"
#include "core/passes/orchestration/materialize_valid_shape_symbols.h"
#include "core/passes/tile/canonicalize_io_order.h"
#include "core/passes/tile/canonicalize_tile_slice.h"
#include "core/passes/tile/convert_tensor_to_tile_ops.h"
#include "core/passes/tile/expand_mixed_kernel.h"
#include "core/passes/tile/flatten_tile_nd_to_2d.h"
#include "core/passes/tile/lower_pipeline_loops.h"
#include "core/passes/tile/normalize_return_order.h"
#include "core/passes/tile/optimize_orch_tensors.h"

namespace ls::nz {

namespace {

constexpr PassStatus kDone = PassStatus::Implemented;
constexpr PassStatus kLeaves = PassStatus::LeavesLayouts;
constexpr PassStatus kNotModelled = PassStatus::NotModelled;

constexpr Pass kPasses[] = {
    {"InlineFunctions", 1, kDone, "Expands functions of type Inline at their calls.", &front::inline_functions},
    {"UnrollLoops", 2, kDone, "Repeats the bodies of pl.unroll loops.", &front::unroll_loops},
    {"CtrlFlowTransform", 3, kDone, "Turns break and continue into conditions.", &front::ctrl_flow_transform},
    {"ConvertToSSA", 4, kDone, "Gives every variable one definition; offsets become names.", &convert_to_ssa},
    {"Simplify", 5, kDone, "Works out constants, so that proofs see numbers.", &simplify},
    {"NormalizeStmtStructure", 0, kLeaves, "Flattens nested statement lists."},
    {"FlattenCallExpr", 6, kDone, "Makes every call a statement of its own.", &flatten_call_expr},
    {"OutlineHierarchyScopes", 7, kDone, "Makes functions of level scopes.", &front::outline_hierarchy_scopes},
    {"OutlineGraphScopes", 8, kLeaves, "Makes functions of graph scopes."},
    {"OutlineIncoreScopes", 9, kDone, "Makes kernel functions of in-core scopes.", &front::outline_incore_scopes},
    {"OutlineClusterScopes", 10, kDone, "Makes functions of cluster and launch scopes.", &front::outline_cluster_scopes},
    {"ConvertTensorToTileOps", 11, kDone, "Turns tensor operations into tile loads, tile operations and stores.",
     &tile::convert_tensor_to_tile_ops},
    {"OptimizeOrchTensors", 12, kDone, "Hands kernels the strides of what was sliced; leaves NZ windows without.",
     &tile::optimize_orch_tensors},
    {"LowerCompositeOps", 13, kNotModelled, "Spells out operations that are several instructions."},
    {"FlattenTileNdTo2D", 14, kDone, "Makes every tile two-dimensional; leaves the windows of NZ tensors alone.",
     &tile::flatten_tile_nd_to_2d},
    {"BlockNzTensorViews", 15, kDone,
     "Turns logical NZ tensors and the coordinates into them into the blocked rank-5 form.", &block_nz_tensor_views},
    {"BlockMxScaleTensorViews", 16, kNotModelled, "Blocks MX scale tensors to [1, M/16, G/2, 16, 2]."},
    {"LegalizeTileCast", 17, kLeaves, "Splits casts that no instruction does at once."},
    {"AutoTileMatmulL0", 18, kDone, "Cuts products into (m, n, k) tiles that fit L0.", &auto_tile_matmul_l0},
    {"CanonicalizeTileSlice", 19, kDone, "Writes slices of tiles in one form.", &tile::canonicalize_tile_slice},
    {"InferTileMemorySpace", 20, kDone, "Says for each tile which on-chip memory holds it.",
     &memory::infer_tile_memory_space},
    {"InsertMxScaleAddr", 21, kLeaves, "Adds the addresses of MX scales."},
    {"ResolveBackendOpLayouts", 22, kNotModelled, "Chooses box orders that the chip's instructions want."},
    {"LowerAutoVectorSplit", 23, kLeaves, "Divides vector work between the two vector cores."},
    {"ExpandMixedKernel", 24, kDone, "Makes cube or vector kernels; those that are both stay as they are.",
     &tile::expand_mixed_kernel},
    {"InjectGMPipeBuffer", 25, kLeaves, "Adds the buffers between cube and vector part."},
    {"SplitVectorKernel", 26, kNotModelled, "Halves the tiles of the vector part."},
    {"StampTfreeSplit", 27, kLeaves, "Marks where a handed-over tile is free again."},
    {"NormalizeReturnOrder", 28, kDone, "Orders results as the outputs are declared.", &tile::normalize_return_order},
    {"SkewCrossCorePipeline", 29, kLeaves, "Shifts stages of pipelines across cores."},
    {"LowerPipelineToSlots", 30, kLeaves, "Gives pipelined values their slots."},
    {"LowerPipelineLoops", 31, kDone, "Repeats the bodies of pipelined loops.", &tile::lower_pipeline_loops},
    {"CanonicalizeIOOrder", 32, kDone, "Moves loads up and stores down.", &tile::canonicalize_io_order},
    {"MaterializeTensorStrides", 33, kDone,
     "Fills in the strides of every tensor view and checks that it is canonical.", &materialize_tensor_strides},
    {"InitMemRef", 34, kDone, "Gives every value an allocation.", &memory::init_memref},
    {"LegalizeWideGmToMatLoads", 35, kNotModelled, "Divides loads that are too wide for one instruction."},
    {"MaterializeSemanticAliases", 36, kDone, "Writes out which values share memory by meaning.",
     &memory::materialize_semantic_aliases},
    {"MemoryReuse", 37, kDone, "Lets values that never live together share memory.", &memory::memory_reuse},
    {"AllocateMemoryAddr", 38, kDone, "Checks capacities and gives byte addresses.", &memory::allocate_memory_addr},
    {"FoldNoOpReshape", 39, kDone, "Drops reshapes that change nothing.", &memory::fold_no_op_reshape},
    {"FuseCreateAssembleToSlice", 40, kLeaves, "Writes into the destination instead of a copy."},
    {"LowerL2TensorCollectives", 41, kLeaves, "Spells out collectives inside a chip."},
    {"LegalizeSpmdLaunches", 42, kLeaves, "Checks and completes launches on many cores."},
    {"DeriveCallDirections", 43, kDone, "Says which arguments a call reads and writes.",
     &orchestration::derive_call_directions},
    {"AutoDeriveTaskDependencies", 44, kLeaves, "Finds which task waits for which."},
    {"ExpandManualPhaseFence", 45, kLeaves, "Spells out phase fences."},
    {"SynthesizeAllReduceSignals", 46, kLeaves, "Adds the signals of reductions over chips."},
    {"MaterializeCommDomainScopes", 47, kLeaves, "Writes out communication domains."},
    {"LowerHostTensorCollectives", 48, kLeaves, "Spells out collectives of the host."},
    {"MaterializeDistTensorCtx", 49, kLeaves, "Hands the contexts of distributed tensors to kernels."},
    {"Simplify", 0, kDone, "Once more: works out what the passes since then left constant.", &simplify},
    {"LegalizeGraphBoundary", 50, kLeaves, "Checks what crosses the edge of a graph."},
    {"MaterializeRuntimeScopes", 51, kDone, "Writes out the runtime's scopes.",
     &orchestration::materialize_runtime_scopes},
    {"ClassifyIterArgCarry", 52, kDone, "Says which carried values stay one buffer.",
     &orchestration::classify_iter_arg_carry},
    {"InsertCommFence", 53, kLeaves, "Adds fences around communication."},
    {"LegalizeTileCastFragments", 54, kLeaves, "Divides casts by what one instruction does."},
    {"MaterializeValidShapeSymbols", 55, kDone, "Hands kernels the symbols of valid shapes.",
     &orchestration::materialize_valid_shape_symbols},
    {"LowerTileToBuffer", 56, kNotModelled, "Turns tiles into buffers with addresses."},
};

} // namespace

std::span<const Pass> nz_pipeline() { return kPasses; }

std::string_view name(PassStatus status) {
    switch (status) {
    case PassStatus::Implemented: return "implemented";
    case PassStatus::LeavesLayouts: return "leaves layouts alone";
    case PassStatus::NotModelled: break;
    }
    return "not modelled";
}

} // namespace ls::nz
