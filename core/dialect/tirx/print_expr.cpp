// Expressions and types as script text writes them.
#include <cmath>

#include <fmt/format.h>

#include "core/dialect/tirx/buffers.h"
#include "core/dialect/tirx/fold.h"
#include "core/dialect/tirx/ops.h"
#include "core/dialect/tirx/printer.h"
#include "core/layout/symbol.h"
#include "core/notation/tirx_text.h"

namespace ls::tirx {

using namespace ir;

namespace {

struct Spelling {
    BinaryOp op;
    std::string_view infix; ///< empty: printed as a call
    int precedence;
    std::string_view call;
};
// Python's levels.
constexpr int kLambda = 1, kNot = 5, kIdentity = 15;
constexpr Spelling kSpellings[] = {
    {BinaryOp::Add, "+", 11, "Add"},
    {BinaryOp::Sub, "-", 11, "Sub"},
    {BinaryOp::Mul, "*", 12, "Mul"},
    {BinaryOp::Div, "/", 12, "Div"},
    {BinaryOp::FloorDiv, "//", 12, "FloorDiv"},
    {BinaryOp::Mod, "%", 12, "FloorMod"},
    {BinaryOp::Pow, "**", 14, "pow"},
    {BinaryOp::Min, "", 15, "min"},
    {BinaryOp::Max, "", 15, "max"},
    {BinaryOp::BitAnd, "", 15, "bitwise_and"},
    {BinaryOp::BitOr, "", 15, "bitwise_or"},
    {BinaryOp::BitXor, "", 15, "bitwise_xor"},
    {BinaryOp::Shl, "", 15, "shift_left"},
    {BinaryOp::Shr, "", 15, "shift_right"},
    {BinaryOp::Lt, "<", 6, "LT"},
    {BinaryOp::Le, "<=", 6, "LE"},
    {BinaryOp::Gt, ">", 6, "GT"},
    {BinaryOp::Ge, ">=", 6, "GE"},
    {BinaryOp::Eq, "==", 6, "EQ"},
    {BinaryOp::Ne, "!=", 6, "NE"},
    {BinaryOp::And, "and", 4, "And"},
    {BinaryOp::Or, "or", 3, "Or"},
    {BinaryOp::Xor, "", 15, "bitwise_xor"},
};

const Spelling& spelling_of(BinaryOp op) {
    for (const Spelling& s : kSpellings) {
        if (s.op == op) return s;
    }
    return kSpellings[0];
}

bool is_python_keyword(std::string_view word) {
    constexpr std::string_view kWords[] = {"and",      "as",       "assert", "async", "await",  "break",  "class",
                                           "continue", "def",      "del",    "elif",  "else",   "except", "finally",
                                           "for",      "from",     "global", "if",    "import", "in",     "is",
                                           "lambda",   "nonlocal", "not",    "or",    "pass",   "raise",  "return",
                                           "try",      "while",    "with",   "yield", "None",   "True",   "False"};
    for (const std::string_view w : kWords) {
        if (w == word) return true;
    }
    return false;
}

/// PTX words as attribute names: "shared::cta" is "shared__cta", "global" is "global_". Empty when there is none.
std::string attribute_name(std::string_view word) {
    std::string out;
    for (std::size_t i = 0; i < word.size(); ++i) {
        if (word[i] == ':' && i + 1 < word.size() && word[i + 1] == ':') {
            out += "__";
            ++i;
        } else {
            out += word[i];
        }
    }
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    if (out.empty() || !letter(out[0])) return {};
    for (const char c : out) {
        if (!letter(c) && !(c >= '0' && c <= '9')) return {};
    }
    if (word.find("__") != std::string_view::npos || word.back() == '_') return {};
    return is_python_keyword(out) ? out + "_" : out;
}

std::string ptx_callee(std::string_view instruction) {
    std::string chain = "T.ptx";
    for (std::size_t at = 0; at <= instruction.size();) {
        const std::size_t dot = std::min(instruction.find('.', at), instruction.size());
        const std::string name = attribute_name(instruction.substr(at, dot - at));
        if (name.empty()) return fmt::format("T.ptx[\"{}\"]", instruction);
        chain += '.';
        chain += name;
        at = dot + 1;
    }
    return chain;
}

} // namespace

void Printer::quoted(std::string_view text) {
    out_ += '"';
    for (const char c : text) {
        switch (c) {
        case '\n': out_ += "\\n"; break;
        case '\t': out_ += "\\t"; break;
        case '\r': out_ += "\\r"; break;
        case '"': out_ += "\\\""; break;
        case '\\': out_ += "\\\\"; break;
        default:
            if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
                out_ += fmt::format("\\x{:02x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
            } else {
                out_ += c;
            }
        }
    }
    out_ += '"';
}

void Printer::number(const ConstIntNode& c) {
    switch (c.dtype) {
    case DType::Int32:
    case DType::Index: out_ += fmt::to_string(c.value); break;
    case DType::Bool: out_ += c.value != 0 ? "T.bool(True)" : "T.bool(False)"; break;
    case DType::UInt64: out_ += fmt::format("T.uint64({})", static_cast<std::uint64_t>(c.value)); break;
    default: out_ += fmt::format("T.{}({})", info(c.dtype).tirx, c.value);
    }
}

void Printer::number(const ConstFloatNode& c) {
    std::string digits;
    if (std::isnan(c.value)) {
        digits = "\"nan\"";
    } else if (std::isinf(c.value)) {
        digits = c.value > 0 ? "\"inf\"" : "\"-inf\"";
    } else if (std::nearbyint(c.value) == c.value) {
        digits = fmt::format("{:.1f}", c.value);
    } else {
        digits = fmt::format("{:.17g}", c.value);
    }
    // Infinity and NaN are texts, which only a type makes numbers of.
    const bool typed = c.dtype.has_value() || digits[0] == '"';
    out_ += typed ? fmt::format("T.{}({})", info(c.dtype.value_or(DType::Fp32)).tirx, digits) : digits;
}

void Printer::list(const std::vector<Expr>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i > 0) out_ += ", ";
        expr(*values[i]);
    }
}

