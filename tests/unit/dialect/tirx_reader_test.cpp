#include <random>
#include <string>

#include <gtest/gtest.h>

#include "core/dialect/surface.h"
#include "core/dialect/tirx/buffers.h"
#include "core/dialect/tirx/dims.h"
#include "core/dialect/tirx/ops.h"
#include "core/dialect/tirx/tirx.h"
#include "core/ir/equality.h"
#include "core/ir/walk.h"

namespace ls {
namespace {

using namespace ir;

constexpr std::string_view kHeader = "# from tvm.script import tirx as T\n# from tvm.tirx.layout import Axis\n\n";

/// A function of this body, indented by four.
std::string program(std::string_view body, std::string_view params = "") {
    return std::string(kHeader) + "@T.prim_func\ndef main(" + std::string(params) + "):\n" + std::string(body);
}

Module read_ok(const std::string& text) {
    const dialect::ReadResult result = tirx::read_all(text);
    for (const Diagnostic& d : result.diagnostics) {
        if (d.severity == Severity::Error) ADD_FAILURE() << render(d, text, "test");
    }
    return result.module;
}

/// Reads `text`, prints it, reads that: the same IR both times. Answers the print.
std::string round_trip(const std::string& text) {
    const Module first = read_ok(text);
    if (first == nullptr) return {};
    const std::string printed = tirx::print_text(*first);
    const Module second = read_ok(printed);
    if (second == nullptr) return printed;
    const auto difference = first_difference(first, second);
    EXPECT_FALSE(difference) << difference->path << ": " << difference->why << "\n" << printed;
    EXPECT_EQ(tirx::print_text(*second), printed);
    return printed;
}

/// The text is in the printer's own form: it comes back byte for byte.
void expect_canonical(std::string_view body, std::string_view params = "") {
    const std::string text = program(body, params);
    EXPECT_EQ(round_trip(text), text);
}

/// What `body` prints as.
void expect_prints(std::string_view body, std::string_view expected, std::string_view params = "") {
    EXPECT_EQ(round_trip(program(body, params)), program(expected, params));
}

std::string code_of(const std::string& text) {
    const Result<Module> read = tirx::read(text);
    return read ? "none" : read.error().code;
}
std::string code_in(std::string_view body) { return code_of(program(body)); }

template <class T>
const T* first_of(const Module& module) {
    const T* found = nullptr;
    walk(*module, [&](const Node& node) {
        if (found == nullptr) found = as<T>(&node);
        return found == nullptr;
    });
    return found;
}

const BufferTypeNode* buffer_named(const Module& module, std::string_view name) {
    const BufferTypeNode* found = nullptr;
    for_each_stmt(*module, [&](const StmtNode& s) {
        const auto* a = as<AssignNode>(&s);
        if (a != nullptr && a->targets[0]->name == name) found = tirx::buffer_type(a->targets[0]);
    });
    return found;
}

TEST(TirxReader, PrinterFormComesBackByteForByte) {
    expect_canonical(
        "    T.attr({\"tirx.device_entry\": T.bool(True)})\n"
        "    cbx, cby = T.cta_id_in_cluster([2, 1])\n"
        "    tid = T.thread_id_in_wg([128])\n"
        "    A = T.alloc_shared((128, 64), \"float16\", layout=T.ComposeLayout(3, 3, 3, "
        "T.TileLayout(T.S[8192:1])))\n"
        "    tmem_addr: T.uint32\n"
        "    C = T.decl_buffer((128, 128), scope=\"tmem\", layout=T.TileLayout(T.S[(128, 128):(1 @ "
        "Axis.TLane, 1 @ Axis.TCol)]), allocated_addr=tmem_addr[0])\n"
        "    if tid == 0:\n"
        "        T.tile.gemm_async(C[0:128, 0:128], A[0:128, 0:64], A[0:128, 0:64], False, False, tid != 1, "
        "dispatch=\"tcgen05\", cta_group=2)\n");
    expect_canonical(
        "    blockIdx_x = T.launch_thread(\"blockIdx.x\", 2)\n"
        "    threadIdx_x = T.launch_thread(\"threadIdx.x\", 128)\n"
        "    warp: T.let[T.int32] = T.tvm_warp_shuffle(T.uint32(4294967295), threadIdx_x // 32, 0, 32, 32)\n"
        "    A = T.alloc_shared((8192,), \"float16\", layout=None)\n"
        "    desc = T.alloc_local((1,), \"uint64\", layout=None)\n"
        "    for ki in T.unroll(4):\n"
        "        desc[0] = T.Cast(\"uint64\", (ki * 16 + blockIdx_x) // 8) + T.uint64(9223372036854775809)\n"
        "        T.ptx.tcgen05(desc[0], T.address_of(A[0]), ki != 0 or warp == 1, \"mma\", \"cta_group::1\", "
        "\"p8\")\n");
}

TEST(TirxReader, FunctionsOfAModule) {
    const std::string text =
        "# from tvm.script import ir as I\n" + std::string(kHeader) +
        "@I.ir_module\n"
        "class Module:\n"
        "    @T.prim_func\n"
        "    def kernel(A_map: T.TensorMap(), D: T.handle(\"float32\", \"global\")):\n"
        "        T.func_attr({\"calling_conv\": 2, \"target\": T.target({\"kind\": \"cuda\"}), "
        "\"names\": [\"threadIdx.x\"], \"flag\": True})\n"
        "        T.evaluate(0)\n"
        "\n"
        "    @T.prim_func\n"
        "    def main(args: T.handle, n: T.int32) -> T.int32:\n"
        "        assert n == 0, (\"TypeError\", [\"Expected \", metadata[\"tirx.StringImm\"][0]])\n"
        "        T.call_packed(\"kernel\", args, 1, 128)\n"
        "        return 0\n"
        "\n"
        "# Metadata omitted. Use show_meta=True in script() method to show it.\n";
    EXPECT_EQ(round_trip(text), text);
    const Module module = read_ok(text);
    ASSERT_EQ(module->functions.size(), 2U);
    EXPECT_EQ(module->dialect, Dialect::Tirx);
    EXPECT_EQ(constant(module->find("kernel")->attr("calling_conv")), 2);
    EXPECT_EQ(module->find("main")->returns.size(), 1U);
}

TEST(TirxReader, TileCallsInAllSpellings) {
    const std::string_view expected = "    A = T.alloc_shared((128, 64), \"float16\")\n"
                                      "    B = T.alloc_shared((128, 64), \"float16\")\n"
                                      "    T.wg.copy_async(A[0:128, 0:64], B[0:128, 0:64], dispatch=\"v\", a=1, b=2)\n";
    for (const std::string_view call :
         {"T.wg.copy_async(A, B, dispatch='v', b=2, a=1)", "T.tile.wg.copy_async(A[:, :], B, a=1, b=2, dispatch='v')",
          "Tx.wg.copy_async(A[0:128], B, a=1, b=2, dispatch='v')",
          "Tx.copy_async(A, src=B, scope='warpgroup', a=1, b=2, dispatch='v')",
          "T.warpgroup.copy_async(src=B, dst=A, a=1, b=2, dispatch='v')"}) {
        const std::string body = "    A = T.alloc_buffer([128, 64], dtype='float16', scope='shared')\n"
                                 "    B = T.alloc_shared((128, 64), T.float16)\n    " +
                                 std::string(call) + "\n";
        expect_prints(body, expected);
    }
    const Module module =
        read_ok(program("    A = T.alloc_shared((16,))\n    Tx.memset(A, 1.25, dispatch='v10', bar=7)\n"));
    std::optional<tirx::TileCall> call;
    for_each_stmt(*module, [&](const StmtNode& s) {
        if (const auto found = tirx::as_tile_call(s)) call = found;
    });
    ASSERT_TRUE(call);
    EXPECT_EQ(call->op, "memset");
    EXPECT_EQ(call->scope, tirx::ExecScope::Thread);
    EXPECT_EQ(call->dispatch, "v10");
    EXPECT_EQ(constant(call->config("bar")), 7);
    ASSERT_EQ(call->args().size(), 2U);
    EXPECT_EQ(as<ConstFloatNode>(call->args()[1])->dtype, DType::Fp32);
}

TEST(TirxReader, ScaleFactorsStandBetweenOperandsAndFlags) {
    const std::string buffers = "    A = T.alloc_shared((16, 16))\n";
    expect_prints(buffers + "    T.gemm_async(A, A, A, transB=True, dispatch='tcgen05')\n",
                  buffers + "    T.tile.gemm_async(A[0:16, 0:16], A[0:16, 0:16], A[0:16, 0:16], False, True, False, "
                            "dispatch=\"tcgen05\")\n");
    expect_prints(buffers + "    Tx.gemm_async(A, A, A, SFA=A, SFB=A, accum=True)\n",
                  buffers + "    T.tile.gemm_async(A[0:16, 0:16], A[0:16, 0:16], A[0:16, 0:16], A[0:16, 0:16], "
                            "A[0:16, 0:16], False, False, True)\n");
    EXPECT_EQ(code_in(buffers + "    Tx.gemm_async(A, A, A, SFA=A)\n"), "TIRX_ARGUMENT");
    // In place: one region is written.
    expect_prints(buffers + "    Tx.cta.sqrt(A, A)\n", buffers + "    T.cta.sqrt(A[0:16, 0:16])\n");
}

TEST(TirxReader, OperatorsFoldAsTheyAreMade) {
    const std::string_view params = "n: T.int32";
    expect_prints("    T.evaluate(n * (4 * 8) + 0)\n", "    T.evaluate(n * 32)\n", params);
    expect_canonical("    T.evaluate(n + T.Mul(4, 8) + T.Mul(n, 1) // 2)\n", params);
    expect_canonical("    T.evaluate(n - (n - 1) - (n + 2) * 3 % 5 // (n % 4))\n", params);
    expect_prints("    T.evaluate(-n + ~n)\n", "    T.evaluate(n * -1 + T.bitwise_not(n))\n", params);
    expect_prints("    T.evaluate((0 <= n) & (n < 1))\n", "    T.evaluate(T.bitwise_and(0 <= n, n < 1))\n", params);
    expect_prints("    T.evaluate(0 <= n < 8)\n", "    T.evaluate(0 <= n and n < 8)\n", params);
    expect_canonical("    T.evaluate(not (n == 1 or n == 2) and T.Select(n < 3, n == 4, not n == 5))\n", params);
    expect_canonical(
        "    T.evaluate(T.min(n, T.shift_left(n, 2)) + T.Cast(\"int32\", T.float32(0.10000000000000001)))\n", params);
    // A bare number takes the type that it meets.
    expect_prints("    A = T.alloc_local((4,), \"float16\")\n    x: T.uint32 = 4\n    A[0] = A[1] * 2 + 0.5\n"
                  "    A[2] = 1\n    x = 3 - x\n    T.attr({\"k\": True})\n",
                  "    A = T.alloc_local((4,), \"float16\")\n    x: T.uint32 = T.uint32(4)\n"
                  "    A[0] = A[1] * T.float16(2.0) + T.float16(0.5)\n    A[2] = T.float16(1.0)\n"
                  "    x = T.uint32(3) - x\n    with T.attr({\"k\": T.bool(True)}):\n        pass\n");
    EXPECT_EQ(code_in("    T.evaluate(T.uint8(300))\n"), "TIRX_NUMBER");
    EXPECT_EQ(code_in("    T.evaluate(99999999999999999999)\n"), "TIRX_NUMBER");
}

TEST(TirxReader, ScalarsAreBuffersOfOneElement) {
    expect_canonical("    x: T.int32 = 4\n"
                     "    y: T.float32\n"
                     "    x = x + 1\n"
                     "    y = T.float32(2.0)\n"
                     "    T.address_of(x)\n"
                     "    T.call_packed(\"f\", x.buffer, x.buffer.data)\n");
    expect_prints("    x = 4\n    x += 1\n", "    x: T.int32 = 4\n    x = x + 1\n");
    const Module module = read_ok(program("    x: T.int32 = 4\n    T.evaluate(x)\n"));
    const auto* load = as<SubscriptNode>(first_of<EvalNode>(module)->value);
    ASSERT_NE(load, nullptr);
    EXPECT_EQ(constant(load->indices.at(0)), 0);
    // The printed form does not tell shared memory; what hardware addresses is shared.
    const Module shared = read_ok(program("    bar: T.uint64\n    other: T.uint64\n    idle: T.uint64\n    A = T.alloc_shared((8,))\n    other = T.uint64(1)\n"
                                          "    T.tile.copy_async(A, A, mbar=T.address_of(bar))\n"));
    EXPECT_EQ(buffer_named(shared, "bar")->scope, "shared");
    EXPECT_EQ(buffer_named(shared, "other")->scope, "local");
    EXPECT_EQ(buffer_named(shared, "idle")->scope, "shared"); // a barrier that nobody waits for
    expect_canonical("    x = T.shared_scalar(\"uint32\")\n    y = T.alloc_scalar(\"uint32\", \"global\")\n");
}

TEST(TirxReader, ViewsAreDeclarationsWithTheirGeometry) {
    expect_canonical("    reg = T.alloc_local((64,))\n"
                     "    frag = reg.view(128, 64, layout=T.TileLayout(T.S[(128, 64):(1 @ Axis.tid_in_wg, 1)]))\n"
                     "    own = frag.local()\n"
                     "    words = reg.view(\"uint32\")\n"
                     "    turned = T.alloc_local((4, 8))\n"
                     "    other = turned.permute(1, 0)\n"
                     "    flat = turned.view(32)\n");
    const Module module = read_ok(program("    A = T.alloc_shared((4, 64), \"float16\", elem_offset=64)\n"
                                          "    B = A.view(\"float32\")\n    C = A.view(-1, 2)\n"
                                          "    R = T.alloc_local((15,))\n    F = R.view(32, 8, layout=T.TileLayout("
                                          "T.S[(8, 4, 8):(4@laneid, 1@laneid, 2)]))\n    L = F.local()\n"));
    const auto* b = buffer_named(module, "B");
    EXPECT_EQ(constant_dims(b->shape), (std::vector<std::int64_t>{4, 32}));
    EXPECT_EQ(constant(b->elem_offset), 32);
    EXPECT_EQ(constant_dims(buffer_named(module, "C")->shape), (std::vector<std::int64_t>{128, 2}));
    EXPECT_EQ(constant_dims(buffer_named(module, "L")->shape), (std::vector<std::int64_t>{15}));
    // buf.sub[...]: the offset goes to elem_offset, the strides to the layout.
    const Module parts =
        read_ok(program("    A = T.alloc_local((4, 8))\n    B = A.sub[2, 1::2]\n    C = A.sub[k, :]\n", "k: T.int32"));
    EXPECT_EQ(constant_dims(buffer_named(parts, "B")->shape), (std::vector<std::int64_t>{4}));
    EXPECT_EQ(constant(buffer_named(parts, "B")->elem_offset), 17);
    EXPECT_EQ(to_string(*tirx::layout_of(*buffer_named(parts, "B"))), "S[4:2]");
    EXPECT_EQ(tirx::print(*buffer_named(parts, "C")->elem_offset), "k * 8");
    round_trip(tirx::print_text(*parts));
    EXPECT_EQ(code_in("    A = T.alloc_local((3,), \"float16\")\n    B = A.view(\"float32\")\n"), "TIRX_VIEW");
    EXPECT_EQ(code_in("    A = T.alloc_local((4,), layout=None)\n    B = A.local()\n"), "TIRX_VIEW");
}

TEST(TirxReader, LayoutsUseVariablesOfTheProgram) {
    expect_canonical(
        "    w = T.warp_id([4])\n"
        "    A = T.alloc_shared((n, 64), layout=T.TileLayout(T.S[(n, 64):(64, 1)] + w % 2 * 64))\n"
        "    B = T.alloc_shared((8, 64), layout=T.TileLayout(T.S[(8, 64):(1, 8)] + T.R[2:4 @ Axis.laneid]))\n",
        "n: T.int32");
    const Module module = read_ok(program("    w = T.warp_id([4])\n    s = T.meta_var(w * 2 + 1)\n"
                                          "    A = T.alloc_shared((8, 8), layout=T.TileLayout(T.S[64:1] + s * 64))\n"
                                          "    B = T.alloc_shared((8, 8), layout=T.TileLayout(T.S[(8, 8):(8, 1)]))\n"));
    const auto layout = tirx::layout_of(*buffer_named(module, "A"));
    ASSERT_TRUE(layout);
    EXPECT_EQ(to_string(*layout), "S[64:1] + w * 128 + 64");
    EXPECT_EQ(buffer_named(module, "B")->layout_state, BufferTypeNode::LayoutState::Default);
    EXPECT_EQ(code_in("    A = T.alloc_shared((8,), layout=T.TileLayout(T.S[8:1] + s * 64))\n"), "TIRX_NAME");
    EXPECT_EQ(code_in("    A = T.alloc_shared((8,), layout=T.TileLayout(T.S[8:1)))\n"), "TIRX_BRACKET");
    // A second variable of the name is printed with a number, also in layouts.
    expect_prints("    w = T.warp_id([4])\n    if w == 0:\n        w = T.lane_id([32])\n"
                  "        A = T.alloc_shared((8,), layout=T.TileLayout(T.S[8:1] + w * 8))\n",
                  "    w = T.warp_id([4])\n    if w == 0:\n        w_1 = T.lane_id([32])\n"
                  "        A = T.alloc_shared((8,), layout=T.TileLayout(T.S[8:1] + w_1 * 8))\n");
}

TEST(TirxReader, LoopsAndBlocks) {
    expect_canonical("    for i, j in T.grid(4, 8):\n"
                     "        for k in range(2, 6):\n"
                     "            if i == j:\n"
                     "                continue\n"
                     "            else:\n"
                     "                break\n"
                     "    for i in T.serial(8, annotations={\"pipeline\": 2}):\n"
                     "        T.evaluate(i)\n"
                     "    for i in T.serial(0, 8, unroll=False, step=2):\n"
                     "        pass\n"
                     "    for t in T.thread_binding(128, thread=\"threadIdx.x\"):\n"
                     "        while t < 4:\n"
                     "            T.evaluate(t)\n"
                     "    with T.attr({\"a\": 1, \"b\": 2}):\n"
                     "        T.evaluate(1)\n"
                     "    return 0\n");
    expect_prints("    T.attr({\"a\": 1})\n    T.attr({\"b\": 2})\n    T.evaluate(0)\n",
                  "    T.attr({\"a\": 1, \"b\": 2})\n    T.evaluate(0)\n");
    expect_prints("    for i, j in T.grid((1, 4), 8):\n        pass\n",
                  "    for i in range(1, 4):\n        for j in range(8):\n            pass\n");
    EXPECT_EQ(code_in("    for i in items:\n        pass\n"), "TIRX_LOOP");
    EXPECT_EQ(code_in("    for i in T.grid(2, 3):\n        pass\n"), "TIRX_LOOP");
}

TEST(TirxReader, LetBindsInsideExpressions) {
    expect_canonical("    m = T.int32()\n"
                     "    T.evaluate(T.Let(m // 8 + m % 8, where={m: n * 2}))\n",
                     "n: T.int32");
    const Module module = read_ok(program("    m = T.int32()\n    T.evaluate(T.Let(m + 1, where={m: 2}))\n"));
    EXPECT_EQ(module->functions[0]->body->stmts.size(), 1U);
}

TEST(TirxReader, MatchedHandlesBecomeBuffers) {
    EXPECT_EQ(round_trip(program("    A = T.match_buffer(a, (64, 32), \"float16\")\n    A[0, 0] = T.float16(1)\n",
                                 "a: T.handle")),
              program("    A[0, 0] = T.float16(1.0)\n", "A: T.Buffer((64, 32), \"float16\")"));
    const Module module =
        read_ok(program("    A = T.match_buffer(a, (64,), \"float16\")\n    T.evaluate(a)\n", "a: T.handle"));
    EXPECT_NE(as<PtrTypeNode>(module->functions[0]->params[0].var->type), nullptr);
}

TEST(TirxReader, PtxCallsOfBothForms) {
    expect_canonical("    T.ptx.tcgen05.wait__ld.sync.aligned()\n"
                     "    T.ptx.fence.proxy.async_.shared__cta()\n"
                     "    T.ptx[\"tcgen05.cp.cta_group::1.32x128b.warpx4\"](T.uint32(0), T.uint64(1))\n");
    const Module module =
        read_ok(program("    T.ptx.tcgen05(T.uint32(0), T.bool(True), \"mma\", \"cta_group::1\", \"\", \"p1\")\n"));
    const auto ptx = tirx::ptx_instruction(*first_of<CallNode>(module));
    ASSERT_TRUE(ptx);
    EXPECT_EQ(ptx->text, "tcgen05.mma.cta_group::1");
    EXPECT_EQ(ptx->operands.size(), 2U);
    EXPECT_EQ(ptx->predicate, 1);
}

TEST(TirxReader, RegionsKnowTheirExtents) {
    const Module module =
        read_ok(program("    A = T.alloc_shared((8, 128, n))\n    T.copy(A[k % 3, k * 4:k * 4 + 4, :], A)\n",
                        "n: T.int32, k: T.int32"));
    std::optional<tirx::TileCall> call;
    for_each_stmt(*module, [&](const StmtNode& s) {
        if (const auto found = tirx::as_tile_call(s)) call = found;
    });
    ASSERT_TRUE(call);
    const auto region = tirx::region_of(call->args()[0]);
    ASSERT_TRUE(region);
    EXPECT_EQ(constant(region->extent[0]), 1);
    EXPECT_EQ(constant(region->extent[1]), 4);
    EXPECT_EQ(tirx::print(*region->extent[2]), "n");
    EXPECT_TRUE(structurally_equal(tirx::make_region(*region), call->args()[0]));
}

TEST(TirxReader, DimsAndExpressionsConvertBothWays) {
    const Module module =
        read_ok(program("    T.evaluate(k // 4 * 8 + k % 4 - n * 2 + 3)\n", "n: T.int32, k: T.int32"));
    const Expr value = first_of<EvalNode>(module)->value;
    const auto dim = tirx::to_dim(value);
    ASSERT_TRUE(dim);
    std::vector<Var> vars{module->functions[0]->params[0].var, module->functions[0]->params[1].var};
    const Expr back =
        tirx::to_expr(*dim, [&](std::string_view name) -> Expr { return name == "n" ? vars[0] : vars[1]; });
    ASSERT_NE(back, nullptr);
    EXPECT_EQ(tirx::to_dim(back), dim);
    EXPECT_FALSE(tirx::to_dim(call("cuda.lane", {})));
}

TEST(TirxReader, RefusesWhatIsNoProgram) {
    EXPECT_EQ(code_of(""), "TIRX_EMPTY");
    EXPECT_EQ(code_of("@T.prim_func\ndef main(a):\n    pass\n"), "TIRX_TYPE");
    EXPECT_EQ(code_in("    T.evaluate(missing)\n"), "TIRX_NAME");
    EXPECT_EQ(code_in("    def helper():\n        pass\n"), "TIRX_UNSUPPORTED");
    EXPECT_EQ(code_in("    A = T.alloc_buffer((16,), \"float17\")\n"), "TIRX_TYPE");
    EXPECT_EQ(code_in("    A = T.alloc_buffer((-16,))\n"), "TIRX_SHAPE");
    EXPECT_EQ(code_in("    A = T.alloc_buffer((16,))\n    T.evaluate(A[0, 1])\n"), "TIRX_RANK");
    EXPECT_EQ(code_in("    A = T.alloc_buffer((16,))\n    T.tile.copy(A)\n"), "TIRX_ARGUMENT");
    EXPECT_EQ(code_in("    A = T.alloc_buffer((16,))\n    T.tile.copy(A, A, scope='grid')\n"), "TIRX_SCOPE");
    EXPECT_EQ(code_in("    T.evaluate(1\n"), "TIRX_BRACKET");
    EXPECT_EQ(code_in("    T.evaluate(1 +)\n"), "TIRX_SYNTAX");
    const std::string text = program("    T.evaluate(a)\n    T.evaluate(0)\n    T.evaluate(b)\n");
    const dialect::ReadResult both = tirx::read_all(text);
    ASSERT_EQ(both.diagnostics.size(), 2U);
    EXPECT_EQ(line_column(text, both.diagnostics[1].span.begin).line, 8U);
}

TEST(TirxReader, NestingIsBounded) {
    EXPECT_EQ(code_in("    T.evaluate(" + std::string(5000, '(') + "1" + std::string(5000, ')') + ")\n"),
              "IR_TOO_DEEP");
    std::string sum = "n";
    for (int i = 0; i < 5000; ++i) sum += " + n";
    EXPECT_EQ(code_of(program("    T.evaluate(" + sum + ")\n", "n: T.int32")), "IR_TOO_DEEP");
    std::string blocks, attributes;
    for (int i = 0; i < 400; ++i) {
        blocks += std::string(static_cast<std::size_t>(4 + i), ' ') + "if n == 0:\n";
        attributes += "    T.attr(\"default\", \"k\", 1)\n";
    }
    EXPECT_EQ(code_of(program(blocks + std::string(404, ' ') + "pass\n", "n: T.int32")), "IR_TOO_DEEP");
    EXPECT_EQ(code_in(attributes), "IR_TOO_DEEP");
}

TEST(TirxReader, EveryPartOfAProgramIsReadOrRefused) {
    const std::string whole =
        program("    T.device_entry()\n    w = T.warp_id([4])\n"
                "    A = T.alloc_shared((8, 64), \"float16\", layout=T.TileLayout(T.S[(8, 64):(64, "
                "1@m)] + w * 8))\n    B = A.view(\"uint32\")\n    x: T.let[T.int32] = w // 2\n"
                "    for i, j in T.grid(4, 8):\n        T.wg.copy(A[i, 0:8], A[j, 8:16], a=[1, {\"k\": "
                "(2,)}])\n    while x < 3:\n        A[0, 0] = T.Cast(\"float16\", -x ** 2)\n");
    read_ok(whole);
    std::size_t refused = 0;
    for (std::size_t end = 0; end < whole.size(); ++end) {
        const dialect::ReadResult part = tirx::read_all(std::string_view(whole).substr(0, end));
        EXPECT_TRUE(part.ok() || !part.diagnostics.empty()) << end;
        refused += part.ok() ? 0 : 1;
    }
    EXPECT_GT(refused, whole.size() / 4);
    std::mt19937 random(7);
    for (int i = 0; i < 3000; ++i) {
        std::string changed = whole;
        changed[random() % changed.size()] = "()[]{}.,:=+-*@\"'\n #09aT"[random() % 24];
        const dialect::ReadResult result = tirx::read_all(changed);
        ASSERT_TRUE(result.ok() || !result.diagnostics.empty()) << changed;
        if (!result.ok()) continue;
        const std::string printed = tirx::print_text(*result.module);
        const dialect::ReadResult again = tirx::read_all(printed);
        ASSERT_TRUE(again.ok()) << changed << "\n" << printed << render(again.diagnostics[0], printed, "again");
        const auto difference = first_difference(result.module, again.module);
        ASSERT_FALSE(difference) << difference->path << ": " << difference->why << "\n" << printed;
    }
}

/// Expressions of every operator over a few variables.
class Generator {
public:
    explicit Generator(unsigned seed) : random_(seed) {}
    std::string value(int depth) {
        if (depth == 0 || pick(5) == 0) {
            constexpr std::string_view kLeaves[] = {"n", "k", "w", "1", "7", "16", "x", "A[0, 3]", "A[k % 4, n % 8]"};
            return std::string(kLeaves[pick(std::size(kLeaves))]);
        }
        constexpr std::string_view kInfix[] = {" + ", " - ", " * ", " // ", " % "};
        constexpr std::string_view kCalls[] = {"T.min",         "T.max", "T.bitwise_xor",
                                               "T.shift_right", "T.Mul", "T.FloorMod"};
        switch (pick(5)) {
        case 0:
            return std::string(kCalls[pick(std::size(kCalls))]) + "(" + value(depth - 1) + ", " + value(depth - 1) +
                   ")";
        case 1: return "T.Select(" + truth(depth - 1) + ", " + value(depth - 1) + ", " + value(depth - 1) + ")";
        case 2: return "-(" + value(depth - 1) + ")";
        default:
            return "(" + value(depth - 1) + ")" + std::string(kInfix[pick(std::size(kInfix))]) + "(" +
                   value(depth - 1) + ")";
        }
    }
    std::string truth(int depth) {
        constexpr std::string_view kCompares[] = {" < ", " <= ", " == ", " != ", " > ", " >= "};
        if (depth == 0 || pick(3) == 0) {
            return "(" + value(depth) + std::string(kCompares[pick(std::size(kCompares))]) + value(depth) + ")";
        }
        const std::string both = pick(2) == 0 ? " and " : " or ";
        return pick(4) == 0 ? "not " + truth(depth - 1) : "(" + truth(depth - 1) + both + truth(depth - 1) + ")";
    }

private:
    std::size_t pick(std::size_t n) { return random_() % n; }
    std::mt19937 random_;
};

TEST(TirxReader, GeneratedExpressionsKeepTheirMeaning) {
    Generator generate(11);
    for (int i = 0; i < 150; ++i) {
        round_trip(program("    A = T.alloc_local((4, 8), \"int32\")\n    w = T.warp_id([4])\n    x: T.int32 = 3\n"
                           "    A[0, 0] = " +
                               generate.value(4) + "\n    if " + generate.truth(3) +
                               ":\n        x = " + generate.value(3) + "\n",
                           "n: T.int32, k: T.int32"));
    }
}

TEST(TirxReader, LinesKnowTheirNodes) {
    const Module module = read_ok(program("    for i in range(4):\n        T.evaluate(i)\n"));
    const dialect::Printed printed = tirx::print(*module);
    EXPECT_EQ(std::count(printed.text.begin(), printed.text.end(), '\n'),
              static_cast<std::ptrdiff_t>(printed.lines.size()));
    ASSERT_EQ(printed.lines.size(), 7U);
    EXPECT_EQ(printed.lines[0], nullptr);
    EXPECT_EQ(printed.lines[4]->kind, NodeKind::Function);
    EXPECT_EQ(printed.lines[5]->kind, NodeKind::For);
    EXPECT_EQ(printed.lines[6]->kind, NodeKind::Eval);
}

TEST(TirxReader, FrontDoorKnowsIt) {
    const std::string text = program("    pass\n");
    ASSERT_NE(dialect::detect(text, "kernel.py"), nullptr);
    EXPECT_EQ(dialect::detect(text, "kernel.py")->id, "tirx");
    const Result<Module> module = dialect::read(text, "kernel.py");
    ASSERT_TRUE(module);
    EXPECT_EQ(dialect::print(**module).text, text);
}

} // namespace
} // namespace ls
