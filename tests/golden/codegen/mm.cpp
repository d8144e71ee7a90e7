#include <cstdint>
#include "pto/pto-inst.hpp"
using namespace pto;

// v1: x, v2: w, v3: out
__global__ AICORE void mm(__gm__ half* v1, __gm__ half* v2, __gm__ float* v3) {
  Tile<TileType::Mat, half, 64, 256, BLayout::ColMajor, 64, 256, SLayout::RowMajor, 512, PadValue::Null, CompactMode::Null> v4; // xt
  TASSIGN(v4, 0);
  GlobalTensor<half, pto::Shape<1, 1, 1, 64, 256>, pto::Stride<16384, 16384, 16384, 256, 1>, pto::Layout::ND> v5(v1, pto::Shape<1, 1, 1, 64, 256>(), pto::Stride<16384, 16384, 16384, 256, 1>()); // x
  TLOAD(v4, v5);
  Tile<TileType::Mat, half, 256, 64, BLayout::ColMajor, 256, 64, SLayout::RowMajor, 512, PadValue::Null, CompactMode::Null> v6; // wt
  TASSIGN(v6, 32768);
  GlobalTensor<half, pto::Shape<1, 4, 16, 16, 16>, pto::Stride<16384, 4096, 256, 16, 1>, pto::Layout::NZ> v7(v2, pto::Shape<1, 4, 16, 16, 16>(), pto::Stride<16384, 4096, 256, 16, 1>()); // w
  TLOAD(v6, v7);
  Tile<TileType::Left, half, 64, 128, BLayout::RowMajor, 64, 128, SLayout::RowMajor, 512, PadValue::Null, CompactMode::Null> v8; // a0
  TASSIGN(v8, 0);
  set_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID0);
  TEXTRACT(v8, v4, 0, 0);
  Tile<TileType::Right, half, 128, 64, BLayout::RowMajor, 128, 64, SLayout::ColMajor, 512, PadValue::Null, CompactMode::Null> v9; // b0
  TASSIGN(v9, 0);
  TEXTRACT(v9, v6, 0, 0);
  Tile<TileType::Acc, float, 64, 64, BLayout::ColMajor, 64, 64, SLayout::RowMajor, 1024, PadValue::Null, CompactMode::Null> v10; // c0
  TASSIGN(v10, 0);
  set_flag(PIPE_MTE1, PIPE_M, EVENT_ID0);
  wait_flag(PIPE_MTE1, PIPE_M, EVENT_ID0);
  TMATMUL(v10, v8, v9);
  for (int32_t v11 = 128; v11 < 256; v11 += 128) { // k
    Tile<TileType::Left, half, 64, 128, BLayout::RowMajor, 64, 128, SLayout::RowMajor, 512, PadValue::Null, CompactMode::Null> v12; // a
    TASSIGN(v12, 16384);
    set_flag(PIPE_M, PIPE_MTE1, EVENT_ID0);
    wait_flag(PIPE_M, PIPE_MTE1, EVENT_ID0);
    TEXTRACT(v12, v4, 0, v11);
    Tile<TileType::Right, half, 128, 64, BLayout::RowMajor, 128, 64, SLayout::ColMajor, 512, PadValue::Null, CompactMode::Null> v13; // b
    TASSIGN(v13, 16384);
    TEXTRACT(v13, v6, v11, 0);
    set_flag(PIPE_MTE1, PIPE_M, EVENT_ID1);
    wait_flag(PIPE_MTE1, PIPE_M, EVENT_ID1);
    TMATMUL_ACC(v10, v10, v12, v13);
  }
  set_flag(PIPE_M, PIPE_FIX, EVENT_ID0);
  wait_flag(PIPE_M, PIPE_FIX, EVENT_ID0);
  GlobalTensor<float, pto::Shape<1, 1, 1, 64, 64>, pto::Stride<4096, 4096, 4096, 64, 1>, pto::Layout::ND> v14(v3, pto::Shape<1, 1, 1, 64, 64>(), pto::Stride<4096, 4096, 4096, 64, 1>()); // out
  TSTORE(v14, v10);
  pipe_barrier(PIPE_ALL);
  return;
}