void Printer::tuple(const std::vector<Expr>& values) {
    out_ += '(';
    list(values);
    out_ += values.size() == 1 ? ",)" : ")";
}

void Printer::entries(const std::vector<KeyValue>& values) {
    out_ += '{';
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i > 0) out_ += ", ";
        quoted(values[i].key);
        out_ += ": ";
        expr(*values[i].value);
    }
    out_ += '}';
}

void Printer::arguments(const std::vector<Expr>& args, const std::vector<KeyValue>& kwargs) {
    out_ += '(';
    list(args);
    bool first = args.empty();
    for (const KeyValue& k : kwargs) {
        if (!first) out_ += ", ";
        first = false;
        out_ += k.key;
        out_ += '=';
        expr(*k.value);
    }
    out_ += ')';
}

void Printer::subscript(const SubscriptNode& s) {
    const auto* type = buffer_type(s.base);
    if (type != nullptr && is_scalar_buffer(*type) && s.indices.size() == 1 && is_constant(s.indices[0], 0)) {
        out_ += names_.of(*as<VarNode>(s.base));
        return;
    }
    if (type != nullptr) {
        out_ += names_.of(*as<VarNode>(s.base));
    } else {
        expr(*s.base, kIdentity);
    }
    out_ += '[';
    list(s.indices);
    if (s.indices.empty()) out_ += "()";
    out_ += ']';
}

void Printer::binary(const BinaryNode& b, int parent_precedence, bool right) {
    const Spelling& s = spelling_of(b.op);
    if (s.infix.empty() || folded(b.op, b.lhs, b.rhs) != nullptr) {
        out_ += fmt::format("T.{}(", s.call);
        expr(*b.lhs);
        out_ += ", ";
        expr(*b.rhs);
        out_ += ')';
        return;
    }
    const bool brackets = s.precedence < parent_precedence || (right && s.precedence == parent_precedence);
    if (brackets) out_ += '(';
    expr(*b.lhs, s.precedence, b.op == BinaryOp::Pow);
    out_ += ' ';
    out_ += s.infix;
    out_ += ' ';
    expr(*b.rhs, s.precedence, true);
    if (brackets) out_ += ')';
}

void Printer::tile_call(const CallNode& c) {
    const TileCall tile = *as_tile_call(c);
    out_ += fmt::format("T.{}.{}(", prefix(tile.scope), tile.op);
    // An operation in place names its buffer once.
    const bool in_place = c.args.size() == 2 && c.args[0]->kind == NodeKind::Subscript &&
                          find_tile_op(tile.op) != nullptr && find_tile_op(tile.op)->parameters.size() >= 2 &&
                          find_tile_op(tile.op)->parameters[1].otherwise == ArgDefault::None &&
                          same_place(c.args[0], c.args[1]);
    bool first = true;
    const auto comma = [&] {
        if (!first) out_ += ", ";
        first = false;
    };
    for (std::size_t i = 0; i < (in_place ? 1 : c.args.size()); ++i) {
        comma();
        expr(*c.args[i]);
    }
    if (tile.workspace != nullptr && !tile.workspace->entries.empty()) {
        comma();
        out_ += "workspace={";
        for (std::size_t i = 0; i < tile.workspace->entries.size(); ++i) {
            if (i > 0) out_ += ", ";
            quoted(tile.workspace->entries[i].key);
            out_ += ": ";
            expr(*tile.workspace->entries[i].value);
        }
        out_ += '}';
    }
    if (tile.dispatch) {
        comma();
        out_ += "dispatch=";
        quoted(*tile.dispatch);
    }
    for (const KeyValue& k : c.kwargs) {
        comma();
        out_ += k.key;
        out_ += '=';
        expr(*k.value);
    }
    out_ += ')';
}

