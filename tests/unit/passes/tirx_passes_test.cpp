// The passes of TIRx, each on small programs; what they print is what the reference prints for such programs.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "core/dialect/tirx/tirx.h"
#include "core/ir/mutator.h"
#include "core/ir/equality.h"
#include "core/passes/pipeline.h"
#include "core/passes/pipelines.h"
#include "core/passes/tirx/tirx_pipeline.h"

namespace ls::tirx {
namespace {

/// The statements of `body` as the body of a function with these parameters.
std::string program(const std::string& body, const std::string& params = "") {
    std::string text = "@T.prim_func\ndef main(" + params + "):\n    T.func_attr({\"global_symbol\": \"main\"})\n";
    std::string line;
    for (const char c : body + "\n") {
        if (c != '\n') {
            line += c;
        } else {
            if (!line.empty()) text += "    " + line + "\n";
            line.clear();
        }
    }
    return text;
}

PassResult run(std::string_view pass, const ir::Module& module) {
    for (const Pass& p : tirx_pipeline()) {
        if (p.name == pass) return p.run(module, {});
    }
    ADD_FAILURE() << "no pass " << pass;
    return PassResult::unchanged(module);
}

ir::Module read_ok(const std::string& text) {
    Result<ir::Module> module = read(text);
    EXPECT_TRUE(module.ok()) << (module.ok() ? "" : module.error().message) << "\n" << text;
    return module.ok() ? *module : nullptr;
}

/// The statements after the pass, without header and func_attr; or the code of its refusal.
std::string after(std::string_view pass, const std::string& body, const std::string& params = "") {
    const ir::Module module = read_ok(program(body, params));
    if (module == nullptr) return "";
    const PassResult result = run(pass, module);
    if (!result.ok()) return result.error().code;
    const std::string text = print_text(*result.module);
    const std::size_t attr = text.find("T.func_attr");
    std::string out, rest = text.substr(text.find('\n', attr) + 1);
    std::size_t at = 0;
    while (at < rest.size()) {
        const std::size_t end = std::min(rest.find('\n', at), rest.size());
        const std::string line = rest.substr(at, end - at);
        out += line.substr(std::min<std::size_t>(4, line.size())) + "\n";
        at = end + 1;
    }
    while (out.ends_with("\n\n")) out.pop_back();
    return out;
}

TEST(TirxPipeline, IsInOrder) {
    EXPECT_EQ(pipeline_of(ir::Dialect::Tirx).data(), tirx_pipeline().data());
    int last = 0;
    for (const Pass& p : tirx_pipeline()) {
        EXPECT_GT(p.number, last) << p.name;
        EXPECT_EQ(p.run != nullptr, p.status == PassStatus::Implemented) << p.name;
        last = p.number;
    }
}

TEST(LowerTIRxCleanup, FlatExtentsDoNotAskTheSpan) {
    EXPECT_EQ(after("LowerTIRxCleanup",
                    "A = T.alloc_buffer((4, 8), layout=T.TileLayout(T.S[(4, 8):(16, 1)]))\nA[i, j] = T.float32(0)",
                    "i: T.int32, j: T.int32"),
              "A = T.alloc_buffer((32,), layout=None)\nA[i * 16 + j] = T.float32(0.0)\n");
    EXPECT_EQ(after("LowerTIRxCleanup",
                    "A = T.alloc_buffer((4, 8), layout=T.TileLayout(T.S[(4, 8):(1, 4)]))\nA[i, j] = T.float32(0)",
                    "i: T.int32, j: T.int32"),
              "A = T.alloc_buffer((32,), layout=None)\nA[j * 4 + i] = T.float32(0.0)\n");
    EXPECT_EQ(after("LowerTIRxCleanup",
                    "A = T.alloc_local((32, 4), layout=T.TileLayout(T.S[(32, 4):(1 @ Axis.laneid, 1)] + T.R[2:8]))"),
              "A = T.alloc_local((12,), layout=None)\n");
    EXPECT_EQ(after("LowerTIRxCleanup", "A = T.alloc_buffer((4, 8), strides=(32, 2), layout=None)"),
              "A = T.alloc_buffer((128,), layout=None)\n");
    const ir::Module plain = read_ok(program("A = T.alloc_buffer((16,), layout=None)"));
    EXPECT_EQ(run("LowerTIRxCleanup", plain).module, plain) << "a flat buffer without layout keeps its identity";
}

TEST(LowerTIRxCleanup, ParametersKeepTheirShape) {
    EXPECT_EQ(after("LowerTIRxCleanup", "A[1, i] = T.float32(2)", "A: T.Buffer((4, 8)), i: T.int32"),
              "A_1 = A.view(32)\nA_1[i + 8] = T.float32(2.0)\n");
}

TEST(LowerTIRxCleanup, SwizzledAccessesComputeTheirRowOnce) {
    const std::string body =
        "A = T.alloc_shared((128, 32), \"float16\", layout=T.ComposeLayout(3, 3, 3, T.TileLayout(T.S[512:1])))\n"
        "A[i, j] = T.float16(0)";
    EXPECT_EQ(after("LowerTIRxCleanup", body, "i: T.int32, j: T.int32"),
              "A = T.alloc_shared((4096,), \"float16\", layout=None)\n"
              "compose_m = T.int32()\n"
              "compose_q = T.int32()\n"
              "A[T.Let(T.Let(T.shift_left(T.bitwise_xor(compose_q, T.shift_right(T.bitwise_and(compose_q, 56), 3)), 3) "
              "+ compose_m % 8, "
              "where={compose_q: compose_m // 8}), where={compose_m: i * 32 + j})] = T.float16(0.0)\n");
}

TEST(LowerTIRxCleanup, Refusals) {
    EXPECT_EQ(after("LowerTIRxCleanup",
                    "A = T.alloc_local((128, 4), layout=T.TileLayout(T.S[(128, 4):(1 @ Axis.tid_in_wg, 1)]))\n"
                    "A[0, 0] = T.float32(0)"),
              "TIRX_THREAD_AXIS_ACCESS");
    EXPECT_EQ(after("LowerTIRxCleanup",
                    "a: T.uint32\nC = T.decl_buffer((128, 64), scope=\"tmem\", layout=T.TileLayout(T.S[(128, 64):(1 @ "
                    "Axis.TLane, 1 @ Axis.TCol)]), allocated_addr=a[0])\nC[0, 0] = T.float32(0)"),
              "TIRX_NOT_ONE_OFFSET");
    EXPECT_EQ(
        after("LowerTIRxCleanup", "A = T.alloc_local((4,))\nB = T.alloc_local((4,))\nT.tile.copy(A[0:4], B[0:4])"),
        "TIRX_TILE_CALL_LEFT");
}

TEST(UnifyThreadBinding, OneLoopForEachAxis) {
    const std::string body = "bx = T.launch_thread(\"blockIdx.x\", 2)\ntx = T.launch_thread(\"threadIdx.x\", 128)\n"
                             "with T.launch_thread(\"threadIdx.x\", 128) as again:\n    T.evaluate(tx + again + bx)";
    EXPECT_EQ(after("UnifyThreadBinding", body),
              "for blockIdx_x in T.thread_binding(2, thread=\"blockIdx.x\"):\n"
              "    for threadIdx_x in T.thread_binding(128, thread=\"threadIdx.x\"):\n"
              "        T.evaluate(threadIdx_x + threadIdx_x + blockIdx_x)\n");
    EXPECT_EQ(after("UnifyThreadBinding",
                    "tx = T.launch_thread(\"threadIdx.x\", 128)\n"
                    "with T.launch_thread(\"threadIdx.x\", 64) as again:\n    T.evaluate(tx + again)"),
              "TIRX_THREAD_EXTENT");
}

TEST(StmtSimplify, KnowsLoopsBindingsAndConditions) {
    EXPECT_EQ(after("StmtSimplify",
                    "for i in range(4):\n    for j in T.unroll(1):\n"
                    "        T.evaluate((i // 4 * 512 + j * 64 + i % 4 * 16) // 8)\n        if i != 0 or n != 0:\n"
                    "            T.evaluate(i % 8 // 2)",
                    "n: T.int32"),
              "for i in range(4):\n    for j in T.unroll(1):\n        T.evaluate(i * 2)\n        if 0 < i or n != 0:\n"
              "            T.evaluate(i // 2)\n");
    EXPECT_EQ(after("StmtSimplify",
                    "for i in range(64):\n    k: T.let[T.int32] = i % 8\n    if i < 8:\n        T.evaluate(k)\n"
                    "    if k < 8:\n        T.evaluate(1)\n    else:\n        T.evaluate(2)"),
              "for i in range(64):\n    k: T.let[T.int32] = i % 8\n    if i < 8:\n        T.evaluate(i)\n    "
              "T.evaluate(1)\n");
}

TEST(StmtSimplify, BindingsDoNotGrowWithoutEnd) {
    std::string body = "v0: T.let[T.int32] = n % 7\n";
    for (int i = 1; i < 60; ++i) {
        body += "v" + std::to_string(i) + ": T.let[T.int32] = T.min(v" + std::to_string(i - 1) + ", " +
                std::to_string(i) + ") * T.max(v" + std::to_string(i - 1) + ", 3)\n";
    }
    EXPECT_FALSE(after("StmtSimplify", body, "n: T.int32").empty());
}

TEST(StmtSimplify, AFactEndsWithItsBranch) {
    EXPECT_EQ(
        after("StmtSimplify",
              "if n < 8:\n    T.evaluate(T.min(n, 8))\nelse:\n    T.evaluate(T.min(n, 8))\nT.evaluate(T.min(n, 8))",
              "n: T.int32"),
        "if n < 8:\n    T.evaluate(n)\nelse:\n    T.evaluate(8)\nT.evaluate(T.min(n, 8))\n");
    // What was read from memory may have changed.
    const std::string memory = "if A[0] < 8:\n    A[0] = n\n    T.evaluate(T.min(A[0], 8))";
    EXPECT_EQ(after("StmtSimplify", memory, "A: T.Buffer((4,), \"int32\"), n: T.int32"), memory + "\n");
}

TEST(LowerTIRxOpaque, UnitLoopsGoAndPragmasStandOutside) {
    EXPECT_EQ(after("LowerTIRxOpaque",
                    "for t in T.thread_binding(32, thread=\"threadIdx.x\"):\n    for i in range(1):\n"
                    "        T.evaluate(t + i)"),
              "t = T.launch_thread(\"threadIdx.x\", 32)\nT.evaluate(T.Add(t, 0))\n");
    EXPECT_EQ(after("LowerTIRxOpaque", "for i in T.serial(1, annotations={\"mark\": 1}):\n    T.evaluate(i)"),
              "for i in T.serial(1, annotations={\"mark\": 1}):\n    T.evaluate(i)\n");
}

TEST(FlattenBuffer, OffsetsGoIntoTheIndex) {
    EXPECT_EQ(after("FlattenBuffer",
                    "A = T.alloc_buffer((4, 8), layout=None)\nB = T.decl_buffer((8,), data=A.data, elem_offset=16, "
                    "layout=None)\n"
                    "B[i] = A[1, i]",
                    "i: T.int32"),
              "A = T.alloc_buffer((32,), layout=None)\nB = A.view(8)\n"
              "B[i + 16] = A[i + 8]\n");
    EXPECT_EQ(after("FlattenBuffer", "A[1, i] = T.float32(0)", "A: T.Buffer((4, 8), layout=None), i: T.int32"),
              "A_1 = A.view(32)\nA_1[i + 8] = T.float32(0.0)\n");
}

TEST(FlattenBuffer, Refusals) {
    using namespace ir;
    auto type = std::make_shared<BufferTypeNode>();
    type->shape = {const_int(8, DType::Int32)};
    type->layout_state = BufferTypeNode::LayoutState::Absent;
    const Var a = var("a", seal(std::move(type)));
    const Stmt write = store(subscript(a, {const_int(0, DType::Int32)}), const_float(0, DType::Fp32));
    const auto code = [](std::vector<Stmt> body) {
        auto f = std::make_shared<FunctionNode>();
        f->name = "main";
        f->function = FunctionKind::PrimFunc;
        f->body = seq(std::move(body));
        auto m = std::make_shared<ModuleNode>();
        m->dialect = Dialect::Tirx;
        m->functions = {seal(std::move(f))};
        const PassResult result = run("FlattenBuffer", seal(std::move(m)));
        return result.ok() ? "ok" : result.error().code;
    };
    EXPECT_EQ(code({write}), "TIRX_USE_BEFORE_DEFINITION");
    EXPECT_EQ(code({assign(a, call("match_buffer", {none()})), write}), "TIRX_MATCH_BUFFER_LEFT");
    EXPECT_EQ(code({assign(a, call("alloc_buffer", {})), write}), "ok");
}

TEST(UnrollLoop, CopiesDefineAnew) {
    EXPECT_EQ(after("UnrollLoop", "for i in T.unroll(2):\n    x: T.let[T.int32] = i * 2\n    T.evaluate(x)"),
              "x: T.let[T.int32] = T.Mul(0, 2)\nT.evaluate(x)\nx_1: T.let[T.int32] = T.Mul(1, 2)\nT.evaluate(x_1)\n");
    EXPECT_EQ(after("UnrollLoop", "for i in T.unroll(n):\n    T.evaluate(i)", "n: T.int32"), "TIRX_UNROLL_EXTENT");
    EXPECT_EQ(after("UnrollLoop", "for i in T.unroll(100000000):\n    T.evaluate(i)"), "TIRX_UNROLL_SIZE");
}

TEST(CommonSubexprElim, BindsInTheInnermostCommonBlock) {
    EXPECT_EQ(
        after("CommonSubexprElim",
              "for k in range(8):\n    T.evaluate(k % 3 * 1024)\n    T.evaluate(k % 3 * 1024 + 2)\n    if k < 4:\n"
              "        T.evaluate(k % 3 * 1024 + 2)"),
        "for k in range(8):\n    cse_v1: T.let[T.int32] = k % 3 * 1024\n    T.evaluate(cse_v1)\n"
        "    cse_v2: T.let[T.int32] = cse_v1 + 2\n    T.evaluate(cse_v2)\n    if k < 4:\n        T.evaluate(cse_v2)\n");
    const std::string reads = "T.evaluate(A[0] + 1)\nA[0] = 3\nT.evaluate(A[0] + 1)";
    EXPECT_EQ(after("CommonSubexprElim", reads, "A: T.Buffer((4,), \"int32\")"), reads + "\n");
}

TEST(BindTarget, TheEntryGetsTheWholeTarget) {
    const ir::Module module = read_ok(program("T.evaluate(0)"));
    const PassResult bound = run("BindTarget", module);
    ASSERT_TRUE(bound.ok());
    const std::string text = print_text(*bound.module);
    EXPECT_NE(text.find("\"target\": T.target({\"arch\": \"sm_100a\", \"host\": {\"keys\": [\"cpu\"], \"kind\": \"c\", "
                        "\"tag\": \"\"}, "
                        "\"keys\": [\"cuda\", \"gpu\"], \"kind\": \"cuda\", \"max_num_threads\": 1024, \"tag\": \"\", "
                        "\"thread_warp_size\": 32})"),
              std::string::npos)
        << text;
    EXPECT_EQ(run("BindTarget", bound.module).module, bound.module) << "a target that is there stays";
}

constexpr const char* kTarget =
    "T.target({\"host\": {\"keys\": [\"cpu\"], \"kind\": \"c\", \"tag\": \"\"}, \"keys\": [\"cuda\", \"gpu\"], "
    "\"kind\": \"cuda\", \"tag\": \"\"})";

TEST(SplitHostDevice, TheKernelTakesWhatItsBodyUses) {
    const std::string text =
        "@T.prim_func\ndef main(D: T.Buffer((64,), layout=None), n: T.int32):\n    T.func_attr({\"global_symbol\": "
        "\"f\", \"target\": " +
        std::string(kTarget) +
        "})\n    k: T.let[T.int32] = n * 2\n    with T.launch_thread(\"blockIdx.x\", n) as b:\n"
        "        t = T.launch_thread(\"threadIdx.x\", 32)\n        T.attr({\"tirx.dyn_smem_bytes\": 512})\n"
        "        D[b * 32 + t] = T.Cast(\"float32\", k)\n";
    const PassResult split = run("SplitHostDevice", read_ok(text));
    ASSERT_TRUE(split.ok()) << split.error().message;
    ASSERT_EQ(split.module->functions.size(), 2u);
    EXPECT_EQ(split.module->functions[0]->name, "f_kernel");
    const std::string now = print_text(*split.module);
    EXPECT_NE(now.find("def f_kernel(D_ptr: T.handle(\"float32\", \"global\"), k: T.int32, n: T.int32):"),
              std::string::npos)
        << now;
    EXPECT_NE(now.find("D = T.decl_buffer((64,), data=D_ptr, layout=None)"), std::string::npos) << now;
    EXPECT_NE(now.find("[\"blockIdx.x\", \"threadIdx.x\", \"tirx.use_dyn_shared_memory\"]"), std::string::npos) << now;
    EXPECT_NE(now.find("T.call_packed(\"f_kernel\", D.data, k, n, n, 32, 512)"), std::string::npos) << now;
    EXPECT_EQ(now.find("dyn_smem_bytes"), std::string::npos) << "it speaks of the launch alone";
    const PassResult device = run("DeviceFunctions", split.module);
    ASSERT_TRUE(device.ok());
    EXPECT_EQ(device.module->functions.size(), 1u);
}

TEST(SplitHostDevice, Refusals) {
    const auto code = [](const std::string& inside, bool target = true) {
        const std::string text = "@T.prim_func\ndef main():\n    T.func_attr({\"global_symbol\": \"f\"" +
                                 (target ? ", \"target\": " + std::string(kTarget) : std::string()) +
                                 "})\n    t = T.launch_thread(\"threadIdx.x\", 32)\n" + inside + "    T.evaluate(t)\n";
        const PassResult result = run("SplitHostDevice", read_ok(text));
        return result.ok() ? "ok" : result.error().code;
    };
    EXPECT_EQ(code(""), "ok");
    EXPECT_EQ(code("", false), "TIRX_NO_TARGET");
    EXPECT_EQ(code("    T.attr({\"tirx.launch_bounds_min_blocks_per_sm\": 0})\n"), "TIRX_LAUNCH_BOUNDS");
    EXPECT_EQ(code("    T.attr({\"tirx.launch_bounds_max_blocks_per_cluster\": 2})\n"), "TIRX_LAUNCH_BOUNDS");
    EXPECT_EQ(code("    A = T.alloc_buffer((0,), \"uint8\", scope=\"shared.dyn\", layout=None)\n"),
              "TIRX_DYNAMIC_SHARED");
    // A buffer that nothing makes: what only another buffer's address speaks of is no use of it.
    const std::string free = "    E = T.Buffer((1,), \"uint32\", scope=\"shared\", layout=None)\n";
    const std::string address = "    C = T.decl_buffer((8,), scope=\"tmem\", layout=None, allocated_addr=E[0])\n";
    EXPECT_EQ(code(free + address), "ok");
}

/// The same program without the statement that makes this variable.
class Without final : public ir::Mutator {
public:
    explicit Without(std::string name) : name_(std::move(name)) {}

protected:
    ir::Stmt on_stmt(const ir::Stmt& stmt) override {
        const auto* a = ir::as<ir::AssignNode>(stmt);
        const bool makes = a != nullptr && a->targets.size() == 1 && a->targets[0]->name == name_;
        return makes ? nullptr : Mutator::on_stmt(stmt);
    }

private:
    std::string name_;
};

TEST(SplitHostDevice, RefusesWhatNobodyMakes) {
    const ir::Module module =
        read_ok("@T.prim_func\ndef main():\n    T.func_attr({\"global_symbol\": \"f\", \"target\": " + std::string(kTarget) +
                "})\n    t = T.launch_thread(\"threadIdx.x\", 32)\n    A = T.alloc_local((4,), \"float32\", layout=None)\n"
                "    A[0] = T.float32(1)\n    T.evaluate(t)\n");
    EXPECT_TRUE(run("SplitHostDevice", module).ok());
    const PassResult result = run("SplitHostDevice", Without("A").mutate(module));
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, "TIRX_SPLIT_UNDEFINED");
    EXPECT_NE(result.error().message.find("uses A,"), std::string::npos) << result.error().message;
}

TEST(VerifyMemory, TheHostKeepsOut) {
    const auto run_on = [](const std::string& body) {
        return run(
            "VerifyMemory",
            read_ok("@T.prim_func\ndef main(D: T.Buffer((64,), layout=None)):\n    T.func_attr({\"global_symbol\": "
                    "\"f\", \"target\": " +
                    std::string(kTarget) + "})\n" + body));
    };
    const PassResult direct = run_on("    D[0] = T.float32(1)\n");
    ASSERT_FALSE(direct.ok());
    EXPECT_EQ(direct.error().code, "TIRX_HOST_ACCESS");
    const PassResult view = run_on("    E = T.decl_buffer((64,), data=D.data, layout=None)\n    E[0] = T.float32(1)\n");
    ASSERT_TRUE(view.ok());
    ASSERT_EQ(view.diagnostics.size(), 1u);
    EXPECT_EQ(view.diagnostics[0].severity, Severity::Warning);
    const PassResult fine = run_on(
        "    T.evaluate(T.address_of(D[0]))\n    t = T.launch_thread(\"threadIdx.x\", 64)\n    D[t] = T.float32(1)\n");
    EXPECT_TRUE(fine.ok());
    EXPECT_TRUE(fine.diagnostics.empty());
}

TEST(LowerIntrin, DivisionAsCppHasIt) {
    EXPECT_EQ(after("LowerIntrin",
                    "for i in range(8):\n    T.evaluate(i // 4 + i % 4)\n    T.evaluate(i // 3 + i % 3)\n"
                    "    if i % 4 == 0:\n        T.evaluate((i - 4) // 3)"),
              "for i in range(8):\n    T.evaluate(T.shift_right(i, 2) + T.bitwise_and(i, 3))\n    T.evaluate(T.Div(i, "
              "3) + T.truncmod(i, 3))\n"
              "    if T.truncmod(i, 4) == 0:\n        T.evaluate(T.Div(i - 4 + 6, 3) - 2)\n");
    EXPECT_EQ(after("LowerIntrin", "T.evaluate(n // 3)\nT.evaluate(n % 3)", "n: T.int32"),
              "T.evaluate(T.Div(n, 3) + T.shift_right(T.truncmod(n, 3), 31))\n"
              "T.evaluate(T.truncmod(n, 3) + T.bitwise_and(3, T.shift_right(T.truncmod(n, 3), 31)))\n");
    EXPECT_EQ(after("LowerIntrin", "w: T.let[T.int32] = T.tvm_warp_shuffle(T.uint32(4294967295), n, 0, 32, 32)",
                    "n: T.int32"),
              "w: T.let[T.int32] = T.cuda.__shfl_sync(T.uint32(4294967295), n, 0, 32)\n");
}

} // namespace
} // namespace ls::tirx
