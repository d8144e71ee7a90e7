@pl.function
def loop(x: pl.Tensor[[M, 64], pl.BF16, pl.NZ], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
    for i in pl.range(0, 64, 16):
        t = pl.tile.load(x, [i, 0], [16, 64], target_memory=pl.Mem.Mat, valid_shape=[min(16, 64 - i), 64])
        pl.tile.store(t, [i, 0], out)
    return out
