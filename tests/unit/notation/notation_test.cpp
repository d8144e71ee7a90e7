#include "core/notation/notation.h"

#include <random>
#include <string>

#include <gtest/gtest.h>

namespace ls {
namespace {

TEST(Recognise, EveryNotationReadsItsOwnExample) {
    for (const NotationInfo& n : notations()) {
        if (n.example.empty()) continue;
        const Result<TensorLayout> layout = read_layout(n.example);
        EXPECT_TRUE(layout.ok()) << n.name << " " << n.example << ": " << (layout.ok() ? "" : layout.error().message);
    }
}

TEST(Recognise, PicksTheNotationByTheText) {
    const std::pair<const char*, Notation> cases[] = {
        {"S[(8, 64):(64, 1)]", Notation::Tirx},
        {"  T.ComposeLayout(3, 3, 3, T.TileLayout(T.S[512:1]))", Notation::Tirx},
        {"64 + S[8:4@laneid]", Notation::Tirx},
        {"1@laneid", Notation::Tirx},
        {"pl.Tensor[[256, 512], pl.INT8, pl.NZ]", Notation::Pypto},
        {"Tensor[[256, 512], INT8]", Notation::Pypto},
        {"[8, 16] : [16, 1]", Notation::PtoView},
        {"nz(256, 512, i8)", Notation::Named},
        {"frobnicate(3)", Notation::Named},
    };
    for (const auto& [text, notation] : cases) {
        const auto found = recognise(text);
        ASSERT_TRUE(found.has_value()) << text;
        EXPECT_EQ(*found, notation) << text;
    }
}

TEST(Annotation, GivesTypeShapeNamesAndMemory) {
    const Result<TensorLayout> layout = read_layout("S[8192:1] | bf16 [rows=128, cols=64] in smem");
    ASSERT_TRUE(layout.ok()) << layout.error().message;
    EXPECT_EQ(layout->dtype, DType::Bf16);
    EXPECT_EQ(layout->shape, (Shape{128, 64}));
    EXPECT_EQ(layout->dim_names, (std::vector<std::string>{"rows", "cols"}));
    EXPECT_EQ(layout->space, MemorySpace::Smem);
}

TEST(Annotation, GivesValuesToNames) {
    const Result<TensorLayout> layout = read_layout("S[(M, 64):(64, 1)] | M=128, f16");
    ASSERT_TRUE(layout.ok()) << layout.error().message;
    EXPECT_EQ(layout->shape, (Shape{128, 64}));
    EXPECT_EQ(layout->dtype, DType::Fp16);
}

TEST(Annotation, DefaultsFollowTheAxes) {
    EXPECT_EQ(read_layout("S[(8, 64):(64, 1)]")->space, MemorySpace::Unknown);
    EXPECT_EQ(read_layout("S[(128, 64):(1@TLane, 1@TCol)]")->space, MemorySpace::Tmem);
    EXPECT_EQ(read_layout("S[(8, 4, 2):(4@laneid, 1@laneid, 1)]")->space, MemorySpace::Registers);
    EXPECT_EQ(read_layout("ComposeLayout(3, 3, 3, S[512:1])")->space, MemorySpace::Smem);
    EXPECT_EQ(read_layout("S[(8, 64):(64, 1)]")->shape, (Shape{8, 64}));
    EXPECT_EQ(read_layout("1@laneid")->shape, (Shape{1}));
}

struct Refusal {
    const char* text;
    const char* code;
    std::size_t begin, end;
};
class Refusals : public testing::TestWithParam<Refusal> {};
TEST_P(Refusals, NamesThePlace) {
    const Refusal& r = GetParam();
    const Result<TensorLayout> layout = read_layout(r.text);
    ASSERT_FALSE(layout.ok()) << r.text;
    EXPECT_EQ(layout.error().code, r.code) << layout.error().message;
    EXPECT_EQ(layout.error().span, (Span{r.begin, r.end})) << r.text << ": " << layout.error().message;
}
INSTANTIATE_TEST_SUITE_P(Places, Refusals,
                         testing::Values(Refusal{"", "TXT_EMPTY", 0, 0},                                      //
                                         Refusal{"   ", "TXT_EMPTY", 0, 3},                                   //
                                         Refusal{"hello", "TXT_UNKNOWN", 0, 5},                               //
                                         Refusal{"S[8:1] | f17", "TXT_DTYPE", 9, 12},                         //
                                         Refusal{"S[8:1] | [3, 3]", "TXT_SHAPE_SIZE", 9, 15},                 //
                                         Refusal{"S[8:1] | [0]", "LAYOUT_EXTENT", 10, 11},                    //
                                         Refusal{"S[8:1] | in hbm", "TXT_SPACE", 12, 15},                     //
                                         Refusal{"S[8:1] | f16 ?", "TXT_EXPECTED", 13, 14},                   //
                                         Refusal{"nz(32, 32, i8) | f16", "TXT_CONFLICT", 17, 20},             //
                                         Refusal{"S[(M, 64):(64, 1)]", "TXT_SYMBOL", 3, 4},                   //
                                         Refusal{"nz(200, 512, i8)", "NZ_ROWS_UNALIGNED", 0, 16},             //
                                         Refusal{"nz(256, 512, i7)", "TXT_DTYPE", 13, 15},                    //
                                         Refusal{"ns(256, 512, i8)", "TXT_NAME", 0, 2},                       //
                                         Refusal{"nz(256, 512)", "TXT_ARGUMENT", 0, 12},                      //
                                         Refusal{"nz(256, 512, i8, 3)", "TXT_ARGUMENT", 17, 18},              //
                                         Refusal{"sf_tmem(rows=128, sf_kk=4)", "TXT_ARGUMENT", 24, 25},       //
                                         Refusal{"mma_shared(f16, 256B, (128, 64))", "TXT_ARGUMENT", 16, 20}, //
                                         Refusal{"pl.Tensor[[200, 512], pl.INT8, pl.NZ]", "NZ_ROWS_UNALIGNED", 10, 20},
                                         Refusal{"pl.Tensor[[256, 512], pl.INT4, pl.NZ]", "NZ_DTYPE_SUBBYTE", 25, 29},
                                         Refusal{"pl.Tensor[[256, 512], pl.INT8, pl.ZN]", "TXT_NAME", 34, 36},
                                         Refusal{"pl.Tensor[[256, R], pl.INT8]", "TXT_SYMBOL", 16, 17},
                                         Refusal{"[1, 2] : [3]", "TXT_STRIDE_COUNT", 0, 12},
                                         Refusal{"S[(4294967296, 4294967296):(1, 1)]", "LAYOUT_OVERFLOW", 0, 34},
                                         Refusal{"S[4611686018427387904:4]", "LAYOUT_OVERFLOW", 0, 24}));

TEST(Refusals, NearestNameIsOffered) {
    EXPECT_NE(read_layout("mma_shred(f16, 128B, (128, 64))").error().hint.find("did you mean mma_shared?"),
              std::string::npos);
}

TEST(PrintAs, SaysTheSameLayoutInEveryNotationThatCan) {
    const Result<TensorLayout> nz = read_layout("nz(64, 64, f16)");
    ASSERT_TRUE(nz.ok());
    EXPECT_EQ(*print_as(*nz, Notation::Tirx), "S[(4, 16, 4, 16):(256, 16, 1024, 1)]");
    EXPECT_EQ(*print_as(*nz, Notation::Pypto), "pl.Tensor[[64, 64], pl.FP16, pl.NZ]");
    EXPECT_EQ(*print_as(*nz, Notation::PtoView), "[1, 4, 4, 16, 16] : [4096, 1024, 256, 16, 1]");
    EXPECT_EQ(*print_as(*nz, Notation::Named), "nz(64, 64, f16)");
}

TEST(PrintAs, NamesCarryWhatTheyDoNotSay) {
    EXPECT_EQ(*print_as(*read_layout("wg_local(16) | f16"), Notation::Named), "wg_local(16) | f16");
    EXPECT_EQ(*print_as(*read_layout("mma_shared(f16, 128B, (128, 64)) | [8192]"), Notation::Named),
              "mma_shared(f16, 128B, (128, 64)) | [8192]");
    TensorLayout changed = *read_layout("wg_local(16)");
    changed.layout = read_layout("S[(128, 16):(1@tid_in_wg, 2)]")->layout;
    EXPECT_EQ(print_as(changed, Notation::Named).error().code, "TXT_CANNOT_SAY");
}

TEST(PrintAs, RefusesWithTheReason) {
    const auto why = [](const char* text, Notation notation) {
        const Result<std::string> said = print_as(*read_layout(text), notation);
        return said.ok() ? "said: " + *said : said.error().code + ": " + said.error().message;
    };
    EXPECT_EQ(why("S[8:1]", Notation::Pypto), "TXT_CANNOT_SAY: a pypto tensor type needs an element type");
    EXPECT_EQ(why("S[8:1] | tf32", Notation::Pypto), "TXT_CANNOT_SAY: pypto has no element type tf32");
    EXPECT_EQ(why("S[8:2] | f16", Notation::Pypto),
              "TXT_CANNOT_SAY: pypto tensor types are ND, DN or NZ; this layout is none of them");
    EXPECT_EQ(why("ComposeLayout(3, 3, 3, S[512:1])", Notation::PtoView),
              "TXT_CANNOT_SAY: a tensor view has no swizzle");
    EXPECT_EQ(why("S[8:1] + R[2:8]", Notation::PtoView), "TXT_CANNOT_SAY: a tensor view has no replicas");
    EXPECT_EQ(why("S[8:1] + 3", Notation::PtoView),
              "TXT_CANNOT_SAY: a tensor view starts at its pointer, this layout at 3 on m");
    EXPECT_EQ(why("S[8:1@laneid]", Notation::PtoView),
              "TXT_CANNOT_SAY: a tensor view addresses memory, this layout has axis laneid");
    EXPECT_EQ(why("S[(2,2,2,2,2,2):(32,16,8,4,2,1)]", Notation::PtoView),
              "TXT_CANNOT_SAY: a tensor view has at most 5 dimensions, this layout needs 6");
    EXPECT_EQ(why("S[8:1]", Notation::Named), "TXT_CANNOT_SAY: this layout was not made from a named one");
}

TEST(PrintExact, ReadsBackWithShapeTypeNamesAndMemory) {
    for (const char* text : {"nz(2, 32, 64, i8)", "mma_shared(f16, 128B, (3, 128, 64))", "tmem(F, 32, f32)",
                             "wg_local(16)", "S[8192:1] | bf16 [rows=128, cols=64] in smem", "sf_tmem(128, 16, 4)",
                             "pl.Tensor[[8, 16], pl.FP32, pl.DN]"}) {
        const Result<TensorLayout> layout = read_layout(text);
        ASSERT_TRUE(layout.ok()) << text << ": " << layout.error().message;
        const std::string exact = print_exact(*layout);
        const Result<TensorLayout> again = read_layout(exact);
        ASSERT_TRUE(again.ok()) << exact << ": " << again.error().message;
        EXPECT_EQ(again->layout, layout->layout) << exact;
        EXPECT_EQ(again->shape, layout->shape) << exact;
        EXPECT_EQ(again->dtype, layout->dtype) << exact;
        EXPECT_EQ(again->space, layout->space) << exact;
        EXPECT_EQ(again->dim_names, layout->dim_names) << exact;
        EXPECT_EQ(print_exact(*again), exact);
    }
}

/// Valid texts with bytes replaced, removed, doubled and cut: the reader must answer, whatever it answers.
TEST(Garbage, NeverCrashes) {
    const std::vector<std::string> seeds = {
        "S[(8, 4, 2):(4@laneid, 1@laneid, 1)] + R[2:4@warpid] + 1@warpid | f16 [8, 8] in smem, M=3",
        "T.ComposeLayout(3, 3, 3, T.TileLayout(T.S[(128, 64):(64, 1)]), swizzle_inner=False)",
        "TileLayout.from_iters(shard=[(8, 4, \"laneid\")], replica=[], offset={Axis.m: 64})",
        "mma_shared(f16, 128B, (3, 128, 64))",
        "tmem_operand(D, (64, 256), M=128, cta_group=2, group=(2, 2, 64), ws=False)",
        "pl.Tensor[[2, 256, 512], pl.INT8, pl.NZ]",
        "[1, 4, 4, 16, 16] : [4096, 1024, 256, 16, 1]",
        "Sw<3,4,3> o smem_ptr[16b](unset) o ((_8,_16),(_64,_1)):((_64,_512),(_1,_0))",
        "((2,4),3):((1@1,2@0),8@1) | i8",
        "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}> | f16 "
        "[64, 64]",
    };
    std::mt19937 rng(7);
    std::size_t read = 0;
    for (int i = 0; i < 40000; ++i) {
        std::string text = seeds[rng() % seeds.size()];
        for (unsigned edits = 1 + rng() % 4; edits > 0 && !text.empty(); --edits) {
            const std::size_t at = rng() % text.size();
            switch (rng() % 5) {
            case 0: text[at] = static_cast<char>(rng() & 0xFFU); break;
            case 1: text.erase(at, 1 + rng() % 3); break;
            case 2: text.insert(at, text.substr(at, 1 + rng() % 6)); break;
            case 3: text[at] = "()[]{}<>:,@|\"'0189S"[rng() % 19]; break;
            default: text.resize(at); break;
            }
        }
        const Result<TensorLayout> layout = read_layout(text);
        if (layout.ok()) {
            ++read;
            EXPECT_FALSE(print_exact(*layout).empty());
            for (const NotationInfo& n : notations()) (void)n.print(*layout);
        } else {
            EXPECT_LE(layout.error().span.begin, layout.error().span.end);
            EXPECT_LE(layout.error().span.end, text.size()) << text;
            EXPECT_FALSE(layout.error().code.empty());
        }
    }
    EXPECT_GT(read, 100U); // the mutations leave enough valid texts to be worth their while
}

} // namespace
} // namespace ls
