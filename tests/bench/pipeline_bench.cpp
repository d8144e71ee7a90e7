// A kernel on tensors through the whole NZ pipeline. Time should grow with its statements, no faster.
#include <string>
#include <string_view>

#include <benchmark/benchmark.h>

#include "core/codegen/export.h"
#include "core/dialect/pypto/pypto.h"
#include "core/passes/export_options.h"
#include "core/passes/nz/nz_pipeline.h"
#include "core/passes/pipeline.h"

namespace ls::bench {

namespace {

/// A slice, sums and exponentials of it, and every tenth statement a store.
ir::Module kernel(std::int64_t statements) {
    std::string text = "import pypto.language as pl\n\n@pl.program\nclass P:\n    @pl.function(type=pl.FunctionType.InCore)\n"
                       "    def k(x: pl.Tensor[[64, 64], pl.FP32], y: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:\n"
                       "        a = pl.tensor.slice(x, [64, 64], [0, 0])\n";
    for (std::int64_t i = 0; i < statements; ++i) {
        text += i % 10 == 9  ? "        y = pl.tensor.assemble(y, a, [0, 0])\n"
                : i % 2 == 1 ? "        a = pl.tensor.add(a, a)\n"
                             : "        a = pl.tensor.exp(a)\n";
    }
    const auto module = pypto::read(text + "        return y\n");
    return module.ok() ? *module : nullptr;
}

void nz_pipeline(benchmark::State& state) {
    const ir::Module module = kernel(state.range(0));
    if (module == nullptr) return state.SkipWithError("the kernel does not read");
    for (auto _ : state) benchmark::DoNotOptimize(run_pipeline(module, nz::nz_pipeline(), {}));
    state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(nz_pipeline)->Arg(200)->Arg(2000)->Arg(20000)->Unit(benchmark::kMillisecond);

/// Each pass alone, on what the passes before it make of so many statements: the first number is the pass, the second the
/// statements. A second number ten times as large should take ten times as long.
void one_pass(benchmark::State& state) {
    const Pass& pass = nz::nz_pipeline()[static_cast<std::size_t>(state.range(0))];
    state.SetLabel(std::string(pass.name));
    if (pass.run == nullptr) return state.SkipWithError("passes the module through");
    ir::Module module = kernel(state.range(1));
    for (std::int64_t i = 0; module != nullptr && i < state.range(0); ++i) {
        const Pass& before = nz::nz_pipeline()[static_cast<std::size_t>(i)];
        if (before.run != nullptr) module = before.run(module, {}).module;
    }
    if (module == nullptr) return state.SkipWithError("a pass before it refuses the kernel");
    for (auto _ : state) benchmark::DoNotOptimize(pass.run(module, {}));
}
BENCHMARK(one_pass)
    ->ArgsProduct({benchmark::CreateDenseRange(0, static_cast<int>(nz::nz_pipeline().size()) - 1, 1), {2000, 20000}})
    ->Unit(benchmark::kMillisecond);

/// Kernel source of what the whole pipeline made.
void export_kernel(benchmark::State& state, std::string_view target) {
    const ir::Module module = kernel(state.range(0));
    const Trace trace = run_pipeline(module, nz::nz_pipeline(), {});
    if (!trace.ok()) return state.SkipWithError("a pass refuses the kernel");
    for (auto _ : state) benchmark::DoNotOptimize(codegen::find_target(target)->run(trace.last().module, export_options({}, "")));
}
BENCHMARK_CAPTURE(export_kernel, pto, "pto")->Arg(2000)->Arg(20000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(export_kernel, pto_isa, "pto-isa")->Arg(2000)->Arg(20000)->Unit(benchmark::kMillisecond);

/// Reading and printing of the program as it was written.
void pypto_text(benchmark::State& state) {
    const std::string text = pypto::print_text(*kernel(state.range(0)));
    for (auto _ : state) {
        const auto module = pypto::read(text);
        if (module.ok()) benchmark::DoNotOptimize(pypto::print_text(**module));
    }
}
BENCHMARK(pypto_text)->Arg(2000)->Arg(20000)->Unit(benchmark::kMillisecond);

} // namespace

} // namespace ls::bench
