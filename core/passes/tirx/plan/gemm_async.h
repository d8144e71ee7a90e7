// gemm_async on tcgen05.mma: D[M, N] (+)= A[M, K] · B[N, K]ᵀ, A and B in shared memory (A perhaps in TMEM), D in TMEM
// (spec/tirx.md 7). The plan is what the pass emits:
//
//     for mi < m_tiles:  for ni < n_tiles:  for ki < k_iters:
//         instruction [d_place(mi, ni)], A(mi, ki), B(ni, ki), idesc, accumulate = ki != 0 or accum
#pragma once

#include "core/machine/tensor_core/instruction_descriptor.h"
#include "core/passes/tirx/plan/mma_tile.h"
#include "core/passes/tirx/plan/smem_operand.h"

namespace ls::tirx {

/// Operands and settings. A is [M, K], or [K, M] when trans_a; B is [N, K], or [K, N] when trans_b.
struct GemmAsync {
    Operand c, a, b;
    std::optional<Operand> sfa, sfb; ///< scale factors: block-scaled when both are there
    bool trans_a = false;
    bool trans_b = false;
    /// cta_group, mma_m, mma_n, weight_stationary, is_AB_tf32, smem_desc, descI
    Config config;
    bool warp_scope = false; ///< called by a warp, which elects the thread that issues; else by one thread
};

/// Where the descriptors of A and B come from.
enum class SmemDescMode : std::uint8_t {
    Hoist,      ///< encoded once behind the buffer's definition, offsets added
    LocalHoist, ///< encoded at the call
    Encode,     ///< encoded for each instruction
    Recompute,  ///< computed inline for each instruction, without the encoder
};
std::string_view name(SmemDescMode mode);

/// A place in TMEM relative to the buffer's allocated address.
struct TmemPlace {
    Dim lane;
    Dim column; ///< of 32 bits
    bool operator==(const TmemPlace&) const = default;
};
/// The address as the script writes it: "base", "base + 8", "T.cuda.get_tmem_addr(base, 1, ni * 64)".
std::string address_text(std::string_view base, const TmemPlace& place);

/// The scale factors of one operand.
struct ScaleOperand {
    TileLayout layout;     ///< of the region; TLane, and TCol in scales
    std::int64_t k = 0;    ///< scales of a row
    std::int64_t step = 0; ///< scales from one K iteration to the next
    int per_cell = 4;      ///< scales in a 32-bit column
};

class GemmAsyncPlan {
public:
    tensor_core::MmaKind kind = tensor_core::MmaKind::F16;
    bool block_scaled = false;
    int cta_group = 1;
    bool weight_stationary = false;
    std::int64_t m = 0, n = 0, k = 0; ///< m: rows of this CTA, n: columns of the group
    MmaTile tile;
    std::int64_t mma_k = 0;
    std::int64_t m_tiles = 0, n_tiles = 0, k_iters = 0;

    std::optional<SmemOperand> a; ///< nothing: A lies in TMEM
    SmemOperand b;
    bool trans_a = false, trans_b = false;
    TmemPlace c_origin, a_origin;
    std::int64_t n_tile_columns = 0; ///< TMEM columns of one tile of N
    std::int64_t a_step_columns = 0; ///< A in TMEM: columns of one K iteration

    std::optional<ScaleOperand> sfa, sfb;
    int scales_per_mma = 0;
    bool rotates_scale_id = false; ///< several iterations share a cell: the id is patched into idesc for each

    std::uint32_t idesc = 0; ///< block-scaled: with scale ids 0
    SmemDescMode desc_mode = SmemDescMode::Hoist;
    bool elect = false;         ///< each issue stands under elect_sync
    bool broadcast_low = false; ///< the low word of a hoisted descriptor is shuffled from lane 0
    bool caller_descriptor = false; ///< block-scaled: idesc comes from the caller's descI

    /// "tcgen05.mma.ws.cta_group::1.kind::f16"
    std::string instruction() const;
    /// The helper's stem: "tcgen05_mma_ws_ts".
    std::string entry() const;
    /// Zero masks before the predicate; 0 for .ws and block-scaled forms.
    int lane_masks() const;

    TmemPlace d_place(const Dim& mi, const Dim& ni) const;
    Result<Dim> a_offset_16b(const Dim& mi, const Dim& ki) const; ///< A in shared memory
    TmemPlace a_place(const Dim& mi, const Dim& ki) const;        ///< A in TMEM
    Result<Dim> b_offset_16b(const Dim& ni, const Dim& ki) const;
    struct ScalePlace {
        TmemPlace place;
        Dim id; ///< byte of the cell
    };
    Result<ScalePlace> sfa_place(const Dim& mi, const Dim& ki) const;
    Result<ScalePlace> sfb_place(const Dim& ni, const Dim& ki) const;

    const std::optional<OperandTiles>& a_tiles() const { return a_tiles_; } ///< nothing: A lies in TMEM
    const OperandTiles& b_tiles() const { return *b_tiles_; }

private:
    friend Result<GemmAsyncPlan> plan_gemm_async(const GemmAsync& call);
    std::optional<OperandTiles> a_tiles_;
    std::optional<OperandTiles> b_tiles_;
};

/// Refused with the first rule that fails, in the order of spec/tirx.md 7.1: GEMM_SCOPE, GEMM_DTYPE, GEMM_CONFIG,
/// GEMM_SHAPE, SMEM_OPERAND_*, GEMM_TF32_MAJOR, GEMM_TILE*, MMA_SHAPE, GEMM_TMEM_C, GEMM_TMEM_A, GEMM_SCALE.
Result<GemmAsyncPlan> plan_gemm_async(const GemmAsync& call);

} // namespace ls::tirx
