#include "core/ub/platform.h"

#include <gtest/gtest.h>

namespace ls::ub {
namespace {

TEST(Platform, EveryRowOfTheFileIsReadWhole) {
    ASSERT_EQ(platforms().size(), 7U);
    for (const Platform& p : platforms()) {
        EXPECT_FALSE(p.id.empty());
        EXPECT_GE(p.ub_bytes, 196608) << p.id;
        EXPECT_FALSE(p.note.empty()) << p.id;
        EXPECT_GT(p.queue_buffers_per_position, 0) << p.id;
        if (p.tmp_scratch_offset) {
            EXPECT_EQ(*p.tmp_scratch_offset, p.ub_bytes - p.reserved_tail_bytes) << p.id;
        }
    }
}

TEST(Platform, NamesAreFoundWithoutRegardToCase) {
    const auto chip = find_platform("ascend310p3");
    ASSERT_TRUE(chip.ok());
    EXPECT_EQ(chip->planning_bytes(), 262144);
    EXPECT_EQ(chip->planning_cores(), 8); // the ini file says 7, the query answers 8
    EXPECT_EQ(chip->core_num_reported, 32);
    EXPECT_EQ(find_platform("310P")->id, "Ascend310P3");
}

TEST(Platform, RuntimeReserveShortensTheTailThatAPlanSees) {
    const auto chip = find_platform("910B3");
    ASSERT_TRUE(chip.ok());
    EXPECT_EQ(chip->planning_bytes(), 196352);
    EXPECT_EQ(chip->planning_tail_bytes(), 7936);
    EXPECT_EQ(find_platform("950")->planning_tail_bytes(), 0);
}

TEST(Platform, AnUnknownNameListsWhatThereIs) {
    const auto chip = find_platform("Ascend311");
    ASSERT_FALSE(chip.ok());
    EXPECT_EQ(chip.error().code, "UB_PLATFORM_UNKNOWN");
    EXPECT_NE(chip.error().hint.find("Ascend310P3"), std::string::npos);
}

} // namespace
} // namespace ls::ub
