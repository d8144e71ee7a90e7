#include "core/figure/ub_map.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <ctime>
#include <fmt/format.h>

#include "core/ub/cgdr/what_if.h"
#include "core/ub/model/model_json.h"

namespace ls::figure {
namespace {

/// Every letter is six points wide.
class Letters : public scene::TextMeasure {
public:
    double width(std::string_view utf8, scene::FontFace, double) const override {
        return 6.0 * static_cast<double>(std::count_if(utf8.begin(), utf8.end(), [](char c) { return (c & 0xC0) != 0x80; }));
    }
};

struct Examined {
    ub::cgdr::Scenario scenario;
    ub::cgdr::ScenarioReport report;
};

Examined reference(const std::vector<std::string_view>& changes = {}) {
    ub::cgdr::HostInput input;
    input.t = 128;
    input.hqk = input.hv = 16;
    input.ub_bytes = 262144;
    input.aiv = 8;
    const auto plan = ub::cgdr::plan_host(input);
    EXPECT_TRUE(plan.ok() && plan->search.ok);
    const auto platform = ub::find_platform("Ascend310P3");
    auto scenario = ub::cgdr::scenario_of(*plan, &*platform);
    for (const std::string_view id : changes) ub::cgdr::find_what_if(id)->apply(scenario, {});
    auto report = ub::cgdr::examine(scenario);
    EXPECT_TRUE(report.ok());
    return {scenario, std::move(report).value()};
}

const MemoryBlock& block(const MemoryMap& map, std::string_view name) {
    const auto at = std::find_if(map.blocks.begin(), map.blocks.end(), [&](const MemoryBlock& b) { return b.name == name; });
    EXPECT_NE(at, map.blocks.end()) << name;
    return *at;
}

TEST(UbMap, ReferenceShapeIsThePublishedOne) {
    const Examined e = reference();
    const MemoryMap map = ub_map(e.scenario, e.report);
    EXPECT_EQ(map.capacity_bytes, 262144);
    ASSERT_EQ(map.rows.size(), 15U);
    EXPECT_EQ(map.rows[10].name, "S4 v_new");
    EXPECT_EQ(map.rows[10].live_bytes, 180736);
    EXPECT_TRUE(map.rows[10].strong);
    EXPECT_EQ(map.rows[13].live_bytes, 164352); // the queue counts
    EXPECT_EQ(block(map, "stateIn").begin_byte, 32768 + 114688);
    EXPECT_EQ(block(map, "chunkScores").used_bytes, 16384);
    EXPECT_TRUE(block(map, "chunkScores").shared);
    EXPECT_FALSE(block(map, "chunkV").shared);
    EXPECT_TRUE(map.conflicts.empty());
    ASSERT_EQ(map.tracks.size(), 2U);
    EXPECT_TRUE(std::any_of(map.tracks[1].bars.begin(), map.tracks[1].bars.end(), [](const MemoryBlock& b) { return b.name == "chunkScores ∩ stateIn"; }));
    EXPECT_EQ(map.lines.front().at_byte, 247296);
}

TEST(UbMap, WhatIfsShowTheirDamage) {
    const Examined elements = reference({"cursor-elements"});
    const MemoryMap map = ub_map(elements.scenario, elements.report);
    EXPECT_FALSE(map.conflicts.empty());
    for (const MemoryConflict& c : map.conflicts) EXPECT_LT(c.begin_byte, c.end_byte) << c.first << c.second;

    const Examined serial = reference({"serial-tiles"});
    const MemoryMap tiles = ub_map(serial.scenario, serial.report);
    EXPECT_EQ(tiles.rows.size(), 23U);
    ASSERT_EQ(tiles.conflicts.size(), 1U);
    EXPECT_EQ(tiles.conflicts[0].rows, (MemoryRows{9, 14}));

    const Examined doubled = reference({"cursor-double"});
    const MemoryMap far = ub_map(doubled.scenario, doubled.report);
    EXPECT_TRUE(std::any_of(far.bands.begin(), far.bands.end(), [](const MemoryBand& b) { return b.tone == scene::Role::Finding; }));
}

TEST(UbMap, TargetsAreFoundAgain) {
    for (const UbTarget target : {UbTarget{0, {}}, UbTarget{3, 0}, UbTarget{7, 99'999}}) EXPECT_EQ(ub_target(ub_target_id(target)), target);
    EXPECT_EQ(ub_target(-1), std::nullopt);
    EXPECT_EQ(ub_target(0), std::nullopt);
    EXPECT_EQ(ub_target(kMemoryRowHit - 4), std::nullopt);
}

std::string wide_model(int views) {
    std::string text = R"({"platform": {"name": "Ascend310P3"}, "params": {"n": 64}, "phases": ["a", "b", "c", "d"], "allocs": [
        {"name": "in", "kind": "queue", "pos": "VECIN", "depth": 2, "num": 2, "len": "n*32"},
        {"name": "tmp", "kind": "tbuf", "len": "rest", "views": [)";
    for (int i = 0; i < views; ++i)
        text += fmt::format(R"({}{{"name": "v{}", "dtype": "fp32", "elems": "n*8", "live": [[{}, {}]]}})", i == 0 ? "" : ",", i, i % 4, std::min(3, i % 4 + 1));
    return text + "]}]}";
}

TEST(UbMap, ModelsShowQueuesBlockByBlock) {
    auto file = ub::read_model(wide_model(3));
    ASSERT_TRUE(file.ok()) << file.error().message;
    const auto compiled = ub::CompiledModel::compile(file->model);
    const auto partition = compiled->evaluate();
    const MemoryMap map = ub_map(file->model, *partition);
    EXPECT_EQ(map.rows.size(), 4U);
    EXPECT_EQ(map.blocks.size(), 2U + 3U);
    EXPECT_EQ(map.blocks[1].begin_byte, 2048);
    EXPECT_EQ(map.blocks[0].live, (std::vector<MemoryRows>{{0, 3}}));
    EXPECT_EQ(map.rows[0].live_bytes, 4096 + 2048);
}

TEST(UbMap, SixtyFourViewsAreRedrawnWhileDragging) {
    const std::string text = wide_model(64);
    const Letters letters;
    std::size_t marks = 0;
    double best_ms = 1e9;
    for (int round = 0; round < 20; ++round) {
        const std::clock_t start = std::clock(); // of this process alone: neighbours do not count
        auto file = ub::read_model(text);
        const auto compiled = ub::CompiledModel::compile(std::move(file->model));
        const auto partition = compiled->evaluate();
        const auto drawn = draw_memory_map(ub_map(compiled->model(), *partition), {1000, 400, 0, 0}, letters);
        marks = drawn.picture.list.marks.size();
        best_ms = std::min(best_ms, 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    }
    EXPECT_GT(marks, 128U);
    EXPECT_LT(best_ms, 5.0);
    RecordProperty("milliseconds", fmt::format("{:.3f}", best_ms));
}

} // namespace
} // namespace ls::figure
