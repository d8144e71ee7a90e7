// gemm_tma_kernel: nvcc -std=c++17 -gencode arch=compute_100a,code=sm_100a -cubin gemm_tma.cu
#include <cstdint>
#include <cstring>

#include <cuda.h>
#include <cuda_fp16.h>

#pragma nv_diag_suppress 177  // indices of the launch are named whether or not they are used
typedef unsigned int uint;

__forceinline__ __device__ uint tvm_builtin_cuda_cvta_generic_to_shared(const void* p) {
  return (uint32_t)__cvta_generic_to_shared(p);
}

__forceinline__ __device__ void tvm_builtin_ptx_tcgen05_alloc_alloc_cta_group__1_sync_aligned_shared__cta_b32(uint32_t a0, uint32_t a1) {
  asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;" :  : "r"(a0), "r"(a1) : "memory");
}

__forceinline__ __device__ void tvm_builtin_ptx_prefetch_tensormap(const void* a0) {
  asm volatile("prefetch.tensormap [%0];" :  : "l"(a0) : "memory");
}

__forceinline__ __device__ void tvm_builtin_ptx_mbarrier_init_init_shared_b64(uint32_t a0, uint32_t a1) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" :  : "r"(a0), "r"(a1) : "memory");
}

__forceinline__ __device__ void tvm_builtin_ptx_fence_mbarrier_init_mbarrier_init_release_cluster() {
  asm volatile("fence.mbarrier_init.release.cluster;" :  :  : "memory");
}

__forceinline__ __device__ void tvm_builtin_ptx_tcgen05_fence_fence__before_thread_sync() {
  asm volatile("tcgen05.fence::before_thread_sync;" :  :  : "memory");
}

__forceinline__ __device__ void tvm_builtin_ptx_tcgen05_fence_fence__after_thread_sync() {
  asm volatile("tcgen05.fence::after_thread_sync;" :  :  : "memory");
}

__forceinline__ __device__ void tvm_builtin_ptx_mbarrier_arrive_expect_tx_arrive_expect_tx_shared_b64(uint32_t a0, uint32_t a1) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" :  : "r"(a0), "r"(a1) : "memory");
}

__forceinline__ __device__ void tvm_builtin_ptx_cp_async_bulk_tensor_g2s_cluster_async_bulk_tensor_2d_shared__cluster_global_mbarrier__complete_tx__bytes_cta_group__1(uint32_t a0, const void* a1, int32_t a2, int32_t a3, uint32_t a4) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.cta_group::1 [%0], [%1, {%2, %3}], [%4];" :  : "r"(a0), "l"(a1), "r"(a2), "r"(a3), "r"(a4) : "memory");
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

__forceinline__ __device__ void tvm_builtin_ptx_tcgen05_encode_matrix_descriptor(uint64_t* desc, void* addr, int ldo, int sdo, int swizzle) {
  // 0-13 address >> 4, 16-29 leading offset, 32-45 stride offset, 46 version 1, 61-63 layout type
  const uint64_t layout = swizzle == 0 ? 0 : swizzle == 1 ? 6 : swizzle == 2 ? 4 : swizzle == 3 ? 2 : 1;
  const uint64_t address = (__cvta_generic_to_shared(addr) >> 4) & 0x3FFF;
  *desc = address | (uint64_t)(ldo & 0x3FFF) << 16 | (uint64_t)(sdo & 0x3FFF) << 32 | (uint64_t)1 << 46 | layout << 61;
}

__forceinline__ __device__ uint tvm_builtin_elect_one_sync_op() {
  uint32_t elected = 0;
  asm volatile("{ .reg .pred p; elect.sync _|p, %1; @p mov.s32 %0, 1; }" : "+r"(elected) : "r"(0xFFFFFFFFu));
  return elected;
}

