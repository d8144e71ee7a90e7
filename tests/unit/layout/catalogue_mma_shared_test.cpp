#include "core/layout/catalogue/mma_shared.h"

#include <gtest/gtest.h>

#include "core/layout/operations.h"

namespace ls::catalogue {
namespace {

struct Case {
    DType dtype;
    SwizzleMode mode;
    Shape shape;
};
class MmaShared : public testing::TestWithParam<Case> {};

TEST_P(MmaShared, IsTheReferencesLayout) {
    const auto& [dtype, mode, shape] = GetParam();
    const Result<TensorLayout> ours = mma_shared(dtype, mode, shape);
    const Result<Layout> reference = mma_shared_reference(dtype, mode, shape);
    ASSERT_TRUE(ours.ok()) << ours.error().message;
    ASSERT_TRUE(reference.ok()) << reference.error().message;
    EXPECT_EQ(*canonicalize(ours->layout), *reference) << ours->name;
    EXPECT_EQ(ours->roles.size(), ours->layout.tile().shard.size());
    EXPECT_EQ(ours->space, MemorySpace::Smem);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, MmaShared,
    testing::Values(Case{DType::Fp16, SwizzleMode::B128, {64, 256}}, Case{DType::Fp16, SwizzleMode::B128, {128, 64}},
                    Case{DType::Fp16, SwizzleMode::B64, {3, 64, 256}}, Case{DType::Bf16, SwizzleMode::None, {128, 64}},
                    Case{DType::Bf16, SwizzleMode::None, {7, 9}}, Case{DType::Fp8E4M3, SwizzleMode::B128, {128, 128}},
                    Case{DType::Fp4, SwizzleMode::B128, {3, 64, 256}},
                    Case{DType::Fp32, SwizzleMode::B32, {2, 2, 16, 24}}));

TEST(MmaSharedMnMajor, StacksAtomsAlongMnFirst) {
    const Result<TensorLayout> layout = mma_shared_mn_major(DType::Fp16, SwizzleMode::B128, Shape{128, 128});
    ASSERT_TRUE(layout.ok());
    const std::vector<Iter> wanted{{2, 512, axes::m}, {64, 1, axes::m}, {16, 1024, axes::m}, {8, 64, axes::m}};
    EXPECT_EQ(layout->layout.tile().shard, wanted);
    EXPECT_TRUE(layout->layout.is_compose());
}

TEST(MmaShared, AtomHasItsWidthAndPeriod) {
    EXPECT_EQ(*mma_atom_columns(DType::Fp16, SwizzleMode::B128), 64);
    EXPECT_EQ(*mma_atom_columns(DType::Fp4, SwizzleMode::B32), 64);
    EXPECT_EQ(size(*mma_atom_layout(DType::Fp16, SwizzleMode::B64)).value(), 256);
    EXPECT_EQ(swizzle_per_element(DType::Fp64), 1);
}

TEST(MmaShared, ModesByName) {
    EXPECT_EQ(swizzle_mode_from_name("128B"), SwizzleMode::B128);
    EXPECT_EQ(swizzle_mode_from_name("2"), SwizzleMode::B64);
    EXPECT_EQ(swizzle_mode_from_name("SWIZZLE_NONE"), SwizzleMode::None);
    EXPECT_FALSE(swizzle_mode_from_name("256B").has_value());
    EXPECT_EQ(name(SwizzleMode::B32), "32B");
}

TEST(MmaShared, Refusals) {
    const auto code = [](const Result<TensorLayout>& r) { return r.ok() ? std::string("accepted") : r.error().code; };
    EXPECT_EQ(code(mma_shared(DType::Fp16, SwizzleMode::B128, Shape{12, 64})), "MMA_SHARED_ROWS");
    EXPECT_EQ(code(mma_shared(DType::Fp16, SwizzleMode::B128, Shape{128, 72})), "MMA_SHARED_COLS");
    EXPECT_EQ(code(mma_shared(DType::Fp16, SwizzleMode::B128, Shape{64})), "MMA_SHARED_RANK");
    EXPECT_EQ(code(mma_shared(DType::Fp16, SwizzleMode::B128, Shape{0, 64})), "LAYOUT_EXTENT");
    EXPECT_EQ(code(mma_shared(DType::Fp16, SwizzleMode::None, Shape{INT64_MAX, 64})), "LAYOUT_OVERFLOW");
    EXPECT_EQ(code(mma_shared_mn_major(DType::Fp16, SwizzleMode::None, Shape{64, 64})), "MMA_SHARED_MODE");
    EXPECT_EQ(mma_atom_columns(DType::Fp16, SwizzleMode::None).error().code, "MMA_SHARED_MODE");
    EXPECT_EQ(mma_shared_reference(DType::Fp16, SwizzleMode::B64, Shape{128, 24}).error().code, "MMA_SHARED_SMALL");
}

TEST(MmaShared, ReferenceCountsWholeAtomsOnly) {
    // 72 columns hold one atom of 64; the other 8 columns have no place in the reference's layout.
    EXPECT_EQ(size(*mma_shared_reference(DType::Fp16, SwizzleMode::B128, Shape{128, 72})).value(), 8192);
}

} // namespace
} // namespace ls::catalogue
