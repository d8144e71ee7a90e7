// TilePrimitiveDispatch: what stands in the program after it, where, and from which call it came.
#include "core/passes/tirx/tile_primitive_dispatch/tile_primitive_dispatch.h"

#include <gtest/gtest.h>

#include "core/dialect/tirx/ops.h"
#include "core/dialect/tirx/tirx.h"
#include "core/ir/walk.h"

namespace ls::tirx {
namespace {

using namespace ir;

/// A kernel of 128 threads with these statements.
std::string kernel(const std::string& body, const std::string& params = "") {
    return "@T.prim_func\ndef main(" + params +
           "):\n    T.device_entry()\n    cta_id = T.cta_id([1])\n    warp_id = T.warp_id([4])\n" +
           "    lane_id = T.lane_id([32])\n    tid = T.thread_id_in_wg([128])\n" + body;
}

constexpr const char* kProduct =
    "    A = T.alloc_shared((128, 64), \"float16\", layout=T.ComposeLayout(3, 3, 3, T.TileLayout(T.S[8192:1])))\n"
    "    B = T.alloc_shared((128, 64), \"float16\", layout=T.ComposeLayout(3, 3, 3, T.TileLayout(T.S[8192:1])))\n"
    "    addr = T.shared_scalar(\"uint32\")\n"
    "    C = T.decl_buffer((128, 128), scope=\"tmem\", layout=T.TileLayout(T.S[(128, 128):(1 @ Axis.TLane, 1 @ "
    "Axis.TCol)]), "
    "allocated_addr=addr)\n";

struct Lowered {
    Module before;
    PassResult result;
    std::string text;
};
Lowered lower(const std::string& source) {
    Lowered out;
    auto module = read(source);
    EXPECT_TRUE(module.ok()) << (module ? "" : module.error().message);
    if (!module) return out;
    out.before = *module;
    out.result = tile_primitive_dispatch(*module, {});
    if (out.result.ok()) out.text = print_text(*out.result.module);
    return out;
}

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(TilePrimitiveDispatch, ScopeIdsBecomeTheLaunch) {
    const Lowered got = lower(kernel("    T.evaluate(lane_id)\n"));
    ASSERT_TRUE(got.result.ok());
    for (const char* line :
         {"T.launch_thread(\"blockIdx.x\", 1)", "T.launch_thread(\"threadIdx.x\", 128)",
          "warp_id: T.let[T.int32] = warp_id_in_cta\n", "lane_id: T.let[T.int32] = threadIdx_x % 32\n",
          "tid: T.let[T.int32] = threadIdx_x % 128\n"}) {
        EXPECT_TRUE(holds(got.text, line)) << line << "\n" << got.text;
    }
    EXPECT_FALSE(holds(got.text, "T.lane_id")) << got.text;
    EXPECT_FALSE(holds(got.text, "device_entry")) << got.text;
}

TEST(TilePrimitiveDispatch, ThreadsFollowFromWarpgroups) {
    const Lowered got = lower("@T.prim_func\ndef main():\n    T.device_entry()\n    wg = T.warpgroup_id([2])\n"
                              "    tid = T.thread_id_in_wg([128])\n    T.evaluate(wg + tid)\n");
    ASSERT_TRUE(got.result.ok());
    EXPECT_TRUE(holds(got.text, "T.launch_thread(\"threadIdx.x\", 256)")) << got.text;
    EXPECT_TRUE(holds(got.text, "wg: T.let[T.int32] = warp_id_in_cta // 4\n")) << got.text;
}

TEST(TilePrimitiveDispatch, ContradictingIdsAreRefused) {
    const Lowered got =
        lower("@T.prim_func\ndef main():\n    T.device_entry()\n    warp = T.warp_id([4])\n    lane = T.lane_id([32])\n"
              "    tid = T.thread_id([96])\n    T.evaluate(tid)\n");
    ASSERT_FALSE(got.result.ok());
    EXPECT_EQ(got.result.error().code, "TIRX_SCOPE_IDS");
}

TEST(TilePrimitiveDispatch, DescriptorsAreEncodedBehindTheirBuffers) {
    const Lowered got = lower(
        kernel(std::string(kProduct) +
               "    if tid == 0:\n"
               "        T.tile.gemm_async(C[0:128, 0:128], A[0:128, 0:64], B[0:128, 0:64], False, False, False)\n"));
    ASSERT_TRUE(got.result.ok()) << got.result.error().message;
    const std::size_t a = got.text.find("A = T.alloc_shared"),
                      desc_a = got.text.find("T.address_of(descA), T.address_of(A[0, 0]), 0, 64, 3)"),
                      b = got.text.find("B = T.alloc_shared"),
                      desc_b = got.text.find("T.address_of(descB), T.address_of(B[0, 0]), 0, 64, 3)");
    ASSERT_NE(desc_b, std::string::npos) << got.text;
    EXPECT_LT(a, desc_a);
    EXPECT_LT(desc_a, b);
    EXPECT_LT(b, desc_b);
    EXPECT_TRUE(holds(got.text, "for ki in T.unroll(4):")) << got.text;
    EXPECT_TRUE(holds(got.text, "T.Cast(\"uint32\", (mi * 8192 + ki * 16) // 8)")) << got.text;
    EXPECT_TRUE(holds(got.text, "T.uint32(136314896)")) << got.text;
}

TEST(TilePrimitiveDispatch, AWarpElectsTheThreadThatIssues) {
    const Lowered got = lower(
        kernel(std::string(kProduct) +
               "    if warp_id == 0:\n"
               "        T.warp.gemm_async(C[0:128, 0:128], A[0:128, 0:64], B[0:128, 0:64], False, False, True)\n"));
    ASSERT_TRUE(got.result.ok()) << got.result.error().message;
    EXPECT_TRUE(holds(got.text, "if T.cuda.elect_sync():")) << got.text;
    EXPECT_TRUE(holds(
        got.text,
        "T.ptx.shfl_sync(descA_lo, descA_lo, T.uint32(0), T.uint32(31), T.uint32(4294967295), \"idx\", \"b32\", \"\")"))
        << got.text;
    EXPECT_TRUE(holds(got.text, "T.bool(True), \"mma\"")) << got.text;
}

TEST(TilePrimitiveDispatch, EveryStatementKnowsItsCall) {
    const Lowered got = lower(
        kernel(std::string(kProduct) +
               "    if tid == 0:\n"
               "        T.tile.gemm_async(C[0:128, 0:128], A[0:128, 0:64], B[0:128, 0:64], False, False, False)\n"));
    ASSERT_TRUE(got.result.ok());
    int from_call = 0;
    for_each_stmt(*got.result.module, [&](const StmtNode& s) {
        const auto* origin = as<EvalNode>(s.origin.get());
        if (origin != nullptr && as_tile_call(*origin)) ++from_call;
    });
    // Two descriptors of two statements, three loops and the instruction.
    EXPECT_EQ(from_call, 8) << got.text;
}

TEST(TilePrimitiveDispatch, TensorMapsStandBeforeTheLaunchOnce) {
    const std::string copy =
        "        T.tile.copy_async(A[0:128, 0:64], G[0:128, 0:64], dispatch=\"tma_auto\", mbar=T.address_of(bar))\n";
    const Lowered got = lower(kernel(
        "    A = T.alloc_shared((128, 64), \"float16\", layout=T.ComposeLayout(3, 3, 3, T.TileLayout(T.S[8192:1])))\n"
        "    bar = T.shared_scalar(\"uint64\")\n    if tid == 0:\n" +
            copy + copy,
        "G: T.Buffer((256, 256), \"float16\")"));
    ASSERT_TRUE(got.result.ok()) << got.result.error().message;
    const std::size_t map = got.text.find("T.call_packed(\"runtime.cuTensorMapEncodeTiled\"");
    ASSERT_NE(map, std::string::npos) << got.text;
    EXPECT_LT(map, got.text.find("launch_thread"));
    EXPECT_EQ(got.text.find("cuTensorMapEncodeTiled", map + 40), std::string::npos) << "the same map is encoded once";
    EXPECT_NE(got.text.find("T.ptx.cp(", got.text.find("T.ptx.cp(") + 1), std::string::npos) << "both calls issue";
}

constexpr const char* kFragments =
    "    S = T.alloc_shared((16, 64), \"float16\", layout=T.ComposeLayout(3, 3, 3, T.TileLayout(T.S[1024:1])))\n"
    "    reg = T.alloc_local((8,), \"float16\")\n"
    "    A = reg.view(16, 16, layout=T.TileLayout(T.S[(2, 8, 2, 4, 2):(2, 4 @ Axis.laneid, 4, 1 @ Axis.laneid, 1)]))\n"
    "    held = T.alloc_local((4,), \"float16\")\n"
    "    B = held.view(16, 8, layout=T.TileLayout(T.S[(2, 4, 2, 8):(2, 1 @ Axis.laneid, 1, 4 @ Axis.laneid)]))\n"
    "    sums = T.alloc_local((4,))\n"
    "    D = sums.view(16, 8, layout=T.TileLayout(T.S[(2, 8, 4, 2):(2, 4 @ Axis.laneid, 1 @ Axis.laneid, 1)]))\n";

TEST(TilePrimitiveDispatch, MatricesAreReadRowByRowOfTheLanes) {
    const Lowered got = lower(kernel(std::string(kFragments) + "    T.warp.copy(A[0:16, 0:16], S[0:16, 16:32])\n"));
    ASSERT_TRUE(got.result.ok()) << got.result.error().message;
    // Row lane % 16, columns 16 and 24: 64 elements a row, chunks of 8 exchanged by the row's low bits.
    EXPECT_TRUE(holds(got.text, "T.bitwise_xor(laneid % 16 * 64 + T.bitwise_xor(laneid // 16 * 8, "
                                "T.shift_left(T.bitwise_and(laneid % 16, 7), 3)), 16)"))
        << got.text;
    EXPECT_TRUE(
        holds(got.text,
              "T.ptx.ldmatrix(r_words[0], r_words[1], r_words[2], r_words[3], T.cuda.cvta_generic_to_shared(smem_ptr), "
              "\"sync\", \"aligned\", \"m8n8\", \"x4\", \"\", \"shared\", \"b16\", \"\")"))
        << got.text;
}

TEST(TilePrimitiveDispatch, ProductsInRegistersTakeTheFragmentsWords) {
    const Lowered got = lower(
        kernel(std::string(kFragments) +
               "    T.warp.gemm(D[0:16, 0:8], A[0:16, 0:16], B[0:16, 0:8], D[0:16, 0:8], False, False, 1.0, 0.0)\n"));
    ASSERT_TRUE(got.result.ok()) << got.result.error().message;
    EXPECT_TRUE(holds(got.text,
                      "a_words[m, k, 0, 0, 0], a_words[m, k, 1, 0, 0], a_words[m, k, 0, 1, 0], a_words[m, k, 1, 1, 0], "
                      "b_words[k, n, 0, 0], b_words[k, n, 1, 0], "))
        << got.text;
    EXPECT_TRUE(holds(got.text, "\"m16n8k16\", \"row\", \"col\", \"f32\", \"f16\", \"f16\", \"f32\", \"\")"))
        << got.text;
    EXPECT_TRUE(holds(got.text, "d_local[m, n, rM, rN] = T.float32(0.0)")) << got.text;
}

TEST(TilePrimitiveDispatch, RegistersAreWrittenByTheirOwners) {
    const Lowered got = lower(kernel(std::string(kFragments) + "    T.warp.copy(G[0:16, 0:16], A[0:16, 0:16])\n",
                                     "G: T.Buffer((64, 64), \"float16\")"));
    ASSERT_TRUE(got.result.ok()) << got.result.error().message;
    EXPECT_TRUE(holds(got.text, "s_base: T.int32 = v // 4 * 64 + v % 4 * 2\n")) << got.text;
    EXPECT_TRUE(holds(got.text, "v: T.let[T.int32] = threadIdx_x % 32\n")) << got.text;
    EXPECT_TRUE(
        holds(got.text, "T.ptx.st(s_ptr, r_words[r_w], \"\", \"\", \"\", \"global\", \"\", \"\", \"\", \"u32\", \"\")"))
        << got.text;
}

constexpr const char* kSpread =
    "    ra = T.alloc_local((16,))\n    rb = T.alloc_local((16,))\n    rs = T.alloc_local((2,))\n    one = "
    "T.alloc_local((1,))\n"
    "    A = ra.view(16, 32, layout=T.TileLayout(T.S[(2, 8, 4, 4, 2):(8, 4 @ Axis.laneid, 2, 1 @ Axis.laneid, 1)]))\n"
    "    B = rb.view(16, 32, layout=T.TileLayout(T.S[(2, 8, 4, 4, 2):(8, 4 @ Axis.laneid, 2, 1 @ Axis.laneid, 1)]))\n"
    "    Sums = rs.view(16, 4, layout=T.TileLayout(T.S[(2, 8, 4):(1, 4 @ Axis.laneid, 1 @ Axis.laneid)]))\n";

TEST(TilePrimitiveDispatch, PairsOfRegistersAreAddedAtOnce) {
    const Lowered got =
        lower(kernel(std::string(kSpread) + "    T.warp.add(A[0:16, 0:32], A[0:16, 0:32], B[0:16, 0:32])\n"));
    ASSERT_TRUE(got.result.ok()) << got.result.error().message;
    EXPECT_TRUE(holds(got.text, "for f in range(8):")) << got.text;
    EXPECT_TRUE(holds(got.text, "T.ptx.add(lhs, lhs, rhs, \"rz\", \"ftz\", \"\", \"f32x2\", \"\", \"\")")) << got.text;
    EXPECT_TRUE(holds(got.text, "buffer = A.local(16, layout=T.TileLayout(T.S[(2, 4, 2):(8, 2, 1)]))")) << got.text;
}

TEST(TilePrimitiveDispatch, OperationsWithoutPairsGoElementByElement) {
    const Lowered got = lower(kernel(std::string(kSpread) + "    T.warp.exp(A[0:16, 0:32], B[0:16, 0:32])\n"));
    ASSERT_TRUE(got.result.ok()) << got.result.error().message;
    EXPECT_TRUE(holds(got.text, "buffer[f] = T.exp(buffer_1[f])")) << got.text;
}

TEST(TilePrimitiveDispatch, RegistersOnOtherThreadsAreRefused) {
    const Lowered got = lower(kernel(
        std::string(kSpread) + "    other = rb.view(32, 16, layout=T.TileLayout(T.S[(32, 16):(1 @ Axis.laneid, 1)]))\n"
                               "    C = ra.view(32, 16, layout=T.TileLayout(T.S[(16, 32):(1, 1 @ Axis.laneid)]))\n"
                               "    T.warp.add(C[0:32, 0:16], C[0:32, 0:16], other[0:32, 0:16])\n"));
    ASSERT_FALSE(got.result.ok()) << got.text;
    EXPECT_EQ(got.result.error().code, "TIRX_DISPATCH");
}

TEST(TilePrimitiveDispatch, ReductionsSumOwnRegistersThenLanes) {
    const Lowered got = lower(kernel(
        std::string(kSpread) + "    T.warp.sum(Sums[0:16, 0:4], A[0:16, 0:32], [1], False, thread_reduce=True)\n"));
    ASSERT_TRUE(got.result.ok()) << got.result.error().message;
    EXPECT_TRUE(holds(got.text, "dst_local[spa] = dst_local[spa] + src_local[spa, red]")) << got.text;
    // Four lanes hold the parts of a row: distances 1 and 2, and no further.
    EXPECT_TRUE(holds(got.text, "T.tvm_warp_shuffle_xor(T.tvm_warp_activemask(), dst_local[spa], 2, 32, 32)"))
        << got.text;
    EXPECT_FALSE(holds(got.text, "dst_local[spa], 4, 32, 32)")) << got.text;
}

TEST(TilePrimitiveDispatch, OneThreadSumsInPairs) {
    const Lowered got = lower(kernel(std::string(kSpread) + "    T.tile.sum(one[0:1], ra[0:16], [-1], False)\n"));
    ASSERT_TRUE(got.result.ok()) << got.result.error().message;
    EXPECT_TRUE(
        holds(got.text, "T.ptx.mov(rhs, ra[8 * (outer + 1) + 2 * j], ra[8 * (outer + 1) + 2 * j + 1], \"b64\", \"\")"))
        << got.text;
    EXPECT_TRUE(holds(got.text, "for outer in range(1):")) << got.text;
}

TEST(TilePrimitiveDispatch, SharedMemoryIsReducedByGroupsOfLanes) {
    const Lowered got =
        lower(kernel("    S = T.alloc_shared((16, 8), \"float32\")\n    R = T.alloc_shared((16,), \"float32\")\n"
                     "    T.cta.max(R[0:16], S[0:16, 0:8], [1], False)\n"));
    ASSERT_TRUE(got.result.ok()) << got.result.error().message;
    // 8 elements a result: groups of 8 lanes, 16 results at once.
    EXPECT_TRUE(holds(got.text, "if step * 16 + threadIdx_x // 8 < 16:")) << got.text;
    EXPECT_TRUE(holds(got.text, "thread_data, 4, 8, 32)")) << got.text;
    EXPECT_TRUE(holds(got.text, "R[step * 16 + threadIdx_x // 8] = thread_data")) << got.text;
    EXPECT_TRUE(holds(got.text, "T.cuda.cta_sync()")) << got.text;
}

TEST(TilePrimitiveDispatch, ARefusalCarriesTheReport) {
    const Lowered got =
        lower(kernel(std::string(kProduct) +
                     "    T.cta.gemm_async(C[0:128, 0:128], A[0:128, 0:64], B[0:128, 0:64], False, False, False)\n"));
    ASSERT_FALSE(got.result.ok());
    EXPECT_EQ(got.result.error().code, "TIRX_DISPATCH");
    EXPECT_TRUE(holds(got.result.error().message, "| tcgen05 (prio=10) | rejected: single_thread_or_warp"))
        << got.result.error().message;
    EXPECT_FALSE(got.result.error().span.empty());
}

TEST(TilePrimitiveDispatch, ConditionsNarrowOnlyTheThenBranch) {
    // A warpgroup's copy needs all of its threads: it is taken outside, and in the branch that does not narrow.
    const std::string fragment = "    tm = T.decl_buffer((128, 64), scope=\"tmem\", layout=T.TileLayout(T.S[(128, "
                                 "64):(1 @ Axis.TLane, 1 @ Axis.TCol)]), allocated_addr=addr)\n"
                                 "    reg = T.alloc_local((64,))\n"
                                 "    D = T.alloc_shared((128, 64), \"float32\")\n";
    const auto copy = [](const std::string& indent) { return indent + "T.cta.copy(D[0:128, 0:64], G[0:128, 0:64])\n"; };
    const std::string head = "    addr = T.shared_scalar(\"uint32\")\n" + fragment;
    const std::string params = "G: T.Buffer((128, 64), \"float32\")";
    const Lowered narrowed = lower(kernel(head + "    if warp_id < 2:\n" + copy("        "), params));
    ASSERT_TRUE(narrowed.result.ok()) << narrowed.result.error().message;
    EXPECT_FALSE(holds(narrowed.text, "\"v4\"")) << "half of the threads copy element by element\n" << narrowed.text;
    const Lowered other =
        lower(kernel(head + "    if warp_id < 2:\n        T.evaluate(0)\n    else:\n" + copy("        "), params));
    ASSERT_TRUE(other.result.ok()) << other.result.error().message;
    EXPECT_TRUE(holds(other.text, "\"v4\"")) << other.text;
}

TEST(TilePrimitiveDispatch, ATileCallOutsideAKernelIsLeftOver) {
    const Lowered got = lower("@T.prim_func\ndef main(G: T.Buffer((16,), \"float32\"), H: T.Buffer((16,), "
                              "\"float32\")):\n    T.tile.copy(G[0:16], H[0:16])\n");
    ASSERT_FALSE(got.result.ok());
    EXPECT_EQ(got.result.error().code, "TIRX_TILE_CALL_LEFT");
}

TEST(TilePrimitiveDispatch, AProgramWithoutKernelIsTheSameObject) {
    const Lowered got = lower("@T.prim_func\ndef main(x: T.int32):\n    T.evaluate(x)\n");
    ASSERT_TRUE(got.result.ok());
    EXPECT_EQ(got.result.module, got.before);
}

} // namespace
} // namespace ls::tirx
