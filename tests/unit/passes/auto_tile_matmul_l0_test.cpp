#include "core/passes/nz/auto_tile_matmul_l0.h"

#include <array>
#include <unordered_map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/ir/equality.h"
#include "core/ir/walk.h"
#include "tests/unit/passes/kernel_text.h"

namespace ls::nz {
namespace {

using namespace ir;

PassResult tiled(const Module& m, const char* chip = "a2a3") {
    PassContext context;
    context.hardware = find_hardware(chip);
    return auto_tile_matmul_l0(m, context);
}

struct Shape {
    std::int64_t M, N, K;
    const char* dtype = "BF16";
    bool nz_store = false;
};

/// C = A · B with both operands in Mat, stored whole.
Module product(const Shape& s) {
    const std::string acc = std::string_view(s.dtype) == "INT8" ? "INT32" : "FP32";
    const std::string out = s.nz_store ? fmt::format("pl.Tensor[[1, {}, {}, 16, 8], pl.FP32, pl.TensorView(stride=[], "
                                                     "layout=pl.TensorLayout.NZ)]",
                                                     s.N / 8, s.M / 16)
                                       : fmt::format("pl.Tensor[[{}, {}], pl.{}]", s.M, s.N, acc);
    const std::string store =
        s.nz_store ? fmt::format("pl.tile.store(c, [0, 0, 0, 0, 0], out, [1, {}, {}, 16, 8])", s.N / 8, s.M / 16)
                   : std::string("pl.tile.store(c, [0, 0], out)");
    return read_kernel(
        fmt::format("a: pl.Tensor[[{0}, {2}], pl.{3}], b: pl.Tensor[[{2}, {1}], pl.{3}], out: pl.Out[{4}]", s.M, s.N,
                    s.K, s.dtype, out),
        fmt::format("at: pl.Tile[[{0}, {2}], pl.{3}, pl.Mem.Mat] = pl.tile.load(a, [0, 0], [{0}, {2}], [{0}, {2}], "
                    "target_memory=pl.Mem.Mat)\n"
                    "bt: pl.Tile[[{2}, {1}], pl.{3}, pl.Mem.Mat] = pl.tile.load(b, [0, 0], [{2}, {1}], [{2}, {1}], "
                    "target_memory=pl.Mem.Mat)\n"
                    "c: pl.Tile[[{0}, {1}], pl.{4}, pl.Mem.Acc] = pl.tile.matmul(at, bt)\n"
                    "o: {5} = {6}\nreturn out",
                    s.M, s.N, s.K, s.dtype, acc, out, store),
        out);
}

/// Runs a tiled kernel on indices alone: which part of A · B every product computes, and where it is stored.
class Runner {
public:
    explicit Runner(const Shape& s) : shape_(s), seen_(static_cast<std::size_t>(s.M / 16 * (s.N / 16) * (s.K / 16))) {}

    void run(const SeqNode& body) {
        for (const Stmt& stmt : body.stmts) {
            if (const auto* loop = as<ForNode>(stmt)) {
                for (std::int64_t i = value(loop->start); i < value(loop->stop); i += value(loop->step)) {
                    numbers_[loop->var.get()] = i;
                    run(*loop->body);
                }
            } else if (const auto* branch = as<IfNode>(stmt)) {
                const auto& condition = static_cast<const BinaryNode&>(*branch->condition);
                EXPECT_EQ(condition.op, BinaryOp::Eq);
                const bool taken = value(condition.lhs) == value(condition.rhs);
                run(taken ? *branch->then_body : *branch->else_body);
            } else if (const auto* assign = as<AssignNode>(stmt)) {
                call(*assign);
            }
        }
    }

    /// Every box of M × N × K exactly once, and every part of C stored exactly once.
    void check() const {
        for (const int times : seen_) ASSERT_EQ(times, 1);
        EXPECT_EQ(stored_, shape_.M * shape_.N);
    }
    int products = 0;

private:
    struct Window {
        std::int64_t row = 0, col = 0, rows = 0, cols = 0;
    };

    std::int64_t value(const Expr& e) const {
        if (const auto c = constant(e)) return *c;
        if (const auto* b = as<BinaryNode>(e)) {
            const std::int64_t x = value(b->lhs), y = value(b->rhs);
            EXPECT_TRUE(b->op == BinaryOp::Add || b->op == BinaryOp::FloorDiv);
            return b->op == BinaryOp::Add ? x + y : x / y;
        }
        const auto found = numbers_.find(as<VarNode>(e));
        EXPECT_NE(found, numbers_.end());
        return found == numbers_.end() ? 0 : found->second;
    }

