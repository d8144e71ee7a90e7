import pypto.language as pl

@pl.program
class Branch:
    @pl.function(type=pl.FunctionType.InCore)
    def pick(self, x: pl.Tensor[[64, 64], pl.FP16], n: pl.Scalar[pl.INDEX]) -> pl.Tensor[[64, 64], pl.FP16]:
        if n % 16 == 0:
            y: pl.Tensor[[64, 64], pl.FP16] = pl.yield_(x)
        else:
            y: pl.Tensor[[64, 64], pl.FP16] = pl.yield_(x)
        return y
