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
    std::int64_t step_m = 16, step_n = 16, step_k = 16; ///< granule of m, n and k; their smallest values too
    std::optional<std::int64_t> max_n;
    std::optional<std::int64_t> max_n_pipelined; ///< of n where a loop over n keeps two windows of a bias
    std::optional<std::int64_t> max_n_nested;    ///< and where two such loops keep four
    std::optional<std::int64_t> min_n;
    std::optional<std::int64_t> fixed_m;             ///< an NZ store writes whole columns: m = M
    bool allow_hold_a = false, allow_hold_b = false; ///< search L0Regime::HoldA and HoldB too
    bool allow_double_output = false;                ///< search tiles with two accumulators too
    bool keep_candidates = true;                     ///< false: only the choice is wanted
};

/// What stays in L0 while the loop over the output tiles runs. Holding an operand needs all of K in one block.
enum class L0Regime : std::uint8_t {
    Output, ///< the accumulator; both operands stream through two buffers each
    HoldA,  ///< the panel of A has all of L0A, B streams
    HoldB,  ///< the panel of B has all of L0B, A streams
};
std::string_view name(L0Regime regime);

struct L0Cost {
    std::int64_t wall_cycles = 0; ///< what is minimized first
    double load_a_cycles = 0;     ///< moving A from L1 to L0A; the two loads share one pipe
    double load_b_cycles = 0;
    double load_cycles = 0; ///< both; runs beside the products, so the longer of the two counts
    double mad_cycles = 0;
    double drain_cycles = 0;        ///< moving the results out of L0C
    double hidden_cycles = 0;       ///< of load, products and drain together, what runs beside something longer
    std::int64_t padded_volume = 0; ///< elements of all tiles, edges included
    std::int64_t k_blocks = 0;
};

enum class L0Fit : std::uint8_t { Fits, OverL0A, OverL0B, OverL0C, OverMaxN, KNotDivisor };
std::string_view name(L0Fit fit);

struct L0Candidate {
    std::int64_t m = 0, n = 0, k = 0; ///< k is 0 where no k was tried: m and n alone are too large
    L0Fit fit = L0Fit::Fits;
    L0Cost cost; ///< only when it fits
    L0Regime regime = L0Regime::Output;
    bool double_output = false;
};

/// What decided between a candidate that fits and the chosen one; the rules in the order that they are asked.
enum class L0Lost : std::uint8_t { Chosen, Wall, PaddedVolume, MoreKBlocks, Load, SmallerOutput, SmallerK, Simpler };
std::string_view name(L0Lost lost);

struct L0Choice {
    std::int64_t m = 0, n = 0, k = 0;
    L0Cost cost;
    L0Regime regime = L0Regime::Output;
    bool double_output = false;
    bool a_outside = true;  ///< all of K in one block: the loop over rows is the outer one, A's panel stays for it
    std::size_t chosen = 0; ///< index into candidates
    /// Every tile that fits, in the order tried, and the first beyond each limit. At most kMaxRecorded are kept, the
    /// chosen one always.
    std::vector<L0Candidate> candidates;
    std::int64_t fitting = 0;
    std::int64_t left_out = 0; ///< looked at but not kept
};
inline constexpr std::size_t kMaxRecorded = 100000;

/// Why `candidate`, which fits, is not the one.
L0Lost lost_by(const L0Candidate& candidate, const L0Choice& choice);

/// C[M, N] = A[M, K] · B[K, N] on `hardware` as AutoTileMatmulL0 asks: a smaller last block of K, an operand held for the
/// whole loop.
L0Problem l0_problem(std::int64_t M, std::int64_t N, std::int64_t K, DType a, DType b, DType accumulator,
                     const Hardware& hardware);

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
