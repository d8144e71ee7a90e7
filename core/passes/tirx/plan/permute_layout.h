// permute_layout within a warp, without bank conflicts (spec/tirx.md 6, warp_xor_swizzle). Lane l moves `per_lane`
// elements in two phases, through registers; both walk the slots in an order that an XOR spreads over the banks:
//
//     j = r ^ ((l >> shift) & mask);   element l + 32 · j   from the source, then to the destination
#pragma once

#include "core/passes/tirx/plan/operand.h"

namespace ls::tirx {

struct PermuteLayoutPlan {
    std::vector<std::int64_t> extents; ///< of the iteration, row-major
    std::vector<std::int64_t> src_strides, dst_strides; ///< elements
    Dim src_offset, dst_offset;
    std::int64_t per_lane = 1;
    int xor_bits = 0;
    int shift() const { return 5 - xor_bits; }
    int mask() const { return (1 << xor_bits) - 1; }
    /// Element of the iteration that `lane` moves in slot `r`.
    std::int64_t element(std::int64_t lane, std::int64_t r) const { return lane + 32 * (r ^ ((lane >> shift()) & mask())); }
    std::int64_t src_offset_elems(std::int64_t element) const { return offset(element, src_strides); }
    std::int64_t dst_offset_elems(std::int64_t element) const { return offset(element, dst_strides); }

private:
    std::int64_t offset(std::int64_t element, const std::vector<std::int64_t>& strides) const;
};

/// Refused: PERMUTE_REGION (types, extents, layouts), PERMUTE_WARP (no 32, 64, ... 1024 elements), PERMUTE_BIJECTION,
/// PERMUTE_BANKS (no XOR spreads both phases).
Result<PermuteLayoutPlan> plan_permute_layout(const Operand& dst, const Operand& src);

} // namespace ls::tirx
