#include "core/machine/tensor_core/mma_kind.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace ls::tensor_core {

namespace {

constexpr std::array<std::string_view, 13> kTypeNames{
    "float16",       "bfloat16",      "tf32",          "float8_e4m3fn", "float8_e5m2", "float6_e2m3fn", "float6_e3m2fn",
    "float4_e2m1fn", "uint8",         "int8",          "float32",       "int32",       "float8_e8m0fnu",
};
constexpr std::array<std::string_view, 7> kKindNames{"f16", "tf32", "i8", "f8f6f4", "mxf4", "mxf4nvf4", "mxf8f6f4"};

/// A set of formats, one bit each.
using TypeSet = std::uint32_t;
constexpr TypeSet set_of(std::initializer_list<MmaType> types) {
    TypeSet set = 0;
    for (const MmaType type : types) set |= TypeSet{1} << static_cast<int>(type);
    return set;
}
constexpr bool has(TypeSet set, MmaType type) { return (set >> static_cast<int>(type) & 1U) != 0; }

constexpr TypeSet kNarrowFloats = set_of({MmaType::E4M3, MmaType::E5M2, MmaType::E2M3, MmaType::E3M2, MmaType::E2M1});
constexpr TypeSet kHalves = set_of({MmaType::F16, MmaType::BF16});
constexpr TypeSet kBytes = set_of({MmaType::U8, MmaType::S8});

struct TypeRule {
    MmaKind kind;
    TypeSet d, ab;
    TypeSet scale; ///< empty: the kind takes no scales
};
/// In the order in which they are tried.
constexpr std::array kTypeRules{
    TypeRule{MmaKind::F16, set_of({MmaType::F16}), set_of({MmaType::F16}), 0},
    TypeRule{MmaKind::F16, set_of({MmaType::F32}), kHalves, 0},
    TypeRule{MmaKind::Tf32, set_of({MmaType::F32}), set_of({MmaType::TF32}), 0},
    TypeRule{MmaKind::I8, set_of({MmaType::S32}), kBytes, 0},
    TypeRule{MmaKind::F8f6f4, set_of({MmaType::F32, MmaType::F16}), kNarrowFloats, 0},
    TypeRule{MmaKind::Mxf4, set_of({MmaType::F32}), set_of({MmaType::E2M1}), set_of({MmaType::E8M0})},
    TypeRule{MmaKind::Mxf4nvf4, set_of({MmaType::F32}), set_of({MmaType::E2M1}), set_of({MmaType::E4M3})},
    TypeRule{MmaKind::Mxf8f6f4, set_of({MmaType::F32}), kNarrowFloats, set_of({MmaType::E8M0})},
};

struct ShapeRule {
    std::int64_t m;
    std::int64_t n_step;
};
/// M and the step of N, by family and CTA group; N runs from one step to 256.
std::vector<ShapeRule> shape_rules(MmaKind kind, int cta_group) {
    if (is_block_scaled(kind)) {
        if (cta_group == 1) return {{128, 8}};
        return {{128, 16}, {256, 16}};
    }
    if (cta_group == 2) return {{128, 32}, {256, 32}};
    if (kind == MmaKind::I8) return {{64, 16}, {128, 16}};
    return {{64, 8}, {128, 16}};
}

std::string shapes_text(const MmaProblem& problem) {
    std::string text;
    for (const ShapeRule& rule : shape_rules(problem.kind, problem.cta_group)) {
        if (problem.sparse && is_block_scaled(problem.kind) && problem.cta_group == 2 && rule.m != 256) continue;
        text += fmt::format("{}M {} with N a multiple of {} up to 256", text.empty() ? "" : ", ", rule.m, rule.n_step);
    }
    if (problem.kind == MmaKind::I8 && problem.cta_group == 1) text += ", or N 8 or 24";
    return text + fmt::format("; K {}", mma_k(problem.kind, problem.sparse));
}

} // namespace