__forceinline__ __device__ void tvm_builtin_ptx_tcgen05_mma_ss_mma_cta_group__1_kind__f16(uint32_t a0, uint64_t a1, uint64_t a2, uint32_t a3, uint32_t a4, uint32_t a5, uint32_t a6, uint32_t a7, uint32_t a8) {
  asm volatile("{ .reg .pred ps0; setp.ne.b32 ps0, %8, 0; tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, {%4, %5, %6, %7}, ps0; }" :  : "r"(a0), "l"(a1), "l"(a2), "r"(a3), "r"(a4), "r"(a5), "r"(a6), "r"(a7), "r"(a8));
}

__forceinline__ __device__ void tvm_builtin_ptx_tcgen05_commit_commit_cta_group__1_mbarrier__arrive__one_shared__cluster_b64(uint32_t a0) {
  asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" :  : "r"(a0) : "memory");
}

__forceinline__ __device__ uint tvm_builtin_cuda_get_tmem_addr(uint32_t addr, int row_offset, int col_offset) {
  // lane in the upper 16 bits, column in the lower
  return (((addr >> 16) + row_offset) & 0xFFFF) << 16 | (((addr & 0xFFFF) + col_offset) & 0xFFFF);
}

__forceinline__ __device__ void tvm_builtin_ptx_tcgen05_ld_ld_sync_aligned_32x32b_x8_b32_f32(float& d0, float& d1, float& d2, float& d3, float& d4, float& d5, float& d6, float& d7, uint32_t a8) {
  asm volatile("tcgen05.ld.sync.aligned.32x32b.x8.b32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8];" : "=f"(d0), "=f"(d1), "=f"(d2), "=f"(d3), "=f"(d4), "=f"(d5), "=f"(d6), "=f"(d7) : "r"(a8));
}

__forceinline__ __device__ void tvm_builtin_ptx_tcgen05_wait_wait__ld_sync_aligned() {
  asm volatile("tcgen05.wait::ld.sync.aligned;" :  :  : "memory");
}

__forceinline__ __device__ void tvm_builtin_ptx_tcgen05_relinquish_alloc_permit_relinquish_alloc_permit_cta_group__1_sync_aligned() {
  asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;" :  :  : "memory");
}

__forceinline__ __device__ void tvm_builtin_ptx_tcgen05_dealloc_dealloc_cta_group__1_sync_aligned_b32(uint32_t a0, uint32_t a1) {
  asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" :  : "r"(a0), "r"(a1) : "memory");
}

