#include "core/ub/cgdr/operator_file.h"

#include <gmock/gmock.h>

#include "core/ub/work/hazards.h"

namespace ls::ub::cgdr {
namespace {

constexpr std::string_view kText = R"({
  "operator": "chunk_gated_delta_rule",
  "variant": "v1108",
  "platform": {"name": "Ascend310P3"},
  "shape": {"batch": 2, "rows": 520, "hqk": 8, "hv": 8, "dk": 128, "dv": 128, "chunkSize": 64},
  "seqLens": [512, 8],
  "whatIf": ["double-buffer=3", "rest-first"]
})";

std::string replaced(std::string_view from, std::string_view to) {
    std::string text(kText);
    text.replace(text.find(from), from.size(), to);
    return text;
}

TEST(OperatorFile, Reads) {
    const auto file = read_operator(kText);
    ASSERT_TRUE(file.ok()) << file.error().message;
    EXPECT_EQ(file->input.ub_bytes, 262144);
    EXPECT_EQ(file->input.aiv, 8);
    EXPECT_EQ(file->input.t, 520);
    EXPECT_THAT(file->seq_lens, testing::ElementsAre(512, 8));
    EXPECT_THAT(file->changes, testing::ElementsAre(TriedChange{"double-buffer", 3}, TriedChange{"rest-first", {}}));
}

TEST(OperatorFile, WhatIsWrittenReadsBackEqual) {
    const auto file = read_operator(kText);
    ASSERT_TRUE(file.ok());
    const auto again = read_operator(write_operator(*file));
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(again->seq_lens, file->seq_lens);
    EXPECT_EQ(again->changes, file->changes);
    EXPECT_EQ(write_operator(*again), write_operator(*file));
}

TEST(OperatorFile, KeepsSizesThatAreNotTheChips) {
    auto file = read_operator(kText);
    ASSERT_TRUE(file.ok());
    file->input.ub_bytes = 131072;
    file->input.aiv = 5;
    const auto again = read_operator(write_operator(*file));
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(again->input.ub_bytes, 131072);
    EXPECT_EQ(again->input.aiv, 5);
}

TEST(OperatorFile, ErrorsPointAtTheText) {
    const auto at = [](const std::string& text, std::string_view code, std::string_view words) {
        const auto file = read_operator(text);
        ASSERT_FALSE(file.ok()) << text;
        EXPECT_EQ(file.error().code, code);
        EXPECT_EQ(text.substr(file.error().span.begin, file.error().span.end - file.error().span.begin), words);
    };
    at(replaced("\"v1108\"", "\"v9\""), "MODEL_VALUE", "\"v9\"");
    at(replaced("\"Ascend310P3\"", "\"none\""), "UB_PLATFORM_UNKNOWN", "\"none\"");
    at(replaced("\"rest-first\"", "\"rest-last\""), "UB_WHATIF_UNKNOWN", "\"rest-last\"");
    at(replaced("double-buffer=3", "double-buffer=x"), "MODEL_VALUE", "\"double-buffer=x\"");
    at(replaced("[512, 8]", "[512, 8000000000]"), "MODEL_VALUE", "8000000000");
    at(replaced("\"dk\": 128", "\"dk\": -1"), "MODEL_VALUE", "-1");
    EXPECT_EQ(read_operator("[").error().code, "JSON_SYNTAX");
}

TEST(OperatorFile, ChangesReachTheScenario) {
    const auto file = read_operator(kText);
    ASSERT_TRUE(file.ok());
    const auto plan = plan_host(file->input);
    ASSERT_TRUE(plan.ok());
    const auto scenario = scenario_of(*file, *plan);
    ASSERT_TRUE(scenario.ok());
    EXPECT_EQ(scenario->tweaks.queue_num, 3);
    EXPECT_TRUE(scenario->rest_first);
    const auto report = examine(*scenario);
    ASSERT_TRUE(report.ok());
    EXPECT_NE(find(report->findings, "E_UB_OVERFLOW"), nullptr);
}

TEST(WorkHazards, EachChangesTheDistribution) {
    work::WorkInput input;
    input.seq_lens = {512, 8, 33};
    input.heads = 5; // so that the quota is rounded
    input.cores = 8;
    const auto plain = work::distribute(input);
    ASSERT_TRUE(plain.ok());
    for (const work::Hazard& hazard : work::hazards()) {
        work::WorkInput changed = input;
        hazard.apply(changed);
        const auto after = work::distribute(changed);
        ASSERT_TRUE(after.ok()) << hazard.id;
        EXPECT_TRUE(after->core_load != plain->core_load || after->quota != plain->quota) << hazard.id;
        EXPECT_EQ(work::find_hazard(hazard.id), &hazard);
    }
    EXPECT_EQ(work::find_hazard("none"), nullptr);
}

} // namespace
} // namespace ls::ub::cgdr
