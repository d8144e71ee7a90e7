// Linear layouts and ours (spec/notation.md e.4). Triton maps hardware to tensor, ours maps tensor to hardware.
//
// Axes: register -> m, lane -> laneid, warp -> warpid, block -> cbx, offset -> m, row -> TLane, col -> TCol.
#pragma once

#include <span>

#include "core/layout/tensor_layout.h"
#include "core/notation/triton_layout.h"

namespace ls::triton {

/// The inverse as a tile: every base is zero (a replica) or one bit of one dimension, all different, all covered.
/// Refused: TRITON_NOT_TILE with the base that is neither, e.g. "basis offset=64 has several bits (xor)".
Result<Layout> tile_of(const LinearLayout& linear);
/// The inverse as a swizzled tile over m with these parameters. Refused: TRITON_NOT_COMPOSE.
Result<Layout> compose_of(const LinearLayout& linear, int per_element, int swizzle_len, int atom_len);
/// tile_of, else the swizzle that the encoding's own parameters name, else any one swizzle that fits.
Result<Layout> layout_of(const Attribute& attribute, const LinearLayout& linear);

/// A tensor of this shape under an encoding. Refused as to_linear, TRITON_NOT_TILE when neither form exists.
Result<TensorLayout> to_tensor(const Attribute& attribute, std::span<const std::int64_t> shape);

/// Our layout as a linear layout of its shape: extents and strides must be powers of two and fill every axis without
/// gaps. Refused: TXT_CANNOT_SAY with the reason.
Result<LinearLayout> from_tensor(const TensorLayout& tensor);
/// "#ttg.linear<{register = [[0, 1]], lane = .., warp = .., block = ..}>", "#ttg.shared_linear<{offset = ..}, alignment
/// = 16>".
Result<std::string> print_attribute(const LinearLayout& linear);

} // namespace ls::triton