extern "C" __global__ void __launch_bounds__(128) gemm_tma_kernel(float* __restrict__ C_ptr, const __grid_constant__ CUtensorMap A_map, const __grid_constant__ CUtensorMap B_map) {
  float* C_1_ptr = C_ptr;
  const int blockIdx_x = (int)blockIdx.x;
  const int threadIdx_x = (int)threadIdx.x;
  const int warp = __shfl_sync((uint)4294967295, threadIdx_x >> 5, 0, 32);
  __shared__ alignas(1024) half A_smem_ptr[8192];
  __shared__ alignas(1024) half B_smem_ptr[8192];
  __shared__ alignas(64) uint tmem_ptr[1];
  __shared__ alignas(64) uint64_t bar_ptr[2];
  if (warp == 0) {
    tvm_builtin_ptx_tcgen05_alloc_alloc_cta_group__1_sync_aligned_shared__cta_b32(tvm_builtin_cuda_cvta_generic_to_shared(&tmem_ptr[0]), (uint)128);
  }
  if (threadIdx_x == 0) {
    tvm_builtin_ptx_prefetch_tensormap((void*)&A_map);
    tvm_builtin_ptx_mbarrier_init_init_shared_b64(tvm_builtin_cuda_cvta_generic_to_shared(&bar_ptr[0]), (uint)1);
    tvm_builtin_ptx_mbarrier_init_init_shared_b64(tvm_builtin_cuda_cvta_generic_to_shared(&bar_ptr[1]), (uint)1);
    tvm_builtin_ptx_fence_mbarrier_init_mbarrier_init_release_cluster();
  }
  tvm_builtin_ptx_tcgen05_fence_fence__before_thread_sync();
  __syncthreads();
  tvm_builtin_ptx_tcgen05_fence_fence__after_thread_sync();
  if (threadIdx_x == 0) {
    tvm_builtin_ptx_mbarrier_arrive_expect_tx_arrive_expect_tx_shared_b64(tvm_builtin_cuda_cvta_generic_to_shared(&bar_ptr[0]), (uint)32768);
    tvm_builtin_ptx_cp_async_bulk_tensor_g2s_cluster_async_bulk_tensor_2d_shared__cluster_global_mbarrier__complete_tx__bytes_cta_group__1(tvm_builtin_cuda_cvta_generic_to_shared(&A_smem_ptr[0]), (void*)&A_map, 0, 0, tvm_builtin_cuda_cvta_generic_to_shared(&bar_ptr[0]));
    tvm_builtin_ptx_cp_async_bulk_tensor_g2s_cluster_async_bulk_tensor_2d_shared__cluster_global_mbarrier__complete_tx__bytes_cta_group__1(tvm_builtin_cuda_cvta_generic_to_shared(&B_smem_ptr[0]), (void*)&B_map, 0, 0, tvm_builtin_cuda_cvta_generic_to_shared(&bar_ptr[0]));
  }
  tvm_builtin_cuda_mbarrier_wait(&bar_ptr[0], 0);
  if (warp == 0) {
    alignas(64) uint64_t descA_ptr[1];
    alignas(64) uint64_t descB_ptr[1];
    tvm_builtin_ptx_tcgen05_encode_matrix_descriptor(&descA_ptr[0], &A_smem_ptr[0], 0, 64, 3);
    tvm_builtin_ptx_tcgen05_encode_matrix_descriptor(&descB_ptr[0], &B_smem_ptr[0], 0, 64, 3);
    if (tvm_builtin_elect_one_sync_op()) {
      #pragma unroll
      for (int ki = 0; ki < 4; ++ki) {
        tvm_builtin_ptx_tcgen05_mma_ss_mma_cta_group__1_kind__f16(tmem_ptr[0], descA_ptr[0] + (uint64_t)(ki * 2), descB_ptr[0] + (uint64_t)(ki * 2), (uint)136314896, (uint)0, (uint)0, (uint)0, (uint)0, ki != 0);
      }
      tvm_builtin_ptx_tcgen05_commit_commit_cta_group__1_mbarrier__arrive__one_shared__cluster_b64(tvm_builtin_cuda_cvta_generic_to_shared(&bar_ptr[1]));
    }
    __syncwarp();
  }
  tvm_builtin_cuda_mbarrier_wait(&bar_ptr[1], 0);
  tvm_builtin_ptx_tcgen05_fence_fence__after_thread_sync();
  #pragma unroll
  for (int step = 0; step < 16; ++step) {
    alignas(64) float reg_ptr[8];
    tvm_builtin_ptx_tcgen05_ld_ld_sync_aligned_32x32b_x8_b32_f32(reg_ptr[0], reg_ptr[1], reg_ptr[2], reg_ptr[3], reg_ptr[4], reg_ptr[5], reg_ptr[6], reg_ptr[7], tvm_builtin_cuda_get_tmem_addr(tmem_ptr[0], 0, step * 8));
    tvm_builtin_ptx_tcgen05_wait_wait__ld_sync_aligned();
    #pragma unroll
    for (int i = 0; i < 8; ++i) {
      C_1_ptr[threadIdx_x * 128 + step * 8 + i] = reg_ptr[i];
    }
  }
  tvm_builtin_ptx_tcgen05_fence_fence__before_thread_sync();
  __syncthreads();
  if (warp == 0) {
    tvm_builtin_ptx_tcgen05_relinquish_alloc_permit_relinquish_alloc_permit_cta_group__1_sync_aligned();
    tvm_builtin_ptx_tcgen05_dealloc_dealloc_cta_group__1_sync_aligned_b32(tmem_ptr[0], (uint)128);
  }
}