std::string_view name(MmaType type) { return kTypeNames[static_cast<std::size_t>(type)]; }
std::string_view name(MmaKind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

std::optional<MmaType> mma_type_from_name(std::string_view name) {
    const auto* at = std::find(kTypeNames.begin(), kTypeNames.end(), name);
    if (at != kTypeNames.end()) return static_cast<MmaType>(at - kTypeNames.begin());
    if (name == "tensor_float32" || name == "tfloat32") return MmaType::TF32;
    if (name == "f6e2m3" || name == "e2m3") return MmaType::E2M3;
    if (name == "f6e3m2" || name == "e3m2") return MmaType::E3M2;
    if (name == "e2m1") return MmaType::E2M1;
    if (const auto dtype = dtype_from_name(name)) return mma_type(*dtype);
    return {};
}

std::optional<MmaType> mma_type(DType type) {
    switch (type) {
        case DType::Fp16: return MmaType::F16;
        case DType::Bf16: return MmaType::BF16;
        case DType::Tf32: return MmaType::TF32;
        case DType::Fp8E4M3: return MmaType::E4M3;
        case DType::Fp8E5M2: return MmaType::E5M2;
        case DType::Fp8E8M0: return MmaType::E8M0;
        case DType::Fp4: return MmaType::E2M1;
        case DType::UInt8: return MmaType::U8;
        case DType::Int8: return MmaType::S8;
        case DType::Fp32: return MmaType::F32;
        case DType::Int32: return MmaType::S32;
        default: return {};
    }
}

std::optional<MmaKind> mma_kind_from_name(std::string_view name) {
    const auto* at = std::find(kKindNames.begin(), kKindNames.end(), name);
    if (at == kKindNames.end()) return {};
    return static_cast<MmaKind>(at - kKindNames.begin());
}

Result<MmaKind> mma_kind(MmaType d, MmaType a, MmaType b, std::optional<MmaType> scale_a,
                         std::optional<MmaType> scale_b) {
    const bool scaled = scale_a && scale_b;
    for (const TypeRule& rule : kTypeRules) {
        if (!has(rule.d, d) || !has(rule.ab, a) || !has(rule.ab, b) || (rule.scale != 0) != scaled) continue;
        if (scaled && (!has(rule.scale, *scale_a) || !has(rule.scale, *scale_b))) continue;
        return rule.kind;
    }
    std::string scales;
    if (scale_a || scale_b) {
        scales = fmt::format(", scales {} and {}", scale_a ? name(*scale_a) : "none", scale_b ? name(*scale_b) : "none");
    }
    return error("MMA_TYPES",
                 fmt::format("Invalid multiplicand data types: no tcgen05.mma multiplies {} by {} into {}{}", name(a),
                             name(b), name(d), scales),
                 "dense: f16 x f16 to f16, f16 or bf16 to f32, tf32 to f32, 8-bit integers to s32, fp8/fp6/fp4 to f32 or "
                 "f16; block-scaled: fp4 with e8m0 or e4m3 scales, fp8/fp6/fp4 with e8m0 scales, to f32");
}

std::int64_t mma_k(MmaKind kind, bool sparse) {
    std::int64_t k = 32;
    if (kind == MmaKind::F16) k = 16;
    if (kind == MmaKind::Tf32) k = 8;
    if (kind == MmaKind::Mxf4 || kind == MmaKind::Mxf4nvf4) k = 64;
    return sparse ? 2 * k : k;
}

Status check_mma_shape(const MmaProblem& problem) {
    const auto refuse = [&problem] {
        return error("MMA_SHAPE",
                     fmt::format("Invalid matrix shape: tcgen05.mma kind::{}{} with cta_group::{} has no M {}, N {}, K {}",
                                 name(problem.kind), problem.sparse ? " (sparse)" : "", problem.cta_group, problem.m,
                                 problem.n, problem.k),
                     problem.cta_group == 1 || problem.cta_group == 2 ? "it has " + shapes_text(problem)
                                                                      : "cta_group is 1 or 2");
    };
    if (problem.cta_group != 1 && problem.cta_group != 2) return refuse();
    if (problem.sparse && is_block_scaled(problem.kind) && problem.cta_group == 2 && problem.m != 256) return refuse();
    const auto rules = shape_rules(problem.kind, problem.cta_group);
    const auto rule = std::find_if(rules.begin(), rules.end(), [&](const ShapeRule& r) { return r.m == problem.m; });
    if (rule == rules.end()) return refuse();
    const bool extra = problem.kind == MmaKind::I8 && problem.cta_group == 1 && (problem.n == 8 || problem.n == 24);
    if (!extra && (problem.n < rule->n_step || problem.n > 256 || problem.n % rule->n_step != 0)) return refuse();
    if (problem.k != mma_k(problem.kind, problem.sparse)) return refuse();
    return ok_status();
}

Result<int> scale_vector(MmaKind kind, MmaType scale) {
    if (kind == MmaKind::Mxf8f6f4 && scale == MmaType::E8M0) return 1;
    if ((kind == MmaKind::Mxf4 || kind == MmaKind::Mxf4nvf4) && scale == MmaType::E8M0) return 2;
    if (kind == MmaKind::Mxf4nvf4 && scale == MmaType::E4M3) return 4;
    return error("MMA_SCALE", fmt::format("kind::{} has no scale vector of {}", name(kind), name(scale)),
                 "mxf8f6f4 and mxf4 take e8m0 scales, mxf4nvf4 takes e8m0 or e4m3");
}

} // namespace ls::tensor_core
