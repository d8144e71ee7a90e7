// Windows of PTO text are accesses like any other.
#include <gtest/gtest.h>

#include "core/check/access.h"
#include "core/dialect/pto/pto.h"

namespace ls::check {
namespace {

constexpr std::string_view kProgram = R"(module {
  func.func @f(%arg0: !pto.ptr<i8>, %arg1: !pto.ptr<i32>, %__pypto_spmd_block_idx: i32, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c7 = arith.constant 7 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c512 = arith.constant 512 : index
    %c8192 = arith.constant 8192 : index
    %c131072 = arith.constant 131072 : index
    %w = pto.make_tensor_view %arg0, shape = [%c1, %c16, %c16, %c16, %c32], strides = [%c131072, %c8192, %c512, %c32, %c1] {layout = #pto.layout<nz>} : !pto.tensor_view<?x?x?x?x?xi8>
    %o = pto.make_tensor_view %arg1, shape = [%c32, %c32], strides = [%c32, %c1] : !pto.tensor_view<?x?xi32>
    %t = pto.alloc_tile : !pto.tile_buf<loc=mat, dtype=i8, rows=32, cols=32, v_row=32, v_col=32, blayout=col_major, slayout=row_major, fractal=512, pad=0>
    %a = pto.alloc_tile : !pto.tile_buf<loc=vec, dtype=i32, rows=16, cols=32, v_row=16, v_col=32, blayout=row_major, slayout=none_box, fractal=512, pad=0>
    %b = arith.index_cast %__pypto_spmd_block_idx : i32 to index
    %q = arith.divsi %c7, %c2 : index
    %at = arith.addi %b, %q : index
    %wp = pto.partition_view %w, offsets = [%c0, %c2, %at, %c0, %c0], sizes = [%c1, %c1, %c2, %c16, %c32] : !pto.tensor_view<?x?x?x?x?xi8> -> !pto.partition_tensor_view<1x1x2x16x32xi8>
    pto.tload ins(%wp : !pto.partition_tensor_view<1x1x2x16x32xi8>) outs(%t : !pto.tile_buf<loc=mat, dtype=i8, rows=32, cols=32, v_row=32, v_col=32, blayout=col_major, slayout=row_major, fractal=512, pad=0>)
    scf.for %i = %c16 to %c32 step %c16 {
      %op = pto.partition_view %o, offsets = [%i, %c0], sizes = [%c16, %c32] : !pto.tensor_view<?x?xi32> -> !pto.partition_tensor_view<16x?xi32>
      pto.tstore ins(%a : !pto.tile_buf<loc=vec, dtype=i32, rows=16, cols=32, v_row=16, v_col=32, blayout=row_major, slayout=none_box, fractal=512, pad=0>) outs(%op : !pto.partition_tensor_view<16x?xi32>)
    }
    return
  }
}
)";

TEST(PtoAccess, LoadsAndStoresAreFoundWithTheirWindows) {
    const auto module = pto::read(kProgram);
    ASSERT_TRUE(module.ok()) << module.error().message;
    const auto found = accesses(**module);
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].text(), "load t ← w");
    EXPECT_EQ(found[0].function, "f");
    EXPECT_EQ(found[0].statement->kind, ir::NodeKind::Eval);
    EXPECT_EQ(ir::constant(found[0].offsets[1]), 2);
    EXPECT_EQ(found[1].text(), "store a → o");
    EXPECT_EQ(ir::constant(found[1].sizes[1]), 32) << "a ? in the type, a constant in the operands";
}

TEST(PtoAccess, AddressesFollowTheStrides) {
    const auto module = pto::read(kProgram);
    ASSERT_TRUE(module.ok());
    const auto found = accesses(**module);
    const auto load = address_map(found[0], **module);
    ASSERT_TRUE(load.ok()) << load.error().message;
    // Column block 2, fractal row 0 + 7 / 2 = 3: two fractals of 16 rows.
    EXPECT_EQ(load->begin, (std::vector<std::int64_t>{0, 2, 3, 0, 0}));
    EXPECT_TRUE(load->assumed);
    EXPECT_EQ(load->byte_of(0, 0), 2 * 8192 + 3 * 512);
    EXPECT_EQ(load->byte_of(17, 5), 2 * 8192 + 4 * 512 + 32 + 5);
    const auto store = address_map(found[1], **module);
    ASSERT_TRUE(store.ok()) << store.error().message;
    EXPECT_EQ(store->byte_of(0, 0), 16 * 32 * 4);
}

} // namespace
} // namespace ls::check
