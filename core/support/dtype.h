// Element types of all three families, with their spellings in each dialect.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace ls {

enum class DType : std::uint8_t {
    Bool, Int4, UInt4, Fp4, Hf4,
    Int8, UInt8, Fp8E4M3, Fp8E5M2, Fp8E8M0, Hf8,
    Int16, UInt16, Fp16, Bf16,
    Int32, UInt32, Fp32, Tf32,
    Int64, UInt64, Index, TaskId, Fp64,
};

struct DTypeInfo {
    DType type;
    int bits;                     ///< storage width of one element
    std::string_view brief;       ///< our short name, as in nz(256, 512, i8)
    std::string_view pypto;       ///< pl.<NAME>; empty where pypto has none
    std::string_view pto;         ///< PTO IR text
    std::string_view cpp;         ///< pto-isa / AscendC C++ type
    std::string_view tirx;        ///< TIRx script dtype string
};

const DTypeInfo& info(DType type);
std::span<const DTypeInfo> all_dtypes();

/// Finds a type by any of its spellings ("i8", "INT8", "int8", "float16", "f16", "half", "bf16", ...).
std::optional<DType> dtype_from_name(std::string_view name);

inline int bits(DType type) { return info(type).bits; }
/// Bytes of one element; 0 for types narrower than a byte.
inline int whole_bytes(DType type) { return bits(type) / 8; }

} // namespace ls
