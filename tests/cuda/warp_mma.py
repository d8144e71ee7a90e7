# D[16, 8] float32 = A[16, 16] float16 * B[16, 8] by one warp: rows by cp.async into shared memory, ldmatrix, mma.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16, 16), "float16", layout=None), B: T.Buffer((16, 8), "float16", layout=None), D: T.Buffer((16, 8), "float32", layout=None)):
        T.func_attr({"global_symbol": "warp_mma", "target": T.target({"arch": "sm_90a", "keys": ["cuda", "gpu"], "kind": "cuda"})})
        A_1 = T.decl_buffer((256,), "float16", data=A.data, layout=None)
        B_1 = T.decl_buffer((128,), "float16", data=B.data, layout=None)
        D_1 = T.decl_buffer((128,), data=D.data, layout=None)
        with T.launch_thread("blockIdx.x", 1) as blockIdx_x:
            threadIdx_x = T.launch_thread("threadIdx.x", 32)
            a = T.alloc_buffer((256,), "float16", scope="shared.dyn", layout=None)
            b = T.alloc_buffer((128,), "float16", scope="shared.dyn", layout=None)
            T.ptx.cp(T.address_of(a[threadIdx_x * 8]), T.address_of(A_1[threadIdx_x * 8]), 16, "async", "cg", "shared", "global", "", "", "")
            if threadIdx_x < 16:
                T.ptx.cp(T.address_of(b[threadIdx_x * 8]), T.address_of(B_1[threadIdx_x * 8]), 16, "async", "cg", "shared", "global", "", "", "")
            T.ptx.cp("async", "commit_group", "")
            T.ptx.cp(0, "async", "wait_group", "")
            T.cuda.warp_sync()
            fa = T.alloc_local((4,), "uint32", layout=None)
            fb = T.alloc_local((2,), "uint32", layout=None)
            d = T.alloc_local((4,), layout=None)
            for i in T.unroll(4):
                d[i] = T.float32(0)
            T.ptx.ldmatrix(fa[0], fa[1], fa[2], fa[3], T.address_of(a[threadIdx_x % 16 * 16 + threadIdx_x // 16 * 8]), "sync", "aligned", "m8n8", "x4", "", "shared", "b16", "")
            T.ptx.ldmatrix(fb[0], fb[1], T.address_of(b[threadIdx_x % 16 * 8]), "sync", "aligned", "m8n8", "x2", "trans", "shared", "b16", "")
            T.ptx.mma(d[0], d[1], d[2], d[3], fa[0], fa[1], fa[2], fa[3], fb[0], fb[1], d[0], d[1], d[2], d[3], "sync", "aligned", "m16n8k16", "row", "col", "f32", "f16", "f16", "f32", "")
            for i in T.unroll(4):
                D_1[(i // 2 * 8 + threadIdx_x // 4) * 8 + threadIdx_x % 4 * 2 + i % 2] = d[i]
