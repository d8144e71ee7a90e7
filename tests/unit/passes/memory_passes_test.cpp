// Memory passes: allocations, reuse, addresses; and that what they make never clashes.
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/analysis/tile_lifetimes.h"
#include "core/passes/memory/allocate_memory_addr.h"
#include "core/passes/memory/fold_no_op_reshape.h"
#include "core/passes/memory/infer_tile_memory_space.h"
#include "core/passes/memory/init_memref.h"
#include "core/passes/memory/materialize_semantic_aliases.h"
#include "core/passes/memory/memory_reuse.h"
#include "tests/unit/passes/kernel_text.h"

namespace ls::memory {
namespace {

using PassFunction = PassResult (*)(const ir::Module&, const PassContext&);

constexpr PassFunction kAllocation[] = {&init_memref, &materialize_semantic_aliases, &memory_reuse, &allocate_memory_addr, &fold_no_op_reshape};

PassResult run(ir::Module module, std::initializer_list<PassFunction> passes, const PassContext& context = {}) {
    PassResult last = PassResult::unchanged(module);
    for (const PassFunction pass : passes) {
        last = pass(last.module, context);
        if (!last.ok()) return last;
    }
    return last;
}

PassResult allocated(const ir::Module& module, const PassContext& context = {}) {
    PassResult last = PassResult::unchanged(module);
    for (const PassFunction pass : kAllocation) {
        last = pass(last.module, context);
        if (!last.ok()) return last;
    }
    return last;
}

constexpr const char* kTile = "pl.Tile[[16, 32], pl.FP32, pl.Mem.Vec]";

std::string load(const std::string& name) {
    return fmt::format("{}: {} = pl.tile.load(x, [0, 0], [16, 32], [16, 32], target_memory=pl.Mem.Vec)\n", name, kTile);
}

TEST(InitMemRef, GivesEveryValueABufferAndViewsTheirOperands) {
    const auto result = run(read_kernel("x: pl.Tensor[[64, 32], pl.FP32]",
                                        load("a") + "s: pl.Tile[[4, 32], pl.FP32, pl.Mem.Vec] = pl.tile.slice(a, [4, 32], [2, 0])\n" +
                                            fmt::format("b: {} = pl.tile.adds(a, 1.0)", kTile)),
                            {&init_memref});
    ASSERT_TRUE(result.ok()) << result.error().message;
    EXPECT_EQ(body_text(result),
              "mem_vec_1: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 2048)\n"
              "mem_vec_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 2048)\n"
              "a: pl.Tile[[16, 32], pl.FP32, pl.MemRef(mem_vec_1, pl.const(0, pl.INT64), 2048), pl.Mem.Vec] = pl.tile.load(x, [0, 0], "
              "[16, 32], [16, 32], target_memory=pl.Mem.Vec)\n"
              "s: pl.Tile[[4, 32], pl.FP32, pl.MemRef(mem_vec_1, 256, 512), pl.Mem.Vec] = pl.tile.slice(a, [4, 32], [2, 0])\n"
              "b: pl.Tile[[16, 32], pl.FP32, pl.MemRef(mem_vec_2, pl.const(0, pl.INT64), 2048), pl.Mem.Vec] = pl.tile.adds(a, 1.0)\n");
}

TEST(InitMemRef, RoundsAccumulatorRowsUp) {
    const ir::Module module = read_kernel("x: pl.Tensor[[64, 32], pl.FP32]",
                                          "c: pl.Tile[[17, 32], pl.INT32, pl.Mem.Acc] = pl.tile.create([17, 32], dtype=pl.INT32, target_memory=pl.Mem.Acc)");
    PassContext a5;
    a5.hardware = find_hardware("a5");
    EXPECT_NE(body_text(init_memref(module, {})).find("pl.tile.alloc(pl.Mem.Acc, 4096)"), std::string::npos); // 32 rows
    EXPECT_NE(body_text(init_memref(module, a5)).find("pl.tile.alloc(pl.Mem.Acc, 4096)"), std::string::npos); // 2 * 16 rows
    const ir::Module small = read_kernel("x: pl.Tensor[[64, 32], pl.FP32]",
                                         "c: pl.Tile[[16, 32], pl.INT32, pl.Mem.Acc] = pl.tile.create([16, 32], dtype=pl.INT32, target_memory=pl.Mem.Acc)");
    EXPECT_NE(body_text(init_memref(small, {})).find("pl.tile.alloc(pl.Mem.Acc, 4096)"), std::string::npos);
    EXPECT_NE(body_text(init_memref(small, a5)).find("pl.tile.alloc(pl.Mem.Acc, 2048)"), std::string::npos);
}

TEST(InitMemRef, RefusesTilesOfVaryingShape) {
    const auto result = init_memref(read_kernel("x: pl.Tensor[[64, 32], pl.FP32], n: pl.Scalar[pl.INDEX]",
                                                "a: pl.Tile[[n, 32], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [n, 32], [n, 32], target_memory=pl.Mem.Vec)"),
                                    {});
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, "MEM_SHAPE");
}

TEST(MemoryReuse, WritesOverWhatIsReadLastButNotOverWhatIsStillRead) {
    // muls may write over its operand; row_expand_mul reads its vector for every row.
    const std::string column = "pl.Tile[[16, 1], pl.FP32, pl.Mem.Vec]";
    const auto result = run(read_kernel("x: pl.Tensor[[64, 32], pl.FP32], y: pl.Out[pl.Tensor[[64, 32], pl.FP32]]",
                                        load("a") + fmt::format("b: {} = pl.tile.muls(a, 2.0)\n", kTile) +
                                            fmt::format("v: {} = pl.tile.load(x, [0, 0], [16, 1], [16, 1], target_memory=pl.Mem.Vec)\n", column) +
                                            fmt::format("c: {} = pl.tile.row_expand_mul(b, v)\n", kTile) + "pl.tile.store(c, [0, 0], y)"),
                            {&init_memref, &memory_reuse});
    ASSERT_TRUE(result.ok());
    const std::string text = body_text(result);
    EXPECT_NE(text.find("mem_vec_2: pl.Ptr"), std::string::npos);  // a, b and c
    EXPECT_NE(text.find("mem_vec_4: pl.Ptr"), std::string::npos);  // v
    EXPECT_EQ(text.find("mem_vec_3: pl.Ptr"), std::string::npos);
    EXPECT_EQ(text.find("mem_vec_5: pl.Ptr"), std::string::npos);
    EXPECT_NE(text.find("c: pl.Tile[[16, 32], pl.FP32, pl.MemRef(mem_vec_2,"), std::string::npos);
}

TEST(AllocateMemoryAddr, StandsBuffersInTheOrderOfTheirNames) {
    std::string body = load("a") + load("b");
    body += fmt::format("c: {} = pl.tile.add(a, b)\npl.tile.store(c, [0, 0], y)", kTile);
    const auto result = run(read_kernel("x: pl.Tensor[[64, 32], pl.FP32], y: pl.Out[pl.Tensor[[64, 32], pl.FP32]]", body), {&init_memref, &allocate_memory_addr});
    ASSERT_TRUE(result.ok());
    const TileLifetimes lives = tile_lifetimes(*result.module->functions[0]);
    ASSERT_EQ(lives.buffers.size(), 3U);
    EXPECT_EQ(lives.buffers[0].begin_byte, 0);
    EXPECT_EQ(lives.buffers[1].begin_byte, 2048);
    EXPECT_EQ(lives.buffers[2].begin_byte, 4096);
}

TEST(AllocateMemoryAddr, RefusesWhatTheChipDoesNotHold) {
    const std::string big = "pl.Tile[[256, 128], pl.FP32, pl.Mem.Vec]"; // 131072 bytes
    const auto result = allocated(read_kernel("x: pl.Tensor[[256, 128], pl.FP32], y: pl.Out[pl.Tensor[[256, 128], pl.FP32]]",
                                              fmt::format("a: {0} = pl.tile.load(x, [0, 0], [256, 128], [256, 128], target_memory=pl.Mem.Vec)\n"
                                                          "b: {0} = pl.tile.load(x, [0, 0], [256, 128], [256, 128], target_memory=pl.Mem.Vec)\n"
                                                          "c: {0} = pl.tile.add(a, b)\npl.tile.store(c, [0, 0], y)",
                                                          big)));
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, "MEM_CAPACITY");
    EXPECT_NE(result.error().message.find("262144 bytes of Vec; a2a3 has 188416"), std::string::npos) << result.error().message;
}

