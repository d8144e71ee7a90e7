import pypto.language as pl

@pl.program
class NzRows:
    @pl.function(type=pl.FunctionType.InCore)
    def nz_rows(self, x: pl.Tensor[[64, 256], pl.FP16], w: pl.Tensor[[128, 256], pl.FP16, pl.NZ], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
        # A window of rows: the second 64 of 128.
        xt: pl.Tile[[64, 256], pl.FP16, pl.Mem.Mat] = pl.tile.load(x, [0, 0], [64, 256], target_memory=pl.Mem.Mat)
        wt: pl.Tile[[64, 256], pl.FP16, pl.Mem.Mat] = pl.tile.load(w, [64, 0], [64, 256], target_memory=pl.Mem.Mat)
        wk: pl.Tile[[256, 64], pl.FP16, pl.Mem.Mat, pl.TileView(blayout=pl.TileLayout.row_major, slayout=pl.TileLayout.col_major)] = pl.tile.transpose_view(wt)
        a0: pl.Tile[[64, 128], pl.FP16, pl.Mem.Left] = pl.tile.extract(xt, 0, 0, [64, 128], target_memory=pl.Mem.Left)
        b0: pl.Tile[[128, 64], pl.FP16, pl.Mem.Right] = pl.tile.extract(wk, 0, 0, [128, 64], target_memory=pl.Mem.Right)
        first: pl.Tile[[64, 64], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(a0, b0)
        for k, (acc,) in pl.range(128, 256, 128, init_values=(first,)):
            a: pl.Tile[[64, 128], pl.FP16, pl.Mem.Left] = pl.tile.extract(xt, 0, k, [64, 128], target_memory=pl.Mem.Left)
            b: pl.Tile[[128, 64], pl.FP16, pl.Mem.Right] = pl.tile.extract(wk, k, 0, [128, 64], target_memory=pl.Mem.Right)
            next_acc: pl.Tile[[64, 64], pl.FP32, pl.Mem.Acc] = pl.tile.matmul_acc(acc, a, b)
            total: pl.Tile[[64, 64], pl.FP32, pl.Mem.Acc] = pl.yield_(next_acc)
        done: pl.Tensor[[64, 64], pl.FP32] = pl.tile.store(total, [0, 0], out)
        return done
