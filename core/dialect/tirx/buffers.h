// Buffers of the IR as this dialect means them: their layout, regions of them, views.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/stmt.h"
#include "core/layout/layout.h"
#include "core/support/result.h"

namespace ls::tirx {

/// The type of a variable (or of anything that is a variable of that type), or null when it is no buffer.
const ir::BufferTypeNode* buffer_type(const ir::ExprNode* expr);
inline const ir::BufferTypeNode* buffer_type(const ir::Expr& expr) { return buffer_type(expr.get()); }

/// Nothing when the buffer has none (layout=None). The default one is row-major over the shape on axis m.
std::optional<Layout> layout_of(const ir::BufferTypeNode& type);
/// Sets the layout; the default one is told by LayoutState::Default.
void set_layout(ir::BufferTypeNode& type, const std::optional<Layout>& layout);

/// A one-element buffer that is written by its bare name: x: T.uint32, T.shared_scalar("uint32").
bool is_scalar_buffer(const ir::BufferTypeNode& type);

/// The name that TIRx text has for the element type: "float16", "uint32x4".
std::string_view dtype_text(const ir::BufferTypeNode& type);
/// Width of one element, of all lanes of a vector type; 0 when the type is not known.
std::int64_t element_bits(std::string_view dtype);

/// A part of a buffer: in each dimension [begin, begin + extent).
struct Region {
    ir::Var buffer;
    std::vector<ir::Expr> begin;
    std::vector<ir::Expr> extent;
};
/// Of a Subscript whose slices have no step, or of a bare buffer (the whole of it).
std::optional<Region> region_of(const ir::Expr& expr);
/// The Subscript that stands for it.
ir::Expr make_region(const Region& region, Span span = {});
/// Whether two expressions are the same text over the same variables.
bool same_place(const ir::Expr& a, const ir::Expr& b);
ir::Expr whole_region(const ir::Var& buffer, Span span = {});

} // namespace ls::tirx