    void call(const AssignNode& assign) {
        const auto& c = static_cast<const CallNode&>(*assign.value);
        if (c.is_op("tile.extract")) {
            const auto& size = static_cast<const TupleNode&>(*c.args[3]).elements;
            windows_[assign.targets[0].get()] = {value(c.args[1]), value(c.args[2]), value(size[0]), value(size[1])};
        } else if (c.is_op("tile.matmul") || c.is_op("tile.matmul_acc")) {
            const std::size_t first = c.args.size() - 2;
            multiply(windows_.at(as<VarNode>(c.args[first])), windows_.at(as<VarNode>(c.args[first + 1])));
        } else if (c.is_op("tile.store")) {
            const auto& at = static_cast<const TupleNode&>(*c.args[1]).elements;
            if (shape_.nz_store) {
                const auto& part = static_cast<const TupleNode&>(*c.args[3]).elements;
                EXPECT_EQ(value(at[1]) * 8, last_.col);
                EXPECT_EQ(value(part[1]) * 8, last_.cols);
                EXPECT_EQ(value(part[2]) * 16, shape_.M);
                EXPECT_EQ(last_.rows, shape_.M);
            } else {
                EXPECT_EQ(value(at[0]), last_.row);
                EXPECT_EQ(value(at[1]), last_.col);
            }
            stored_ += last_.rows * last_.cols;
        }
    }

    void multiply(const Window& a, const Window& b) {
        ++products;
        last_ = {a.row, b.col, a.rows, b.cols};
        ASSERT_EQ(a.col, b.row);
        ASSERT_EQ(a.cols, b.rows);
        ASSERT_LE(a.row + a.rows, shape_.M);
        ASSERT_LE(b.col + b.cols, shape_.N);
        ASSERT_LE(a.col + a.cols, shape_.K);
        for (std::int64_t i = a.row / 16; i < (a.row + a.rows) / 16; ++i)
            for (std::int64_t j = b.col / 16; j < (b.col + b.cols) / 16; ++j)
                for (std::int64_t k = a.col / 16; k < (a.col + a.cols) / 16; ++k)
                    ++seen_[static_cast<std::size_t>((i * (shape_.N / 16) + j) * (shape_.K / 16) + k)];
    }

