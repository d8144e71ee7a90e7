import pypto.language as pl

@pl.program
class Rows:
    @pl.function(type=pl.FunctionType.InCore)
    def rows(self, x: pl.Tensor[[64, 64], pl.FP32], y: pl.Tensor[[64, 64], pl.FP32], config: pl.Tensor[[1], pl.INT32], out: pl.Out[pl.Tensor[[64, 64], pl.INT32]], scale: pl.Scalar[pl.FP32]):
        # Per row: (x - max) * scale + y, cut at the limit; a block of 16 rows at a time. The count of blocks is a tensor's.
        blocks: pl.Scalar[pl.INT32] = pl.tensor.read(config, [0])
        tmp: pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.create([16, 64], dtype=pl.FP32, target_memory=pl.Mem.Vec)
        for i, (passed,) in pl.range(0, pl.cast(blocks, pl.INDEX), 1, init_values=(0,)):
            xt: pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [i * 16, 0], [16, 64], target_memory=pl.Mem.Vec)
            yt: pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.load(y, [i * 16, 0], [16, 64], target_memory=pl.Mem.Vec)
            greatest: pl.Tile[[16, 1], pl.FP32, pl.Mem.Vec] = pl.tile.row_max(xt, tmp)
            centred: pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.row_expand_sub(xt, greatest)
            scaled: pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.muls(centred, scale)
            sum: pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.add(scaled, yt)
            if i % 2 == 0:
                even: pl.Scalar[pl.FP32] = pl.yield_(-8.0)
            else:
                even: pl.Scalar[pl.FP32] = pl.yield_(0.5)
            cut: pl.Tile[[16, 64], pl.FP32, pl.Mem.Vec] = pl.tile.maximums(sum, even)
            whole: pl.Tile[[16, 64], pl.INT32, pl.Mem.Vec] = pl.tile.cast(cut, target_type=pl.INT32, mode='floor')
            stored: pl.Tensor[[64, 64], pl.INT32] = pl.tile.store(whole, [passed * 16, 0], out)
            total: pl.Scalar[pl.INDEX] = pl.yield_(passed + 1)
        return out
