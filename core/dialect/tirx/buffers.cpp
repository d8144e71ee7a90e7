#include "core/dialect/tirx/buffers.h"

#include <charconv>

#include "core/dialect/tirx/dims.h"
#include "core/dialect/tirx/fold.h"
#include "core/ir/equality.h"

namespace ls::tirx {

using namespace ir;

namespace {

/// Row-major over the shape; nothing when a dimension is no number or symbol.
std::optional<Layout> default_layout(const BufferTypeNode& type) {
    std::vector<Dim> dims;
    dims.reserve(type.shape.size());
    for (const Expr& e : type.shape) {
        const auto dim = to_dim(e);
        if (!dim) return {};
        dims.push_back(*dim);
    }
    return Layout(row_major(dims));
}

} // namespace

const BufferTypeNode* buffer_type(const ExprNode* expr) {
    const auto* v = as<VarNode>(expr);
    return v != nullptr ? as<BufferTypeNode>(v->type) : nullptr;
}

std::optional<Layout> layout_of(const BufferTypeNode& type) {
    switch (type.layout_state) {
    case BufferTypeNode::LayoutState::Given: return type.layout;
    case BufferTypeNode::LayoutState::Absent: return {};
    default: return default_layout(type);
    }
}

void set_layout(BufferTypeNode& type, const std::optional<Layout>& layout) {
    type.layout = Layout();
    if (!layout) {
        type.layout_state = BufferTypeNode::LayoutState::Absent;
    } else if (const auto plain = default_layout(type); plain && *plain == *layout) {
        type.layout_state = BufferTypeNode::LayoutState::Default;
    } else {
        type.layout_state = BufferTypeNode::LayoutState::Given;
        type.layout = *layout;
    }
}

bool is_scalar_buffer(const BufferTypeNode& type) {
    return type.shape.size() == 1 && is_constant(type.shape[0], 1) && type.strides.empty() && !type.align &&
           !type.offset_factor && type.allocated_addr == nullptr && type.elem_offset == nullptr &&
           type.layout_state == BufferTypeNode::LayoutState::Default;
}

std::string_view dtype_text(const BufferTypeNode& type) {
    return type.dtype_text.empty() ? info(type.dtype).tirx : std::string_view(type.dtype_text);
}

std::int64_t element_bits(std::string_view dtype) {
    if (const auto known = dtype_from_name(dtype)) return bits(*known);
    // A vector: a known type, 'x', the number of lanes.
    const std::size_t x = dtype.rfind('x');
    if (x == std::string_view::npos) return 0;
    const auto lane = dtype_from_name(dtype.substr(0, x));
    std::int64_t lanes = 0;
    const auto [end, error] = std::from_chars(dtype.data() + x + 1, dtype.data() + dtype.size(), lanes);
    const bool whole = error == std::errc() && end == dtype.data() + dtype.size();
    return lane && whole && lanes > 0 && lanes <= 65536 ? bits(*lane) * lanes : 0;
}

std::optional<Region> region_of(const Expr& expr) {
    if (const auto* type = buffer_type(expr)) {
        Region whole{ref_as<VarNode>(expr), {}, type->shape};
        whole.begin.assign(type->shape.size(), const_int(0, DType::Int32));
        return whole;
    }
    const auto* s = as<SubscriptNode>(expr);
    if (s == nullptr || buffer_type(s->base) == nullptr) return {};
    Region region{ref_as<VarNode>(s->base), {}, {}};
    for (const Expr& index : s->indices) {
        const auto* slice = as<SliceNode>(index);
        if (slice == nullptr) {
            region.begin.push_back(index);
            region.extent.push_back(const_int(1, DType::Int32));
            continue;
        }
        if (slice->step != nullptr || slice->begin == nullptr || slice->end == nullptr) return {};
        region.begin.push_back(slice->begin);
        // begin + n - begin is n, also where begin is not a constant.
        const auto* sum = as<BinaryNode>(slice->end);
        if (sum != nullptr && sum->op == BinaryOp::Add && sum->lhs == slice->begin) {
            region.extent.push_back(sum->rhs);
            continue;
        }
        const auto begin = to_dim(slice->begin), end = to_dim(slice->end);
        if (begin && end && (*end - *begin).is_constant()) {
            region.extent.push_back(const_int((*end - *begin).value(), DType::Int32));
        } else {
            region.extent.push_back(make_binary(BinaryOp::Sub, slice->end, slice->begin));
        }
    }
    return region;
}

Expr make_region(const Region& region, Span span) {
    std::vector<Expr> indices;
    indices.reserve(region.begin.size());
    for (std::size_t i = 0; i < region.begin.size(); ++i) {
        const Expr& begin = region.begin[i];
        indices.push_back(is_constant(region.extent[i], 1)
                              ? begin
                              : slice(begin, make_binary(BinaryOp::Add, begin, region.extent[i]), {}, span));
    }
    return subscript(region.buffer, std::move(indices), span);
}

bool same_place(const Expr& a, const Expr& b) {
    return a == b || (a != nullptr && b != nullptr && structurally_equal(a, b));
}

Expr whole_region(const Var& buffer, Span span) {
    const auto region = region_of(buffer);
    return region ? make_region(*region, span) : Expr(buffer);
}

} // namespace ls::tirx
