// Pass 12, OptimizeOrchTensors: kernels that are handed a slice of a tensor learn the strides of the whole one.
#pragma once

#include "core/passes/pass.h"

namespace ls::tile {

/// Where an orchestration function hands a tensor.slice to an In parameter of an in-core function, the parameter's view gets
/// the row-major strides of the sliced tensor, so that loads step over whole rows of it. Nothing is said where slices of
/// tensors of different shapes come in, where a stride is no constant, where the parameter has strides already, or where it
/// is NZ, whose strides BlockNzTensorViews works out. What upstream does beside that to save buffers (pass 12, patterns 1,
/// 2, 3 and 5) changes no address of what a kernel was given and is not done.
PassResult optimize_orch_tensors(const ir::Module& module, const PassContext& context);

} // namespace ls::tile
