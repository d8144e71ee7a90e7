// Triton encodings as linear layouts of a tensor shape (spec/notation.md e.3).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/notation/triton_linear.h"
#include "core/notation/triton_text.h"

namespace ls::triton {

/// The layout of a tensor of this shape. Distributed encodings have in-dimensions register, lane, warp, block; shared
/// ones offset, block; tensor memory row, col, block.
/// Refused: TRITON_UNKNOWN (with the names that are known), TRITON_KEY, TRITON_RANK, TRITON_POWER (no power of two, or
/// too large), TRITON_SHAPE (the shape is too small for it), TRITON_PADDED (use padded_shared instead).
Result<LinearLayout> to_linear(const Attribute& attribute, std::span<const std::int64_t> shape);

/// padded_shared: offset(i) = i + Σ (i / interval) · pad over the linear index i.
struct PaddedLayout {
    LinearLayout linear;                                         ///< index -> coordinate, before padding
    std::vector<std::pair<std::int64_t, std::int64_t>> paddings; ///< interval, pad; powers of two
    std::int64_t padded(std::int64_t index) const;
    /// Elements that must be allocated; a pad behind the last element is not needed.
    std::int64_t size() const;
};
Result<PaddedLayout> padded_shared(const Attribute& attribute, std::span<const std::int64_t> shape);

} // namespace ls::triton
