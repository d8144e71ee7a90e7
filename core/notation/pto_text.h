// Ascend ways of writing a layout: pypto tensor types and the shape and strides of a PTO tensor view.
//
//     pl.Tensor[[256, 512], pl.INT8, pl.NZ]     the logical shape and the byte order (ND when none is given, DN, NZ)
//     [1, 16, 16, 16, 32] : [131072, 8192, 512, 32, 1]     sizes and strides in elements of pto.make_tensor_view
#pragma once

#include <string>
#include <string_view>

#include "core/layout/tensor_layout.h"
#include "core/notation/tirx_text.h"

namespace ls::notation {

/// Refused: TXT_*, and the catalogue's NZ_* at the shape.
Result<TensorLayout> read_pypto(std::string_view text, const SymbolValues& values = {}, std::size_t base = 0);
Result<TensorLayout> read_pto_view(std::string_view text, std::size_t base = 0);

/// Refused (TXT_CANNOT_SAY) unless the layout is ND, DN or NZ of its shape and its type has a pypto name.
Result<std::string> print_pypto(const TensorLayout& layout);
/// An NZ tensor prints as its rank-5 blocked view; other layouts as one extent and stride per iter.
/// Refused (TXT_CANNOT_SAY): swizzles, replicas, offsets, other axes than m, more than 5 dimensions.
Result<std::string> print_pto_view(const TensorLayout& layout);

} // namespace ls::notation
