#include "core/notation/cute_convert.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/layout/operations.h"
#include "core/notation/cute_evaluate.h"
#include "core/notation/cute_swizzle.h"
#include "core/notation/cute_text.h"
#include "core/notation/notation.h"
#include "tests/unit/notation/cute_values.h"

namespace ls::cute {
namespace {

std::vector<Dim> dims(const Shape& s) { return {s.begin(), s.end()}; }

Shape unravel(std::int64_t index, const Shape& shape) {
    Shape at(shape.size());
    for (std::size_t d = shape.size(); d-- > 0;) {
        at[d] = index % shape[d];
        index /= shape[d];
    }
    return at;
}

/// Same value at every logical coordinate, on both sides.
void expect_same_function(const Composed& composed, const TensorLayout& tensor) {
    std::int64_t count = 1;
    for (const std::int64_t extent : tensor.shape) count *= extent;
    for (std::int64_t i = 0; i < count; ++i) {
        const Shape at = unravel(i, tensor.shape);
        std::vector<Tree> modes;
        for (const std::int64_t x : at) modes.push_back(Tree::number(x));
        const Tree coordinate = composed.layout.shape.is_leaf ? modes[0] : Tree::tuple(std::move(modes));
        const Result<Value> cute = evaluate(composed, coordinate);
        const Result<AxisMap> ours = ls::apply(tensor.layout, dims(at), dims(tensor.shape));
        ASSERT_TRUE(cute.ok() && ours.ok());
        ASSERT_EQ(cute->offset, ours->get(axes::m).value()) << print(composed) << " at " << i;
    }
}

TEST(ToTensor, KeepsTheFunctionOfAnyLayout) {
    std::mt19937 rng(11);
    for (int i = 0; i < 400; ++i) {
        Composed composed;
        composed.layout = testing::random_layout(rng);
        const Result<TensorLayout> tensor = to_tensor(composed);
        ASSERT_TRUE(tensor.ok()) << print(composed) << ": " << tensor.error().message;
        expect_same_function(composed, *tensor);
    }
}

TEST(ToTensor, KeepsTheFunctionUnderSwizzlesAndOffsets) {
    std::mt19937 rng(12);
    for (int i = 0; i < 300; ++i) {
        Composed composed;
        composed.layout = testing::random_layout(rng, 200, false);
        Stage stage;
        const int bits = static_cast<int>(rng() % 4), shift = bits + static_cast<int>(rng() % 3);
        stage.outer = Swizzle{bits, static_cast<int>(rng() % 5), rng() % 4 == 0 ? -shift : shift};
        if (rng() % 2 == 0) {
            stage.offset.number.value = static_cast<std::int64_t>(rng() % 100);
        } else {
            stage.outer = Swizzle{bits, 4, shift};
            stage.offset.kind = Offset::Kind::SmemPointer;
            stage.offset.element_bits = 4 << (rng() % 5);
            composed.element_bits = stage.offset.element_bits;
        }
        composed.stages.push_back(stage);
        const Result<TensorLayout> tensor = to_tensor(composed);
        ASSERT_TRUE(tensor.ok()) << print(composed) << ": " << tensor.error().message;
        expect_same_function(composed, *tensor);
    }
}

TEST(ToFlat, KeepsTheFlatFunction) {
    std::mt19937 rng(13);
    for (int i = 0; i < 300; ++i) {
        const CuteLayout layout = testing::random_layout(rng);
        const Result<Layout> flat = to_flat(layout);
        ASSERT_TRUE(flat.ok());
        for (std::int64_t x = 0; x < size(layout); ++x) {
            ASSERT_EQ(*crd2idx(x, layout), ls::apply(*flat, Dim(x))->get(axes::m).value())
                << print(layout) << " at " << x;
        }
    }
}

TEST(FromTensor, ComesBackAsTheSameFunction) {
    std::mt19937 rng(14);
    for (int i = 0; i < 400; ++i) {
        Composed composed;
        composed.layout = testing::random_layout(rng);
        const Result<TensorLayout> tensor = to_tensor(composed);
        ASSERT_TRUE(tensor.ok());
        const Result<FromTensor> back = from_tensor(*tensor);
        ASSERT_TRUE(back.ok()) << print(composed) << ": " << back.error().message;
        // A layout of one mode loses that it was one; everything else keeps its modes.
        const TensorLayout& t = *tensor;
        if (t.shape.size() > 1) expect_same_function(back->composed, t);
        for (std::int64_t x = 0; x < size(composed.layout); ++x) {
            ASSERT_EQ(*crd2idx(x, composed.layout), *crd2idx(x, back->composed.layout))
                << print(composed) << " -> " << print(back->composed);
        }
    }
}

TEST(FromTensor, PrintsAxesAsBasisStridesThatReadBack) {
    const Result<TensorLayout> fragment = read_layout("S[(8, 4, 2):(4@laneid, 1@laneid, 1)] | [8, 8]");
    ASSERT_TRUE(fragment.ok());
    const Result<std::string> text = print_as(*fragment, Notation::Cute);
    ASSERT_TRUE(text.ok()) << text.error().message;
    EXPECT_EQ(*text, "(8,(2,4)):(4@0,(1@1,1@0)) | @0=laneid, @1=m");
    const Result<TensorLayout> again = read_layout(*text);
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(again->layout, fragment->layout);
    EXPECT_EQ(again->shape, fragment->shape);
    EXPECT_EQ(again->space, MemorySpace::Registers);
}

TEST(ToTensor, FlaggedPointersTellWidthAndMemory) {
    const Result<TensorLayout> tensor = to_tensor(*read_cute("Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)"));
    ASSERT_TRUE(tensor.ok());
    EXPECT_EQ(tensor->dtype, DType::UInt16);
    EXPECT_EQ(tensor->space, MemorySpace::Smem);
    EXPECT_EQ(tensor->layout.compose()->per_element, 3);
}

TEST(ToTensor, FoldsOuterLayoutsThatCompose) {
    const Composed composed = *read_cute("(4,6):(6,1) o 0 o (2,3):(1,4)");
    const Result<TensorLayout> tensor = to_tensor(composed);
    ASSERT_TRUE(tensor.ok()) << tensor.error().message;
    expect_same_function(composed, *tensor);
    const Composed shifted = *read_cute("24:3 o 5 o (2,3):(1,4)");
    expect_same_function(shifted, *to_tensor(shifted));
}

TEST(Conversions, Refusals) {
    const auto to = [](const char* text) {
        const auto r = to_tensor(*read_cute(text));
        return r.ok() ? std::string("accepted") : r.error().code;
    };
    EXPECT_EQ(to("(?,4):(1,2)"), "CUTE_UNKNOWN");
    EXPECT_EQ(to("Sw<3,3,3> o ? o 8:1"), "CUTE_UNKNOWN");
    EXPECT_EQ(to("Sw<1,3,3> o 0 o Sw<1,3,3> o 0 o 64:1"), "CUTE_STAGES");
    EXPECT_EQ(to("64:1 o 0 o Sw<1,3,3> o 0 o 64:1"), "CUTE_STAGES");
    EXPECT_EQ(to("(4,4):(1,5) o 1 o 4:1"), "CUTE_STAGES");
    EXPECT_EQ(to("(4,4):(1,5) o 0 o (3,3):(1,3)"), "CUTE_NO_COMPOSITION");
    EXPECT_EQ(to("Sw<1,3,3> o 0 o (4,4):(1@0,1@1)"), "CUTE_BASIS");
    EXPECT_EQ(to("Sw<1,4,3> o smem_ptr[24b](unset) o 8:1"), "CUTE_RECAST");
    EXPECT_EQ(to("Sw<1,4,3> o smem_sparse<2>_ptr[8b](unset) o 8:1"), "CUTE_SPARSE");
    const auto from = [](const char* text) {
        const auto r = print_as(*read_layout(text), Notation::Cute);
        return r.ok() ? "said " + *r : r.error().message;
    };
    EXPECT_EQ(from("S[(32,4):(1@TLane,1@TCol)] + R[4:32@TLane]"),
              "replica: one coordinate has 4 addresses; CuTe has a function, not a relation");
    EXPECT_EQ(from("S[8:1] + 64"), "offset 64 on m: a plain CuTe layout maps 0 to 0; give the offset to the pointer");
    EXPECT_EQ(from("S[(2,3):(3,1)] | [3, 2]"), "shape (3,2) does not group extents (2,3)");
}

TEST(FragmentFromTv, InvertsThreadAndValue) {
    const CuteLayout tv = *read_plain("((4,8),(2,2,2)):((32,1),(16,8,128))");
    const Result<TensorLayout> fragment = fragment_from_tv(tv, 16, 16, axes::laneid);
    ASSERT_TRUE(fragment.ok()) << fragment.error().message;
    for (std::int64_t t = 0; t < 32; ++t) {
        for (std::int64_t v = 0; v < 8; ++v) {
            const std::int64_t flat = *crd2idx(std::array{t, v}, tv);
            const Result<AxisMap> at = ls::apply(fragment->layout, dims({flat % 16, flat / 16}), dims({16, 16}));
            EXPECT_EQ(at->get(axes::laneid).value(), t);
            EXPECT_EQ(at->get(axes::m).value(), v);
        }
    }
    const Result<TensorLayout> broadcast = fragment_from_tv(*read_plain("((4,8),2):((0,1),8)"), 8, 2, axes::laneid);
    EXPECT_EQ(broadcast->layout.tile().replica, (std::vector<Iter>{{4, 1, axes::laneid}}));
}

TEST(FragmentFromTv, Refusals) {
    const auto code = [](const char* tv, std::int64_t m, std::int64_t n) {
        const auto r = fragment_from_tv(*read_plain(tv), m, n, axes::laneid);
        return r.ok() ? std::string("accepted") : r.error().code;
    };
    EXPECT_EQ(code("8:1", 8, 1), "CUTE_TV");
    EXPECT_EQ(code("(4,2):(1,8)", 4, 2), "CUTE_TV"); // a gap
    EXPECT_EQ(code("(4,2):(1,4)", 4, 4), "CUTE_TV"); // not the whole tile
    EXPECT_EQ(code("(6,2):(1,6)", 4, 3), "CUTE_TV"); // crosses the rows unevenly
    EXPECT_EQ(code("(4,2):(1,4)", 0, 2), "CUTE_TV");
    EXPECT_EQ(code("(4,?):(1,4)", 4, 2), "CUTE_UNKNOWN");
    EXPECT_EQ(code("(4,2):(1@0,4)", 4, 2), "CUTE_BASIS");
}

} // namespace
} // namespace ls::cute
