// Expressions: operators, names, literals, subscripts, members.
#include <charconv>

#include <fmt/format.h>

#include "core/dialect/tirx/buffers.h"
#include "core/dialect/tirx/fold.h"
#include "core/dialect/tirx/parser.h"

namespace ls::tirx {

using namespace ir;

namespace {

struct Operator {
    std::string_view spelling;
    int precedence;
    BinaryOp op;
};
// Python's levels; comparisons chain and are read apart.
constexpr int kOr = 1, kAnd = 2, kNot = 3, kCompare = 4, kUnary = 10;
constexpr Operator kOperators[] = {
    {"or", kOr, BinaryOp::Or},
    {"and", kAnd, BinaryOp::And},
    {"|", 5, BinaryOp::BitOr},
    {"^", 6, BinaryOp::BitXor},
    {"&", 7, BinaryOp::BitAnd},
    {"<<", 8, BinaryOp::Shl},
    {">>", 8, BinaryOp::Shr},
    {"+", 9, BinaryOp::Add},
    {"-", 9, BinaryOp::Sub},
    {"*", kUnary, BinaryOp::Mul},
    {"//", kUnary, BinaryOp::FloorDiv},
    {"%", kUnary, BinaryOp::Mod},
    {"/", kUnary, BinaryOp::Div},
};
constexpr Operator kCompares[] = {
    {"<", kCompare, BinaryOp::Lt},  {"<=", kCompare, BinaryOp::Le}, {">", kCompare, BinaryOp::Gt},
    {">=", kCompare, BinaryOp::Ge}, {"==", kCompare, BinaryOp::Eq}, {"!=", kCompare, BinaryOp::Ne},
};

template <std::size_t N>
const Operator* find_operator(const Operator (&table)[N], std::uint64_t word) {
    for (const Operator& o : table) {
        if (pypto::word(o.spelling) == word) return &o;
    }
    return nullptr;
}

/// A bare number next to a typed value takes its type.
void match_types(Expr& lhs, Expr& rhs) {
    const bool left = lhs->kind == NodeKind::ConstInt || lhs->kind == NodeKind::ConstFloat;
    const bool right = rhs->kind == NodeKind::ConstInt || rhs->kind == NodeKind::ConstFloat;
    if (left && !right) lhs = as_dtype(lhs, expr_dtype(rhs));
    if (right && !left) rhs = as_dtype(rhs, expr_dtype(lhs));
}

} // namespace

/// Chains of operators grow to the left without recursion, so their depth is checked here.
Expr Parser::checked(Expr made) {
    if (made == nullptr || made->depth <= kMaxDepth) return made;
    return fail(made->span, "IR_TOO_DEEP", fmt::format("this expression nests more than {} levels deep", kMaxDepth),
                "name its parts");
}

Expr Parser::parse_expr() {
    const Nest nest(*this);
    if (nest.too_deep()) return nullptr;
    if (is("lambda")) return parse_lambda();
    const std::size_t first = at_;
    Expr value = parse_binary(kOr);
    if (value == nullptr || !accept("if")) return value;
    Expr condition = parse_binary(kOr);
    if (condition == nullptr || !expect("else", "a conditional expression")) return nullptr;
    Expr otherwise = parse_expr();
    if (otherwise == nullptr) return nullptr;
    return checked(call("if_then_else", {condition, value, otherwise}, {}, {}, {}, span_from(first)));
}

Expr Parser::parse_lambda() {
    const std::size_t first = at_;
    next();
    const Scope mark = enter_scope();
    std::vector<Var> params;
    while (is(TokenKind::Name)) {
        params.push_back(define(text(), scalar_type(DType::Int32), here()));
        next();
        if (!accept(",")) break;
    }
    Expr body = expect(":", "a lambda") ? parse_expr() : nullptr;
    leave_scope(mark);
    return body == nullptr ? nullptr : checked(lambda(std::move(params), std::move(body), span_from(first)));
}

Expr Parser::parse_binary(int min_precedence) {
    const std::size_t first = at_;
    Expr lhs;
    if (is("not") && min_precedence <= kNot) {
        const Nest nest(*this);
        if (nest.too_deep()) return nullptr;
        next();
        Expr operand = parse_binary(kNot);
        if (operand == nullptr) return nullptr;
        lhs = checked(unary(UnaryOp::Not, std::move(operand), span_from(first)));
    } else {
        lhs = parse_unary();
    }
    while (lhs != nullptr) {
        if (find_operator(kCompares, peek().word) != nullptr && min_precedence <= kCompare) {
            lhs = parse_comparison(std::move(lhs), first);
            continue;
        }
        const Operator* o = find_operator(kOperators, peek().word);
        if (o == nullptr || o->precedence < min_precedence) return lhs;
        next();
        Expr rhs = parse_binary(o->precedence + 1);
        if (rhs == nullptr) return nullptr;
        if (o->precedence > kCompare) match_types(lhs, rhs);
        lhs = checked(make_binary(o->op, lhs, rhs, span_from(first)));
    }
    return lhs;
}

/// a < b <= c means a < b and b <= c.
Expr Parser::parse_comparison(Expr lhs, std::size_t first) {
    Expr all;
    while (const Operator* o = find_operator(kCompares, peek().word)) {
        next();
        Expr rhs = parse_binary(kCompare + 1);
        if (rhs == nullptr) return nullptr;
        match_types(lhs, rhs);
        Expr one = make_binary(o->op, lhs, rhs, span_from(first));
        all = checked(all == nullptr ? one : make_binary(BinaryOp::And, all, one, span_from(first)));
        if (all == nullptr) return nullptr;
        lhs = std::move(rhs);
    }
    return all;
}

Expr Parser::parse_unary() {
    const std::size_t first = at_;
    if (!is("-") && !is("+") && !is("~")) return parse_power();
    const Nest nest(*this);
    if (nest.too_deep()) return nullptr;
    const bool minus = is("-"), invert = is("~");
    next();
    // -9223372036854775808 has no positive counterpart.
    if (minus && is(TokenKind::Int) && text() == "9223372036854775808") {
        next();
        return const_int(std::numeric_limits<std::int64_t>::min(), DType::Int64, span_from(first));
    }
    Expr operand = parse_unary();
    if (operand == nullptr) return nullptr;
    if (invert) return checked(unary(UnaryOp::BitNot, std::move(operand), span_from(first)));
    if (!minus) return operand;
    if (const auto* f = as<ConstFloatNode>(operand)) return const_float(-f->value, f->dtype, {}, span_from(first));
    const DType dtype = expr_dtype(operand).value_or(DType::Int32);
    return checked(make_binary(BinaryOp::Mul, operand, const_int(-1, dtype), span_from(first)));
}

Expr Parser::parse_power() {
    const std::size_t first = at_;
    Expr base = parse_primary();
    if (base == nullptr || !is("**")) return base;
    next();
    Expr exponent = parse_unary();
    if (exponent == nullptr) return nullptr;
    const auto b = constant(base), n = constant(exponent);
    if (b && n && *n >= 0 && *n < 64) {
        CheckedInt value = 1;
        for (std::int64_t i = 0; i < *n && value; ++i) value = checked_mul(*value, *b);
        if (value) return const_int(*value, DType::Int32, span_from(first));
    }
    return checked(binary(BinaryOp::Pow, std::move(base), std::move(exponent), span_from(first)));
}

Expr Parser::parse_primary() {
    const std::size_t first = at_;
    Expr value;
    switch (peek().kind) {
    case TokenKind::Int:
    case TokenKind::Float: value = parse_number(); break;
    case TokenKind::String: value = parse_string(); break;
    case TokenKind::Name: value = parse_name(); break;
    default:
        if (is("(")) {
            value = parse_parenthesized();
        } else if (is("[")) {
            value = parse_list();
        } else if (is("{")) {
            value = parse_dict();
        } else {
            return fail_here(fmt::format("a value is expected here, but there is {}", found()));
        }
    }
    return value == nullptr ? nullptr : parse_postfix(std::move(value), first);
}

Expr Parser::parse_number() {
    const std::size_t first = at_;
    std::string digits;
    for (const char c : text()) {
        if (c != '_') digits += c;
    }
    const Span span = here();
    if (is(TokenKind::Float)) {
        double value = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (error != std::errc() || end != digits.data() + digits.size()) {
            return fail(span, "TIRX_NUMBER", fmt::format("{} is not a number that a double can hold", digits));
        }
        next();
        return const_float(value, {}, {}, span);
    }
    int base = 10;
    std::size_t skip = 0;
    if (digits.size() > 2 && digits[0] == '0') {
        const char kind = digits[1];
        base = kind == 'x' || kind == 'X' ? 16 : kind == 'b' || kind == 'B' ? 2 : kind == 'o' || kind == 'O' ? 8 : 10;
        skip = base == 10 ? 0 : 2;
    }
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data() + skip, digits.data() + digits.size(), value, base);
    if (error != std::errc() || end != digits.data() + digits.size()) {
        return fail(span, "TIRX_NUMBER", fmt::format("{} does not fit 64 bits", digits));
    }
    next();
    const DType dtype = value <= 0x7fffffffU           ? DType::Int32
                        : value <= 0x7fffffffffffffffU ? DType::Int64
                                                       : DType::UInt64;
    return const_int(static_cast<std::int64_t>(value), dtype, span_from(first));
}

