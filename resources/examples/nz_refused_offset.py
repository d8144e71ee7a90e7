# Two loads of a stacked weight. The second starts one block before the first: at block 0 its row offset is -256,
# which the emitted code clamps to 0, so fractal 0 would be read. The pass refuses it and says which step of the proof fails.
import pypto.language as pl


@pl.program
class NzWindow:
    @pl.function(type=pl.FunctionType.InCore)
    def nz_window(
        self,
        x: pl.Tensor[[64, 256], pl.INT8],
        w: pl.Tensor[[32, 2048, 4096], pl.INT8, pl.NZ],
        out: pl.Out[pl.Tensor[[64, 512], pl.INT32]],
    ) -> pl.Tensor[[64, 512], pl.INT32]:
        nb: pl.Scalar[pl.INDEX] = pl.tile.get_block_idx()
        n0: pl.Scalar[pl.INDEX] = nb * 256 - 256
        xt: pl.Tile[[64, 256], pl.INT8] = pl.tile.load(x, [0, 0], [64, 256], target_memory=pl.Mem.Mat)
        t0: pl.Tile[[256, 512], pl.INT8] = pl.tile.load(w, [1, 256, 512], [1, 256, 512], target_memory=pl.Mem.Mat)
        t1: pl.Tile[[256, 512], pl.INT8] = pl.tile.load(w, [1, n0, 512], [1, 256, 512], target_memory=pl.Mem.Mat)
        acc: pl.Tile[[64, 512], pl.INT32] = pl.tile.matmul(xt, t0)
        acc2: pl.Tile[[64, 512], pl.INT32] = pl.tile.matmul_acc(acc, xt, t1)
        done: pl.Tensor[[64, 512], pl.INT32] = pl.tile.store(acc2, [0, 0], out)
        return done
