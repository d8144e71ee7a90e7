#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "core/dialect/pypto/printer.h"

namespace ls::pypto {

using namespace ir;

namespace {

/// As in Python: or < xor < and < not < comparison < | < ^ < & < shift < sum < product < unary < power.
int precedence(BinaryOp op) {
    switch (op) {
    case BinaryOp::Or: return 1;
    case BinaryOp::Xor: return 2;
    case BinaryOp::And: return 3;
    case BinaryOp::Lt:
    case BinaryOp::Le:
    case BinaryOp::Gt:
    case BinaryOp::Ge:
    case BinaryOp::Eq:
    case BinaryOp::Ne: return 5;
    case BinaryOp::BitOr: return 6;
    case BinaryOp::BitXor: return 7;
    case BinaryOp::BitAnd: return 8;
    case BinaryOp::Shl:
    case BinaryOp::Shr: return 9;
    case BinaryOp::Add:
    case BinaryOp::Sub: return 10;
    case BinaryOp::Mul:
    case BinaryOp::Div:
    case BinaryOp::FloorDiv:
    case BinaryOp::Mod: return 11;
    case BinaryOp::Pow: return 13;
    case BinaryOp::Min:
    case BinaryOp::Max: break;
    }
    return 20;
}
constexpr int kNot = 4;
constexpr int kUnary = 12;
constexpr int kPostfix = 19;

bool is_index_constant(const Expr& e) {
    const auto* c = as<ConstIntNode>(e);
    return c != nullptr && c->dtype == DType::Index;
}

} // namespace

void ExprPrinter::quoted(std::string_view text, char quote) {
    out_ += quote;
    for (const char c : text) {
        switch (c) {
        case '\n': out_ += "\\n"; break;
        case '\t': out_ += "\\t"; break;
        case '\r': out_ += "\\r"; break;
        case '\0': out_ += "\\x00"; break;
        case '\\': out_ += "\\\\"; break;
        default:
            if (c == quote) out_ += '\\';
            out_ += c;
        }
    }
    out_ += quote;
}

void ExprPrinter::const_int(std::int64_t value, DType dtype, bool always_typed) {
    if (dtype == DType::Index && !always_typed)
        fmt::format_to(std::back_inserter(out_), "{}", value);
    else
        fmt::format_to(std::back_inserter(out_), "pl.const({}, pl.{})", value, info(dtype).pypto);
}

void ExprPrinter::const_float(const ConstFloatNode& f) {
    std::string digits = f.spelling;
    if (digits.empty()) {
        digits = fmt::format("{:.17g}", f.value);
        if (std::isfinite(f.value) && digits.find_first_of(".e") == std::string::npos) digits += ".0";
    }
    if (f.dtype)
        fmt::format_to(std::back_inserter(out_), "pl.const({}, pl.{})", digits, info(*f.dtype).pypto);
    else
        out_ += digits;
}

void ExprPrinter::list(const std::vector<Expr>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i > 0) out_ += ", ";
        expr(*values[i], 0);
    }
}

void ExprPrinter::dims(const std::vector<Expr>& values) {
    out_ += '[';
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i > 0) out_ += ", ";
        const bool outer = typed_constants_;
        typed_constants_ = as<ConstIntNode>(values[i]) == nullptr;
        expr(*values[i], 0);
        typed_constants_ = outer;
    }
    out_ += ']';
}

void ExprPrinter::kwargs(const std::vector<KeyValue>& entries, char quote) {
    for (const KeyValue& k : entries) {
        if (out_.back() != '(') out_ += ", ";
        out_ += k.key;
        out_ += '=';
        if (const auto* s = as<StringNode>(k.value))
            quoted(s->value, quote);
        else
            expr(*k.value, 0);
    }
}

void ExprPrinter::entries(const std::vector<KeyValue>& entries) {
    out_ += '{';
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (i > 0) out_ += ", ";
        quoted(entries[i].key, '"');
        out_ += ": ";
        expr(*entries[i].value, 0);
    }
    out_ += '}';
}

void ExprPrinter::attrs(const std::vector<KeyValue>& values) {
    if (values.empty()) return;
    if (out_.back() != '(') out_ += ", ";
    out_ += "attrs=";
    entries(values);
}

void ExprPrinter::call(const CallNode& c, char quote) {
    std::size_t first = 0;
    switch (c.callee) {
    case CalleeKind::Op:
        if (c.op.substr(0, 4) != "pld." && c.op.substr(0, 4) != "plm.") out_ += "pl.";
        break;
    case CalleeKind::Function: out_ += "self."; break;
    case CalleeKind::Name: break;
    case CalleeKind::Method:
        if (!c.args.empty()) {
            expr(*c.args[0], kPostfix);
            out_ += '.';
            first = 1;
        }
        break;
    }
    out_ += c.op;
    out_ += '(';
    for (std::size_t i = first; i < c.args.size(); ++i) {
        if (i > first) out_ += ", ";
        expr(*c.args[i], 0);
    }
    kwargs(c.kwargs, quote);
    attrs(c.attrs);
    out_ += ')';
}

void ExprPrinter::scope(const ExprNode& e) {
    if (const auto* c = as<CallNode>(&e))
        call(*c, '"');
    else
        expr(e, 0);
}

