#include "core/passes/nz/l0_chooser.h"

#include <gtest/gtest.h>

namespace ls::nz {
namespace {

L0Problem product(std::int64_t m, std::int64_t n, std::int64_t k) {
    L0Problem p;
    p.M = m;
    p.N = n;
    p.K = k;
    return p;
}

std::vector<std::int64_t> tile(const L0Problem& p, const char* chip = "a2a3") {
    const auto c = choose_l0_tile(p, *find_hardware(chip));
    return c.ok() ? std::vector<std::int64_t>{c->m, c->n, c->k} : std::vector<std::int64_t>{};
}

TEST(L0Chooser, AgreesWithTheReference) {
    using Tile = std::vector<std::int64_t>;
    EXPECT_EQ(tile(product(16, 256, 512)), (Tile{16, 256, 64}));
    EXPECT_EQ(tile(product(4096, 4096, 4096)), (Tile{128, 256, 64}));
    EXPECT_EQ(tile(product(272, 272, 64)), (Tile{144, 128, 64}));
    L0Problem boxed = product(16, 16, 64);
    boxed.bytes_a = boxed.bytes_b = 1;
    boxed.allow_k_boundary = true;
    boxed.l0a_bytes = 2048;
    boxed.box_m = 32;
    EXPECT_EQ(tile(boxed), (Tile{16, 16, 32}));
}

/// Two accumulators of half L0C each need two whole tiles along the inner loop; a rest outside it is none.
TEST(L0Chooser, SearchesTilesWithTwoAccumulators) {
    L0Problem p = product(16, 256, 128);
    p.allow_double_output = true;
    EXPECT_EQ(tile(p), (std::vector<std::int64_t>{16, 128, 128}));
    const auto wide = choose_l0_tile(p, default_hardware());
    EXPECT_TRUE(wide->double_output);
    EXPECT_TRUE(wide->a_outside);
    p = product(256, 16, 128);
    p.allow_double_output = true;
    EXPECT_EQ(tile(p), (std::vector<std::int64_t>{128, 16, 128}));
    EXPECT_FALSE(choose_l0_tile(p, default_hardware())->a_outside);
    p = product(16, 192, 128);
    p.step_n = 128;
    p.allow_double_output = true;
    EXPECT_EQ(tile(p), (std::vector<std::int64_t>{16, 128, 128}));
    EXPECT_FALSE(choose_l0_tile(p, default_hardware())->double_output);
}

/// Whatever is chosen fits, and no recorded candidate that fits is better.
TEST(L0Chooser, ChoosesTheCheapestThatFits) {
    for (const char* chip : {"a2a3", "a5"}) {
        for (const L0Problem& p :
             {product(64, 1024, 512), product(320, 320, 64), product(48, 80, 4096), product(2048, 64, 96)}) {
            const Hardware& hw = *find_hardware(chip);
            const auto c = choose_l0_tile(p, hw);
            ASSERT_TRUE(c.ok());
            EXPECT_LE(c->m * c->k * p.bytes_a * 2, *hw.capacity_bytes(ir::TileSpace::Left));
            EXPECT_LE(c->n * c->k * p.bytes_b * 2, *hw.capacity_bytes(ir::TileSpace::Right));
            EXPECT_LE(c->m * c->n * p.bytes_c, *hw.capacity_bytes(ir::TileSpace::Acc));
            EXPECT_EQ(p.K % c->k, 0);
            for (const L0Candidate& other : c->candidates) {
                EXPECT_TRUE(other.fit != L0Fit::Fits || other.cost.wall_cycles >= c->cost.wall_cycles);
            }
            EXPECT_EQ(c->candidates[c->chosen].cost.wall_cycles, c->cost.wall_cycles);
        }
    }
}

TEST(L0Chooser, KeepsAllRowsForAnNzStore) {
    L0Problem p = product(64, 8192, 256);
    p.fixed_m = 64;
    p.allow_k_boundary = true;
    p.max_n = 4080;
    const auto c = choose_l0_tile(p, default_hardware());
    ASSERT_TRUE(c.ok());
    EXPECT_EQ(c->m, 64);
    EXPECT_LE(c->n, 4080);
    p = product(4096, 64, 64);
    p.fixed_m = 4096;
    EXPECT_EQ(choose_l0_tile(p, default_hardware()).error().code, "NZ_STORE_NO_TILE");
}

TEST(L0Chooser, RefusesWhatItCannotTile) {
    const auto code = [](const L0Problem& p) { return choose_l0_tile(p, default_hardware()).error().code; };
    EXPECT_EQ(code(product(0, 16, 16)), "L0_EXTENT");
    EXPECT_EQ(code(product(INT64_MAX, 16, 16)), "L0_EXTENT");
    EXPECT_EQ(code(product(16, 16, 40)), "L0_K_UNALIGNED");
    EXPECT_EQ(code(product(8, 16, 16)), "L0_NO_TILE");
    L0Problem p = product(16, 16, 16);
    p.bytes_a = 0;
    EXPECT_EQ(code(p), "L0_SUBBYTE");
}

TEST(StoreTile, HasLimitsAndACapacity) {
    const Hardware& hw = default_hardware();
    EXPECT_TRUE(check_store_tile(16, 2048, DType::Fp32, hw).ok());
    EXPECT_EQ(check_store_tile(16, 4096, DType::Fp32, hw).error().code, "NZ_STORE_EXTENT");
    EXPECT_EQ(check_store_tile(65536, 16, DType::Fp32, hw).error().code, "NZ_STORE_EXTENT");
    EXPECT_EQ(check_store_tile(16, 4080, DType::Fp32, hw).error().code, "NZ_STORE_CAPACITY");
    EXPECT_EQ(check_store_tile(0, 16, DType::Fp32, hw).error().code, "NZ_STORE_CAPACITY");
}

TEST(NSplit, MovesTheColumnBlockAndKeepsAllRows) {
    const auto s = n_split(64, 512, 512, default_hardware());
    ASSERT_TRUE(s.ok());
    EXPECT_EQ(s->offsets, (std::vector<std::int64_t>{0, 64, 0, 0, 0}));
    EXPECT_EQ(s->partition, (std::vector<std::int64_t>{1, 64, 4, 16, 8}));
    EXPECT_EQ(s->acc_bytes, 131072);
    EXPECT_TRUE(s->fits);
    EXPECT_FALSE(n_split(64, 512, 4, default_hardware()).ok());
}

} // namespace
} // namespace ls::nz
