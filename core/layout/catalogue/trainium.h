// Trainium layouts: partitions (P), free elements (F) and PSUM banks (spec/tirx.md 3.8, 1.1).
#pragma once

#include <string_view>

#include "core/layout/tensor_layout.h"

namespace ls::catalogue {

/// `annotation` has one letter, P or F, for each dimension; strides are row-major among the P and among the F
/// dimensions. A single P dimension above 128 is split: its outer part goes on F. With `psum`, F elements beyond a
/// bank of 512 go on Bank.
/// Refused: TRN_ANNOTATION, TRN_PARTITIONS, TRN_BANK, LAYOUT_EXTENT, LAYOUT_OVERFLOW.
Result<TensorLayout> trainium(std::string_view annotation, std::span<const std::int64_t> shape, bool psum = false);

} // namespace ls::catalogue
