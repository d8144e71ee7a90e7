// Tensor maps: what TMA knows of a tensor in global memory, and which of them the hardware takes (spec/tirx.md 8.1).
// Dimension 0 is the innermost; global_strides leaves it out.
#pragma once

#include "core/passes/tirx/plan/operand.h"

namespace ls::tirx {

struct TensorMap {
    DType dtype = DType::Fp16; ///< of the descriptor; promoted types copy the same bytes in wider units
    int forced_dtype = -1;     ///< 11 for tf32
    Dim base_offset_bytes;
    std::vector<Dim> global_dims;
    std::vector<Dim> global_strides_bytes; ///< rank - 1 of them
    Dim inner_stride = 1;                  ///< elements; must be 1
    std::vector<Dim> box;
    std::vector<Dim> coordinates;
    int swizzle = 0; ///< catalogue::SwizzleMode
    int l2_promotion = 2;
    int oob_fill = 0; ///< 0 zero, 1 NaN
    bool to_shared = true;
    std::vector<std::string> gather4; ///< four row coordinates, or none
    int sm = 100;
    int cta_group = 1;
    bool has_barrier = true;
    bool barrier_is_address = false;
    bool multicast = false;
    std::string reduce; ///< "add", ... for shared to global; empty for a plain copy

    std::size_t rank() const { return global_dims.size(); }
    /// float4 is stored 16 to a unit of 8 bytes, aligned to 16.
    bool packed() const { return dtype == DType::Fp4; }
    std::int64_t unit_bytes() const { return (bits(dtype) + 7) / 8; }
    Dim box_bits() const;
};

enum class Proof : std::uint8_t { Proven, Disproven, Unknown };
Proof prove_equal(const Dim& a, const Dim& b);
Proof prove_at_most(const Dim& a, const Dim& b);
Proof prove_divisible(const Dim& a, std::int64_t by);

/// A rule of the hardware that the map breaks, or that cannot be shown to hold.
struct TensorMapFinding {
    std::string rule; ///< "rank", "global_stride_alignment", "box_dim", "inner_box_bytes", ...
    Proof status = Proof::Disproven;
    std::string message;
};
/// All rules that are not proven, in order.
std::vector<TensorMapFinding> check_tensor_map(const TensorMap& map);
std::string to_string(const TensorMapFinding& finding);

/// "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes.cta_group::1"
std::string tma_instruction(const TensorMap& map, bool cache_hint = false);

} // namespace ls::tirx
