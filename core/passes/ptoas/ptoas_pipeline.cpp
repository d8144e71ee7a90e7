#include "core/passes/ptoas/ptoas_pipeline.h"

#include "core/passes/ptoas/infer_pto_layout.h"

namespace ls::ptoas {

namespace {

constexpr PassStatus kLeaves = PassStatus::LeavesLayouts;
constexpr PassStatus kNotModelled = PassStatus::NotModelled;

constexpr Pass kPasses[] = {
    {"PTOLowerFrontendPipeOps", 0, kLeaves, "Spells out the pipes between cube and vector cores."},
    {"PTOInferValidatePipeInit", 0, kLeaves, "Completes and checks how pipes are set up."},
    {"LoweringSyncToPipe", 0, kLeaves, "Turns events into flags between hardware pipes."},
    {"InferPTOLayout", 0, PassStatus::Implemented, "Gives every tensor view its layout, and checks the stated ones.",
     &infer_pto_layout},
    {"PTOA5NormalizeTMov", 0, kLeaves, "Writes moves as the 950 has them."},
    {"PTOViewToMemref", 0, kLeaves, "Turns views and tiles into typed memory references."},
    {"PlanMemory", 0, kNotModelled, "Gives tiles without an address their place (level 2)."},
    {"PTOResolveReservedBuffers", 0, kLeaves, "Gives reserved buffers their place."},
    {"PTOInsertSync", 0, kLeaves, "Adds flags and barriers where units depend on each other."},
    {"EmitPTOManual", 0, kLeaves, "Writes C++ for pto-isa."},
};

} // namespace

std::span<const Pass> ptoas_pipeline() { return kPasses; }

} // namespace ls::ptoas
