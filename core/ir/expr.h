// Expressions. They have no side effects of their own; a Call may stand for an operation that has.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/type.h"

namespace ls::ir {

class ExprNode : public Node {
public:
    static bool is(NodeKind k) { return k >= NodeKind::ConstInt && k <= NodeKind::Call; }

protected:
    using Node::Node;
};

class ConstIntNode final : public ExprNode {
public:
    ConstIntNode() : ExprNode(NodeKind::ConstInt) {}
    static bool is(NodeKind k) { return k == NodeKind::ConstInt; }
    std::int64_t value = 0;
    DType dtype = DType::Index;
};

class ConstFloatNode final : public ExprNode {
public:
    ConstFloatNode() : ExprNode(NodeKind::ConstFloat) {}
    static bool is(NodeKind k) { return k == NodeKind::ConstFloat; }
    double value = 0;
    std::optional<DType> dtype;
    std::string spelling; ///< as read; printed again when it is there, never compared
};

class ConstBoolNode final : public ExprNode {
public:
    ConstBoolNode() : ExprNode(NodeKind::ConstBool) {}
    static bool is(NodeKind k) { return k == NodeKind::ConstBool; }
    bool value = false;
};

class StringNode final : public ExprNode {
public:
    StringNode() : ExprNode(NodeKind::String) {}
    static bool is(NodeKind k) { return k == NodeKind::String; }
    std::string value;
};

class NoneNode final : public ExprNode {
public:
    NoneNode() : ExprNode(NodeKind::None) {}
    static bool is(NodeKind k) { return k == NodeKind::None; }
};

/// An element type as a value: dtype=pl.FP32.
class DTypeNameNode final : public ExprNode {
public:
    DTypeNameNode() : ExprNode(NodeKind::DTypeName) {}
    static bool is(NodeKind k) { return k == NodeKind::DTypeName; }
    DType dtype = DType::Fp32;
};

/// A named constant of the dialect: "pl.Mem.Mat", "pl.adir.input".
class SymbolNode final : public ExprNode {
public:
    SymbolNode() : ExprNode(NodeKind::Symbol) {}
    static bool is(NodeKind k) { return k == NodeKind::Symbol; }
    std::string name;
    /// The part after the last dot.
    std::string_view last() const { return std::string_view(name).substr(name.rfind('.') + 1); }
};

/// A variable; its address is its identity, its name only what it is called. Uses share the node of the definition.
class VarNode final : public ExprNode {
public:
    VarNode() : ExprNode(NodeKind::Var) {}
    static bool is(NodeKind k) { return k == NodeKind::Var; }
    std::string name;
    Type type; ///< null when unknown
};
using Var = Ref<VarNode>;

enum class UnaryOp : std::uint8_t { Neg, Not, BitNot, Abs };
enum class BinaryOp : std::uint8_t {
    Add,
    Sub,
    Mul,
    Div,
    FloorDiv,
    Mod,
    Pow,
    Min,
    Max,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    And,
    Or,
    Xor,
};

class UnaryNode final : public ExprNode {
public:
    UnaryNode() : ExprNode(NodeKind::Unary) {}
    static bool is(NodeKind k) { return k == NodeKind::Unary; }
    UnaryOp op = UnaryOp::Neg;
    Expr operand;
};

class BinaryNode final : public ExprNode {
public:
    BinaryNode() : ExprNode(NodeKind::Binary) {}
    static bool is(NodeKind k) { return k == NodeKind::Binary; }
    BinaryOp op = BinaryOp::Add;
    Expr lhs, rhs;
};

class CastNode final : public ExprNode {
public:
    CastNode() : ExprNode(NodeKind::Cast) {}
    static bool is(NodeKind k) { return k == NodeKind::Cast; }
    Expr value;
    DType dtype = DType::Index;
    std::string dtype_text; ///< spelling of a type that DType has no entry for; else empty
};

/// condition ? on_true : on_false
class SelectNode final : public ExprNode {
public:
    SelectNode() : ExprNode(NodeKind::Select) {}
    static bool is(NodeKind k) { return k == NodeKind::Select; }
    Expr condition, on_true, on_false;
};

/// A list of values: offsets, shapes, init values. Brackets or parentheses are only spelling.
class TupleNode final : public ExprNode {
public:
    TupleNode() : ExprNode(NodeKind::Tuple) {}
    static bool is(NodeKind k) { return k == NodeKind::Tuple; }
    std::vector<Expr> elements;
    bool parentheses = false; ///< spelling; not compared
};

class TupleGetNode final : public ExprNode {
public:
    TupleGetNode() : ExprNode(NodeKind::TupleGet) {}
    static bool is(NodeKind k) { return k == NodeKind::TupleGet; }
    Expr tuple;
    std::int64_t index = 0;
};

/// base[indices]: an element (all indices are values) or a region (some are Slices) of a buffer.
class SubscriptNode final : public ExprNode {
public:
    SubscriptNode() : ExprNode(NodeKind::Subscript) {}
    static bool is(NodeKind k) { return k == NodeKind::Subscript; }
    Expr base;
    std::vector<Expr> indices;
};

/// begin:end:step inside a Subscript; parts not written are null.
class SliceNode final : public ExprNode {
public:
    SliceNode() : ExprNode(NodeKind::Slice) {}
    static bool is(NodeKind k) { return k == NodeKind::Slice; }
    Expr begin, end, step;
};

/// base.member: buffer.data
class MemberNode final : public ExprNode {
public:
    MemberNode() : ExprNode(NodeKind::Member) {}
    static bool is(NodeKind k) { return k == NodeKind::Member; }
    Expr base;
    std::string member;
};

struct KeyValue {
    std::string key;
    Expr value;
};

class DictNode final : public ExprNode {
public:
    DictNode() : ExprNode(NodeKind::Dict) {}
    static bool is(NodeKind k) { return k == NodeKind::Dict; }
    std::vector<KeyValue> entries;
};

class LambdaNode final : public ExprNode {
public:
    LambdaNode() : ExprNode(NodeKind::Lambda) {}
    static bool is(NodeKind k) { return k == NodeKind::Lambda; }
    std::vector<Var> params;
    Expr body;
};

class LayoutValueNode final : public ExprNode {
public:
    LayoutValueNode() : ExprNode(NodeKind::LayoutValue) {}
    static bool is(NodeKind k) { return k == NodeKind::LayoutValue; }
    Layout layout;
};

/// What a Call's name refers to.
enum class CalleeKind : std::uint8_t {
    Op,       ///< an operation of the dialect: "tile.load", "pld.tile.put", "pto.tload", "T.ptx.tcgen05.mma..."
    Function, ///< a function of the same module: self.NAME(...)
    Name,     ///< any other name: a helper or a variable that is called
    Method,   ///< args[0].NAME(args[1...])
};

class CallNode final : public ExprNode {
public:
    CallNode() : ExprNode(NodeKind::Call) {}
    static bool is(NodeKind k) { return k == NodeKind::Call; }
    CalleeKind callee = CalleeKind::Op;
    std::string op; ///< pypto ops of the `pl` namespace are held without it; `pld.` ops keep theirs
    std::vector<Expr> args;
    std::vector<KeyValue> kwargs;
    std::vector<KeyValue> attrs;
    Type type; ///< what it answers; null when unknown. Not compared: the assigned variable says it too.

