// Descriptors of tensor cores: words of the reference, the worked example of spec/tirx.md 12, and decode(encode(x)) == x.
#include <array>
#include <random>

#include <gtest/gtest.h>

#include "core/machine/tensor_core/instruction_descriptor.h"
#include "core/machine/tensor_core/matrix_descriptor.h"
#include "core/machine/tensor_core/ptx_name.h"
#include "core/machine/tensor_core/tmem_address.h"

namespace ls::tensor_core {
namespace {

TEST(MatrixDescriptor, WordsOfTheReference) {
    const auto word = [](std::int64_t ldo, std::int64_t sdo, SmemSwizzle swizzle, std::int64_t address = 0) {
        return encode({address, ldo, sdo, swizzle, 0, false}, Generation::Blackwell).value();
    };
    EXPECT_EQ(word(0, 64, SmemSwizzle::B128), 0x4000404000000000U);
    EXPECT_EQ(word(0, 64, SmemSwizzle::B128, 1024), 0x4000404000000040U);
    EXPECT_EQ(word(512, 32, SmemSwizzle::B64), 0x8000402002000000U);
    EXPECT_EQ(word(256, 16, SmemSwizzle::B32), 0xC000401001000000U);
    EXPECT_EQ(word(128, 8, SmemSwizzle::None, 4096), 0x0000400800800100U);
    EXPECT_EQ(word(16, 16, SmemSwizzle::B128Base32, 115712), 0x2000401000101C40U);
}

TEST(MatrixDescriptor, HopperHasAnotherTypeFieldAndNoVersion) {
    EXPECT_EQ(encode({1024, 1, 64, SmemSwizzle::B128, 0, false}, Generation::Hopper).value(), 0x4000004000010040U);
    EXPECT_EQ(encode({0, 0, 64, SmemSwizzle::B32, 0, false}, Generation::Hopper).value() >> 62, 3U);
    EXPECT_EQ(encode({0, 0, 64, SmemSwizzle::B128Base32, 0, false}, Generation::Hopper).error().code, "DESC_LAYOUT_TYPE");
}

TEST(MatrixDescriptor, DecodingUndoesEncoding) {
    std::mt19937_64 random(7);
    for (int i = 0; i < 2000; ++i) {
        const auto generation = static_cast<Generation>(random() % 2);
        const bool blackwell = generation == Generation::Blackwell;
        const MatrixDescriptor descriptor{static_cast<std::int64_t>(random() % 16384) * 16, static_cast<std::int64_t>(random() % 16384),
                                          static_cast<std::int64_t>(random() % 16384), static_cast<SmemSwizzle>(random() % (blackwell ? 5 : 4)),
                                          static_cast<int>(random() % 8), blackwell && random() % 2 == 0};
        const auto word = encode(descriptor, generation);
        ASSERT_TRUE(word) << word.error().message;
        EXPECT_EQ(decode_matrix(*word, generation).value(), descriptor);
        std::uint64_t again = 0;
        int bits = 0;
        for (const DescriptorField& field : matrix_fields(*word, generation)) {
            again |= field.value << field.low_bit;
            bits += field.bits;
        }
        EXPECT_EQ(again, *word);
        EXPECT_EQ(bits, 64);
    }
}

TEST(MatrixDescriptor, RefusesWhatTheFieldsCannotHold) {
    EXPECT_EQ(encode({8, 0, 0, SmemSwizzle::None, 0, false}, Generation::Blackwell).error().code, "DESC_ADDRESS");
    EXPECT_EQ(encode({1 << 18, 0, 0, SmemSwizzle::None, 0, false}, Generation::Blackwell).error().code, "DESC_ADDRESS");
    EXPECT_EQ(encode({0, 16384, 0, SmemSwizzle::None, 0, false}, Generation::Blackwell).error().code, "DESC_FIELD");
    EXPECT_EQ(decode_matrix(0x4000404000000040U, Generation::Hopper).error().code, "DESC_RESERVED");
    EXPECT_EQ(decode_matrix(0x4000004000010040U, Generation::Blackwell).error().code, "DESC_RESERVED");
    EXPECT_EQ(decode_matrix(0x6000400000000000U, Generation::Blackwell).error().code, "DESC_LAYOUT_TYPE");
}

TEST(MatrixDescriptor, SaysWhichOffsetsAreRead) {
    const auto read = [](std::uint64_t word, bool mn_major, std::string_view name) {
        for (const DescriptorField& field : matrix_fields(word, Generation::Blackwell, {mn_major, {}, {}})) {
            if (field.name == name) return field.read;
        }
        return false;
    };
    const std::uint64_t swizzled = 0x4000404000000000U;
    EXPECT_FALSE(read(swizzled, false, "leading offset"));
    EXPECT_TRUE(read(swizzled, true, "leading offset"));
    EXPECT_TRUE(read(swizzled, false, "stride offset"));
    EXPECT_FALSE(read(0x0000400800400000U, false, "base offset"));
    EXPECT_TRUE(read(0x0000400800400000U, false, "leading offset"));
}

TEST(MatrixDescriptor, AddingUnitsWrapsTheLowHalfOnly) {
    EXPECT_EQ(add_16b_units(0x4000404000000040U, 6), 0x4000404000000046U);
    EXPECT_EQ(add_16b_units(0x40004040FFFFFFFFU, 2), 0x4000404000000001U);
}

TEST(InstructionDescriptor, WordsOfTheReference) {
    InstructionDescriptor d;
    EXPECT_EQ(encode(d, 1).value(), 136314896U);
    d.a = d.b = MmaType::BF16;
    d.m = 64;
    d.n = 256;
    d.b_mn_major = true;
    EXPECT_EQ(encode(d, 1).value(), 0x04410490U);
    InstructionDescriptor scaled;
    scaled.kind = MmaKind::Mxf4nvf4;
    scaled.a = scaled.b = MmaType::E2M1;
    scaled.scale = MmaType::E4M3;
    EXPECT_EQ(encode(scaled, 1).value(), 0x08200480U);
    EXPECT_EQ(with_scale_id(0x08200480U, 3), 0x682004B0U);
}

TEST(InstructionDescriptor, DecodingUndoesEncoding) {
    std::mt19937_64 random(11);
    int encoded = 0;
    for (int i = 0; i < 20000; ++i) {
        InstructionDescriptor d;
        d.kind = static_cast<MmaKind>(random() % 7);
        d.d = std::array{MmaType::F16, MmaType::F32, MmaType::S32}[random() % 3];
        d.a = static_cast<MmaType>(random() % 10);
        d.b = static_cast<MmaType>(random() % 10);
        if (is_block_scaled(d.kind)) {
            d.d = MmaType::F32;
            d.scale = random() % 2 == 0 ? MmaType::E8M0 : MmaType::E4M3;
            d.scale_id_a = static_cast<int>(random() % 4);
            d.scale_id_b = static_cast<int>(random() % 4);
        } else {
            d.max_shift = static_cast<int>(random() % 4);
            d.saturate = d.kind == MmaKind::I8 && random() % 2 == 0;
        }
        d.m = static_cast<std::int64_t>(std::array{64, 128, 256}[random() % 3]);
        d.n = static_cast<std::int64_t>(random() % 33) * 8;
        d.a_mn_major = random() % 2 == 0;
        d.sparse = random() % 2 == 0;
        d.sparsity_id = static_cast<int>(random() % 4);
        const auto word = encode(d, 1 + static_cast<int>(random() % 2));
        if (!word) continue;
        ++encoded;
        EXPECT_EQ(decode_instruction(*word, d.kind).value(), d);
    }
    EXPECT_GT(encoded, 50);
}

TEST(InstructionDescriptor, Refusals) {
    InstructionDescriptor d;
    d.n = 24;
    EXPECT_EQ(encode(d, 1).error().code, "MMA_SHAPE");
    d.n = 128;
    EXPECT_EQ(encode(d, 1, 32).error().code, "MMA_SHAPE");
    d.saturate = true;
    EXPECT_EQ(encode(d, 1).error().code, "MMA_SATURATE");
    d.saturate = false;
    d.kind = MmaKind::F8f6f4;
    d.a = d.b = MmaType::E2M3;
    d.a_mn_major = true;
    EXPECT_EQ(encode(d, 1).error().code, "MMA_TRANSPOSE");
    d.kind = MmaKind::I8;
    d.a = d.b = MmaType::S8;
    d.d = MmaType::S32;
    d.negate_a = true;
    EXPECT_EQ(encode(d, 1).error().code, "MMA_NEGATE");
    EXPECT_EQ(mma_kind(MmaType::F16, MmaType::BF16, MmaType::BF16).error().code, "MMA_TYPES");
    EXPECT_EQ(scale_vector(MmaKind::Mxf4, MmaType::E4M3).error().code, "MMA_SCALE");
    EXPECT_EQ(decode_instruction(0x08201C10U, MmaKind::F16).error().code, "DESC_FORMAT");
    EXPECT_EQ(decode_instruction(0x08200050U, MmaKind::F16).error().code, "DESC_RESERVED");
}

TEST(TmemAddress, HalvesWrapOnTheirOwn) {
    EXPECT_EQ(tmem_address(1048608, 16, 4), 2097188U);
    EXPECT_EQ(tmem_address(65535, 0, 1), 0U);
    EXPECT_EQ(tmem_address(4294901760U, 1, 0), 0U);
    EXPECT_EQ(tmem_lane(tmem_address(400, 1, 0)), 1U);
    EXPECT_EQ(tmem_column(tmem_address(400, 1, 0)), 400U);
}

TEST(PtxName, EntryThenModifiers) {
    EXPECT_EQ(ptx_helper_name("tcgen05_mma_ws_ts", "tcgen05.mma.ws.cta_group::1.kind::f16"),
              "tvm_builtin_ptx_tcgen05_mma_ws_ts_mma_ws_cta_group__1_kind__f16");
}

} // namespace
} // namespace ls::tensor_core