void ExprPrinter::binary(const BinaryNode& b, int parent) {
    if (b.op == BinaryOp::Min || b.op == BinaryOp::Max) {
        out_ += b.op == BinaryOp::Min ? "pl.min(" : "pl.max(";
        expr(*b.lhs, 0);
        out_ += ", ";
        expr(*b.rhs, 0);
        out_ += ')';
        return;
    }
    const int own = precedence(b.op);
    const bool parentheses = own < parent;
    if (parentheses) out_ += '(';
    // Two plain numbers would be worked out by Python on reading: then they carry their type.
    const bool both = is_index_constant(b.lhs) && is_index_constant(b.rhs);
    const bool outer = typed_constants_;
    typed_constants_ = typed_constants_ || both;
    // Comparisons do not associate; ** associates to the right, the others to the left.
    const bool compare = is_compare(b.op);
    expr(*b.lhs, compare || b.op == BinaryOp::Pow ? own + 1 : own);
    out_ += ' ';
    out_ += spelling(b.op);
    out_ += ' ';
    expr(*b.rhs, b.op == BinaryOp::Pow ? own : own + 1);
    typed_constants_ = outer;
    if (parentheses) out_ += ')';
}

void ExprPrinter::expr(const ExprNode& e, int parent) {
    switch (e.kind) {
    case NodeKind::ConstInt: {
        const auto& c = static_cast<const ConstIntNode&>(e);
        // -2 ** x is -(2 ** x), and -2.x is no number.
        const bool parentheses = c.value < 0 && c.dtype == DType::Index && !typed_constants_ && parent > kUnary;
        if (parentheses) out_ += '(';
        const_int(c.value, c.dtype, typed_constants_);
        if (parentheses) out_ += ')';
        break;
    }
    case NodeKind::ConstFloat: const_float(static_cast<const ConstFloatNode&>(e)); break;
    case NodeKind::ConstBool: out_ += static_cast<const ConstBoolNode&>(e).value ? "True" : "False"; break;
    case NodeKind::String: quoted(static_cast<const StringNode&>(e).value, '"'); break;
    case NodeKind::None: out_ += "None"; break;
    case NodeKind::DTypeName:
        out_ += "pl.";
        out_ += info(static_cast<const DTypeNameNode&>(e).dtype).pypto;
        break;
    case NodeKind::Symbol: out_ += static_cast<const ir::SymbolNode&>(e).name; break;
    case NodeKind::Var: out_ += static_cast<const VarNode&>(e).name; break;
    case NodeKind::Unary: {
        const auto& u = static_cast<const UnaryNode&>(e);
        if (u.op == UnaryOp::Abs) {
            out_ += "abs(";
            expr(*u.operand, 0);
            out_ += ')';
            break;
        }
        const int own = u.op == UnaryOp::Not ? kNot : kUnary;
        if (own < parent) out_ += '(';
        out_ += spelling(u.op);
        if (u.op == UnaryOp::Not) out_ += ' ';
        // -(5) must stay a negation: -5 would be read as a number.
        const bool guard =
            u.op == UnaryOp::Neg && (is_index_constant(u.operand) || as<ConstFloatNode>(u.operand) != nullptr);
        const bool outer = typed_constants_;
        typed_constants_ = typed_constants_ || guard;
        expr(*u.operand, own);
        typed_constants_ = outer;
        if (own < parent) out_ += ')';
        break;
    }
    case NodeKind::Binary: binary(static_cast<const BinaryNode&>(e), parent); break;
    case NodeKind::Cast: {
        const auto& c = static_cast<const CastNode&>(e);
        out_ += "pl.cast(";
        expr(*c.value, 0);
        fmt::format_to(std::back_inserter(out_), ", pl.{})", info(c.dtype).pypto);
        break;
    }
    case NodeKind::Select: {
        const auto& s = static_cast<const SelectNode&>(e);
        if (parent > 0) out_ += '(';
        expr(*s.on_true, 1);
        out_ += " if ";
        expr(*s.condition, 1);
        out_ += " else ";
        expr(*s.on_false, 0);
        if (parent > 0) out_ += ')';
        break;
    }
    case NodeKind::Tuple: {
        const auto& t = static_cast<const TupleNode&>(e);
        out_ += t.parentheses ? '(' : '[';
        list(t.elements);
        if (t.parentheses && t.elements.size() == 1) out_ += ',';
        out_ += t.parentheses ? ')' : ']';
        break;
    }
    case NodeKind::TupleGet:
        expr(*static_cast<const TupleGetNode&>(e).tuple, kPostfix);
        fmt::format_to(std::back_inserter(out_), "[{}]", static_cast<const TupleGetNode&>(e).index);
        break;
    case NodeKind::Subscript:
        expr(*static_cast<const SubscriptNode&>(e).base, kPostfix);
        out_ += '[';
        list(static_cast<const SubscriptNode&>(e).indices);
        out_ += ']';
        break;
    case NodeKind::Slice: {
        const auto& s = static_cast<const SliceNode&>(e);
        if (s.begin != nullptr) expr(*s.begin, 1);
        out_ += ':';
        if (s.end != nullptr) expr(*s.end, 1);
        if (s.step != nullptr) {
            out_ += ':';
            expr(*s.step, 1);
        }
        break;
    }
    case NodeKind::Member:
        expr(*static_cast<const MemberNode&>(e).base, kPostfix);
        out_ += '.';
        out_ += static_cast<const MemberNode&>(e).member;
        break;
    case NodeKind::Dict: entries(static_cast<const DictNode&>(e).entries); break;
    case NodeKind::Call: call(static_cast<const CallNode&>(e), '\''); break;
    default: break;
    }
}

std::string print(const ExprNode& e) {
    std::string out;
    ExprPrinter(DumpLevel::Concise, out).expr(e);
    return out;
}

} // namespace ls::pypto