    Shape shape_;
    std::vector<int> seen_;
    std::unordered_map<const VarNode*, std::int64_t> numbers_;
    std::unordered_map<const VarNode*, Window> windows_;
    Window last_;
    std::int64_t stored_ = 0;
};

TEST(AutoTileMatmulL0, TilesCoverTheProductOnce) {
    for (const char* chip : {"a2a3", "a5"}) {
        for (const Shape& s :
             {Shape{128, 128, 256, "FP16"}, Shape{256, 256, 32, "FP32"}, Shape{256, 256, 128, "FP32"},
              Shape{512, 512, 512}, Shape{272, 272, 64}, Shape{304, 528, 176}, Shape{1008, 48, 80, "FP32"},
              Shape{48, 80, 2048}, Shape{64, 1024, 256, "INT8"}, Shape{320, 336, 64, "INT8"}, Shape{16, 16, 4112}}) {
            SCOPED_TRACE(fmt::format("{} {} {} {} {}", chip, s.M, s.N, s.K, s.dtype));
            const Module before = product(s);
            const PassResult after = tiled(before, chip);
            ASSERT_TRUE(after.ok()) << after.error().message;
            EXPECT_TRUE(after.diagnostics.empty());
            if (after.module == before) continue; // fits as it is
            Runner runner(s);
            runner.run(*after.module->functions[0]->body);
            runner.check();
            EXPECT_GT(runner.products, 1);
        }
    }
}

TEST(AutoTileMatmulL0, NzStoresAreCutByColumnsOnly) {
    for (const Shape& s : {Shape{64, 1024, 256, "BF16", true}, Shape{64, 8192, 64, "BF16", true},
                           Shape{256, 400, 320, "FP16", true}, Shape{16, 2064, 512, "FP32", true}}) {
        SCOPED_TRACE(fmt::format("{} {} {}", s.M, s.N, s.K));
        const PassResult after = tiled(product(s));
        ASSERT_TRUE(after.ok()) << after.error().message;
        Runner runner(s);
        runner.run(*after.module->functions[0]->body);
        runner.check();
    }
}

/// The form that the compiler prints for a product that only needs blocks of K.
TEST(AutoTileMatmulL0, BlocksOfKBecomeAPipeline) {
    const PassResult after = tiled(product({64, 256, 512, "INT8"}));
    const std::string text = body_text(after);
    for (const char* line :
         {"c_l0_init: pl.Tile[[64, 256], pl.INT32, pl.Mem.Acc] = pl.tile.create([64, 256], dtype=pl.INT32, "
          "target_memory=pl.Mem.Acc)",
          "for c_l0_ko, (c_l0_c,) in pl.pipeline(0, 512, 128, stage=2, init_values=(c_l0_init,)):",
          "c_l0_a: pl.Tile[[64, 128], pl.INT8, pl.Mem.Left, pl.TileView(blayout=pl.TileLayout.row_major)] = "
          "pl.tile.extract(at, 0, c_l0_ko, [64, 128], target_memory=pl.Mem.Left)",
          "c_l0_b: pl.Tile[[128, 256], pl.INT8, pl.Mem.Right] = pl.tile.extract(bt, c_l0_ko, 0, [128, 256], "
          "target_memory=pl.Mem.Right)",
          "if c_l0_ko == 0:", "c_l0_c_first: pl.Tile[[64, 256], pl.INT32, pl.Mem.Acc] = pl.tile.matmul(c_l0_a, c_l0_b)",
          "pl.tile.matmul_acc(c_l0_c, c_l0_a, c_l0_b)"}) {
        EXPECT_NE(text.find(line), std::string::npos) << line << "\nin\n" << text;
    }
}

TEST(AutoTileMatmulL0, WholeKKeepsOnePanelForTheInnerLoop) {
    const std::string text = body_text(tiled(product({256, 256, 32, "FP32"})));
    for (const char* line : {"for c_o, (c_oc,) in pl.pipeline(0, 256, 256, stage=2, init_values=(out,), "
                             "attrs={\"pipeline_overlap_stores\": False}):",
                             "for c_i, (c_ic,) in pl.pipeline(0, 256, 128, stage=2, init_values=(c_oc,), "
                             "attrs={\"pipeline_overlap_stores\": False}):",
                             "pl.tile.store(c_c, [c_i, c_o], c_ic)"}) {
        EXPECT_NE(text.find(line), std::string::npos) << line << "\nin\n" << text;
    }
}

/// Tiles that the compiler's own tests pin for A2/A3.
TEST(AutoTileMatmulL0, AgreesWithPinnedLoops) {
    for (const auto& [m, k, n, depth] : std::initializer_list<std::array<std::int64_t, 4>>{
             {16, 128, 128, 64}, {64, 192, 128, 64}, {64, 256, 256, 32}, {128, 384, 64, 64}}) {
        const std::string text = body_text(tiled(product({m, n, k, "FP32"})));
        EXPECT_NE(text.find(fmt::format("pl.pipeline(0, {}, {},", k, depth)), std::string::npos) << text;
        EXPECT_EQ(text.find("pl.range("), std::string::npos) << text;
    }
    // one panel of A stays in all of L0A: its loop is no pipeline
    const std::string held_a = body_text(tiled(product({256, 544, 128})));
    const std::size_t outer = held_a.find("in pl.range(0, 256, 256,"),
                      inner = held_a.find("in pl.pipeline(0, 512, 128,");
    const std::size_t panel = held_a.find("target_memory=pl.Mem.Left");
    ASSERT_NE(inner, std::string::npos) << held_a;
    EXPECT_LT(outer, panel);
    EXPECT_LT(panel, inner);
    const std::string held_b = body_text(tiled(product({192, 512, 64})));
    EXPECT_NE(held_b.find("in pl.range(0, 512, 512,"), std::string::npos) << held_b;
    EXPECT_NE(held_b.find("in pl.pipeline(0, 192, 64,"), std::string::npos) << held_b;
}

TEST(AutoTileMatmulL0, WhatFitsStaysTheSameObject) {
    const Module m = product({64, 64, 64});
    EXPECT_EQ(tiled(m).module, m);
}

TEST(AutoTileMatmulL0, NewStatementsComeFromTheProduct) {
    const Module m = product({64, 256, 512, "INT8"});
    const PassResult after = tiled(m);
    const Node* matmul = m->functions[0]->body->stmts[2].get();
    std::size_t loops = 0;
    for_each_stmt(*after.module, [&](const StmtNode& stmt) {
        if (stmt.kind != NodeKind::For && stmt.kind != NodeKind::If) return;
        ++loops;
        EXPECT_EQ(&first_origin(stmt), matmul);
    });
    EXPECT_EQ(loops, 2U);
    EXPECT_EQ(after.module->functions[0]->origin, m->functions[0]);
}

const std::string kChain =
    "at: pl.Tile[[{0}, 64], pl.BF16, pl.Mem.Mat] = pl.tile.load(a, [0, 0], [{0}, 64], [{0}, 64], "
    "target_memory=pl.Mem.Mat)\n"
    "bt: pl.Tile[[64, {0}], pl.BF16, pl.Mem.Mat] = pl.tile.load(b, [0, 0], [64, {0}], [64, {0}], "
    "target_memory=pl.Mem.Mat)\n"
    "c: pl.Tile[[{0}, {0}], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(at, bt)\n"
    "cb: pl.Tile[[{0}, {0}], pl.BF16, pl.Mem.Vec] = pl.tile.cast(c, target_type=pl.BF16, mode='{1}')\n"
    "d: pl.Tile[[{0}, {0}], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(cb, cb2)\n"
    "o: pl.Tensor[[{0}, {0}], pl.FP32] = pl.tile.store(d, [0, 0], out)\nreturn out";

PassResult chain(int extent, const char* mode) {
    return tiled(read_kernel(
        fmt::format("a: pl.Tensor[[{0}, 64], pl.BF16], b: pl.Tensor[[64, {0}], pl.BF16], cb2: pl.Tile[[{0}, {0}], "
                    "pl.BF16, pl.Mem.Mat], out: pl.Out[pl.Tensor[[{0}, {0}], pl.FP32]]",
                    extent),
        fmt::format(fmt::runtime(kChain), extent, mode), fmt::format("pl.Tensor[[{0}, {0}], pl.FP32]", extent)));
}

TEST(AutoTileMatmulL0, CastsBetweenProductsHappenOnTheWayToMat) {
    const std::string small = body_text(chain(128, "rint"));
    EXPECT_EQ(small.find("tile.cast"), std::string::npos);
    EXPECT_NE(small.find("pl.tile.assemble(c_mat, c, [0, 0])"), std::string::npos) << small;
    const std::string large = body_text(chain(256, "rint"));
    EXPECT_EQ(large.find("tile.cast"), std::string::npos);
    EXPECT_NE(large.find("c_mat: pl.Tile[[256, 256], pl.BF16, pl.Mem.Mat] = pl.tile.create"), std::string::npos);

    const PassResult rounded = chain(128, "round");
    EXPECT_NE(body_text(rounded).find("tile.cast"), std::string::npos);
    ASSERT_EQ(rounded.diagnostics.size(), 1U);
    EXPECT_EQ(rounded.diagnostics[0].code, "L0_CAST_NOT_FOLDED");
    EXPECT_EQ(rounded.diagnostics[0].severity, Severity::Note);
}

TEST(AutoTileMatmulL0, RefusesOperandsThatCannotFit) {
    const PassResult r =
        tiled(read_kernel("a: pl.Tile[[64, 256], pl.FP16, pl.Mem.Left], b: pl.Tile[[256, 256], pl.FP16, pl.Mem.Right]",
                          "c: pl.Tile[[64, 256], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(a, b)\nreturn c",
                          "pl.Tile[[64, 256], pl.FP32, pl.Mem.Acc]"));
    ASSERT_FALSE(r.ok());
    EXPECT_EQ(r.error().code, "L0_OPERAND_CAPACITY");
    EXPECT_NE(r.error().message.find("131072"), std::string::npos);
    EXPECT_NE(r.error().message.find("65536"), std::string::npos);
}

TEST(AutoTileMatmulL0, RefusesNzStoresThatNoTileServes) {
    const PassResult r = tiled(product({4096, 64, 64, "BF16", true}));
    ASSERT_FALSE(r.ok());
    EXPECT_EQ(r.error().code, "NZ_STORE_NO_TILE");
}

TEST(AutoTileMatmulL0, ChecksNzStoresOfWhatItDoesNotTile) {
    const PassResult r = tiled(
        read_kernel("c: pl.Tile[[64, 1024], pl.FP32, pl.Mem.Acc], out: pl.Out[pl.Tensor[[1, 128, 4, 16, 8], pl.FP32, "
                    "pl.TensorView(stride=[], layout=pl.TensorLayout.NZ)]]",
                    "o: pl.Tensor[[1, 128, 4, 16, 8], pl.FP32, pl.TensorView(stride=[], layout=pl.TensorLayout.NZ)] = "
                    "pl.tile.store(c, [0, 0, 0, 0, 0], out, [1, 128, 4, 16, 8])\nreturn out",
                    "pl.Tensor[[1, 128, 4, 16, 8], pl.FP32, pl.TensorView(stride=[], layout=pl.TensorLayout.NZ)]"));
    ASSERT_FALSE(r.ok());
    EXPECT_EQ(r.error().code, "NZ_STORE_CAPACITY");
    EXPECT_NE(r.error().message.find("262144"), std::string::npos);
}

TEST(AutoTileMatmulL0, SaysWhyALargeProductStays) {
    const std::string type = "pl.Tensor[[256, 256], pl.FP32]";
    const PassResult r = tiled(read_kernel(
        "a: pl.Tile[[256, 64], pl.BF16, pl.Mem.Mat], b: pl.Tile[[64, 256], pl.BF16, pl.Mem.Mat], o1: pl.Out[" + type +
            "], o2: pl.Out[" + type + "]",
        "c: pl.Tile[[256, 256], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(a, b)\n"
        "x: " +
            type + " = pl.tile.store(c, [0, 0], o1)\ny: " + type + " = pl.tile.store(c, [0, 0], o2)\nreturn o1",
        type));
    ASSERT_TRUE(r.ok());
    ASSERT_EQ(r.diagnostics.size(), 1U);
    EXPECT_EQ(r.diagnostics[0].code, "L0_PLACEMENT");
    EXPECT_NE(r.diagnostics[0].hint.find("PH-AT-006"), std::string::npos);
}

/// INT32 rows are padded to 32 on A2/A3: [16, 1152] takes 144 KiB of 128, so every part is reduced over all of K alone.
TEST(AutoTileMatmulL0, ReductionsOverKAreCutOutsideTheirLoop) {
    const std::string type = "pl.Tensor[[16, 1152], pl.INT32]";
    const PassResult r = tiled(read_kernel(
        "a: pl.Tensor[[16, 1024], pl.INT8], b: pl.Tensor[[1024, 1152], pl.INT8], out: pl.Out[" + type + "]",
        "init: pl.Tile[[16, 1152], pl.INT32, pl.Mem.Acc] = pl.tile.create([16, 1152], dtype=pl.INT32, "
        "target_memory=pl.Mem.Acc)\n"
        "for kb, (acc,) in pl.pipeline(8, stage=2, init_values=(init,)):\n"
        "    k0: pl.Scalar[pl.INDEX] = kb * 128\n"
        "    at: pl.Tile[[16, 128], pl.INT8, pl.Mem.Mat] = pl.tile.load(a, [0, k0], [16, 128], [16, 128], "
        "target_memory=pl.Mem.Mat)\n"
        "    bt: pl.Tile[[128, 1152], pl.INT8, pl.Mem.Mat] = pl.tile.load(b, [k0, 0], [128, 1152], [128, 1152], "
        "target_memory=pl.Mem.Mat)\n"
        "    if kb == 0:\n"
        "        c1: pl.Tile[[16, 1152], pl.INT32, pl.Mem.Acc] = pl.tile.matmul(at, bt)\n"
        "        phi: pl.Tile[[16, 1152], pl.INT32, pl.Mem.Acc] = pl.yield_(c1)\n"
        "    else:\n"
        "        c2: pl.Tile[[16, 1152], pl.INT32, pl.Mem.Acc] = pl.tile.matmul_acc(acc, at, bt)\n"
        "        phi: pl.Tile[[16, 1152], pl.INT32, pl.Mem.Acc] = pl.yield_(c2)\n"
        "    sum: pl.Tile[[16, 1152], pl.INT32, pl.Mem.Acc] = pl.yield_(phi)\n"
        "o: " +
            type + " = pl.tile.store(sum, [0, 0], out)\nreturn out",
        type));
    ASSERT_TRUE(r.ok()) << r.error().message;
    const std::string text = body_text(r);
    EXPECT_EQ(text.find("1152], pl.INT32, pl.Mem.Acc"), std::string::npos) << text;
    std::int64_t columns = 0;
    int stores = 0;
    for (const Stmt& stmt : r.module->functions[0]->body->stmts) {
        const auto* assign = as<AssignNode>(stmt);
        const auto* call = assign == nullptr ? nullptr : as<CallNode>(assign->value);
        if (call == nullptr || !call->is_op("tile.store")) continue;
        ++stores;
        EXPECT_EQ(constant(static_cast<const TupleNode&>(*call->args[1]).elements[1]), columns);
        const auto& tile = static_cast<const TileTypeNode&>(*as<VarNode>(call->args[0])->type);
        columns += *constant(effective_view(tile).valid_shape[1]);
        const auto bytes = acc_physical_bytes(*constant_dims(tile.shape), DType::Int32, find_hardware("a2a3"));
        EXPECT_LE(*bytes, 131072);
    }
    EXPECT_GT(stores, 1);
    EXPECT_EQ(columns, 1152);
}

std::string pipeline(int trips) {
    const std::string type = fmt::format("pl.Tensor[[64, {}], pl.FP32]", trips * 64);
    return body_text(tiled(read_kernel(
        fmt::format("a: pl.Tile[[64, 64], pl.BF16, pl.Mem.Left], b: pl.Tile[[64, {}], pl.BF16, pl.Mem.Mat], "
                    "out: pl.Out[{}]",
                    trips * 64, type),
        fmt::format("for n, (oc,) in pl.pipeline(0, {0}, 64, stage=2, init_values=(out,)):\n"
                    "    br: pl.Tile[[64, 64], pl.BF16, pl.Mem.Right] = pl.tile.extract(b, 0, n, [64, 64], "
                    "target_memory=pl.Mem.Right)\n"
                    "    c: pl.Tile[[64, 64], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(a, br)\n"
                    "    s: {1} = pl.tile.store(c, [0, n], oc)\n"
                    "    r: {1} = pl.yield_(s)\nreturn r",
                    trips * 64, type),
        type)));
}

TEST(AutoTileMatmulL0, PipelinesThatDrainGetASecondAccumulator) {
    EXPECT_NE(pipeline(4).find("\"pipeline_double_buffer_c\": True"), std::string::npos) << pipeline(4);
    EXPECT_EQ(pipeline(2).find("pipeline_double_buffer_c"), std::string::npos) << "two trips do not pay";
}

/// A bias is added once: with the first block of K.
TEST(AutoTileMatmulL0, WindowsOfABiasAreLoadedAnew) {
    const std::string type = "pl.Tensor[[256, 512], pl.FP32]";
    const PassResult r = tiled(
        read_kernel("a: pl.Tile[[256, 128], pl.BF16, pl.Mem.Mat], b: pl.Tile[[128, 512], pl.BF16, pl.Mem.Mat], bias: "
                    "pl.Tensor[[1, 512], pl.FP32], out: pl.Out[" +
                        type + "]",
                    "bm: pl.Tile[[1, 512], pl.FP32, pl.Mem.Mat] = pl.tile.load(bias, [0, 0], [1, 512], [1, 512], "
                    "target_memory=pl.Mem.Mat)\n"
                    "c: pl.Tile[[256, 512], pl.FP32, pl.Mem.Acc] = pl.tile.matmul_bias(a, b, bm)\n"
                    "o: " +
                        type + " = pl.tile.store(c, [0, 0], out)\nreturn out",
                    type));
    ASSERT_TRUE(r.ok());
    EXPECT_TRUE(r.diagnostics.empty()) << r.diagnostics[0].message;
    std::int64_t widest = 0;
    int whole = 0;
    for_each_call(*r.module, [&](const CallNode& call) {
        if (!call.is_op("tile.load")) return;
        const auto cols = constant(static_cast<const TupleNode&>(*call.args[2]).elements[1]);
        widest = std::max(widest, cols.value_or(0));
        whole += cols == 512 ? 1 : 0;
    });
    EXPECT_EQ(whole, 0) << "the load of the whole bias is replaced";
    EXPECT_GE(widest, 16);
    EXPECT_LE(widest, 256) << "Bias holds 1 KiB";
}

} // namespace
} // namespace ls::nz
