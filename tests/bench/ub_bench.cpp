// Speed of the unified-buffer views: what happens between a dragged edge and its picture, a large batch over many cores,
// and a sweep of parameters.
#include <algorithm>
#include <random>
#include <string>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "core/figure/ub_map.h"
#include "core/figure/work_timeline.h"
#include "core/ub/model/fit.h"
#include "core/ub/model/model_edit.h"
#include "core/ub/model/model_json.h"

namespace ls::bench {
namespace {

/// Every letter six points wide: text shaping is measured elsewhere.
class Letters : public scene::TextMeasure {
public:
    double width(std::string_view utf8, scene::FontFace, double) const override {
        return 6.0 * static_cast<double>(utf8.size());
    }
};

std::string model_of(int views) {
    std::string text = R"({"platform": {"name": "Ascend310P3"}, "params": {"n": 64, "m": 4}, "phases": ["a", "b", "c", "d", "e", "f"],
      "allocs": [{"name": "in", "kind": "queue", "pos": "VECIN", "depth": 2, "num": 2, "len": "n*32"},
                 {"name": "tmp", "kind": "tbuf", "len": "rest", "views": [)";
    for (int i = 0; i < views; ++i)
        text += fmt::format(R"({}{{"name": "v{}", "dtype": "fp32", "elems": "n*m*2", "live": [[{}, {}]]}})", i == 0 ? "" : ",", i, i % 6, std::min(5, i % 6 + 1));
    return text + "]}]}";
}

ub::CompiledModel compiled(const std::string& text) {
    return std::move(ub::CompiledModel::compile(std::move(ub::read_model(text)->model))).value();
}

/// One step of a drag: text, model, places, findings, picture.
void drag_one_of_64_views(benchmark::State& state) {
    const std::string text = model_of(64);
    const auto start = *compiled(text).evaluate();
    const Letters letters;
    std::int64_t off = 0;
    for (auto _ : state) {
        off = (off + 32) % 65536;
        const auto edited = ub::move_view(text, start, {1, 10}, off);
        const auto model = compiled(*edited);
        const auto partition = model.evaluate();
        const auto drawn = figure::draw_memory_map(figure::ub_map(model.model(), *partition), {1000, 400, 0, 0}, letters);
        benchmark::DoNotOptimize(drawn.picture.list.marks.data());
    }
}
BENCHMARK(drag_one_of_64_views)->Unit(benchmark::kMillisecond);

std::vector<std::int32_t> lengths() {
    std::mt19937 random(7);
    std::vector<std::int32_t> lens(10'000);
    for (std::int32_t& len : lens) len = static_cast<std::int32_t>(random() % 2048 + 1);
    return lens;
}

ub::work::WorkInput batch() {
    ub::work::WorkInput input;
    input.seq_lens = lengths();
    input.heads = 16;
    input.cores = 64;
    return input;
}

void distribute_10000_sequences_on_64_cores(benchmark::State& state) {
    const ub::work::WorkInput input = batch();
    for (auto _ : state) benchmark::DoNotOptimize(ub::work::distribute(input)->makespan);
}
BENCHMARK(distribute_10000_sequences_on_64_cores)->Unit(benchmark::kMillisecond);

void draw_10000_sequences_on_64_cores(benchmark::State& state) {
    const auto distribution = ub::work::distribute(batch());
    const Letters letters;
    for (auto _ : state) benchmark::DoNotOptimize(figure::draw_work_timeline(*distribution, {1400, 460, 0, 0, {}, {}, "rows"}, letters).picture.list.marks.size());
}
BENCHMARK(draw_10000_sequences_on_64_cores)->Unit(benchmark::kMillisecond);

void sweep_100000_parameter_sets(benchmark::State& state) {
    const auto model = compiled(model_of(12));
    for (auto _ : state) benchmark::DoNotOptimize(ub::sweep(model, {{"n", 1, 1000, 1}, {"m", 1, 100, 1}})->size());
}
BENCHMARK(sweep_100000_parameter_sets)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace ls::bench

BENCHMARK_MAIN();
