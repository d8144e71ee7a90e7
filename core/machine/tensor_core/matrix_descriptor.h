// 64-bit matrix descriptors: how a tensor core instruction walks an operand in shared memory (spec/tirx.md 7.6).
//
//     Blackwell (tcgen05)                               Hopper (wgmma)
//     63 62 61 | 60..53 | 52  | 51 50 49 | 48           63 62 | 61..52 | 51 50 49 | 48
//     layout   |   0    | lbo | base     | 0            layout|   0    | base     | 0
//                         mode  offset                                   offset
//     47 46    | 45..32        | 31 30 | 29..16         47 46 | 45..32        | 31 30 | 29..16
//     version=1| stride offset |   0   | leading offset   0   | stride offset |   0   | leading offset
//     15 14    | 13..0                                  the low half is the same
//       0      | start address >> 4
//
// Offsets count 16-byte units. What the two offsets step over depends on the major-ness and the swizzle:
//
//                  K-major                                   MN-major
//     no swizzle   leading: next 16 bytes of K               leading: next 8 of K
//                  stride:  next 8 of MN                     stride:  next 16 bytes of MN
//     swizzled     leading: not read (the atom is the step)  leading: next atom along MN
//                  stride:  next 8 of MN                     stride:  next 8 of K
#pragma once

#include <optional>
#include <string_view>

#include "core/machine/tensor_core/descriptor_field.h"
#include "core/support/result.h"

namespace ls::tensor_core {

enum class Generation : std::uint8_t { Hopper, Blackwell };
std::string_view name(Generation generation); ///< "hopper", "blackwell"

/// The swizzle argument of the encoders. B128Base32 (32-byte atoms, for tf32 along MN) exists on Blackwell alone.
enum class SmemSwizzle : std::uint8_t { None = 0, B32 = 1, B64 = 2, B128 = 3, B128Base32 = 4 };
std::string_view name(SmemSwizzle swizzle); ///< "none", "32B", ...
/// Width of the swizzle atom's row; 16 without a swizzle.
constexpr std::int64_t atom_row_bytes(SmemSwizzle swizzle) {
    return swizzle == SmemSwizzle::B128Base32 ? 128 : std::int64_t{16} << static_cast<int>(swizzle);
}

struct MatrixDescriptor {
    std::int64_t start_address_bytes = 0; ///< in the CTA's shared memory: a multiple of 16 below 2^18
    std::int64_t leading_16b = 0;         ///< ldo, 0 .. 16383
    std::int64_t stride_16b = 0;          ///< sdo, 0 .. 16383
    SmemSwizzle swizzle = SmemSwizzle::None;
    int base_offset = 0;           ///< 0 .. 7; only for buffers that are not aligned to the swizzle's period
    bool leading_absolute = false; ///< Blackwell's lbo mode: the leading offset is an address, not a distance

    bool operator==(const MatrixDescriptor&) const = default;
};

/// Refused: DESC_ADDRESS (not a multiple of 16, or 2^18 and more), DESC_FIELD (a value that its bits cannot hold),
/// DESC_LAYOUT_TYPE (a swizzle that the generation does not have).
Result<std::uint64_t> encode(const MatrixDescriptor& descriptor, Generation generation);

/// decode(encode(d)) == d. Refused: DESC_LAYOUT_TYPE (a reserved layout type), DESC_RESERVED (bits that must be 0 are
/// set, or a version that is not the generation's).
Result<MatrixDescriptor> decode_matrix(std::uint64_t word, Generation generation);

/// How the operand is used, as far as it is known: it decides which offsets are read.
struct MatrixUse {
    std::optional<bool> mn_major;
    std::optional<std::int64_t> leading_steps; ///< how often the leading offset is stepped over; 0: never
    std::optional<std::int64_t> stride_steps;
};
/// Every bit of any word, reserved ones too, lowest first.
std::vector<DescriptorField> matrix_fields(std::uint64_t word, Generation generation, const MatrixUse& use = {});

/// The word with its address field moved by `units` of 16 bytes: the low half wraps, the high half stays.
constexpr std::uint64_t add_16b_units(std::uint64_t word, std::int64_t units) {
    const auto low = static_cast<std::uint32_t>(word) + static_cast<std::uint32_t>(units);
    return (word & ~std::uint64_t{0xFFFFFFFF}) | low;
}

/// Where the hardware finds the bit that starts element (mn, k) of one instruction's operand: bits from the start of
/// shared memory, swizzled. `start_bytes` is the descriptor's start address, `bits` the width of an element.
std::int64_t element_bit_address(const MatrixDescriptor& descriptor, bool mn_major, int bits, std::int64_t mn,
                                 std::int64_t k);

} // namespace ls::tensor_core
