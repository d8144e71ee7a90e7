// Where the buffers of shared memory go: each a static array, or all in one arena whose size the launch says.
#pragma once

#include <unordered_map>

#include "core/codegen/cuda/kernel.h"

namespace ls::codegen::cuda {

struct SharedBuffer {
    CType element;
    std::int64_t elements = 0, bytes = 0;
    std::int64_t align_bytes = 64;
    std::int64_t offset_bytes = -1; ///< in the arena; -1: an array of its own
};

struct SharedMemory {
    std::unordered_map<const ir::VarNode*, SharedBuffer> buffers;
    std::int64_t arena_bytes = 0;  ///< 0: there is none
    std::int64_t static_bytes = 0;
};

/// Static arrays hold 48 KB at most; what is more moves to the arena. A buffer that a matrix descriptor or a tensor map
/// addresses is aligned to 1024 bytes, since swizzles repeat in units of that size and the hardware starts them at the
/// address, not at the buffer. Codes: CG_CUDA_SHARED, CG_CUDA_TYPE.
Result<SharedMemory> plan_shared(const CudaKernel& kernel);

} // namespace ls::codegen::cuda
