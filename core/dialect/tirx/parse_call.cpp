// Calls of the dialect: T.name(...), tile primitives, PTX instructions.
#include <array>

#include <fmt/format.h>

#include "core/dialect/tirx/buffers.h"
#include "core/dialect/tirx/fold.h"
#include "core/dialect/tirx/ops.h"
#include "core/dialect/tirx/parser.h"

namespace ls::tirx {

using namespace ir;

namespace {

struct NamedOperator {
    std::string_view name;
    BinaryOp op;
};
constexpr NamedOperator kNamedOperators[] = {
    {"Add", BinaryOp::Add},
    {"Sub", BinaryOp::Sub},
    {"Mul", BinaryOp::Mul},
    {"FloorDiv", BinaryOp::FloorDiv},
    {"FloorMod", BinaryOp::Mod},
    {"floordiv", BinaryOp::FloorDiv},
    {"floormod", BinaryOp::Mod},
    {"LT", BinaryOp::Lt},
    {"LE", BinaryOp::Le},
    {"GT", BinaryOp::Gt},
    {"GE", BinaryOp::Ge},
    {"EQ", BinaryOp::Eq},
    {"NE", BinaryOp::Ne},
    {"And", BinaryOp::And},
    {"Or", BinaryOp::Or},
    {"min", BinaryOp::Min},
    {"max", BinaryOp::Max},
    {"bitwise_and", BinaryOp::BitAnd},
    {"bitwise_or", BinaryOp::BitOr},
    {"bitwise_xor", BinaryOp::BitXor},
    {"shift_left", BinaryOp::Shl},
    {"shift_right", BinaryOp::Shr},
};

/// Attribute names of T.ptx back to PTX words: "shared__cta" is "shared::cta", "global_" is "global".
std::string ptx_word(std::string_view name) {
    std::string out;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (name[i] == '_' && i + 1 < name.size() && name[i + 1] == '_') {
            out += "::";
            ++i;
        } else {
            out += name[i];
        }
    }
    if (out.ends_with('_')) out.pop_back();
    return out;
}

Expr default_argument(ArgDefault otherwise) {
    switch (otherwise) {
    case ArgDefault::False: return const_bool(false);
    case ArgDefault::MinusOne: return tuple({const_int(-1, DType::Int32)});
    case ArgDefault::Zero: return const_float(0.0, DType::Fp32);
    case ArgDefault::One: return const_float(1.0, DType::Fp32);
    default: return none();
    }
}

} // namespace

Expr Parser::Arguments::take(std::string_view key) {
    for (auto it = kwargs.begin(); it != kwargs.end(); ++it) {
        if (it->key != key) continue;
        Expr value = std::move(it->value);
        kwargs.erase(it);
        return value;
    }
    return nullptr;
}

Expr Parser::Arguments::take(std::size_t position, std::string_view key) {
    if (position < args.size()) return args[position];
    return take(key);
}

bool Parser::parse_arguments(Arguments& into) {
    const std::size_t first = at_;
    next();
    while (!is(")")) {
        if (peek().kind == TokenKind::Name && is("=", 1)) {
            std::string key(text());
            next();
            next();
            Expr value = parse_expr();
            if (value == nullptr) return false;
            into.kwargs.push_back({std::move(key), std::move(value)});
        } else {
            if (is("*") || is("**")) {
                fail_here("arguments cannot be spread here: only values that are written out are read");
                return false;
            }
            Expr value = parse_expr();
            if (value == nullptr) return false;
            if (!into.kwargs.empty()) {
                fail(value->span, "TIRX_SYNTAX", "a positional argument stands after a keyword argument");
                return false;
            }
            into.args.push_back(std::move(value));
        }
        if (is(")")) break;
        if (!expect(",", "a call")) return false;
    }
    next();
    into.span = span_from(first);
    return true;
}

bool Parser::parse_path(std::vector<std::string_view>& path) {
    while (accept(".")) {
        if (!is(TokenKind::Name)) {
            fail_here(fmt::format("a name is expected after \".\", but there is {}", found()));
            return false;
        }
        path.push_back(text());
        next();
    }
    return true;
}

std::optional<std::string> Parser::dtype_argument(const Expr& e) {
    if (const auto* s = as<StringNode>(e)) return s->value;
    if (const auto* s = as<ir::SymbolNode>(e); s != nullptr && element_bits(s->name) > 0) return s->name;
    return {};
}

