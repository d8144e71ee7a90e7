# D[128, 64] = A[128, 128] · B[64, 128]ᵀ, bf16 into f32, by one warp's tcgen05.mma; the warpgroup then reads tensor memory back.
# Step through the passes: TilePrimitiveDispatch chooses a descriptor for each operand, LowerTIRxCleanup turns layouts into
# addresses, and at the end stands the device function that is exported as CUDA.
# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@I.ir_module
class Module:
    @T.prim_func
    def gemm(D: T.Buffer((128, 64), "float32")):
        T.func_attr({"global_symbol": "gemm"})
        T.attr({"tirx.device_entry": T.bool(True)})
        cta = T.cta_id([1])
        wg = T.warpgroup_id([1])
        warp = T.warp_id([4])
        lane = T.lane_id([32])
        thread = T.thread_id_in_wg([128])
        A = T.alloc_shared((128, 128), "bfloat16", layout=T.ComposeLayout(3, 3, 3, T.TileLayout(T.S[(128, 2, 64):(64, 8192, 1)])))
        B = T.alloc_shared((64, 128), "bfloat16", layout=T.ComposeLayout(3, 3, 3, T.TileLayout(T.S[(64, 2, 64):(64, 4096, 1)])))
        tmem_addr: T.uint32
        C = T.decl_buffer((128, 512), scope="tmem", layout=T.TileLayout(T.S[(128, 512):(1 @ Axis.TLane, 1 @ Axis.TCol)]), allocated_addr=tmem_addr[0])
        if warp == 0:
            if T.cuda.elect_sync():
                T.tile.gemm_async(C[0:128, 0:64], A[0:128, 0:128], B[0:64, 0:128], False, False, False, dispatch="tcgen05", cta_group=1)
        T.cuda.cta_sync()
        row = T.alloc_local((64,))
        rows = row.view(128, 64, layout=T.TileLayout(T.S[(128, 64):(1 @ Axis.tid_in_wg, 1)]))
        T.wg.copy_async(rows[0:128, 0:64], C[0:128, 0:64])
        T.ptx.tcgen05("wait::ld", "sync", "aligned", "")
        T.tile.copy(D[thread, 0:64], row[0:64])
