#include "core/support/dtype.h"

#include <array>
#include <cassert>

namespace ls {

namespace {

constexpr std::array kTypes{
    DTypeInfo{DType::Bool, 1, "b1", "BOOL", "i1", "bool", "bool"},
    DTypeInfo{DType::Int4, 4, "i4", "INT4", "i4", "int4b_t", "int4"},
    DTypeInfo{DType::UInt4, 4, "u4", "UINT4", "ui4", "uint4b_t", "uint4"},
    DTypeInfo{DType::Fp4, 4, "f4", "FP4", "!pto.f4E2M1x2", "float4_e2m1x2_t", "float4_e2m1fn"},
    DTypeInfo{DType::Hf4, 4, "hf4", "HF4", "", "", ""},
    DTypeInfo{DType::Int8, 8, "i8", "INT8", "i8", "int8_t", "int8"},
    DTypeInfo{DType::UInt8, 8, "u8", "UINT8", "ui8", "uint8_t", "uint8"},
    DTypeInfo{DType::Fp8E4M3, 8, "f8e4m3", "FP8E4M3FN", "f8E4M3FN", "float8_e4m3_t", "float8_e4m3fn"},
    DTypeInfo{DType::Fp8E5M2, 8, "f8e5m2", "FP8E5M2", "f8E5M2", "float8_e5m2_t", "float8_e5m2"},
    DTypeInfo{DType::Fp8E8M0, 8, "f8e8m0", "FP8E8M0", "!pto.f8E8M0", "float8_e8m0_t", "float8_e8m0fnu"},
    DTypeInfo{DType::Hf8, 8, "hf8", "HF8", "!pto.hif8", "hifloat8_t", ""},
    DTypeInfo{DType::Int16, 16, "i16", "INT16", "i16", "int16_t", "int16"},
    DTypeInfo{DType::UInt16, 16, "u16", "UINT16", "ui16", "uint16_t", "uint16"},
    DTypeInfo{DType::Fp16, 16, "f16", "FP16", "f16", "half", "float16"},
    DTypeInfo{DType::Bf16, 16, "bf16", "BF16", "bf16", "bfloat16_t", "bfloat16"},
    DTypeInfo{DType::Int32, 32, "i32", "INT32", "i32", "int32_t", "int32"},
    DTypeInfo{DType::UInt32, 32, "u32", "UINT32", "ui32", "uint32_t", "uint32"},
    DTypeInfo{DType::Fp32, 32, "f32", "FP32", "f32", "float", "float32"},
    DTypeInfo{DType::Tf32, 32, "tf32", "", "", "", "tf32"},
    DTypeInfo{DType::Int64, 64, "i64", "INT64", "i64", "int64_t", "int64"},
    DTypeInfo{DType::UInt64, 64, "u64", "UINT64", "ui64", "uint64_t", "uint64"},
    DTypeInfo{DType::Index, 64, "index", "INDEX", "index", "int64_t", ""},
    DTypeInfo{DType::TaskId, 64, "task_id", "TASK_ID", "", "", ""},
    DTypeInfo{DType::Fp64, 64, "f64", "FP64", "", "double", "float64"},
};

constexpr bool in_order() {
    for (std::size_t i = 0; i < kTypes.size(); ++i) {
        if (static_cast<std::size_t>(kTypes[i].type) != i) return false;
    }
    return true;
}
static_assert(in_order(), "the table is indexed by DType");

struct Alias {
    std::string_view name;
    DType type;
};
/// Spellings that no single dialect owns: people type them all the same.
constexpr std::array kAliases{
    Alias{"fp16", DType::Fp16},      Alias{"fp32", DType::Fp32},       Alias{"f8", DType::Fp8E4M3},
    Alias{"fp8", DType::Fp8E4M3},    Alias{"fp4", DType::Fp4},         Alias{"e4m3", DType::Fp8E4M3},
    Alias{"e5m2", DType::Fp8E5M2},   Alias{"e8m0", DType::Fp8E8M0},    Alias{"FP8E4M3", DType::Fp8E4M3},
    Alias{"float", DType::Fp32},     Alias{"s8", DType::Int8},         Alias{"s32", DType::Int32},
    Alias{"uint4", DType::UInt4},    Alias{"hif8", DType::Hf8},        Alias{"fp64", DType::Fp64},
};

} // namespace

const DTypeInfo& info(DType type) {
    const auto index = static_cast<std::size_t>(type);
    assert(index < kTypes.size());
    return kTypes[index];
}

std::span<const DTypeInfo> all_dtypes() { return kTypes; }

std::optional<DType> dtype_from_name(std::string_view name) {
    if (name.empty()) return {};
    for (const DTypeInfo& t : kTypes) {
        if (name == t.brief || name == t.pypto || name == t.pto || name == t.cpp || name == t.tirx) return t.type;
    }
    for (const Alias& a : kAliases) {
        if (name == a.name) return a.type;
    }
    return {};
}

} // namespace ls
