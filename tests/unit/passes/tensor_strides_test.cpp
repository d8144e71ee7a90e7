#include "core/passes/nz/tensor_strides.h"

#include <gtest/gtest.h>

#include "core/passes/nz/materialize_tensor_strides.h"
#include "tests/unit/passes/kernel_text.h"

namespace ls::nz {
namespace {

using namespace ir;
using Numbers = std::vector<std::int64_t>;

std::optional<Numbers> strides(const Numbers& shape, TensorOrder order) {
    const auto s = packed_strides(const_ints(shape), order);
    return s.ok() ? constant_dims(*s) : std::nullopt;
}

TEST(PackedStrides, FollowFromShapeAndOrder) {
    EXPECT_EQ(strides({2, 4, 8}, TensorOrder::ND), (Numbers{32, 8, 1}));
    EXPECT_EQ(strides({2, 4, 8}, TensorOrder::DN), (Numbers{32, 1, 4}));
    EXPECT_EQ(strides({3, 5, 4, 8}, TensorOrder::DN), (Numbers{160, 32, 1, 4}));
    EXPECT_EQ(strides({4, 8}, TensorOrder::DN), (Numbers{1, 4}));
    EXPECT_EQ(strides({1, 16, 16, 16, 32}, TensorOrder::NZ), (Numbers{131072, 8192, 512, 32, 1}));
    EXPECT_EQ(strides({}, TensorOrder::ND), Numbers{});
    EXPECT_EQ(packed_strides(const_ints({4}), TensorOrder::DN).error().code, "VIEW_DN_RANK");
}

TEST(PackedStrides, KeepSymbolsAndWhatOverflows) {
    const Var n = var("n", scalar_type(DType::Index));
    const auto s = packed_strides(std::vector<Expr>{const_int(2), n, const_int(8)}, TensorOrder::ND);
    EXPECT_EQ(pypto::print(*(*s)[0]), "8 * n");
    const auto big = packed_strides(const_ints({2, std::int64_t{1} << 40, std::int64_t{1} << 40}), TensorOrder::ND);
    ASSERT_TRUE(big.ok());
    EXPECT_EQ((*big)[0]->kind, NodeKind::Binary);
}

struct View {
    Numbers shape, stride;
    TensorOrder order;
    bool ok;
};

TEST(CanonicalView, IsCheckedAxisByAxis) {
    const View views[] = {
        {{1, 2, 4, 16, 8}, {1024, 512, 128, 8, 1}, TensorOrder::NZ, true},
        {{1, 2, 4, 16, 8}, {2048, 1024, 128, 8, 1}, TensorOrder::NZ, true},
        {{1, 2, 4, 16, 8}, {1024, 256, 128, 8, 1}, TensorOrder::NZ, false},
        {{1, 2, 4, 16, 8}, {1024, 512, 128, 8, 2}, TensorOrder::NZ, false},
        {{1, 2, 4, 16, 8}, {}, TensorOrder::NZ, false},
        {{8, 16}, {8, 1}, TensorOrder::ND, false},
        {{8, 16}, {16, 1, 1}, TensorOrder::ND, false},
        {{4, 8}, {1, 4}, TensorOrder::DN, true},
        {{4, 8}, {1, 2}, TensorOrder::DN, false},
        {{4}, {1}, TensorOrder::DN, false},
        {{3, 4, 8}, {3, 1, 4}, TensorOrder::DN, false},
        {{}, {}, TensorOrder::ND, true},
    };
    for (const View& v : views) {
        const Status s = check_canonical_view(const_ints(v.shape), const_ints(v.stride), v.order);
        EXPECT_EQ(s.ok(), v.ok) << v.shape.size() << " axes";
        EXPECT_TRUE(s.ok() || s.error().code == "VIEW_NOT_CANONICAL");
    }
    const Var n = var("n", scalar_type(DType::Index));
    const std::vector<Expr> shape{const_int(4), n}, stride{n, const_int(1)};
    EXPECT_TRUE(check_canonical_view(shape, stride, TensorOrder::ND).ok());
    EXPECT_FALSE(check_canonical_view(shape, stride, TensorOrder::ND, {true, false}).ok());
    EXPECT_TRUE(check_canonical_view(shape, {}, TensorOrder::ND, {false, true}).ok());
}

TEST(MaterializeTensorStrides, FillsViewsAndLeavesBareTensors) {
    const Module m =
        read_kernel("x: pl.Tensor[[64, 64], pl.FP16], y: pl.Tensor[[4, 8], pl.FP16, pl.DN], n: pl.Scalar[pl.INDEX]",
                    "v: pl.Tensor[[16, n], pl.FP32, pl.TensorView(valid_shape=[8, n], stride=[], "
                    "layout=pl.TensorLayout.ND, pad=pl.PadValue.zero)] = pl.foo()\nreturn v");
    const PassResult r = materialize_tensor_strides(m, {});
    ASSERT_TRUE(r.ok());
    const FunctionNode& f = *r.module->functions[0];
    EXPECT_EQ(f.params[0].var, m->functions[0]->params[0].var);
    EXPECT_EQ(pypto::print(*f.params[1].var->type),
              "pl.Tensor[[4, 8], pl.FP16, pl.TensorView(stride=[1, 4], layout=pl.TensorLayout.DN)]");
    EXPECT_EQ(body_text(r), "v: pl.Tensor[[16, n], pl.FP32, pl.TensorView(valid_shape=[8, n], stride=[n, 1], "
                            "layout=pl.TensorLayout.ND, pad=pl.PadValue.zero)] = pl.foo()\nreturn v\n");
    EXPECT_EQ(as<ReturnNode>(f.body->stmts[1])->values[0], as<AssignNode>(f.body->stmts[0])->targets[0]);
    EXPECT_EQ(materialize_tensor_strides(r.module, {}).module, r.module);
}

TEST(MaterializeTensorStrides, RefusesNzThatIsStillLogical) {
    for (const char* view : {"pl.NZ", "pl.TensorView(stride=[512, 1], layout=pl.TensorLayout.NZ)"}) {
        const PassResult r = materialize_tensor_strides(
            read_kernel(std::string("w: pl.Tensor[[256, 512], pl.INT8, ") + view + "]", "pass"), {});
        ASSERT_FALSE(r.ok());
        EXPECT_EQ(r.error().code, "NZ_NOT_BLOCKED");
    }
    EXPECT_EQ(materialize_tensor_strides(
                  read_kernel("w: pl.Tensor[[8, 8], pl.INT8, pl.TensorView(stride=[4, 1], layout=pl.TensorLayout.ND)]",
                              "pass"),
                  {})
                  .error()
                  .code,
              "VIEW_NOT_CANONICAL");
}

} // namespace
} // namespace ls::nz
