// Expressions: Python's precedence, with "xor" between "or" and "and" as dumps print it.
#include <array>
#include <charconv>
#include <cstdint>

#include <fmt/format.h>

#include "core/dialect/pypto/parser.h"
#include "core/support/checked.h"

namespace ls::pypto {

using namespace ir;

namespace {

struct Operator {
    std::uint64_t word;
    BinaryOp op;
    int precedence;
};
constexpr int kNotPrecedence = 4;
constexpr int kComparePrecedence = 5;
constexpr int kPowerPrecedence = 13;
constexpr std::array kOperators{
    Operator{word("or"), BinaryOp::Or, 1},
    Operator{word("xor"), BinaryOp::Xor, 2},
    Operator{word("and"), BinaryOp::And, 3},
    Operator{word("<"), BinaryOp::Lt, 5},
    Operator{word("<="), BinaryOp::Le, 5},
    Operator{word(">"), BinaryOp::Gt, 5},
    Operator{word(">="), BinaryOp::Ge, 5},
    Operator{word("=="), BinaryOp::Eq, 5},
    Operator{word("!="), BinaryOp::Ne, 5},
    Operator{word("|"), BinaryOp::BitOr, 6},
    Operator{word("^"), BinaryOp::BitXor, 7},
    Operator{word("&"), BinaryOp::BitAnd, 8},
    Operator{word("<<"), BinaryOp::Shl, 9},
    Operator{word(">>"), BinaryOp::Shr, 9},
    Operator{word("+"), BinaryOp::Add, 10},
    Operator{word("-"), BinaryOp::Sub, 10},
    Operator{word("*"), BinaryOp::Mul, 11},
    Operator{word("/"), BinaryOp::Div, 11},
    Operator{word("//"), BinaryOp::FloorDiv, 11},
    Operator{word("%"), BinaryOp::Mod, 11},
    Operator{word("**"), BinaryOp::Pow, kPowerPrecedence},
};

const Operator* find_operator(std::uint64_t spelled) {
    for (const Operator& o : kOperators) {
        if (o.word == spelled) return &o;
    }
    return nullptr;
}

bool is_keyword(std::uint64_t spelled) {
    switch (spelled) {
    case word("if"):
    case word("else"):
    case word("elif"):
    case word("for"):
    case word("while"):
    case word("with"):
    case word("def"):
    case word("class"):
    case word("return"):
    case word("in"):
    case word("is"):
    case word("and"):
    case word("or"):
    case word("not"):
    case word("import"):
    case word("from"):
    case word("pass"):
    case word("break"):
    case word("continue"):
    case word("as"):
    case word("yield"):
    case word("await"):
    case word("del"):
    case word("try"):
    case word("except"): return true;
    default: return false;
    }
}

/// Python evaluates arithmetic on plain numbers before pypto ever sees it.
CheckedInt fold(BinaryOp op, std::int64_t a, std::int64_t b) {
    switch (op) {
    case BinaryOp::Add: return checked_add(a, b);
    case BinaryOp::Sub: return checked_sub(a, b);
    case BinaryOp::Mul: return checked_mul(a, b);
    case BinaryOp::FloorDiv: return b == 0 || b == -1 ? CheckedInt{} : CheckedInt{floor_div(a, b)};
    case BinaryOp::Mod: return b == 0 || b == -1 ? CheckedInt{} : CheckedInt{floor_mod(a, b)};
    case BinaryOp::Shl: return b >= 0 && b < 62 ? checked_mul(a, std::int64_t{1} << b) : CheckedInt{};
    case BinaryOp::Shr: return b >= 0 && b < 63 ? CheckedInt{a >> b} : CheckedInt{};
    default: return {};
    }
}

} // namespace

bool Parser::is_plain_int(const Expr& e) const {
    const auto* c = as<ConstIntNode>(e);
    return c != nullptr && c->dtype == DType::Index && source_.substr(c->span.begin, 3) != "pl.";
}

Expr Parser::make_binary(BinaryOp op, Expr lhs, Expr rhs, Span span) {
    if (is_plain_int(lhs) && is_plain_int(rhs)) {
        if (const CheckedInt v = fold(op, *constant(lhs), *constant(rhs))) return const_int(*v, DType::Index, span);
    }
    if (std::max(lhs->depth, rhs->depth) >= kMaxDepth) {
        return fail(span, "IR_TOO_DEEP", fmt::format("this expression nests more than {} levels deep", kMaxDepth),
                    "name its parts");
    }
    return binary(op, std::move(lhs), std::move(rhs), span);
}

Expr Parser::parse_expr() {
    const Nest nest(*this);
    if (nest.too_deep()) return nullptr;
    if (is("lambda"))
        return fail(here(), "PYPTO_UNSUPPORTED", "lambda expressions are not read", "write a named function");
    const std::size_t first = at_;
    Expr value = parse_binary(0);
    if (value == nullptr || !accept("if")) return value;
    Expr condition = parse_binary(0);
    if (condition == nullptr || !expect("else", "a conditional expression")) return nullptr;
    Expr other = parse_expr();
    if (other == nullptr) return nullptr;
    return select(std::move(condition), std::move(value), std::move(other), span_from(first));
}

Expr Parser::parse_binary(int min_precedence) {
    const std::size_t first = at_;
    Expr lhs = parse_unary();
    Expr last_operand; // of a chain a < b < c
    while (lhs != nullptr) {
        const Operator* o = peek().word == 0 ? nullptr : find_operator(peek().word);
        if (o == nullptr || o->precedence < min_precedence) break;
        next();
        const Nest nest(*this);
        if (nest.too_deep()) return nullptr;
        // Everything is left-associative but **.
        Expr rhs = parse_binary(o->precedence == kPowerPrecedence ? o->precedence : o->precedence + 1);
        if (rhs == nullptr) return nullptr;
        if (o->precedence == kComparePrecedence && last_operand != nullptr) {
            Expr link = binary(o->op, last_operand, rhs, span_from(first));
            lhs = make_binary(BinaryOp::And, std::move(lhs), std::move(link), span_from(first));
        } else {
            lhs = make_binary(o->op, std::move(lhs), rhs, span_from(first));
        }
        last_operand = o->precedence == kComparePrecedence ? std::move(rhs) : Expr{};
    }
    return lhs;
}

Expr Parser::parse_unary() {
    const std::size_t first = at_;
    UnaryOp op = UnaryOp::Neg;
    if (is("-"))
        op = UnaryOp::Neg;
    else if (is("~"))
        op = UnaryOp::BitNot;
    else if (is("not"))
        op = UnaryOp::Not;
    else if (is("+")) {
        next();
        const Nest nest(*this);
        return nest.too_deep() ? nullptr : parse_unary();
    } else
        return parse_postfix();
    const Nest nest(*this);
    if (nest.too_deep()) return nullptr;
    next();
    if (op == UnaryOp::Neg && is(TokenKind::Int) && text() == "9223372036854775808") {
        next();
        return const_int(INT64_MIN, DType::Index, span_from(first));
    }
    // -x ** y is -(x ** y); not x < y is not (x < y).
    Expr operand = op == UnaryOp::Not ? parse_binary(kNotPrecedence) : parse_binary(kPowerPrecedence);
    if (operand == nullptr) return nullptr;
    const Span span = span_from(first);
    if (op == UnaryOp::Neg) {
        const auto v = is_plain_int(operand) ? constant(operand) : std::nullopt;
        if (v && *v != INT64_MIN) return const_int(-*v, DType::Index, span);
        const auto* f = as<ConstFloatNode>(operand);
        if (f != nullptr && !f->dtype) return const_float(-f->value, {}, "-" + f->spelling, span);
    }
    return unary(op, std::move(operand), span);
}

Expr Parser::parse_postfix() {
    const std::size_t first = at_;
    Expr value = parse_primary();
    while (value != nullptr) {
        if (value->depth >= kMaxDepth)
            return fail(span_from(first), "IR_TOO_DEEP", "this chain of members is too long");
        if (accept("[")) {
            std::vector<Expr> indices;
            while (!is("]")) {
                Expr begin, end, step;
                const std::size_t at = at_;
                if (!is(":") && (begin = parse_expr()) == nullptr) return nullptr;
                if (accept(":")) {
                    if (!is(":") && !is(",") && !is("]") && (end = parse_expr()) == nullptr) return nullptr;
                    if (accept(":") && !is(",") && !is("]") && (step = parse_expr()) == nullptr) return nullptr;
                    indices.push_back(slice(std::move(begin), std::move(end), std::move(step), span_from(at)));
                } else {
                    indices.push_back(std::move(begin));
                }
                if (!accept(",")) break;
            }
            if (!expect("]", "an index")) return nullptr;
            if (indices.empty())
                return fail(span_from(first), "PYPTO_SYNTAX", "an index is missing between the brackets");
            const Span span = span_from(first);
            if (indices.size() == 1 && is_plain_int(indices[0]) && *constant(indices[0]) >= 0) {
                value = tuple_get(std::move(value), *constant(indices[0]), span);
            } else {
                value = subscript(std::move(value), std::move(indices), span);
            }
        } else if (is(".") && peek(1).kind == TokenKind::Name) {
            if (as<ConstIntNode>(value) != nullptr || as<ConstFloatNode>(value) != nullptr)
                return fail(span_from(first), "PYPTO_SYNTAX", "a number has no members");
            next();
            std::string name(text());
            next();
            value = is("(") ? parse_method(std::move(value), std::move(name), first)
                            : member(std::move(value), std::move(name), span_from(first));
        } else {
            break;
        }
    }
    return value;
}

Expr Parser::parse_primary() {
    switch (peek().kind) {
    case TokenKind::Int:
    case TokenKind::Float: return parse_number();
    case TokenKind::String: return parse_string();
    case TokenKind::Name: return parse_name();
    case TokenKind::Punct:
        if (is("(")) return parse_parenthesized();
        if (is("[")) return parse_list();
        if (is("{")) return parse_dict();
        break;
    default: break;
    }
    return fail_here(fmt::format("a value is expected here, but there is {}", found()));
}

Expr Parser::parse_number() {
    const Token token = peek();
    const Span span{token.begin, token.end};
    std::string digits;
    for (const char c : text(token)) {
        if (c != '_') digits += c;
    }
    next();
    if (token.kind == TokenKind::Float) {
        double value = 0;
        const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (failure != std::errc() || end != digits.data() + digits.size()) {
            return fail(span, "PYPTO_NUMBER",
                        fmt::format("\"{}\" is not a number in the range of double", text(token)));
        }
        return const_float(value, {}, std::move(digits), span);
    }
    int base = 10;
    std::string_view body = digits;
    if (body.size() > 2 && body[0] == '0') {
        const char mark = static_cast<char>(body[1] | 0x20);
        base = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 10;
        if (base != 10) body.remove_prefix(2);
    }
    std::int64_t value = 0;
    const auto [end, failure] = std::from_chars(body.data(), body.data() + body.size(), value, base);
    if (failure == std::errc::result_out_of_range) {
        return fail(span, "PYPTO_NUMBER", fmt::format("{} does not fit in 64 bits", text(token)),
                    "use a number below 2^63");
    }
    if (failure != std::errc() || end != body.data() + body.size()) {
        return fail(span, "PYPTO_NUMBER", fmt::format("\"{}\" is not a number", text(token)));
    }
    return const_int(value, DType::Index, span);
}

Expr Parser::parse_string() {
    const std::size_t first = at_;
    std::string value;
    while (is(TokenKind::String)) { // neighbours are one string
        auto part = string_value(source_, peek());
        if (!part.ok()) return fail(part.error().span, part.error().code, part.error().message, part.error().hint);
        value += *part;
        next();
    }
    return string(std::move(value), span_from(first));
}

Expr Parser::parse_name() {
    const std::size_t first = at_;
    const std::string_view name = text();
    if (is("True") || is("False") || is("None")) {
        next();
        const Span span = span_from(first);
        return name == "None" ? none(span) : const_bool(name == "True", span);
    }
    if ((is("pl") || is("pld") || is("plm")) && peek(1).word == word(".")) return parse_dialect_name(first);
    if (is("self") && peek(1).word == word(".") && peek(2).kind == TokenKind::Name) {
        next();
        next();
        std::string callee(text());
        next();
        if (!accept("(")) return symbol("self." + callee, span_from(first));
        Arguments a;
        if (!parse_arguments(a)) return nullptr;
        const auto known = functions_.find(callee);
        Type type = known == functions_.end() ? Type{} : known->second;
        return call_function(std::move(callee), std::move(a.args), std::move(a.kwargs), std::move(a.attrs),
                             std::move(type), span_from(first));
    }
    if (is_keyword(peek().word))
        return fail_here(fmt::format("a value is expected here, but \"{}\" is a keyword", name));
    next();
    if (is("(")) {
        next();
        Arguments a;
        if (!parse_arguments(a)) return nullptr;
        const Span span = span_from(first);
        const bool plain = a.kwargs.empty() && a.attrs.empty();
        if (name == "abs" && plain && a.args.size() == 1) return unary(UnaryOp::Abs, std::move(a.args[0]), span);
        if ((name == "min" || name == "max") && plain && a.args.size() == 2) {
            return make_binary(name == "min" ? BinaryOp::Min : BinaryOp::Max, std::move(a.args[0]),
                               std::move(a.args[1]), span);
        }
        auto n = std::make_shared<CallNode>();
        n->span = span;
        n->callee = CalleeKind::Name;
        n->op = std::string(name);
        n->args = std::move(a.args);
        n->kwargs = std::move(a.kwargs);
        n->attrs = std::move(a.attrs);
        return seal(std::move(n));
    }
    const auto constant_value = constants_.find(name);
    if (constant_value != constants_.end() && scope_.find(name) == scope_.end()) {
        // A constant of the module is its value, at the place where it is used.
        if (const auto* c = as<ConstIntNode>(constant_value->second))
            return const_int(c->value, c->dtype, span_from(first));
        return constant_value->second;
    }
    return lookup(name, span_from(first));
}

bool Parser::parse_expr_list(std::vector<Expr>& into, std::string_view close) {
    while (!is(close)) {
        Expr e = parse_expr();
        if (e == nullptr) return false;
        into.push_back(std::move(e));
        if (is("for")) {
            fail(here(), "PYPTO_UNSUPPORTED", "comprehensions are not read", "write the elements out");
            return false;
        }
        if (!accept(",")) break;
    }
    return expect(close, "a list");
}

Expr Parser::parse_parenthesized() {
    const std::size_t first = at_;
    next();
    if (accept(")")) return tuple({}, span_from(first), true);
    Expr value = parse_expr();
    if (value == nullptr) return nullptr;
    if (accept(")")) return value;
    std::vector<Expr> elements{std::move(value)};
    if (!accept(",")) {
        expect(")", "a parenthesis");
        return nullptr;
    }
    if (!parse_expr_list(elements, ")")) return nullptr;
    return tuple(std::move(elements), span_from(first), true);
}

Expr Parser::parse_list() {
    const std::size_t first = at_;
    next();
    std::vector<Expr> elements;
    if (!parse_expr_list(elements, "]")) return nullptr;
    return tuple(std::move(elements), span_from(first));
}

bool Parser::parse_dict_entries(std::vector<KeyValue>& into) {
    while (!is("}")) {
        const std::size_t first = at_;
        Expr key = parse_expr();
        if (key == nullptr) return false;
        const auto* name = as<StringNode>(key);
        if (name == nullptr) {
            fail(span_from(first), "PYPTO_SYNTAX", "the keys of a dictionary must be strings");
            return false;
        }
        if (!expect(":", "a dictionary")) return false;
        Expr value = parse_expr();
        if (value == nullptr) return false;
        into.push_back({name->value, std::move(value)});
        if (!accept(",")) break;
    }
    return expect("}", "a dictionary");
}

Expr Parser::parse_dict() {
    const std::size_t first = at_;
    next();
    std::vector<KeyValue> entries;
    if (!parse_dict_entries(entries)) return nullptr;
    return dict(std::move(entries), span_from(first));
}

} // namespace ls::pypto
