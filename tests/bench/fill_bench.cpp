// Whole shapes of n × n elements as int32: the engine ("fill") and a loop written for the one layout ("hand").
#include <cstdlib>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "core/layout/engine/map.h"
#include "tests/bench/hand_loops.h"

namespace ls::bench {

namespace {

Layout swizzled(std::int64_t n) { return ComposeLayout{3, 3, 3, row_major(Shape{n, n}), true}; }
Layout nz(std::int64_t n) { return TileLayout{{{n, 16, {}}, {n / 16, 16 * n, {}}, {16, 1, {}}}, {}, {}}; }
Layout nested(std::int64_t n) {
    return TileLayout{{{n / 8, 8 * n, {}}, {8, 8, {}}, {n / 8, 64, {}}, {8, 1, {}}}, {}, {}};
}
Layout replicated(std::int64_t n) { return TileLayout{{{n, 1, {}}, {n, n, {}}}, {{2, n * n, {}}}, {}}; }

struct Subject {
    const char* name;
    Layout (*layout)(std::int64_t n);
    void (*HandLoops::*loop)(std::int32_t* out, std::int64_t n);
    std::int64_t copies;
};
constexpr Subject kSubjects[] = {
    {"swizzle333", swizzled, &HandLoops::swizzled, 1},
    {"nz", nz, &HandLoops::nz, 1},
    {"nest4", nested, &HandLoops::nested, 1},
    {"replica2", replicated, &HandLoops::replicated, 2},
};

void engine_fill(const engine::CompiledMap& map, const std::vector<std::int64_t>& copies,
                 std::vector<std::int32_t>& out) {
    const auto once = static_cast<std::size_t>(map.elements());
    for (std::size_t k = 0; k < copies.size(); ++k) {
        const auto filled = map.on(0).fill(std::span(out).subspan(k * once, once), {.displacement = copies[k]});
        if (!filled.ok()) std::abort();
    }
}

void bench_engine(benchmark::State& state, const Subject& subject, std::int64_t n) {
    const auto map = engine::compile_map(subject.layout(n), Shape{n, n}).value();
    const auto copies = map.displacements().value();
    std::vector<std::int32_t> out(static_cast<std::size_t>(n * n * subject.copies));
    std::vector<std::int32_t> expected(out.size());
    (hand_loops().*subject.loop)(expected.data(), n);
    engine_fill(map, copies, out);
    if (out != expected) {
        state.SkipWithError("the engine and the hand-written loop disagree");
        return;
    }
    for (auto _ : state) {
        engine_fill(map, copies, out);
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(out.size()));
}

void bench_hand(benchmark::State& state, const Subject& subject, std::int64_t n) {
    std::vector<std::int32_t> out(static_cast<std::size_t>(n * n * subject.copies));
    for (auto _ : state) {
        (hand_loops().*subject.loop)(out.data(), n);
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(out.size()));
}

const bool kRegistered = [] {
    for (const Subject& subject : kSubjects) {
        for (const std::int64_t n : {64, 256, 1024, 4096}) {
            const std::string what = fmt::format("{}/{}", subject.name, n);
            benchmark::RegisterBenchmark(("fill/" + what).c_str(),
                                         [&subject, n](benchmark::State& s) { bench_engine(s, subject, n); });
            benchmark::RegisterBenchmark(("hand/" + what).c_str(),
                                         [&subject, n](benchmark::State& s) { bench_hand(s, subject, n); });
        }
    }
    return true;
}();

} // namespace

} // namespace ls::bench
