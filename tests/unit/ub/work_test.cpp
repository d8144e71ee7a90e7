#include <gmock/gmock.h>

#include <map>
#include <random>

#include "core/ub/work/balance.h"
#include "core/ub/work/distribution.h"
#include "core/ub/work/per_core.h"
#include "core/ub/work/work_checks.h"

namespace ls::ub::work {
namespace {

using testing::ElementsAre;

WorkInput input(std::vector<std::int32_t> lens, std::int64_t heads = 8, std::int64_t cores = 8,
                std::int64_t tiles = 1) {
    WorkInput in;
    in.seq_lens = std::move(lens);
    in.heads = heads;
    in.v_tiles = tiles;
    in.cores = cores;
    return in;
}

Distribution run(WorkInput in) { return *distribute(std::move(in)); }

TEST(Distribution, ATinyRequestDoublesTheRunTime) {
    EXPECT_EQ(run(input({512})).makespan, 512U);
    const Distribution d = run(input({512, 8}));
    EXPECT_EQ(d.quota, 520U);
    EXPECT_THAT(d.core_items, ElementsAre(2, 2, 2, 2, 8, 0, 0, 0));
    EXPECT_THAT(d.core_load, ElementsAre(1024, 1024, 1024, 1024, 64, 0, 0, 0));
    EXPECT_EQ(d.makespan, 1024U);
    EXPECT_NEAR(d.imbalance(), 1.969231, 1e-6);
    EXPECT_EQ(d.idle_time(), 8U * 1024 - 4160);
}

TEST(Distribution, ItemsComeInOrderOfBatchHeadTile) {
    const Distribution d = run(input({10, 0, 20}, 2, 3, 2));
    EXPECT_EQ(d.item_count(), 8);
    EXPECT_EQ(d.item(0), (WorkItem{0, 0, 0}));
    EXPECT_EQ(d.item(3), (WorkItem{0, 1, 1}));
    EXPECT_EQ(d.item(4), (WorkItem{2, 0, 0}));
    EXPECT_EQ(d.item_length(7), 20);
}

TEST(Distribution, BatchOrderMatters) {
    EXPECT_EQ(run(input({1024, 512, 256, 128, 64, 32, 16, 8})).makespan, 2048U);
    const Distribution ascending = run(input({8, 16, 32, 64, 128, 256, 512, 1024}));
    EXPECT_THAT(ascending.core_load, ElementsAre(2240, 2304, 2048, 2560, 2048, 2048, 2048, 1024));
}

TEST(Distribution, NegativeLengthsMoveTheRowsBack) {
    const Distribution d = run(input({100, -30, 200}));
    EXPECT_THAT(d.row_ranges, ElementsAre(RowRange{0, 100}, RowRange{100, 70}, RowRange{70, 270}));
    EXPECT_THAT(overlapping_rows(d).twice, ElementsAre(RowRange{70, 100}));
    const auto findings = check_work(d);
    EXPECT_EQ(find(findings, "W_NEG_SEQLEN")->number("rowsTwice"), 30);
    EXPECT_EQ(find(check_work(run(input({-5, 64}, 4, 4))), "W_NEG_SEQLEN")->number("lowestRow"), -5);
}

TEST(Distribution, DegenerateQuotas) {
    WorkInput in = input({128, 64}, 6, 4);
    in.quota_override = 0;
    Distribution d = run(in);
    EXPECT_THAT(d.owners(), ElementsAre(0, 1, 2, 3, -1, -1, -1, -1, -1, -1, -1, -1));
    EXPECT_EQ(find(check_work(d), "E_AVG_NOT_COMPUTED")->number("right"), 288);
    EXPECT_EQ(find(check_work(d), "E_UNASSIGNED")->number("unassigned"), 8);
    in.quota_override = 0xFFFFFFFFU;
    d = run(in);
    EXPECT_EQ(d.idle_cores, 3);
    EXPECT_EQ(d.unassigned, 0);
    EXPECT_NE(find(check_work(d), "E_AVG_NOT_COMPUTED"), nullptr);
}

TEST(Distribution, TheQuotaWrapsAtThirtyTwoBits) {
    const Distribution d = run(input({2147483647}, 64, 8, 2));
    EXPECT_EQ(d.quota_exact, 34359738352U);
    EXPECT_EQ(d.quota, 4294967280U);
    EXPECT_EQ(d.unassigned, 112);
    EXPECT_EQ(find(check_work(d), "E_AVG_U32_WRAP")->number("stored"), 4294967280);
}

TEST(Distribution, WrongRules) {
    WorkInput in = input({1}, 10, 4);
    in.rule = Rule::FloorQuota;
    EXPECT_THAT(run(in).owners(), ElementsAre(0, 0, 1, 1, 2, 2, 3, 3, -1, -1));
    in.rule = Rule::DoubleCall;
    EXPECT_THAT(run(in).owners(), ElementsAre(0, -1, -1, 1, -1, -1, 2, -1, -1, 3));
    EXPECT_EQ(find(check_work(run(in)), "E_DOUBLE_CALL")->number("lost"), 6);
    in.rule = Rule::RetryCall;
    EXPECT_EQ(run(in).duplicated, 5);
    EXPECT_EQ(run(in).unassigned, 3);
    EXPECT_NE(find(check_work(run(in)), "E_DUPLICATED"), nullptr);
}

TEST(Distribution, CarriedRemainder) {
    WorkInput in = input({512, 8});
    in.rule = Rule::CarryOver;
    EXPECT_THAT(run(in).core_load, ElementsAre(1024, 512, 512, 512, 512, 512, 512, 64));
}

TEST(Distribution, SumBeyondThePackedRows) {
    WorkCheckOptions options;
    options.packed_rows = 150;
    EXPECT_EQ(find(check_work(run(input({100, 100})), options), "E_SUM_GT_T")->number("by"), 50);
    EXPECT_EQ(find(check_work(run(input({100, 0, 50}, 4))), "W_EMPTY_BATCH_STATE_UNWRITTEN")->number("batches"), 1);
}

TEST(Distribution, NoWorkAtAll) {
    const Distribution d = run(input({0, -3}));
    EXPECT_EQ(d.item_count(), 0);
    EXPECT_EQ(d.quota, 0U);
    EXPECT_EQ(d.idle_cores, 8);
    EXPECT_EQ(d.imbalance(), 0);
    EXPECT_TRUE(d.owners().empty());
    EXPECT_EQ(run(input({})).item_count(), 0);
}

TEST(Distribution, AbsurdInputIsRefused) {
    EXPECT_EQ(distribute(input({1}, 1, 0)).error().code, "UB_PARAM_RANGE");
    EXPECT_EQ(distribute(input({1}, -1, 1)).error().code, "UB_PARAM_RANGE");
    EXPECT_EQ(distribute(input({1, 1}, 1 << 28, 1)).error().code, "UB_WORK_TOO_LARGE");
    WorkInput in = input({1}, 1 << 20, 1 << 10);
    in.rule = Rule::RetryCall;
    EXPECT_EQ(distribute(in).error().code, "UB_WORK_TOO_LARGE");
}

TEST(Replay, ShowsLoadAndTurnAfterEachCall) {
    const Distribution d = run(input({8, 512}));
    const auto rows = replay(d, 7, 3);
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[0], (TraceRow{7, 8, 64, 0, 0}));
    EXPECT_EQ(rows[1], (TraceRow{8, 512, 0, 1, 0})); // reached the quota: still the core's own
    EXPECT_EQ(rows[2], (TraceRow{9, 512, 512, 1, 1}));
    EXPECT_EQ(replay(d, 0, 1000).size(), 16U);
}

class RandomBatches : public testing::Test {
protected:
    WorkInput next() {
        WorkInput in;
        const int batches = pick(0, 12);
        for (int b = 0; b < batches; ++b)
            in.seq_lens.push_back(pick(0, 9) == 0 ? pick(-20, 0) : pick(1, pick(0, 3) == 0 ? 3000 : 60));
        in.heads = pick(1, 12);
        in.v_tiles = pick(1, 4);
        in.cores = pick(1, 20);
        return in;
    }
    std::vector<std::int32_t> lengths(const WorkInput& in) const {
        std::vector<std::int32_t> all;
        for (const std::int32_t len : in.seq_lens) {
            if (len > 0) all.insert(all.end(), static_cast<std::size_t>(in.heads * in.v_tiles), len);
        }
        return all;
    }
    int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }

