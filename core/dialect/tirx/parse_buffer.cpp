// Types as annotations write them, and buffers as T.alloc_buffer, T.decl_buffer and their like define them.
#include <fmt/format.h>

#include "core/dialect/tirx/buffers.h"
#include "core/dialect/tirx/fold.h"
#include "core/dialect/tirx/parser.h"
#include "core/layout/catalogue/trainium.h"

namespace ls::tirx {

using namespace ir;

namespace {

Type named_type(std::string name, std::vector<Expr> arguments, Span span) {
    auto type = std::make_shared<NamedTypeNode>();
    type->name = std::move(name);
    type->arguments = std::move(arguments);
    type->span = span;
    return seal(std::move(type));
}

} // namespace

Type Parser::type_of_dtype(std::string_view name) {
    if (const auto dtype = dtype_from_name(name); dtype && info(*dtype).tirx == name) return scalar_type(*dtype);
    return named_type(std::string(name), {}, {});
}

/// T.int32, T.handle, T.handle("float16", "shared"), T.TensorMap(), T.Buffer((128,), "float32"), T.let[...]'s inside
Type Parser::parse_annotation() {
    const std::size_t first = at_;
    if (!is(TokenKind::Name) || !is_dialect_prefix(text()) || !is(".", 1)) {
        return fail_here(fmt::format("a type is expected, but there is {}", found()),
                         "types are written as T.int32, T.handle or T.Buffer((128,), \"float32\")");
    }
    next();
    std::vector<std::string_view> path;
    if (!parse_path(path)) return nullptr;
    const std::string_view name = path[0];
    Arguments a;
    const bool called = is("(");
    if (called && !parse_arguments(a)) return nullptr;
    const Span span = span_from(first);
    if (name == "Buffer") return make_buffer_type(a, "global");
    if (name == "handle") {
        auto type = std::make_shared<PtrTypeNode>();
        type->span = span;
        const Expr scope_argument = a.take("storage_scope");
        const auto* scope = as<StringNode>(a.args.size() > 1 ? a.args[1] : scope_argument);
        if (a.args.empty()) {
            type->scope = scope != nullptr ? scope->value : "global";
            return seal(std::move(type));
        }
        const auto* pointee = as<StringNode>(a.args[0]);
        if (pointee == nullptr) return fail(span, "TIRX_TYPE", "a handle's element type is written in quotes");
        const auto dtype = dtype_from_name(pointee->value);
        if (!dtype || info(*dtype).tirx != pointee->value) return named_type("handle", std::move(a.args), span);
        type->pointee = *dtype;
        type->scope = scope != nullptr ? scope->value : "";
        return seal(std::move(type));
    }
    if (called) return named_type(std::string(name), std::move(a.args), span);
    if (name != "TensorMap" && name != "void" && element_bits(name) == 0) {
        return fail(span, "TIRX_TYPE", fmt::format("T.{} is no type that is known", name),
                    "scalars are T.int32, T.uint64, T.float16, ...; vectors T.float32x4");
    }
    return type_of_dtype(name);
}

/// The dims of a shape, a single one without brackets. A quoted name is a variable that the shape defines.
bool Parser::set_shape(BufferTypeNode& type, const Expr& shape, bool quoted_define) {
    std::vector<Expr> dims;
    if (const auto* t = as<TupleNode>(shape)) {
        dims = t->elements;
    } else {
        dims.push_back(shape);
    }
    for (Expr& dim : dims) {
        if (const auto* quoted = as<StringNode>(dim)) {
            const std::string_view name = source_.substr(dim->span.begin + 1, quoted->value.size());
            const bool plain =
                !name.empty() && name == quoted->value &&
                name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
                    std::string_view::npos;
            if (!quoted_define || !plain) {
                fail(dim->span, "TIRX_UNSUPPORTED",
                     fmt::format("the dimension \"{}\" is no name of a variable", quoted->value),
                     "name a variable in quotes, or write the number");
                return false;
            }
            const Binding* known = find(name);
            dim = known != nullptr && known->var != nullptr ? known->var
                                                            : define(name, scalar_type(DType::Int32), dim->span);
            continue;
        }
        const bool scalar = dim->kind != NodeKind::Tuple && dim->kind != NodeKind::Dict &&
                            dim->kind != NodeKind::None && dim->kind != NodeKind::ConstFloat;
        const auto value = constant(dim);
        if (!scalar || (value && *value < 0)) {
            fail(dim->span.empty() ? shape->span : dim->span, "TIRX_SHAPE",
                 value ? fmt::format("a dimension is {}", *value) : std::string("a dimension is no number"),
                 "dimensions are not negative");
            return false;
        }
    }
    type.shape = std::move(dims);
    return true;
}

/// shape, dtype, then keywords (data and annotations are left in `a`).
Type Parser::make_buffer_type(Arguments& a, std::string scope, bool with_dtype_position) {
    auto type = std::make_shared<BufferTypeNode>();
    type->scope = std::move(scope);
    type->span = a.span;
    const Expr shape = a.take(0, "shape");
    if (shape == nullptr) return fail(a.span, "TIRX_ARGUMENT", "this buffer has no shape", "write its shape first");
    if (!set_shape(*type, shape, true)) return nullptr;
    const Expr dtype = with_dtype_position ? a.take(1, "dtype") : a.take("dtype");
    if (dtype != nullptr) {
        const auto text = dtype_argument(dtype);
        if (!text || element_bits(*text) == 0) {
            return fail(dtype->span, "TIRX_TYPE",
                        text ? fmt::format("\"{}\" is no element type that is known", *text)
                             : std::string("the element type must be written in quotes"),
                        "write it as in \"float16\", \"uint32\" or \"float8_e4m3fn\"");
        }
        const auto known = dtype_from_name(*text);
        if (known && !info(*known).tirx.empty()) {
            type->dtype = *known;
        } else {
            type->dtype = DType::UInt8;
            type->dtype_text = *text;
        }
    }
    if (a.args.size() > 2) {
        return fail(a.args[2]->span, "TIRX_ARGUMENT", "a buffer takes its shape and type, then keywords",
                    "write scope=, layout=, data= and the others with their names");
    }
    if (const Expr strides = a.take("strides"); strides != nullptr && strides->kind != NodeKind::None) {
        const auto* t = as<TupleNode>(strides);
        if (t == nullptr) return fail(strides->span, "TIRX_TYPE", "strides must be a list");
        type->strides = t->elements;
    }
    if (const Expr offset = a.take("elem_offset"); offset != nullptr && offset->kind != NodeKind::None) {
        if (!is_constant(offset, 0)) type->elem_offset = offset;
    }
    if (const Expr offset = a.take("byte_offset"); offset != nullptr && offset->kind != NodeKind::None) {
        const std::int64_t width = element_bits(dtype_text(*type));
        const Expr in_bits = make_binary(BinaryOp::Mul, offset, const_int(8, DType::Int32), offset->span);
        const Expr elements = make_binary(BinaryOp::FloorDiv, in_bits, const_int(width, DType::Int32), offset->span);
        if (!is_constant(elements, 0)) type->elem_offset = elements;
    }
    if (const Expr written = a.take("scope"); written != nullptr) {
        const auto* s = as<StringNode>(written);
        if (s == nullptr) return fail(written->span, "TIRX_SCOPE", "a buffer's scope is written in quotes");
        type->scope = s->value.empty() ? "global" : s->value;
    }
    for (const auto& [key, field, plain] : {std::tuple{"align", &BufferTypeNode::align, 64},
                                            std::tuple{"offset_factor", &BufferTypeNode::offset_factor, 1}}) {
        const Expr value = a.take(key);
        if (value == nullptr) continue;
        const auto number = constant(value);
        if (!number) return fail(value->span, "TIRX_TYPE", fmt::format("{} must be a number", key));
        if (*number > 0 && *number != plain) (*type).*field = *number;
    }
    if (const Expr address = a.take("allocated_addr"); address != nullptr && address->kind != NodeKind::None) {
        type->allocated_addr = address;
    }
    const Expr layout = a.take("layout");
    const auto* named = as<StringNode>(layout);
    const bool trainium = type->scope == "trn.sbuf" || type->scope == "trn.psum";
    if (trainium && (layout == nullptr || (named != nullptr && named->value == "default"))) {
        set_layout(*type, {});
    } else if (trainium && named != nullptr) {
        const auto dims = constant_dims(type->shape);
        if (!dims) return fail(layout->span, "TIRX_SHAPE", "partitions are given out to constant dimensions only");
        Result<TensorLayout> made = catalogue::trainium(named->value, *dims, type->scope == "trn.psum");
        if (!made) {
            Diagnostic why = std::move(made).error();
            why.span = layout->span;
            return fail(std::move(why));
        }
        set_layout(*type, made->layout);
    } else if (layout != nullptr && layout->kind == NodeKind::None) {
        set_layout(*type, {});
    } else if (const auto* given = as<LayoutValueNode>(layout)) {
        set_layout(*type, given->layout);
    } else if (layout != nullptr && (named == nullptr || named->value != "default")) {
        return fail(layout->span, "TIRX_TYPE", "this is no layout",
                    "write T.TileLayout(...), T.ComposeLayout(...), None or \"default\"");
    }
    return seal(std::move(type));
}

/// T.alloc_buffer(...) and its like: what the buffer's type is, and the Call that says how it comes to be. Null without
/// a finding when `kind` defines no buffer.
Expr Parser::parse_buffer_definition(std::string_view kind, Arguments& a, Type& type) {
    const auto scalar = [&](std::string scope, std::size_t scope_position) -> Expr {
        auto made = std::make_shared<BufferTypeNode>();
        const Expr dtype = a.take(0, "dtype");
        const auto text = dtype != nullptr ? dtype_argument(dtype) : std::optional<std::string>("float32");
        const auto known = text ? dtype_from_name(*text) : std::nullopt;
        if (!text || element_bits(*text) == 0) return fail(a.span, "TIRX_TYPE", "this scalar's type is not known");
        made->dtype = known.value_or(DType::UInt8);
        if (!known) made->dtype_text = *text;
        made->scope = std::move(scope);
        const Expr written = scope_position > 0 ? a.take(scope_position, "scope") : nullptr;
        if (const auto* s = as<StringNode>(written)) made->scope = s->value;
        made->shape = {const_int(1, DType::Int32)};
        made->span = a.span;
        if (const Expr offset = a.take("elem_offset"); offset != nullptr && !is_constant(offset, 0)) {
            if (offset->kind != NodeKind::None) made->elem_offset = offset;
        }
        type = seal(std::move(made));
        return kind == "decl_scalar" ? call("decl_buffer", {}, std::move(a.kwargs), {}, {}, a.span)
                                     : call("alloc_buffer", {}, {}, {}, {}, a.span);
    };
    if (kind == "shared_scalar") return scalar("shared", 0);
    if (kind == "local_scalar") return scalar("local", 0);
    if (kind == "alloc_scalar") return scalar("global", 1);
    if (kind == "decl_scalar") {
        if (a.args.size() > 1) {
            a.kwargs.push_back({"data", a.args[1]});
            const Expr scope = a.args.size() > 2 ? a.args[2] : nullptr;
            a.args.resize(1);
            if (scope != nullptr) a.args.insert(a.args.end(), {none(), scope});
        }
        const Expr written = a.args.size() > 2 ? a.args[2] : a.take("scope");
        const auto* scope = as<StringNode>(written);
        return scalar(scope != nullptr ? scope->value : "global", 0);
    }
    if (kind == "wg_reg_tile") return nullptr;
    const std::string scope = kind == "alloc_shared" || kind == "smem" ? "shared"
                              : kind == "alloc_local"                  ? "local"
                              : kind == "tmem" || kind == "alloc_tmem" ? "tmem"
                                                                       : "global";
    Expr source;
    if (kind == "match_buffer") {
        source = a.take(0, "param");
        if (source == nullptr) return fail(a.span, "TIRX_ARGUMENT", "T.match_buffer needs the handle that it matches");
        if (!a.args.empty()) a.args.erase(a.args.begin());
    }
    // data may stand third, by position.
    Expr data = a.take("data");
    if (a.args.size() == 3 && data == nullptr) {
        data = a.args[2];
        a.args.pop_back();
    }
    type = make_buffer_type(a, scope);
    if (type == nullptr) return nullptr;
    const bool given = data != nullptr && data->kind != NodeKind::None;
    if (kind == "match_buffer") return call("match_buffer", {source}, std::move(a.kwargs), {}, {}, a.span);
    if (kind == "Buffer" || kind == "buffer") {
        if (given) a.kwargs.push_back({"data", data});
        return call("Buffer", {}, std::move(a.kwargs), {}, {}, a.span);
    }
    const auto& made = *as<BufferTypeNode>(type);
    // A declaration of nothing that exists is an allocation; tensor memory is declared by its address.
    const bool declared = kind == "decl_buffer" && (given || made.scope == "tmem");
    if (given) a.kwargs.push_back({"data", data});
    return call(declared ? "decl_buffer" : "alloc_buffer", {}, std::move(a.kwargs), {}, {}, a.span);
}

} // namespace ls::tirx
