#include "core/notation/cute_text.h"

#include <random>

#include <gtest/gtest.h>

namespace ls::cute {
namespace {

struct Form {
    const char* text;
    const char* cpp;
    const char* plain;
};
class CuteForms : public testing::TestWithParam<Form> {};
TEST_P(CuteForms, ReadAndPrint) {
    const Form& form = GetParam();
    const Result<Composed> read = read_cute(form.text);
    ASSERT_TRUE(read.ok()) << form.text << ": " << read.error().message;
    EXPECT_EQ(print(*read, Style::Cpp), form.cpp);
    EXPECT_EQ(print(*read), form.plain);
    const Result<Composed> again = read_cute(print(*read, Style::Cpp));
    ASSERT_TRUE(again.ok()) << form.cpp;
    EXPECT_EQ(print(*again, Style::Cpp), form.cpp);
}
INSTANTIATE_TEST_SUITE_P(
    Grammar, CuteForms,
    testing::Values(
        Form{"(_4,_8):(_1,_4)", "(_4,_8):(_1,_4)", "(4,8):(1,4)"},
        Form{" ( _4 , 8 ) : ( _1 , 4 ) ", "(_4,8):(_1,4)", "(4,8):(1,4)"},
        Form{"(4, 8):(1, 4)", "(4,8):(1,4)", "(4,8):(1,4)"}, Form{"(8,):(1,)", "(8):(1)", "(8):(1)"},
        Form{"(Int<4>{},Int<8>()):(C<1>{},Int<4>)", "(_4,_8):(_1,_4)", "(4,8):(1,4)"},
        Form{"(4,8)", "(4,8):(_1,4)", "(4,8):(1,4)"}, Form{"(_4,_1,_2)", "(_4,_1,_2):(_1,_0,_4)", "(4,1,2):(1,0,4)"},
        Form{"(4,1,2)", "(4,1,2):(_1,4,4)", "(4,1,2):(1,4,4)"},
        Form{"((2,3),4):LayoutRight", "((2,3),4):((12,4),_1)", "((2,3),4):((12,4),1)"},
        Form{"((2,3),4):GenColMajor{}", "((2,3),4):((_1,2),6)", "((2,3),4):((1,2),6)"}, Form{"()", "():()", "():()"},
        Form{"_2:_-4", "_2:_-4", "2:-4"}, Form{"(4,3):(-1,4)", "(4,3):(-1,4)", "(4,3):(-1,4)"},
        Form{"(?,?{div=8}):(1,?{i64 div=2})", "(?,?{div=8}):(1,?{i64 div=2})", "(?,?{div=8}):(1,?{i64 div=2})"},
        Form{"(?{i64,div=3}):(1)", "(?{i64 div=3}):(1)", "(?{i64 div=3}):(1)"},
        Form{"(4,8):(_1@0,2@1@0)", "(4,8):(_1@0,2@1@0)", "(4,8):(1@0,2@1@0)"},
        Form{"(4,8):(E<0>{},E<0,1>)", "(4,8):(_1@0,_1@1@0)", "(4,8):(1@0,1@1@0)"},
        Form{"Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)",
             "Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)",
             "Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)"},
        Form{"S<3,3,3> o 0 o (8,64):(64,1)", "Sw<3,3,3> o 0 o (8,64):(64,1)", "Sw<3,3,3> o 0 o (8,64):(64,1)"},
        Form{"Swizzle<2,0,-3>{} o _5 o _16:_1", "Sw<2,0,-3> o _5 o _16:_1", "Sw<2,0,-3> o 5 o 16:1"},
        Form{"SW_3_4_3 o 0 o (8, 64):(64, 1)", "Sw<3,4,3> o 0 o (8,64):(64,1)", "Sw<3,4,3> o 0 o (8,64):(64,1)"},
        Form{"(_4,_5):(_1,_4) o _2 o (_2,_3):(_1,_2)", "(_4,_5):(_1,_4) o _2 o (_2,_3):(_1,_2)",
             "(4,5):(1,4) o 2 o (2,3):(1,2)"},
        Form{"Sw<1,4,3> o smem_sparse<2>_ptr[8b](unset) o 4:1", "Sw<1,4,3> o smem_sparse<2>_ptr[8b](unset) o 4:1",
             "Sw<1,4,3> o smem_sparse<2>_ptr[8b](unset) o 4:1"},
        Form{"!cute.layout<\"(4,2):(1,4)\">", "(4,2):(1,4)", "(4,2):(1,4)"},
        Form{"!cute.composed_layout<\"S<3,4,3> o 0 o (8,64):(64,1)\">", "Sw<3,4,3> o 0 o (8,64):(64,1)",
             "Sw<3,4,3> o 0 o (8,64):(64,1)"},
        Form{"tensor<ptr<f32, gmem> o (4,3):(3,1)>", "(4,3):(3,1)", "(4,3):(3,1)"},
        Form{"tensor(raw_ptr(0x0000: f32, generic, align<4>) o (8,5):(5,1), data=[1, 2])", "(8,5):(5,1)",
             "(8,5):(5,1)"},
        Form{"ArithTuple(_0,_0) o (_4,8):(_1@0,_1@1)", "(_4,8):(_1@0,_1@1)", "(4,8):(1@0,1@1)"}));

TEST(CuteTensors, KeepTheEngineAndItsWidth) {
    const Result<Composed> pointer = read_cute("ptr[32b]((nil)) o (_4,8):(8,_1)");
    ASSERT_TRUE(pointer.ok()) << pointer.error().message;
    EXPECT_EQ(pointer->engine, "ptr[32b]((nil))");
    EXPECT_EQ(pointer->element_bits, 32);
    const Result<Composed> swizzled =
        read_cute("Sw<3,4,3>_smem_ptr[16b](0x7f00) o ((_8,_8),(_64,_1)):((_64,_512),(_1,_0))");
    ASSERT_TRUE(swizzled.ok()) << swizzled.error().message;
    EXPECT_EQ(swizzled->element_bits, 16);
    ASSERT_EQ(swizzled->stages.size(), 1U);
    EXPECT_EQ(std::get<Swizzle>(swizzled->stages[0].outer), (Swizzle{3, 4, 3}));
    EXPECT_EQ(read_cute("tensor(raw_ptr(0x00: f16, generic) o (8,5):(5,1), data=…)")->element_bits, 16);
}

TEST(CuteBlocks, FindTheLayoutsOfAPrintedAtom) {
    const std::string text =
        "TiledMMA\n  ThrLayoutVMNK:  (_32,_2,_2,_1):(_1,_32,_64,_0)\n  PermutationMNK: (_,_,_)\nMMA_Atom\n"
        "  ThrID:      _32:_1\n  Shape_MNK:  (_16,_8,_16)\n  LayoutA_TV: "
        "((_4,_8),(_2,_2,_2)):((_32,_1),(_16,_8,_128))\n";
    const std::vector<TitledLayout> found = read_block(text);
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[0].title, "ThrLayoutVMNK");
    EXPECT_EQ(found[1].title, "ThrID");
    EXPECT_EQ(print(found[2].layout), "((4,8),(2,2,2)):((32,1),(16,8,128))");
    EXPECT_EQ(text.substr(found[1].span.begin, found[1].span.end - found[1].span.begin), "_32:_1");
}

struct Refusal {
    const char* text;
    const char* code;
    std::size_t begin, end;
};
class CuteRefusals : public testing::TestWithParam<Refusal> {};
TEST_P(CuteRefusals, NameThePlace) {
    const Refusal& r = GetParam();
    const Result<Composed> read = read_cute(r.text);
    ASSERT_FALSE(read.ok()) << r.text;
    EXPECT_EQ(read.error().code, r.code) << read.error().message;
    EXPECT_EQ(read.error().span, (Span{r.begin, r.end})) << r.text << ": " << read.error().message;
}
INSTANTIATE_TEST_SUITE_P(
    Places, CuteRefusals,
    testing::Values(Refusal{"((2,4),3):((1,2,3),8)", "CUTE_CONGRUENT", 11, 18},
                    Refusal{"(4,8):(1,(2,3))", "CUTE_CONGRUENT", 9, 14}, Refusal{"(4,8):1", "CUTE_CONGRUENT", 6, 7},
                    Refusal{"(4,0):(1,4)", "CUTE_EXTENT", 0, 11},
                    Refusal{"(4294967296,4294967296):(1,2)", "CUTE_OVERFLOW", 0, 29},
                    Refusal{"(3):(9223372036854775807)", "CUTE_OVERFLOW", 0, 25},
                    Refusal{"Sw<3,4,2> o 0 o 8:1", "CUTE_SWIZZLE", 0, 9},
                    Refusal{"Sw<3,4> o 0 o 8:1", "TXT_EXPECTED", 6, 7},
                    Refusal{"Sw<3,4,3> o 0", "TXT_EXPECTED", 13, 13}, Refusal{"Sw<3,4,3> 8:1", "TXT_EXPECTED", 10, 11},
                    Refusal{"(4,8):(1,4", "TXT_EXPECTED", 10, 10}, Refusal{"(4,_):(1,4)", "TXT_EXPECTED", 4, 5},
                    Refusal{"4:1 x", "TXT_EXPECTED", 4, 5}, Refusal{"4:1@laneid", "TXT_EXPECTED", 4, 10},
                    Refusal{"Sw<1,4,3> o smem_ptr[0b](unset) o 8:1", "TXT_EXPECTED", 21, 23},
                    Refusal{"(?{q}):(1)", "TXT_EXPECTED", 3, 4}));

TEST(CuteRefusals, DeepNestingEndsInADiagnostic) {
    EXPECT_EQ(read_cute(std::string(100000, '(') + "8").error().code, "TXT_TOO_DEEP");
    std::string chain;
    for (int i = 0; i < 1000; ++i) chain += "4:1 o 0 o ";
    EXPECT_EQ(read_cute(chain + "4:1").error().code, "TXT_TOO_DEEP");
}

TEST(CuteStyles, PycutePutsCommasBehindSingles) {
    EXPECT_EQ(print(*read_plain("(8):(1)"), Style::Pycute), "(8,):(1,)");
}

} // namespace
} // namespace ls::cute
