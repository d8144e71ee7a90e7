// Where an access goes: the element offset of buf[indices] as an expression (spec/tirx.md 3.1, 2, 9).
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "core/ir/stmt.h"
#include "core/layout/layout.h"
#include "core/passes/tirx/index_simplify.h"
#include "core/support/result.h"

namespace ls::tirx {

/// The variables that a layout's symbols mean, by name.
using VisibleVars = std::unordered_map<std::string, ir::Var>;

/// Offsets through the layout, simplified: one, or several where the layout is Trainium's (partition, free; for PSUM
/// the bank before them). elem_offset does not take part. Refusals: TIRX_THREAD_AXIS_ACCESS, TIRX_NOT_ONE_OFFSET,
/// TIRX_VECTOR_INDEX, LAYOUT_*.
Result<std::vector<ir::Expr>> layout_indices(const ir::BufferTypeNode& type, const Layout& layout,
                                             const std::vector<ir::Expr>& indices, const VisibleVars& visible,
                                             IndexSimplifier& known);
/// Without a layout: by strides, or row-major over the shape. Not simplified.
ir::Expr linear_index(const ir::BufferTypeNode& type, const std::vector<ir::Expr>& indices);

/// Elements of the flat buffer that stands for this one: strides[0]·shape[0], or the product of the shape.
ir::Expr flat_extent(const ir::BufferTypeNode& type);

bool has_thread_axis(const Layout& layout);
/// A tile whose memory axes are P, F and Bank alone; a tile without memory axes counts too, as in the reference.
bool is_trainium_tile(const std::optional<Layout>& layout);

} // namespace ls::tirx
