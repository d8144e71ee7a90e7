#include "core/machine/banks.h"

#include <functional>

#include <gtest/gtest.h>

namespace ls {
namespace {

using Addresses = std::vector<std::optional<std::int64_t>>;

Addresses lanes(int count, const std::function<std::int64_t(int)>& address) {
    Addresses out;
    for (int lane = 0; lane < count; ++lane) out.emplace_back(address(lane));
    return out;
}

struct Case {
    const char* what;
    int access_bytes;
    std::int64_t lane_stride;
    int degree, wavefronts, ideal;
};
class Strided : public testing::TestWithParam<Case> {};
TEST_P(Strided, CountsPasses) {
    const Case& c = GetParam();
    const Result<BankReport> report =
        bank_conflicts(lanes(32, [&](int lane) { return lane * c.lane_stride; }), c.access_bytes);
    ASSERT_TRUE(report.ok()) << c.what;
    EXPECT_EQ(report->degree, c.degree) << c.what;
    EXPECT_EQ(report->wavefronts, c.wavefronts) << c.what;
    EXPECT_EQ(report->ideal, c.ideal) << c.what;
}
INSTANTIATE_TEST_SUITE_P(
    Rows, Strided,
    testing::Values(Case{"row of f32", 4, 4, 1, 1, 1}, Case{"column of f32 with row stride 32", 4, 128, 32, 32, 1},
                    Case{"column of f32 with row stride 33", 4, 132, 1, 1, 1}, Case{"row of f16", 2, 2, 1, 1, 1},
                    Case{"row of f64", 8, 8, 1, 2, 2}, Case{"16-byte rows side by side", 16, 16, 1, 4, 4},
                    Case{"16-byte rows of 128 bytes", 16, 128, 8, 32, 4},
                    Case{"everyone reads one word", 4, 0, 1, 1, 1}, Case{"every other bank", 4, 8, 2, 2, 1}));

TEST(Banks, SwizzledColumnsDoNotConflict) {
    // 128-byte rows, 16-byte units exchanged by the row number.
    const auto address = [](int lane) { return std::int64_t{lane} * 128 + ((lane % 8) ^ 0) * 16; };
    EXPECT_EQ(bank_conflicts(lanes(32, address), 16)->degree, 1);
}

TEST(Banks, InactiveLanesCostNothing) {
    Addresses addresses(32);
    addresses[0] = 0;
    addresses[8] = 128;
    const Result<BankReport> report = bank_conflicts(addresses, 4);
    EXPECT_EQ(report->phases.at(0).active, 2);
    EXPECT_EQ(report->degree, 2);
    addresses.assign(32, std::nullopt);
    EXPECT_EQ(bank_conflicts(addresses, 4)->wavefronts, 0);
    EXPECT_EQ(bank_conflicts(addresses, 4)->ideal, 0);
}

TEST(Banks, MatricesUseOnlyTheirLanes) {
    const Addresses rows = lanes(32, [](int lane) { return std::int64_t{lane} * 128; });
    EXPECT_EQ(matrix_bank_conflicts(rows, 1)->wavefronts, 8);
    EXPECT_EQ(matrix_bank_conflicts(rows, 2)->wavefronts, 16);
    EXPECT_EQ(matrix_bank_conflicts(rows, 4)->phases.size(), 4U);
    EXPECT_EQ(matrix_bank_conflicts(rows, 4)->phases[1].first_lane, 8);
}

TEST(Banks, Refusals) {
    const Addresses one{0};
    EXPECT_EQ(bank_conflicts(one, 3).error().code, "BANK_WIDTH");
    EXPECT_EQ(bank_conflicts(Addresses{2}, 4).error().code, "BANK_ALIGNMENT");
    EXPECT_EQ(bank_conflicts(Addresses{-4}, 4).error().code, "BANK_ADDRESS");
    EXPECT_EQ(bank_conflicts(Addresses(33), 4).error().code, "BANK_LANES");
    EXPECT_EQ(matrix_bank_conflicts(one, 3).error().code, "BANK_MATRICES");
}

} // namespace
} // namespace ls
