// Tensor memory, register fragments, scale factors and Trainium layouts.
#include <gtest/gtest.h>

#include "core/layout/catalogue/registers.h"
#include "core/layout/catalogue/scale_factors.h"
#include "core/layout/catalogue/tmem.h"
#include "core/layout/catalogue/trainium.h"
#include "core/layout/operations.h"

namespace ls::catalogue {
namespace {

AxisMap at(const TensorLayout& tensor, const Shape& coordinate) {
    const std::vector<Dim> x(coordinate.begin(), coordinate.end()), shape(tensor.shape.begin(), tensor.shape.end());
    return *apply(tensor.layout, x, shape);
}
std::int64_t on(const TensorLayout& tensor, const Shape& coordinate, Axis axis) {
    return at(tensor, coordinate).get(axis).value();
}
template <class T>
std::string code(const Result<T>& r) {
    return r.ok() ? "accepted" : r.error().code;
}

// --- tensor memory

TEST(Tmem, EveryDatapathPutsRowsWhereItShould) {
    struct Case {
        Datapath path;
        std::int64_t rows, row, col, lane, column;
    };
    for (const Case& c : {Case{Datapath::D, 128, 100, 7, 100, 7}, Case{Datapath::A, 128, 127, 31, 127, 31},
                          Case{Datapath::F, 64, 17, 3, 33, 3}, Case{Datapath::C, 64, 63, 0, 111, 0},
                          Case{Datapath::B, 64, 5, 20, 69, 4}, Case{Datapath::E, 64, 5, 15, 5, 15},
                          Case{Datapath::G, 32, 3, 25, 3 + 3 * 32, 1}}) {
        const Result<TensorLayout> layout = tmem_datapath(c.path, c.rows, 32, DType::Fp32);
        ASSERT_TRUE(layout.ok()) << letter(c.path);
        EXPECT_EQ(on(*layout, {c.row, c.col}, axes::TLane), c.lane) << letter(c.path);
        EXPECT_EQ(on(*layout, {c.row, c.col}, axes::TCol), c.column) << letter(c.path);
        EXPECT_EQ(datapath_rows(c.path), c.rows);
        EXPECT_EQ(datapath_from_letter(letter(c.path)), c.path);
    }
    EXPECT_EQ(on(*tmem_datapath(Datapath::F, 64, 8, {}, 1), {17, 3}, axes::TLane), 33 + 16);
}

TEST(Tmem, Refusals) {
    EXPECT_EQ(code(tmem_datapath(Datapath::B, 128, 32)), "TMEM_ROWS");
    EXPECT_EQ(code(tmem_datapath(Datapath::B, 64, 31)), "TMEM_COLS");
    EXPECT_EQ(code(tmem_datapath(Datapath::G, 32, 30)), "TMEM_COLS");
    EXPECT_EQ(code(tmem_datapath(Datapath::D, 128, 8, {}, 1)), "TMEM_SUB_SLAB");
    EXPECT_EQ(code(tmem_datapath(Datapath::B, 64, 8, {}, 1)), "TMEM_SUB_SLAB");
    EXPECT_EQ(code(tmem_datapath(Datapath::F, 64, 8, {}, 2)), "TMEM_SUB_SLAB");
    EXPECT_EQ(code(tmem_datapath(Datapath::D, 128, 0)), "LAYOUT_EXTENT");
    EXPECT_FALSE(datapath_from_letter('H').has_value());
}

TEST(MmaDatapath, FollowsMAndCtaGroup) {
    EXPECT_EQ(*mma_datapath({128, 1, false, false}), Datapath::D);
    EXPECT_EQ(*mma_datapath({64, 1, false, false}), Datapath::F);
    EXPECT_EQ(*mma_datapath({64, 1, true, false}), Datapath::E);
    EXPECT_EQ(*mma_datapath({256, 2, false, false}), Datapath::A);
    EXPECT_EQ(*mma_datapath({128, 2, false, false}), Datapath::B);
    EXPECT_EQ(code(mma_datapath({32, 1, false, false})), "TMEM_M");
    EXPECT_EQ(code(mma_datapath({128, 1, true, false})), "TMEM_WS");
    EXPECT_EQ(code(mma_datapath({128, 1, false, true})), "TMEM_SPARSE");
}

TEST(MmaOperand, FoldedShapesAreTheSameMemory) {
    const MmaShape b{128, 2, false, false};
    const Result<TensorLayout> flat = tmem_mma_operand(MmaOperand::D, Shape{64, 32}, b);
    const Result<TensorLayout> lanes_first = tmem_mma_operand(MmaOperand::D, Shape{2, 64, 16}, b);
    const Result<TensorLayout> rows_first = tmem_mma_operand(MmaOperand::D, Shape{64, 2, 16}, b);
    const Result<TensorLayout> grouped =
        tmem_mma_operand(MmaOperand::D, Shape{64, 32}, b, {}, std::array<std::int64_t, 3>{2, 2, 8});
    ASSERT_TRUE(flat.ok() && lanes_first.ok() && rows_first.ok() && grouped.ok());
    for (std::int64_t r = 0; r < 64; r += 9) {
        for (std::int64_t half = 0; half < 2; ++half) {
            for (std::int64_t c = 0; c < 16; c += 5) {
                EXPECT_EQ(at(*flat, {r, half * 16 + c}), at(*lanes_first, {half, r, c}));
                EXPECT_EQ(at(*flat, {r, half * 16 + c}), at(*rows_first, {r, half, c}));
            }
        }
    }
    EXPECT_EQ(on(*grouped, {3, 8 + 1}, axes::TLane), 67); // second half of the first group
    EXPECT_EQ(on(*grouped, {3, 16 + 1}, axes::TCol), 9);
    const Result<TensorLayout> a = tmem_mma_operand(MmaOperand::A, Shape{64, 32}, b);
    ASSERT_TRUE(a.ok());
    EXPECT_EQ(a->layout.tile().replica, (std::vector<Iter>{{2, 64, axes::TLane}})); // both lane halves hold A
}

TEST(MmaOperand, Refusals) {
    const MmaShape d{128, 1, false, false}, b{128, 2, false, false}, e{64, 1, true, false};
    using Group = std::array<std::int64_t, 3>;
    EXPECT_EQ(code(tmem_mma_operand(MmaOperand::D, Shape{64, 32}, d)), "TMEM_ROWS");
    EXPECT_EQ(code(tmem_mma_operand(MmaOperand::D, Shape{2, 64, 32}, d)), "TMEM_OPERAND_SHAPE");
    EXPECT_EQ(code(tmem_mma_operand(MmaOperand::A, Shape{1, 128, 64}, d)), "TMEM_OPERAND_SHAPE");
    EXPECT_EQ(code(tmem_mma_operand(MmaOperand::A, Shape{64, 32}, e)), "TMEM_OPERAND_SHAPE");
    EXPECT_EQ(code(tmem_mma_operand(MmaOperand::D, Shape{64, 32}, b, {}, Group{2, 3, 8})), "TMEM_GROUP");
    EXPECT_EQ(code(tmem_mma_operand(MmaOperand::D, Shape{64, 32}, b, {}, Group{2, 2, 4})), "TMEM_GROUP");
    EXPECT_EQ(code(tmem_mma_operand(MmaOperand::D, Shape{128, 32}, d, {}, Group{2, 2, 8})), "TMEM_GROUP");
    EXPECT_EQ(code(tmem_mma_operand(MmaOperand::A, Shape{64, 32}, b, {}, Group{2, 2, 8})), "TMEM_GROUP");
    EXPECT_EQ(code(tmem_mma_operand(MmaOperand::D, Shape{64, 0}, b)), "LAYOUT_EXTENT");
}

// --- registers

TEST(WgLocal, ThreadIsRow) {
    const Result<TensorLayout> layout = wg_local(16);
    EXPECT_EQ(on(*layout, {77, 9}, axes::tid_in_wg), 77);
    EXPECT_EQ(on(*layout, {77, 9}, axes::m), 9);
    EXPECT_EQ(code(wg_local(16, 129)), "WG_LOCAL_ROWS");
    EXPECT_EQ(code(wg_local(0)), "LAYOUT_EXTENT");
}

/// Register meaning of spec/tirx.md 4.3 for 64 rows of fp32: row and column of register r of a lane in warp w.
struct Meaning {
    std::int64_t row, col;
};
Meaning meaning(Tcgen05Shape shape, std::int64_t lane, std::int64_t r, std::int64_t w) {
    switch (shape) {
    case Tcgen05Shape::B16x64: return {lane / 4 + 8 * (lane & 1) + 16 * w, ((lane >> 1) & 1) + 2 * r};
    case Tcgen05Shape::B16x128: return {lane / 4 + 8 * (r & 1) + 16 * w, (lane & 3) + 4 * (r >> 1)};
    default: return {lane / 4 + 8 * ((r >> 1) & 1) + 16 * w, (r & 1) + 2 * (lane & 3) + 8 * (r >> 2)};
    }
}

TEST(Tcgen05Atom, RegistersMeanWhatTheTablesSay) {
    for (const Tcgen05Shape shape : {Tcgen05Shape::B16x64, Tcgen05Shape::B16x128, Tcgen05Shape::B16x256}) {
        const Result<Tcgen05Atom> atom = tcgen05_atom(shape, 64, 16, DType::Fp32);
        ASSERT_TRUE(atom.ok()) << name(shape);
        for (std::int64_t w = 0; w < 4; ++w) {
            for (std::int64_t lane = 0; lane < 32; ++lane) {
                for (std::int64_t r = 0; r < atom->registers; ++r) {
                    const Meaning m = meaning(shape, lane, r, w);
                    const Shape place{m.row, m.col};
                    EXPECT_EQ(on(atom->layout, place, axes::laneid), lane) << name(shape);
                    EXPECT_EQ(on(atom->layout, place, axes::wid_in_wg), w);
                    EXPECT_EQ(on(atom->layout, place, axes::m), r);
                }
            }
        }
    }
}

TEST(Tcgen05Atom, CountsRepetitionsAndRegisters) {
    EXPECT_EQ(tcgen05_atom(Tcgen05Shape::B16x256, 128, 64, DType::Fp32)->repeat, 8);
    EXPECT_EQ(tcgen05_atom(Tcgen05Shape::B16x256, 128, 64, DType::Fp32)->registers, 64);
    EXPECT_EQ(tcgen05_atom(Tcgen05Shape::B32x32, 128, 64, DType::Fp16)->registers, 32);
    EXPECT_EQ(tcgen05_shape_from_name("16x128b"), Tcgen05Shape::B16x128);
    EXPECT_FALSE(tcgen05_shape_from_name("16x32bx2").has_value());
}

TEST(Tcgen05Atom, Refusals) {
    EXPECT_EQ(code(tcgen05_atom(Tcgen05Shape::B32x32, 128, 64, DType::Int8)), "TCGEN05_DTYPE");
    EXPECT_EQ(code(tcgen05_atom(Tcgen05Shape::B32x32, 32, 64, DType::Fp32)), "TCGEN05_ROWS");
    EXPECT_EQ(code(tcgen05_atom(Tcgen05Shape::B32x32, 64, 32, DType::Fp16)), "TCGEN05_FP32");
    EXPECT_EQ(code(tcgen05_atom(Tcgen05Shape::B32x32, 64, 7, DType::Fp32)), "TCGEN05_COLS");
    EXPECT_EQ(code(tcgen05_atom(Tcgen05Shape::B16x128, 64, 2, DType::Fp32)), "TCGEN05_COLS");
    EXPECT_EQ(code(tcgen05_atom(Tcgen05Shape::B16x128, 64, 96, DType::Fp32)), "TCGEN05_REPEAT");
    EXPECT_EQ(code(tcgen05_atom(Tcgen05Shape::B32x32, 128, 7, DType::Fp32)), "TCGEN05_REPEAT");
    EXPECT_EQ(code(tcgen05_atom(Tcgen05Shape::B32x32, 128, 0, DType::Fp32)), "LAYOUT_EXTENT");
}

TEST(Fragments, OfMmaM16N8) {
    const Result<TensorLayout> d = mma_frag(MmaFragment::D);
    EXPECT_EQ(on(*d, {9, 5}, axes::laneid), 1 * 4 + 2);
    EXPECT_EQ(on(*d, {9, 5}, axes::m), 2 + 1);
    const Result<TensorLayout> b = mma_frag(MmaFragment::B, 16);
    EXPECT_EQ(on(*b, {9, 3}, axes::laneid), 3 * 4 + 0);
    EXPECT_EQ(on(*b, {9, 3}, axes::m), 2 + 1);
    EXPECT_EQ(mma_frag(MmaFragment::A, 16)->shape, (Shape{16, 16}));
    EXPECT_EQ(code(mma_frag(MmaFragment::A, 12)), "MMA_FRAG_K");
    EXPECT_EQ(on(*ldmatrix_frag(4), {3, 2, 1, 1}, axes::laneid), 14);
    EXPECT_EQ(on(*ldmatrix_frag(4), {3, 2, 1, 1}, axes::m), 3);
    EXPECT_EQ(code(ldmatrix_frag(3)), "LDMATRIX_NUM");
}

// --- scale factors

TEST(ScaleFactors, FourScalesShareACell) {
    const Result<TensorLayout> tmem = sf_tmem({128, 16, 4, 1, std::nullopt});
    EXPECT_EQ(on(*tmem, {37, 6}, axes::TLane), 5);
    EXPECT_EQ(on(*tmem, {37, 6}, axes::TCol), 4 + 16 + 2);
    EXPECT_EQ(tmem->layout.tile().replica, (std::vector<Iter>{{4, 32, axes::TLane}}));
    const Result<TensorLayout> smem = sf_smem({256, 8, 2, 1, 2});
    EXPECT_EQ(smem->shape, (Shape{2, 256, 8}));
    EXPECT_EQ(on(*smem, {1, 129, 5}, axes::m), 2048 + 1024 + 16 + 512 + 1);
}

TEST(ScaleFactors, Refusals) {
    EXPECT_EQ(code(sf_tmem({48, 4, 4, 1, {}})), "SF_ROWS");
    EXPECT_EQ(code(sf_tmem({128, 4, 3, 1, {}})), "SF_PER_MMA");
    EXPECT_EQ(code(sf_tmem({128, 6, 4, 1, {}})), "SF_K");
    EXPECT_EQ(code(sf_tmem({128, 4, 4, 0, {}})), "LAYOUT_EXTENT");
    EXPECT_EQ(code(sf_smem({64, 4, 4, 1, {}})), "SF_ROWS");
    EXPECT_EQ(code(sf_smem({128, 6, 2, 1, {}})), "SF_K");
    EXPECT_EQ(code(sf_smem({std::int64_t{1} << 60, 4, 4, 1, {}})), "LAYOUT_OVERFLOW");
}

// --- Trainium

TEST(Trainium, SplitsALargePartitionDimension) {
    const Result<TensorLayout> layout = trainium("PF", Shape{256, 64});
    const std::vector<Iter> wanted{{2, 64, axes::F}, {128, 1, axes::P}, {64, 1, axes::F}};
    EXPECT_EQ(layout->layout.tile().shard, wanted);
    const std::vector<Iter> banks{{128, 1, axes::P}, {2, 1, axes::Bank}, {512, 1, axes::F}};
    EXPECT_EQ(trainium("PF", Shape{128, 1024}, true)->layout.tile().shard, banks);
}

TEST(Trainium, Refusals) {
    EXPECT_EQ(code(trainium("PX", Shape{4, 8})), "TRN_ANNOTATION");
    EXPECT_EQ(code(trainium("P", Shape{128, 4})), "TRN_ANNOTATION");
    EXPECT_EQ(code(trainium("PF", Shape{200, 4})), "TRN_PARTITIONS");
    EXPECT_EQ(code(trainium("PF", Shape{128, 700}, true)), "TRN_BANK");
    EXPECT_EQ(code(trainium("PF", Shape{128, 0})), "LAYOUT_EXTENT");
}

} // namespace
} // namespace ls::catalogue
