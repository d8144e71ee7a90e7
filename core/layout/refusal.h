// Private to core/layout: how its operations refuse.
#pragma once

#include <span>
#include <utility>

#include "core/layout/layout.h"

namespace ls {

/// LAYOUT_OVERFLOW when a number of the layout left int64 (or an expression grew too large to keep).
Status refuse_overflow(const Layout& layout);
Status refuse_overflow(const AxisMap& map);

/// LAYOUT_EXTENT when a dimension of `shape` is a constant below 1, LAYOUT_OVERFLOW when one overflowed.
Status refuse_shape(std::span<const Dim> shape);

/// The last step of an operation: its answer, unless something overflowed on the way.
Result<Layout> finish(Layout layout);

/// LAYOUT_RANK unless both lists are equally long. The names say what they are: "outer shape".
Status same_rank(std::string_view name_a, std::span<const Dim> a, std::string_view name_b, std::span<const Dim> b);

} // namespace ls