Expr Parser::parse_string() {
    const std::size_t first = at_;
    std::string whole;
    while (is(TokenKind::String)) {
        Result<std::string> part = pypto::string_value(source_, peek());
        if (!part) return fail(std::move(part).error());
        whole += *part;
        next();
    }
    return string(std::move(whole), span_from(first));
}

Expr Parser::parse_parenthesized() {
    const std::size_t first = at_;
    next();
    std::vector<Expr> elements;
    bool comma = false;
    while (!is(")")) {
        Expr e = parse_expr();
        if (e == nullptr) return nullptr;
        elements.push_back(std::move(e));
        if (is(")")) break;
        if (!expect(",", "parentheses")) return nullptr;
        comma = true;
    }
    next();
    if (elements.size() == 1 && !comma) return elements[0];
    return checked(tuple(std::move(elements), span_from(first), true));
}

bool Parser::parse_expr_list(std::vector<Expr>& into, std::string_view close) {
    while (!is(close)) {
        Expr e = parse_expr();
        if (e == nullptr) return false;
        into.push_back(std::move(e));
        if (is(close)) break;
        if (!expect(",", "a list")) return false;
    }
    next();
    return true;
}

Expr Parser::parse_list() {
    const std::size_t first = at_;
    next();
    std::vector<Expr> elements;
    if (!parse_expr_list(elements, "]")) return nullptr;
    return checked(tuple(std::move(elements), span_from(first)));
}

