// A host stand-in for the part of the AscendC device API that exported partitions use, so that they can be compiled and
// run with an ordinary C++17 compiler. It hands out addresses as TPipe does and keeps a log of every view.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#define __aicore__
#define __global__
#define __gm__

using GM_ADDR = std::uint8_t *;

struct half {
  std::uint16_t bits;
};
struct bfloat16_t {
  std::uint16_t bits;
};

namespace AscendC {

enum class TPosition : std::uint8_t { GM, VECIN, VECOUT, VECCALC };
using QuePosition = TPosition;

/// One GetWithOffset call: `off` in bytes within its buffer, `addr` in bytes of the unified buffer.
struct StubView {
  std::uint32_t elems, bytes, off, addr;
};
/// One InitBuffer call.
struct StubBlock {
  std::uint32_t base, len, num;
};
struct StubLog {
  std::vector<StubBlock> blocks;
  std::vector<StubView> views;
  std::vector<std::string> faults;
};
inline StubLog &Log() {
  static thread_local StubLog log;
  return log;
}

inline std::int64_t &BlockIdxRef() {
  static thread_local std::int64_t value = 0;
  return value;
}
inline std::int64_t &BlockNumRef() {
  static thread_local std::int64_t value = 1;
  return value;
}
inline std::int64_t GetBlockIdx() { return BlockIdxRef(); }
inline std::int64_t GetBlockNum() { return BlockNumRef(); }

template <typename T> class GlobalTensor {
 public:
  void SetGlobalBuffer(T *data) { data_ = data; }
  T GetValue(std::uint64_t index) const { return data_[index]; }
  void SetValue(std::uint64_t index, T value) { data_[index] = value; }

 private:
  T *data_ = nullptr;
};

template <typename T> class LocalTensor {
 public:
  std::uint32_t addr = 0, size = 0;
  std::uint32_t GetSize() const { return size; }
};

template <TPosition position> class TBuf {
 public:
  template <typename T> LocalTensor<T> GetWithOffset(std::uint32_t elems, std::uint32_t byteOffset) {
    const std::uint64_t bytes = std::uint64_t{elems} * sizeof(T);
    if (byteOffset + bytes > len) Log().faults.push_back("E_TBUF_OVERRUN");
    if (byteOffset % 32 != 0) Log().faults.push_back("E_OFFSET_MISALIGNED");
    Log().views.push_back({elems, static_cast<std::uint32_t>(bytes), byteOffset, base + byteOffset});
    LocalTensor<T> view;
    view.addr = base + byteOffset;
    view.size = elems;
    return view;
  }
  template <typename T> LocalTensor<T> Get() { return GetWithOffset<T>(len / sizeof(T), 0); }

  std::uint32_t base = 0, len = 0;
};

template <TPosition position, std::int32_t depth> class TQue {
 public:
  std::uint32_t base = 0, len = 0;
  std::uint8_t num = 0;
};

class TPipe {
 public:
  explicit TPipe(std::uint32_t ubBytes = 0xFFFFFFFFU) : ubBytes_(ubBytes) {}

  template <TPosition position, std::int32_t depth>
  bool InitBuffer(TQue<position, depth> &queue, std::uint8_t num, std::uint32_t len) {
    queue.base = used_;
    queue.len = Rounded(len);
    queue.num = num;
    return Take(queue.len, num);
  }
  template <TPosition position> bool InitBuffer(TBuf<position> &buffer, std::uint32_t len) {
    buffer.base = used_;
    buffer.len = Rounded(len);
    return Take(buffer.len, 1);
  }
  std::uint32_t Used() const { return used_; }

 private:
  static std::uint32_t Rounded(std::uint32_t len) { return (len + 31U) / 32U * 32U; }
  bool Take(std::uint32_t len, std::uint8_t num) {
    Log().blocks.push_back({used_, len, num});
    used_ += len * num;
    if (used_ > ubBytes_) Log().faults.push_back("E_UB_OVERFLOW");
    return true;
  }

  std::uint32_t ubBytes_;
  std::uint32_t used_ = 0;
};

}  // namespace AscendC
