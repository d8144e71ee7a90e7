#include "core/notation/named.h"

#include <set>

#include <gtest/gtest.h>

#include "core/notation/notation.h"

namespace ls::notation {
namespace {

TEST(Named, EveryExampleReadsAndSaysItsName) {
    std::set<std::string_view> names;
    for (const NamedLayout& n : named_layouts()) {
        EXPECT_TRUE(names.insert(n.name).second) << n.name;
        const Result<TensorLayout> layout = read_layout(n.example);
        ASSERT_TRUE(layout.ok()) << n.example << ": " << layout.error().message;
        EXPECT_FALSE(layout->name.empty()) << n.example;
        EXPECT_EQ(layout->roles.size(), layout->layout.tile().shard.size()) << n.example;
        std::int64_t elements = 1;
        for (const std::int64_t extent : layout->shape) elements *= extent;
        std::int64_t iters = 1;
        for (const Iter& iter : layout->layout.tile().shard) iters *= iter.extent.value();
        EXPECT_EQ(elements, iters) << n.example;
        for (const IterRole& role : layout->roles) {
            EXPECT_LT(role.dim, layout->shape.size()) << n.example;
            EXPECT_FALSE(role.name.empty()) << n.example;
        }
        // The name that the catalogue gives reads back to the same layout.
        const Result<TensorLayout> again = read_layout(layout->name);
        ASSERT_TRUE(again.ok()) << layout->name << ": " << again.error().message;
        EXPECT_EQ(again->layout, layout->layout) << layout->name;
        EXPECT_EQ(again->shape, layout->shape);
    }
}

TEST(Named, TheTableDescribesItsParameters) {
    for (const NamedLayout& n : named_layouts()) {
        EXPECT_EQ(n.signature.substr(0, n.name.size()), n.name);
        EXPECT_FALSE(n.about.empty());
        for (const Parameter& p : n.parameters) {
            const bool positional = p.name == "operand" || p.name == "tensor_shape" || p.name == "shape";
            EXPECT_TRUE(positional || n.signature.find(p.name) != std::string_view::npos) << n.name << " " << p.name;
        }
    }
}

TEST(Named, ArgumentsByPositionByNameAndInTuples) {
    const Result<TensorLayout> wanted = read_layout("nz(2, 32, 64, i8)");
    for (const char* text : {"nz((2, 32, 64), i8)", "nz([2, 32, 64], INT8)", "nz(2, 32, 64, dtype=\"int8\")",
                             "nz(extents=(2, 32, 64), dtype=pl.INT8)", "T.nz(2,32,64,i8,)"}) {
        const Result<TensorLayout> layout = read_layout(text);
        ASSERT_TRUE(layout.ok()) << text << ": " << layout.error().message;
        EXPECT_EQ(layout->layout, wanted->layout) << text;
    }
    EXPECT_EQ(read_layout("wg_local_layout(8, rows=64)")->shape, (Shape{64, 8}));
    EXPECT_EQ(read_layout("wg_local(8, f16)")->dtype, DType::Fp16); // the type passes over the optional rows
    EXPECT_EQ(read_layout("mma_shared_layout(\"float16\", 3, (128, 64))")->layout,
              read_layout("mma_shared(f16, 128B, (128, 64))")->layout);
    EXPECT_EQ(read_layout("tcgen05_atom_layout(\"16x256b\", (128, 64), \"float32\")")->layout,
              read_layout("tcgen05_atom(16x256b, (128, 64), f32)")->layout);
    EXPECT_EQ(read_layout("tmem(F, 32, sub_slab=1)")->layout,
              read_layout("tmem_datapath(F, 64, 32, sub_slab=1)")->layout);
}

struct Refusal {
    const char* text;
    const char* code;
};
class NamedRefusals : public testing::TestWithParam<Refusal> {};
TEST_P(NamedRefusals, HaveTheirCode) {
    const Result<TensorLayout> layout = read_layout(GetParam().text);
    ASSERT_FALSE(layout.ok()) << GetParam().text;
    EXPECT_EQ(layout.error().code, GetParam().code) << GetParam().text << ": " << layout.error().message;
    EXPECT_FALSE(layout.error().span.empty()) << GetParam().text;
}
INSTANTIATE_TEST_SUITE_P(
    Codes, NamedRefusals,
    testing::Values(
        Refusal{"nz(i8, 32)", "TXT_ARGUMENT"}, Refusal{"nz(32, 32, i8, dtype=i8)", "TXT_ARGUMENT"},
        Refusal{"nz(32, 32, rows=3)", "TXT_ARGUMENT"}, Refusal{"nz(32, 32, \"i8)", "TXT_EXPECTED"},
        Refusal{"nz(32 32, i8)", "TXT_EXPECTED"}, Refusal{"nz(32, 32, i8) x", "TXT_EXPECTED"},
        Refusal{"nz(99999999999999999999, 32, i8)", "TXT_NUMBER"},
        Refusal{"nz_tile(32, 32, f16, fractal=500)", "TXT_ARGUMENT"}, Refusal{"tmem(H, 32)", "TXT_ARGUMENT"},
        Refusal{"tmem(D, 32, sub_slab=1)", "TMEM_SUB_SLAB"}, Refusal{"tmem_operand(B, (64, 32), 64)", "TXT_ARGUMENT"},
        Refusal{"tmem_operand(D, (64, 32), M=128, cta_group=2, group=(2, 8))", "TMEM_GROUP"},
        Refusal{"tmem_operand(D, (64, 32), 64, ws=maybe)", "TXT_ARGUMENT"},
        Refusal{"tcgen05_atom(16x32b, (64, 32), f32)", "TXT_ARGUMENT"},
        Refusal{"tcgen05_atom(16x64b, (64, 32, 2), f32)", "TXT_ARGUMENT"}, Refusal{"mma_frag(E)", "TXT_ARGUMENT"},
        Refusal{"mma_atom(f16, none)", "MMA_SHARED_MODE"}, Refusal{"nd_tile(4, 4, f32)", "TILE_LINE_UNALIGNED"},
        Refusal{"wg_local(4, rows=200)", "WG_LOCAL_ROWS"}, Refusal{"trainium(PX, (4, 4))", "TRN_ANNOTATION"}));

} // namespace
} // namespace ls::notation
