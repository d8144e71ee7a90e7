#include "core/machine/tensor_core/matrix_descriptor.h"

#include <array>

#include <fmt/format.h>

namespace ls::tensor_core {

namespace {

constexpr int kAddressBits = 14;
constexpr std::int64_t kUnitBytes = 16;
constexpr std::int64_t kFieldLimit = 1 << kAddressBits;
constexpr int kLeadingBit = 16;
constexpr int kStrideBit = 32;
constexpr int kVersionBit = 46;
constexpr int kBaseOffsetBit = 49;
constexpr int kLeadingModeBit = 52;
constexpr std::uint64_t kBlackwellVersion = 1;

/// Layout types by SmemSwizzle; -1 where the generation has none.
constexpr std::array<int, 5> kBlackwellTypes{0, 6, 4, 2, 1};
constexpr std::array<int, 5> kHopperTypes{0, 3, 2, 1, -1};

int layout_type(SmemSwizzle swizzle, Generation generation) {
    const auto& types = generation == Generation::Blackwell ? kBlackwellTypes : kHopperTypes;
    return types[static_cast<std::size_t>(swizzle)];
}

std::optional<SmemSwizzle> swizzle_of(std::uint64_t type, Generation generation) {
    for (std::size_t i = 0; i < kBlackwellTypes.size(); ++i) {
        const auto swizzle = static_cast<SmemSwizzle>(i);
        if (layout_type(swizzle, generation) == static_cast<int>(type)) return swizzle;
    }
    return {};
}

int layout_type_bit(Generation generation) { return generation == Generation::Blackwell ? 61 : 62; }

std::uint64_t layout_type_of(std::uint64_t word, Generation generation) {
    const int low = layout_type_bit(generation);
    return take_bits(word, low, 64 - low);
}

Status check_field(std::string_view what, std::int64_t value, std::int64_t limit) {
    if (value >= 0 && value < limit) return ok_status();
    return error("DESC_FIELD",
                 fmt::format("{} is {}, but its field holds 0 to {}", what, value, limit - 1),
                 "offsets count units of 16 bytes, not bytes or elements");
}

std::string bytes(std::uint64_t units) { return fmt::format("{} bytes", units * kUnitBytes); }

struct Offsets {
    std::string leading;
    std::string stride;
};
Offsets meanings(std::optional<SmemSwizzle> swizzle, std::optional<bool> mn_major) {
    if (!mn_major) {
        return {"step of the leading dimension; what it steps over depends on the major-ness",
                "step of the other dimension; what it steps over depends on the major-ness"};
    }
    const bool swizzled = swizzle && *swizzle != SmemSwizzle::None;
    if (!*mn_major) return {"from 16 bytes of K to the next 16 bytes of K", "from 8 rows of MN to the next 8"};
    if (swizzled) return {"from one swizzle atom along MN to the next", "from 8 of K to the next 8"};
    return {"from 8 of K to the next 8", "from 16 bytes of MN to the next 16 bytes"};
}

void mark_unused(DescriptorField& field, std::string why) {
    field.read = false;
    field.why = std::move(why);
}

DescriptorField reserved(std::uint64_t word, int low, int bits) {
    DescriptorField field{"reserved", low, bits, take_bits(word, low, bits), "", "", "must be 0", false, ""};
    field.shown = fmt::format("{:#x}", field.value);
    field.why = field.value == 0 ? "no meaning" : "is set, but must be 0";
    return field;
}

} // namespace

std::string_view name(Generation generation) { return generation == Generation::Hopper ? "hopper" : "blackwell"; }

std::string_view name(SmemSwizzle swizzle) {
    static constexpr std::array<std::string_view, 5> names{"none", "32B", "64B", "128B", "128B with 32B atoms"};
    return names[static_cast<std::size_t>(swizzle)];
}

Result<std::uint64_t> encode(const MatrixDescriptor& descriptor, Generation generation) {
    const std::int64_t address = descriptor.start_address_bytes;
    if (address < 0 || address % kUnitBytes != 0 || address >= kFieldLimit * kUnitBytes) {
        return error("DESC_ADDRESS",
                     fmt::format("start address {} is not a multiple of 16 below {}", address, kFieldLimit * kUnitBytes),
                     "give the address within the CTA's own shared memory, in bytes");
    }
    LS_CHECK(check_field("the leading offset", descriptor.leading_16b, kFieldLimit));
    LS_CHECK(check_field("the stride offset", descriptor.stride_16b, kFieldLimit));
    LS_CHECK(check_field("the base offset", descriptor.base_offset, 8));
    const int type = layout_type(descriptor.swizzle, generation);
    if (type < 0) {
        return error("DESC_LAYOUT_TYPE", fmt::format("{} has no swizzle '{}'", name(generation), name(descriptor.swizzle)),
                     "Hopper has none, 32B, 64B and 128B");
    }
    if (descriptor.leading_absolute && generation == Generation::Hopper) {
        return error("DESC_FIELD", "Hopper's descriptor has no mode for the leading offset", "leave it relative");
    }
    std::uint64_t word = static_cast<std::uint64_t>(address / kUnitBytes);
    word |= static_cast<std::uint64_t>(descriptor.leading_16b) << kLeadingBit;
    word |= static_cast<std::uint64_t>(descriptor.stride_16b) << kStrideBit;
    if (generation == Generation::Blackwell) {
        word |= kBlackwellVersion << kVersionBit;
        word |= std::uint64_t{descriptor.leading_absolute ? 1U : 0U} << kLeadingModeBit;
    }
    word |= static_cast<std::uint64_t>(descriptor.base_offset) << kBaseOffsetBit;
    word |= static_cast<std::uint64_t>(type) << layout_type_bit(generation);
    return word;
}

Result<MatrixDescriptor> decode_matrix(std::uint64_t word, Generation generation) {
    for (const DescriptorField& field : matrix_fields(word, generation)) {
        if (field.name == "reserved" && field.value != 0) {
            return error("DESC_RESERVED", fmt::format("bits {} to {} of {:#018x} are {:#x}, but must be 0", field.low_bit,
                                                      field.low_bit + field.bits - 1, word, field.value),
                         generation == Generation::Hopper ? "is it a Blackwell descriptor (kind blackwell-smem)?"
                                                          : "is it a Hopper descriptor (kind hopper-smem)?");
        }
    }
    if (generation == Generation::Blackwell && take_bits(word, kVersionBit, 2) != kBlackwellVersion) {
        return error("DESC_RESERVED",
                     fmt::format("version (bits 46 and 47) of {:#018x} is {}, but Blackwell reads version 1", word,
                                 take_bits(word, kVersionBit, 2)),
                     "a Hopper descriptor has version 0; decode it with kind hopper-smem");
    }
    const auto swizzle = swizzle_of(layout_type_of(word, generation), generation);
    if (!swizzle) {
        return error("DESC_LAYOUT_TYPE", fmt::format("layout type {} of {:#018x} is reserved on {}",
                                                     layout_type_of(word, generation), word, name(generation)));
    }
    MatrixDescriptor descriptor;
    descriptor.start_address_bytes = static_cast<std::int64_t>(take_bits(word, 0, kAddressBits)) * kUnitBytes;
    descriptor.leading_16b = static_cast<std::int64_t>(take_bits(word, kLeadingBit, kAddressBits));
    descriptor.stride_16b = static_cast<std::int64_t>(take_bits(word, kStrideBit, kAddressBits));
    descriptor.base_offset = static_cast<int>(take_bits(word, kBaseOffsetBit, 3));
    descriptor.leading_absolute = generation == Generation::Blackwell && take_bits(word, kLeadingModeBit, 1) != 0;
    descriptor.swizzle = *swizzle;
    return descriptor;
}

std::vector<DescriptorField> matrix_fields(std::uint64_t word, Generation generation, const MatrixUse& use) {
    const bool blackwell = generation == Generation::Blackwell;
    const auto swizzle = swizzle_of(layout_type_of(word, generation), generation);
    const bool swizzled = swizzle && *swizzle != SmemSwizzle::None;
    const Offsets meaning = meanings(swizzle, use.mn_major);

    DescriptorField address{"start address", 0, kAddressBits, take_bits(word, 0, kAddressBits), "", "16 bytes",
                            "where the operand starts in shared memory", true, ""};
    address.shown = fmt::format("{:#x}", address.value * kUnitBytes);

    DescriptorField leading{"leading offset", kLeadingBit, kAddressBits, take_bits(word, kLeadingBit, kAddressBits), "",
                            "16 bytes", meaning.leading, true, ""};
    leading.shown = bytes(leading.value);
    if (swizzled && use.mn_major == false) {
        mark_unused(leading, "a swizzled K-major operand steps by the atom's own width, taken as 1");
    } else if (use.leading_steps == 0) {
        mark_unused(leading, "one step covers the operand");
    }
    DescriptorField stride{"stride offset", kStrideBit, kAddressBits, take_bits(word, kStrideBit, kAddressBits), "",
                           "16 bytes", meaning.stride, true, ""};
    stride.shown = bytes(stride.value);
    if (use.stride_steps == 0) mark_unused(stride, "one step covers the operand");

    DescriptorField version{"version", kVersionBit, 2, take_bits(word, kVersionBit, 2), "", "",
                            "descriptor version of this generation", true, ""};
    version.shown = fmt::format("{}", version.value);
    if (version.value != kBlackwellVersion) version.why = "must be 1";

    DescriptorField base{"base offset", kBaseOffsetBit, 3, take_bits(word, kBaseOffsetBit, 3), "", "128 bytes",
                         "phase of the swizzle pattern at the start address", swizzled, ""};
    base.shown = fmt::format("{}", base.value);
    if (!swizzled) base.why = "there is no pattern without a swizzle";

    DescriptorField mode{"leading mode", kLeadingModeBit, 1, take_bits(word, kLeadingModeBit, 1), "", "",
                         "whether the leading offset is a distance (0) or an address (1)", leading.read, leading.why};
    mode.shown = mode.value == 0 ? "distance" : "address";

    const int type_bit = layout_type_bit(generation);
    DescriptorField type{"layout type", type_bit, 64 - type_bit, layout_type_of(word, generation), "", "",
                         "which swizzle the hardware applies to the address", true, ""};
    type.shown = swizzle ? fmt::format("{} swizzle", name(*swizzle)) : "reserved value";
    if (*type.shown.begin() == 'n') type.shown = "no swizzle";
    if (!swizzle) type.why = fmt::format("{} does not define this value", name(generation));

    std::vector<DescriptorField> fields{address, reserved(word, 14, 2), leading, reserved(word, 30, 2), stride};
    if (blackwell) {
        fields.insert(fields.end(), {version, reserved(word, 48, 1), base, mode, reserved(word, 53, 8), type});
    } else {
        fields.insert(fields.end(), {reserved(word, 46, 3), base, reserved(word, 52, 10), type});
    }
    return fields;
}

std::int64_t element_bit_address(const MatrixDescriptor& descriptor, bool mn_major, int bits, std::int64_t mn,
                                 std::int64_t k) {
    const bool swizzled = descriptor.swizzle != SmemSwizzle::None;
    const std::int64_t unit_bits = kUnitBytes * 8;
    const std::int64_t row_bits = atom_row_bytes(descriptor.swizzle) * 8;
    const std::int64_t leading = descriptor.leading_16b * unit_bits;
    const std::int64_t stride = descriptor.stride_16b * unit_bits;
    // The contiguous dimension in bits, the other in elements.
    const std::int64_t along = (mn_major ? mn : k) * bits;
    const std::int64_t across = mn_major ? k : mn;
    std::int64_t linear = 0;
    if (swizzled && mn_major) {
        linear = along / row_bits * leading + along % row_bits + across % 8 * row_bits + across / 8 * stride;
    } else if (swizzled) {
        linear = along + across % 8 * row_bits + across / 8 * stride;
    } else if (mn_major) {
        linear = along / unit_bits * stride + along % unit_bits + across % 8 * unit_bits + across / 8 * leading;
    } else {
        linear = along / unit_bits * leading + along % unit_bits + across % 8 * unit_bits + across / 8 * stride;
    }
    const std::int64_t address = descriptor.start_address_bytes * 8 + linear;
    if (!swizzled) return address;
    // Chunks of 16 (or 32) bytes are exchanged by the row of the 128-byte line that they stand in.
    const int chunk_bytes_log2 = descriptor.swizzle == SmemSwizzle::B128Base32 ? 5 : 4;
    const int width = descriptor.swizzle == SmemSwizzle::B128Base32 ? 2 : static_cast<int>(descriptor.swizzle);
    const std::int64_t byte = address / 8;
    const std::int64_t row = (byte >> 7) & ((std::int64_t{1} << width) - 1);
    return ((byte ^ (row << chunk_bytes_log2)) * 8) + address % 8;
}

} // namespace ls::tensor_core