Expr Parser::parse_dialect(std::size_t first) {
    next(); // the prefix
    const std::size_t path_begin = at_ + 1;
    if (is(".") && (text(peek(1)) == "TileLayout" || text(peek(1)) == "ComposeLayout" ||
                    ((text(peek(1)) == "S" || text(peek(1)) == "R") && is("[", 2)))) {
        at_ = path_begin;
        return parse_layout(first);
    }
    std::vector<std::string_view> path;
    if (!parse_path(path)) return nullptr;
    if (path[0] == "ptx" && path.size() == 1 && is("[")) return parse_ptx_text(first);
    if (!is("(")) {
        std::string name(path[0]);
        for (std::size_t i = 1; i < path.size(); ++i) name.append(".").append(path[i]);
        return symbol(std::move(name), span_from(first));
    }
    Arguments a;
    if (!parse_arguments(a)) return nullptr;
    a.span = span_from(first);
    return checked(finish_dialect_call(path, a));
}

/// T.ptx["tcgen05.ld.sync.aligned.32x32b.x1.b32"](...)
Expr Parser::parse_ptx_text(std::size_t first) {
    next();
    if (!is(TokenKind::String)) return fail_here("the text of a PTX instruction is expected in T.ptx[...]");
    const Expr instruction = parse_string();
    if (instruction == nullptr || !expect("]", "T.ptx[...]")) return nullptr;
    Arguments a;
    if (!is("(")) return fail_here("\"(\" is expected after T.ptx[...]");
    if (!parse_arguments(a)) return nullptr;
    a.span = span_from(first);
    return finish_ptx(as<StringNode>(instruction)->value, a);
}

Expr Parser::finish_ptx(std::string instruction, Arguments& a) {
    return checked(call("ptx." + std::move(instruction), std::move(a.args), std::move(a.kwargs), {}, {}, a.span));
}

/// T.uint32(7), T.float16(x), T.int32()
Expr Parser::make_typed(DType dtype, Arguments& a) {
    const std::string name(info(dtype).tirx);
    if (a.args.empty()) return call(name, {}, std::move(a.kwargs), {}, {}, a.span);
    const Expr& value = a.args[0];
    const bool floating = dtype == DType::Fp16 || dtype == DType::Bf16 || dtype == DType::Fp32 ||
                          dtype == DType::Fp64 || dtype == DType::Tf32 || name.starts_with("float");
    if (const auto* i = as<ConstIntNode>(value)) {
        if (floating) return const_float(static_cast<double>(i->value), dtype, {}, a.span);
        const bool wide = i->dtype == DType::UInt64 && dtype != DType::UInt64;
        const int width = bits(dtype);
        const bool is_unsigned = name.starts_with("uint");
        const std::int64_t low = is_unsigned || width >= 64 ? 0 : -(std::int64_t{1} << (width - 1));
        const std::int64_t high = width >= 64 ? 0 : (std::int64_t{1} << (is_unsigned ? width : width - 1)) - 1;
        const bool fits = dtype == DType::Bool || width >= 64 || (i->value >= low && i->value <= high);
        if (wide || !fits) {
            return fail(value->span, "TIRX_NUMBER", fmt::format("{} is no {}", i->value, name),
                        fmt::format("it holds {} to {}", low, high));
        }
        return const_int(dtype == DType::Bool ? (i->value != 0 ? 1 : 0) : i->value, dtype, a.span);
    }
    if (const auto* b = as<ConstBoolNode>(value)) {
        if (!floating) return const_int(b->value ? 1 : 0, dtype, a.span);
        return const_float(b->value ? 1.0 : 0.0, dtype, {}, a.span);
    }
    if (const auto* f = as<ConstFloatNode>(value); f != nullptr && floating) {
        return const_float(f->value, dtype, {}, a.span);
    }
    if (const auto* s = as<StringNode>(value); s != nullptr && floating) {
        if (s->value == "inf") return const_float(std::numeric_limits<double>::infinity(), dtype, {}, a.span);
        if (s->value == "-inf") return const_float(-std::numeric_limits<double>::infinity(), dtype, {}, a.span);
        if (s->value == "nan") return const_float(std::numeric_limits<double>::quiet_NaN(), dtype, {}, a.span);
    }
    return cast(value, dtype, a.span);
}

