// Assignments: what `x = ...` means depends on what stands on its right (spec/tirx.md 10).
#include <fmt/format.h>

#include "core/dialect/tirx/buffers.h"
#include "core/dialect/tirx/fold.h"
#include "core/dialect/tirx/parser.h"
#include "core/ir/equality.h"

namespace ls::tirx {

using namespace ir;

namespace {

bool is_scope_id(std::string_view op) {
    constexpr std::string_view kNames[] = {"cluster_id",   "cta_id",         "cta_id_in_cluster", "cta_id_in_pair",
                                           "warpgroup_id", "warp_id",        "warp_id_in_wg",     "lane_id",
                                           "thread_id",    "thread_id_in_wg"};
    return std::find(std::begin(kNames), std::end(kNames), op) != std::end(kNames);
}

bool defines_buffer(std::string_view op) {
    constexpr std::string_view kNames[] = {
        "alloc_buffer", "alloc_shared", "alloc_local",  "smem",          "tmem",         "alloc_tmem",   "decl_buffer",
        "Buffer",       "buffer",       "match_buffer", "shared_scalar", "local_scalar", "alloc_scalar", "decl_scalar"};
    return std::find(std::begin(kNames), std::end(kNames), op) != std::end(kNames);
}

/// The type of what T.int32(), T.handle("float16", "shared") or T.TensorMap() creates; null for other calls.
Type created_type(const CallNode& c) {
    if (c.op == "handle") {
        auto type = std::make_shared<PtrTypeNode>();
        const auto* pointee = c.args.empty() ? nullptr : as<StringNode>(c.args[0]);
        const auto* scope = as<StringNode>(c.args.size() > 1 ? c.args[1].get() : c.kwarg("storage_scope"));
        if (pointee != nullptr) type->pointee = dtype_from_name(pointee->value);
        type->scope = scope != nullptr ? scope->value : pointee != nullptr ? "" : "global";
        return seal(std::move(type));
    }
    if (!c.args.empty()) return nullptr;
    if (c.op == "TensorMap") {
        auto type = std::make_shared<NamedTypeNode>();
        type->name = "TensorMap";
        return seal(std::move(type));
    }
    if (const auto dtype = dtype_from_name(c.op); dtype && info(*dtype).tirx == c.op) return scalar_type(*dtype);
    return nullptr;
}

/// The type of an address that an expression takes; null for other expressions.
Type address_type(const Expr& value) {
    const auto* c = as<CallNode>(value);
    if (c == nullptr || !c->is_op("address_of") || c->args.size() != 1) return nullptr;
    const auto* element = as<SubscriptNode>(c->args[0]);
    const auto* buffer = element != nullptr ? buffer_type(element->base) : nullptr;
    auto type = std::make_shared<PtrTypeNode>();
    type->scope = "global";
    if (buffer != nullptr && buffer->dtype_text.empty()) {
        type->pointee = buffer->dtype;
        type->scope = buffer->scope;
    }
    return seal(std::move(type));
}

} // namespace

/// Passes over `a =` or `a, b =`; nothing (and no step) when the statement is no such assignment.
std::optional<Parser::Names> Parser::accept_targets() {
    Names names;
    std::size_t ahead = 0;
    const bool bracket = is("(");
    if (bracket) ++ahead;
    while (peek(ahead).kind == TokenKind::Name) {
        const Token& t = peek(ahead);
        names.emplace_back(text(t), Span{t.begin, t.end});
        ++ahead;
        if (!is(",", ahead)) break;
        ++ahead;
    }
    if (bracket) {
        if (!is(")", ahead)) return {};
        ++ahead;
    }
    if (names.empty() || !is("=", ahead)) return {};
    at_ += ahead + 1;
    return names;
}

bool Parser::parse_assignment(Block& block, const Names& names, std::size_t first) {
    if (is_view_call()) {
        Type type;
        Expr how = parse_view(type);
        if (how == nullptr) return false;
        if (names.size() != 1) {
            fail(names[1].second, "TIRX_SYNTAX", "a view is one buffer, and several names are written");
            return false;
        }
        define_buffer(block, names[0].first, names[0].second, std::move(how), std::move(type), span_from(first));
        return end_statement();
    }
    // x = T.meta_var(e): a name for the expression itself.
    const bool meta = is(TokenKind::Name) && is_dialect_prefix(text()) && is(".", 1) && text(peek(2)) == "meta_var";
    Expr value = parse_expr();
    if (value == nullptr) return false;
    if (meta && names.size() == 1) {
        bind(names[0].first, {nullptr, std::move(value)});
        return end_statement();
    }
    if (names.size() == 1) {
        if (is(",")) {
            std::vector<Expr> more{std::move(value)};
            while (accept(",") && !is(TokenKind::Newline)) {
                Expr e = parse_expr();
                if (e == nullptr) return false;
                more.push_back(std::move(e));
            }
            value = tuple(std::move(more), span_from(first), true);
        }
        return assign_value(block, names[0].first, names[0].second, std::move(value), first) && end_statement();
    }
    // a, b = T.cta_id([2, 1])
    if (const auto* c = as<CallNode>(value); c != nullptr && !is(",")) {
        std::vector<Var> vars;
        const bool ids = is_scope_id(c->op);
        for (const auto& [name, span] : names) {
            vars.push_back(define(name, ids ? scalar_type(DType::Int32) : nullptr, span));
        }
        auto made = std::make_shared<AssignNode>();
        made->targets = std::move(vars);
        made->value = std::move(value);
        made->annotated = false;
        made->span = span_from(first);
        add(block, seal(std::move(made)));
        return end_statement();
    }
    // a, b = x, y
    std::vector<Expr> values;
    if (const auto* t = as<TupleNode>(value); t != nullptr && !is(",")) {
        values = t->elements;
    } else {
        values.push_back(std::move(value));
        while (accept(",")) {
            Expr e = parse_expr();
            if (e == nullptr) return false;
            values.push_back(std::move(e));
        }
    }
    if (values.size() != names.size()) {
        fail(span_from(first), "TIRX_SYNTAX", fmt::format("{} names for {} values", names.size(), values.size()));
        return false;
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (!assign_value(block, names[i].first, names[i].second, values[i], first)) return false;
    }
    return end_statement();
}

void Parser::define_buffer(Block& block, std::string_view name, Span name_span, Expr how, Type type, Span span) {
    // A = T.Buffer(...) names a buffer that is defined later: this is that definition.
    Var target;
    if (const Binding* known = find(name); known != nullptr && known->var != nullptr &&
                                           declared_.contains(known->var.get()) &&
                                           structurally_equal(known->var->type, type)) {
        target = known->var;
        declared_.erase(target.get());
    } else {
        target = define(name, std::move(type), name_span);
    }
    if (as<CallNode>(how)->op == "Buffer") declared_.insert(target.get());
    add(block, assign({target}, std::move(how), span));
}

bool Parser::assign_call(Block& block, std::string_view name, Span name_span, const Call& value, bool& handled) {
    const Span span = value->span;
    handled = true;
    if (value->callee == CalleeKind::Op && defines_buffer(value->op)) {
        Arguments a{value->args, value->kwargs, span};
        Type type;
        Expr how = parse_buffer_definition(value->op, a, type);
        if (how == nullptr) return false;
        define_buffer(block, name, name_span, std::move(how), std::move(type), span);
        return true;
    }
    if (value->is_op("launch_thread")) {
        const DType dtype = value->args.size() > 1 ? expr_dtype(value->args[1]).value_or(DType::Int32) : DType::Int32;
        Var var = define(name, scalar_type(dtype), name_span);
        return open_scope(block, value, std::move(var), span);
    }
    const bool ids = value->callee == CalleeKind::Op && is_scope_id(value->op);
    const Type created = value->callee == CalleeKind::Op ? created_type(*value) : nullptr;
    if (ids || created != nullptr || value->is_op("env_thread")) {
        // A name that a quoted shape introduced is declared once more; it stays one variable.
        const Binding* known = find(name);
        const bool again = created != nullptr && known != nullptr && known->var != nullptr &&
                           as<ScalarTypeNode>(known->var->type) != nullptr &&
                           structurally_equal(known->var->type, created);
        Var target =
            again ? known->var : define(name, created != nullptr ? created : scalar_type(DType::Int32), name_span);
        auto made = std::make_shared<AssignNode>();
        made->targets = {std::move(target)};
        made->value = value;
        made->annotated = false;
        made->span = span;
        add(block, seal(std::move(made)));
        return true;
    }
    handled = false;
    return true;
}

bool Parser::assign_value(Block& block, std::string_view name, Span name_span, Expr value, std::size_t first) {
    if (const Call c = ref_as<CallNode>(value)) {
        bool handled = false;
        if (!assign_call(block, name, name_span, c, handled)) return false;
        if (handled) return true;
    }
    const Binding* known = find(name);
    const auto* scalar = known != nullptr ? buffer_type(known->var) : nullptr;
    const Span span = span_from(first);
    // Parts of buffers, layouts and other Python values are put where the name stands.
    bool part = false;
    if (const auto* s = as<SubscriptNode>(value); s != nullptr && buffer_type(s->base) != nullptr) {
        for (const Expr& i : s->indices) part = part || i->kind == NodeKind::Slice;
    }
    switch (value->kind) {
    case NodeKind::LayoutValue:
    case NodeKind::String:
    case NodeKind::Tuple:
    case NodeKind::Dict:
    case NodeKind::Lambda:
    case NodeKind::None:
    case NodeKind::Symbol: part = true; break;
    default: part = part || buffer_type(value) != nullptr;
    }
    if (part) {
        bind(name, {nullptr, std::move(value)});
        return true;
    }
    if (scalar != nullptr && is_scalar_buffer(*scalar)) {
        store(block, subscript(known->var, {const_int(0, DType::Int32)}, name_span), std::move(value), span);
        return true;
    }
    if (const Type pointer = address_type(value)) {
        Var target = define(name, pointer, name_span);
        add(block, assign(std::move(target), std::move(value), span));
        return true;
    }
    if (const auto dtype = expr_dtype(value)) {
        auto type = std::make_shared<BufferTypeNode>();
        type->shape = {const_int(1, DType::Int32)};
        type->dtype = *dtype;
        type->scope = "local";
        const Var target = define(name, seal(std::move(type)), name_span);
        add(block, assign({target}, call("alloc_buffer", {}, {}, {}, {}, span), span));
        store(block, subscript(target, {const_int(0, DType::Int32)}, name_span), std::move(value), span);
        return true;
    }
    // A value whose type is not known keeps its call.
    Var target = define(name, nullptr, name_span);
    add(block, assign(std::move(target), std::move(value), span, false));
    return true;
}

/// x: T.let[T.int32] = v, x: T.let = v, x: T.uint32, x: T.uint32 = v
bool Parser::parse_annotated(Block& block) {
    const std::size_t first = at_;
    const std::string_view name = text();
    const Span name_span = here();
    next();
    next();
    const bool let = is(TokenKind::Name) && is_dialect_prefix(text()) && is(".", 1) && text(peek(2)) == "let";
    Type type;
    if (let) {
        next();
        next();
        next();
        if (accept("[")) {
            type = parse_annotation();
            if (type == nullptr || !expect("]", "T.let[...]")) return false;
        }
        if (!expect("=", "T.let")) return false;
        Expr value = parse_expr();
        if (value == nullptr) return false;
        if (type == nullptr) type = address_type(value);
        if (type == nullptr) {
            const auto dtype = expr_dtype(value);
            if (!dtype) {
                fail(value->span, "TIRX_TYPE", "the type of this value is not known",
                     "write it: x: T.let[T.int32] = ...");
                return false;
            }
            type = scalar_type(*dtype);
        }
        Var target = define(name, std::move(type), name_span);
        add(block, assign(std::move(target), std::move(value), span_from(first)));
        return end_statement();
    }
    type = parse_annotation();
    if (type == nullptr) return false;
    Expr value;
    if (accept("=")) {
        value = parse_expr();
        if (value == nullptr) return false;
    }
    const Span span = span_from(first);
    auto made = std::make_shared<BufferTypeNode>();
    if (const auto* s = as<ScalarTypeNode>(type)) {
        made->dtype = s->dtype;
    } else if (const auto* n = as<NamedTypeNode>(type); n != nullptr && element_bits(n->name) > 0) {
        made->dtype = DType::UInt8;
        made->dtype_text = n->name;
    } else {
        fail(span, "TIRX_TYPE", "only numbers are declared this way", "use T.let[...] for addresses");
        return false;
    }
    made->shape = {const_int(1, DType::Int32)};
    made->scope = value == nullptr && shared_scalars_.contains(name) ? "shared" : "local";
    made->span = span;
    const Var target = define(name, seal(std::move(made)), name_span);
    add(block, assign({target}, call("alloc_buffer", {}, {}, {}, {}, span), span));
    if (value != nullptr) {
        store(block, subscript(target, {const_int(0, DType::Int32)}, name_span), std::move(value), span);
    }
    return end_statement();
}

} // namespace ls::tirx
