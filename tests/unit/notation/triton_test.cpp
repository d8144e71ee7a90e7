#include <random>

#include <gtest/gtest.h>

#include "core/layout/operations.h"
#include "core/notation/notation.h"
#include "core/notation/triton_convert.h"

namespace ls::triton {
namespace {

LinearLayout linear(const char* text, std::vector<std::int64_t> shape) {
    const Result<Attribute> attribute = read_attribute(text);
    EXPECT_TRUE(attribute.ok()) << text << ": " << (attribute.ok() ? "" : attribute.error().message);
    const Result<LinearLayout> out = to_linear(*attribute, shape);
    EXPECT_TRUE(out.ok()) << text << ": " << (out.ok() ? "" : out.error().message);
    return out.ok() ? *out : LinearLayout();
}

constexpr const char* kBlocked =
    "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>";
constexpr const char* kMma =
    "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>";

TEST(LinearLayouts, ProductScalesTheSecond) {
    const LinearLayout a = LinearLayout::identity(4, "register", "dim0") * LinearLayout::identity(2, "lane", "dim0") *
                           LinearLayout::identity(4, "lane", "dim1");
    EXPECT_EQ(a.in("lane").bases, (std::vector<Basis>{{4, 0}, {0, 1}, {0, 2}}));
    EXPECT_EQ(a.out_size("dim0"), 8);
    EXPECT_EQ(a.at({{"register", 3}, {"lane", 5}}), (Basis{7, 2}));
    EXPECT_EQ(a.shrunk({{"dim0", 4}}).in("lane").bases[0], (Basis{0, 0}));
    EXPECT_EQ(a.grown({{"dim1", 8}}).in("register").bases.back(), (Basis{0, 4}));
    EXPECT_EQ(a.reshaped({{"x", 32}}).in("lane").bases, (std::vector<Basis>{{16}, {1}, {2}}));
}

TEST(LinearLayouts, Text) {
    EXPECT_EQ(LinearLayout().text(), "\n(empty layout)");
    EXPECT_EQ((LinearLayout::identity(4, "register", "dim0") * LinearLayout::identity(1, "lane", "dim0")).text(),
              "\n - register=1 -> (1)\n   register=2 -> (2)\n - lane is a size 1 dimension\nwhere out dims are: [dim0 "
              "(size 4)]");
}

TEST(Attributes, AliasesAndOlderKeys) {
    EXPECT_EQ(
        linear("#blocked = #triton_gpu.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = "
               "[0]}>",
               {128}),
        linear("#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>", {128}));
    EXPECT_EQ(linear("#ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], warpsPerCTA = [2, 2], order = [1, "
                     "0], CTAsPerCGA = [2, 1], "
                     "CTASplitNum = [2, 1], CTAOrder = [1, 0]}>",
                     {64, 64}),
              linear("#ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], warpsPerCTA = [2, 2], order = [1, "
                     "0], CGALayout = [[1, 0]]}>",
                     {64, 64}));
}

/// Every element lies under exactly the hardware index that our layout names for it.
void expect_inverse(const LinearLayout& hardware, const Layout& layout, const std::vector<std::int64_t>& shape) {
    const std::vector<Dim> dims(shape.begin(), shape.end());
    const std::vector<std::pair<std::string, Axis>> names{
        {"register", axes::m}, {"lane", axes::laneid}, {"warp", axes::warpid}, {"block", axes::cbx},
        {"offset", axes::m},   {"row", axes::TLane},   {"col", axes::TCol}};
    for (std::int64_t r = 0; r < shape[0]; ++r) {
        for (std::int64_t c = 0; c < shape[1]; ++c) {
            const Result<AxisMap> at = ls::apply(layout, std::vector<Dim>{r, c}, dims);
            ASSERT_TRUE(at.ok());
            std::map<std::string, std::int64_t, std::less<>> index;
            for (const auto& [in, axis] : names) {
                if (hardware.has_in(in)) index[in] = at->get(axis).value();
            }
            ASSERT_EQ(hardware.at(index), (Basis{r, c})) << r << "," << c;
        }
    }
}

TEST(Encodings, AsOursAreTheInverse) {
    const std::vector<std::pair<const char*, std::vector<std::int64_t>>> cases{
        {kBlocked, {64, 32}},
        {kMma, {64, 32}},
        {"#ttg.dot_op<{opIdx = 1, parent = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], "
         "instrShape = [16, 8]}>, kWidth = 2}>",
         {32, 64}},
        {"#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>", {64, 64}},
        {"#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [0, 1]}>", {32, 128}},
        {"#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>", {128, 128}},
        {"#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 32}>", {128, 128}},
        {"#ttng.tensor_memory_encoding<blockM = 64, blockN = 64, colStride = 1>", {256, 128}},
        {"#ttg.shared_linear<{offset = [[0, 1], [0, 2], [1, 0], [2, 2]]}, alignment = 16>", {4, 4}},
    };
    for (const auto& [text, shape] : cases) {
        const Attribute attribute = *read_attribute(text);
        const Result<TensorLayout> tensor = to_tensor(attribute, shape);
        if (std::string_view(text).find("[2, 2]]}") != std::string_view::npos) {
            // Several bits in one base, and yet a swizzle of one bit.
            ASSERT_TRUE(tensor.ok()) << tensor.error().message;
            EXPECT_TRUE(tensor->layout.is_compose());
        }
        ASSERT_TRUE(tensor.ok()) << text << ": " << tensor.error().message;
        expect_inverse(*to_linear(attribute, shape), tensor->layout, shape);
    }
}

TEST(Encodings, ComeBackFromOurs) {
    for (const auto& [text, shape] : std::vector<std::pair<const char*, std::vector<std::int64_t>>>{
             {kBlocked, {64, 32}},
             {kMma, {64, 32}},
             {"#ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>", {64, 64}}}) {
        const Attribute attribute = *read_attribute(text);
        const TensorLayout tensor = *to_tensor(attribute, shape);
        const Result<LinearLayout> back = from_tensor(tensor);
        ASSERT_TRUE(back.ok()) << text << ": " << back.error().message;
        const LinearLayout wanted = *to_linear(attribute, shape);
        for (const InDim& dim : wanted.in()) EXPECT_EQ(back->in(dim.name).bases, dim.bases) << text << " " << dim.name;
        // As text, through the notation table.
        const Result<std::string> said = print_as(tensor, Notation::Triton);
        ASSERT_TRUE(said.ok()) << said.error().message;
        const Result<TensorLayout> again = read_layout(*said);
        ASSERT_TRUE(again.ok()) << *said << ": " << again.error().message;
        EXPECT_EQ(again->layout, tensor.layout) << *said;
    }
}

TEST(Encodings, PaddedMemory) {
    const Attribute attribute = *read_attribute("#ttg.padded_shared<[2:+1, 4:+2] {order = [0], shape = [16]}>");
    const PaddedLayout padded = *padded_shared(attribute, std::vector<std::int64_t>{16});
    EXPECT_EQ(padded.size(), 29);
    EXPECT_EQ(padded.padded(11), 11 + 5 + 4);
    const TensorLayout tensor = *read_layout("#ttg.padded_shared<[2:+1, 4:+2] {order = [0], shape = [16]}>");
    for (std::int64_t i = 0; i < 16; ++i)
        EXPECT_EQ(ls::apply(tensor.layout, Dim(i))->get(axes::m).value(), padded.padded(i));
}

struct Refusal {
    const char* text;
    const char* code;
};
class TritonRefusals : public testing::TestWithParam<Refusal> {};
TEST_P(TritonRefusals, HaveTheirCode) {
    const Result<TensorLayout> tensor = read_layout(GetParam().text);
    ASSERT_FALSE(tensor.ok()) << GetParam().text;
    EXPECT_EQ(tensor.error().code, GetParam().code) << tensor.error().message;
    EXPECT_LE(tensor.error().span.end, std::string_view(GetParam().text).size());
}
INSTANTIATE_TEST_SUITE_P(
    Codes, TritonRefusals,
    testing::Values(
        Refusal{"#ttg.blocked<{sizePerThread = [1]}>", "TXT_SHAPE_NEEDED"},
        Refusal{"#ttg.blockd<{a = 1}> | [64]", "TRITON_UNKNOWN"},
        Refusal{"#ttg.blocked<{sizePerThread = [1]}> | [64]", "TRITON_KEY"},
        Refusal{"#ttg.blocked<{sizePerThread = 1}> | [64]", "TRITON_KEY"},
        Refusal{"#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}> | [64, 64]",
                "TRITON_RANK"},
        Refusal{"#ttg.blocked<{sizePerThread = [3], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}> | [64]",
                "TRITON_POWER"},
        Refusal{"#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [1]}> | [64]",
                "TRITON_RANK"},
        Refusal{"#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}> | [60]",
                "TRITON_POWER"},
        Refusal{"#ttg.nvidia_mma<{versionMajor = 5, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [128, 128]}> "
                "| [64, 64]",
                "TRITON_UNKNOWN"},
        Refusal{"#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}> | [64, 32]",
                "TRITON_SHAPE"},
        Refusal{"#ttg.nvmma_shared<{swizzlingByteWidth = 48, transposed = false, elementBitWidth = 16}> | [64, 64]",
                "TRITON_KEY"},
        Refusal{"#ttg.amd_rotating_shared<{vec = 2, perPhase = 2, maxPhase = 2, order = [1, 0]}> | [8, 16]",
                "TRITON_NOT_TILE"},
        Refusal{"#ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1> | [64, 64]", "TRITON_SHAPE"},
        Refusal{"#ttg.slice<{dim = 3, parent = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = "
                "[4], order = [0]}>}> | [64]",
                "TRITON_RANK"},
        Refusal{"#ttg.dot_op<{opIdx = 2, parent = #ttg.blocked<{order = [0]}>}> | [64, 64]", "TRITON_KEY"},
        Refusal{"#ttg.slice<{dim = 0, parent = #ttg.padded_shared<[2:+1] {order = [0, 1]}>}> | [64]", "TRITON_PADDED"},
        Refusal{"#ttg.padded_shared<[3:+1] {order = [0], shape = [16]}>", "TRITON_POWER"},
        Refusal{"#ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], warpsPerCTA = [2, 2], order = [1, 0], "
                "CTAsPerCGA = [2, 1], CTASplitNum = [2, 1], CTAOrder = [1, 1]}> | [64, 64]",
                "TRITON_RANK"},
        Refusal{"#ttg.blocked<{", "TXT_EXPECTED"}, Refusal{"#ttg.blocked<{order = [0}>", "TXT_EXPECTED"},
        Refusal{"#", "TXT_EXPECTED"}));

TEST(TritonRefusals, OursThatTritonCannotSay) {
    const auto why = [](const char* text) {
        const auto r = print_as(*read_layout(text), Notation::Triton);
        return r.ok() ? "said " + *r : r.error().message;
    };
    EXPECT_EQ(why("S[6:1]"), "6 with stride 1 is no power of two");
    EXPECT_EQ(why("S[(4,4):(8,1)]"), "bit 2 of offset is used by no element");
    EXPECT_EQ(why("S[(4,4):(1,1)]"), "two elements share bit 0 of offset");
    EXPECT_EQ(why("S[8:1] + 4"), "a linear layout maps 0 to 0, this one has an offset on m");
    EXPECT_EQ(why("S[(8,4):(1@laneid,1@bx)]"), "Triton has no dimension for axis bx");
    EXPECT_EQ(why("S[(2,3):(3,1)] | [3,2]"), "the shape [3, 2] does not group the iters");
}

} // namespace
} // namespace ls::triton