/// T.Let(body, where={x: v}), where x was declared before.
Expr Parser::make_let(Arguments& a) {
    const Expr where = a.take("where");
    const auto* bindings = as<DictNode>(where);
    if (a.args.size() != 1 || bindings == nullptr || bindings->entries.empty()) {
        return fail(a.span, "TIRX_ARGUMENT", "T.Let needs an expression and what its variables are",
                    "write T.Let(x + x, where={x: value})");
    }
    Expr body = a.args[0];
    for (auto it = bindings->entries.rbegin(); it != bindings->entries.rend(); ++it) {
        const Binding* binding = find(it->key);
        if (binding == nullptr || binding->var == nullptr) {
            undefined(it->key, where->span);
            return nullptr;
        }
        let_bound_.insert(binding->var.get());
        body = checked(call("Let", {it->value, lambda({binding->var}, body, a.span)}, {}, {}, {}, a.span));
        if (body == nullptr) return nullptr;
    }
    return body;
}

Expr Parser::finish_dialect_call(const std::vector<std::string_view>& path, Arguments& a) {
    const std::string_view name = path[0];
    if (path.size() == 1) {
        if (name == "meta_var" && a.args.size() == 1) return a.args[0];
        if (const auto dtype = dtype_from_name(name); dtype && info(*dtype).tirx == name && a.args.size() <= 1) {
            return make_typed(*dtype, a);
        }
        if ((name == "Cast" || name == "cast") && a.args.size() == 2) {
            const bool dtype_first = name == "Cast";
            const auto dtype = dtype_argument(a.args[dtype_first ? 0 : 1]);
            if (!dtype || element_bits(*dtype) == 0) {
                return fail(a.span, "TIRX_TYPE", "the type of this cast is not known",
                            "write it as in T.Cast(\"float16\", x)");
            }
            auto made = std::make_shared<CastNode>();
            made->value = a.args[dtype_first ? 1 : 0];
            const auto known = dtype_from_name(*dtype);
            made->dtype = known.value_or(DType::UInt8);
            if (!known) made->dtype_text = *dtype;
            made->span = a.span;
            return seal(std::move(made));
        }
        if (name == "Select" && a.args.size() == 3) return select(a.args[0], a.args[1], a.args[2], a.span);
        if (name == "Not" && a.args.size() == 1) return unary(UnaryOp::Not, a.args[0], a.span);
        if (name == "bitwise_not" && a.args.size() == 1) return unary(UnaryOp::BitNot, a.args[0], a.span);
        if (name == "Let") return make_let(a);
        if (const auto* d = name == "attr" && a.args.size() == 1 ? as<DictNode>(a.args[0]) : nullptr) {
            // Attributes of statements are expressions, those of functions Python values.
            std::vector<KeyValue> entries = d->entries;
            for (KeyValue& k : entries) {
                if (const auto* b = as<ConstBoolNode>(k.value)) k.value = const_int(b->value ? 1 : 0, DType::Bool);
            }
            a.args[0] = dict(std::move(entries), d->span);
        }
        if (name == "truncdiv") return call("Div", std::move(a.args), {}, {}, {}, a.span);
        if (a.args.size() == 2 && a.kwargs.empty()) {
            for (const NamedOperator& o : kNamedOperators) {
                if (o.name == name) return binary(o.op, a.args[0], a.args[1], a.span);
            }
        }
    }
    if (name == "ptx" && path.size() > 1) {
        std::string instruction = ptx_word(path[1]);
        for (std::size_t i = 2; i < path.size(); ++i) instruction.append(".").append(ptx_word(path[i]));
        return finish_ptx(std::move(instruction), a);
    }
    std::string op(name);
    for (std::size_t i = 1; i < path.size(); ++i) op.append(".").append(path[i]);
    return call(std::move(op), std::move(a.args), std::move(a.kwargs), {}, {}, a.span);
}

// --- tile primitives

