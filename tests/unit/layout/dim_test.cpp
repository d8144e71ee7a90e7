// Numbers of layouts: constants never wrap, and overflow sticks.
#include "core/layout/dim.h"

#include <limits>

#include "tests/unit/layout/layout_testing.h"

namespace ls {
namespace {

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

TEST(Dim, IsTwoWords) { EXPECT_EQ(sizeof(Dim), 16U); }

TEST(Dim, ConstantsAddMultiplyAndCompare) {
    EXPECT_EQ(Dim(3) + Dim(4), Dim(7));
    EXPECT_EQ(Dim(3) - Dim(4), Dim(-1));
    EXPECT_EQ(Dim(3) * Dim(-4), Dim(-12));
    EXPECT_TRUE(Dim(5).is(5));
    EXPECT_FALSE(Dim(5).is(4));
    EXPECT_EQ(Dim(5).constant(), 5);
}

struct Division {
    std::int64_t a, b, quotient, remainder;
};
class FloorDivision : public testing::TestWithParam<Division> {};
TEST_P(FloorDivision, RoundsDown) {
    const auto& [a, b, quotient, remainder] = GetParam();
    EXPECT_EQ(floor_div(Dim(a), Dim(b)), Dim(quotient));
    EXPECT_EQ(floor_mod(Dim(a), Dim(b)), Dim(remainder));
    EXPECT_EQ(quotient * b + remainder, a);
}
INSTANTIATE_TEST_SUITE_P(Table, FloorDivision,
                         testing::Values(Division{7, 2, 3, 1}, Division{-7, 2, -4, 1}, Division{7, -2, -4, -1},
                                         Division{-7, -2, 3, -1}, Division{-8, 2, -4, 0}, Division{kMin, 1, kMin, 0},
                                         Division{kMax, -1, -kMax, 0}));

TEST(Dim, OverflowSticks) {
    const Dim over = Dim(kMax) + Dim(1);
    EXPECT_TRUE(over.is_overflow());
    EXPECT_FALSE(over.is_constant());
    EXPECT_FALSE(over.is_symbolic());
    EXPECT_EQ(over.constant(), std::nullopt);
    EXPECT_TRUE((over - Dim(1)).is_overflow());
    EXPECT_TRUE((over * Dim(0)).is_overflow());
    EXPECT_TRUE(floor_mod(over, Dim(2)).is_overflow());
    EXPECT_TRUE((over + Dim::symbol("n")).is_overflow());
    EXPECT_TRUE((Dim(kMin) - Dim(1)).is_overflow());
    EXPECT_TRUE((Dim(kMax) * Dim(2)).is_overflow());
    EXPECT_TRUE(floor_div(Dim(1), Dim(0)).is_overflow());
    EXPECT_TRUE(floor_div(Dim(kMin), Dim(-1)).is_overflow());
    EXPECT_TRUE(shift_left(Dim(1), 63).is_overflow());
    EXPECT_FALSE(proves_equal(over, over)) << "nothing is proven of a value that is not known";
}

TEST(Dim, ProofsOfConstantsAreDecisions) {
    EXPECT_TRUE(proves_less(2, 3));
    EXPECT_FALSE(proves_less(3, 3));
    EXPECT_TRUE(proves_at_most(3, 3));
    EXPECT_TRUE(proves_divisible(12, 4));
    EXPECT_FALSE(proves_divisible(12, 5));
    EXPECT_TRUE(proves_divisible(12, -4));
    EXPECT_FALSE(proves_divisible(12, 0));
}

TEST(Dim, BitsOfConstants) {
    EXPECT_EQ(bit_xor(12, 10), Dim(6));
    EXPECT_EQ(bit_and(12, 10), Dim(8));
    EXPECT_EQ(shift_left(3, 4), Dim(48));
    EXPECT_EQ(shift_right(-5, 1), Dim(-3));
    EXPECT_EQ(min(3, -2), Dim(-2));
    EXPECT_EQ(max(3, -2), Dim(3));
}

TEST(Dim, MovedAndCopiedSymbolsStayAlive) {
    Dim kept;
    {
        const Dim n = Dim::symbol("n");
        Dim moved = n * Dim(4);
        kept = std::move(moved);
        kept = kept; // NOLINT: self-assignment must be harmless
    }
    EXPECT_EQ(to_string(kept), "n * 4");
}

} // namespace
} // namespace ls
