#include "core/ub/cgdr/scenario.h"

#include <gmock/gmock.h>

#include "core/ub/cgdr/checks.h"
#include "core/ub/cgdr/fit.h"
#include "core/ub/cgdr/what_if.h"

namespace ls::ub::cgdr {
namespace {

HostInput input(std::int64_t hv, std::int64_t dv) {
    HostInput in;
    in.t = 128;
    in.hqk = in.hv = hv;
    in.dv = dv;
    in.ub_bytes = 262144;
    in.aiv = 8;
    return in;
}

Scenario reference() {
    const auto chip = find_platform("310P");
    return scenario_of(*plan_host(input(16, 128)), &*chip);
}

ScenarioReport after(std::string_view what_if, std::optional<std::int64_t> value = {},
                     Scenario scenario = reference()) {
    find_what_if(what_if)->apply(scenario, value);
    return *examine(scenario);
}

std::vector<std::string> codes(const ScenarioReport& report) {
    std::vector<std::string> all;
    for (const Finding& f : report.findings) all.emplace_back(f.code);
    return all;
}

TEST(Scenario, TheReferenceShapeHasItsFourKnownRemarks) {
    const auto r = examine(reference());
    ASSERT_TRUE(r.ok());
    EXPECT_THAT(codes(*r),
                testing::UnorderedElementsAre("W_RESERVED_TAIL", "W_SLACK", "W_LAST_VIEW_NOT_ADVANCED", "I_ALIAS_OK"));
    EXPECT_EQ(r->named_end_bytes, 247296);
    EXPECT_EQ(find(r->findings, "W_RESERVED_TAIL")->number("namedCrosses"), 0);
    EXPECT_EQ(r->slack_bytes, 14848);
}

TEST(WhatIf, DeviceDoublesTheQueue) {
    const ScenarioReport r = after("double-buffer");
    const Finding* f = find(r.findings, "E_UB_OVERFLOW");
    ASSERT_NE(f, nullptr);
    EXPECT_EQ(f->number("total"), 294912);
    EXPECT_EQ(f->number("by"), 32768);
    EXPECT_EQ(f->number("namedBy"), 17920);
    EXPECT_NE(find(r.findings, "W_QUEUE_DEPTH_LT_NUM"), nullptr);
}

TEST(WhatIf, AppendedViewLandsOnTheLastOne) {
    const ScenarioReport r = after("append-view", 64);
    const Finding* f = find(r.findings, "E_ALIAS_UNDECLARED");
    ASSERT_NE(f, nullptr);
    EXPECT_EQ(f->subject, "expGCumFp32|newView");
    EXPECT_EQ(f->number("begin"), 214272);
    EXPECT_EQ(f->number("end"), 214528);
    EXPECT_EQ(r.device.used_bytes, 214528);
    Scenario mended = reference();
    mended.tweaks.advance_past_last = true;
    EXPECT_EQ(find(after("append-view", 64, mended).findings, "E_ALIAS_UNDECLARED"), nullptr);
}

TEST(WhatIf, CursorInElementsStaysAlignedAndAliasesEverything) {
    const ScenarioReport r = after("cursor-elements");
    EXPECT_TRUE(r.device.all_aligned);
    EXPECT_EQ(r.device.used_bytes, 94208);
    EXPECT_NE(find(r.findings, "E_CURSOR_ELEMENTS"), nullptr);
    EXPECT_EQ(find(r.findings, "E_TBUF_OVERRUN"), nullptr);
    EXPECT_GE(std::count_if(r.findings.begin(), r.findings.end(),
                            [](const Finding& f) { return f.code == "E_ALIAS_UNDECLARED"; }),
              9);
}

TEST(WhatIf, CursorMovedTwiceOverruns) {
    const ScenarioReport r = after("cursor-double");
    const Finding* f = find(r.findings, "E_TBUF_OVERRUN");
    ASSERT_NE(f, nullptr);
    EXPECT_EQ(f->subject, "chunkScoresFp32");
    EXPECT_EQ(f->number("off"), 229376);
    EXPECT_EQ(f->number("end"), 294912);
    EXPECT_EQ(r.device.find(ViewId::ExpGCum)->off, 428544);
}

TEST(WhatIf, BytesPassedAsElements) {
    const Finding* f = nullptr;
    const ScenarioReport r = after("bytes-as-elements");
    f = find(r.findings, "E_TBUF_OVERRUN");
    ASSERT_NE(f, nullptr);
    EXPECT_EQ(f->subject, "chunkAttnOutFp32");
    EXPECT_EQ(f->number("end"), 311296);
    EXPECT_EQ(f->number("by"), 81920);
}

TEST(WhatIf, FewerBlocksFlipTheDeviceBranch) {
    const Scenario launch = scenario_of(*plan_host(input(4, 256)));
    const ScenarioReport r = after("blocks", 4, launch);
    EXPECT_NE(find(r.findings, "E_HOST_DEVICE_BRANCH"), nullptr);
    EXPECT_EQ(find(r.findings, "E_BUDGET_UNDER")->number("by"), 16384);
    EXPECT_EQ(r.slack_bytes, -1536);
    EXPECT_EQ(find(r.findings, "E_TBUF_OVERRUN")->subject, "gCumsumFp32"); // the first that no longer fits
    EXPECT_TRUE(examine(launch)->books.agree());
}

TEST(WhatIf, MoreBlocksWasteTheBudget) {
    const auto chip = find_platform("310P");
    const ScenarioReport r = after("blocks", 48, scenario_of(*plan_host(input(16, 256)), &*chip));
    EXPECT_EQ(find(r.findings, "W_BUDGET_OVER")->number("by"), 16384);
    EXPECT_EQ(find(r.findings, "E_BLOCKDIM_GT_PHYSICAL")->number("excess"), 40);
}

TEST(WhatIf, RestBufferFirst) {
    const ScenarioReport harmless = after("rest-first");
    EXPECT_EQ(find(harmless.findings, "E_ALLOC_AFTER_REST")->number("overflowBy"), 0);
    EXPECT_EQ(harmless.blocks[1].begin, 229376);
    EXPECT_EQ(find(harmless.findings, "E_UB_OVERFLOW"), nullptr);
    EXPECT_EQ(find(after("rest-takes-all").findings, "E_UB_OVERFLOW")->number("by"), 32768);
}

TEST(WhatIf, SharedFormWithSerialTiles) {
    Scenario s = reference();
    s.device.force_overlap = true;
    const ScenarioReport r = after("serial-tiles", 3, s);
    const Finding* f = find(r.findings, "E_LIVE_ALIAS");
    ASSERT_NE(f, nullptr);
    EXPECT_EQ(f->number("firstPhase"), 9);
    EXPECT_EQ(f->number("lastPhase"), 14);
    EXPECT_EQ(find(r.findings, "I_ALIAS_OK"), nullptr);
}

TEST(WhatIf, ForgottenTwelfthTermExtraFieldAndInit) {
    Scenario s = reference();
    s.device = {Variant::V1135, 64, 80, 80, 80, 8, 8, {}};
    EXPECT_EQ(find(after("forget-beta", {}, s).findings, "E_BUDGET_UNDER")->number("by"), 256);
    EXPECT_EQ(find(after("extra-field").findings, "E_TILING_SIZE")->number("host"), 72);
    EXPECT_NE(find(after("init-leaves").findings, "W_INIT_GUARD"), nullptr);
}

TEST(WhatIf, UnevenVStepAndSlowPaths) {
    const ScenarioReport r = after("v-step", 24);
    EXPECT_EQ(find(r.findings, "W_VSTEP_NOT_MULT16")->number("off"), 48);
    EXPECT_EQ(find(r.findings, "W_VSTEP_NOT_MULT16")->number("mod"), 16);
    EXPECT_EQ(find(r.findings, "I_SLOW_PATH")->number("elements"), 8192);
    EXPECT_EQ(find(r.findings, "I_SLOW_PATH")->number("stagingCapacity"), 3072);
}

TEST(WhatIf, EveryOneChangesWhatItIsAskedAbout) {
    const auto before = examine(reference());
    for (const WhatIf& w : what_ifs()) {
        Scenario s = reference();
        w.apply(s, {});
        const auto r = examine(s);
        ASSERT_TRUE(r.ok()) << w.id;
        if (w.id == "share") continue; // the reference shape shares anyway
        EXPECT_FALSE(codes(*r) == codes(*before) && r->device.cursor_final == before->device.cursor_final) << w.id;
    }
    EXPECT_EQ(find_what_if("nothing").error().code, "UB_WHATIF_UNKNOWN");
}

TEST(FastPaths, RowGapMustFitSixteenBitsOfBlocks) {
    const DeviceInput in{Variant::V1108, 64, 128, 128, 128, 16, 8, {}};
    EXPECT_TRUE(fast_paths(in, 64, 16).key_fast_path);
    EXPECT_TRUE(fast_paths(in, 64, 8192).gap_ok);
    EXPECT_FALSE(fast_paths(in, 64, 8193).gap_ok);
    const DeviceInput padded{Variant::V1108, 64, 100, 100, 112, 16, 8, {}};
    EXPECT_EQ(fast_paths(padded, 64, 16).why_not, "K rows are padded from 100 to 112 elements");
}

TEST(Checks, ALengthOffThirtyTwoTakesMoreThanItSays) {
    HostInput in = input(16, 128);
    in.ub_bytes = 247295;
    const auto r = examine(scenario_of(*plan_host(in)));
    ASSERT_TRUE(r.ok());
    EXPECT_EQ(find(r->findings, "W_LEN_ROUNDED_32")->number("rounded"), 218624);
    EXPECT_EQ(find(r->findings, "E_UB_OVERFLOW")->number("by"), 1);
}

TEST(Checks, LaunchBlindToTheBatch) {
    HostInput in = input(2, 64);
    in.batch = 8;
    in.dk = 64;
    const auto findings = check_launch(*plan_host(in), 8);
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].code, "W_BATCH_PARALLELISM");
    EXPECT_EQ(findings[0].number("blockDim"), 2);
    EXPECT_EQ(findings[0].number("possible"), 8);
    in.variant = Variant::V1135;
    EXPECT_TRUE(check_launch(*plan_host(in), 8).empty());
}

