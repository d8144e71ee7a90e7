// Views of a buffer (spec/tirx.md 3.8): the same storage seen with another shape, layout, element width or part.
#pragma once

#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "core/layout/layout.h"

namespace ls {

/// A shape over a layout; without a layout the buffer is row-major. `elem_offset` counts elements from the data
/// pointer.
struct BufferView {
    std::vector<Dim> shape;
    std::optional<Layout> layout;
    Dim elem_offset;

    /// The layout, or the row-major one that stands for "none".
    Layout effective_layout() const;
};

/// What one thread holds: shape [span of the memory axes], row-major. Refused when the span is no positive number.
Result<BufferView> local_view(const BufferView& buffer);
/// The same as a row-major block of `dims`, whose product must equal the span (LAYOUT_LOCAL).
Result<BufferView> local_view(const BufferView& buffer, std::span<const Dim> dims);

/// Another shape of equal size over the same layout. One dimension may be -1: what is left of the size.
Result<BufferView> view_as(const BufferView& buffer, std::span<const Dim> shape);
/// Elements of another width over the same bits; one width must divide the other (LAYOUT_REINTERPRET).
Result<BufferView> reinterpret_view(const BufferView& buffer, std::int64_t from_bits, std::int64_t to_bits);
/// Dimensions in another order.
Result<BufferView> permute_view(const BufferView& buffer, std::span<const std::size_t> dims);

/// One index of sub_view(): a number drops the dimension, begin:end narrows it, begin::step takes every step-th
/// element.
struct SubRange {
    Dim begin = 0;
    std::optional<Dim> end; ///< nothing: up to the end
    std::int64_t step = 1;
};
using SubIndex = std::variant<Dim, SubRange>;

/// A part of the buffer; dimensions without an index are taken whole. What the indices add to the address goes to
/// elem_offset when it is a multiple of the swizzle's period (always, without one), and else into the tile's offset.
/// Refused: LAYOUT_RANK, LAYOUT_RANGE, LAYOUT_SUB.
Result<BufferView> sub_view(const BufferView& buffer, std::span<const SubIndex> indices);

} // namespace ls
