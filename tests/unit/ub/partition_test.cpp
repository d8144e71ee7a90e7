#include "core/ub/model/partition.h"

#include <gmock/gmock.h>

#include <chrono>
#include <random>

#include "core/ub/cgdr/as_model.h"
#include "core/ub/cgdr/host_plan.h"
#include "core/ub/cgdr/lifetimes.h"
#include "core/ub/model/fit.h"
#include "core/ub/model/model_checks.h"
#include "core/ub/model/model_json.h"
#include "core/ub/model/overlay.h"

namespace ls::ub {
namespace {

Alloc tbuf(std::string name, SizeText len, std::vector<View> views = {}) {
    Alloc a;
    a.name = std::move(name);
    a.len = std::move(len);
    a.rest = a.len.text == "rest";
    a.views = std::move(views);
    return a;
}
Alloc queue(std::string name, SizeText num, SizeText len, Position position = Position::VecIn, std::int64_t depth = 1) {
    Alloc a;
    a.name = std::move(name);
    a.kind = AllocKind::Queue;
    a.position = position;
    a.depth = depth;
    a.num = std::move(num);
    a.len = std::move(len);
    return a;
}
View view(std::string name, SizeText elems, std::optional<SizeText> off = {}, DType dtype = DType::Fp32) {
    View v;
    v.name = std::move(name);
    v.dtype = dtype;
    v.elems = std::move(elems);
    v.off = std::move(off);
    return v;
}
Model model(std::vector<Alloc> allocs, std::int64_t ub = 4096) {
    Model m;
    m.platform = {"test", ub, 0, 8};
    m.allocs = std::move(allocs);
    return m;
}
Partition placed(const Model& m) { return *CompiledModel::compile(m)->evaluate(); }
std::vector<std::string> codes(const Partition& p) {
    std::vector<std::string> all;
    for (const Finding& f : p.findings) all.emplace_back(f.code);
    return all;
}

TEST(Partition, BlocksAreRoundedAndStackedInOrder) {
    const Partition p = placed(model({queue("q", "2", "100", Position::VecIn, 2),
                                      tbuf("t", "rest", {view("a", "10"), view("b", "6", {}, DType::Fp16)})}));
    EXPECT_EQ(p.allocs[0].len, 128);
    EXPECT_EQ(p.allocs[0].total, 256);
    EXPECT_EQ(p.allocs[1].ub_base, 256);
    EXPECT_EQ(p.allocs[1].len, 4096 - 256);
    EXPECT_EQ(p.allocs[1].views[1].off, 40);
    EXPECT_EQ(p.allocs[1].views[1].bytes, 12);
    EXPECT_EQ(p.buffer_count, 3);
    EXPECT_EQ(p.ub_free, 0);
    EXPECT_THAT(codes(p), testing::ElementsAre("W_LEN_ROUNDED_32", "E_OFFSET_MISALIGNED", "W_SLACK"));
}

TEST(Partition, ByteCountsPassedAsElementsAreToldByName) {
    const Partition p = placed(model({tbuf("t", "128", {view("a", "8"), view("b", "96", "32")})}));
    const Finding* f = find(p.findings, "E_TBUF_OVERRUN");
    ASSERT_NE(f, nullptr);
    EXPECT_EQ(f->subject, "b");
    EXPECT_EQ(f->number("by"), 32 + 384 - 128);
    EXPECT_THAT(f->hint, testing::HasSubstr("96 looks like a byte count"));
}

TEST(Partition, AliasesByGroupAndLife) {
    const auto with = [&](std::string group_a, std::string group_b, std::optional<std::vector<LiveRange>> live_a,
                          std::optional<std::vector<LiveRange>> live_b) {
        View a = view("a", "16", "0"), b = view("b", "16", "32");
        a.alias_group = std::move(group_a);
        b.alias_group = std::move(group_b);
        a.live = std::move(live_a);
        b.live = std::move(live_b);
        return placed(model({tbuf("t", "96", {a, b})})).findings;
    };
    using Live = std::vector<LiveRange>;
    EXPECT_EQ(with("", "", {}, {})[0].code, "E_ALIAS_UNDECLARED");
    EXPECT_EQ(with("g", "h", Live{{0, 0}}, Live{{1, 1}})[0].code, "E_ALIAS_UNDECLARED");
    EXPECT_EQ(with("g", "g", {}, Live{{1, 1}})[0].code, "W_ALIAS_NO_LIVENESS");
    EXPECT_EQ(with("g", "g", Live{{0, 0}, {4, 5}}, Live{{1, 3}})[0].code, "I_ALIAS_OK");
    const auto clash = with("g", "g", Live{{0, 0}, {3, 5}}, Live{{1, 3}});
    EXPECT_EQ(clash[0].code, "E_LIVE_ALIAS");
    EXPECT_EQ(clash[0].subject, "a|b");
    EXPECT_EQ(clash[0].number("begin"), 32);
    EXPECT_EQ(clash[0].number("end"), 64);
    EXPECT_EQ(clash[0].number("firstPhase"), 3);
}

TEST(Partition, CountsAndCapacities) {
    Model m = model({queue("q", "9", "32", Position::VecOut, 0), tbuf("t", "rest"), tbuf("late", "32")});
    m.platform.reserved_tail_bytes = 512;
    Partition p = placed(m);
    EXPECT_THAT(codes(p), testing::ElementsAre("E_ALLOC_AFTER_REST", "E_UB_OVERFLOW", "W_QUEUE_COUNT"));
    EXPECT_EQ(find(p.findings, "E_UB_OVERFLOW")->number("by"), 32);
    EXPECT_EQ(find(p.findings, "W_QUEUE_COUNT")->subject, "VECOUT");
    m = model({queue("q", "65", "32", Position::VecOut, 0), tbuf("t", "rest")});
    m.platform.reserved_tail_bytes = 512;
    m.platform.queue_buffers_per_position = 100;
    m.host_tmp = SizeText("64");
    p = placed(m);
    EXPECT_THAT(codes(p), testing::ElementsAre("W_RESERVED_TAIL", "E_BUFFER_COUNT", "W_BUDGET_OVER"));
    EXPECT_EQ(find(p.findings, "W_RESERVED_TAIL")->number("by"), 512);
    m.allocs[1].views = {view("v", "17")};
    EXPECT_NE(find(placed(m).findings, "E_BUDGET_UNDER"), nullptr);
}

TEST(Partition, AnUnadvancedLastViewIsToldOnlyWhereTheCursorIsUsed) {
    View last = view("last", "8");
    last.advance = SizeText("0");
    EXPECT_NE(find(placed(model({tbuf("t", "64", {view("a", "8"), last})})).findings, "W_LAST_VIEW_NOT_ADVANCED"),
              nullptr);
    EXPECT_EQ(find(placed(model({tbuf("t", "32", {view("a", "8", "0")})})).findings, "W_LAST_VIEW_NOT_ADVANCED"),
              nullptr);
}

TEST(Partition, NegativeAndEndlessSizesAreRefused) {
    EXPECT_EQ(CompiledModel::compile(model({tbuf("t", "32-64")}))->evaluate().error().code, "MODEL_VALUE");
    EXPECT_EQ(CompiledModel::compile(model({queue("q", "0", "32")}))->evaluate().error().code, "MODEL_VALUE");
    EXPECT_EQ(CompiledModel::compile(model({tbuf("t", "9223372036854775807")}))->evaluate().error().code,
              "EXPR_OVERFLOW");
    EXPECT_EQ(
        CompiledModel::compile(model({tbuf("t", "32", {view("v", "9223372036854775807")})}))->evaluate().error().code,
        "EXPR_OVERFLOW");
    EXPECT_EQ(CompiledModel::compile(model({queue("q", "1000", "9223372036854775000")}))->evaluate().error().code,
              "EXPR_OVERFLOW");
    EXPECT_EQ(CompiledModel::compile(model({}))->evaluate(std::vector<std::int64_t>{1}).error().code, "MODEL_VALUE");
}

// The kernel written as a model is placed as the kernel carves it, whatever the shape.
TEST(Partition, TheKernelAsAModelCarvesTheSameBytes) {
    std::mt19937 random(5);
    const auto pick = [&](std::int64_t low, std::int64_t high) {
        return std::uniform_int_distribution<std::int64_t>(low, high)(random);
    };
    for (int i = 0; i < 500; ++i) {
        const auto variant = pick(0, 1) == 0 ? cgdr::Variant::V1108 : cgdr::Variant::V1135;
        const auto device = cgdr::carve(
            {variant, pick(1, 16) * 8, pick(1, 300), pick(1, 600), pick(1, 20) * 16, pick(1, 40), pick(1, 40), {}});
        ASSERT_TRUE(device.ok());
        const Partition p = placed(cgdr::as_model(*device, {"x", 1 << 30, 0, 8}, cgdr::serial_tiles(device->input)));
        ASSERT_EQ(p.allocs[0].total, device->queue_ub_bytes());
        ASSERT_EQ(p.allocs[1].views.size(), device->views.size());
        for (std::size_t v = 0; v < device->views.size(); ++v) {
            EXPECT_EQ(p.allocs[1].views[v].off, device->views[v].off);
            EXPECT_EQ(p.allocs[1].views[v].end, device->views[v].end);
        }
        EXPECT_EQ(p.host_tmp, device->used_bytes);
        EXPECT_EQ(find(p.findings, "E_LIVE_ALIAS"), nullptr);
    }
}

TEST(SharedBytes, SweepFindsWhatAllPairsFind) {
    std::mt19937 random(6);
    for (int i = 0; i < 300; ++i) {
        std::vector<PlacedView> views(random() % 20);
        for (PlacedView& v : views) {
            v.off = static_cast<std::int64_t>(random() % 500);
            v.end = v.off + static_cast<std::int64_t>(random() % 60);
        }
        const auto pairs = shared_bytes(views, 100000);
        std::size_t next = 0;
        for (std::size_t a = 0; a < views.size(); ++a) {
            for (std::size_t b = a + 1; b < views.size(); ++b) {
                const auto begin = std::max(views[a].off, views[b].off), end = std::min(views[a].end, views[b].end);
                if (begin >= end) continue;
                ASSERT_LT(next, pairs.size());
                EXPECT_EQ(pairs[next].i, a);
                EXPECT_EQ(pairs[next].j, b);
                EXPECT_EQ(pairs[next].begin, begin);
                EXPECT_EQ(pairs[next].end, end);
                ++next;
            }
        }
        EXPECT_EQ(next, pairs.size());
    }
}

std::vector<OverlayItem> random_items(std::mt19937& random) {
    std::vector<OverlayItem> items(2 + random() % 14);
    for (std::size_t i = 0; i < items.size(); ++i) {
        items[i].name = "v" + std::to_string(i);
        items[i].bytes = static_cast<std::int64_t>(random() % 40) * 32 + static_cast<std::int64_t>(random() % 2) * 4;
        for (std::size_t n = random() % 3; n > 0; --n) {
            const auto first = static_cast<std::int64_t>(random() % 12);
            items[i].live.push_back({first, first + static_cast<std::int64_t>(random() % 4)});
        }
    }
    return items;
}

// No accepted overlay lets two views meet while both are live; none is smaller than what lives at once (spec ub 5).
TEST(Overlay, EveryProposalIsFreeOfConflictsAndHoldsTheBound) {
    std::mt19937 random(8);
    int proposals = 0, optimal = 0;
    for (int i = 0; i < 400; ++i) {
        const auto items = random_items(random);
        std::vector<OverlayPlan> plans = single_overlays(items);
        plans.push_back(pack(items));
        for (const OverlayPlan& plan : plans) {
            ++proposals;
            ASSERT_EQ(plan.blocks.size(), items.size());
            EXPECT_GE(plan.used_bytes, live_bound(items).bytes);
            EXPECT_GE(plan.saved_bytes(), 0);
            for (const OverlayBlock& a : plan.blocks) {
                EXPECT_EQ(a.off % 32, 0);
                EXPECT_EQ(a.end - a.off, items[a.item].bytes);
                for (const OverlayBlock& b : plan.blocks) {
                    if (a.item == b.item || a.off >= b.end || b.off >= a.end) continue;
                    EXPECT_FALSE(items[a.item].live.empty() || ever_both_live(items[a.item].live, items[b.item].live))
                        << items[a.item].name << " " << items[b.item].name;
                }
            }
        }
        optimal += plans.back().used_bytes <= live_bound(items).bytes + 31 ? 1 : 0;
    }
    EXPECT_GT(proposals, 800);
    EXPECT_GT(optimal, 100);
}

TEST(Overlay, AnAppliedPlanEvaluatesWithoutErrors) {
    const auto device = cgdr::carve({cgdr::Variant::V1108, 64, 128, 256, 128, 16, 8, {}});
    const Model m = cgdr::as_model(*device, {"x", 262144, 0, 8}, 2);
    const Partition before = placed(m);
    EXPECT_TRUE(has_errors(before.findings)); // 1536 bytes too many
    const auto items = overlay_items(before.allocs[1]);
    const OverlayPlan plan = pack(items);
    EXPECT_EQ(plan.used_bytes, 197120); // what two serial tiles need at once
    const Partition after = placed(apply_overlay(m, "tmpBuff", plan));
    EXPECT_EQ(after.allocs[1].used, plan.used_bytes);
    EXPECT_EQ(find(after.findings, "E_LIVE_ALIAS"), nullptr);
    EXPECT_EQ(find(after.findings, "E_ALIAS_UNDECLARED"), nullptr);
    EXPECT_EQ(find(after.findings, "E_UB_OVERFLOW"), nullptr);
    EXPECT_EQ(find(after.findings, "E_TBUF_OVERRUN"), nullptr);
}

TEST(Overlay, HostsThatAreAliveAreRefused) {
    const std::vector<OverlayItem> items{{"a", 64, {{0, 3}}}, {"b", 64, {{2, 5}}}};
    const auto plan = overlay_on(items, {0, 1}, {0}, 1);
    ASSERT_FALSE(plan.ok());
    EXPECT_EQ(plan.error().code, "OVERLAY_CONFLICT");
    EXPECT_EQ(plan.error().message, "a and b would share 0..64 while both are live");
}

TEST(Fit, CulpritsDoublingTailAndRounding) {
    Model m = model({queue("small", "1", "100"), queue("big", "1", "1000", Position::VecOut),
                     tbuf("t", "rest", {view("v", "400"), view("w", "25")})});
    m.platform.reserved_tail_bytes = 1024;
    const FitReport r = fit_report(m, placed(m));
    EXPECT_EQ(r.needed_bytes, 128 + 1024 + 1728); // 1700 of views, in whole blocks
    EXPECT_EQ(r.free_bytes, 4096 - 2880);
    EXPECT_EQ(r.rounding_bytes, 28 + 24);
    EXPECT_EQ(r.into_tail_bytes, 0);
    EXPECT_EQ(r.buffers[0].name, "t");
    EXPECT_EQ(r.views[0].name, "v");
    EXPECT_EQ(r.views[0].bytes, 1600);
    EXPECT_TRUE(r.doublings[1].fits());
    EXPECT_EQ(r.doublings[1].largest_num, 2); // 1216 free + 1024 of its own
    EXPECT_EQ(r.all_queues.over_bytes, 1152 - 1216);
    m.allocs[0].len = "2000";
    EXPECT_EQ(fit_report(m, placed(m)).into_tail_bytes, 1024); // 4768 needed of 4096
}

TEST(Fit, RangesNeedNotBeOneInterval) {
    Model m = model({tbuf("t", "n>40 ? n*50 : n*100", {})}, 4096);
    m.params = {{"n", 1, {}}};
    const auto compiled = CompiledModel::compile(m);
    const auto range = fit_range(*compiled, {"n", 1, 200, 1});
    ASSERT_TRUE(range.ok());
    ASSERT_EQ(range->intervals.size(), 1U);
    EXPECT_EQ(range->largest, 81); // 81*50 = 4050
    Model holes = model({tbuf("t", "n%10<5 ? 5000 : 32", {})}, 4096);
    holes.params = {{"n", 1, {}}};
    const auto with_holes = fit_range(*CompiledModel::compile(holes), {"n", 0, 19, 1});
    ASSERT_EQ(with_holes->intervals.size(), 2U);
    EXPECT_EQ(with_holes->intervals[1].low, 15);
    EXPECT_EQ(fit_range(*compiled, {"m", 0, 1, 1}).error().code, "SWEEP_AXIS");
}

TEST(Fit, SweepVisitsEveryCombination) {
    Model m = model({tbuf("t", "a*b", {})});
    m.params = {{"a", 1, {}}, {"b", 1, {}}};
    const auto compiled = CompiledModel::compile(m);
    const auto rows = sweep(*compiled, {{"a", 32, 64, 32}, {"b", 1, 3, 1}});
    ASSERT_TRUE(rows.ok());
    ASSERT_EQ(rows->size(), 6U);
    EXPECT_THAT((*rows)[5].values, testing::ElementsAre(64, 3));
    EXPECT_EQ((*rows)[5].footprint.ub_used, 192);
    EXPECT_EQ(sweep(*compiled, {{"a", 0, 1 << 20, 1}, {"b", 0, 9, 1}}).error().code, "SWEEP_TOO_LARGE");
    EXPECT_EQ(parse_axis("cs=8:64:8")->count(), 8);
    EXPECT_EQ(parse_axis("cs=8:64")->step, 1);
    for (const char* bad : {"", "cs", "=1:2", "cs=1", "cs=1:2:0", "cs=1:2:3:4", "cs=a:2", "cs=1:2 "})
        EXPECT_FALSE(parse_axis(bad).ok()) << bad;
}

} // namespace
} // namespace ls::ub
