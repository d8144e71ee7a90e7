#include "core/ir/expr.h"

#include <array>

#include <utility>

namespace ls::ir {

namespace {

template <class T>
std::shared_ptr<T> fresh(Span span) {
    auto node = std::make_shared<T>();
    node->span = span;
    return node;
}

const ExprNode* find_key(const std::vector<KeyValue>& entries, std::string_view key) {
    for (const KeyValue& e : entries) {
        if (e.key == key) return e.value.get();
    }
    return nullptr;
}

std::shared_ptr<CallNode> fresh_call(CalleeKind kind, std::string op, std::vector<Expr> args,
                                     std::vector<KeyValue> kwargs, std::vector<KeyValue> attrs, Type type, Span span) {
    auto n = fresh<CallNode>(span);
    n->callee = kind;
    n->op = std::move(op);
    n->args = std::move(args);
    n->kwargs = std::move(kwargs);
    n->attrs = std::move(attrs);
    n->type = std::move(type);
    return n;
}

} // namespace

const ExprNode* CallNode::kwarg(std::string_view key) const { return find_key(kwargs, key); }
const ExprNode* CallNode::attr(std::string_view key) const { return find_key(attrs, key); }

namespace {

Expr new_const_int(std::int64_t value, DType dtype, Span span) {
    auto n = fresh<ConstIntNode>(span);
    n->value = value;
    n->dtype = dtype;
    return seal(std::move(n));
}

} // namespace

Expr const_int(std::int64_t value, DType dtype, Span span) {
    // Passes make the same few numbers for every statement; those that stand nowhere in a text are one object each.
    constexpr std::int64_t kShared = 257;
    const bool is_shared = span == Span{} && value >= 0 && value < kShared && (dtype == DType::Index || dtype == DType::Int64);
    if (!is_shared) return new_const_int(value, dtype, span);
    static const auto shared = [] {
        std::array<std::array<Expr, kShared>, 2> all;
        for (std::int64_t v = 0; v < kShared; ++v) {
            all[0][static_cast<std::size_t>(v)] = new_const_int(v, DType::Index, {});
            all[1][static_cast<std::size_t>(v)] = new_const_int(v, DType::Int64, {});
        }
        return all;
    }();
    return shared[dtype == DType::Index ? 0 : 1][static_cast<std::size_t>(value)];
}

Expr const_float(double value, std::optional<DType> dtype, std::string spelling, Span span) {
    auto n = fresh<ConstFloatNode>(span);
    n->value = value;
    n->dtype = dtype;
    n->spelling = std::move(spelling);
    return seal(std::move(n));
}

Expr const_bool(bool value, Span span) {
    auto n = fresh<ConstBoolNode>(span);
    n->value = value;
    return seal(std::move(n));
}

Expr string(std::string value, Span span) {
    auto n = fresh<StringNode>(span);
    n->value = std::move(value);
    return seal(std::move(n));
}

Expr none(Span span) { return seal(fresh<NoneNode>(span)); }

Expr dtype_name(DType dtype, Span span) {
    auto n = fresh<DTypeNameNode>(span);
    n->dtype = dtype;
    return seal(std::move(n));
}

Expr symbol(std::string name, Span span) {
    auto n = fresh<SymbolNode>(span);
    n->name = std::move(name);
    return seal(std::move(n));
}

Var var(std::string name, Type type, Span span) {
    auto n = fresh<VarNode>(span);
    n->name = std::move(name);
    n->type = std::move(type);
    return seal(std::move(n));
}

Expr unary(UnaryOp op, Expr operand, Span span) {
    auto n = fresh<UnaryNode>(span);
    n->op = op;
    n->operand = std::move(operand);
    return seal(std::move(n));
}

Expr binary(BinaryOp op, Expr lhs, Expr rhs, Span span) {
    auto n = fresh<BinaryNode>(span);
    n->op = op;
    n->lhs = std::move(lhs);
    n->rhs = std::move(rhs);
    return seal(std::move(n));
}

Expr cast(Expr value, DType dtype, Span span) {
    auto n = fresh<CastNode>(span);
    n->value = std::move(value);
    n->dtype = dtype;
    return seal(std::move(n));
}

Expr select(Expr condition, Expr on_true, Expr on_false, Span span) {
    auto n = fresh<SelectNode>(span);
    n->condition = std::move(condition);
    n->on_true = std::move(on_true);
    n->on_false = std::move(on_false);
    return seal(std::move(n));
}

Expr tuple(std::vector<Expr> elements, Span span, bool parentheses) {
    auto n = fresh<TupleNode>(span);
    n->elements = std::move(elements);
    n->parentheses = parentheses;
    return seal(std::move(n));
}

Expr tuple_get(Expr value, std::int64_t index, Span span) {
    auto n = fresh<TupleGetNode>(span);
    n->tuple = std::move(value);
    n->index = index;
    return seal(std::move(n));
}

Expr subscript(Expr base, std::vector<Expr> indices, Span span) {
    auto n = fresh<SubscriptNode>(span);
    n->base = std::move(base);
    n->indices = std::move(indices);
    return seal(std::move(n));
}

Expr slice(Expr begin, Expr end, Expr step, Span span) {
    auto n = fresh<SliceNode>(span);
    n->begin = std::move(begin);
    n->end = std::move(end);
    n->step = std::move(step);
    return seal(std::move(n));
}

Expr member(Expr base, std::string name, Span span) {
    auto n = fresh<MemberNode>(span);
    n->base = std::move(base);
    n->member = std::move(name);
    return seal(std::move(n));
}

Expr dict(std::vector<KeyValue> entries, Span span) {
    auto n = fresh<DictNode>(span);
    n->entries = std::move(entries);
    return seal(std::move(n));
}

Expr lambda(std::vector<Var> params, Expr body, Span span) {
    auto n = fresh<LambdaNode>(span);
    n->params = std::move(params);
    n->body = std::move(body);
    return seal(std::move(n));
}

Expr layout_value(Layout layout, Span span) {
    auto n = fresh<LayoutValueNode>(span);
    n->layout = std::move(layout);
    return seal(std::move(n));
}

Expr call(std::string op, std::vector<Expr> args, std::vector<KeyValue> kwargs, std::vector<KeyValue> attrs, Type type,
          Span span) {
    return seal(fresh_call(CalleeKind::Op, std::move(op), std::move(args), std::move(kwargs), std::move(attrs),
                           std::move(type), span));
}

Expr call_function(std::string name, std::vector<Expr> args, std::vector<KeyValue> kwargs, std::vector<KeyValue> attrs,
                   Type type, Span span) {
    return seal(fresh_call(CalleeKind::Function, std::move(name), std::move(args), std::move(kwargs), std::move(attrs),
                           std::move(type), span));
}

std::vector<Expr> const_ints(const std::vector<std::int64_t>& values) {
    std::vector<Expr> out;
    out.reserve(values.size());
    for (const std::int64_t v : values) out.push_back(const_int(v));
    return out;
}

std::optional<std::int64_t> constant(const ExprNode* expr) {
    const auto* c = as<ConstIntNode>(expr);
    return c != nullptr ? std::optional(c->value) : std::nullopt;
}

std::string_view spelling(BinaryOp op) {
    static constexpr std::string_view kText[] = {"+",  "-",  "*", "/",  "//", "%",  "**", "min", "max", "&",  "|",  "^",
                                                 "<<", ">>", "<", "<=", ">",  ">=", "==", "!=",  "and", "or", "xor"};
    return kText[static_cast<std::size_t>(op)];
}

std::string_view spelling(UnaryOp op) {
    static constexpr std::string_view kText[] = {"-", "not", "~", "abs"};
    return kText[static_cast<std::size_t>(op)];
}

std::optional<DType> scalar_dtype(const Expr& expr) {
    // Iterative along the left spine: the type of arithmetic is that of its operands.
    for (const ExprNode* at = expr.get(); at != nullptr;) {
        switch (at->kind) {
        case NodeKind::ConstInt: return static_cast<const ConstIntNode*>(at)->dtype;
        case NodeKind::ConstFloat: return static_cast<const ConstFloatNode*>(at)->dtype;
        case NodeKind::ConstBool: return DType::Bool;
        case NodeKind::Cast: return static_cast<const CastNode*>(at)->dtype;
        case NodeKind::Var: {
            const auto* t = as<ScalarTypeNode>(static_cast<const VarNode*>(at)->type);
            return t != nullptr ? std::optional(t->dtype) : std::nullopt;
        }
        case NodeKind::Unary: at = static_cast<const UnaryNode*>(at)->operand.get(); continue;
        case NodeKind::Binary: {
            const auto* b = static_cast<const BinaryNode*>(at);
            if (is_compare(b->op) || is_logical(b->op)) return DType::Bool;
            at = as<ConstIntNode>(b->lhs) != nullptr ? b->rhs.get() : b->lhs.get();
            continue;
        }
        default: return {};
        }
    }
    return {};
}

} // namespace ls::ir
