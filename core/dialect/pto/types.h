// Types of PTO text, both ways.
#pragma once

#include <string>
#include <string_view>

#include "core/ir/type.h"

namespace ls::pto {

/// A type as it is written. Tile types in both spellings and with their fields in any order, pointers, numbers; anything
/// else is kept as a NamedType of its text.
ir::Type read_type(std::string_view text, Span span);

/// In the usual spelling: `!pto.tile_buf<loc=vec, dtype=f32, rows=16, ...>`. A valid extent that is no number is `?`.
std::string type_text(const ir::TypeNode& type);
/// `!pto.tensor_view<?x?xf32>`: no extent of a whole view is told.
std::string view_text(const ir::TensorTypeNode& type);
/// `!pto.partition_tensor_view<16x?xf32>`: the extents that are numbers are.
std::string partition_text(const ir::TensorTypeNode& type);

/// Dims of `!pto.KIND<AxBxT>`: -1 for `?`. Empty when the text is no such type.
struct ShapedText {
    std::vector<std::int64_t> dims;
    std::string_view element;
};
std::optional<ShapedText> shaped_text(std::string_view type, std::string_view kind);

/// The element type of this PTO spelling, and of no other.
std::optional<DType> pto_dtype(std::string_view text);
/// "mat"; "scaling" for both scales.
std::string_view location(ir::TileSpace space);
/// "nz"
std::string layout_name(ir::TensorOrder order);

/// White space of a text that was written over several lines, as single spaces, and none inside brackets' edges.
std::string one_line(std::string_view text);

} // namespace ls::pto
