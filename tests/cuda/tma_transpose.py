# Y = X^T for 64 x 64 float32: a tile of X by TMA into shared memory, 128 bytes a row and swizzled, and out again by threads.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func
    def main(X: T.Buffer((64, 64), "float32", layout=None), Y: T.Buffer((64, 64), "float32", layout=None)):
        T.func_attr({"global_symbol": "tma_transpose", "target": T.target({"arch": "sm_90a", "keys": ["cuda", "gpu"], "kind": "cuda"})})
        Y_1 = T.decl_buffer((4096,), data=Y.data, layout=None)
        X_map: T.let[T.TensorMap()] = T.tvm_stack_alloca("tensormap", 1)
        T.call_packed("runtime.cuTensorMapEncodeTiled", X_map, "float32", 2, X.data, 64, 64, 256, 32, 64, 1, 1, 0, 3, 2, 0)
        with T.launch_thread("blockIdx.x", 2) as blockIdx_x:
            threadIdx_x = T.launch_thread("threadIdx.x", 64)
            tile = T.alloc_shared((2048,), layout=None)
            bar = T.alloc_shared((1,), "uint64", layout=None)
            if threadIdx_x == 0:
                T.ptx.mbarrier(T.address_of(bar[0]), T.uint32(1), "init", "shared", "b64", "")
                T.ptx.fence("mbarrier_init", "release", "cluster", "")
            T.cuda.cta_sync()
            if threadIdx_x == 0:
                T.ptx.mbarrier(T.address_of(bar[0]), T.uint32(8192), "arrive", "expect_tx", "", "", "shared", "b64", "")
                T.ptx.cp(T.address_of(tile[0]), T.address_of(X_map), blockIdx_x * 32, 0, T.address_of(bar[0]), "async", "bulk", "tensor", "2d", "shared::cluster", "global", "", "mbarrier::complete_tx::bytes", "", "", "", "")
            T.cuda.mbarrier_wait(T.address_of(bar[0]), 0)
            for c in range(32):
                Y_1[(blockIdx_x * 32 + c) * 64 + threadIdx_x] = tile[threadIdx_x * 32 + T.bitwise_xor(c // 4, threadIdx_x % 8) * 4 + c % 4]
