// Everything about one operand's descriptor: derived, told field by field, stepped through the instructions, and walked
// as the hardware walks it against the layout's own addresses.
#pragma once

#include "core/passes/tirx/plan/smem_operand.h"

namespace ls::tirx {

struct DescriptorQuery {
    Operand operand;
    bool transposed = false; ///< the region is [K, MN]
    std::int64_t base_address_bytes = 0;
    tensor_core::Generation generation = tensor_core::Generation::Blackwell;
    std::optional<std::int64_t> tile_mn; ///< rows of one instruction; default: all up to 256
};

struct DescriptorReport {
    SmemOperand operand;
    std::int64_t mn = 0, k = 0;           ///< of the region
    std::int64_t tile_mn = 0, tile_k = 0; ///< of one instruction
    std::uint64_t word = 0;               ///< at the buffer's start
    std::vector<tensor_core::DescriptorField> fields;

    struct Step {
        std::int64_t tile = 0;
        std::int64_t k_iteration = 0;
        std::int64_t offset_16b = 0; ///< added to the word's low half
        std::uint64_t word = 0;
    };
    std::vector<Step> steps;

    /// The first element that the hardware would look for elsewhere.
    struct Witness {
        std::int64_t mn = 0, k = 0;
        std::int64_t layout_byte = 0;
        std::int64_t hardware_byte = 0;
    };
    std::int64_t elements = 0; ///< walked
    std::int64_t matching = 0; ///< found where the layout has them
    std::optional<Witness> witness;
};

/// Refused as match_smem_operand and encode are, and GEMM_SHAPE (K is no multiple of an instruction's), PLAN_SYMBOLIC.
/// Regions of more than 2^22 elements are not walked (`elements` is 0).
Result<DescriptorReport> report_descriptor(const DescriptorQuery& query);

/// K of one instruction for elements of that width: 32 bytes.
inline std::int64_t instruction_k(DType dtype) { return 256 / bits(dtype); }

} // namespace ls::tirx
