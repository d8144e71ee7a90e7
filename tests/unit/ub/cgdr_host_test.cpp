#include "core/ub/cgdr/host_plan.h"

#include <gmock/gmock.h>

#include <random>

namespace ls::ub::cgdr {
namespace {

HostInput reference() {
    HostInput in;
    in.t = 128;
    in.hqk = in.hv = 16;
    in.ub_bytes = 262144;
    in.aiv = 8;
    return in;
}

TEST(HostTerms, ReferenceShapeTermByTerm) {
    const HostTerms t = host_terms(Variant::V1108, 64, 128, 128, true);
    EXPECT_EQ(t.k_tile, 32768);
    EXPECT_EQ(t.v_tile, 32768);
    EXPECT_EQ(t.decay, 16384);
    EXPECT_EQ(t.g_cum, 256);
    EXPECT_EQ(t.delta, 512);
    EXPECT_EQ(t.dot, 512);
    EXPECT_EQ(t.exp_g, 256);
    EXPECT_EQ(t.scores, 16384);
    EXPECT_EQ(t.state, 65536);
    EXPECT_EQ(t.scores_state, 65536);
    EXPECT_EQ(t.beta, 0);
    EXPECT_EQ(t.total, 214528);
    EXPECT_EQ(host_terms(Variant::V1108, 64, 128, 128, false).total, 230912);
}

TEST(HostTerms, BucketTotalsOfTheCubeVersion) {
    struct Row {
        std::int64_t bucket, tmp, queue;
    };
    for (const Row& row :
         {Row{64, 99584, 8192}, Row{80, 125312, 12800}, Row{96, 153088, 18432}, Row{128, 214784, 32768}}) {
        EXPECT_EQ(host_terms(Variant::V1135, 64, row.bucket, row.bucket, true).total, row.tmp) << row.bucket;
        EXPECT_EQ(host_queue_bytes(Variant::V1135, 64, row.bucket, row.bucket), row.queue) << row.bucket;
    }
}

TEST(Widths, KRowsAndStateRowsDifferWhenDkIsBetweenTheirGranularities) {
    EXPECT_EQ(widths(Variant::V1108, 100, 112), (Widths{112, 104, 112}));
    EXPECT_EQ(widths(Variant::V1108, 72, 24), (Widths{80, 72, 24}));
    EXPECT_EQ(widths(Variant::V1135, 100, 100), (Widths{128, 128, 104}));
    EXPECT_EQ(widths(Variant::V1135, 200, 16), (Widths{208, 208, 16}));
}

TEST(Widths, BucketsAndTilingKeys) {
    EXPECT_EQ(k_bucket(63), 64);
    EXPECT_EQ(k_bucket(65), 80);
    EXPECT_EQ(k_bucket(129), 0);
    EXPECT_EQ(tiling_key(Variant::V1135, 64), 0);
    EXPECT_EQ(tiling_key(Variant::V1135, 80), 1);
    EXPECT_EQ(tiling_key(Variant::V1135, 96), 2);
    EXPECT_EQ(tiling_key(Variant::V1135, 128), 3);
    EXPECT_EQ(tiling_key(Variant::V1135, 256), 2);
    EXPECT_EQ(tiling_key(Variant::V1108, 128), 0);
}

TEST(VStepSearch, ReferenceShapeIsAcceptedAtOnceWithSlack) {
    const VStepSearch s = search_v_step(reference());
    ASSERT_TRUE(s.ok);
    EXPECT_EQ(s.v_step, 128);
    EXPECT_EQ(s.rest_bytes, 229376);
    EXPECT_EQ(s.slack_bytes, 14848);
    EXPECT_EQ(s.tried.size(), 1U);
}

TEST(VStepSearch, EqualityIsAcceptedAndOneByteLessIsNot) {
    HostInput in = reference();
    in.ub_bytes = 247296;
    EXPECT_EQ(search_v_step(in).slack_bytes, 0);
    in.ub_bytes = 247295;
    const VStepSearch s = search_v_step(in);
    EXPECT_EQ(s.v_step, 112);
    ASSERT_EQ(s.tried.size(), 2U);
    EXPECT_EQ(s.tried[0].over_bytes, 1);
    EXPECT_EQ(explain(s.tried[0], in), "needs 247296 B (scratch 214528 + queue 32768), 1 more than 247295; scores and "
                                       "state share: one tile holds dv 128");
    EXPECT_EQ(explain(s.tried[1], in), "needs 243200 B (scratch 214528 + queue 28672), leaves 4095 of 247295; scores "
                                       "and state apart: several tiles, and hv 16 >= 8 cores");
}

TEST(VStepSearch, TheNeedIsNotMonotone) {
    HostInput in = reference();
    in.dk = 64;
    in.ub_bytes = 1;
    const VStepSearch s = search_v_step(in);
    ASSERT_GE(s.tried.size(), 3U);
    EXPECT_EQ(s.tried[0].required_bytes(), 165120);
    EXPECT_EQ(s.tried[1].required_bytes(), 167104);
    EXPECT_EQ(s.tried[2].required_bytes(), 152704);
}

TEST(VStepSearch, HeadsAgainstCoresFlipThePlan) {
    HostInput in = reference();
    in.dv = 256;
    EXPECT_EQ(plan_host(in)->search.v_step, 112);
    EXPECT_EQ(plan_host(in)->v_tile_count, 3);
    in.hv = 4;
    EXPECT_EQ(plan_host(in)->search.v_step, 128);
    EXPECT_EQ(plan_host(in)->v_tile_count, 2);
}

TEST(VStepSearch, FailureNamesTheSmallestNeed) {
    HostInput in = reference();
    in.dk = in.dv = 256;
    in.ub_bytes = 131072;
    const VStepSearch s = search_v_step(in);
    ASSERT_FALSE(s.ok);
    ASSERT_TRUE(s.failure);
    EXPECT_EQ(s.failure->code, "E_TILING_FAIL");
    EXPECT_EQ(s.failure->number("candidates"), 16);
    EXPECT_EQ(s.failure->number("smallestNeed"), 199168);
    EXPECT_EQ(s.failure->number("by"), 68096);
    in.ub_bytes = -1;
    EXPECT_TRUE(search_v_step(in).tried.empty());
    EXPECT_EQ(search_v_step(in).failure->code, "E_TILING_FAIL");
    in.ub_bytes = 262144;
    in.dv = 0;
    EXPECT_EQ(search_v_step(in).failure->number("dv"), 0);
}

TEST(VStepSearch, TheCubeVersionTriesItsBucketBeforeItDescends) {
    HostInput in = reference();
    in.variant = Variant::V1135;
    in.dv = 256;
    in.ub_bytes = 247551; // one byte short of the bucket
    const VStepSearch s = search_v_step(in);
    ASSERT_GE(s.tried.size(), 3U);
    EXPECT_EQ(s.tried[0].v_step, 128);
    EXPECT_TRUE(s.tried[0].from_bucket);
    EXPECT_EQ(s.tried[1].v_step, 256);
    EXPECT_EQ(s.v_step, 112);
}

TEST(VStepSearch, QuickSearchAnswersAsTheRecordedOne) {
    std::mt19937 random(1);
    const auto pick = [&](std::int64_t low, std::int64_t high) {
        return std::uniform_int_distribution<std::int64_t>(low, high)(random);
    };
    for (int i = 0; i < 2000; ++i) {
        HostInput in;
        in.variant = pick(0, 1) == 0 ? Variant::V1108 : Variant::V1135;
        in.dk = pick(1, 300);
        in.dv = pick(0, 600);
        in.hv = pick(1, 64);
        in.aiv = pick(0, 64);
        in.ub_bytes = pick(0, 300000);
        in.chunk_size = pick(1, 128);
        EXPECT_EQ(search_v_step(in).v_step, solve_v_step(in));
    }
}

TEST(Descent, AStartOffTheStepEndsAboveZero) {
    const Descent d = descend(100, 16, 16);
    EXPECT_THAT(d.candidates, testing::ElementsAre(100, 84, 68, 52, 36, 20));
    EXPECT_EQ(d.exit_value, 4);
    EXPECT_FALSE(d.wraps_unsigned);
}

TEST(HostPlan, LaunchAndWorkspace) {
    HostInput in = reference();
    in.batch = 8;
    in.hv = 2;
    in.dk = in.dv = 64;
    EXPECT_EQ(plan_host(in)->block_dim, 2); // blind to the batch
    in.variant = Variant::V1135;
    EXPECT_EQ(plan_host(in)->block_dim, 8);
    EXPECT_EQ(plan_host(in)->workspace_needed_bytes, 8 * 2 * 64 * 64 * 4 + 8 * 131072);
    EXPECT_EQ(plan_host(in)->workspace_bytes, 33554432);
}

TEST(HostPlan, SurplusWorkspaceIsAskedFor) {
    HostInput in = reference();
    in.batch = 8;
    in.hv = 32;
    in.dk = in.dv = 256;
    EXPECT_EQ(plan_host(in)->workspace_bytes, 67108864);
}

TEST(HostPlan, AbsurdInputIsRefusedByName) {
    HostInput in = reference();
    in.dk = std::int64_t{1} << 40;
    EXPECT_EQ(plan_host(in).error().code, "UB_PARAM_RANGE");
    EXPECT_NE(plan_host(in).error().message.find("dk"), std::string::npos);
    in = reference();
    in.chunk_size = 0;
    EXPECT_EQ(plan_host(in).error().code, "UB_PARAM_RANGE");
    in = reference();
    in.batch = in.hv = 2'000'000'000;
    EXPECT_EQ(plan_host(in).error().code, "UB_WORKSPACE_OVERFLOW");
}

} // namespace
} // namespace ls::ub::cgdr
