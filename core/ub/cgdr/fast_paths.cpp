#include "core/ub/cgdr/fast_paths.h"

#include <fmt/format.h>

namespace ls::ub::cgdr {

namespace {
constexpr std::int64_t kBlock = 32;
constexpr std::int64_t kMaxGapBlocks = 65535; ///< DataCopy's stride field: 16 bits of 32-byte blocks
} // namespace

FastPaths fast_paths(const DeviceInput& in, std::int64_t chunk_len, std::optional<std::int64_t> key_heads) {
    const Widths w = widths(in.variant, in.dk, in.v_step);
    const std::int64_t row_bytes = in.dk * 2;
    FastPaths p;
    p.key_elems = chunk_len * in.dk;
    p.staging_capacity_half = 2 * in.chunk_size * w.v_step_aligned;
    p.query_cache_capacity_float = in.chunk_size * w.v_step_aligned;
    p.rows_packed = w.align_k == in.dk;
    p.rows_whole_blocks = row_bytes % kBlock == 0;
    if (key_heads && *key_heads > 0) {
        const std::int64_t gap_bytes = (*key_heads - 1) * row_bytes;
        p.gap_ok = gap_bytes % kBlock == 0 && gap_bytes / kBlock <= kMaxGapBlocks;
    }
    const bool copyable = p.rows_packed && p.rows_whole_blocks && p.gap_ok;
    p.key_fast_path = copyable && p.key_elems <= p.staging_capacity_half;
    p.query_cached = p.key_fast_path && p.key_elems <= p.query_cache_capacity_float;

    if (!p.rows_packed) {
        p.why_not = fmt::format("K rows are padded from {} to {} elements", in.dk, w.align_k);
    } else if (!p.rows_whole_blocks) {
        p.why_not = fmt::format("a K row of {} B is no multiple of 32 B", row_bytes);
    } else if (!p.gap_ok) {
        p.why_not = fmt::format("the row gap of {} heads does not fit a 16-bit count of 32 B blocks", *key_heads - 1);
    } else if (!p.key_fast_path) {
        p.why_not =
            fmt::format("{} elements of K exceed the {} that chunkV can stage", p.key_elems, p.staging_capacity_half);
    } else if (!p.query_cached) {
        p.why_not = fmt::format("{} elements of Q exceed the {} that chunkAttnOut can cache", p.key_elems,
                                p.query_cache_capacity_float);
    }
    return p;
}

} // namespace ls::ub::cgdr
