#include "core/notation/cute_algebra.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "core/notation/cute_evaluate.h"
#include "core/notation/cute_text.h"
#include "tests/unit/notation/cute_values.h"

namespace ls::cute {
namespace {

CuteLayout L(const char* text) { return *read_plain(text); }
std::int64_t at(const CuteLayout& layout, std::int64_t i) { return *crd2idx(i, layout); }
template <class T>
std::string code(const Result<T>& r) {
    return r.ok() ? "accepted" : r.error().code;
}

TEST(Coalesce, KeepsTheFunction) {
    std::mt19937 rng(1);
    for (int i = 0; i < 500; ++i) {
        const CuteLayout a = testing::random_layout(rng);
        const Result<CuteLayout> c = coalesce(a);
        ASSERT_TRUE(c.ok());
        EXPECT_LE(depth(c->shape), 1U);
        for (std::int64_t x = 0; x < size(a); ++x) ASSERT_EQ(at(a, x), at(*c, x)) << print(a);
    }
    EXPECT_EQ(print(*coalesce(L("((2,2),(2,2)):((1,2),(4,8))"), *read_tree("(1,1)"))), "(4,4):(1,4)");
    EXPECT_EQ(code(coalesce(L("4:1"), *read_tree("(1,1)"))), "CUTE_PROFILE");
}

/// What a composition promises, from the definition.
void expect_composition(const CuteLayout& a, const CuteLayout& b) {
    const Result<CompositionAnswer> answer = decide_composition(a, b);
    ASSERT_TRUE(answer.ok()) << answer.error().message;
    if (!answer->layout) {
        const CompositionWitness& w = *answer->witness;
        EXPECT_NE(w.want, w.found) << print(a) << " o " << print(b);
        if (w.kind == CompositionWitness::Kind::Carry) {
            EXPECT_EQ(w.want, at(a, at(b, w.at)));
        }
        return;
    }
    ASSERT_EQ(size(*answer->layout), size(b)) << print(a) << " o " << print(b);
    for (std::int64_t x = 0; x < size(b); ++x)
        ASSERT_EQ(at(*answer->layout, x), at(a, at(b, x))) << print(a) << " o " << print(b) << " at " << x;
}

TEST(Composition, IsExactOrRefusedWithAWitness) {
    std::mt19937 rng(2);
    for (int i = 0; i < 1500; ++i) {
        expect_composition(testing::random_layout(rng, 100, false), testing::random_layout(rng, 60, false));
        expect_composition(testing::random_compact(rng, 100), testing::random_compact(rng, 60));
    }
}

TEST(Composition, LeavesOfSizeTwoAlwaysExist) {
    std::mt19937 rng(3);
    for (int i = 0; i < 200; ++i) {
        const CuteLayout a = testing::random_layout(rng, 100, false);
        const CuteLayout b = make_leaf(2, static_cast<std::int64_t>(rng() % 50));
        EXPECT_TRUE(decide_composition(a, b)->layout.has_value()) << print(a) << " o " << print(b);
    }
}

TEST(Composition, KnownPairs) {
    EXPECT_EQ(print(*composition(L("(6,2):(8,2)"), L("(4,3):(3,1)"))), "((2,2),3):((24,2),8)");
    EXPECT_EQ(print(*composition(L("20:2"), L("(5,4):(4,1)"))), "(5,4):(8,2)");
    // Accepted silently by CuTe, with wrong values.
    EXPECT_EQ(code(composition(L("(4,6,8):(2,3,5)"), L("6:3"))), "CUTE_NO_COMPOSITION");
    EXPECT_EQ(code(composition(L("(6,2):(1,7)"), L("(3,2):(2,3)"))), "CUTE_NO_COMPOSITION");
    EXPECT_EQ(code(composition(L("(10,2):(16,4)"), L("6:3"))), "CUTE_NO_COMPOSITION");
}

TEST(Composition, BasisStridesPickModes) {
    EXPECT_EQ(print(*composition(L("(4,8):(8,1)"), L("(2,3):(1@1,1@0)"))), "(2,3):(1,8)");
    EXPECT_EQ(code(composition(L("(4,8):(8,1)"), L("2:1@2"))), "CUTE_BASIS");
    EXPECT_EQ(print(*composition(L("(4,8,3):(8,1,32)"), Tiler{std::nullopt, L("2:1")})), "(4,2):(8,1)");
    EXPECT_EQ(code(composition(L("(4,8):(8,1)"), Tiler{{}, {}, {}})), "CUTE_RANK");
}

TEST(Complement, IsDisjointAndIncreasing) {
    std::mt19937 rng(4);
    int holes = 0;
    for (int i = 0; i < 300; ++i) {
        const CuteLayout a = testing::random_compact(rng, 60);
        const std::int64_t n = size(a) * (1 + static_cast<std::int64_t>(rng() % 5));
        const Result<CuteLayout> c = complement(a, n);
        ASSERT_TRUE(c.ok()) << print(a) << ": " << c.error().message;
        std::set<std::int64_t> sums;
        for (std::int64_t x = 0; x < size(a); ++x) {
            for (std::int64_t y = 0; y < size(*c); ++y) sums.insert(at(a, x) + at(*c, y));
        }
        EXPECT_EQ(static_cast<std::int64_t>(sums.size()), size(a) * size(*c)) << print(a);
        if (*sums.rbegin() + 1 != static_cast<std::int64_t>(sums.size())) ++holes;
    }
    EXPECT_EQ(holes, 0); // compact layouts leave none
    EXPECT_EQ(print(*complement(L("(2,2):(1,6)"), 24)), "(3,2):(2,12)");
    EXPECT_EQ(print(*complement(L("(2,2):(1,3)"), 12)), "2:6"); // floored: holes are possible
    EXPECT_EQ(code(complement(L("(4,4):(1,1)"), 16)), "CUTE_NOT_INJECTIVE");
    EXPECT_EQ(code(complement(L("4:-1"), 16)), "CUTE_NEGATIVE");
    EXPECT_EQ(code(complement(L("4:1"), 0)), "CUTE_EXTENT");
    EXPECT_EQ(code(complement(L("4:1@0"), 4)), "CUTE_BASIS");
    EXPECT_EQ(code(complement(L("?:1"), 4)), "CUTE_UNKNOWN");
}

TEST(Inverses, UndoTheLayout) {
    std::mt19937 rng(5);
    for (int i = 0; i < 300; ++i) {
        const CuteLayout a = testing::random_compact(rng);
        const Result<CuteLayout> right = right_inverse(a), left = left_inverse(a);
        ASSERT_TRUE(right.ok() && left.ok()) << print(a);
        EXPECT_EQ(size(*right), size(a));
        for (std::int64_t x = 0; x < size(a); ++x) {
            ASSERT_EQ(at(a, at(*right, x)), x) << print(a);
            ASSERT_EQ(at(*left, at(a, x)), x) << print(a);
        }
    }
    for (int i = 0; i < 200; ++i) {
        const CuteLayout a = testing::random_layout(rng, 100, false);
        const Result<CuteLayout> right = right_inverse(a);
        ASSERT_TRUE(right.ok());
        for (std::int64_t x = 0; x < size(*right); ++x) ASSERT_EQ(at(a, at(*right, x)), x) << print(a);
    }
    EXPECT_EQ(code(left_inverse(L("(2,2):(2,3)"))), "CUTE_NO_INVERSE");
    EXPECT_EQ(code(left_inverse(L("2:-1"))), "CUTE_NEGATIVE");
    EXPECT_EQ(print(*nullspace(L("(4,8,2):(1,0,4)"))), "8:4");
}

TEST(Divide, TileModeIsTheTilersValues) {
    std::mt19937 rng(6);
    int made = 0;
    for (int i = 0; i < 300; ++i) {
        const CuteLayout a = testing::random_compact(rng);
        const CuteLayout t =
            make_leaf(1 + static_cast<std::int64_t>(rng() % 4), 1 + static_cast<std::int64_t>(rng() % 3));
        const Result<CuteLayout> d = divide(a, t);
        if (!d) continue;
        ++made;
        for (std::int64_t x = 0; x < size(t); ++x)
            ASSERT_EQ(at(mode(*d, 0), x), at(a, at(t, x))) << print(a) << " / " << print(t);
    }
    EXPECT_GT(made, 100);
    const CuteLayout a = L("(9,(4,8)):(59,(13,1))");
    const Tiler tiler{L("3:3"), L("(2,4):(1,8)")};
    EXPECT_EQ(print(*divide(a, tiler)), "((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))");
    EXPECT_EQ(print(*divide(a, tiler, Arrangement::Zipped)), "((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))");
    EXPECT_EQ(print(*divide(a, tiler, Arrangement::Tiled)), "((3,(2,4)),3,(2,2)):((177,(13,2)),59,(26,1))");
    EXPECT_EQ(print(*divide(a, tiler, Arrangement::Flat)), "(3,(2,4),3,(2,2)):(177,(13,2),59,(26,1))");
    EXPECT_EQ(print(*divide(L("12:1"), L("5:1"))), "(5,3):(1,5)"); // rounds up and runs past the end
    EXPECT_EQ(code(divide(L("4:1"), Tiler{{}, {}})), "CUTE_RANK");
}

TEST(Product, BlockComesFirstAndCopiesAreDisjoint) {
    EXPECT_EQ(print(*product(L("(2,2):(1,2)"), L("(3,4):(4,1)"))), "((2,2),(3,4)):((1,2),(16,4))");
    EXPECT_EQ(print(*blocked_product(L("(2,5):(5,1)"), L("(3,4):(1,3)"))), "((2,3),(5,4)):((5,10),(1,30))");
    EXPECT_EQ(print(*raked_product(L("(2,5):(5,1)"), L("(3,4):(1,3)"))), "((3,2),(4,5)):((10,5),(30,1))");
    EXPECT_EQ(print(*product(L("(2,5):(5,1)"), Tiler{L("3:5"), L("4:6")}, Arrangement::Flat)), "(2,5,3,4):(5,1,10,30)");
    EXPECT_EQ(code(product(L("4:2"), L("3:1"))), "CUTE_NO_COMPOSITION");
    EXPECT_EQ(code(product(L("4:1"), Tiler{{}, {}})), "CUTE_RANK");
    EXPECT_EQ(code(product(L("4:1"), make_leaf(2, INT64_MAX / 2))), "CUTE_OVERFLOW");
    EXPECT_EQ(injective(*product(L("(2,2):(1,2)"), L("(3,4):(4,1)"))), true);
}

TEST(TileToShape, FillsTheShape) {
    const std::vector<std::int64_t> shape{256, 64, 3}, step{2, 1, 3};
    EXPECT_EQ(print(*tile_to_shape(L("(64,8):(1,64)"), shape)), "((64,4),(8,8),(1,3)):((1,512),(64,2048),(0,16384))");
    EXPECT_EQ(print(*tile_to_shape(L("(64,8):(1,64)"), shape, step)),
              "((64,4),(8,8),(1,3)):((1,4096),(64,512),(0,16384))");
    EXPECT_EQ(code(tile_to_shape(L("(64,8):(1,64)"), std::vector<std::int64_t>{100, 64})), "CUTE_TILE");
    EXPECT_EQ(code(tile_to_shape(L("(64,8):(1,64)"), std::vector<std::int64_t>{64})), "CUTE_RANK");
    EXPECT_EQ(code(tile_to_shape(L("(64,8):(1,64)"), shape, std::vector<std::int64_t>{1, 2})), "CUTE_STEP");
}

TEST(Recast, UpAndDown) {
    EXPECT_EQ(print(*recast(L("(8,64):(64,1)"), 16, 8)), "(8,128):(128,1)");
    EXPECT_EQ(print(*recast(L("(8,64):(64,1)"), 16, 32)), "(8,32):(32,1)");
    EXPECT_EQ(print(*recast(L("(8,48):(48,1)"), 16, 24)), "(8,32):(32,1)"); // through 8 bits
    EXPECT_EQ(code(recast(L("(8,64):(64,1)"), 16, 24)), "CUTE_RECAST");
    EXPECT_EQ(print(*downcast(L("(4,8):(-8,1)"), 2)), "(4,16):(-16,1)");
    EXPECT_EQ(code(upcast(L("(8,64):(63,1)"), 4)), "CUTE_RECAST");
    EXPECT_EQ(code(downcast(L("(8,64):(64,2)"), 4)), "CUTE_RECAST");
    EXPECT_EQ(code(upcast(L("8:1"), 0)), "CUTE_RECAST");
    EXPECT_EQ(code(recast(L("8:1"), 0, 8)), "CUTE_RECAST");
}

TEST(ThreadValue, CountsThreadsFirst) {
    const Result<ThreadValue> tv = make_layout_tv(L("(4,8):(8,1)"), L("(1,4):(4,1)"));
    ASSERT_TRUE(tv.ok());
    EXPECT_EQ(print(tv->tv), "((8,4),4):((16,1),4)");
    EXPECT_EQ(tv->tiler, (std::vector<std::int64_t>{4, 32}));
    for (std::int64_t x = 0; x < size(tv->tv); ++x) EXPECT_EQ(at(tv->mn, at(tv->tv, x)), x);
    EXPECT_EQ(*max_common_vector(L("(8,8):(8,1)"), L("(8,8):(8,1)")), 64);
    EXPECT_EQ(*max_common_vector(L("(4,8):(1,4)"), L("(4,8):(8,1)")), 1);
}

TEST(Static, ResultsAreStaticWhereAllInputsAre) {
    EXPECT_EQ(print(*complement(L("(_2,_2):(_1,_6)"), 24), Style::Cpp), "(_3,_2):(_2,_12)");
    EXPECT_EQ(print(*complement(L("(_2,2):(_1,_6)"), 24), Style::Cpp), "(3,2):(2,12)");
}

// --- evaluation

TEST(Evaluate, EveryModeTakesANumberOrItsCoordinate) {
    const CuteLayout layout = L("((2,4),3):((1,2),8)");
    EXPECT_EQ(at(layout, 5), 5);
    EXPECT_EQ(*crd2idx(*read_tree("(5,0)"), layout), 5);
    EXPECT_EQ(*crd2idx(*read_tree("((1,2),0)"), layout), 5);
    EXPECT_EQ(at(layout, 30), 8 * 3 + 6); // past the end the last mode takes what remains
    EXPECT_EQ(print(idx2crd(5, layout.shape)), "((1,2),0)");
    EXPECT_EQ(code(crd2idx(*read_tree("(1,2,3)"), layout)), "CUTE_COORDINATE");
    EXPECT_EQ(code(crd2idx(3, L("(4,4):(1@0,1@1)"))), "CUTE_BASIS");
    EXPECT_EQ(code(crd2idx(3, L("(?,4):(1,2)"))), "CUTE_UNKNOWN");
    EXPECT_EQ(code(crd2idx(INT64_MAX, L("4:8"))), "CUTE_OVERFLOW");
    EXPECT_EQ(code(table(L("(4096,4096,4096):(1,1,1)"))), "CUTE_TOO_LARGE");
    EXPECT_EQ(coordinate_of(*read_tree("(3,2)"), L("(4,4):(1@0,1@1)"))->at({1}), 2);
    EXPECT_EQ(evaluate(*read_cute("Sw<3,3,3> o -9 o 8:1"), 0).error().code, "CUTE_NEGATIVE");
}

TEST(Evaluate, InjectiveAndCompactAgreeWithTheTable) {
    std::mt19937 rng(7);
    for (int i = 0; i < 500; ++i) {
        const CuteLayout a = i % 2 == 0 ? testing::random_layout(rng) : testing::random_compact(rng);
        std::vector<std::int64_t> values = *table(a);
        std::sort(values.begin(), values.end());
        const bool one = std::adjacent_find(values.begin(), values.end()) == values.end();
        EXPECT_EQ(injective(a), one) << print(a);
        EXPECT_EQ(compact(a), one && values.front() == 0 && values.back() == size(a) - 1) << print(a);
    }
    EXPECT_FALSE(injective(L("(?,4):(1,2)")).has_value());
}

TEST(Evaluate, CosizeHasTwoMeanings) {
    EXPECT_EQ(cosize(L("(4,3):(-1,4)")), 12);
    EXPECT_EQ(cosize_pycute(L("(4,3):(-1,4)")), 6);
    EXPECT_EQ(min_offset(L("(4,3):(-1,4)")), -3);
}

} // namespace
} // namespace ls::cute
