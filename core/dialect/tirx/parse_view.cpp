// Views of buffers: buf.view(...), buf.local(...), buf.permute(...), buf.sub[...] (spec/tirx.md 3.8). What they make is
// a declaration over the same data, with its geometry worked out.
#include <fmt/format.h>

#include "core/dialect/tirx/buffers.h"
#include "core/dialect/tirx/dims.h"
#include "core/dialect/tirx/fold.h"
#include "core/dialect/tirx/parser.h"
#include "core/layout/buffer_view.h"
#include "core/layout/operations.h"

namespace ls::tirx {

using namespace ir;

namespace {

std::optional<BufferView> as_view(const BufferTypeNode& type) {
    BufferView view;
    for (const Expr& e : type.shape) {
        const auto dim = to_dim(e);
        if (!dim) return {};
        view.shape.push_back(*dim);
    }
    view.layout = layout_of(type);
    return view;
}

std::shared_ptr<BufferTypeNode> copy_of(const Var& parent, Span span) {
    auto type = derive(ref_as<BufferTypeNode>(parent->type));
    type->span = span;
    type->origin = nullptr;
    return type;
}

} // namespace

bool Parser::is_view_call() const {
    if (!is(TokenKind::Name) || !is(".", 1) || peek(2).kind != TokenKind::Name) return false;
    const Binding* binding = find(text());
    if (binding == nullptr || binding->var == nullptr || buffer_type(binding->var) == nullptr) return false;
    // x.buffer.view(...) names the buffer of a scalar.
    const std::size_t at = text(peek(2)) == "buffer" ? 4 : 2;
    const std::string_view method = text(peek(at));
    if (method == "sub" && is("[", at + 1)) return true;
    return is("(", at + 1) && (method == "view" || method == "local" || method == "permute");
}

Expr Parser::parse_view(Type& type) {
    const std::size_t first = at_;
    const Var parent = find(text())->var;
    next();
    next();
    if (text() == "buffer") {
        next();
        next();
    }
    const std::string_view method = text();
    next();
    const BufferTypeNode& from = *buffer_type(parent);
    Arguments a;
    if (method == "sub") {
        type = part_type(parent);
        a.span = span_from(first);
        return type == nullptr ? nullptr
                               : call("decl_buffer", {}, {{"data", member(parent, "data", a.span)}}, {}, {}, a.span);
    }
    if (!parse_arguments(a)) return nullptr;
    a.span = span_from(first);
    if (method == "view") {
        type = view_type(parent, a);
    } else if (method == "local") {
        type = local_type(parent, a);
    } else {
        type = permuted_type(parent, a);
    }
    if (type == nullptr) return nullptr;
    if (!a.kwargs.empty()) {
        return fail(a.kwargs[0].value->span, "TIRX_ARGUMENT",
                    fmt::format("{} takes no argument \"{}\"", method, a.kwargs[0].key), "only layout= may be given");
    }
    // Tensor memory is known by its address, everything else by its data.
    if (from.scope == "tmem" && from.allocated_addr != nullptr) return call("decl_buffer", {}, {}, {}, {}, a.span);
    return call("decl_buffer", {}, {{"data", member(parent, "data", a.span)}}, {}, {}, a.span);
}

Type Parser::view_type(const Var& parent, Arguments& a) {
    const BufferTypeNode& from = *buffer_type(parent);
    if (a.args.size() == 1) {
        if (const auto dtype = dtype_argument(a.args[0])) return reinterpreted_type(parent, *dtype, a.span);
    }
    if (a.args.size() == 1 && a.args[0]->kind == NodeKind::Tuple) {
        std::vector<Expr> dims = as<TupleNode>(a.args[0])->elements;
        a.args = std::move(dims);
    }
    const Expr layout = a.take("layout");
    const bool given = layout != nullptr && layout->kind != NodeKind::None;
    auto type = copy_of(parent, a.span);
    std::vector<Expr> shape = a.args;
    if (!given) {
        // One dimension may be -1: what is left.
        std::size_t unknown = shape.size();
        Expr rest;
        for (std::size_t i = 0; i < shape.size(); ++i) {
            if (is_constant(shape[i], -1) && unknown == shape.size()) {
                unknown = i;
            } else {
                rest = rest == nullptr ? shape[i] : make_binary(BinaryOp::Mul, rest, shape[i]);
            }
        }
        if (unknown < shape.size()) {
            Expr total = const_int(1, DType::Int32);
            for (const Expr& e : from.shape) total = make_binary(BinaryOp::Mul, total, e);
            shape[unknown] = rest == nullptr ? total : make_binary(BinaryOp::FloorDiv, total, rest);
        }
    }
    if (!set_shape(*type, tuple(std::move(shape), a.span), false)) return nullptr;
    if (given) {
        const auto* value = as<LayoutValueNode>(layout);
        if (value == nullptr) return fail(layout->span, "TIRX_TYPE", "this is no layout");
        set_layout(*type, value->layout);
        return seal(std::move(type));
    }
    if (from.layout_state != BufferTypeNode::LayoutState::Absent) {
        const auto old = constant_dims(from.shape), now = constant_dims(type->shape);
        if (old && now) {
            const auto before = checked_product(*old), after = checked_product(*now);
            if (before && after && *before != *after) {
                // The reference prints views of one element this way, and refuses them when an author writes them.
                warn(a.span, "TIRX_VIEW_SIZE",
                     fmt::format("this view has {} elements, and \"{}\" has {}", *after, parent->name, *before),
                     "a view of another size is written with layout=");
            }
        }
    }
    return seal(std::move(type));
}

/// The same bits as elements of another width.
Type Parser::reinterpreted_type(const Var& parent, std::string_view dtype, Span span) {
    const BufferTypeNode& from = *buffer_type(parent);
    const std::int64_t from_bits = element_bits(dtype_text(from)), to_bits = element_bits(dtype);
    if (to_bits == 0) return fail(span, "TIRX_TYPE", fmt::format("\"{}\" is no element type that is known", dtype));
    auto type = copy_of(parent, span);
    const auto known = dtype_from_name(dtype);
    type->dtype = known.value_or(DType::UInt8);
    type->dtype_text = known ? "" : std::string(dtype);
    const bool wider = to_bits > from_bits;
    const std::int64_t ratio = wider ? to_bits / from_bits : from_bits / to_bits;
    const bool divides = wider ? to_bits % from_bits == 0 : from_bits % to_bits == 0;
    const auto last = from.shape.empty() ? std::nullopt : constant(from.shape.back());
    if (!divides || from.shape.empty() || (wider && last && *last % ratio != 0)) {
        return fail(span, "TIRX_VIEW",
                    fmt::format("elements of {} bits cannot be seen as \"{}\" of {} bits", from_bits, dtype, to_bits),
                    "one width must divide the other, and the last dimension must hold whole elements");
    }
    const auto scaled = [&](const Expr& e) {
        return make_binary(wider ? BinaryOp::FloorDiv : BinaryOp::Mul, e, const_int(ratio, DType::Int32), span);
    };
    type->shape.back() = scaled(from.shape.back());
    if (from.elem_offset != nullptr) type->elem_offset = scaled(from.elem_offset);
    const auto view = as_view(from);
    if (view && view->layout) {
        Result<BufferView> seen = reinterpret_view(*view, from_bits, to_bits);
        if (!seen) {
            Diagnostic why = std::move(seen).error();
            why.span = span;
            return fail(std::move(why));
        }
        set_layout(*type, seen->layout);
    }
    return seal(std::move(type));
}

/// What one thread holds: by default the whole span of its storage, row-major.
Type Parser::local_type(const Var& parent, Arguments& a) {
    const BufferTypeNode& from = *buffer_type(parent);
    const Expr layout = a.take("layout");
    const bool given = layout != nullptr && layout->kind != NodeKind::None;
    const auto view = as_view(from);
    if ((a.args.empty() || !given) && (!view || !view->layout)) {
        return fail(a.span, "TIRX_VIEW", "what one thread holds of a buffer without a layout is not known",
                    "give the shape and layout= as well");
    }
    auto type = copy_of(parent, a.span);
    type->layout_state = BufferTypeNode::LayoutState::Default;
    type->layout = Layout();
    if (given) {
        const auto* value = as<LayoutValueNode>(layout);
        if (value == nullptr) return fail(layout->span, "TIRX_TYPE", "this is no layout");
        std::vector<Expr> shape = a.args;
        if (shape.empty()) {
            const auto held = size(storage(*view->layout)).constant();
            if (!held) return fail(a.span, "TIRX_VIEW", "the size of what one thread holds is no constant");
            shape.push_back(const_int(*held, DType::Int32));
        }
        if (!set_shape(*type, tuple(std::move(shape)), false)) return nullptr;
        set_layout(*type, value->layout);
        return seal(std::move(type));
    }
    std::vector<Dim> dims;
    for (const Expr& e : a.args) dims.push_back(to_dim(e).value_or(Dim::overflow()));
    Result<BufferView> seen = dims.empty() ? local_view(*view) : local_view(*view, dims);
    if (!seen) {
        Diagnostic why = std::move(seen).error();
        why.span = a.span;
        return fail(std::move(why));
    }
    if (!a.args.empty()) {
        type->shape = a.args;
        return seal(std::move(type));
    }
    Expr span = expr_of(seen->shape[0]);
    if (span == nullptr) return fail(a.span, "TIRX_VIEW", "the size of what one thread holds has no number");
    type->shape = {std::move(span)};
    return seal(std::move(type));
}

Expr Parser::expr_of(const Dim& dim) const {
    return to_expr(dim, [this](std::string_view name) -> Expr {
        const auto found = by_unique_name_.find(name);
        return found == by_unique_name_.end() ? nullptr : Expr(found->second);
    });
}

/// One index of buf.sub[...]: a number drops the dimension, a:b narrows it, a::s takes every s-th element.
bool Parser::parse_part_index(std::vector<SubIndex>& into) {
    const auto number = [&](Dim& value) {
        const Expr e = parse_expr();
        if (e == nullptr) return false;
        const auto dim = to_dim(e);
        if (!dim) fail(e->span, "TIRX_VIEW", "this is no number that a layout can count with");
        if (dim) value = *dim;
        return dim.has_value();
    };
    SubRange range;
    if (!is(":")) {
        if (!number(range.begin)) return false;
        if (!is(":")) {
            into.emplace_back(range.begin);
            return true;
        }
    }
    next();
    if (!is(":") && !is(",") && !is("]")) {
        range.end = Dim(0);
        if (!number(*range.end)) return false;
    }
    if (accept(":") && !is(",") && !is("]")) {
        const Span span = here();
        Dim step;
        if (!number(step)) return false;
        if (!step.is_constant() || step.value() < 1) {
            fail(span, "TIRX_VIEW", "a step must be a positive number");
            return false;
        }
        range.step = step.value();
    }
    into.emplace_back(std::move(range));
    return true;
}

/// buf.sub[...], at its bracket: a part of the buffer.
Type Parser::part_type(const Var& parent) {
    const std::size_t first = at_;
    const BufferTypeNode& from = *buffer_type(parent);
    next();
    std::vector<SubIndex> indices;
    while (!is("]")) {
        if (!parse_part_index(indices)) return nullptr;
        if (is("]")) break;
        if (!expect(",", "an index")) return nullptr;
    }
    next();
    const Span span = span_from(first);
    auto view = as_view(from);
    const auto offset = from.elem_offset == nullptr ? std::optional(Dim(0)) : to_dim(from.elem_offset);
    if (!view || !view->layout || !offset || from.scope == "tmem") {
        return fail(span, "TIRX_VIEW", fmt::format("\"{}\" has no layout in elements to take a part of", parent->name));
    }
    view->elem_offset = *offset;
    Result<BufferView> seen = sub_view(*view, indices);
    if (!seen) {
        Diagnostic why = std::move(seen).error();
        why.span = span;
        return fail(std::move(why));
    }
    auto type = copy_of(parent, span);
    type->shape.clear();
    for (const Dim& dim : seen->shape) type->shape.push_back(expr_of(dim));
    type->elem_offset = seen->elem_offset.is(0) ? nullptr : expr_of(seen->elem_offset);
    const bool numbers = std::find(type->shape.begin(), type->shape.end(), nullptr) == type->shape.end();
    if (!numbers || (type->elem_offset == nullptr && !seen->elem_offset.is(0))) {
        return fail(span, "TIRX_VIEW", "the geometry of this part has no number");
    }
    set_layout(*type, seen->layout);
    return seal(std::move(type));
}

Type Parser::permuted_type(const Var& parent, const Arguments& a) {
    const BufferTypeNode& from = *buffer_type(parent);
    std::vector<std::size_t> dims;
    for (const Expr& e : a.args) {
        const auto dim = constant(e);
        if (!dim || *dim < 0 || static_cast<std::size_t>(*dim) >= from.shape.size()) {
            return fail(e->span, "TIRX_VIEW", fmt::format("permute takes each of 0 to {} once", from.shape.size() - 1));
        }
        dims.push_back(static_cast<std::size_t>(*dim));
    }
    const auto view = as_view(from);
    if (!view || !view->layout) return fail(a.span, "TIRX_VIEW", "only a buffer with a layout can be permuted");
    Result<BufferView> seen = permute_view(*view, dims);
    if (!seen) {
        Diagnostic why = std::move(seen).error();
        why.span = a.span;
        return fail(std::move(why));
    }
    auto type = copy_of(parent, a.span);
    type->shape.clear();
    for (const std::size_t d : dims) type->shape.push_back(from.shape[d]);
    set_layout(*type, seen->layout);
    return seal(std::move(type));
}

} // namespace ls::tirx
