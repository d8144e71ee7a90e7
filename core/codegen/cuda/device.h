// The device side of a kernel: its __global__ function with the helpers above it.
#pragma once

#include "core/codegen/cuda/kernel.h"
#include "core/codegen/cuda/shared_memory.h"

namespace ls::codegen::cuda {

Result<SourceFile> print_device(const CudaKernel& kernel, const SharedMemory& shared);

/// The launcher: encodes tensor maps, sets launch attributes, launches.
Result<SourceFile> print_launcher(const CudaKernel& kernel, const SharedMemory& shared);
/// A program that fills the inputs, launches twice, compares; nothing when the arguments are not known.
Result<std::optional<SourceFile>> print_check_program(const CudaKernel& kernel);

/// Elements behind a pointer parameter, as far as a shape says.
std::optional<std::int64_t> parameter_elements(const CudaKernel& kernel, const ir::Var& var);

} // namespace ls::codegen::cuda
