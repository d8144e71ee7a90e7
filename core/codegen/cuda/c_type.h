// Element types as CUDA C++ writes them, and how they cross into inline assembly.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/ir/type.h"

namespace ls::codegen::cuda {

/// The type of an expression: an element (of `lanes` lanes), or the address of one.
struct CType {
    DType dtype = DType::Int32;
    int lanes = 1;
    bool pointer = false;
    bool opaque = false; ///< of a pointer: void*

    bool operator==(const CType&) const = default;
    bool is_value(DType d) const { return !pointer && lanes == 1 && dtype == d; }
};

inline constexpr CType kVoidPointer{DType::UInt8, 1, true, true};
inline CType value_of(DType dtype) { return {dtype, 1, false, false}; }
inline CType pointer_to(CType element) { return {element.dtype, element.lanes, true, false}; }

/// By the name that TIRx text has: "float16", "uint32x2".
std::optional<CType> c_type_from_name(std::string_view name);
/// Elements of a buffer; nothing where CUDA has no type of that name.
std::optional<CType> element_type(const ir::BufferTypeNode& type);
/// "half", "uint2", "float*", "void*"; empty where CUDA has no such type.
std::string spelling(const CType& type);

bool is_unsigned(DType dtype);
bool is_integer(DType dtype);
bool is_floating(DType dtype);
/// Elements narrower than a byte are stored two to a byte.
inline bool is_sub_byte(DType dtype) { return dtype != DType::Bool && bits(dtype) < 8; }
/// Bytes that `count` elements take.
std::int64_t storage_bytes(const CType& element, std::int64_t count);

/// How a value of this type is bound to a register of inline assembly. 16-bit floats and 8-bit values travel in an integer
/// of the register's width, by bits.
struct AsmBinding {
    std::string_view c_type;       ///< of the helper's parameter
    char constraint = 'r';
    std::string_view carrier;      ///< what is bound; c_type where it can be bound itself
    std::string_view to_carrier;   ///< "__half_as_ushort": applied on the way in; empty: none
    std::string_view from_carrier; ///< applied on the way out
    std::string_view suffix;       ///< in the name of a helper: "f32"
};
const AsmBinding* asm_binding(DType dtype);

/// The command that compiles for this architecture alone ("sm_100a"); nvcc's short form would add a general one, which
/// lacks what belongs to it.
std::string nvcc_command(std::string_view arch);

} // namespace ls::codegen::cuda
