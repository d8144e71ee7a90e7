#include "core/figure/work_timeline.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <ctime>
#include <fmt/format.h>
#include <random>

namespace ls::figure {
namespace {

class Letters : public scene::TextMeasure {
public:
    double width(std::string_view utf8, scene::FontFace, double) const override { return 6.0 * static_cast<double>(utf8.size()); }
};

ub::work::Distribution distributed(std::vector<std::int32_t> lens, std::int64_t heads, std::int64_t cores) {
    ub::work::WorkInput input;
    input.seq_lens = std::move(lens);
    input.heads = heads;
    input.cores = cores;
    auto d = ub::work::distribute(std::move(input));
    EXPECT_TRUE(d.ok());
    return std::move(d).value();
}

std::vector<scene::HitRegion> units(const scene::Picture& picture) {
    std::vector<scene::HitRegion> out;
    std::copy_if(picture.hits.begin(), picture.hits.end(), std::back_inserter(out), [](const scene::HitRegion& h) { return h.id >= 0; });
    return out;
}

TEST(WorkTimeline, EveryUnitOfASmallBatchIsThere) {
    const auto d = distributed({512, 8}, 8, 8);
    const auto drawn = draw_work_timeline(d, {1200, 0, 0, 0, {}, {}, "rows"}, Letters());
    const auto blocks = units(drawn.picture);
    ASSERT_EQ(blocks.size(), 16U);
    EXPECT_EQ(blocks[0].describe, "sequence 0 · head 0 · 512 · core 0");
    EXPECT_EQ(blocks[15].describe, "sequence 1 · head 7 · 8 · core 4");
    // Core 0 takes two heads of 512: they lie side by side on one scale.
    EXPECT_NEAR(blocks[0].rect.w, blocks[1].rect.w, 0.01);
    EXPECT_NEAR(blocks[0].rect.right(), blocks[1].rect.x, 0.01);
    EXPECT_NEAR(drawn.geometry.load_at(blocks[1].rect.right()), 1024, 0.5);
}

TEST(WorkTimeline, LostUnitsHaveARowOfTheirOwn) {
    ub::work::WorkInput input;
    input.seq_lens = {128, 64, 32};
    input.heads = 6;
    input.cores = 4;
    input.quota_override = 0;
    const auto d = ub::work::distribute(input);
    ASSERT_TRUE(d.ok());
    EXPECT_EQ(d->unassigned, 14);
    // As much load in view as is lost; by itself the scale is that of what is done.
    const auto drawn = draw_work_timeline(*d, {1200, 0, 0, 2000, {}, {}, "rows"}, Letters());
    const auto blocks = units(drawn.picture);
    EXPECT_EQ(std::count_if(blocks.begin(), blocks.end(), [](const scene::HitRegion& h) { return h.describe.find("nobody") != std::string::npos; }), 14);
}

TEST(WorkTimeline, TenThousandSequencesStayDrawable) {
    std::mt19937 random(7);
    std::vector<std::int32_t> lens(10'000);
    for (std::int32_t& len : lens) len = static_cast<std::int32_t>(random() % 2048 + 1);
    const std::clock_t start = std::clock(); // of this process alone: neighbours do not count
    const auto d = distributed(lens, 16, 64);
    const std::clock_t between = std::clock();
    const auto drawn = draw_work_timeline(d, {1400, 500, 0, 0, {}, {}, "rows"}, Letters());
    const std::clock_t end = std::clock();
    EXPECT_LT(drawn.picture.list.marks.size(), 64U * 1400U);
    const double distribute_ms = 1e3 * static_cast<double>(between - start) / CLOCKS_PER_SEC;
    const double draw_ms = 1e3 * static_cast<double>(end - between) / CLOCKS_PER_SEC;
    EXPECT_LT(distribute_ms, 20.0);
    EXPECT_LT(draw_ms, 50.0);
    RecordProperty("distribute", fmt::format("{:.3f} ms", distribute_ms));
    RecordProperty("draw", fmt::format("{:.3f} ms", draw_ms));
    // Zoomed in, single units are told apart again.
    const auto near = draw_work_timeline(d, {1400, 500, 0, 8192, {}, {}, "rows"}, Letters());
    const auto blocks = units(near.picture);
    EXPECT_TRUE(std::any_of(blocks.begin(), blocks.end(), [](const scene::HitRegion& h) { return h.describe.find("· head ") != std::string::npos; }));
}

TEST(WorkTimeline, ComparisonPutsTheBoundBesideEachMakespan) {
    const auto d = distributed({512, 8}, 8, 8);
    const auto others = ub::work::alternatives(d.input, 8);
    ASSERT_TRUE(others.ok());
    const scene::BarChart chart = compare_work(d, *others);
    ASSERT_EQ(chart.lanes.size(), others->size());
    EXPECT_EQ(chart.lanes[0].bars[0].end, 1024);
    EXPECT_EQ(chart.lanes[0].limit, 520);
}

} // namespace
} // namespace ls::figure
