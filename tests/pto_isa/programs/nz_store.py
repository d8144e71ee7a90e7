import pypto.language as pl

@pl.program
class NzStore:
    @pl.function(type=pl.FunctionType.InCore)
    def nz_store(self, x: pl.Tensor[[64, 64], pl.FP16], w: pl.Tensor[[64, 16], pl.FP16], out: pl.Out[pl.Tensor[[64, 32], pl.FP32, pl.NZ]]):
        # The accumulator goes back to memory in NZ order, in the second half of the columns.
        xt: pl.Tile[[64, 64], pl.FP16, pl.Mem.Mat] = pl.tile.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        wt: pl.Tile[[64, 16], pl.FP16, pl.Mem.Mat] = pl.tile.load(w, [0, 0], [64, 16], target_memory=pl.Mem.Mat)
        a: pl.Tile[[64, 64], pl.FP16, pl.Mem.Left] = pl.tile.move(xt, target_memory=pl.Mem.Left)
        b: pl.Tile[[64, 16], pl.FP16, pl.Mem.Right] = pl.tile.move(wt, target_memory=pl.Mem.Right)
        acc: pl.Tile[[64, 16], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(a, b)
        done: pl.Tensor[[64, 32], pl.FP32, pl.NZ] = pl.tile.store(acc, [0, 16], out)
        return done