    std::mt19937 random_{7};
};

// The quick path by runs answers as every core's own walk, for the kernel's rule and the carried remainder.
TEST_F(RandomBatches, RunsAnswerAsEachCoreWalks) {
    for (int i = 0; i < 3000; ++i) {
        WorkInput in = next();
        for (const Rule rule : {Rule::Source, Rule::CarryOver, Rule::FloorQuota}) {
            in.rule = rule;
            in.quota_override =
                pick(0, 5) == 0
                    ? std::optional<std::uint32_t>(pick(0, 1) == 0 ? pick(0, 500) : 0xFFFFFF00U + pick(0, 255))
                    : std::nullopt;
            const Distribution d = run(in);
            const PerCoreOwners oracle =
                walk_per_core(lengths(in), in.cores, d.quota, rule == Rule::CarryOver, CallPattern::Once);
            ASSERT_EQ(d.owners(), oracle.first_owner);
            ASSERT_EQ(d.core_load, oracle.core_load);
            ASSERT_EQ(d.core_items, oracle.core_items);
            for (const int count : oracle.owner_count) ASSERT_LE(count, 1);
        }
    }
}

// Spec ub 6.4: exact coverage, contiguous stretches, bounded makespan.
TEST_F(RandomBatches, EveryUnitIsOwnedExactlyOnceAndTheMakespanIsBounded) {
    for (int i = 0; i < 5000; ++i) {
        WorkInput in = next();
        for (const Rule rule : {Rule::Source, Rule::CarryOver, Rule::Balanced}) {
            in.rule = rule;
            const Distribution d = run(in);
            ASSERT_EQ(d.unassigned, 0);
            const auto owners = d.owners();
            ASSERT_TRUE(std::is_sorted(owners.begin(), owners.end()));
            for (const std::int32_t owner : owners) ASSERT_TRUE(owner >= 0 && owner < in.cores);
            std::uint64_t assigned = 0;
            for (const std::uint64_t load : d.core_load) assigned += load;
            ASSERT_EQ(assigned, d.total_work);
            if (d.item_count() == 0) continue;
            const auto longest = static_cast<std::uint64_t>(*std::max_element(in.seq_lens.begin(), in.seq_lens.end()));
            ASSERT_GE(d.makespan, std::max(d.lower_bound, longest));
            if (rule == Rule::Source) {
                ASSERT_LE(d.makespan, d.quota + longest - 1);
                ASSERT_LT(d.makespan, 2 * std::max<std::uint64_t>(d.quota, longest));
            }
        }
    }
}