Expr Parser::parse_dict() {
    const std::size_t first = at_;
    next();
    std::vector<KeyValue> entries;
    while (!is("}")) {
        std::string key;
        if (is(TokenKind::Name)) { // where={x: value}
            key = text();
            next();
        } else {
            if (!is(TokenKind::String)) return fail_here(fmt::format("a key is expected, but there is {}", found()));
            const Expr quoted = parse_string();
            if (quoted == nullptr) return nullptr;
            key = as<StringNode>(quoted)->value;
        }
        if (!expect(":", "a dictionary")) return nullptr;
        Expr value = parse_expr();
        if (value == nullptr) return nullptr;
        entries.push_back({std::move(key), std::move(value)});
        if (is("}")) break;
        if (!expect(",", "a dictionary")) return nullptr;
    }
    next();
    return checked(dict(std::move(entries), span_from(first)));
}

Expr Parser::value_of(const Binding& binding, Span span) {
    if (binding.alias != nullptr) return binding.alias;
    const auto* type = as<BufferTypeNode>(binding.var->type);
    if (type != nullptr && is_scalar_buffer(*type)) return subscript(binding.var, {const_int(0, DType::Int32)}, span);
    return binding.var;
}

Expr Parser::parse_name() {
    const std::size_t first = at_;
    const std::string_view name = text();
    const Span span = here();
    if (name == "True" || name == "False") {
        next();
        return const_bool(name == "True", span);
    }
    if (name == "None") {
        next();
        return none(span);
    }
    if (const Binding* known = find(name)) {
        const Binding binding = *known;
        next();
        // A scalar's own members and elements are those of its buffer.
        if (binding.alias == nullptr && (is("[") || (is(".") && peek(1).kind == TokenKind::Name))) {
            return binding.var;
        }
        return value_of(binding, span);
    }
    if (is_dialect_prefix(name) && is(".", 1)) return parse_dialect(first);
    if (name == "TileLayout" || name == "ComposeLayout" || ((name == "S" || name == "R") && is("[", 1))) {
        return parse_layout(first);
    }
    if (name == "metadata") {
        next();
        return symbol("metadata", span);
    }
    const bool module = name == class_name_ || name == "cls";
    if (module && is(".", 1) && peek(2).kind == TokenKind::Name) {
        next();
        next();
        std::string function(text());
        next();
        Arguments a;
        if (!is("(") || !parse_arguments(a)) return is("(") ? nullptr : fail_here("\"(\" is expected after a function");
        return checked(
            call_function(std::move(function), std::move(a.args), std::move(a.kwargs), {}, {}, span_from(first)));
    }
    undefined(name, span);
    return nullptr;
}

