// Statements, functions and modules.
#pragma once

#include <string>
#include <vector>

#include "core/ir/expr.h"

namespace ls::ir {

class StmtNode : public Node {
public:
    static bool is(NodeKind k) { return k >= NodeKind::Assign && k <= NodeKind::Seq; }
    std::vector<std::string> comments; ///< lines before it, without "# "

protected:
    using Node::Node;
};
using Stmt = Ref<StmtNode>;

/// target = value; several targets take a tuple apart.
class AssignNode final : public StmtNode {
public:
    AssignNode() : StmtNode(NodeKind::Assign) {}
    static bool is(NodeKind k) { return k == NodeKind::Assign; }
    std::vector<Var> targets;
    Expr value;
    bool annotated = true; ///< prints ": type"
};

class EvalNode final : public StmtNode {
public:
    EvalNode() : StmtNode(NodeKind::Eval) {}
    static bool is(NodeKind k) { return k == NodeKind::Eval; }
    Expr value;
};

/// target[indices] = value, where target is a Subscript (TIRx buffers, pl.Array elements).
class StoreNode final : public StmtNode {
public:
    StoreNode() : StmtNode(NodeKind::Store) {}
    static bool is(NodeKind k) { return k == NodeKind::Store; }
    Expr target;
    Expr value;
};

class ReturnNode final : public StmtNode {
public:
    ReturnNode() : StmtNode(NodeKind::Return) {}
    static bool is(NodeKind k) { return k == NodeKind::Return; }
    std::vector<Expr> values;
};

/// Last statement of the body of an If, For or While that has results.
class YieldNode final : public StmtNode {
public:
    YieldNode() : StmtNode(NodeKind::Yield) {}
    static bool is(NodeKind k) { return k == NodeKind::Yield; }
    std::vector<Expr> values;
};

class BreakNode final : public StmtNode {
public:
    BreakNode() : StmtNode(NodeKind::Break) {}
    static bool is(NodeKind k) { return k == NodeKind::Break; }
};

class ContinueNode final : public StmtNode {
public:
    ContinueNode() : StmtNode(NodeKind::Continue) {}
    static bool is(NodeKind k) { return k == NodeKind::Continue; }
};

class AssertNode final : public StmtNode {
public:
    AssertNode() : StmtNode(NodeKind::Assert) {}
    static bool is(NodeKind k) { return k == NodeKind::Assert; }
    Expr condition;
    Expr message; ///< null when none
};

/// Comment lines with no statement after them in their block.
class CommentNode final : public StmtNode {
public:
    CommentNode() : StmtNode(NodeKind::Comment) {}
    static bool is(NodeKind k) { return k == NodeKind::Comment; }
};

/// A line that is passed through as written: host-side imports.
class RawNode final : public StmtNode {
public:
    RawNode() : StmtNode(NodeKind::Raw) {}
    static bool is(NodeKind k) { return k == NodeKind::Raw; }
    std::string text;
};

class SeqNode final : public StmtNode {
public:
    SeqNode() : StmtNode(NodeKind::Seq) {}
    static bool is(NodeKind k) { return k == NodeKind::Seq; }
    std::vector<Stmt> stmts;
};
using Seq = Ref<SeqNode>;

class IfNode final : public StmtNode {
public:
    IfNode() : StmtNode(NodeKind::If) {}
    static bool is(NodeKind k) { return k == NodeKind::If; }
    Expr condition;
    Seq then_body;
    Seq else_body;            ///< null when there is none
    std::vector<Var> results; ///< what both bodies yield, visible after it
};

/// A value carried from one iteration to the next.
struct IterArg {
    Var var;
    Expr init;
};

enum class LoopKind : std::uint8_t {
    Range,
    Parallel,
    Unroll,
    Pipeline,
    Spmd,
    SplitAiv,
    Serial,
    Vectorized,
    ThreadBinding,
    Grid, ///< TIRx
};
std::string_view name(LoopKind kind); ///< "range"

class ForNode final : public StmtNode {
public:
    ForNode() : StmtNode(NodeKind::For) {}
    static bool is(NodeKind k) { return k == NodeKind::For; }
    LoopKind loop = LoopKind::Range;
    Var var;
    Expr start, stop, step; ///< start and step are constants 0 and 1 when not written
    std::vector<IterArg> iter_args;
    std::vector<Var> results;
    std::vector<KeyValue> kwargs; ///< stage=, name_hint=, mode=, ...
    std::vector<KeyValue> attrs;
    std::vector<Var> grid_vars;     ///< Grid: further loop variables
    std::vector<Expr> grid_extents; ///< and their extents
    Seq body;
};

class WhileNode final : public StmtNode {
public:
    WhileNode() : StmtNode(NodeKind::While) {}
    static bool is(NodeKind k) { return k == NodeKind::While; }
    Expr condition;
    std::vector<IterArg> iter_args;
    std::vector<Var> results;
    Seq body;
};

/// with scope [as var]: body. `scope` is a Call: "at", "cluster", "spmd", "scope", "T.attr", ...
class WithNode final : public StmtNode {
public:
    WithNode() : StmtNode(NodeKind::With) {}
    static bool is(NodeKind k) { return k == NodeKind::With; }
    Expr scope;
    Var var; ///< null without `as`
    Seq body;
};

enum class Direction : std::uint8_t { In, Out, InOut };

struct Param {
    Var var;
    Direction direction = Direction::In;
};

enum class FunctionKind : std::uint8_t {
    Opaque,
    Orchestration,
    InCore,
    AIC,
    AIV,
    Group,
    Spmd,
    Inline,
    Graph,
    Kernel,   ///< a func.func of PTO text
    PrimFunc, ///< TIRx
};
std::string_view name(FunctionKind kind);
std::optional<FunctionKind> function_kind_from_name(std::string_view text);

class FunctionNode final : public Node {
public:
    FunctionNode() : Node(NodeKind::Function) {}
    static bool is(NodeKind k) { return k == NodeKind::Function; }
    std::string name;
    FunctionKind function = FunctionKind::Opaque;
    std::string level; ///< "CHIP_DIE"; empty when not given
    std::string role;  ///< "SubWorker"
    bool auto_scope = true;
    std::vector<KeyValue> options; ///< further options of the decorator, as written
    std::vector<KeyValue> attrs;   ///< pl.func_attr / T.func_attr
    bool has_self = false;
    std::vector<Param> params;
    std::vector<Type> returns;
    std::vector<std::string> comments; ///< lines before the decorator
    Seq body;