/// T.tile.copy, T.wg.copy, T.tile.wg.copy, Tx.copy, Tx.wg.copy: in a statement of its own, T.copy as well.
std::optional<Parser::TileName> Parser::accept_tile_name() {
    if (!is(TokenKind::Name) || !is_dialect_prefix(text()) || find(text()) != nullptr) return {};
    std::size_t at = 1;
    TileName result{{}, "thread"};
    const auto word = [&] { return is(".", at) && peek(at + 1).kind == TokenKind::Name ? text(peek(at + 1)) : ""; };
    if (word() == "tile") at += 2;
    if (const auto scope = exec_scope_from_name(word())) {
        result.scope = name(*scope);
        at += 2;
    }
    result.op = word();
    at += 2;
    if (find_tile_op(result.op) == nullptr || !is("(", at)) return {};
    at_ += at;
    return result;
}

Expr Parser::parse_tile_call(std::string_view op_name, std::string_view scope, std::size_t first) {
    Arguments a;
    if (!parse_arguments(a)) return nullptr;
    const TileOp& op = *find_tile_op(op_name);
    TileCallParts parts;
    parts.op = op_name;
    parts.scope = *exec_scope_from_name(scope);
    if (const Expr written = a.take("scope")) {
        const auto* s = as<StringNode>(written);
        const auto named = s != nullptr ? exec_scope_from_name(s->value) : std::nullopt;
        if (!named) return fail(written->span, "TIRX_SCOPE", "scope must name thread, warp, wg, cta or cluster");
        parts.scope = *named;
    }
    if (const Expr dispatch = a.take("dispatch"); dispatch != nullptr && dispatch->kind != NodeKind::None) {
        const auto* s = as<StringNode>(dispatch);
        if (s == nullptr) return fail(dispatch->span, "TIRX_TYPE", "dispatch must be the quoted name of a variant");
        parts.dispatch = s->value;
    }
    if (const Expr workspace = a.take("workspace"); workspace != nullptr && workspace->kind != NodeKind::None) {
        const auto* d = as<DictNode>(workspace);
        if (d == nullptr) {
            return fail(workspace->span, "TIRX_TYPE", "workspace must be a dictionary from name to buffer");
        }
        parts.workspace = d->entries;
    }
    // gemm_async: SFA and SFB are written only for block-scaled data.
    const bool gemm_async = op.name == "gemm_async";
    const auto is_buffer = [&](std::size_t i) { return i < a.args.size() && region_of(a.args[i]).has_value(); };
    bool scaled = gemm_async && is_buffer(3);
    for (const KeyValue& k : a.kwargs) scaled = scaled || (gemm_async && (k.key == "SFA" || k.key == "SFB"));
    std::size_t position = 0;
    for (const TileParameter& p : op.parameters) {
        const bool scale = gemm_async && (p.name == "SFA" || p.name == "SFB");
        if (scale && !scaled) {
            if (position < a.args.size() && a.args[position]->kind == NodeKind::None) ++position;
            continue;
        }
        Expr value = position < a.args.size() ? a.args[position] : a.take(p.name);
        ++position;
        if (value == nullptr && scale) {
            return fail(span_from(first), "TIRX_ARGUMENT", "gemm_async has only one of the scale factors SFA and SFB",
                        "write both, or neither");
        }
        if (value == nullptr && p.otherwise == ArgDefault::Required) {
            return fail(span_from(first), "TIRX_ARGUMENT", fmt::format("{} needs its argument \"{}\"", op.name, p.name),
                        fmt::format("{} takes {} arguments", op.name, op.parameters.size()));
        }
        // An operation in place names its buffer once.
        if (value == nullptr && p.name == "src" && !parts.args.empty()) value = parts.args[0];
        if (value == nullptr) value = default_argument(p.otherwise);
        if (const auto* f = as<ConstFloatNode>(value); f != nullptr && !f->dtype) {
            value = const_float(f->value, DType::Fp32, {}, f->span);
        }
        if (buffer_type(value) != nullptr) value = whole_region(ref_as<VarNode>(value), value->span);
        const bool axes = p.name == "axes" || p.name == "reduce_axes";
        if (axes && value->kind == NodeKind::ConstInt) value = tuple({value}, value->span);
        parts.args.push_back(std::move(value));
    }
    if (position < a.args.size()) {
        return fail(a.args[position]->span, "TIRX_ARGUMENT",
                    fmt::format("{} takes at most {} arguments, and {} are written", op.name, op.parameters.size(),
                                a.args.size()),
                    "configuration is written with keywords");
    }
    parts.config = std::move(a.kwargs);
    return checked(make_tile_call(std::move(parts), span_from(first)));
}

} // namespace ls::tirx
