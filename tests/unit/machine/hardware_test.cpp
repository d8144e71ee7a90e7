#include "core/machine/hardware.h"

#include <array>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

namespace ls {
namespace {

TEST(Hardware, IsFoundByAnyOfItsNames) {
    ASSERT_EQ(all_hardware().size(), 2U);
    EXPECT_EQ(find_hardware("A2A3"), &default_hardware());
    EXPECT_EQ(find_hardware("910b"), &default_hardware());
    ASSERT_NE(find_hardware("a5"), nullptr);
    EXPECT_EQ(find_hardware("a5")->pto_arch, "a5");
    EXPECT_EQ(find_hardware("b200"), nullptr);
}

TEST(Hardware, TellsCapacities) {
    EXPECT_EQ(default_hardware().capacity_bytes(ir::TileSpace::Acc), 128 * 1024);
    EXPECT_EQ(find_hardware("a5")->capacity_bytes(ir::TileSpace::Acc), 256 * 1024);
    EXPECT_EQ(default_hardware().capacity_bytes(ir::TileSpace::LeftScale), std::nullopt);
    EXPECT_EQ(default_hardware().memories.at(ir::TileSpace::Vec).physical_bytes, 192 * 1024);
}

std::string a2a3_text() {
    std::ifstream in(std::string(LS_SOURCE_DIR) + "/resources/hardware/ascend_a2a3.json");
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Hardware, NamesTheFieldThatIsMissing) {
    std::string text = a2a3_text();
    ASSERT_TRUE(parse_hardware(text).ok());
    const std::size_t at = text.find("\"maxBursts\": 4095");
    ASSERT_NE(at, std::string::npos);
    text.replace(at, 17, "\"maxBursts\": \"no\"");
    const auto broken = parse_hardware(text);
    ASSERT_FALSE(broken.ok());
    EXPECT_EQ(broken.error().code, "HW_JSON");
    EXPECT_NE(broken.error().message.find("nzLoad.maxBursts"), std::string::npos);
    EXPECT_FALSE(parse_hardware("{").ok());
    EXPECT_FALSE(parse_hardware("[]").ok());
}

TEST(AccBytes, RoundsRowsToTheGranuleOfTheType) {
    const Hardware *a2a3 = find_hardware("a2a3"), *a5 = find_hardware("a5");
    const auto bytes = [](std::int64_t m, std::int64_t n, DType t, const Hardware* hw) {
        return acc_physical_bytes(std::array{m, n}, t, hw);
    };
    EXPECT_EQ(bytes(64, 1024, DType::Fp32, a2a3), 262144);
    EXPECT_EQ(bytes(64, 512, DType::Fp32, a2a3), 131072);
    EXPECT_EQ(bytes(16, 1152, DType::Int32, a2a3), 147456);
    EXPECT_EQ(bytes(16, 1152, DType::Int32, a5), 73728);
    EXPECT_EQ(bytes(16, 1152, DType::Int32, nullptr), 147456);
    EXPECT_EQ(bytes(20, 16, DType::Fp32, a2a3), 2048);
    EXPECT_EQ(acc_physical_bytes(std::array<std::int64_t, 3>{3, 16, 16}, DType::Fp32, a2a3), 3072);
    EXPECT_EQ(bytes(0, 16, DType::Fp32, a2a3), std::nullopt);
    EXPECT_EQ(bytes(INT64_MAX, INT64_MAX, DType::Fp32, a2a3), std::nullopt);
}

} // namespace
} // namespace ls
