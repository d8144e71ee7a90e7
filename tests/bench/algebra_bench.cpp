// The algebra on a layout of four iters.
#include <benchmark/benchmark.h>

#include "core/layout/operations.h"

namespace ls::bench {

namespace {

Layout four_iters() { return TileLayout{{{8, 64, {}}, {4, 16, {}}, {4, 2048, {}}, {16, 1, {}}}, {}, {}}; }

void canonicalize_four_iters(benchmark::State& state) {
    const Layout layout = four_iters();
    for (auto _ : state) benchmark::DoNotOptimize(canonicalize(layout));
}
BENCHMARK(canonicalize_four_iters);

void apply_four_iters_linear(benchmark::State& state) {
    const Layout layout = four_iters();
    std::int64_t i = 0;
    for (auto _ : state) {
        i = (i + 677) % 2048;
        benchmark::DoNotOptimize(apply(layout, Dim(i)));
    }
}
BENCHMARK(apply_four_iters_linear);

void apply_four_iters_shard(benchmark::State& state) {
    const Layout layout = four_iters();
    std::vector<Dim> x{3, 2, 1, 9};
    for (auto _ : state) benchmark::DoNotOptimize(apply_shard(layout, x));
}
BENCHMARK(apply_four_iters_shard);

void apply_four_iters_shape(benchmark::State& state) {
    const Layout layout = four_iters();
    const std::vector<Dim> shape{32, 64};
    const std::vector<Dim> x{13, 41};
    for (auto _ : state) benchmark::DoNotOptimize(apply(layout, x, shape));
}
BENCHMARK(apply_four_iters_shape);

} // namespace

} // namespace ls::bench
