import pypto.language as pl

@pl.program
class NzKloopI8:
    @pl.function(type=pl.FunctionType.InCore)
    def nz_kloop_i8(self, x: pl.Tensor[[64, 512], pl.INT8], w: pl.Tensor[[64, 512], pl.INT8, pl.NZ], out: pl.Out[pl.Tensor[[64, 64], pl.INT32]]):
        # K in four steps over INT8.
        xt: pl.Tile[[64, 512], pl.INT8, pl.Mem.Mat] = pl.tile.load(x, [0, 0], [64, 512], target_memory=pl.Mem.Mat)
        wt: pl.Tile[[64, 512], pl.INT8, pl.Mem.Mat] = pl.tile.load(w, [0, 0], [64, 512], target_memory=pl.Mem.Mat)
        wk: pl.Tile[[512, 64], pl.INT8, pl.Mem.Mat, pl.TileView(blayout=pl.TileLayout.row_major, slayout=pl.TileLayout.col_major)] = pl.tile.transpose_view(wt)
        a0: pl.Tile[[64, 128], pl.INT8, pl.Mem.Left] = pl.tile.extract(xt, 0, 0, [64, 128], target_memory=pl.Mem.Left)
        b0: pl.Tile[[128, 64], pl.INT8, pl.Mem.Right] = pl.tile.extract(wk, 0, 0, [128, 64], target_memory=pl.Mem.Right)
        first: pl.Tile[[64, 64], pl.INT32, pl.Mem.Acc] = pl.tile.matmul(a0, b0)
        for k, (acc,) in pl.range(128, 512, 128, init_values=(first,)):
            a: pl.Tile[[64, 128], pl.INT8, pl.Mem.Left] = pl.tile.extract(xt, 0, k, [64, 128], target_memory=pl.Mem.Left)
            b: pl.Tile[[128, 64], pl.INT8, pl.Mem.Right] = pl.tile.extract(wk, k, 0, [128, 64], target_memory=pl.Mem.Right)
            next_acc: pl.Tile[[64, 64], pl.INT32, pl.Mem.Acc] = pl.tile.matmul_acc(acc, a, b)
            total: pl.Tile[[64, 64], pl.INT32, pl.Mem.Acc] = pl.yield_(next_acc)
        done: pl.Tensor[[64, 64], pl.INT32] = pl.tile.store(total, [0, 0], out)
        return done
