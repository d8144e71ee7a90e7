#include "core/machine/tensor_core/instruction_descriptor.h"

#include <array>
#include <span>
#include <tuple>

#include <fmt/format.h>

namespace ls::tensor_core {

namespace {

/// Code of an operand format; what a code means depends on the kind.
std::uint32_t format_code(MmaType type) {
    switch (type) {
        case MmaType::BF16:
        case MmaType::E5M2:
        case MmaType::S8:
        case MmaType::F32: return 1;
        case MmaType::TF32:
        case MmaType::S32: return 2;
        case MmaType::E2M3: return 3;
        case MmaType::E3M2: return 4;
        case MmaType::E2M1: return 5;
        default: return 0; // F16, E4M3, U8
    }
}

std::span<const MmaType> operand_types(MmaKind kind) {
    static constexpr std::array f16{MmaType::F16, MmaType::BF16};
    static constexpr std::array tf32{MmaType::TF32};
    static constexpr std::array i8{MmaType::U8, MmaType::S8};
    static constexpr std::array narrow{MmaType::E4M3, MmaType::E5M2, MmaType::E2M3, MmaType::E3M2, MmaType::E2M1};
    static constexpr std::array fp4{MmaType::E2M1};
    switch (kind) {
        case MmaKind::F16: return f16;
        case MmaKind::Tf32: return tf32;
        case MmaKind::I8: return i8;
        case MmaKind::F8f6f4:
        case MmaKind::Mxf8f6f4: return narrow;
        default: return fp4;
    }
}

/// fp4 kinds know one format, whose code there is 1.
bool fixed_fp4(MmaKind kind) { return kind == MmaKind::Mxf4 || kind == MmaKind::Mxf4nvf4; }
std::uint32_t operand_code(MmaType type, MmaKind kind) { return fixed_fp4(kind) ? 1 : format_code(type); }

std::optional<MmaType> operand_type(std::uint64_t code, MmaKind kind) {
    for (const MmaType type : operand_types(kind)) {
        if (operand_code(type, kind) == code) return type;
    }
    return {};
}

std::optional<MmaType> accumulator_type(std::uint64_t code, MmaKind kind) {
    const MmaType type = code == 0 ? MmaType::F16 : code == 1 ? MmaType::F32 : MmaType::S32;
    if (code > 2 || (kind == MmaKind::I8) != (type == MmaType::S32)) return {};
    if (kind == MmaKind::Tf32 && type != MmaType::F32) return {};
    return type;
}

bool may_be_mn_major(MmaType type) {
    switch (type) {
        case MmaType::E2M3:
        case MmaType::E3M2:
        case MmaType::E2M1: return false;
        default: return true;
    }
}

std::string flag(std::uint64_t value, std::string_view yes, std::string_view no) {
    return std::string(value != 0 ? yes : no);
}

Status check(const InstructionDescriptor& d, int cta_group, std::int64_t k) {
    const std::optional<MmaType> scale = is_block_scaled(d.kind) ? std::optional(d.scale) : std::nullopt;
    LS_TRY(const MmaKind kind, mma_kind(d.d, d.a, d.b, scale, scale));
    if (kind != d.kind) {
        return error("MMA_TYPES", fmt::format("Invalid multiplicand data types: {} by {} is kind::{}, not kind::{}",
                                              name(d.a), name(d.b), name(kind), name(d.kind)));
    }
    LS_CHECK(check_mma_shape({d.kind, cta_group, d.m, d.n, k, d.sparse}));
    for (const auto& [mn_major, type, operand] :
         {std::tuple{d.a_mn_major, d.a, 'A'}, std::tuple{d.b_mn_major, d.b, 'B'}}) {
        if (mn_major && !may_be_mn_major(type)) {
            return error("MMA_TRANSPOSE", fmt::format("operand {} of type {} cannot be MN-major", operand, name(type)),
                         "lay it out with K contiguous; only 8, 16 and 32-bit formats are read MN-major");
        }
    }
    if ((d.negate_a || d.negate_b) && (d.kind == MmaKind::I8)) {
        return error("MMA_NEGATE", "kind::i8 cannot negate an operand");
    }
    if (d.saturate && d.kind != MmaKind::I8) {
        return error("MMA_SATURATE", fmt::format("kind::{} does not saturate", name(d.kind)), "only kind::i8 does");
    }
    for (const auto& [id, what] : {std::pair{d.sparsity_id, "sparsity id"}, std::pair{d.scale_id_a, "scale id of A"},
                                   std::pair{d.scale_id_b, "scale id of B"}, std::pair{d.max_shift, "maximum shift"}}) {
        if (id < 0 || id > 3) return error("DESC_FIELD", fmt::format("the {} is {}, but its field holds 0 to 3", what, id));
    }
    return ok_status();
}

} // namespace

Result<std::uint32_t> encode(const InstructionDescriptor& descriptor, int cta_group) {
    return encode(descriptor, cta_group, mma_k(descriptor.kind, descriptor.sparse));
}

Result<std::uint32_t> encode(const InstructionDescriptor& d, int cta_group, std::int64_t k) {
    LS_CHECK(check(d, cta_group, k));
    const auto bit = [](bool on, int at) { return (on ? 1U : 0U) << at; };
    std::uint32_t word = static_cast<std::uint32_t>(d.sparsity_id);
    word |= bit(d.sparse, 2);
    word |= operand_code(d.a, d.kind) << 7 | operand_code(d.b, d.kind) << 10;
    word |= bit(d.negate_a, 13) | bit(d.negate_b, 14) | bit(d.a_mn_major, 15) | bit(d.b_mn_major, 16);
    word |= static_cast<std::uint32_t>(d.n >> 3) << 17;
    word |= static_cast<std::uint32_t>(d.m >> 4) << 24;
    if (is_block_scaled(d.kind)) {
        word |= static_cast<std::uint32_t>(d.scale_id_b) << 4 | static_cast<std::uint32_t>(d.scale_id_a) << 29;
        word |= bit(d.scale == MmaType::E8M0, 23);
    } else {
        word |= bit(d.saturate, 3) | format_code(d.d) << 4 | static_cast<std::uint32_t>(d.max_shift) << 30;
    }
    return word;
}

Result<InstructionDescriptor> decode_instruction(std::uint32_t word, MmaKind kind) {
    for (const DescriptorField& field : instruction_fields(word, kind, true)) {
        if (field.name == "reserved" && field.value != 0) {
            return error("DESC_RESERVED", fmt::format("bits {} to {} of {:#010x} are {:#x}, but must be 0 for kind::{}",
                                                      field.low_bit, field.low_bit + field.bits - 1, word, field.value,
                                                      name(kind)));
        }
    }
    InstructionDescriptor d;
    d.kind = kind;
    const auto a = operand_type(take_bits(word, 7, 3), kind);
    const auto b = operand_type(take_bits(word, 10, 3), kind);
    if (!a || !b) {
        return error("DESC_FORMAT", fmt::format("kind::{} has no operand format {}", name(kind),
                                                take_bits(word, a ? 10 : 7, 3)));
    }
    d.a = *a;
    d.b = *b;
    d.sparsity_id = static_cast<int>(take_bits(word, 0, 2));
    d.sparse = take_bits(word, 2, 1) != 0;
    d.negate_a = take_bits(word, 13, 1) != 0;
    d.negate_b = take_bits(word, 14, 1) != 0;
    d.a_mn_major = take_bits(word, 15, 1) != 0;
    d.b_mn_major = take_bits(word, 16, 1) != 0;
    d.n = static_cast<std::int64_t>(take_bits(word, 17, 6)) << 3;
    d.m = static_cast<std::int64_t>(take_bits(word, 24, 5)) << 4;
    if (is_block_scaled(kind)) {
        d.scale_id_b = static_cast<int>(take_bits(word, 4, 2));
        d.scale_id_a = static_cast<int>(take_bits(word, 29, 2));
        d.scale = take_bits(word, 23, 1) != 0 ? MmaType::E8M0 : MmaType::E4M3;
        return d;
    }
    d.saturate = take_bits(word, 3, 1) != 0;
    const auto accumulator = accumulator_type(take_bits(word, 4, 2), kind);
    if (!accumulator) {
        return error("DESC_FORMAT", fmt::format("kind::{} has no accumulator format {}", name(kind), take_bits(word, 4, 2)));
    }
    d.d = *accumulator;
    d.max_shift = static_cast<int>(take_bits(word, 30, 2));
    return d;
}

std::vector<DescriptorField> instruction_fields(std::uint32_t word, MmaKind kind, bool ws) {
    const bool scaled = is_block_scaled(kind);
    const bool sparse = take_bits(word, 2, 1) != 0;
    std::vector<DescriptorField> fields;
    const auto add = [&](std::string name, int low, int bits, std::string meaning) -> DescriptorField& {
        const std::uint64_t value = take_bits(word, low, bits);
        fields.push_back({std::move(name), low, bits, value, fmt::format("{}", value), "", std::move(meaning), true, ""});
        return fields.back();
    };
    const auto add_reserved = [&](int low, int bits) {
        DescriptorField& field = add("reserved", low, bits, "must be 0");
        field.read = false;
        field.why = field.value == 0 ? "no meaning" : "is set, but must be 0";
    };
    const auto add_format = [&](std::string name, int low) {
        DescriptorField& field = add(std::move(name), low, 3, "number format of the operand");
        const auto type = operand_type(field.value, kind);
        field.shown = type ? std::string(tensor_core::name(*type)) : "no format of this kind";
        if (fixed_fp4(kind)) field.why = "the kind has one format";
    };
    const auto add_flag = [&](std::string name, int bit, std::string yes, std::string no, std::string meaning) {
        DescriptorField& field = add(std::move(name), bit, 1, std::move(meaning));
        field.shown = flag(field.value, yes, no);
    };

    DescriptorField& id = add("sparsity id", 0, 2, "which half of the metadata columns is used");
    id.read = sparse;
    if (!sparse) id.why = "the MMA is dense";
    add_flag("sparse", 2, "sparse", "dense", "A has two of four elements and metadata");
    if (scaled) {
        add_reserved(3, 1);
        add("B scale id", 4, 2, "byte of the 32-bit TMEM cell that holds B's scales");
    } else {
        add_flag("saturate", 3, "saturate", "wrap", "integer overflow of D");
        if (kind != MmaKind::I8) {
            fields.back().read = false;
            fields.back().why = "only kind::i8 saturates";
        }
        DescriptorField& d = add("D format", 4, 2, "number format of the accumulator");
        const auto type = accumulator_type(d.value, kind);
        d.shown = type ? std::string(tensor_core::name(*type)) : "no format of this kind";
    }
    add_reserved(6, 1);
    add_format("A format", 7);
    add_format("B format", 10);
    for (const auto& [bit, name] : {std::pair{13, "negate A"}, std::pair{14, "negate B"}}) {
        add_flag(name, bit, "negated", "as it is", "sign of the operand");
        if (kind == MmaKind::I8) {
            fields.back().read = false;
            fields.back().why = "kind::i8 does not negate";
        }
    }
    add_flag("A major", 15, "MN", "K", "which dimension of A is contiguous");
    add_flag("B major", 16, "MN", "K", "which dimension of B is contiguous");
    DescriptorField& n = add("N", 17, 6, "columns of D and rows of B");
    n.unit = "8 columns";
    n.shown = fmt::format("{}", n.value << 3);
    if (scaled) {
        add_flag("scale format", 23, "e8m0", "e4m3", "number format of the scales");
    } else {
        add_reserved(23, 1);
    }
    DescriptorField& m = add("M", 24, 5, "rows of D and of A, over the whole CTA group");
    m.unit = "16 rows";
    m.shown = fmt::format("{}", m.value << 4);
    if (scaled) {
        add("A scale id", 29, 2, "byte of the 32-bit TMEM cell that holds A's scales");
        add_reserved(31, 1);
    } else {
        add_reserved(29, 1);
        DescriptorField& shift = add("maximum shift", 30, 2, "shift of B's rows in a weight-stationary MMA");
        shift.read = ws;
        if (!ws) shift.why = "the MMA is not weight-stationary";
    }
    return fields;
}

} // namespace ls::tensor_core
