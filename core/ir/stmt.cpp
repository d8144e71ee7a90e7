#include "core/ir/stmt.h"

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

constexpr std::array<std::string_view, 10> kLoops{"range",     "parallel", "unroll",     "pipeline",       "spmd",
                                                  "split_aiv", "serial",   "vectorized", "thread_binding", "grid"};
constexpr std::array<std::string_view, 11> kFunctions{"Opaque", "Orchestration", "InCore", "AIC",    "AIV",     "Group",
                                                      "Spmd",   "Inline",        "Graph",  "Kernel", "PrimFunc"};

template <class T>
Stmt commented(const Stmt& stmt, std::vector<std::string>&& comments) {
    auto copy = derive(ref_as<T>(stmt));
    copy->origin = stmt->origin;
    copy->comments = std::move(comments);
    return seal(std::move(copy));
}

} // namespace

std::string_view name(LoopKind kind) { return kLoops.at(static_cast<std::size_t>(kind)); }
std::string_view name(FunctionKind kind) { return kFunctions.at(static_cast<std::size_t>(kind)); }

std::optional<FunctionKind> function_kind_from_name(std::string_view text) {
    for (std::size_t i = 0; i < kFunctions.size(); ++i) {
        if (kFunctions.at(i) == text) return static_cast<FunctionKind>(i);
    }
    return {};
}

const ExprNode* FunctionNode::attr(std::string_view key) const {
    for (const KeyValue& a : attrs) {
        if (a.key == key) return a.value.get();
    }
    return nullptr;
}

const FunctionNode* ModuleNode::find(std::string_view function_name) const {
    for (const Function& f : functions) {
        if (f->name == function_name) return f.get();
    }
    return nullptr;
}

Stmt assign(Var target, Expr value, Span span, bool annotated) {
    auto n = fresh<AssignNode>(span);
    n->targets.push_back(std::move(target));
    n->value = std::move(value);
    n->annotated = annotated;
    return seal(std::move(n));
}

Stmt assign(std::vector<Var> targets, Expr value, Span span) {
    auto n = fresh<AssignNode>(span);
    n->targets = std::move(targets);
    n->value = std::move(value);
    n->annotated = false;
    return seal(std::move(n));
}

Stmt eval(Expr value, Span span) {
    auto n = fresh<EvalNode>(span);
    n->value = std::move(value);
    return seal(std::move(n));
}

Stmt store(Expr target, Expr value, Span span) {
    auto n = fresh<StoreNode>(span);
    n->target = std::move(target);
    n->value = std::move(value);
    return seal(std::move(n));
}

Stmt return_values(std::vector<Expr> values, Span span) {
    auto n = fresh<ReturnNode>(span);
    n->values = std::move(values);
    return seal(std::move(n));
}

Stmt yield_values(std::vector<Expr> values, Span span) {
    auto n = fresh<YieldNode>(span);
    n->values = std::move(values);
    return seal(std::move(n));
}

Seq seq(std::vector<Stmt> stmts, Span span) {
    auto n = fresh<SeqNode>(span);
    n->stmts = std::move(stmts);
    return seal(std::move(n));
}

Stmt if_then(Expr condition, Seq then_body, Seq else_body, std::vector<Var> results, Span span) {
    auto n = fresh<IfNode>(span);
    n->condition = std::move(condition);
    n->then_body = std::move(then_body);
    n->else_body = std::move(else_body);
    n->results = std::move(results);
    return seal(std::move(n));
}

Stmt with_comments(const Stmt& stmt, std::vector<std::string> comments) {
    switch (stmt->kind) {
    case NodeKind::Assign: return commented<AssignNode>(stmt, std::move(comments));
    case NodeKind::Eval: return commented<EvalNode>(stmt, std::move(comments));
    case NodeKind::Store: return commented<StoreNode>(stmt, std::move(comments));
    case NodeKind::Return: return commented<ReturnNode>(stmt, std::move(comments));
    case NodeKind::Yield: return commented<YieldNode>(stmt, std::move(comments));
    case NodeKind::Break: return commented<BreakNode>(stmt, std::move(comments));
    case NodeKind::Continue: return commented<ContinueNode>(stmt, std::move(comments));
    case NodeKind::Assert: return commented<AssertNode>(stmt, std::move(comments));
    case NodeKind::Comment: return commented<CommentNode>(stmt, std::move(comments));
    case NodeKind::Raw: return commented<RawNode>(stmt, std::move(comments));
    case NodeKind::If: return commented<IfNode>(stmt, std::move(comments));
    case NodeKind::For: return commented<ForNode>(stmt, std::move(comments));
    case NodeKind::While: return commented<WhileNode>(stmt, std::move(comments));
    case NodeKind::With: return commented<WithNode>(stmt, std::move(comments));
    default: return stmt;
    }
}

} // namespace ls::ir