void Printer::call(const CallNode& c) {
    if (c.callee == CalleeKind::Method && !c.args.empty()) {
        expr(*c.args[0], kIdentity);
        out_ += fmt::format(".{}", c.op);
        arguments({c.args.begin() + 1, c.args.end()}, c.kwargs);
        return;
    }
    if (c.callee == CalleeKind::Function) {
        out_ += fmt::format("{}.{}", class_name_.empty() ? "Module" : class_name_, c.op);
        return arguments(c.args, c.kwargs);
    }
    if (c.callee == CalleeKind::Name) {
        out_ += c.op;
        return arguments(c.args, c.kwargs);
    }
    if (c.op.starts_with(kTilePrefix)) return tile_call(c);
    if (c.op == "Let" && c.args.size() == 2) {
        if (const auto* l = as<LambdaNode>(c.args[1]); l != nullptr && l->params.size() == 1) {
            out_ += "T.Let(";
            expr(*l->body);
            out_ += fmt::format(", where={{{}: ", names_.of(*l->params[0]));
            expr(*c.args[0]);
            out_ += "})";
            return;
        }
    }
    constexpr std::string_view kPtx = "ptx.";
    if (c.op.starts_with(kPtx) && c.op.size() > kPtx.size()) {
        out_ += ptx_callee(std::string_view(c.op).substr(kPtx.size()));
    } else {
        out_ += "T.";
        out_ += c.op;
    }
    arguments(c.args, c.kwargs);
}

