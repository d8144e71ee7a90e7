// Reading and printing of programs. LAYOUTSCOPE_PTO_SAMPLES names folders of .pto files, separated by ':'; without it a
// program of our own is read.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <benchmark/benchmark.h>

#include "core/codegen/export.h"
#include "core/dialect/pto/pto.h"
#include "core/passes/export_options.h"
#include "core/passes/pipeline.h"
#include "core/passes/pipelines.h"

namespace ls::bench {

namespace {

/// A kernel of `steps` windows that are loaded, added and stored.
std::string kernel(std::size_t steps) {
    const std::string tile = "!pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=64, v_row=16, v_col=64, blayout=row_major, "
                             "slayout=none_box, fractal=512, pad=0>";
    const std::string part = "!pto.partition_tensor_view<16x64xf32>";
    std::string text = "module {\n  func.func @f(%p: !pto.ptr<f32>, %n: index) {\n    %v = pto.make_tensor_view %p, shape = "
                       "[%n, %n], strides = [%n, %n] : !pto.tensor_view<?x?xf32>\n    %t = pto.alloc_tile : " +
                       tile + "\n";
    for (std::size_t i = 0; i < steps; ++i) {
        const std::string at = std::to_string(i);
        text += "    %a" + at + " = arith.addi %n, %n : index\n";
        text += "    %w" + at + " = pto.partition_view %v, offsets = [%a" + at +
                ", %n], sizes = [%n, %n] : !pto.tensor_view<?x?xf32> -> " + part + "\n";
        text += "    pto.tload ins(%w" + at + " : " + part + ") outs(%t : " + tile + ")\n";
        text += "    pto.tadd ins(%t, %t : " + tile + ", " + tile + ") outs(%t : " + tile + ")\n";
        text += "    pto.tstore ins(%t : " + tile + ") outs(%w" + at + " : " + part + ")\n";
    }
    return text + "    return\n  }\n}\n";
}

std::vector<std::string> samples() {
    std::vector<std::string> texts;
    const char* folders = std::getenv("LAYOUTSCOPE_PTO_SAMPLES");
    std::string_view rest = folders == nullptr ? std::string_view{} : std::string_view(folders);
    while (!rest.empty()) {
        const std::string_view folder = rest.substr(0, rest.find(':'));
        rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
            if (entry.path().extension() != ".pto") continue;
            std::ifstream file(entry.path(), std::ios::binary);
            texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
        }
    }
    if (texts.empty()) texts.push_back(kernel(2000));
    return texts;
}

void read_and_print(benchmark::State& state, const std::vector<std::string>& texts) {
    std::size_t bytes = 0;
    for (const std::string& text : texts) bytes += text.size();
    for (auto _ : state) {
        for (const std::string& text : texts) {
            const pto::ReadResult read = pto::read_all(text);
            if (read.ok()) benchmark::DoNotOptimize(pto::print_text(*read.module));
        }
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * state.iterations());
}

void pto_samples(benchmark::State& state) { read_and_print(state, samples()); }
BENCHMARK(pto_samples)->Unit(benchmark::kMillisecond);

/// All of them read, taken through their passes and exported to both targets.
void pto_samples_to_source(benchmark::State& state) {
    const std::vector<std::string> texts = samples();
    std::int64_t exported = 0;
    for (auto _ : state) {
        exported = 0;
        for (const std::string& text : texts) {
            const pto::ReadResult read = pto::read_all(text);
            if (!read.ok()) continue;
            const PassContext context;
            const Trace trace = run_pipeline(read.module, pipeline_of(read.module->dialect), context);
            for (const char* target : {"pto", "pto-isa"}) {
                const auto source = codegen::find_target(target)->run(trace.last().module, export_options(context));
                exported += source.ok() ? 1 : 0;
            }
        }
    }
    state.counters["programs"] = static_cast<double>(texts.size());
    state.counters["exported"] = static_cast<double>(exported);
}
BENCHMARK(pto_samples_to_source)->Unit(benchmark::kMillisecond);

/// Ten times the text should take ten times the time.
void pto_kernel(benchmark::State& state) { read_and_print(state, {kernel(static_cast<std::size_t>(state.range(0)))}); }
BENCHMARK(pto_kernel)->Arg(200)->Arg(2000)->Arg(20000)->Unit(benchmark::kMillisecond);

} // namespace

} // namespace ls::bench
