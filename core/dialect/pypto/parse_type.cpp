// Types as annotations write them.
#include <fmt/format.h>

#include "core/dialect/pypto/parser.h"

namespace ls::pypto {

using namespace ir;

namespace {

bool is_layout_name(std::string_view name) { return tensor_order_from_name(name).has_value(); }

} // namespace

Type Parser::parse_type() {
    const Nest nest(*this);
    if (nest.too_deep()) return nullptr;
    const std::size_t first = at_;
    if (is(TokenKind::String)) {
        Expr quoted = parse_string();
        if (quoted == nullptr) return nullptr;
        auto t = std::make_shared<NamedTypeNode>();
        t->name = as<StringNode>(quoted)->value;
        t->span = quoted->span;
        return seal(std::move(t));
    }
    if (!is(TokenKind::Name)) return fail_here(fmt::format("a type is expected here, but there is {}", found()));
    std::string name(text());
    next();
    while (is(".") && peek(1).kind == TokenKind::Name) {
        next();
        name += '.';
        name += text();
        next();
    }
    const bool bracket = is("[");
    if (bracket) {
        if (name == "pl.Tensor" || name == "pld.DistributedTensor") return parse_tensor(name[2] == 'd', first);
        if (name == "pl.Tile") return parse_tile(first);
        if (name == "pl.Scalar") {
            next();
            const auto d = parse_dtype();
            if (!d || !expect("]", "pl.Scalar")) return nullptr;
            auto t = std::make_shared<ScalarTypeNode>();
            t->dtype = *d;
            t->span = span_from(first);
            return seal(std::move(t));
        }
        if (name == "pl.Array") {
            next();
            auto t = std::make_shared<ArrayTypeNode>();
            if ((t->length = parse_expr()) == nullptr || !expect(",", "pl.Array")) return nullptr;
            const auto d = parse_dtype();
            if (!d || !expect("]", "pl.Array")) return nullptr;
            t->dtype = *d;
            t->span = span_from(first);
            return seal(std::move(t));
        }
        if (name == "pl.Tuple" || name == "tuple" || name == "Tuple") {
            next();
            auto t = std::make_shared<TupleTypeNode>();
            while (!is("]")) {
                Type element = parse_type();
                if (element == nullptr) return nullptr;
                t->elements.push_back(std::move(element));
                if (!accept(",")) break;
            }
            if (!expect("]", "a tuple type")) return nullptr;
            t->span = span_from(first);
            return seal(std::move(t));
        }
    }
    if (name == "pl.Ptr" && !bracket) {
        auto t = std::make_shared<PtrTypeNode>();
        t->span = span_from(first);
        return seal(std::move(t));
    }
    auto t = std::make_shared<NamedTypeNode>();
    t->name = std::move(name);
    if (bracket) {
        next();
        if (!parse_expr_list(t->arguments, "]")) return nullptr;
    }
    t->span = span_from(first);
    return seal(std::move(t));
}

std::optional<DType> Parser::parse_dtype() {
    const std::size_t first = at_;
    Expr value = parse_expr();
    if (value == nullptr) return {};
    if (const auto* d = as<DTypeNameNode>(value)) return d->dtype;
    const Span span = span_from(first);
    fail(span, "PYPTO_DTYPE",
         fmt::format("\"{}\" is not an element type", source_.substr(span.begin, span.end - span.begin)),
         "use one like pl.FP16, pl.INT8 or pl.FP32, or a module constant that names one");
    return {};
}

bool Parser::parse_shape_and_dtype(std::vector<Expr>& shape, DType& dtype) {
    if (!expect("[", "a shaped type") || !expect("[", "the shape")) return false;
    if (!parse_expr_list(shape, "]") || !expect(",", "a shaped type")) return false;
    const auto d = parse_dtype();
    if (!d) return false;
    dtype = *d;
    return true;
}

Type Parser::parse_tensor(bool distributed, std::size_t first) {
    auto t = std::make_shared<TensorTypeNode>();
    t->distributed = distributed;
    if (!parse_shape_and_dtype(t->shape, t->dtype)) return nullptr;
    while (accept(",") && !is("]")) {
        const std::size_t at = at_;
        if (is("pl") && text(peek(1)) == "." && is_layout_name(text(peek(2))) && text(peek(3)) != ".") {
            if (!t->view) t->view.emplace();
            t->view->order = *tensor_order_from_name(text(peek(2)));
            next(), next(), next();
        } else if (is("pl") && text(peek(2)) == "TensorLayout") {
            const std::string_view layout = parse_enum("TensorLayout");
            const auto order = tensor_order_from_name(layout);
            if (!order) {
                fail(span_from(at), "PYPTO_TYPE", fmt::format("pl.TensorLayout has no \"{}\"", layout),
                     "it has ND, DN, NZ, MX_A_ZZ, MX_B_NN");
                return nullptr;
            }
            if (!t->view) t->view.emplace();
            t->view->order = *order;
        } else if (is("pl") && text(peek(2)) == "TensorView") {
            TensorView view;
            if (!parse_tensor_view(view)) return nullptr;
            t->view = std::move(view);
        } else if (is("pl") && text(peek(2)) == "MemRef") {
            if (!parse_memref(t->memref)) return nullptr;
        } else if (is(TokenKind::String)) {
            Expr quoted = parse_string();
            if (quoted == nullptr) return nullptr;
            std::string_view value = as<StringNode>(quoted)->value;
            constexpr std::string_view kKey = "window_buffer=";
            if (value.substr(0, kKey.size()) == kKey) value.remove_prefix(kKey.size());
            t->window_buffer = std::string(value);
        } else if (is(TokenKind::Name) && !is("pl")) {
            if (!parse_slot(t->memref)) return nullptr;
        } else {
            return fail_here(
                fmt::format("a tensor type goes on with a layout, a TensorView or a MemRef; there is {}", found()));
        }
    }
    if (!expect("]", "a tensor type")) return nullptr;
    t->span = span_from(first);
    return seal(std::move(t));
}

Type Parser::parse_tile(std::size_t first) {
    auto t = std::make_shared<TileTypeNode>();
    if (!parse_shape_and_dtype(t->shape, t->dtype)) return nullptr;
    while (accept(",") && !is("]")) {
        const std::size_t at = at_;
        if (is("pl") && text(peek(2)) == "MemRef") {
            if (!parse_memref(t->memref)) return nullptr;
        } else if (is("pl") && (text(peek(2)) == "Mem" || text(peek(2)) == "MemorySpace")) {
            const std::string_view space = parse_enum(text(peek(2)));
            t->space = tile_space_from_name(space);
            if (!t->space) {
                return fail(span_from(at), "PYPTO_TYPE", fmt::format("there is no memory space \"{}\"", space),
                            "use DDR, Vec, Mat, Left, Right, Acc, Bias, LeftScale, RightScale or ScalarLocal");
            }
        } else if (is("pl") && text(peek(2)) == "TileView") {
            TileView view;
            if (!parse_tile_view(view)) return nullptr;
            t->view = std::move(view);
        } else if (is(TokenKind::Name) && !is("pl")) {
            if (!parse_slot(t->memref)) return nullptr;
        } else {
            return fail_here(
                fmt::format("a tile type goes on with a memory space, a TileView or a MemRef; there is {}", found()));
        }
    }
    if (!expect("]", "a tile type")) return nullptr;
    t->span = span_from(first);
    return seal(std::move(t));
}

std::string_view Parser::parse_enum(std::string_view class_name) {
    if (!accept("pl") || !expect(".", "a named constant") || text() != class_name) {
        fail_here(fmt::format("pl.{}.NAME is expected here", class_name));
        return {};
    }
    next();
    if (!expect(".", "a named constant")) return {};
    if (!is(TokenKind::Name)) {
        fail_here(fmt::format("a name of pl.{} is expected here", class_name));
        return {};
    }
    const std::string_view name = text();
    next();
    return name;
}

namespace {

/// Elements of a [..] argument.
bool elements(const Expr& value, std::vector<Expr>& into) {
    const auto* list = as<TupleNode>(value);
    if (list == nullptr) return false;
    into = list->elements;
    return true;
}

std::string_view last_name(const Expr& value) {
    const auto* s = as<ir::SymbolNode>(value);
    return s != nullptr ? s->last() : std::string_view{};
}

} // namespace

bool Parser::parse_tensor_view(TensorView& view) {
    next(), next(), next();
    if (!expect("(", "pl.TensorView")) return false;
    Arguments a;
    if (!parse_arguments(a)) return false;
    // Positional spelling: TensorView(stride, layout).
    constexpr std::string_view kOrder[] = {"stride", "layout", "valid_shape", "pad"};
    for (std::size_t i = 0; i < a.args.size() && i < std::size(kOrder); ++i)
        a.kwargs.push_back({std::string(kOrder[i]), a.args[i]});
    for (const KeyValue& k : a.kwargs) {
        bool good = true;
        if (k.key == "valid_shape") {
            good = elements(k.value, view.valid_shape);
        } else if (k.key == "stride") {
            good = elements(k.value, view.stride);
        } else if (k.key == "layout") {
            const auto order = tensor_order_from_name(last_name(k.value));
            good = order.has_value();
            view.order = order.value_or(TensorOrder::ND);
        } else if (k.key == "pad") {
            const auto pad = pad_value_from_name(last_name(k.value));
            good = pad.has_value();
            view.pad = pad.value_or(PadValue::Null);
        } else {
            fail(k.value->span, "PYPTO_TYPE", fmt::format("pl.TensorView has no \"{}\"", k.key),
                 "it has valid_shape, stride, layout, pad");
            return false;
        }
        if (!good) {
            fail(k.value->span, "PYPTO_TYPE", fmt::format("this is not a value for {} of pl.TensorView", k.key));
            return false;
        }
    }
    return true;
}

bool Parser::parse_tile_view(TileView& view) {
    next(), next(), next();
    if (!expect("(", "pl.TileView")) return false;
    Arguments a;
    if (!parse_arguments(a)) return false;
    if (!a.args.empty()) {
        fail(a.args[0]->span, "PYPTO_TYPE", "the fields of pl.TileView are given by name");
        return false;
    }
    for (const KeyValue& k : a.kwargs) {
        bool good = true;
        if (k.key == "valid_shape") {
            good = elements(k.value, view.valid_shape);
        } else if (k.key == "stride") {
            good = elements(k.value, view.stride);
        } else if (k.key == "start_offset") {
            view.start_offset = k.value;
        } else if (k.key == "blayout" || k.key == "slayout") {
            const auto order = tile_order_from_name(last_name(k.value));
            good = order.has_value();
            (k.key == "blayout" ? view.blayout : view.slayout) = order;
        } else if (k.key == "fractal") {
            view.fractal_bytes = constant(k.value);
            good = view.fractal_bytes.has_value();
        } else if (k.key == "pad") {
            view.pad = pad_value_from_name(last_name(k.value));
            good = view.pad.has_value();
        } else if (k.key == "compact") {
            view.compact = compact_mode_from_name(last_name(k.value));
            good = view.compact.has_value();
        } else {
            fail(k.value->span, "PYPTO_TYPE", fmt::format("pl.TileView has no \"{}\"", k.key),
                 "it has valid_shape, stride, start_offset, blayout, slayout, fractal, pad, compact");
            return false;
        }
        if (!good) {
            fail(k.value->span, "PYPTO_TYPE", fmt::format("this is not a value for {} of pl.TileView", k.key));
            return false;
        }
    }
    return true;
}

/// pl.MemRef(base, offset, size[, slots=n]) or pl.MemRef("name"[, slots=n]), each perhaps with [slot].
bool Parser::parse_memref(std::optional<MemRef>& into) {
    const std::size_t first = at_;
    next(), next(), next();
    if (!expect("(", "pl.MemRef")) return false;
    Arguments a;
    if (!parse_arguments(a)) return false;
    if (a.args.empty() || a.args.size() > 3) {
        fail(span_from(first), "PYPTO_TYPE",
             fmt::format("pl.MemRef takes a base, an offset and a size; here are {} values", a.args.size()));
        return false;
    }
    MemRef m;
    m.base = a.args[0];
    if (a.args.size() > 1) m.byte_offset = a.args[1];
    if (a.args.size() > 2) {
        m.size_bytes = constant(a.args[2]);
        if (!m.size_bytes) {
            fail(a.args[2]->span, "PYPTO_TYPE", "the size of a MemRef is a number of bytes");
            return false;
        }
    }
    for (const KeyValue& k : a.kwargs) {
        if (k.key != "slots" || !constant(k.value)) {
            fail(k.value->span, "PYPTO_TYPE", fmt::format("pl.MemRef has no \"{}\" of this kind", k.key),
                 "it has slots=NUMBER");
            return false;
        }
        m.slots = constant(k.value);
    }
    if (accept("[")) {
        m.slot = parse_expr();
        if (m.slot == nullptr || !expect("]", "the slot of a MemRef")) return false;
    }
    into = std::move(m);
    return true;
}

/// NAME or NAME[slot]: a declared MemRef.
bool Parser::parse_slot(std::optional<MemRef>& into) {
    MemRef m;
    m.base = lookup(text(), here());
    next();
    if (accept("[")) {
        m.slot = parse_expr();
        if (m.slot == nullptr || !expect("]", "the slot of a MemRef")) return false;
    }
    into = std::move(m);
    return true;
}

} // namespace ls::pypto
