# pypto.program: NzSlice
import pypto.language as pl

@pl.program
class NzSlice:
    @pl.function(type=pl.FunctionType.InCore)
    def nz_slice(self, x: pl.Tensor[[64, 512], pl.INT8], w: pl.Tensor[[32, 2048, 4096], pl.INT8, pl.NZ], out: pl.Out[pl.Tensor[[64, 256], pl.INT32]]) -> pl.Tensor[[64, 256], pl.INT32]:
        # One expert's window of a stacked weight: w[1:2, 256:512, 512:1024].
        xt: pl.Tile[[64, 512], pl.INT8, pl.Mem.Mat] = pl.tile.load(x, [0, 0], [64, 512], target_memory=pl.Mem.Mat)
        wt: pl.Tile[[256, 512], pl.INT8, pl.Mem.Mat] = pl.tile.load(w, [1, 256, 512], [1, 256, 512], target_memory=pl.Mem.Mat)
        wk: pl.Tile[[512, 256], pl.INT8, pl.Mem.Mat, pl.TileView(blayout=pl.TileLayout.row_major, slayout=pl.TileLayout.col_major)] = pl.tile.transpose_view(wt)
        a0: pl.Tile[[64, 128], pl.INT8, pl.Mem.Left, pl.TileView(blayout=pl.TileLayout.row_major)] = pl.tile.extract(xt, 0, 0, [64, 128], target_memory=pl.Mem.Left)
        b0: pl.Tile[[128, 256], pl.INT8, pl.Mem.Right] = pl.tile.extract(wk, 0, 0, [128, 256], target_memory=pl.Mem.Right)
        acc0: pl.Tile[[64, 256], pl.INT32, pl.Mem.Acc] = pl.tile.matmul(a0, b0)
        for k, (acc,) in pl.range(128, 512, 128, init_values=(acc0,)):
            a: pl.Tile[[64, 128], pl.INT8, pl.Mem.Left, pl.TileView(blayout=pl.TileLayout.row_major)] = pl.tile.extract(xt, 0, k, [64, 128], target_memory=pl.Mem.Left)
            b: pl.Tile[[128, 256], pl.INT8, pl.Mem.Right] = pl.tile.extract(wk, k, 0, [128, 256], target_memory=pl.Mem.Right)
            acc_next: pl.Tile[[64, 256], pl.INT32, pl.Mem.Acc] = pl.tile.matmul_acc(acc, a, b)
            total: pl.Tile[[64, 256], pl.INT32, pl.Mem.Acc] = pl.yield_(acc_next)
        done: pl.Tensor[[64, 256], pl.INT32] = pl.tile.store(total, [0, 0], out)
        return done
