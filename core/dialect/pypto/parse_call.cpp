// Names of the dialect and calls: user spelling becomes the form that dumps print.
#include <algorithm>
#include <iterator>
#include <unordered_map>

#include <fmt/format.h>

#include "core/dialect/pypto/ops.h"
#include "core/dialect/pypto/parser.h"

namespace ls::pypto {

using namespace ir;

namespace {

std::optional<DType> dtype_from_pypto(std::string_view name) {
    static const auto table = [] {
        std::unordered_map<std::string_view, DType> map;
        for (const DTypeInfo& d : all_dtypes()) {
            if (!d.pypto.empty()) map.emplace(d.pypto, d.type);
        }
        return map;
    }();
    const auto found = table.find(name);
    return found == table.end() ? std::nullopt : std::optional(found->second);
}

std::size_t word_count(std::string_view words) {
    return words.empty() ? 0 : 1 + static_cast<std::size_t>(std::count(words.begin(), words.end(), ' '));
}
std::string_view nth_word(std::string_view words, std::size_t n) {
    for (; n > 0; --n) words.remove_prefix(words.find(' ') + 1);
    return words.substr(0, words.find(' '));
}

OperandKind operand_kind(const Expr& e) {
    Type type;
    if (const auto* v = as<VarNode>(e)) type = v->type;
    if (const auto* c = as<CallNode>(e)) type = c->type != nullptr ? c->type : infer_type(e);
    if (as<TileTypeNode>(type) != nullptr) return OperandKind::Tile;
    return as<TensorTypeNode>(type) != nullptr ? OperandKind::Tensor : OperandKind::Other;
}

} // namespace

Expr Parser::parse_method(Expr receiver, std::string name, std::size_t first) {
    next();
    Arguments a;
    if (!parse_arguments(a)) return nullptr;
    a.args.insert(a.args.begin(), std::move(receiver));
    auto n = std::make_shared<CallNode>();
    n->span = span_from(first);
    n->callee = CalleeKind::Method;
    n->op = std::move(name);
    n->args = std::move(a.args);
    n->kwargs = std::move(a.kwargs);
    n->attrs = std::move(a.attrs);
    return seal(std::move(n));
}

/// pl.NAME...: an element type, a named constant, or an operation.
Expr Parser::parse_dialect_name(std::size_t first) {
    const bool pl = text() == "pl";
    next();
    while (is(".") && peek(1).kind == TokenKind::Name) {
        next();
        next();
    }
    const Span span = span_from(first);
    const std::string_view dotted = source_.substr(span.begin, span.end - span.begin);
    std::string full(dotted);
    std::erase_if(full, [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\\'; });
    if (full.back() == '.' || full == "pl" || full == "pld")
        return fail_here(fmt::format("a name is expected after \"{}.\"", full));
    if (is("(")) return parse_op(pl ? full.substr(3) : std::move(full), first);
    if (pl) {
        const std::string_view name = std::string_view(full).substr(3);
        if (const auto d = dtype_from_pypto(name)) return dtype_name(*d, span);
    }
    return symbol(std::move(full), span);
}

Expr Parser::parse_op(std::string op, std::size_t first) {
    next();
    Arguments a;
    if (!parse_arguments(a)) return nullptr;
    return finish_op(std::move(op), std::move(a), span_from(first));
}

Expr Parser::finish_op(std::string op, Arguments&& a, Span span) {
    const bool plain = a.kwargs.empty() && a.attrs.empty();
    if (op == "const") {
        const auto* d = plain && a.args.size() == 2 ? as<DTypeNameNode>(a.args[1]) : nullptr;
        if (d == nullptr)
            return fail(span, "PYPTO_CONST", "pl.const takes a number and an element type",
                        "write pl.const(5, pl.INT32)");
        if (const auto v = constant(a.args[0])) return const_int(*v, d->dtype, span);
        if (const auto* f = as<ConstFloatNode>(a.args[0])) return const_float(f->value, d->dtype, f->spelling, span);
        if (const auto* b = as<ConstBoolNode>(a.args[0])) return const_int(b->value ? 1 : 0, d->dtype, span);
        return fail(span, "PYPTO_CONST", "the first argument of pl.const must be a number");
    }
    if (op.find('.') != std::string::npos) {
        normalize(op, a);
        return call(std::move(op), std::move(a.args), std::move(a.kwargs), std::move(a.attrs), {}, span);
    }
    const OperandKind first_operand = a.args.empty() ? OperandKind::Other : operand_kind(a.args[0]);
    if ((op == "min" || op == "max") && plain && a.args.size() == 2 && first_operand == OperandKind::Other) {
        return make_binary(op == "min" ? BinaryOp::Min : BinaryOp::Max, std::move(a.args[0]), std::move(a.args[1]),
                           span);
    }
    if (op == "cast" && plain && a.args.size() == 2 && first_operand == OperandKind::Other) {
        if (const auto* d = as<DTypeNameNode>(a.args[1])) return cast(std::move(a.args[0]), d->dtype, span);
    }
    if (const std::string_view full = qualify_op(op, first_operand); !full.empty()) op = std::string(full);
    normalize(op, a);
    return call(std::move(op), std::move(a.args), std::move(a.kwargs), std::move(a.attrs), {}, span);
}

/// Operands by position, everything else by name: the form that dumps print.
void Parser::normalize(const std::string& op, Arguments& a) const {
    const OpInfo* known = find_op(op);
    if (known == nullptr) return;
    const std::size_t operands = word_count(known->args);
    if (a.args.size() > operands && a.args.size() <= operands + word_count(known->kwargs)) {
        std::vector<KeyValue> moved;
        for (std::size_t i = operands; i < a.args.size(); ++i) {
            moved.push_back({std::string(nth_word(known->kwargs, i - operands)), std::move(a.args[i])});
        }
        a.args.resize(operands);
        a.kwargs.insert(a.kwargs.begin(), std::make_move_iterator(moved.begin()), std::make_move_iterator(moved.end()));
    }
    while (!a.kwargs.empty() && a.args.size() < operands) {
        const std::string_view wanted = nth_word(known->args, a.args.size());
        const auto given = std::find_if(a.kwargs.begin(), a.kwargs.end(), [&](const KeyValue& k) {
            return k.key == wanted || (wanted == "valid_shape" && k.key == "valid_shapes");
        });
        if (given == a.kwargs.end()) break;
        a.args.push_back(std::move(given->value));
        a.kwargs.erase(given);
    }
}

bool Parser::parse_arguments(Arguments& into) {
    while (!is(")")) {
        if (is("*") || is("**")) {
            fail(here(), "PYPTO_UNSUPPORTED", "unpacked arguments are not read", "write the arguments out");
            return false;
        }
        if (is(TokenKind::Name) && peek(1).word == word("=")) {
            std::string key(text());
            next();
            next();
            Expr value = parse_expr();
            if (value == nullptr) return false;
            const auto* entries = key == "attrs" ? as<DictNode>(value) : nullptr;
            if (entries != nullptr) {
                into.attrs = entries->entries;
            } else {
                into.kwargs.push_back({std::move(key), std::move(value)});
            }
        } else {
            Expr value = parse_expr();
            if (value == nullptr) return false;
            if (!into.kwargs.empty()) {
                fail(value->span, "PYPTO_SYNTAX", "a positional argument stands after a named one",
                     "move it in front, or name it");
                return false;
            }
            into.args.push_back(std::move(value));
        }
        if (!accept(",")) break;
    }
    return expect(")", "the arguments");
}

} // namespace ls::pypto
