// CUDA C++ with inline PTX from a lowered TIRx program (spec/tirx.md 8, 10, 11).
#pragma once

#include "core/codegen/export.h"

namespace ls::codegen {

/// NAME.cu (the kernel and the helpers it calls), NAME_launch.cuh (tensor maps, launch attributes) and NAME_main.cu (fills
/// the inputs, runs, checks). The module is lowered to flat buffers: snapshots from FlattenBuffer on, before and after the
/// split into host and device. The architecture is that of the target attribute ("sm_100a"), or options.chip where it
/// names one. Codes: CG_CUDA_*.
Result<Exported> export_cuda(const ir::Module& module, const ExportOptions& options);

} // namespace ls::codegen
