#include "core/notation/tirx_text.h"

#include <random>

#include <gtest/gtest.h>

#include "core/notation/notation.h"

namespace ls {
namespace {

using notation::print_tirx;
using notation::print_tirx_repr;
using notation::read_tirx;
using notation::Symbols;

struct Form {
    const char* text;
    const char* brief;
    const char* reference;
};

class TirxForms : public testing::TestWithParam<Form> {};

TEST_P(TirxForms, ReadsAndPrintsBothForms) {
    const Form& form = GetParam();
    const Result<Layout> layout = read_tirx(form.text, {}, Symbols::Keep);
    ASSERT_TRUE(layout.ok()) << form.text << ": " << layout.error().message;
    EXPECT_EQ(print_tirx(*layout), form.brief);
    EXPECT_EQ(print_tirx_repr(*layout), form.reference);
    for (const std::string& printed : {print_tirx(*layout), print_tirx_repr(*layout)}) {
        const Result<Layout> again = read_tirx(printed, {}, Symbols::Keep);
        ASSERT_TRUE(again.ok()) << printed << ": " << again.error().message;
        EXPECT_EQ(*again, *layout) << printed;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Grammar, TirxForms,
    testing::Values(
        Form{"S[(8, 64):(64, 1)]", "S[(8, 64):(64, 1)]", "T.TileLayout(T.S[(8, 64):(64, 1)])"},
        Form{"S[8192:1]", "S[8192:1]", "T.TileLayout(T.S[8192:1])"},
        Form{"S[2, 3, 4]", "S[(2, 3, 4):(12, 4, 1)]", "T.TileLayout(T.S[(2, 3, 4):(12, 4, 1)])"},
        Form{"S[(4,64)]", "S[(4, 64):(64, 1)]", "T.TileLayout(T.S[(4, 64):(64, 1)])"},
        Form{"TileLayout(S[(8,) : (4@laneid,)] + R[4 : 1@laneid])", "S[8:4@laneid] + R[4:1@laneid]",
             "T.TileLayout(T.S[8:4 @ Axis.laneid] + T.R[4:1 @ Axis.laneid])"},
        Form{"TileLayout(S[32:\"warpid\"])", "S[32:1@warpid]", "T.TileLayout(T.S[32:1 @ Axis.warpid])"},
        Form{"S[(8, 4) : (\"laneid\", 1)]", "S[(8, 4):(1@laneid, 1)]",
             "T.TileLayout(T.S[(8, 4):(1 @ Axis.laneid, 1)])"},
        Form{"S[(8,) : ((4, \"laneid\"),)]", "S[8:4@laneid]", "T.TileLayout(T.S[8:4 @ Axis.laneid])"},
        Form{"S[8 : (4, \"laneid\")]", "S[8:4@laneid]", "T.TileLayout(T.S[8:4 @ Axis.laneid])"},
        Form{"64 + S[8 : 4@laneid] + 1@laneid", "S[8:4@laneid] + 1@laneid + 64",
             "T.TileLayout(T.S[8:4 @ Axis.laneid] + (1 @ Axis.laneid + 64))"},
        Form{"S[8 : 4@laneid] + (1@laneid + 2@warpid + 64)", "S[8:4@laneid] + 1@laneid + 64 + 2@warpid",
             "T.TileLayout(T.S[8:4 @ Axis.laneid] + (1 @ Axis.laneid + 64 + 2 @ Axis.warpid))"},
        Form{"S[8:1] + 1@laneid + 2@laneid", "S[8:1] + 3@laneid", "T.TileLayout(T.S[8:1] + 3 @ Axis.laneid)"},
        Form{"S[8:1] + 0", "S[8:1] + 0", "T.TileLayout(T.S[8:1] + 0)"},
        Form{"S[8:-1] + 7", "S[8:-1] + 7", "T.TileLayout(T.S[8:-1] + 7)"},
        Form{"S[8:1] - 4@TCol", "S[8:1] + -4@TCol", "T.TileLayout(T.S[8:1] + -4 @ Axis.TCol)"},
        Form{"S[4*2 : 8//4] + 7 % 4", "S[8:2] + 3", "T.TileLayout(T.S[8:2] + 3)"},
        Form{"S[8 : 2*4@laneid]", "S[8:8@laneid]", "T.TileLayout(T.S[8:8 @ Axis.laneid])"},
        Form{"S[8:1] + R[2:3] + R[4:5]", "S[8:1] + R[4:5]", "T.TileLayout(T.S[8:1] + T.R[4:5])"},
        Form{"S[8:1] + S[4:5]", "S[8:1]", "T.TileLayout(T.S[8:1])"},
        Form{"T.ComposeLayout(3, 3, 3, T.TileLayout(T.S[512:1]))", "ComposeLayout(3, 3, 3, S[512:1])",
             "T.ComposeLayout(3, 3, 3, T.TileLayout(T.S[512:1]))"},
        Form{"ComposeLayout(3, 1, 3, S[(128, 2):(2, 1)], False)",
             "ComposeLayout(3, 1, 3, S[(128, 2):(2, 1)], swizzle_inner=False)",
             "T.ComposeLayout(3, 1, 3, T.TileLayout(T.S[(128, 2):(2, 1)]), swizzle_inner=False)"},
        Form{"ComposeLayout(per_element=3, swizzle_len=0, atom_len=3, tile_layout=S[8:1], swizzle_inner=True)",
             "ComposeLayout(3, 0, 3, S[8:1])", "T.ComposeLayout(3, 0, 3, T.TileLayout(T.S[8:1]))"},
        Form{"1@laneid", "1@laneid", "T.TileLayout.from_iters(offset={Axis.laneid: 1})"},
        Form{"TileLayout.from_iters(shard=[(8, 4, \"laneid\"), Iter(4, 1, Axis.m)], replica=[(2, 64, TLane)], "
             "offset={m: 3})",
             "S[(8, 4):(4@laneid, 1)] + R[2:64@TLane] + 3",
             "T.TileLayout(T.S[(8, 4):(4 @ Axis.laneid, 1)] + T.R[2:64 @ Axis.TLane] + 3)"},
        Form{"TileLayout.from_iters()", "TileLayout.from_iters()", "T.TileLayout.from_iters()"},
        Form{"Tx.TileLayout(Tx.S[8:1 @ Axis.tx])", "S[8:1@tx]", "T.TileLayout(T.S[8:1 @ Axis.tx])"},
        Form{"S[(n, k):(k, 1)]", "S[(n, k):(k, 1)]", "T.TileLayout(T.S[(n, k):(k, 1)])"},
        Form{"S[(n, 64):(64@TLane, 1)] + (n + 1)@TCol", "S[(n, 64):(64@TLane, 1)] + (n + 1)@TCol",
             "T.TileLayout(T.S[(n, 64):(64 @ Axis.TLane, 1)] + (n + 1) @ Axis.TCol)"}));

TEST(TirxValues, NamesTakeTheirValues) {
    const Result<Layout> layout = read_tirx("S[(M, 64):(64, 1)] + w*64", {{"M", 128}, {"w", 2}});
    ASSERT_TRUE(layout.ok()) << layout.error().message;
    EXPECT_EQ(print_tirx(*layout), "S[(128, 64):(64, 1)] + 128");
}

struct Refusal {
    const char* text;
    const char* code;
    std::size_t begin, end; ///< the span that must be underlined
};
class TirxRefusals : public testing::TestWithParam<Refusal> {};

TEST_P(TirxRefusals, NamesThePlace) {
    const Refusal& r = GetParam();
    const Result<Layout> layout = read_tirx(r.text);
    ASSERT_FALSE(layout.ok()) << r.text;
    EXPECT_EQ(layout.error().code, r.code) << layout.error().message;
    EXPECT_EQ(layout.error().span, (Span{r.begin, r.end})) << r.text << ": " << layout.error().message;
    EXPECT_FALSE(layout.error().message.empty());
}

INSTANTIATE_TEST_SUITE_P(Places, TirxRefusals,
                         testing::Values(Refusal{"S[(8, 64", "TXT_EXPECTED", 8, 8},                            //
                                         Refusal{"S[8 x", "TXT_EXPECTED", 4, 5},                               //
                                         Refusal{"S[(8, 64):(64)]", "TXT_STRIDE_COUNT", 10, 14},               //
                                         Refusal{"S[2,3:4,5]", "TXT_EXPECTED", 5, 6},                          //
                                         Refusal{"S[(2,3):4,5]", "TXT_EXPECTED", 10, 11},                      //
                                         Refusal{"S[((4,2),8):(1,8)]", "TXT_NESTED_SHAPE", 3, 8},              //
                                         Refusal{"S[(0, 8):(8, 1)]", "LAYOUT_EXTENT", 3, 4},                   //
                                         Refusal{"S[99999999999999999999:1]", "TXT_NUMBER", 2, 22},            //
                                         Refusal{"S[4:3037000500*3037000500]", "TXT_NUMBER", 4, 25},           //
                                         Refusal{"S[(4, n):(4, 1)]", "TXT_SYMBOL", 6, 7},                      //
                                         Refusal{"S[8:1] S[4:1]", "TXT_EXPECTED", 7, 8},                       //
                                         Refusal{"S[8:4@]", "TXT_EXPECTED", 6, 7},                             //
                                         Refusal{"S[8:4 // 0]", "TXT_NUMBER", 9, 10},                          //
                                         Refusal{"S[8:\"a b\"]", "TXT_EXPECTED", 4, 9},                        //
                                         Refusal{"S[8:\"laneid]", "TXT_EXPECTED", 4, 12},                      //
                                         Refusal{"ComposeLayout(3, 3, 2, S[8:1])", "LAYOUT_SWIZZLE", 14, 21},  //
                                         Refusal{"ComposeLayout(3, 3, 99, S[8:1])", "LAYOUT_SWIZZLE", 20, 22}, //
                                         Refusal{"ComposeLayout(3, 3, 3, ComposeLayout(3, 3, 3, S[8:1]))",
                                                 "TXT_NESTED_SWIZZLE", 23, 53},
                                         Refusal{"ComposeLayout(3, 3)", "TXT_EXPECTED", 18, 19},     //
                                         Refusal{"S[8:1@laneid + 1@warpid]", "TXT_EXPECTED", 4, 23}, //
                                         Refusal{"\"laneid\" + S[8:1]", "TXT_EXPECTED", 0, 8},       //
                                         Refusal{"(8, 4)", "TXT_EXPECTED", 0, 6}));

TEST(TirxRefusals, SayWhatWasExpectedAndFound) {
    EXPECT_EQ(read_tirx("S[(8, 64):(64, 1)").error().message, "expected ']' here, found the end of the text");
    EXPECT_EQ(read_tirx("S[8 x").error().message, "expected ':', ',' or ']' here, found 'x'");
}

TEST(TirxRefusals, DeepNestingEndsInADiagnostic) {
    const std::string deep = "S[" + std::string(100000, '(') + "8" + std::string(100000, ')') + ":1]";
    EXPECT_EQ(read_tirx(deep).error().code, "TXT_TOO_DEEP");
    const std::string minus = "S[8:" + std::string(100000, '-') + "1]";
    EXPECT_EQ(read_tirx(minus).error().code, "TXT_TOO_DEEP");
}

/// Layouts over many axes, with replicas, offsets and swizzles.
Layout random_layout(std::mt19937& rng) {
    const auto pick = [&](int low, int high) {
        return static_cast<std::int64_t>(std::uniform_int_distribution<int>(low, high)(rng));
    };
    static const std::array<Axis, 6> all{axes::m,     axes::laneid, axes::warpid,
                                         axes::TLane, axes::TCol,   Axis::named("cta_id")};
    const bool swizzled = pick(0, 3) == 0;
    const auto iters = [&](int most) {
        std::vector<Iter> out;
        for (std::int64_t n = pick(0, most); n > 0; --n) {
            out.push_back({pick(1, 64), pick(-8, 512), swizzled ? axes::m : all[static_cast<std::size_t>(pick(0, 5))]});
        }
        return out;
    };
    TileLayout tile;
    tile.shard = iters(5);
    tile.replica = iters(2);
    for (std::int64_t n = pick(0, 2); n > 0; --n) {
        tile.offset.insert_or_assign(swizzled ? axes::m : all[static_cast<std::size_t>(pick(0, 5))], pick(-9, 99));
    }
    if (!swizzled) return tile;
    const auto len = static_cast<int>(pick(0, 3));
    return ComposeLayout{static_cast<int>(pick(0, 5)), len, static_cast<int>(pick(len, 6)), std::move(tile),
                         pick(0, 1) == 1};
}

TEST(TirxRoundTrip, PrintedLayoutsReadBackEqual) {
    std::mt19937 rng(20260822);
    for (int i = 0; i < 3000; ++i) {
        const Layout layout = random_layout(rng);
        const std::string brief = print_tirx(layout);
        const Result<Layout> again = read_tirx(brief);
        ASSERT_TRUE(again.ok()) << brief << ": " << again.error().message;
        EXPECT_EQ(*again, layout) << brief;
        EXPECT_EQ(print_tirx(*again), brief);
        const std::string reference = print_tirx_repr(layout);
        const Result<Layout> third = read_tirx(reference);
        ASSERT_TRUE(third.ok()) << reference << ": " << third.error().message;
        EXPECT_EQ(*third, layout) << reference;
    }
}

} // namespace
} // namespace ls
