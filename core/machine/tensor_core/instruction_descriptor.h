// 32-bit instruction descriptors of tcgen05.mma (spec/tirx.md 7.5).
//
//     31 30 29 | 28..24 | 23   | 22..17 | 16 15   | 14 13  | 12..10  | 9..7    | 6 | 5 4    | 3   | 2      | 1 0
//     shift  0 | M >> 4 | 0    | N >> 3 | B A     | B A    | B       | A       | 0 | D      | sat | sparse | id2    dense
//     0  A sf  |        | scale|        | MN major| negate | format  | format  | 0 | B sf id| 0   |        |        scaled
//        id             | format
#pragma once

#include "core/machine/tensor_core/descriptor_field.h"
#include "core/machine/tensor_core/mma_kind.h"

namespace ls::tensor_core {

/// Everything that the word says. M counts the rows of the whole CTA group.
struct InstructionDescriptor {
    MmaKind kind = MmaKind::F16; ///< not in the word: the instruction names it
    MmaType d = MmaType::F32;    ///< not in a block-scaled word, where it is F32
    MmaType a = MmaType::F16;
    MmaType b = MmaType::F16;
    MmaType scale = MmaType::E8M0; ///< block-scaled only
    std::int64_t m = 128;
    std::int64_t n = 128;
    bool a_mn_major = false;
    bool b_mn_major = false;
    bool negate_a = false;
    bool negate_b = false;
    bool saturate = false; ///< i8 only
    bool sparse = false;
    int sparsity_id = 0; ///< 0 .. 3; 0 and 1 for most kinds
    int scale_id_a = 0;  ///< 0 .. 3: byte of the 32-bit TMEM cell that holds the scales
    int scale_id_b = 0;
    int max_shift = 0; ///< weight-stationary only

    bool operator==(const InstructionDescriptor&) const = default;
};

/// Checks formats and shape for `cta_group`, then packs. Refused: MMA_SHAPE, MMA_TRANSPOSE (a format that cannot be
/// MN-major), MMA_NEGATE, MMA_SATURATE, DESC_FIELD (an id beyond its bits).
Result<std::uint32_t> encode(const InstructionDescriptor& descriptor, int cta_group);
/// The same with K stated, as an instruction would; K must be the kind's (MMA_SHAPE).
Result<std::uint32_t> encode(const InstructionDescriptor& descriptor, int cta_group, std::int64_t k);

/// The word as an instruction of `kind` reads it. Refused: DESC_FORMAT (a format code that the kind does not have),
/// DESC_RESERVED (bits that must be 0 are set).
Result<InstructionDescriptor> decode_instruction(std::uint32_t word, MmaKind kind);

/// Every bit of any word, lowest first. `ws`: the instruction is weight-stationary.
std::vector<DescriptorField> instruction_fields(std::uint32_t word, MmaKind kind, bool ws = false);

/// Both scale-factor ids of a block-scaled word replaced, as the device helper does between MMAs.
constexpr std::uint32_t with_scale_id(std::uint32_t word, std::uint32_t id) {
    return (word & ~0x60000030U) | (id << 29 | id << 4);
}

} // namespace ls::tensor_core
