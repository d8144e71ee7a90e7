#include "core/analysis/tile_lifetimes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/dialect/surface.h"

namespace ls {
namespace {

ir::Module read(const std::string& text) {
    const auto module = dialect::read(text);
    EXPECT_TRUE(module.ok()) << render(module.error(), text, "test");
    return module.ok() ? *module : nullptr;
}

/// A vector kernel of three buffers of 512 bytes; `@0` in a line stands for the type of a tile at byte 0 of buffer 0.
TileLifetimes lifetimes(const std::string& lines, std::int64_t second_byte = 512) {
    std::string body;
    std::string line;
    for (const char c : lines + "\n") {
        if (c != '\n') {
            line += c;
            continue;
        }
        for (int i = 0; i < 3; ++i) {
            const std::string mark = fmt::format("@{}", i);
            const std::int64_t at = i == 0 ? 0 : i == 1 ? second_byte : 1024;
            for (std::size_t p = line.find(mark); p != std::string::npos; p = line.find(mark)) {
                line.replace(p, 2, fmt::format("pl.Tile[[8, 16], pl.FP32, pl.MemRef(mem_{}, pl.const({}, pl.INT64), 512), pl.Mem.Vec]", i, at));
            }
        }
        for (std::size_t p = line.find("LOAD"); p != std::string::npos; p = line.find("LOAD")) {
            line.replace(p, 4, "pl.tile.load(x, [0, 0], [8, 16], [8, 16], target_memory=pl.Mem.Vec)");
        }
        body += "        " + line + "\n";
        line.clear();
    }
    const ir::Module module = read("# pypto.program: P\nimport pypto.language as pl\n\n@pl.program\nclass P:\n"
                                   "    @pl.function(type=pl.FunctionType.AIV)\n"
                                   "    def k(x: pl.Tensor[[8, 16], pl.FP32], n: pl.Scalar[pl.INT64], y: pl.Out[pl.Tensor[[8, 16], pl.FP32]]):\n"
                                   "        mem_0: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 512)\n"
                                   "        mem_1: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 512)\n"
                                   "        mem_2: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 512)\n" +
                                   body);
    return module == nullptr ? TileLifetimes{} : tile_lifetimes(*module->functions[0]);
}

std::vector<LiveTimes> live(const TileLifetimes& lives, std::string_view name) {
    for (const TileBuffer& b : lives.buffers) {
        for (const TileName& n : b.names) {
            if (n.var->name == name) return n.live;
        }
    }
    ADD_FAILURE() << "no tile " << name;
    return {};
}

using Times = std::vector<LiveTimes>;

TEST(TileLifetimes, FromWriteToLastRead) {
    const TileLifetimes l = lifetimes("a: @0 = LOAD\nb: @1 = LOAD\nc: @2 = pl.tile.add(a, b)\npl.tile.store(c, [0, 0], y)\npl.tile.store(b, [0, 0], y)");
    ASSERT_EQ(l.positions.size(), 5U); // allocations touch no tile
    EXPECT_EQ(l.positions[2].what, "add");
    EXPECT_EQ(l.positions[2].subject, "c");
    EXPECT_EQ(live(l, "a"), (Times{{1, 4}}));
    EXPECT_EQ(live(l, "b"), (Times{{3, 8}}));
    EXPECT_EQ(live(l, "c"), (Times{{5, 6}}));
    ASSERT_EQ(l.spaces.size(), 1U);
    EXPECT_EQ(l.spaces[0].high_water_bytes, 1536);
    EXPECT_EQ(l.spaces[0].peak_live_bytes, 1536); // a, b and c at the addition
    EXPECT_EQ(l.spaces[0].peak_position, 2U);
    EXPECT_EQ(l.spaces[0].live_bytes, (std::vector<std::int64_t>{512, 1024, 1536, 1024, 512}));
    EXPECT_TRUE(l.conflicts.empty());
}

TEST(TileLifetimes, ReadAndWrittenByOneStatementMayShareBytes) {
    const TileLifetimes l = lifetimes("a: @0 = LOAD\nb: @0 = pl.tile.muls(a, 2.0)\npl.tile.store(b, [0, 0], y)");
    EXPECT_EQ(live(l, "a"), (Times{{1, 2}}));
    EXPECT_EQ(live(l, "b"), (Times{{3, 4}}));
    EXPECT_TRUE(l.conflicts.empty());
    EXPECT_EQ(l.buffers.size(), 2U);
}

TEST(TileLifetimes, FindsAPlantedOverlap) {
    // b begins 128 bytes into a, which is read once more after b was written.
    const TileLifetimes l = lifetimes("a: @0 = LOAD\nb: @1 = LOAD\nc: @2 = pl.tile.add(a, b)\npl.tile.store(c, [0, 0], y)", 128);
    ASSERT_EQ(l.conflicts.size(), 1U);
    EXPECT_EQ(l.conflicts[0].first_name, "a");
    EXPECT_EQ(l.conflicts[0].second_name, "b");
    EXPECT_EQ(l.conflicts[0].begin_byte, 128);
    EXPECT_EQ(l.conflicts[0].end_byte, 512);
    EXPECT_EQ(l.conflicts[0].times, (LiveTimes{3, 4}));
    EXPECT_EQ(l.spaces[0].peak_live_bytes, 640 + 512); // common bytes count once
}

TEST(TileLifetimes, WhatALoopReadsLivesToItsEnd) {
    const TileLifetimes l = lifetimes("a: @0 = LOAD\nfor i in pl.range(4):\n    pl.tile.store(a, [0, 0], y)\n    b: @1 = LOAD\n    pl.tile.store(b, [0, 0], y)\nc: @2 = LOAD\npl.tile.store(c, [0, 0], y)");
    ASSERT_EQ(l.positions.size(), 7U); // 1 is the loop, 2 to 4 its body
    EXPECT_EQ(live(l, "a"), (Times{{1, 9}}));
    EXPECT_EQ(live(l, "b"), (Times{{7, 8}}));
    // In b's place it would be overwritten before the next round reads it.
    EXPECT_EQ(lifetimes("a: @0 = LOAD\nfor i in pl.range(4):\n    pl.tile.store(a, [0, 0], y)\n    b: @1 = LOAD\n    pl.tile.store(b, [0, 0], y)", 256).conflicts.size(), 1U);
}

TEST(TileLifetimes, CarriedValuesAreOneBuffer) {
    const TileLifetimes l = lifetimes("a: @0 = LOAD\nfor i, (c,) in pl.range(4, init_values=(a,)):\n    d: @0 = pl.tile.muls(c, 2.0)\n    r: @0 = pl.yield_(d)\npl.tile.store(r, [0, 0], y)");
    ASSERT_EQ(l.buffers.size(), 1U);
    EXPECT_EQ(l.buffers[0].names.size(), 4U);
    EXPECT_EQ(l.buffers[0].live, (Times{{1, 8}}));
    EXPECT_TRUE(l.conflicts.empty());
}

TEST(TileLifetimes, ABranchNeedsOnlyWhatItReads) {
    // a is read in the first branch alone: in the second its bytes are free.
    const TileLifetimes l = lifetimes("a: @0 = LOAD\nif n == 0:\n    pl.tile.store(a, [0, 0], y)\nelse:\n    b: @1 = LOAD\n    pl.tile.store(b, [0, 0], y)", 256);
    EXPECT_EQ(live(l, "a"), (Times{{1, 4}}));
    EXPECT_EQ(live(l, "b"), (Times{{7, 8}}));
    EXPECT_TRUE(l.conflicts.empty());
    const TileLifetimes later = lifetimes("a: @0 = LOAD\nif n == 0:\n    b: @1 = LOAD\n    pl.tile.store(b, [0, 0], y)\nelse:\n    pl.tile.store(a, [0, 0], y)", 256);
    EXPECT_EQ(live(later, "a"), (Times{{1, 3}, {8, 8}})); // not in the first branch, positions 2 and 3
    EXPECT_TRUE(later.conflicts.empty());
}

TEST(TileLifetimes, WithoutAddressesNothingClashes) {
    const TileLifetimes l = lifetimes("a: @0 = LOAD\nb: pl.Tile[[8, 16], pl.FP32, pl.MemRef(mem_1, pl.const(0, pl.INT64), 512), pl.Mem.Vec] = LOAD\n"
                                      "pl.tile.store(a, [0, 0], y)\npl.tile.store(b, [0, 0], y)");
    EXPECT_FALSE(l.has_addresses);
    EXPECT_TRUE(l.conflicts.empty());
    EXPECT_EQ(l.spaces[0].peak_live_bytes, 1024);
}

// --- PTO text: names are addresses

std::string pto(const std::string& body) {
    return "module attributes {pto.target_arch = \"a2a3\"} {\n  func.func @k(%arg0: !pto.ptr<f32>) {\n"
           "    %c0 = arith.constant 0 : i64\n    %c512 = arith.constant 512 : i64\n    %c16 = arith.constant 16 : index\n    %c1 = arith.constant 1 : index\n    %i0 = arith.constant 0 : index\n"
           "    %v = pto.make_tensor_view %arg0, shape = [%c16, %c16], strides = [%c16, %c1] {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf32>\n"
           "    %p = pto.partition_view %v, offsets = [%i0, %i0], sizes = [%c16, %c16] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<16x16xf32>\n" +
           body + "    return\n  }\n}\n";
}

const std::string kBuf = "!pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=16, v_row=16, v_col=16, blayout=row_major, slayout=none_box, fractal=512, pad=0>";

std::string alloc(const std::string& name, const std::string& address) {
    return fmt::format("    %{} = pto.alloc_tile addr = %{} : {}\n", name, address, kBuf);
}
std::string tload(const std::string& name) { return fmt::format("    pto.tload ins(%p : !pto.partition_tensor_view<16x16xf32>) outs(%{} : {})\n", name, kBuf); }
std::string tstore(const std::string& name) { return fmt::format("    pto.tstore ins(%{} : {}) outs(%p : !pto.partition_tensor_view<16x16xf32>)\n", name, kBuf); }

TEST(TileLifetimes, ASecondNameOfPtoBytesIsNoConflict) {
    const auto module = read(pto(alloc("a", "c0") + tload("a") + alloc("view", "c0") + tstore("view")));
    ASSERT_NE(module, nullptr);
    const TileLifetimes l = tile_lifetimes(*module->functions[0]);
    ASSERT_EQ(l.buffers.size(), 1U);
    EXPECT_EQ(l.buffers[0].names.size(), 2U);
    EXPECT_EQ(l.buffers[0].live, (Times{{1, 2}}));
    EXPECT_EQ(l.spaces[0].high_water_bytes, 1024);
    EXPECT_TRUE(l.has_addresses);
    EXPECT_TRUE(l.conflicts.empty());
}

TEST(TileLifetimes, FindsAnOverlapInPtoText) {
    const auto module = read(pto(alloc("a", "c0") + alloc("b", "c512") + tload("a") + tload("b") + tstore("a") + tstore("b")));
    ASSERT_NE(module, nullptr);
    const TileLifetimes l = tile_lifetimes(*module->functions[0]);
    ASSERT_EQ(l.conflicts.size(), 1U);
    EXPECT_EQ(l.conflicts[0].begin_byte, 512);
    EXPECT_EQ(l.conflicts[0].end_byte, 1024);
    EXPECT_EQ(l.conflicts[0].times, (LiveTimes{3, 4}));
}

} // namespace
} // namespace ls