TEST(FoldNoOpReshape, OnlyWhereBothLookAlike) {
    const auto result = run(read_kernel("x: pl.Tensor[[64, 32], pl.FP32]",
                                        load("a") + fmt::format("b: {} = pl.tile.reshape(a, [16, 32])\n", kTile) +
                                            "c: pl.Tile[[32, 16], pl.FP32, pl.Mem.Vec] = pl.tile.reshape(a, [32, 16])"),
                            {&init_memref, &fold_no_op_reshape});
    const std::string text = body_text(result);
    EXPECT_NE(text.find("pl.Mem.Vec] = a\n"), std::string::npos) << text;
    EXPECT_NE(text.find("pl.tile.reshape(a, [32, 16])"), std::string::npos);
}

TEST(InferTileMemorySpace, BringsOperandsToTheCube) {
    const auto result = infer_tile_memory_space(
        read_kernel("x: pl.Tensor[[64, 64], pl.FP16]", "a: pl.Tile[[64, 64], pl.FP16] = pl.tile.load(x, [0, 0], [64, 64], [64, 64])\n"
                                                       "c: pl.Tile[[64, 64], pl.FP32] = pl.tile.matmul(a, a)\n"
                                                       "d: pl.Tile[[64, 64], pl.FP32] = pl.tile.adds(c, 1.0)"),
        {});
    EXPECT_EQ(body_text(result),
              "a: pl.Tile[[64, 64], pl.FP16, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [64, 64], [64, 64], target_memory=pl.Mem.Vec)\n"
              "a_Left: pl.Tile[[64, 64], pl.FP16, pl.Mem.Left] = pl.tile.move(a, target_memory=pl.Mem.Left)\n"
              "a_Right: pl.Tile[[64, 64], pl.FP16, pl.Mem.Right] = pl.tile.move(a, target_memory=pl.Mem.Right)\n"
              "c: pl.Tile[[64, 64], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(a_Left, a_Right)\n"
              "c_Vec: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.move(c, target_memory=pl.Mem.Vec, "
              "blayout=pl.TileLayout.row_major, slayout=pl.TileLayout.none_box)\n"
              "d: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.tile.adds(c_Vec, 1.0)\n");
}

