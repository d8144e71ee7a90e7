// What tcgen05.mma can multiply: operand formats, instruction kinds, legal shapes (spec/tirx.md 7.4, 7.5).
#pragma once

#include <optional>
#include <string_view>

#include "core/support/dtype.h"
#include "core/support/result.h"

namespace ls::tensor_core {

/// Number formats of operands, accumulators and scale factors.
enum class MmaType : std::uint8_t {
    F16, BF16, TF32, E4M3, E5M2, E2M3, E3M2, E2M1, U8, S8, F32, S32, E8M0,
};
std::string_view name(MmaType type); ///< as TIRx writes it: "float16", "float6_e2m3fn", "tf32"
/// TIRx names, "tensor_float32", and the spellings of DType.
std::optional<MmaType> mma_type_from_name(std::string_view name);
/// Float32 is Float32: whether it multiplies as TF32 is said elsewhere.
std::optional<MmaType> mma_type(DType type);

enum class MmaKind : std::uint8_t { F16, Tf32, I8, F8f6f4, Mxf4, Mxf4nvf4, Mxf8f6f4 };
std::string_view name(MmaKind kind); ///< as PTX writes it: "f16", "mxf4nvf4"
std::optional<MmaKind> mma_kind_from_name(std::string_view name);
constexpr bool is_block_scaled(MmaKind kind) { return kind >= MmaKind::Mxf4; }

/// The first kind whose rule takes the types; scale types make it a block-scaled one. Refused: MMA_TYPES.
Result<MmaKind> mma_kind(MmaType d, MmaType a, MmaType b, std::optional<MmaType> scale_a = {},
                         std::optional<MmaType> scale_b = {});

struct MmaProblem {
    MmaKind kind = MmaKind::F16;
    int cta_group = 1;
    std::int64_t m = 0; ///< over the whole CTA group
    std::int64_t n = 0;
    std::int64_t k = 0;
    bool sparse = false;
};
/// Refused: MMA_SHAPE ("Invalid matrix shape ...") with the shapes that the kind has.
Status check_mma_shape(const MmaProblem& problem);
/// K of one instruction.
std::int64_t mma_k(MmaKind kind, bool sparse = false);

/// Scale factors that one instruction reads for each row: the N of .scale_vec::NX. Refused: MMA_SCALE.
Result<int> scale_vector(MmaKind kind, MmaType scale);

} // namespace ls::tensor_core
