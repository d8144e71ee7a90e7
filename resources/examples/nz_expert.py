# One expert of a stacked weight, written on tensors: no tile, no address, no loop. Step through the passes to see the kernel
# appear: a load of a whole panel, a product cut into tiles that fit L0, a pipelined loop over K, addresses in L1.
import pypto.language as pl


@pl.program
class NzExpert:
    @pl.function
    def nz_expert(
        self,
        x: pl.Tensor[[64, 1024], pl.BF16],
        w: pl.Tensor[[8, 1024, 128], pl.BF16, pl.NZ],
        out: pl.Out[pl.Tensor[[64, 128], pl.FP32]],
    ) -> pl.Tensor[[64, 128], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP):
            panel = pl.slice(w, [1, 1024, 128], [3, 0, 0])
            weight = pl.reshape(panel, [1024, 128])
            acc = pl.matmul(x, weight, out_dtype=pl.FP32)
            out = pl.assemble(out, acc, [0, 0])
        return out