    bool is_op(std::string_view name) const { return callee == CalleeKind::Op && op == name; }
    /// The keyword argument, or null.
    const ExprNode* kwarg(std::string_view key) const;
    const ExprNode* attr(std::string_view key) const;
};
using Call = Ref<CallNode>;

// --- making
Expr const_int(std::int64_t value, DType dtype = DType::Index, Span span = {});
Expr const_float(double value, std::optional<DType> dtype = {}, std::string spelling = {}, Span span = {});
Expr const_bool(bool value, Span span = {});
Expr string(std::string value, Span span = {});
Expr none(Span span = {});
Expr dtype_name(DType dtype, Span span = {});
Expr symbol(std::string name, Span span = {});
Var var(std::string name, Type type, Span span = {});
Expr unary(UnaryOp op, Expr operand, Span span = {});
Expr binary(BinaryOp op, Expr lhs, Expr rhs, Span span = {});
Expr cast(Expr value, DType dtype, Span span = {});
Expr select(Expr condition, Expr on_true, Expr on_false, Span span = {});
Expr tuple(std::vector<Expr> elements, Span span = {}, bool parentheses = false);
Expr tuple_get(Expr tuple, std::int64_t index, Span span = {});
Expr subscript(Expr base, std::vector<Expr> indices, Span span = {});
Expr slice(Expr begin, Expr end, Expr step = {}, Span span = {});
Expr member(Expr base, std::string name, Span span = {});
Expr dict(std::vector<KeyValue> entries, Span span = {});
Expr lambda(std::vector<Var> params, Expr body, Span span = {});
Expr layout_value(Layout layout, Span span = {});
Expr call(std::string op, std::vector<Expr> args, std::vector<KeyValue> kwargs = {}, std::vector<KeyValue> attrs = {},
          Type type = {}, Span span = {});
Expr call_function(std::string name, std::vector<Expr> args, std::vector<KeyValue> kwargs = {},
                   std::vector<KeyValue> attrs = {}, Type type = {}, Span span = {});
std::vector<Expr> const_ints(const std::vector<std::int64_t>& values);

// --- asking
/// The value of an integer constant.
std::optional<std::int64_t> constant(const ExprNode* expr);
inline std::optional<std::int64_t> constant(const Expr& expr) { return constant(expr.get()); }
inline bool is_constant(const Expr& expr, std::int64_t value) { return constant(expr) == value; }
std::string_view spelling(BinaryOp op); ///< "+", "//", "min"
std::string_view spelling(UnaryOp op);  ///< "-", "not", "~", "abs"
inline bool is_compare(BinaryOp op) { return op >= BinaryOp::Lt && op <= BinaryOp::Ne; }
inline bool is_logical(BinaryOp op) { return op >= BinaryOp::And; }
/// Element type of a scalar expression where it is known (constants, typed variables, casts, arithmetic on them).
std::optional<DType> scalar_dtype(const Expr& expr);

} // namespace ls::ir
