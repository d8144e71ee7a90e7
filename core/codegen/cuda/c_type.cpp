#include "core/codegen/cuda/c_type.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

namespace ls::codegen::cuda {

namespace {

struct Row {
    DType dtype;
    std::string_view scalar;
    std::string_view vector; ///< "uint" of uint2, uint4; empty: there are none
    bool integer = true;
};

constexpr std::array kRows{
    Row{DType::Bool, "bool", ""},
    Row{DType::Int8, "int8_t", "char"},
    Row{DType::UInt8, "uint8_t", "uchar"},
    Row{DType::Int16, "int16_t", "short"},
    Row{DType::UInt16, "uint16_t", "ushort"},
    Row{DType::Int32, "int", "int"},
    Row{DType::Index, "int", "int"},
    Row{DType::UInt32, "uint", "uint"},
    Row{DType::Int64, "int64_t", "longlong"},
    Row{DType::UInt64, "uint64_t", "ulonglong"},
    Row{DType::Fp32, "float", "float", false},
    Row{DType::Fp64, "double", "double", false},
    Row{DType::Fp16, "half", "", false},
    Row{DType::Bf16, "nv_bfloat16", "", false},
    Row{DType::Fp8E4M3, "__nv_fp8_e4m3", "", false},
    Row{DType::Fp8E5M2, "__nv_fp8_e5m2", "", false},
    Row{DType::Fp8E8M0, "__nv_fp8_e8m0", "", false},
    Row{DType::Fp4, "__nv_fp4x2_storage_t", "", false},
};

const Row* row_of(DType dtype) {
    const auto* found = std::find_if(kRows.begin(), kRows.end(), [&](const Row& r) { return r.dtype == dtype; });
    return found == kRows.end() ? nullptr : found;
}

struct Bound {
    DType dtype;
    AsmBinding binding;
};

constexpr std::array kBindings{
    Bound{DType::UInt8, {"uint8_t", 'h', "uint16_t", "(uint16_t)", "(uint8_t)", "u8"}},
    Bound{DType::Int8, {"int8_t", 'h', "int16_t", "(int16_t)", "(int8_t)", "s8"}},
    Bound{DType::UInt16, {"uint16_t", 'h', "uint16_t", "", "", "u16"}},
    Bound{DType::Int16, {"int16_t", 'h', "int16_t", "", "", "s16"}},
    Bound{DType::Fp16, {"__half", 'h', "uint16_t", "__half_as_ushort", "__ushort_as_half", "f16"}},
    Bound{DType::Bf16, {"__nv_bfloat16", 'h', "uint16_t", "__bfloat16_as_ushort", "__ushort_as_bfloat16", "bf16"}},
    Bound{DType::UInt32, {"uint32_t", 'r', "uint32_t", "", "", "u32"}},
    Bound{DType::Int32, {"int32_t", 'r', "int32_t", "", "", "s32"}},
    Bound{DType::Fp32, {"float", 'f', "float", "", "", "f32"}},
    Bound{DType::UInt64, {"uint64_t", 'l', "uint64_t", "", "", "u64"}},
    Bound{DType::Int64, {"int64_t", 'l', "int64_t", "", "", "s64"}},
    Bound{DType::Fp64, {"double", 'd', "double", "", "", "f64"}},
};

} // namespace

std::optional<CType> c_type_from_name(std::string_view name) {
    if (name == "handle") return kVoidPointer;
    if (const auto known = dtype_from_name(name)) {
        if (row_of(*known) == nullptr) return {};
        return value_of(*known);
    }
    const std::size_t x = name.rfind('x');
    if (x == std::string_view::npos) return {};
    const auto lane = dtype_from_name(name.substr(0, x));
    int lanes = 0;
    const auto [end, failed] = std::from_chars(name.data() + x + 1, name.data() + name.size(), lanes);
    if (!lane || failed != std::errc() || end != name.data() + name.size() || lanes < 1 || lanes > 4) return {};
    const CType type{*lane, lanes, false, false};
    if (spelling(type).empty()) return {};
    return type;
}

std::optional<CType> element_type(const ir::BufferTypeNode& type) {
    return c_type_from_name(type.dtype_text.empty() ? info(type.dtype).tirx : std::string_view(type.dtype_text));
}

std::string spelling(const CType& type) {
    if (type.pointer) {
        if (type.opaque) return "void*";
        const std::string element = spelling({type.dtype, type.lanes, false, false});
        return element.empty() ? element : element + "*";
    }
    const Row* row = row_of(type.dtype);
    if (row == nullptr) return {};
    if (type.lanes == 1) return std::string(row->scalar);
    if (type.lanes == 2 && type.dtype == DType::Fp16) return "half2";
    if (type.lanes == 2 && type.dtype == DType::Bf16) return "nv_bfloat162";
    return row->vector.empty() || type.lanes > 4 ? std::string() : fmt::format("{}{}", row->vector, type.lanes);
}

bool is_unsigned(DType d) {
    return d == DType::UInt8 || d == DType::UInt16 || d == DType::UInt32 || d == DType::UInt64 || d == DType::Bool;
}

bool is_integer(DType dtype) {
    const Row* row = row_of(dtype);
    return row != nullptr && row->integer;
}

bool is_floating(DType dtype) {
    const Row* row = row_of(dtype);
    return row != nullptr && !row->integer;
}

std::int64_t storage_bytes(const CType& element, std::int64_t count) {
    const std::int64_t bits_each = (element.dtype == DType::Bool ? 8 : bits(element.dtype)) * std::int64_t{element.lanes};
    return (bits_each * count + 7) / 8;
}

std::string nvcc_command(std::string_view arch) {
    const std::string_view number = arch.starts_with("sm_") ? arch.substr(3) : arch;
    return fmt::format("nvcc -std=c++17 -gencode arch=compute_{0},code=sm_{0}", number);
}

const AsmBinding* asm_binding(DType dtype) {
    if (dtype == DType::Index) dtype = DType::Int32;
    const auto* found = std::find_if(kBindings.begin(), kBindings.end(), [&](const Bound& b) { return b.dtype == dtype; });
    return found == kBindings.end() ? nullptr : &found->binding;
}

} // namespace ls::codegen::cuda
