# C[128, 128] float32 = A[128, 64] float16 * B[128, 64]^T: one tile, filled by TMA, multiplied by tcgen05.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((128, 64), "float16", layout=None), B: T.Buffer((128, 64), "float16", layout=None), C: T.Buffer((128, 128), "float32", layout=None)):
        T.func_attr({"global_symbol": "gemm_tma", "target": T.target({"arch": "sm_100a", "keys": ["cuda", "gpu"], "kind": "cuda"})})
        C_1 = T.decl_buffer((16384,), data=C.data, layout=None)
        A_map: T.let[T.TensorMap()] = T.tvm_stack_alloca("tensormap", 1)
        T.call_packed("runtime.cuTensorMapEncodeTiled", A_map, "float16", 2, A.data, 64, 128, 128, 64, 128, 1, 1, 0, 3, 2, 0)
        B_map: T.let[T.TensorMap()] = T.tvm_stack_alloca("tensormap", 1)
        T.call_packed("runtime.cuTensorMapEncodeTiled", B_map, "float16", 2, B.data, 64, 128, 128, 64, 128, 1, 1, 0, 3, 2, 0)
        with T.launch_thread("blockIdx.x", 1) as blockIdx_x:
            threadIdx_x = T.launch_thread("threadIdx.x", 128)
            warp: T.let[T.int32] = T.cuda.__shfl_sync(T.uint32(4294967295), T.shift_right(threadIdx_x, 5), 0, 32)
            A_smem = T.alloc_shared((8192,), "float16", layout=None)
            B_smem = T.alloc_shared((8192,), "float16", layout=None)
            tmem = T.alloc_shared((1,), "uint32", layout=None)
            bar = T.alloc_shared((2,), "uint64", layout=None)
            if warp == 0:
                T.ptx.tcgen05(T.address_of(tmem[0]), T.uint32(128), "alloc", "cta_group::1", "sync", "aligned", "shared::cta", "b32", "")
            if threadIdx_x == 0:
                T.ptx.prefetch(T.address_of(A_map), "", "", "", "tensormap", "")
                T.ptx.mbarrier(T.address_of(bar[0]), T.uint32(1), "init", "shared", "b64", "")
                T.ptx.mbarrier(T.address_of(bar[1]), T.uint32(1), "init", "shared", "b64", "")
                T.ptx.fence("mbarrier_init", "release", "cluster", "")
            T.ptx.tcgen05("fence::before_thread_sync", "")
            T.cuda.cta_sync()
            T.ptx.tcgen05("fence::after_thread_sync", "")
            if threadIdx_x == 0:
                T.ptx.mbarrier(T.address_of(bar[0]), T.uint32(32768), "arrive", "expect_tx", "", "", "shared", "b64", "")
                T.ptx.cp(T.address_of(A_smem[0]), T.address_of(A_map), 0, 0, T.address_of(bar[0]), "async", "bulk", "tensor", "2d", "shared::cluster", "global", "", "mbarrier::complete_tx::bytes", "", "cta_group::1", "", "")
                T.ptx.cp(T.address_of(B_smem[0]), T.address_of(B_map), 0, 0, T.address_of(bar[0]), "async", "bulk", "tensor", "2d", "shared::cluster", "global", "", "mbarrier::complete_tx::bytes", "", "cta_group::1", "", "")
            T.cuda.mbarrier_wait(T.address_of(bar[0]), 0)
            if warp == 0:
                descA = T.alloc_local((1,), "uint64", layout=None)
                descB = T.alloc_local((1,), "uint64", layout=None)
                T.cuda.tcgen05.encode_matrix_descriptor(T.address_of(descA[0]), T.address_of(A_smem[0]), 0, 64, 3)
                T.cuda.tcgen05.encode_matrix_descriptor(T.address_of(descB[0]), T.address_of(B_smem[0]), 0, 64, 3)
                if T.cuda.elect_sync():
                    for ki in T.unroll(4):
                        T.ptx.tcgen05(tmem[0], descA[0] + T.Cast("uint64", ki * 2), descB[0] + T.Cast("uint64", ki * 2), T.uint32(136314896), T.uint32(0), T.uint32(0), T.uint32(0), T.uint32(0), ki != 0, "mma", "cta_group::1", "kind::f16", "p8")
                    T.ptx.tcgen05(T.address_of(bar[1]), "commit", "cta_group::1", "mbarrier::arrive::one", "shared::cluster", "b64", "")
                T.cuda.warp_sync()
            T.cuda.mbarrier_wait(T.address_of(bar[1]), 0)
            T.ptx.tcgen05("fence::after_thread_sync", "")
            for step in T.unroll(16):
                reg = T.alloc_local((8,), layout=None)
                T.ptx.tcgen05(reg[0], reg[1], reg[2], reg[3], reg[4], reg[5], reg[6], reg[7], T.cuda.get_tmem_addr(tmem[0], 0, step * 8), "ld", "sync", "aligned", "32x32b", "x8", "", "b32", "")
                T.ptx.tcgen05("wait::ld", "sync", "aligned", "")
                for i in T.unroll(8):
                    C_1[threadIdx_x * 128 + step * 8 + i] = reg[i]
            T.ptx.tcgen05("fence::before_thread_sync", "")
            T.cuda.cta_sync()
            if warp == 0:
                T.ptx.tcgen05("relinquish_alloc_permit", "cta_group::1", "sync", "aligned", "")
                T.ptx.tcgen05(tmem[0], T.uint32(128), "dealloc", "cta_group::1", "sync", "aligned", "b32", "")
