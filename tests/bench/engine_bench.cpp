// One element, pictures, inverses and compilation.
#include <array>
#include <numeric>

#include <benchmark/benchmark.h>

#include "core/layout/engine/collision.h"
#include "core/layout/engine/compare.h"
#include "core/layout/engine/coverage.h"
#include "core/layout/engine/inverse.h"

namespace ls::bench {

namespace {

constexpr std::int64_t kSize = 1024;

/// 16-bit NZ under the 128-byte swizzle: three iters and an XOR.
Layout subject() {
    return ComposeLayout{3, 3, 3, TileLayout{{{kSize, 16, {}}, {kSize / 16, 16 * kSize, {}}, {16, 1, {}}}, {}, {}},
                         true};
}
Layout four_iters() {
    return TileLayout{{{kSize / 8, 8 * kSize, {}}, {8, 8, {}}, {kSize / 8, 64, {}}, {8, 1, {}}}, {}, {}};
}

void compile_layout(benchmark::State& state) {
    const Layout layout = four_iters();
    const Shape shape{kSize, kSize};
    for (auto _ : state) benchmark::DoNotOptimize(engine::compile(layout, shape));
}
BENCHMARK(compile_layout);

void offset_of_coordinate(benchmark::State& state) {
    const auto compiled = engine::compile(four_iters(), Shape{kSize, kSize}).value();
    std::array<std::int64_t, 2> x{0, 0};
    for (auto _ : state) {
        x[0] = (x[0] + 37) % kSize;
        x[1] = (x[1] + 411) % kSize;
        benchmark::DoNotOptimize(compiled.offset(x));
    }
}
BENCHMARK(offset_of_coordinate);

/// A picture of 1000 × 1000 sampled cells of a 65536 × 65536 tensor.
void sample_picture(benchmark::State& state) {
    const std::int64_t n = 65536;
    const auto compiled =
        engine::compile(
            ComposeLayout{3, 3, 3, TileLayout{{{n, 16, {}}, {n / 16, 16 * n, {}}, {16, 1, {}}}, {}, {}}, true},
            Shape{n, n})
            .value();
    Shape rows(1000), cols(1000);
    for (std::size_t i = 0; i < 1000; ++i) rows[i] = cols[i] = static_cast<std::int64_t>(i) * 65;
    const Shape fixed{0, 0};
    std::vector<std::int64_t> out(rows.size() * cols.size());
    for (auto _ : state) {
        if (!compiled.sample({0, 1, fixed, rows, cols}, out).ok()) state.SkipWithError("refused");
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(out.size()));
}
BENCHMARK(sample_picture);

/// A window of rows × cols out of the middle.
void fill_window(benchmark::State& state) {
    const auto compiled = engine::compile(subject(), Shape{kSize, kSize}).value();
    const Shape begin{100, 100}, extent{state.range(0), state.range(1)};
    std::vector<std::int32_t> out(static_cast<std::size_t>(extent[0] * extent[1]));
    for (auto _ : state) {
        if (!compiled.fill({begin, extent}, out).ok()) state.SkipWithError("refused");
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(out.size()));
}
BENCHMARK(fill_window)->Args({1, 1})->Args({32, 32})->Args({800, 8})->Args({800, 800});

void invert_addresses(benchmark::State& state) {
    const engine::Inverse inverse(engine::compile_map(subject(), Shape{kSize, kSize}).value());
    std::vector<std::int64_t> owners(static_cast<std::size_t>(kSize * kSize));
    for (auto _ : state) {
        if (!inverse.fill_first(0, owners).ok()) state.SkipWithError("refused");
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(owners.size()));
}
BENCHMARK(invert_addresses);

void coverage_in_closed_form(benchmark::State& state) {
    const auto map = engine::compile_map(subject(), Shape{kSize, kSize}).value();
    for (auto _ : state) benchmark::DoNotOptimize(engine::coverage(map));
}
BENCHMARK(coverage_in_closed_form);

void coverage_by_counting(benchmark::State& state) {
    const auto map =
        engine::compile_map(TileLayout{{{kSize, 3, {}}, {kSize, 2, {}}}, {}, {}}, Shape{kSize, kSize}).value();
    for (auto _ : state) benchmark::DoNotOptimize(engine::coverage(map));
    state.SetItemsProcessed(state.iterations() * kSize * kSize);
}
BENCHMARK(coverage_by_counting);

void collision_search(benchmark::State& state) {
    const auto map =
        engine::compile_map(TileLayout{{{kSize, kSize - 1, {}}, {kSize, 1, {}}}, {}, {}}, Shape{kSize, kSize}).value();
    for (auto _ : state) benchmark::DoNotOptimize(engine::find_collision(map));
}
BENCHMARK(collision_search);

void compare_swizzles(benchmark::State& state) {
    const auto left =
        engine::compile(ComposeLayout{3, 3, 3, row_major(Shape{kSize, kSize}), true}, Shape{kSize, kSize}).value();
    const auto right =
        engine::compile(ComposeLayout{4, 2, 3, row_major(Shape{kSize, kSize}), true}, Shape{kSize, kSize}).value();
    for (auto _ : state) benchmark::DoNotOptimize(engine::compare(left, right));
    state.SetItemsProcessed(state.iterations() * kSize * kSize);
}
BENCHMARK(compare_swizzles);

} // namespace

} // namespace ls::bench
