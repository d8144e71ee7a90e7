// What may follow a layout of any notation, behind a '|': the element type, the logical shape, the memory, and values
// of names that the layout uses. In any order, separated by commas or by nothing:
//
//     S[(8, 64):(64, 1)] | f16 [8, 64]
//     S[8192:1] | bf16 [rows=128, cols=64] in smem
//     S[(M, 64):(64, 1)] | M=128
//     (8,(2,4)):(4@0,(1@1,1@0)) | @0=laneid, @1=m      what CuTe's basis strides stand for
//
// '|' occurs in no notation, so it is never taken for a part of the layout.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/layout/tensor_layout.h"
#include "core/notation/tirx_text.h"

namespace ls::notation {

struct Annotation {
    std::optional<DType> dtype;
    std::optional<Shape> shape;
    std::vector<std::string> dim_names; ///< as long as shape, or empty when no dimension was named
    std::optional<MemorySpace> space;
    SymbolValues values;
    std::vector<Axis> axes; ///< axis of basis stride @0, @1, ...; those left out are named c<i>
    Span dtype_span, shape_span, space_span;
};

/// Reads what stands behind the '|'.
Result<Annotation> read_annotation(std::string_view text, std::size_t base);

/// " | f16 [8, 64] in smem" with what differs from what a reader would assume by itself; may be empty.
/// `assumed` is the TensorLayout that the text without annotation reads as.
std::string print_annotation(const TensorLayout& layout, const TensorLayout& assumed);

/// An element type by any of its spellings, or TXT_DTYPE with the list of names.
Result<DType> find_dtype(std::string_view name, Span span);

/// Puts the annotation on a layout that was read: the given shape must hold as many elements (TXT_SHAPE_SIZE), and a
/// type that the layout's own text already states must not differ (TXT_CONFLICT).
Result<TensorLayout> annotate(TensorLayout layout, const Annotation& annotation);

} // namespace ls::notation
