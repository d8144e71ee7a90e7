// Copies between registers and memory, each thread its own elements (spec/tirx.md 8.4, register path). The register
// layout's thread axes say who owns what; what is left is a loop over vectors:
//
//     for f:  thread t moves `vector` neighbours between registers(f) and memory(t, f)
#pragma once

#include "core/passes/tirx/plan/operand.h"

namespace ls::tirx {

struct RegisterCopyPlan {
    bool to_memory = false;  ///< registers to memory
    std::int64_t vector = 1; ///< elements of one access
    std::int64_t vector_bytes = 4;
    /// One loop, outermost first; strides in elements.
    struct Loop {
        std::int64_t extent;
        std::int64_t memory_stride;
        std::int64_t register_stride;
        bool operator==(const Loop&) const = default;
    };
    std::vector<Loop> loops;
    TileLayout registers; ///< canonical, thread axes first
    TileLayout memory;    ///< in the same order, before the swizzle; its offset is the region's
    Dim register_offset;  ///< elements

    std::int64_t iterations() const;
};

/// Refused: COPY_REGISTERS (layouts that a register copy cannot follow), PLAN_SYMBOLIC, LAYOUT_*.
Result<RegisterCopyPlan> plan_register_copy(const Operand& registers, const Operand& memory, bool to_memory);

} // namespace ls::tirx
