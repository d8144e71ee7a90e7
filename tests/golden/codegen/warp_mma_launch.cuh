// Launches warp_mma_kernel; pointers are device memory.
#pragma once

#include "warp_mma.cu"

inline cudaError_t launch_warp_mma(half* A, half* B, float* D, cudaStream_t stream = nullptr) {
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(1, 1, 1);
  config.blockDim = dim3(32, 1, 1);
  config.stream = stream;
  config.dynamicSmemBytes = 768;
  const cudaError_t error = cudaFuncSetAttribute(warp_mma_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 768);
  if (error != cudaSuccess) return error;
  return cudaLaunchKernelEx(&config, warp_mma_kernel, A, B, D);
}
