// Launches tma_transpose_kernel; pointers are device memory.
#pragma once

#include "tma_transpose.cu"

// The driver's encoder, found when the program runs: nothing has to be linked.
inline CUresult encode_tensor_map(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* base, const cuuint64_t* dims,
                                  const cuuint64_t* strides, const cuuint32_t* box, const cuuint32_t* steps, int interleave, int swizzle,
                                  int l2_promotion, int out_of_bounds) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult status;
  if (cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &status) != cudaSuccess || found == nullptr)
    return CUDA_ERROR_NOT_FOUND;
  return ((decltype(&cuTensorMapEncodeTiled))found)(map, type, rank, base, dims, strides, box, steps, (CUtensorMapInterleave)interleave,
                                                    (CUtensorMapSwizzle)swizzle, (CUtensorMapL2promotion)l2_promotion,
                                                    (CUtensorMapFloatOOBfill)out_of_bounds);
}

inline cudaError_t launch_tma_transpose(float* X, float* Y, cudaStream_t stream = nullptr) {
  CUtensorMap X_map;
  {
    const cuuint64_t dims[2] = {64, 64};  // innermost first
    const cuuint64_t strides[1] = {256};  // bytes, without the innermost
    const cuuint32_t box[2] = {32, 64};
    const cuuint32_t steps[2] = {1, 1};
    if (encode_tensor_map(&X_map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, X, dims, strides, box, steps, 0, 3, 2, 0) != CUDA_SUCCESS) return cudaErrorInvalidValue;
  }
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(2, 1, 1);
  config.blockDim = dim3(64, 1, 1);
  config.stream = stream;
  return cudaLaunchKernelEx(&config, tma_transpose_kernel, Y, X_map);
}
