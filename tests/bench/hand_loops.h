// What somebody would write who needs the offsets of one layout and no other: the loops to be measured against. They
// are built for the same instruction sets as the engine's and chosen the same way.
#pragma once

#include <cstdint>

namespace ls::bench {

/// Each fills n × n offsets (two copies for `replicated`) in row-major order of (r, c).
struct HandLoops {
    /// r·n + c under the swizzle (3, 3, 3)
    void (*swizzled)(std::int32_t* out, std::int64_t n);
    /// column blocks of 16: c/16·16n + 16r + c%16
    void (*nz)(std::int32_t* out, std::int64_t n);
    /// 8 × 8 tiles, row-major inside and among each other
    void (*nested)(std::int32_t* out, std::int64_t n);
    /// column-major, the second copy n² further
    void (*replicated)(std::int32_t* out, std::int64_t n);
};

const HandLoops& hand_loops();

} // namespace ls::bench
