// Launches gemm_tma_kernel; pointers are device memory.
#pragma once

#include "gemm_tma.cu"

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

inline cudaError_t launch_gemm_tma(half* A, half* B, float* C, cudaStream_t stream = nullptr) {
  CUtensorMap A_map;
  {
    const cuuint64_t dims[2] = {64, 128};  // innermost first
    const cuuint64_t strides[1] = {128};  // bytes, without the innermost
    const cuuint32_t box[2] = {64, 128};
    const cuuint32_t steps[2] = {1, 1};
    if (encode_tensor_map(&A_map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, A, dims, strides, box, steps, 0, 3, 2, 0) != CUDA_SUCCESS) return cudaErrorInvalidValue;
  }
  CUtensorMap B_map;
  {
    const cuuint64_t dims[2] = {64, 128};  // innermost first
    const cuuint64_t strides[1] = {128};  // bytes, without the innermost
    const cuuint32_t box[2] = {64, 128};
    const cuuint32_t steps[2] = {1, 1};
    if (encode_tensor_map(&B_map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, B, dims, strides, box, steps, 0, 3, 2, 0) != CUDA_SUCCESS) return cudaErrorInvalidValue;
  }
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(1, 1, 1);
  config.blockDim = dim3(128, 1, 1);
  config.stream = stream;
  return cudaLaunchKernelEx(&config, gemm_tma_kernel, C, A_map, B_map);
}
