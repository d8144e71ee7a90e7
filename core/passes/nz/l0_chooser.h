// The choice of (m, n, k) tiles of a product for L0: every candidate with what it costs. spec/nz.md C.9.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/machine/hardware.h"
#include "core/support/result.h"

namespace ls::nz {

/// What is multiplied, C[M, N] = A[M, K] · B[K, N], and what restrains the tiles. Bytes are per element.
struct L0Problem {
    std::int64_t M = 0, N = 0, K = 0;
    int bytes_a = 2, bytes_b = 2, bytes_c = 4;
    std::optional<std::int64_t> l0a_bytes, l0b_bytes, l0c_bytes; ///< the chip's when not given
    int buffers_a = 2, buffers_b = 2, buffers_c = 1;             ///< 2: the next tile loads while this one is used
    std::int64_t box_m = 1, box_n = 1; ///< granule that rows of A and columns of B are padded to in L0
    std::int64_t acc_row_align = 16;   ///< granule of the accumulator's rows
    bool allow_k_boundary = false;     ///< k need not divide K: the last block is smaller (K a multiple of 16)
    std::optional<std::int64_t> max_n;
    std::optional<std::int64_t> fixed_m; ///< an NZ store writes whole columns: m = M
};

struct L0Cost {
    std::int64_t wall_cycles = 0; ///< what is minimized first
    double load_cycles = 0;
    double mad_cycles = 0;
    double drain_cycles = 0;
    std::int64_t padded_volume = 0; ///< elements of all tiles, edges included
    std::int64_t k_blocks = 0;
};

enum class L0Fit : std::uint8_t { Fits, OverL0A, OverL0B, OverL0C, OverMaxN };
std::string_view name(L0Fit fit);

struct L0Candidate {
    std::int64_t m = 0, n = 0, k = 0;
    L0Fit fit = L0Fit::Fits;
    L0Cost cost; ///< only when it fits
};

struct L0Choice {
    std::int64_t m = 0, n = 0, k = 0;
    L0Cost cost;
    std::size_t chosen = 0; ///< index into candidates
    /// Every tile that fits, in the order tried, and the first beyond each limit. At most kMaxRecorded are kept, the
    /// chosen one always.
    std::vector<L0Candidate> candidates;
    std::int64_t fitting = 0;
};
inline constexpr std::size_t kMaxRecorded = 100000;

/// Exhaustive over multiples of 16. L0_EXTENT for extents that are not positive or too large, L0_SUBBYTE,
/// L0_K_UNALIGNED for K that is no multiple of 16, NZ_STORE_NO_TILE when m must be M and nothing fits, L0_NO_TILE when
/// nothing fits.
Result<L0Choice> choose_l0_tile(const L0Problem& problem, const Hardware& hardware);

/// What a product's sub-block that starts at column `ni` of an NZ store writes.
struct NSplit {
    std::vector<std::int64_t> offsets;   ///< [0, ni/8, 0, 0, 0]
    std::vector<std::int64_t> partition; ///< [1, n/8, M/16, 16, 8]
    std::int64_t acc_bytes = 0;
    bool fits = false;
};
Result<NSplit> n_split(std::int64_t M, std::int64_t n, std::int64_t ni, const Hardware& hardware);

/// The checks at final emission of a store of an accumulator: NZ_STORE_EXTENT, NZ_STORE_CAPACITY.
Status check_store_tile(std::int64_t rows, std::int64_t cols, DType dtype, const Hardware& hardware, Span span = {});

} // namespace ls::nz