/// Programs of loads, sums, reductions, views, loops that carry tiles and branches that yield them.
class Generator {
public:
    explicit Generator(std::uint32_t seed) : random_(seed) {}

    std::string body() {
        std::string text;
        std::vector<std::string> tiles;
        block(text, tiles, 0, 14);
        for (std::size_t i = 0; i < std::min<std::size_t>(3, tiles.size()); ++i) text += fmt::format("pl.tile.store({}, [0, 0], y)\n", pick(tiles));
        text.pop_back();
        return text;
    }

private:
    int below(int n) { return static_cast<int>(random_() % static_cast<std::uint32_t>(n)); }
    const std::string& pick(const std::vector<std::string>& list) { return list[static_cast<std::size_t>(below(static_cast<int>(list.size())))]; }
    std::string fresh() { return fmt::format("t{}", next_++); }

    void block(std::string& text, std::vector<std::string>& tiles, int depth, int statements) {
        const std::string pad(static_cast<std::size_t>(depth) * 4, ' ');
        const std::string type = "pl.Tile[[16, 16], pl.FP32, pl.Mem.Vec]";
        for (int i = 0; i < statements; ++i) {
            const std::string name = fresh();
            const int kind = tiles.size() < 2 ? 0 : below(9);
            if (kind <= 1) {
                text += fmt::format("{}{}: {} = pl.tile.load(x, [0, 0], [16, 16], [16, 16], target_memory=pl.Mem.Vec)\n", pad, name, type);
            } else if (kind <= 3) {
                text += fmt::format("{}{}: {} = pl.tile.add({}, {})\n", pad, name, type, pick(tiles), pick(tiles));
            } else if (kind == 4) {
                text += fmt::format("{}{}: {} = pl.tile.reshape({}, [16, 16])\n", pad, name, type, pick(tiles));
            } else if (kind == 5) {
                text += fmt::format("{}{}: pl.Tile[[4, 16], pl.FP32, pl.Mem.Vec] = pl.tile.slice({}, [4, 16], [{}, 0])\n", pad, name, pick(tiles), below(12));
                text += fmt::format("{}pl.tile.store({}, [0, 0], y)\n", pad, name);
                continue;
            } else if (kind == 6) {
                text += fmt::format("{}{}: {} = pl.tile.recip({})\n", pad, name, type, pick(tiles));
            } else if (kind == 7 && depth < 3) {
                // The carried value takes over its initial value's buffer, so nobody else may need that one.
                const std::string carried = fresh(), last = fresh(), init = fresh();
                text += fmt::format("{}{}: {} = pl.tile.load(x, [0, 0], [16, 16], [16, 16], target_memory=pl.Mem.Vec)\n", pad, init, type);
                text += fmt::format("{}for {}, ({},) in pl.range(4, init_values=({},)):\n", pad, fresh(), carried, init);
                std::vector<std::string> inner = tiles;
                inner.push_back(carried);
                block(text, inner, depth + 1, 4);
                text += fmt::format("{}    {}: {} = pl.tile.add({}, {})\n", pad, last, type, carried, pick(inner));
                text += fmt::format("{}    {}: {} = pl.yield_({})\n", pad, name, type, last);
            } else if (kind == 8 && depth < 3) {
                text += fmt::format("{}if n == {}:\n", pad, below(3));
                for (const char* word : {"", "else:\n"}) {
                    if (*word != 0) text += pad + word;
                    std::vector<std::string> inner = tiles;
                    block(text, inner, depth + 1, 3);
                    text += fmt::format("{}    {}: {} = pl.yield_({})\n", pad, name, type, inner.back());
                }
            } else {
                text += fmt::format("{}{}: {} = pl.tile.muls({}, 2.0)\n", pad, name, type, pick(tiles));
            }
            tiles.push_back(name);
        }
    }

