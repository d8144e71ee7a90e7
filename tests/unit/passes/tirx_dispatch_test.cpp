// The dispatcher: order, reports, and which threads are active.
#include <gtest/gtest.h>

#include "core/passes/tirx/dispatch/dispatch.h"

namespace ls::tirx {
namespace {

Operand rows(std::string scope, std::int64_t m, std::int64_t n) {
    const std::vector<std::int64_t> shape{m, n};
    return whole("A", std::move(scope), DType::Fp16, to_dims(shape), Layout(row_major(shape)));
}

DispatchContext context(ScopeKind scope, std::int64_t threads = 128) {
    DispatchContext out;
    out.scope = scope;
    out.threads = threads;
    out.split = ActiveSet::all(threads).split(scope).value();
    return out;
}

TEST(Dispatch, ReportHasARowForEachVariant) {
    DispatchCall call;
    call.op = "copy_async";
    call.args = {rows("local", 8, 8), rows("local", 8, 8)};
    call.text = "T.tile.copy_async(A, B)";
    const auto answer = dispatch(cuda_registry(), call, context(ScopeKind::Thread));
    ASSERT_FALSE(answer);
    const std::string& report = answer.error().message;
    EXPECT_TRUE(report.starts_with("TIRx schedule dispatch failed: op=tirx.tile.copy_async target=cuda\n+-"));
    for (const char* row : {"| ldgsts (prio=20) ", "| dsmem (prio=10) ", "| smem->tmem (prio=10) ", "| tma_auto (prio=10) ", "| tmem<->local (prio=10) "}) {
        EXPECT_NE(report.find(row), std::string::npos) << row;
    }
    EXPECT_LT(report.find("ldgsts"), report.find("dsmem"));
    EXPECT_NE(report.find("rejected: is_shared_to_shared — not a shared-to-shared copy"), std::string::npos);
}

TEST(Dispatch, ReportLayout) {
    Registry registry;
    registry.add("copy", "trn", {"b", 0, {}, [](const DispatchCall&, const DispatchContext&) -> Attempt { return Declined{"no"}; }});
    DispatchCall call;
    call.op = "copy";
    call.text = "op";
    DispatchContext where;
    where.target = "trn";
    EXPECT_EQ(dispatch(registry, call, where).error().message, "TIRx schedule dispatch failed: op=tirx.tile.copy target=trn\n"
                                                               "+------------+---------------+\n"
                                                               "| Variant    | Error         |\n"
                                                               "+------------+---------------+\n"
                                                               "| b (prio=0) | declined — no |\n"
                                                               "|            | opcall:       |\n"
                                                               "|            | op            |\n"
                                                               "+------------+---------------+");
    call.dispatch = "c";
    EXPECT_EQ(dispatch(registry, call, where).error().message,
              "TIRx schedule dispatch failed: op=tirx.tile.copy target=trn\nno variant named 'c' is registered");
    call.op = "fill";
    EXPECT_EQ(dispatch(registry, call, where).error().message,
              "TIRx schedule dispatch failed: op=tirx.tile.fill target=trn\nno registered variants for this op/target");
}

TEST(Dispatch, CopiesChooseTheirVariant) {
    DispatchCall call;
    call.op = "copy_async";
    call.args = {rows("shared.dyn", 64, 64), rows("global", 64, 64)};
    EXPECT_EQ(dispatch(cuda_registry(), call, context(ScopeKind::Cta))->variant, "ldgsts");
    call.dispatch = "tma_auto";
    call.config.emplace("mbar", Opaque{"mbar"});
    const auto tma = dispatch(cuda_registry(), call, context(ScopeKind::Thread));
    ASSERT_TRUE(tma) << tma.error().message;
    EXPECT_TRUE(std::holds_alternative<TmaPlan>(tma->plan));
    DispatchCall plain;
    plain.op = "copy";
    plain.args = call.args;
    EXPECT_EQ(dispatch(cuda_registry(), plain, context(ScopeKind::Warp))->variant, "vec_auto");
    plain.args = {rows("shared", 7, 3), rows("global", 7, 3)};
    EXPECT_EQ(dispatch(cuda_registry(), plain, context(ScopeKind::Warp))->variant, "fallback");
}

TEST(Dispatch, NoVariantForFusedOperations) {
    for (const char* op : {"minimum", "memset", "select", "compose_op"}) EXPECT_TRUE(cuda_registry().variants(op, "cuda").empty()) << op;
    EXPECT_EQ(cuda_registry().operations("cuda").size(), 23U);
}

TEST(ActiveSet, ConditionsNarrowABox) {
    const ActiveSet all = ActiveSet::all(256);
    const std::vector<ThreadFilter> some{RangeFilter{ScopeVariable::Thread, 34, 1000, ""}, RangeFilter{ScopeVariable::Thread, 0, 40, ""}};
    const ActiveSet threads = all.narrowed(some);
    EXPECT_EQ(threads.lane(), (AxisRange{6, 2, 1}));
    EXPECT_EQ(threads.warp(), (AxisRange{1, 1, 1}));
    // The range within a warpgroup needs the warpgroup first, in whichever order they stand.
    const std::vector<ThreadFilter> turned{RangeFilter{ScopeVariable::ThreadInWarpgroup, 32, 64, ""}, RangeFilter{ScopeVariable::Warpgroup, 1, 2, ""}};
    const auto split = all.narrowed(turned).split(ScopeKind::Warpgroup).value();
    EXPECT_EQ(split.inter.at("wgid"), (AxisRange{1, 1, 1}));
    EXPECT_EQ(split.intra.at("wid_in_wg"), (AxisRange{1, 1, 1}));
    std::vector<Diagnostic> unused;
    const std::vector<ThreadFilter> no_box{RangeFilter{ScopeVariable::Thread, 16, 80, ""}};
    EXPECT_EQ(all.narrowed(no_box, &unused).warp(), all.warp());
    ASSERT_EQ(unused.size(), 1U);
    EXPECT_EQ(unused[0].code, "ACTIVE_SHAPE");
    EXPECT_EQ(all.narrowed(RangeFilter{ScopeVariable::Warp, 8, 9, ""}).error().code, "ACTIVE_EMPTY");
}

TEST(ActiveSet, ModuloMatchesCounting) {
    for (std::int64_t stride = 1; stride <= 6; ++stride) {
        for (std::int64_t modulus = 1; modulus <= 7; ++modulus) {
            for (std::int64_t residue = 0; residue < modulus; ++residue) {
                const AxisRange range{10, 3, stride};
                std::vector<std::int64_t> expected, actual;
                for (std::int64_t i = 0; i < 10; ++i) {
                    if ((3 + stride * i) % modulus == residue) expected.push_back(3 + stride * i);
                }
                if (const auto kept = range.modulo(modulus, residue)) {
                    for (std::int64_t i = 0; i < kept->extent; ++i) actual.push_back(kept->offset + kept->stride * i);
                }
                EXPECT_EQ(actual, expected) << stride << " " << modulus << " " << residue;
            }
        }
    }
}

} // namespace
} // namespace ls::tirx