TEST(Checks, ThirtyTwoReportedCoresOnAChipWithEight) {
    HostInput in = input(16, 128);
    in.aiv = 32;
    EXPECT_EQ(find(check_launch(*plan_host(in), 8), "E_BLOCKDIM_GT_PHYSICAL")->number("excess"), 8);
}

TEST(Fit, HowFarTheReferenceShapeMayGrow) {
    const auto answer = fit(input(16, 128));
    ASSERT_TRUE(answer.ok());
    EXPECT_EQ(answer->full_head_over_bytes, 247296 - 262144);
    EXPECT_EQ(answer->queue_blocks, 1); // (262144 - 214528) / 32768
    // Each answer fits, and the next step does not.
    HostInput grown = input(16, 128);
    grown.chunk_size = *answer->chunk_size.same_v_step;
    EXPECT_EQ(solve_v_step(grown), 128);
    grown.chunk_size += 8;
    EXPECT_LT(solve_v_step(grown), 128);
    grown = input(16, 128);
    grown.dk = *answer->key_head.same_v_step;
    EXPECT_GE(solve_v_step(grown), 128);
    grown.dk += 16;
    EXPECT_LT(solve_v_step(grown), 128);
    grown = input(16, *answer->value_head_one_tile);
    EXPECT_GE(solve_v_step(grown), grown.dv);
    grown.dv += 16;
    EXPECT_LT(solve_v_step(grown), grown.dv);
}

} // namespace
} // namespace ls::ub::cgdr