    std::mt19937 random_;
    int next_ = 0;
};

TEST(MemoryPasses, NeverMakeBuffersClash) {
    std::size_t shared = 0, looped = 0;
    for (std::uint32_t seed = 1; seed <= 40; ++seed) {
        const std::string body = Generator(seed).body();
        const ir::Module module = read_kernel("x: pl.Tensor[[64, 64], pl.FP32], n: pl.Scalar[pl.INT64], y: pl.Out[pl.Tensor[[64, 64], pl.FP32]]", body);
        ASSERT_NE(module, nullptr) << body;
        const PassResult plain = run(module, {&init_memref, &allocate_memory_addr});
        const PassResult result = allocated(module);
        ASSERT_TRUE(result.ok()) << result.error().message << "\n" << body;
        const TileLifetimes lives = tile_lifetimes(*result.module->functions[0]);
        for (const TileConflict& c : lives.conflicts) {
            ADD_FAILURE() << "seed " << seed << ": " << c.first_name << " and " << c.second_name << " at " << c.begin_byte << " from " << c.times.first << " to " << c.times.last << "\n"
                          << body_text(result);
        }
        for (const TileBuffer& b : lives.buffers) {
            ASSERT_TRUE(b.begin_byte.has_value()) << b.name();
            const bool whole = b.bytes == 1024;
            EXPECT_TRUE(!whole || *b.begin_byte % 32 == 0) << b.name();
        }
        ASSERT_EQ(lives.spaces.size(), 1U);
        EXPECT_GE(lives.spaces[0].high_water_bytes, lives.spaces[0].peak_live_bytes);
        EXPECT_GT(lives.spaces[0].peak_live_bytes, 0);
        const auto before = tile_lifetimes(*plain.module->functions[0]);
        EXPECT_LE(lives.spaces[0].high_water_bytes, before.spaces[0].high_water_bytes) << "seed " << seed;
        shared += lives.spaces[0].high_water_bytes < before.spaces[0].high_water_bytes ? 1 : 0;
        looped += body.find("pl.range") != std::string::npos ? 1 : 0;
        if (HasFailure()) return;
    }
    EXPECT_GT(shared, 36U); // the property is not met by sharing nothing
    EXPECT_GT(looped, 15U);
}

} // namespace
} // namespace ls::memory
