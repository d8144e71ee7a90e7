#include "core/ub/cgdr/device_partition.h"

#include <gmock/gmock.h>

#include <random>

#include "core/ub/cgdr/books.h"
#include "core/ub/cgdr/host_plan.h"

namespace ls::ub::cgdr {
namespace {

struct Row {
    std::int64_t off, bytes;
    bool operator==(const Row&) const = default;
};

std::vector<Row> rows(const DevicePartition& p) {
    std::vector<Row> all;
    for (const CarvedView& v : p.views) all.push_back({v.off, v.bytes});
    return all;
}

/// The worked tables of the spec: shape, branch and every offset.
struct Worked {
    char label;
    DeviceInput input;
    std::vector<Row> rows;
    std::int64_t cursor, used, queue;
};

std::vector<Worked> worked() {
    using V = Variant;
    return {
        {'A',
         {V::V1108, 64, 128, 128, 128, 16, 8, {}},
         {{0, 32768},
          {32768, 32768},
          {65536, 16384},
          {81920, 32768},
          {114688, 65536},
          {114688, 65536},
          {180224, 32768},
          {212992, 256},
          {213248, 512},
          {213760, 512},
          {214272, 256}},
         214272,
         214528,
         32768},
        {'B',
         {V::V1108, 64, 128, 128, 128, 16, 8, false},
         {{0, 32768},
          {32768, 32768},
          {65536, 16384},
          {81920, 32768},
          {114688, 16384},
          {131072, 65536},
          {196608, 32768},
          {229376, 256},
          {229632, 512},
          {230144, 512},
          {230656, 256}},
         230656,
         230912,
         32768},
        {'C',
         {V::V1108, 64, 128, 256, 112, 16, 8, {}},
         {{0, 32768},
          {32768, 32768},
          {65536, 16384},
          {81920, 28672},
          {110592, 16384},
          {126976, 57344},
          {184320, 28672},
          {212992, 256},
          {213248, 512},
          {213760, 512},
          {214272, 256}},
         214272,
         214528,
         28672},
        {'D',
         {V::V1108, 64, 100, 100, 112, 7, 7, {}},
         {{0, 28672},
          {28672, 28672},
          {57344, 16384},
          {73728, 28672},
          {102400, 46592},
          {102400, 46592},
          {148992, 28672},
          {177664, 256},
          {177920, 448},
          {178368, 416},
          {178784, 256}},
         178784,
         179040,
         23296},
        {'E',
         {V::V1108, 64, 64, 64, 64, 8, 8, {}},
         {{0, 16384},
          {16384, 16384},
          {32768, 16384},
          {49152, 16384},
          {65536, 16384},
          {65536, 16384},
          {81920, 16384},
          {98304, 256},
          {98560, 256},
          {98816, 256},
          {99072, 256}},
         99072,
         99328,
         8192},
        {'F',
         {V::V1108, 64, 256, 256, 32, 32, 8, {}},
         {{0, 65536},
          {65536, 65536},
          {131072, 16384},
          {147456, 8192},
          {155648, 16384},
          {172032, 32768},
          {204800, 8192},
          {212992, 256},
          {213248, 1024},
          {214272, 1024},
          {215296, 256}},
         215296,
         215552,
         16384},
        {'G',
         {V::V1108, 64, 128, 128, 80, 16, 32, {}},
         {{0, 32768},
          {32768, 32768},
          {65536, 16384},
          {81920, 20480},
          {102400, 40960},
          {102400, 40960},
          {143360, 20480},
          {163840, 256},
          {164096, 512},
          {164608, 512},
          {165120, 256}},
         165120,
         165376,
         20480},
        {'H',
         {V::V1135, 64, 80, 80, 80, 8, 8, {}},
         {{0, 20480},
          {20480, 20480},
          {40960, 16384},
          {57344, 20480},
          {77824, 25600},
          {77824, 25600},
          {103424, 20480},
          {123904, 256},
          {124160, 320},
          {124480, 320},
          {124800, 256},
          {125056, 256}},
         125056,
         125312,
         12800},
    };
}

TEST(DevicePartition, WorkedTables) {
    for (const Worked& w : worked()) {
        const auto p = carve(w.input);
        ASSERT_TRUE(p.ok());
        EXPECT_TRUE(rows(*p) == w.rows) << w.label;
        EXPECT_EQ(p->cursor_final, w.cursor) << w.label;
        EXPECT_EQ(p->used_bytes, w.used) << w.label;
        EXPECT_EQ(p->queue_bytes, w.queue) << w.label;
        EXPECT_TRUE(p->all_aligned) << w.label;
        EXPECT_EQ(p->views.back().advance, 0) << w.label << ": the last view leaves the cursor";
    }
}

TEST(DevicePartition, ScoresHandleIsTheWholeSharedRegion) {
    const auto p = carve(worked()[0].input);
    ASSERT_TRUE(p.ok());
    EXPECT_EQ(p->find(ViewId::ChunkScores)->elems, 16384); // 64*64 are used
    EXPECT_EQ(p->find(ViewId::ChunkScores)->advance, 0);
    EXPECT_EQ(p->find(ViewId::StateIn)->advance, 65536);
}

TEST(DevicePartition, AlignmentRestsOnTheChunkSizeAlone) {
    for (const std::int64_t cs : {2, 4, 12, 20, 50, 60})
        EXPECT_FALSE(carve({Variant::V1108, cs, 64, 64, 64, 4, 8, {}})->all_aligned) << cs;
    for (const std::int64_t cs : {8, 16, 24, 64, 128})
        EXPECT_TRUE(carve({Variant::V1108, cs, 64, 64, 64, 4, 8, {}})->all_aligned) << cs;
}

TEST(DevicePartition, AdvancingPastTheLastViewMovesNothing) {
    DeviceTweaks tweaks;
    tweaks.advance_past_last = true;
    for (const Worked& w : worked()) {
        const auto p = carve(w.input, tweaks);
        EXPECT_TRUE(rows(*p) == w.rows) << w.label;
        EXPECT_EQ(p->cursor_final, w.used) << w.label;
    }
}

// Whatever the host itself launches, both sides decide the branch alike and count the same bytes (spec ub 4).
TEST(Books, AgreeForEveryLaunchThatTheHostMakes) {
    std::mt19937 random(2);
    const auto pick = [&](std::int64_t low, std::int64_t high) {
        return std::uniform_int_distribution<std::int64_t>(low, high)(random);
    };
    int planned = 0;
    for (int i = 0; i < 20000; ++i) {
        HostInput in;
        in.variant = pick(0, 1) == 0 ? Variant::V1108 : Variant::V1135;
        in.batch = pick(1, 8);
        in.hv = pick(1, 64);
        in.dk = pick(1, 300);
        in.dv = pick(1, 600);
        in.aiv = pick(1, 64);
        in.ub_bytes = pick(100000, 300000);
        in.chunk_size = pick(1, 16) * 8;
        const auto plan = plan_host(in);
        ASSERT_TRUE(plan.ok());
        if (!plan->search.ok) continue;
        ++planned;
        const auto device =
            carve({in.variant, in.chunk_size, in.dk, in.dv, plan->search.v_step, in.hv, plan->block_dim, {}});
        ASSERT_TRUE(device.ok());
        const Books books = keep_books(*device, {in.hv, in.aiv, {}, false});
        ASSERT_TRUE(books.agree()) << "dk " << in.dk << " dv " << in.dv << " hv " << in.hv << " aiv " << in.aiv;
        EXPECT_EQ(books.host_tmp_bytes, device->used_bytes);
        EXPECT_EQ(device->used_bytes, device->cursor_final + 4 * in.chunk_size);
        EXPECT_LE(device->used_bytes, plan->search.rest_bytes);
    }
    EXPECT_GT(planned, 10000);
}

TEST(Books, ShowTheLineThatDiffers) {
    const auto device = carve({Variant::V1108, 64, 128, 256, 128, 4, 4, {}}); // four blocks where the host wanted eight
    ASSERT_TRUE(device.ok());
    const Books books = keep_books(*device, {4, 8, {}, false});
    EXPECT_FALSE(books.agree());
    EXPECT_TRUE(books.host_branch.overlap);
    EXPECT_FALSE(books.device_branch.overlap);
    EXPECT_EQ(books.host_branch.text, "vStep 128 >= dv 256: no; hv 4 < 8 cores: yes");
    EXPECT_EQ(books.device_branch.text, "vStep 128 >= dv 256: no; dv 256 > vStep 128 and 4 blocks > 4 heads: no");
    std::vector<std::string> different;
    for (const BookRow& row : books.rows) {
        if (row.differs()) different.push_back(row.term);
    }
    EXPECT_THAT(different, testing::ElementsAre("scoresState", "total"));
    for (const BookRow& row : books.rows) {
        if (row.term != "scoresState") continue;
        EXPECT_EQ(row.host_bytes, 65536);
        EXPECT_EQ(row.device_bytes, 81920);
    }
}

} // namespace
} // namespace ls::ub::cgdr
