#include "core/layout/catalogue/nz.h"

#include <set>

#include <gtest/gtest.h>

#include "core/layout/operations.h"

namespace ls::catalogue {
namespace {

std::int64_t offset(const TensorLayout& tensor, const Shape& at) {
    const std::vector<Dim> coordinate(at.begin(), at.end()), shape(tensor.shape.begin(), tensor.shape.end());
    const Result<AxisMap> map = apply(tensor.layout, coordinate, shape);
    return map ? map->get(axes::m).value() : -1;
}

/// The formula of spec/nz.md A.4 in plain arithmetic.
std::int64_t nz_formula(const Shape& shape, std::int64_t c0, std::int64_t b, std::int64_t r, std::int64_t c) {
    const std::int64_t rows = shape[shape.size() - 2], cols = shape[shape.size() - 1];
    return b * rows * cols + c / c0 * rows * c0 + r / 16 * 16 * c0 + r % 16 * c0 + c % c0;
}

class NzTensors : public testing::TestWithParam<std::pair<Shape, DType>> {};
TEST_P(NzTensors, FollowTheFormulaEverywhere) {
    const auto& [shape, dtype] = GetParam();
    const Result<TensorLayout> tensor = nz_tensor(shape, dtype);
    ASSERT_TRUE(tensor.ok()) << tensor.error().message;
    const std::int64_t c0 = *c0_elements(dtype);
    const std::int64_t batches = shape.size() == 3 ? shape[0] : 1;
    std::set<std::int64_t> seen;
    for (std::int64_t b = 0; b < batches; ++b) {
        for (std::int64_t r = 0; r < shape[shape.size() - 2]; ++r) {
            for (std::int64_t c = 0; c < shape.back(); ++c) {
                const Shape at = shape.size() == 3 ? Shape{b, r, c} : Shape{r, c};
                const std::int64_t found = offset(*tensor, at);
                ASSERT_EQ(found, nz_formula(shape, c0, b, r, c)) << r << "," << c;
                seen.insert(found);
            }
        }
    }
    EXPECT_EQ(static_cast<std::int64_t>(seen.size()), *seen.rbegin() + 1); // a permutation
}
INSTANTIATE_TEST_SUITE_P(Types, NzTensors,
                         testing::Values(std::pair{Shape{32, 64}, DType::Int8}, std::pair{Shape{48, 32}, DType::Fp16},
                                         std::pair{Shape{16, 8}, DType::Fp32}, std::pair{Shape{32, 4}, DType::Int64},
                                         std::pair{Shape{3, 16, 32}, DType::Bf16}));

TEST(NzTensor, RolesNameEveryIter) {
    const Result<TensorLayout> tensor = nz_tensor(Shape{2, 3, 64, 64}, DType::Fp16);
    ASSERT_TRUE(tensor.ok());
    const std::vector<IterRole>& roles = tensor->roles;
    ASSERT_EQ(roles.size(), tensor->layout.tile().shard.size());
    ASSERT_EQ(roles.size(), 6U);
    EXPECT_EQ(roles[0].name, "batch");
    EXPECT_EQ(roles[2].name, "fractal");
    EXPECT_EQ(roles[2].dim, 2U);
    EXPECT_EQ(roles[4].name, "column block");
    EXPECT_EQ(roles[4].dim, 3U);
    EXPECT_EQ(tensor->name, "nz(2, 3, 64, 64, f16)");
    EXPECT_EQ(tensor->space, MemorySpace::Gm);
    EXPECT_EQ(tensor->dim_names, (std::vector<std::string>{"b0", "b1", "r", "c"}));
}

TEST(NzBlocking, FoldsLeadingAxes) {
    const Result<NzBlocking> blocking = nz_blocking(Shape{2, 3, 256, 512}, DType::Int8);
    ASSERT_TRUE(blocking.ok());
    EXPECT_EQ(blocking->shape, (std::array<std::int64_t, 5>{6, 16, 16, 16, 32}));
    EXPECT_EQ(blocking->stride_elems, (std::array<std::int64_t, 5>{131072, 8192, 512, 32, 1}));
}

struct Refusal {
    const char* what;
    Shape shape;
    DType dtype;
    const char* code;
    const char* hint;
};
class NzRefusals : public testing::TestWithParam<Refusal> {};
TEST_P(NzRefusals, HaveTheirCodeAndMend) {
    const Refusal& r = GetParam();
    const Result<TensorLayout> tensor = nz_tensor(r.shape, r.dtype);
    ASSERT_FALSE(tensor.ok()) << r.what;
    EXPECT_EQ(tensor.error().code, r.code) << r.what;
    EXPECT_NE(tensor.error().hint.find(r.hint), std::string::npos) << tensor.error().hint;
}
INSTANTIATE_TEST_SUITE_P(
    Table, NzRefusals,
    testing::Values(Refusal{"rank 1", {512}, DType::Int8, "NZ_RANK_LT_2", "add the missing axis"},
                    Refusal{"sub-byte", {256, 512}, DType::Fp4, "NZ_DTYPE_SUBBYTE", "pl.ND"},
                    Refusal{"bool", {256, 512}, DType::Bool, "NZ_DTYPE_SUBBYTE", "pl.ND"},
                    Refusal{"fp64 has no width", {256, 512}, DType::Fp64, "NZ_DTYPE_SUBBYTE", "pl.ND"},
                    Refusal{"rows", {200, 512}, DType::Int8, "NZ_ROWS_UNALIGNED", "pad the rows to 208"},
                    Refusal{"no rows", {0, 32}, DType::Int8, "NZ_ROWS_UNALIGNED", "positive multiple of 16"},
                    Refusal{"columns", {16, 12}, DType::Fp32, "NZ_COLS_UNALIGNED", "pad the columns to 16"},
                    Refusal{"rows are told first", {24, 20}, DType::Fp16, "NZ_ROWS_UNALIGNED", "32"},
                    Refusal{"batch", {0, 16, 32}, DType::Int8, "LAYOUT_EXTENT", ""},
                    Refusal{"huge", {INT64_MAX / 32, 16, 32}, DType::Int8, "LAYOUT_OVERFLOW", ""},
                    Refusal{"huge rows", {INT64_MAX, 32}, DType::Int8, "NZ_ROWS_UNALIGNED", ""}));

struct TileCase {
    TileOrder order;
    DType dtype;
    Fractal fractal;
    std::int64_t rows, cols;
};
class Tiles : public testing::TestWithParam<TileCase> {};
TEST_P(Tiles, FollowTheFormulas) {
    const auto& [order, dtype, fractal, rows, cols] = GetParam();
    const Result<TensorLayout> tile = tile_layout(order, rows, cols, dtype, fractal);
    ASSERT_TRUE(tile.ok()) << tile.error().message;
    const Box box = *inner_box(order, dtype, fractal);
    for (std::int64_t r = 0; r < rows; ++r) {
        for (std::int64_t c = 0; c < cols; ++c) {
            const std::int64_t br = r / box.rows, rr = r % box.rows, bc = c / box.cols, cc = c % box.cols,
                               area = box.rows * box.cols;
            std::int64_t want = 0;
            switch (order) {
            case TileOrder::Nd: want = r * cols + c; break;
            case TileOrder::Dn: want = c * rows + r; break;
            case TileOrder::Nz: want = bc * rows * box.cols + br * area + rr * box.cols + cc; break;
            case TileOrder::Zn: want = br * cols * box.rows + bc * area + cc * box.rows + rr; break;
            case TileOrder::Zz: want = br * cols * box.rows + bc * area + rr * box.cols + cc; break;
            case TileOrder::Nn: want = bc * rows * box.cols + br * area + cc * box.rows + rr; break;
            }
            ASSERT_EQ(offset(*tile, {r, c}), want) << name(order) << " " << r << "," << c;
        }
    }
}
INSTANTIATE_TEST_SUITE_P(Orders, Tiles,
                         testing::Values(TileCase{TileOrder::Nd, DType::Fp32, Fractal::Operand, 4, 8},
                                         TileCase{TileOrder::Dn, DType::Fp32, Fractal::Operand, 16, 4},
                                         TileCase{TileOrder::Nz, DType::Int8, Fractal::Operand, 32, 64},
                                         TileCase{TileOrder::Nz, DType::Fp32, Fractal::Accumulator, 32, 32},
                                         TileCase{TileOrder::Zn, DType::Fp16, Fractal::Operand, 32, 64},
                                         TileCase{TileOrder::Zz, DType::Fp16, Fractal::Operand, 32, 32},
                                         TileCase{TileOrder::Zz, DType::Fp8E8M0, Fractal::Scale, 32, 4},
                                         TileCase{TileOrder::Nn, DType::Fp8E8M0, Fractal::Scale, 4, 32},
                                         TileCase{TileOrder::Nz, DType::Fp16, Fractal::Operand, 1, 32}));

TEST(Tiles, NzOfAMatrixIsZnOfItsTranspose) {
    const Result<TensorLayout> nz = tile_layout(TileOrder::Nz, 32, 64, DType::Fp16);
    const Result<TensorLayout> zn = tile_layout(TileOrder::Zn, 64, 32, DType::Fp16);
    for (std::int64_t n = 0; n < 32; ++n) {
        for (std::int64_t k = 0; k < 64; ++k) ASSERT_EQ(offset(*nz, {n, k}), offset(*zn, {k, n}));
    }
}

TEST(Tiles, Refusals) {
    EXPECT_EQ(tile_layout(TileOrder::Nz, 24, 64, DType::Fp16).error().code, "TILE_ROWS_UNALIGNED");
    EXPECT_EQ(tile_layout(TileOrder::Nz, 32, 24, DType::Fp16).error().code, "TILE_COLS_UNALIGNED");
    EXPECT_EQ(tile_layout(TileOrder::Nz, 32, 32, DType::Int4).error().code, "TILE_DTYPE_SUBBYTE");
    EXPECT_EQ(tile_layout(TileOrder::Zz, 32, 32, DType::Fp16, Fractal::Scale).error().code, "TILE_DTYPE_BOX");
    EXPECT_EQ(tile_layout(TileOrder::Nd, 0, 32, DType::Fp16).error().code, "LAYOUT_EXTENT");
    EXPECT_EQ(tile_layout(TileOrder::Nd, INT64_MAX, 32, DType::Fp16).error().code, "LAYOUT_OVERFLOW");
    EXPECT_EQ(check_unboxed_line(TileOrder::Nd, 4, 4, DType::Fp32).error().code, "TILE_LINE_UNALIGNED");
    EXPECT_TRUE(check_unboxed_line(TileOrder::Dn, 8, 4, DType::Fp32).ok());
}

TEST(Matrices, RowAndColumnMajor) {
    EXPECT_EQ(offset(*nd_tensor(Shape{2, 3, 4}, DType::Fp32), {1, 2, 3}), 23);
    EXPECT_EQ(offset(*dn_tensor(Shape{2, 3, 4}, DType::Fp32), {1, 2, 3}), 12 + 2 + 3 * 3);
    EXPECT_EQ(dn_tensor(Shape{4}, DType::Fp32).error().code, "NZ_RANK_LT_2");
    EXPECT_EQ(nd_tensor(Shape{}, DType::Fp32).error().code, "LAYOUT_EXTENT");
}

} // namespace
} // namespace ls::catalogue
