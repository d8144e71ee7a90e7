// tma_transpose_kernel: nvcc -std=c++17 -gencode arch=compute_90a,code=sm_90a -cubin tma_transpose.cu
#include <cstdint>
#include <cstring>

#include <cuda.h>

#pragma nv_diag_suppress 177  // indices of the launch are named whether or not they are used
typedef unsigned int uint;

__forceinline__ __device__ uint tvm_builtin_cuda_cvta_generic_to_shared(const void* p) {
  return (uint32_t)__cvta_generic_to_shared(p);
}

__forceinline__ __device__ void tvm_builtin_ptx_mbarrier_init_init_shared_b64(uint32_t a0, uint32_t a1) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" :  : "r"(a0), "r"(a1) : "memory");
}

__forceinline__ __device__ void tvm_builtin_ptx_fence_mbarrier_init_mbarrier_init_release_cluster() {
  asm volatile("fence.mbarrier_init.release.cluster;" :  :  : "memory");
}

__forceinline__ __device__ void tvm_builtin_ptx_mbarrier_arrive_expect_tx_arrive_expect_tx_shared_b64(uint32_t a0, uint32_t a1) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" :  : "r"(a0), "r"(a1) : "memory");
}

__forceinline__ __device__ void tvm_builtin_ptx_cp_async_bulk_tensor_g2s_cluster_async_bulk_tensor_2d_shared__cluster_global_mbarrier__complete_tx__bytes(uint32_t a0, const void* a1, int32_t a2, int32_t a3, uint32_t a4) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" :  : "r"(a0), "l"(a1), "r"(a2), "r"(a3), "r"(a4) : "memory");
}

__forceinline__ __device__ void tvm_builtin_cuda_mbarrier_wait(void* barrier, int phase) {
  const uint32_t address = (uint32_t)__cvta_generic_to_shared(barrier);
  asm volatile(
      "{\n"
      ".reg .pred P1;\n"
      "LAB_WAIT:\n"
      "mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 P1, [%0], %1, %2;\n"
      "@P1 bra.uni DONE;\n"
      "bra.uni LAB_WAIT;\n"
      "DONE:\n"
      "}\n"
      :: "r"(address), "r"(phase), "r"(0x989680u) : "memory");
}

extern "C" __global__ void __launch_bounds__(64) tma_transpose_kernel(float* __restrict__ Y_ptr, const __grid_constant__ CUtensorMap X_map) {
  float* Y_1_ptr = Y_ptr;
  const int blockIdx_x = (int)blockIdx.x;
  const int threadIdx_x = (int)threadIdx.x;
  __shared__ alignas(1024) float tile_ptr[2048];
  __shared__ alignas(64) uint64_t bar_ptr[1];
  if (threadIdx_x == 0) {
    tvm_builtin_ptx_mbarrier_init_init_shared_b64(tvm_builtin_cuda_cvta_generic_to_shared(&bar_ptr[0]), (uint)1);
    tvm_builtin_ptx_fence_mbarrier_init_mbarrier_init_release_cluster();
  }
  __syncthreads();
  if (threadIdx_x == 0) {
    tvm_builtin_ptx_mbarrier_arrive_expect_tx_arrive_expect_tx_shared_b64(tvm_builtin_cuda_cvta_generic_to_shared(&bar_ptr[0]), (uint)8192);
    tvm_builtin_ptx_cp_async_bulk_tensor_g2s_cluster_async_bulk_tensor_2d_shared__cluster_global_mbarrier__complete_tx__bytes(tvm_builtin_cuda_cvta_generic_to_shared(&tile_ptr[0]), (void*)&X_map, blockIdx_x * 32, 0, tvm_builtin_cuda_cvta_generic_to_shared(&bar_ptr[0]));
  }
  tvm_builtin_cuda_mbarrier_wait(&bar_ptr[0], 0);
  for (int c = 0; c < 32; ++c) {
    Y_1_ptr[(blockIdx_x * 32 + c) * 64 + threadIdx_x] = tile_ptr[threadIdx_x * 32 + ((c / 4) ^ (threadIdx_x % 8)) * 4 + (c % 4)];
  }
}
