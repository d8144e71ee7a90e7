#include "core/machine/nz_transfer.h"

#include <gtest/gtest.h>

namespace ls {
namespace {

TEST(NzBurst, WrapsTheGapInItsField) {
    const NzLoadLimits& a2a3 = find_hardware("a2a3")->nz_load;
    const auto wrapped = nz_burst(65552, 16, 3, a2a3);
    ASSERT_TRUE(wrapped.has_value());
    EXPECT_EQ(wrapped->meant_block, 196656);
    EXPECT_EQ(wrapped->reached_block, 48); // rows 48.. of column block 0
    const auto fits = nz_burst(65552, 32, 3, a2a3);
    EXPECT_EQ(fits->meant_block, fits->reached_block);
    const auto a5 = nz_burst(65552, 16, 3, find_hardware("a5")->nz_load);
    EXPECT_EQ(a5->meant_block, a5->reached_block);
    EXPECT_FALSE(nz_burst(16, 32, 0, a2a3).has_value());
    EXPECT_FALSE(nz_burst(INT64_MAX, 0, 2, a2a3).has_value());
}

TEST(NzStoreStep, ComesFromTheStoredHeight) {
    const NzStoreLimits& a2a3 = find_hardware("a2a3")->nz_store;
    const NzStoreStep window = nz_store_step(64, 128, a2a3);
    EXPECT_EQ(window.meant_elems, 1024);
    EXPECT_EQ(window.used_elems, 512);
    EXPECT_EQ(window.used_blocks, 64);
    EXPECT_FALSE(window.correct());
    EXPECT_TRUE(nz_store_step(64, 64, a2a3).correct());
}

} // namespace
} // namespace ls
