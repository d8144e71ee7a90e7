#include "core/ub/cgdr/tiling_record.h"

#include <gtest/gtest.h>

#include "core/ub/cgdr/host_plan.h"

namespace ls::ub::cgdr {
namespace {

constexpr std::string_view kSample =
    "08000000000004000080030064000000020000008000000004000000000100004000000002000000010000001c000000"
    "00000000f304b53d8000000000000000";

TEST(TilingRecord, APlanWritesThePublishedBytes) {
    HostInput in;
    in.t = 100;
    in.hqk = 2;
    in.hv = 4;
    in.dv = 256;
    in.ub_bytes = 262144;
    in.aiv = 8;
    const auto plan = plan_host(in);
    ASSERT_TRUE(plan.ok());
    EXPECT_EQ(to_hex(encode(tiling_record(*plan, false, 0.08838834764831845F))), kSample);
}

TEST(TilingRecord, DecodeUndoesEncode) {
    TilingRecord record;
    std::uint32_t value = 0x01020304;
    for (const TilingField& field : tiling_fields()) {
        if (field.integer != nullptr) record.*field.integer = value += 0x11111111;
    }
    record.scale_value = -0.5F;
    EXPECT_EQ(*decode(encode(record)), record);
    EXPECT_EQ(encode(record)[0], 0x15); // lowest byte first
    EXPECT_EQ(to_hex(encode(*decode(*from_hex(kSample)))), kSample);
}

TEST(TilingRecord, FieldsTileTheSixtyFourBytes) {
    std::int64_t offset = 0;
    for (const TilingField& field : tiling_fields()) {
        EXPECT_EQ(field.offset_bytes, offset) << field.name;
        offset += 4;
    }
    EXPECT_EQ(offset, kTilingRecordBytes);
    EXPECT_EQ(record_bytes(16), 64);
    EXPECT_EQ(record_bytes(17), 72);
}

TEST(TilingRecord, WrongSizesAndDigitsAreRefused) {
    EXPECT_EQ(decode(std::vector<std::uint8_t>(72)).error().code, "UB_RECORD_SIZE");
    EXPECT_EQ(from_hex("0").error().code, "UB_HEX");
    EXPECT_EQ(from_hex("0x").error().span.begin, 1U);
    EXPECT_EQ(*from_hex("0a FF"), (std::vector<std::uint8_t>{10, 255}));
}

} // namespace
} // namespace ls::ub::cgdr
