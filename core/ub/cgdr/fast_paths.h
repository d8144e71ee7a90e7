// The two fp16 fast paths of the kernel and the conditions under which they hold (spec ub 5).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/ub/cgdr/params.h"

namespace ls::ub::cgdr {

struct FastPaths {
    std::int64_t key_elems = 0;                  ///< chunkLen * dk
    std::int64_t staging_capacity_half = 0;      ///< fp16 elements that chunkV can stage: 2 * cs * av
    std::int64_t query_cache_capacity_float = 0; ///< fp32 elements that chunkAttnOut can cache: cs * av
    bool rows_packed = false;                    ///< alignK == dk
    bool rows_whole_blocks = false;              ///< a row of fp16 is a multiple of 32 B
    bool gap_ok = true;                          ///< row gap: whole blocks, and at most 65535 of them
    bool key_fast_path = false;                  ///< K rows staged in one copy
    bool query_cached = false;                   ///< Q * scale kept for the whole chunk
    std::string why_not;                         ///< first condition that fails; empty when both paths hold
};

/// `chunk_len` rows of a chunk (at most chunk_size). `key_heads` gives the row gap of the packed [T, heads, dk] tensor;
/// without it the gap is taken as legal.
FastPaths fast_paths(const DeviceInput& input, std::int64_t chunk_len, std::optional<std::int64_t> key_heads);

} // namespace ls::ub::cgdr
