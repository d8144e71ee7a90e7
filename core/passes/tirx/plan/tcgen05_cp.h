// copy_async from shared memory to TMEM by tcgen05.cp (spec/tirx.md 8.2).
//
//     shape       multicast        rows → lanes            copies
//     128x256b                     (128, 1)
//     4x256b                       (4, 32)
//     128x128b                     (128, 1)
//     64x128b     warpx2::02_13    (64, 1)                 (2, 64)
//     64x128b     warpx2::01_23    (2, 64)(32, 1)          (2, 32)
//     32x128b     warpx4           (32, 1)                 (4, 32)
#pragma once

#include "core/machine/tensor_core/matrix_descriptor.h"
#include "core/passes/tirx/plan/operand.h"

namespace ls::tirx {

struct Tcgen05Cp {
    Operand tmem;   ///< destination
    Operand shared; ///< source
    Config config;  ///< shape, multicast, cta_group, decompress
};

struct Tcgen05CpPlan {
    std::string shape;     ///< "32x128b"
    std::string multicast; ///< "warpx4", or empty
    int cta_group = 1;
    tensor_core::SmemSwizzle swizzle = tensor_core::SmemSwizzle::None;
    std::int64_t ldo = 0; ///< units of 16 bytes
    std::int64_t sdo = 0;

    /// One loop of the issue, first fastest.
    struct Loop {
        std::int64_t extent = 1;
        std::int64_t smem_step_16b = 0;
        std::int64_t tmem_step = 0; ///< columns, or lanes << 16
        bool operator==(const Loop&) const = default;
    };
    std::vector<Loop> loops;
    Dim smem_offset_16b; ///< of the first issue, from the buffer's start
    Dim tmem_offset;     ///< of the first issue, columns + lanes << 16

    std::int64_t issues() const;
    /// Distances of issue `index` from the first one.
    struct Step {
        std::int64_t smem_16b = 0;
        std::int64_t tmem = 0;
    };
    Step step(std::int64_t index) const;
    /// "tcgen05.cp.cta_group::1.32x128b.warpx4"
    std::string instruction() const;
    /// Descriptor at shared address 0; each issue patches its address field.
    tensor_core::MatrixDescriptor descriptor() const { return {0, ldo, sdo, swizzle, 0, false}; }
};

/// With a shape in the config that one, else the first that fits.
/// Refused: CP_CONFIG (unknown shape, illegal multicast, decompress), CP_REPLICA, CP_SPLIT, CP_ATOM, CP_SWIZZLE,
/// CP_ALIGNMENT, CP_LANES; CP_NO_SHAPE with a note for each candidate when none was asked for and none fits.
Result<Tcgen05CpPlan> plan_tcgen05_cp(const Tcgen05Cp& call);

} // namespace ls::tirx
