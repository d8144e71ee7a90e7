#include "core/ub/cgdr/lifetimes.h"

#include <gmock/gmock.h>

#include "core/ub/cgdr/overlays.h"

namespace ls::ub::cgdr {
namespace {

DevicePartition shape(std::int64_t dk, std::int64_t dv, std::int64_t v_step, std::optional<bool> overlap = {}) {
    return *carve({Variant::V1108, 64, dk, dv, v_step, 16, 8, overlap});
}

TEST(Lifetimes, EveryReadAndWriteFallsIntoALife) {
    for (const Phase& phase : phases()) {
        const auto covered = [&](const Touched& t) {
            const auto all = t.queue ? queue_lives() : lives(t.view);
            return std::any_of(all.begin(), all.end(), [&](const Life& life) {
                return life.range.first <= phase.index && phase.index <= life.range.last;
            });
        };
        for (const Touched& t : phase.reads) EXPECT_TRUE(covered(t)) << phase.name << " reads " << t.name();
        for (const Touched& t : phase.writes) EXPECT_TRUE(covered(t)) << phase.name << " writes " << t.name();
    }
}

TEST(Lifetimes, ALifeBeginsWithAWrite) {
    for (std::size_t v = 0; v + 1 < kViewCount; ++v) {
        const auto id = static_cast<ViewId>(v);
        for (const Life& life : lives(id)) {
            const auto writes = phases()[static_cast<std::size_t>(life.range.first)].writes;
            EXPECT_TRUE(
                std::any_of(writes.begin(), writes.end(), [&](const Touched& t) { return !t.queue && t.view == id; }))
                << name(id) << " " << life.role;
        }
    }
}

TEST(Lifetimes, PublishedPeaks) {
    struct Row {
        DevicePartition p;
        std::int64_t bytes;
        std::string_view phase;
    };
    for (const Row& row :
         {Row{shape(128, 128, 128), 180736, "S4_VNew"}, Row{shape(128, 256, 112), 164352, "S4_VNew"},
          Row{shape(100, 100, 112), 149504, "S4_VNew"}, Row{shape(64, 64, 64), 82944, "P4_AttnMatrix"},
          Row{shape(256, 256, 32), 174592, "P4_AttnMatrix"}, Row{shape(128, 128, 80, true), 131584, "S4_VNew"}}) {
        const LivePeak peak = live_peak(row.p, 1);
        EXPECT_EQ(peak.peak_bytes, row.bytes);
        EXPECT_EQ(phases()[static_cast<std::size_t>(peak.phase)].name, row.phase);
    }
}

TEST(Lifetimes, SerialTilesKeepTheScoresAlive) {
    EXPECT_EQ(unrolled_lives(ViewId::ChunkScores, 1), (std::vector<LiveRange>{{5, 8}}));
    EXPECT_EQ(unrolled_lives(ViewId::ChunkScores, 3), (std::vector<LiveRange>{{5, 24}}));
    EXPECT_EQ(unrolled_lives(ViewId::StateIn, 2), (std::vector<LiveRange>{{9, 14}, {17, 22}}));
    EXPECT_EQ(unrolled_phases(2).size(), 23U);
    EXPECT_EQ(unrolled_phases(2).back(), "S7_UpdateState#t1");
    // The scores' 16384 bytes come on top of the single tile's bound at S4 of tile 0.
    EXPECT_EQ(live_peak(shape(128, 256, 128, false), 2).peak_bytes, 180736 + 16384);
}

TEST(Sharing, OneTileMayShareSerialTilesMayNot) {
    const auto one = sharings(shape(128, 128, 128), 1);
    ASSERT_EQ(one.size(), 1U);
    EXPECT_EQ(one[0].a, ViewId::ChunkScores);
    EXPECT_EQ(one[0].b, ViewId::StateIn);
    EXPECT_EQ(one[0].begin, 114688);
    EXPECT_EQ(one[0].end, 180224);
    EXPECT_FALSE(one[0].conflict());
    const auto three = sharings(shape(128, 384, 128, true), 3);
    ASSERT_EQ(three.size(), 1U);
    EXPECT_EQ(three[0].both_live, (std::vector<LiveRange>{{9, 14}, {17, 22}}));
    EXPECT_TRUE(sharings(shape(128, 256, 112), 3).empty());
}

TEST(Lifetimes, SerialTilesOfALaunch) {
    EXPECT_EQ(serial_tiles({Variant::V1108, 64, 128, 256, 112, 16, 8, {}}), 3);
    EXPECT_EQ(serial_tiles({Variant::V1108, 64, 128, 256, 128, 4, 8, {}}), 1); // spread over cores
    EXPECT_EQ(serial_tiles({Variant::V1108, 64, 128, 128, 128, 16, 8, {}}), 1);
}

TEST(Overlays, StateOnDeadTilesOfThePrologue) {
    const DevicePartition two = shape(128, 256, 128);
    const auto plan = overlay_state_tile(two, 2);
    ASSERT_TRUE(plan.ok());
    EXPECT_EQ(plan->used_bytes, 198144);
    EXPECT_EQ(plan->reference_bytes, 230912);
    EXPECT_EQ(plan->used_bytes + two.queue_ub_bytes(), 230912); // fits 262144, so three tiles become two
    EXPECT_EQ(overlay_state_tile(shape(128, 128, 128), 1)->used_bytes, 181760);
    EXPECT_EQ(overlay_state_tile(*carve({Variant::V1135, 64, 128, 128, 128, 16, 8, {}}), 1).error().code,
              "UB_NOT_V1108");
}

TEST(Overlays, PackingReachesTheLiveBoundOfTheReferenceShape) {
    const auto items = overlay_items(shape(128, 128, 128), 1);
    const OverlayPlan plan = pack(items);
    EXPECT_EQ(plan.used_bytes, 180736);
    EXPECT_EQ(live_bound(items).bytes, 180736);
    EXPECT_EQ(live_bound(items).phase, 10);
    EXPECT_TRUE(overlay_conflicts(items, plan.blocks).empty());
}

} // namespace
} // namespace ls::ub::cgdr
