// warp_mma_kernel: nvcc -std=c++17 -gencode arch=compute_90a,code=sm_90a -cubin warp_mma.cu
#include <cstdint>
#include <cstring>

#include <cuda.h>
#include <cuda_fp16.h>

#pragma nv_diag_suppress 177  // indices of the launch are named whether or not they are used
typedef unsigned int uint;

__forceinline__ __device__ uint tvm_builtin_cuda_cvta_generic_to_shared(const void* p) {
  return (uint32_t)__cvta_generic_to_shared(p);
}

__forceinline__ __device__ void tvm_builtin_ptx_cp_async_cg_async_cg_shared_global_16(uint32_t a0, const void* a1) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :  : "r"(a0), "l"(a1) : "memory");
}

__forceinline__ __device__ void tvm_builtin_ptx_cp_async_commit_group_async_commit_group() {
  asm volatile("cp.async.commit_group;" :  : );
}

__forceinline__ __device__ void tvm_builtin_ptx_cp_async_wait_group_async_wait_group_0() {
  asm volatile("cp.async.wait_group 0;" :  :  : "memory");
}

__forceinline__ __device__ void tvm_builtin_ptx_ldmatrix_sync_aligned_m8n8_x4_shared_b16(uint32_t& d0, uint32_t& d1, uint32_t& d2, uint32_t& d3, uint32_t a4) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(d0), "=r"(d1), "=r"(d2), "=r"(d3) : "r"(a4) : "memory");
}

__forceinline__ __device__ void tvm_builtin_ptx_ldmatrix_sync_aligned_m8n8_x2_trans_shared_b16(uint32_t& d0, uint32_t& d1, uint32_t a2) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(d0), "=r"(d1) : "r"(a2) : "memory");
}

__forceinline__ __device__ void tvm_builtin_ptx_mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32(float& d0, float& d1, float& d2, float& d3, uint32_t a4, uint32_t a5, uint32_t a6, uint32_t a7, uint32_t a8, uint32_t a9, float a10, float a11, float a12, float a13) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};" : "=f"(d0), "=f"(d1), "=f"(d2), "=f"(d3) : "r"(a4), "r"(a5), "r"(a6), "r"(a7), "r"(a8), "r"(a9), "f"(a10), "f"(a11), "f"(a12), "f"(a13));
}

extern "C" __global__ void __launch_bounds__(32) warp_mma_kernel(half* __restrict__ A_ptr, half* __restrict__ B_ptr, float* __restrict__ D_ptr) {
  extern __shared__ __align__(1024) uint8_t shared_arena[];
  half* A_1_ptr = A_ptr;
  half* B_1_ptr = B_ptr;
  float* D_1_ptr = D_ptr;
  const int blockIdx_x = (int)blockIdx.x;
  const int threadIdx_x = (int)threadIdx.x;
  half* a_ptr = (half*)(shared_arena + 0);
  half* b_ptr = (half*)(shared_arena + 512);
  tvm_builtin_ptx_cp_async_cg_async_cg_shared_global_16(tvm_builtin_cuda_cvta_generic_to_shared(&a_ptr[threadIdx_x * 8]), &A_1_ptr[threadIdx_x * 8]);
  if (threadIdx_x < 16) {
    tvm_builtin_ptx_cp_async_cg_async_cg_shared_global_16(tvm_builtin_cuda_cvta_generic_to_shared(&b_ptr[threadIdx_x * 8]), &B_1_ptr[threadIdx_x * 8]);
  }
  tvm_builtin_ptx_cp_async_commit_group_async_commit_group();
  tvm_builtin_ptx_cp_async_wait_group_async_wait_group_0();
  __syncwarp();
  alignas(64) uint fa_ptr[4];
  alignas(64) uint fb_ptr[2];
  alignas(64) float d_ptr[4];
  #pragma unroll
  for (int i = 0; i < 4; ++i) {
    d_ptr[i] = 0.0f;
  }
  tvm_builtin_ptx_ldmatrix_sync_aligned_m8n8_x4_shared_b16(fa_ptr[0], fa_ptr[1], fa_ptr[2], fa_ptr[3], tvm_builtin_cuda_cvta_generic_to_shared(&a_ptr[(threadIdx_x % 16) * 16 + (threadIdx_x / 16) * 8]));
  tvm_builtin_ptx_ldmatrix_sync_aligned_m8n8_x2_trans_shared_b16(fb_ptr[0], fb_ptr[1], tvm_builtin_cuda_cvta_generic_to_shared(&b_ptr[(threadIdx_x % 16) * 8]));
  tvm_builtin_ptx_mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32(d_ptr[0], d_ptr[1], d_ptr[2], d_ptr[3], fa_ptr[0], fa_ptr[1], fa_ptr[2], fa_ptr[3], fb_ptr[0], fb_ptr[1], d_ptr[0], d_ptr[1], d_ptr[2], d_ptr[3]);
  #pragma unroll
  for (int i_1 = 0; i_1 < 4; ++i_1) {
    D_1_ptr[((i_1 / 2) * 8 + (threadIdx_x / 4)) * 8 + (threadIdx_x % 4) * 2 + (i_1 % 2)] = d_ptr[i_1];
  }
}
