// Programs that are PTO text already: to C++, and to PTO text again.
#include <gmock/gmock.h>

#include "core/codegen/export.h"
#include "core/dialect/pto/pto.h"

namespace ls::codegen {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kProgram = R"(module attributes {pto.target_arch = "a2a3"} {
  func.func @copy(%arg0: !pto.ptr<f32>, %arg1: !pto.ptr<f32>, %n: index) attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %a0 = arith.constant 0 : i64
    %a1 = arith.constant 4096 : i64
    %half = arith.constant 5.000000e-01 : f32
    %x = pto.make_tensor_view %arg0, shape = [%n, %c64], strides = [%c64, %c1] {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf32>
    %y = pto.make_tensor_view %arg1, shape = [%n, %c64], strides = [%c64, %c1] {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf32>
    %s = pto.alloc_tile addr = %a0 : !pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=64, v_row=16, v_col=64, blayout=row_major, slayout=none_box, fractal=512, pad=0>
    %d = pto.alloc_tile addr = %a1 : !pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=64, v_row=16, v_col=64, blayout=row_major, slayout=none_box, fractal=512, pad=0>
    scf.for %i = %c0 to %n step %c16 {
      %at = arith.maxsi %i, %c0 : index
      %xw = pto.partition_view %x, offsets = [%at, %c0], sizes = [%c16, %c64] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<16x64xf32>
      pto.tload ins(%xw : !pto.partition_tensor_view<16x64xf32>) outs(%s : !pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=64, v_row=16, v_col=64, blayout=row_major, slayout=none_box, fractal=512, pad=0>)
      pto.tmuls ins(%s, %half : !pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=64, v_row=16, v_col=64, blayout=row_major, slayout=none_box, fractal=512, pad=0>, f32) outs(%d : !pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=64, v_row=16, v_col=64, blayout=row_major, slayout=none_box, fractal=512, pad=0>)
      %yw = pto.partition_view %y, offsets = [%at, %c0], sizes = [%c16, %c64] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<16x64xf32>
      pto.tstore ins(%d : !pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=64, v_row=16, v_col=64, blayout=row_major, slayout=none_box, fractal=512, pad=0>) outs(%yw : !pto.partition_tensor_view<16x64xf32>) {atomicType = #pto<atomic_type atomic_add>}
    }
    return
  }
}
)";

Result<Exported> run(std::string_view program, std::string_view target) {
    const auto module = pto::read(program);
    if (!module.ok()) return module.error();
    return find_target(target)->run(*module, {});
}

TEST(PtoTextExport, BecomesCpp) {
    const auto out = run(kProgram, "pto-isa");
    ASSERT_TRUE(out.ok()) << out.error().message;
    const std::string& text = out->files[0].text;
    EXPECT_EQ(out->files[0].name, "copy.cpp");
    EXPECT_THAT(text, HasSubstr("__global__ AICORE void copy(__gm__ float* v1, __gm__ float* v2, int32_t v3)"));
    EXPECT_THAT(text, HasSubstr("Tile<TileType::Vec, float, 16, 64, BLayout::RowMajor, 16, 64, SLayout::NoneBox, 512, PadValue::Null, CompactMode::Null>"));
    EXPECT_THAT(text, HasSubstr(", 4096);"));
    EXPECT_THAT(text, HasSubstr("TMULS("));
    EXPECT_THAT(text, HasSubstr("AtomicType::AtomicAdd"));
    EXPECT_THAT(text, HasSubstr("set_flag(PIPE_MTE2, PIPE_V"));
}

TEST(PtoTextExport, IsTheSameKernelAsTextAgain) {
    const auto out = run(kProgram, "pto");
    ASSERT_TRUE(out.ok()) << out.error().message;
    const auto again = run(out->files[0].text, "pto");
    ASSERT_TRUE(again.ok()) << again.error().message << "\n" << out->files[0].text;
    EXPECT_EQ(again->files[0].text, out->files[0].text);
    const auto cpp = run(kProgram, "pto-isa"), cpp_again = run(out->files[0].text, "pto-isa");
    ASSERT_TRUE(cpp.ok() && cpp_again.ok());
    EXPECT_THAT(cpp_again->files[0].text, HasSubstr("TMULS("));
}

TEST(PtoTextExport, RefusesWhatItCannotSayWithThePlace) {
    const auto refused = [](std::string from, std::string to) {
        std::string program(kProgram);
        program.replace(program.find(from), from.size(), to);
        const auto out = run(program, "pto-isa");
        return out.ok() ? "ok" : out.error().code + (out.error().span.empty() ? " nowhere" : "");
    };
    EXPECT_EQ(refused("pto.tmuls ins", "pto.tnovel ins"), "CG_OP");
    EXPECT_EQ(refused("pto.make_tensor_view %arg1", "pto.make_tensor_view %arg0"), "CG_TENSOR");
    EXPECT_EQ(refused("pto.alloc_tile addr = %a1 :", "pto.alloc_tile :"), "CG_TYPE");
    EXPECT_EQ(refused("%arg1: !pto.ptr<f32>", "%arg1: memref<4xf32>"), "CG_TYPE");
    EXPECT_EQ(refused("{atomicType = #pto<atomic_type atomic_add>}", "{novel = 1}"), "CG_OP");
}

} // namespace
} // namespace ls::codegen
