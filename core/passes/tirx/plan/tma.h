// copy_async by TMA: tma_auto finds the largest box that the hardware takes, tma_explicit takes the tensor as it is
// declared (spec/tirx.md 8.1).
#pragma once

#include "core/passes/tirx/plan/tensor_map.h"

namespace ls::tirx {

struct TmaCopy {
    Operand shared;
    Operand global;
    bool to_shared = true;
    /// cache_hint, cta_group, cta_mask, mbar, mbarrier_addr, oob, prefetch_tensormap, tensormap_l2_promotion, tma_dtype,
    /// use_tma_reduce
    Config config;
    int sm = 100;
    std::vector<std::string> gather4; ///< explicit only: four row coordinates
    std::vector<Operand> selectors;   ///< explicit only: other tensors that a condition may choose
};

struct TmaPlan {
    TensorMap map;
    Dim smem_offset_elems; ///< where the region starts, from the shared buffer's data pointer
    DType smem_dtype = DType::Fp16;

    /// One loop over what a box does not cover; the last axis is the fastest.
    struct Coordinate {
        std::size_t dim;
        std::int64_t divisor;
        std::int64_t modulus;
    };
    struct IssueAxis {
        std::int64_t extent;
        std::int64_t smem_stride_elems;
        std::vector<Coordinate> coordinates;
    };
    std::vector<IssueAxis> issue_axes;
    std::vector<TensorMap> selectors;
    bool prefetch = false;
    bool cache_hint = false;

    std::int64_t issues() const;
    struct Issue {
        Dim smem_offset_elems; ///< from smem_offset_elems of the plan
        std::vector<Dim> coordinates;
    };
    /// `index` may be a loop variable.
    Issue issue(const Dim& index) const;
    Dim payload_bits() const { return map.box_bits() * issues(); }
    std::string instruction() const { return tma_instruction(map, cache_hint); }
};

/// Refused: TMA_CONFIG, TMA_AUTO_MAPPING (the stage that failed is named: shared-chain, coordinate, global-shape, ...),
/// TMA_DESCRIPTOR (the rules of the hardware that no box fulfils), LAYOUT_*.
Result<TmaPlan> plan_tma_auto(const TmaCopy& call);
/// Refused: TMA_CONFIG, TMA_EXPLICIT_LAYOUT, TMA_DESCRIPTOR, LAYOUT_*.
Result<TmaPlan> plan_tma_explicit(const TmaCopy& call);

} // namespace ls::tirx