Expr Parser::parse_postfix(Expr value, std::size_t first) {
    while (value != nullptr) {
        if (is("[")) {
            value = parse_subscript(std::move(value), first);
        } else if (is(".") && peek(1).kind == TokenKind::Name) {
            value = parse_member(std::move(value), first);
        } else {
            // A scalar that was named for a member keeps its buffer only as far as that member.
            return value;
        }
        value = checked(std::move(value));
    }
    return value;
}

Expr Parser::parse_member(Expr value, std::size_t first) {
    next();
    const std::string_view name = text();
    next();
    if (const auto* s = as<ir::SymbolNode>(value); s != nullptr && s->name != "metadata") {
        // A longer name of the dialect, whose beginning had a name of its own.
        std::string whole = fmt::format("{}.{}", s->name, name);
        if (!is("(")) return symbol(std::move(whole), span_from(first));
        Arguments a;
        if (!parse_arguments(a)) return nullptr;
        return call(std::move(whole), std::move(a.args), std::move(a.kwargs), {}, {}, span_from(first));
    }
    const auto* type = buffer_type(value);
    if (name == "buffer" && type != nullptr && is_scalar_buffer(*type)) return value;
    if (!is("(")) return member(std::move(value), std::string(name), span_from(first));
    // A scalar's method is one of the value that it holds.
    const bool of_buffer = name == "ptr_to" || name == "access_ptr" || name == "vload" || name == "vstore" ||
                           name == "data_ptr" || name == "scope";
    if (type != nullptr && is_scalar_buffer(*type) && !of_buffer) {
        value = subscript(value, {const_int(0, DType::Int32)}, value->span);
    }
    Arguments a;
    if (!parse_arguments(a)) return nullptr;
    if (name == "ptr_to" && type != nullptr && a.args.size() == 1) {
        const auto* indices = as<TupleNode>(a.args[0]);
        std::vector<Expr> at = indices != nullptr ? indices->elements : a.args;
        return call("address_of", {subscript(std::move(value), std::move(at), span_from(first))}, {}, {}, {},
                    span_from(first));
    }
    if (name == "astype" && a.args.size() == 1) {
        if (const auto dtype = dtype_argument(a.args[0])) {
            if (const auto known = dtype_from_name(*dtype)) return cast(std::move(value), *known, span_from(first));
        }
    }
    auto made = std::make_shared<CallNode>();
    made->callee = CalleeKind::Method;
    made->op = name;
    made->args.push_back(std::move(value));
    made->args.insert(made->args.end(), a.args.begin(), a.args.end());
    made->kwargs = std::move(a.kwargs);
    made->span = span_from(first);
    return seal(std::move(made));
}