/// Smallest largest stretch by dynamic programming over all cuts.
std::uint64_t best_split(const std::vector<std::int32_t>& lengths, std::int64_t cores) {
    const std::size_t n = lengths.size();
    std::vector<std::uint64_t> prefix(n + 1, 0);
    for (std::size_t i = 0; i < n; ++i) prefix[i + 1] = prefix[i] + static_cast<std::uint64_t>(lengths[i]);
    std::vector<std::uint64_t> best(prefix);
    for (std::int64_t c = 1; c < cores; ++c) {
        std::vector<std::uint64_t> next(best);
        for (std::size_t end = 1; end <= n; ++end) {
            for (std::size_t cut = 0; cut < end; ++cut)
                next[end] = std::min(next[end], std::max(best[cut], prefix[end] - prefix[cut]));
        }
        best = next;
    }
    return best[n];
}

TEST_F(RandomBatches, BalancedIsTheBestContiguousSplit) {
    for (int i = 0; i < 300; ++i) {
        WorkInput in = next();
        in.heads = pick(1, 4);
        in.v_tiles = 1;
        in.cores = pick(1, 6);
        in.rule = Rule::Balanced;
        const Distribution d = run(in);
        ASSERT_EQ(d.makespan, best_split(lengths(in), in.cores));
        ASSERT_EQ(d.quota_exact, d.item_count() == 0 ? 0 : d.makespan);
    }
}

TEST(Balance, AlternativesForTheTinyRequest) {
    const auto all = alternatives(input({512, 8}), 8);
    ASSERT_TRUE(all.ok());
    std::map<std::string, std::uint64_t> makespan;
    for (const Alternative& a : *all) makespan[a.name] = a.makespan;
    EXPECT_EQ(makespan["source"], 1024U);
    EXPECT_EQ(makespan["carry-over"], 1024U);
    EXPECT_EQ(makespan["balanced"], 576U);
    EXPECT_EQ(makespan["longest batch first"], 1024U);
    EXPECT_EQ(makespan["longest unit first"], 520U);
    EXPECT_FALSE(makespan.contains("batch-aware launch"));
}

TEST(Balance, BatchAwareLaunchIsTwoAndAHalfTimesShorter) {
    const auto all = alternatives(input({100, 200, 300, 400, 100, 200, 300, 400}, 2, 2), 8);
    ASSERT_TRUE(all.ok());
    EXPECT_EQ(all->front().makespan, 2000U);
    const auto aware =
        std::find_if(all->begin(), all->end(), [](const Alternative& a) { return a.name == "batch-aware launch"; });
    ASSERT_NE(aware, all->end());
    EXPECT_EQ(aware->makespan, 800U);
}

TEST(Balance, ChunksWeighShortTailsMore) {
    const ChunkCost cost = chunk_cost(run(input({512, 8})), 64);
    EXPECT_THAT(cost.core_chunks, ElementsAre(16, 16, 16, 16, 8, 0, 0, 0));
    EXPECT_EQ(cost.makespan, 16);
    EXPECT_EQ(cost.lower_bound, 9);
}

} // namespace
} // namespace ls::ub::work