void Printer::expr(const ExprNode& e, int parent_precedence, bool right) {
    const auto unary_call = [&](std::string_view name, const Expr& operand) {
        out_ += fmt::format("T.{}(", name);
        expr(*operand);
        out_ += ')';
    };
    switch (e.kind) {
    case NodeKind::ConstInt: return number(static_cast<const ConstIntNode&>(e));
    case NodeKind::ConstFloat: return number(static_cast<const ConstFloatNode&>(e));
    case NodeKind::ConstBool: out_ += static_cast<const ConstBoolNode&>(e).value ? "True" : "False"; return;
    case NodeKind::String: return quoted(static_cast<const StringNode&>(e).value);
    case NodeKind::None: out_ += "None"; return;
    case NodeKind::DTypeName: return quoted(info(static_cast<const DTypeNameNode&>(e).dtype).tirx);
    case NodeKind::Symbol: {
        const std::string& name = static_cast<const ir::SymbolNode&>(e).name;
        if (name == "metadata") {
            used_metadata_ = true;
        } else {
            out_ += "T.";
        }
        out_ += name;
        return;
    }
    case NodeKind::Var: {
        out_ += names_.of(static_cast<const VarNode&>(e));
        if (const auto* type = buffer_type(&e); type != nullptr && is_scalar_buffer(*type)) out_ += ".buffer";
        return;
    }
    case NodeKind::Unary: {
        const auto& u = static_cast<const UnaryNode&>(e);
        switch (u.op) {
        case UnaryOp::Not: {
            const NodeKind k = u.operand->kind;
            const auto* i = as<ConstIntNode>(u.operand);
            if (k == NodeKind::ConstBool || (i != nullptr && i->dtype == DType::Int32)) {
                return unary_call("Not", u.operand);
            }
            const bool brackets = kNot < parent_precedence;
            if (brackets) out_ += '(';
            out_ += "not ";
            expr(*u.operand, kNot);
            if (brackets) out_ += ')';
            return;
        }
        case UnaryOp::BitNot: return unary_call("bitwise_not", u.operand);
        case UnaryOp::Abs: return unary_call("abs", u.operand);
        case UnaryOp::Neg: {
            const bool brackets = 12 < parent_precedence || (right && parent_precedence == 12);
            if (brackets) out_ += '(';
            expr(*u.operand, 12);
            out_ += " * -1";
            if (brackets) out_ += ')';
            return;
        }
        }
        return;
    }
    case NodeKind::Binary: return binary(static_cast<const BinaryNode&>(e), parent_precedence, right);
    case NodeKind::Cast: {
        const auto& c = static_cast<const CastNode&>(e);
        out_ += "T.Cast(";
        quoted(c.dtype_text.empty() ? info(c.dtype).tirx : std::string_view(c.dtype_text));
        out_ += ", ";
        expr(*c.value);
        out_ += ')';
        return;
    }
    case NodeKind::Select: {
        const auto& s = static_cast<const SelectNode&>(e);
        out_ += "T.Select(";
        list({s.condition, s.on_true, s.on_false});
        out_ += ')';
        return;
    }
    case NodeKind::Tuple: {
        const auto& t = static_cast<const TupleNode&>(e);
        if (t.parentheses) return tuple(t.elements);
        out_ += '[';
        list(t.elements);
        out_ += ']';
        return;
    }
    case NodeKind::TupleGet: {
        const auto& t = static_cast<const TupleGetNode&>(e);
        expr(*t.tuple, kIdentity);
        out_ += fmt::format("[{}]", t.index);
        return;
    }
    case NodeKind::Subscript: return subscript(static_cast<const SubscriptNode&>(e));
    case NodeKind::Slice: {
        const auto& s = static_cast<const SliceNode&>(e);
        if (s.begin != nullptr) expr(*s.begin);
        out_ += ':';
        if (s.end != nullptr) expr(*s.end);
        if (s.step != nullptr) {
            out_ += ':';
            expr(*s.step);
        }
        return;
    }
    case NodeKind::Member: {
        const auto& m = static_cast<const MemberNode&>(e);
        expr(*m.base, kIdentity);
        out_ += fmt::format(".{}", m.member);
        return;
    }
    case NodeKind::Dict: return entries(static_cast<const DictNode&>(e).entries);
    case NodeKind::Lambda: {
        const auto& l = static_cast<const LambdaNode&>(e);
        const std::size_t mark = names_.enter();
        const bool brackets = kLambda < parent_precedence;
        if (brackets) out_ += '(';
        out_ += "lambda ";
        for (std::size_t i = 0; i < l.params.size(); ++i) {
            if (i > 0) out_ += ", ";
            out_ += names_.define(*l.params[i]);
        }
        out_ += ": ";
        expr(*l.body, kLambda);
        if (brackets) out_ += ')';
        names_.leave(mark);
        return;
    }
    case NodeKind::LayoutValue: return layout(static_cast<const LayoutValueNode&>(e).layout);
    case NodeKind::Call: return call(static_cast<const CallNode&>(e));
    default: return;
    }
}

void Printer::layout(const Layout& l) {
    if (l.is_constant()) {
        out_ += notation::print_tirx_repr(l);
        return;
    }
    // Symbols are called what their variables are called in this text.
    TileLayout tile = l.tile();
    const auto rename = [&](Dim& dim) {
        if (dim.is_constant()) return;
        dim = substitute(dim, [&](std::string_view name) -> std::optional<Dim> {
            const std::string_view printed = names_.of_symbol(std::string(name));
            return printed == name ? std::nullopt : std::optional(Dim::symbol(std::string(printed)));
        });
    };
    for (std::vector<Iter>* iters : {&tile.shard, &tile.replica}) {
        for (Iter& i : *iters) {
            rename(i.extent);
            rename(i.stride);
        }
    }
    for (auto& [axis, amount] : tile.offset) rename(amount);
    out_ += notation::print_tirx_repr(l.with_tile(std::move(tile)));
}

void Printer::type(const TypeNode* t) {
    if (const auto* s = as<ScalarTypeNode>(t)) {
        out_ += fmt::format("T.{}", info(s->dtype).tirx);
    } else if (const auto* p = as<PtrTypeNode>(t)) {
        out_ += "T.handle";
        if (p->pointee) {
            out_ += fmt::format("(\"{}\"", info(*p->pointee).tirx);
            if (!p->scope.empty()) out_ += fmt::format(", \"{}\"", p->scope);
            out_ += ')';
        } else if (p->scope != "global") {
            out_ += fmt::format("(storage_scope=\"{}\")", p->scope);
        }
    } else if (const auto* n = as<NamedTypeNode>(t)) {
        out_ += fmt::format("T.{}", n->name);
        if (!n->arguments.empty() || n->name == "TensorMap") arguments(n->arguments, {});
    } else if (const auto* b = as<BufferTypeNode>(t)) {
        out_ += "T.Buffer(";
        buffer_arguments(*b, nullptr, "", true, true);
        out_ += ')';
    }
}

} // namespace ls::tirx
