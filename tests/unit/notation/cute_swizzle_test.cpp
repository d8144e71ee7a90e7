#include "core/notation/cute_swizzle.h"

#include <gtest/gtest.h>

#include "core/notation/cute_algebra.h"
#include "core/notation/cute_atoms.h"
#include "core/notation/cute_evaluate.h"
#include "core/notation/cute_text.h"

namespace ls::cute {
namespace {

template <class T>
std::string code(const Result<T>& r) {
    return r.ok() ? "accepted" : r.error().code;
}

TEST(Swizzle, IsAnInvolutionWithItsPeriod) {
    for (const Swizzle s :
         {Swizzle{3, 4, 3}, Swizzle{2, 0, 5}, Swizzle{3, 0, -3}, Swizzle{1, 2, -4}, Swizzle{0, 4, 3}}) {
        const std::int64_t p = period(s);
        for (std::int64_t x = 0; x < 2 * p; ++x) {
            ASSERT_EQ(apply(s, apply(s, x)), x) << print(s);
            ASSERT_EQ(apply(s, x + p), apply(s, x) + p) << print(s);
        }
        EXPECT_EQ(apply(s, 0), 0);
    }
}

TEST(Swizzle, ComesBackFromMasksAndFromItsTable) {
    for (const Swizzle s : {Swizzle{3, 4, 3}, Swizzle{2, 0, 5}, Swizzle{3, 0, -3}, Swizzle{1, 2, -4}}) {
        EXPECT_EQ(*swizzle_from_masks(y_mask(s), z_mask(s)), s) << print(s);
        std::vector<std::int64_t> table;
        for (std::int64_t x = 0; x < period(s); ++x) table.push_back(apply(s, x));
        EXPECT_EQ(*swizzle_from_table(table), s) << print(s);
    }
    EXPECT_EQ(code(swizzle_from_masks(5, 2)), "CUTE_MASKS");
    EXPECT_EQ(code(swizzle_from_masks(6, 3)), "CUTE_MASKS");
    EXPECT_EQ(code(swizzle_from_table(std::vector<std::int64_t>{0, 1, 2})), "CUTE_TABLE");
    EXPECT_EQ(swizzle_from_table(std::vector<std::int64_t>{1, 0, 3, 2}).error().message, "f(0)!=0");
    EXPECT_EQ(swizzle_from_table(std::vector<std::int64_t>{0, 1, 2, 0}).error().message,
              "not linear over GF(2): first x=3");
    // Bit 3 goes to bit 0 and bit 2 goes to bit 0: two shifts.
    std::vector<std::int64_t> two;
    for (std::int64_t x = 0; x < 16; ++x) two.push_back(x ^ (x >> 3 & 1) ^ (x >> 2 & 1));
    EXPECT_EQ(swizzle_from_table(two).error().message, "shift not constant");
}

TEST(Swizzle, UnitsAreBytesInFrontOfAFlaggedPointer) {
    EXPECT_EQ(print(*element_form(*read_cute("Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)"))),
              "Sw<3,3,3> o 0 o (8,64):(64,1)");
    EXPECT_EQ(print(*element_form(*read_cute("Sw<3,4,3> o smem_ptr[4b](unset) o (8,64):(64,1)"))),
              "Sw<3,5,3> o 0 o (8,64):(64,1)");
    EXPECT_EQ(print(*element_form(*read_cute("Sw<0,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)"))), "(8,64):(64,1)");
    EXPECT_EQ(evaluate(*read_cute("Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)"), *read_tree("(1,0)"))->unit,
              Unit::Elements);
    EXPECT_EQ(evaluate(*read_cute("Sw<3,3,3> o 0 o (8,64):(64,1)"), *read_tree("(1,0)"))->unit, Unit::Unit);
}

TEST(Swizzle, RecastMovesM) {
    EXPECT_EQ(print(*recast(Swizzle{3, 4, 3}, 8, 32)), "Sw<3,2,3>");
    EXPECT_EQ(print(*recast(Swizzle{3, 4, 3}, 8, 256)), "Sw<2,0,3>"); // bits below one element are lost
    EXPECT_EQ(code(recast(Swizzle{3, 4, 3}, 8, 24)), "CUTE_RECAST");
    EXPECT_EQ(code(recast(*read_cute("Sw<3,3,3> o 8 o 64:1"), 16, 8)), "CUTE_RECAST");
    EXPECT_EQ(code(recast(*read_cute("64:1 o 0 o 64:1"), 16, 8)), "CUTE_RECAST");
}

TEST(Atoms, NamesAndShapes) {
    for (const Major major : {Major::K, Major::Mn}) {
        for (const AtomSwizzle s : {AtomSwizzle::Interleave, AtomSwizzle::Sw32, AtomSwizzle::Sw64, AtomSwizzle::Sw128,
                                    AtomSwizzle::Sw128Base32}) {
            const auto found = atom_from_name(name(Atom{major, s}));
            ASSERT_TRUE(found.has_value());
            EXPECT_EQ(found->major, major);
            EXPECT_EQ(found->swizzle, s);
        }
    }
    EXPECT_FALSE(atom_from_name("Layout_K_SW256_Atom").has_value());
    EXPECT_EQ(print(*atom_layout({Major::Mn, AtomSwizzle::Sw128}, 16), Style::Cpp),
              "Sw<3,4,3> o smem_ptr[16b](unset) o (_64,_8):(_1,_64)");
    EXPECT_EQ(code(atom_layout({Major::K, AtomSwizzle::Sw128Base32}, 16)), "CUTE_ATOM");
    EXPECT_EQ(code(atom_layout({Major::K, AtomSwizzle::Sw128}, 12)), "CUTE_ATOM");
}

TEST(Descriptors, OfTiledAtoms) {
    const Composed atom = *atom_layout({Major::K, AtomSwizzle::Sw128}, 16);
    const Composed tile = *tile_to_shape(atom, std::vector<std::int64_t>{128, 64});
    EXPECT_EQ(matrix_descriptor(tile, Major::K, 64, 16, Architecture::Sm90)->word(), 0x4000004000010000U);
    EXPECT_EQ(matrix_descriptor(tile, Major::K, 128, 16, Architecture::Sm100)->word(), 0x4000404000010000U);
    EXPECT_EQ(code(matrix_descriptor(tile, Major::Mn, 64, 16, Architecture::Sm90)), "CUTE_DESCRIPTOR");
    EXPECT_EQ(code(matrix_descriptor(tile, Major::K, 256, 16, Architecture::Sm90)), "CUTE_DESCRIPTOR");
    EXPECT_EQ(code(matrix_descriptor(*read_cute("(8,64):(64,1)"), Major::K, 8, 16, Architecture::Sm90)),
              "CUTE_DESCRIPTOR");
    const Composed base32 = *atom_layout({Major::Mn, AtomSwizzle::Sw128Base32}, 32);
    EXPECT_EQ(code(matrix_descriptor(base32, Major::Mn, 32, 4, Architecture::Sm90)), "CUTE_DESCRIPTOR");
    EXPECT_TRUE(matrix_descriptor(base32, Major::Mn, 32, 4, Architecture::Sm100).ok());
}

} // namespace
} // namespace ls::cute