    const ExprNode* attr(std::string_view key) const;
};
using Function = Ref<FunctionNode>;

enum class Dialect : std::uint8_t { Pypto, PtoText, Tirx };

class ModuleNode final : public Node {
public:
    ModuleNode() : Node(NodeKind::Module) {}
    static bool is(NodeKind k) { return k == NodeKind::Module; }
    Dialect dialect = Dialect::Pypto;
    std::string name;                 ///< of the program
    std::string class_name;           ///< of the class that holds the functions, when it differs
    std::vector<Var> dynamic_symbols; ///< B = pl.dynamic("B")
    std::vector<KeyValue> attrs;      ///< pto.target_arch, ...
    std::vector<Function> functions;

    const FunctionNode* find(std::string_view function_name) const;
};
using Module = Ref<ModuleNode>;

// --- making
Stmt assign(Var target, Expr value, Span span = {}, bool annotated = true);
Stmt assign(std::vector<Var> targets, Expr value, Span span = {});
Stmt eval(Expr value, Span span = {});
Stmt store(Expr target, Expr value, Span span = {});
Stmt return_values(std::vector<Expr> values, Span span = {});
Stmt yield_values(std::vector<Expr> values, Span span = {});
Seq seq(std::vector<Stmt> stmts, Span span = {});
Stmt if_then(Expr condition, Seq then_body, Seq else_body = {}, std::vector<Var> results = {}, Span span = {});
/// The same statement with these lines before it.
Stmt with_comments(const Stmt& stmt, std::vector<std::string> comments);

/// IR_TOO_DEEP when the module nests deeper than kMaxDepth.
Status check_depth(const ModuleNode& module);

} // namespace ls::ir