Expr Parser::parse_subscript(Expr base, std::size_t first) {
    next();
    const auto* type = buffer_type(base);
    std::vector<Expr> indices;
    while (!is("]")) {
        Expr index = parse_index(type, indices.size());
        if (index == nullptr) return nullptr;
        indices.push_back(std::move(index));
        if (is("]")) break;
        if (!expect(",", "an index")) return nullptr;
    }
    next();
    if (type != nullptr && indices.size() != type->shape.size()) {
        // What is not indexed is taken whole, as a region; A[()] is the element of a buffer without dimensions.
        const auto* one = indices.size() == 1 ? as<TupleNode>(indices[0]) : nullptr;
        if (one != nullptr && one->elements.size() == type->shape.size()) {
            std::vector<Expr> inner = one->elements;
            indices = std::move(inner);
        } else if (indices.size() > type->shape.size()) {
            return fail(span_from(first), "TIRX_RANK",
                        fmt::format("{} indices for the buffer \"{}\" of {} dimensions", indices.size(),
                                    as<VarNode>(base)->name, type->shape.size()),
                        "index each dimension once");
        } else {
            for (std::size_t d = indices.size(); d < type->shape.size(); ++d) {
                indices.push_back(slice(const_int(0, DType::Int32), type->shape[d]));
            }
        }
    }
    // A part of a tuple that is known, such as buf.shape[0].
    if (const auto* m = as<MemberNode>(base); m != nullptr && indices.size() == 1) {
        const auto* of = buffer_type(m->base);
        const auto at = constant(indices[0]);
        if (of != nullptr && at && m->member == "shape" && *at >= 0 &&
            static_cast<std::size_t>(*at) < of->shape.size()) {
            return of->shape[static_cast<std::size_t>(*at)];
        }
    }
    return subscript(std::move(base), std::move(indices), span_from(first));
}

Expr Parser::parse_index(const BufferTypeNode* type, std::size_t dim) {
    const std::size_t first = at_;
    Expr begin, end, step;
    if (!is(":")) {
        begin = parse_expr();
        if (begin == nullptr) return nullptr;
    }
    if (!accept(":")) return begin;
    if (!is(":") && !is("]") && !is(",")) {
        end = parse_expr();
        if (end == nullptr) return nullptr;
    }
    if (accept(":") && !is("]") && !is(",")) {
        step = parse_expr();
        if (step == nullptr) return nullptr;
    }
    if (begin == nullptr) begin = const_int(0, DType::Int32);
    if (end == nullptr) {
        if (type == nullptr || dim >= type->shape.size()) {
            return fail(span_from(first), "TIRX_SYNTAX", "a slice without an end needs a buffer of known shape");
        }
        end = type->shape[dim];
    }
    if (step != nullptr && is_constant(step, 1)) step = nullptr;
    // A region of one element is written as an index.
    if (step == nullptr && type != nullptr) {
        const auto b = constant(begin), e = constant(end);
        if (b && e && *b < std::numeric_limits<std::int64_t>::max() && *e == *b + 1) return begin;
        const auto* sum = as<BinaryNode>(end);
        if (sum != nullptr && sum->op == BinaryOp::Add && sum->lhs == begin && is_constant(sum->rhs, 1)) return begin;
    }
    return slice(std::move(begin), std::move(end), std::move(step), span_from(first));
}

} // namespace ls::tirx
