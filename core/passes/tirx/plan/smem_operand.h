// From an operand in shared memory to the fields of its matrix descriptor (spec/tirx.md 7.2).
#pragma once

#include "core/machine/tensor_core/matrix_descriptor.h"
#include "core/passes/tirx/plan/operand.h"

namespace ls::tirx {

struct SmemOperand {
    tensor_core::SmemSwizzle swizzle = tensor_core::SmemSwizzle::None;
    std::int64_t ldo = 0; ///< units of 16 bytes
    std::int64_t sdo = 0;
    bool mn_major = false;

    /// Descriptor at `start_address_bytes`.
    tensor_core::MatrixDescriptor descriptor(std::int64_t start_address_bytes = 0) const {
        return {start_address_bytes, ldo, sdo, swizzle, 0, false};
    }
    bool operator==(const SmemOperand&) const = default;
};

/// `transposed`: the region is [K, MN] instead of [MN, K]. The descriptor starts at the buffer's first element; where
/// the region begins is an offset of the instruction (tile_offset_16b).
/// Refused: SMEM_OPERAND_SHAPE (not two dimensions), SMEM_OPERAND_ALIGNMENT (a narrow slice that starts off 16 bytes),
/// SMEM_OPERAND_PLAIN (a layout without swizzle that no descriptor says), SMEM_OPERAND_ATOM (a swizzled one),
/// PLAN_SWIZZLE_DIRECTION, PLAN_SYMBOLIC, LAYOUT_*.
Result<SmemOperand> match_smem_operand(const Operand& operand, bool transposed);

/// Elements of 16 bytes.
inline std::int64_t elems_per_16b(DType dtype) { return 128 / bits(dtype); }

/// The region's addresses before the swizzle, which the hardware applies to the whole address.
class OperandTiles {
public:
    /// Refused as slice_of.
    static Result<OperandTiles> make(const Operand& operand, bool transposed);
    /// Distance from the buffer's first element to element (mn, k) of the region, in units of 16 bytes, rounded down.
    /// Works with symbolic coordinates. Refused: LAYOUT_OVERFLOW.
    Result<Dim> offset_16b(const Dim& mn, const Dim& k) const;

    /// offset_16b taken apart, for who writes it as a program: tile() of mn · last_extent() + k (with `transposed` of
    /// k · last_extent() + mn), divided by elems_16b().
    const TileLayout& tile() const { return tile_; }
    const Dim& last_extent() const { return last_extent_; }
    bool transposed() const { return transposed_; }
    std::int64_t elems_16b() const { return elems_16b_; }

private:
    TileLayout tile_;
    Dim last_extent_;
    std::int64_t elems_16b_ = 8;
    bool transposed_ = false;
};

} // namespace ls::tirx
