#include "core/passes/tirx/common_subexpr_elim.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "core/dialect/tirx/buffers.h"
#include "core/dialect/tirx/fold.h"
#include "core/ir/children.h"
#include "core/ir/mutator.h"
#include "core/ir/substitute.h"
#include "core/passes/tirx/function_pass.h"
#include "core/passes/tirx/same_value.h"

namespace ls::tirx {

using namespace ir;

namespace {

struct Plan {
    std::unordered_map<const Node*, std::vector<Stmt>> before; ///< bindings put before a statement
    std::unordered_map<std::int64_t, Var> variables;           ///< by the expression's number
};

/// Bitwise operations are calls in the reference, and calls stay where they are.
bool is_operation(BinaryOp op) {
    switch (op) {
    case BinaryOp::BitAnd:
    case BinaryOp::BitOr:
    case BinaryOp::BitXor:
    case BinaryOp::Shl:
    case BinaryOp::Shr:
    case BinaryOp::Pow:
    case BinaryOp::Xor: return false;
    default: return true;
    }
}

/// Truncating division, which is held as a call.
bool is_truncating(const Expr& e) {
    const auto* c = as<CallNode>(e);
    return c != nullptr && c->args.size() == 2 && (c->is_op("Div") || c->is_op("truncmod"));
}

class Planner {
public:
    explicit Planner(ValueNumbers& numbers) : numbers_(numbers) { scopes_.push_back({0, 0, nullptr}); }

    void visit(const Seq& body) {
        if (body == nullptr) return;
        for (const Stmt& s : body->stmts) visit(s);
    }
    Plan plan();

private:
    struct Scope {
        std::size_t parent, depth;
        const Node* creator;
    };
    struct Entry {
        Expr expr, repr; ///< repr: the same with the variables that came before it
        std::int64_t number = 0;
        int count = 0, consumed = 0, depth = 1;
        std::size_t common_scope = 0, first_scope = 0;
        const Node* first_stmt = nullptr;
        std::vector<std::int64_t> children; ///< direct ones, as often as they occur
    };

    void visit(const Stmt& stmt);
    /// Whether nothing in it is a call or a read.
    bool visit(const Expr& expr);
    void record(const Expr& expr, const std::vector<Expr>& parts);
    void inside(const Stmt& creator, const Seq& body) {
        const std::size_t outer = scope_;
        scopes_.push_back({outer, scopes_[outer].depth + 1, creator.get()});
        scope_ = scopes_.size() - 1;
        visit(body);
        scope_ = outer;
    }
    std::size_t common(std::size_t a, std::size_t b) const {
        while (a != b) {
            std::size_t& deeper = scopes_[a].depth >= scopes_[b].depth ? a : b;
            deeper = scopes_[deeper].parent;
        }
        return a;
    }
    const Node* insertion(const Entry& e) const {
        if (e.first_scope == e.common_scope) return e.first_stmt;
        std::size_t s = e.first_scope;
        while (scopes_[s].parent != e.common_scope) s = scopes_[s].parent;
        return scopes_[s].creator;
    }

    ValueNumbers& numbers_;
    std::vector<Scope> scopes_;
    std::size_t scope_ = 0;
    const Node* stmt_ = nullptr;
    int let_depth_ = 0;
    std::vector<Entry> entries_;
    std::unordered_map<std::int64_t, std::size_t> by_number_;
};

void Planner::visit(const Stmt& stmt) {
    stmt_ = stmt.get();
    const auto value = [&](const Expr& e) {
        if (e != nullptr) visit(e);
    };
    switch (stmt->kind) {
    case NodeKind::Assign: {
        const auto* a = as<AssignNode>(stmt);
        const auto* type = a->targets.size() == 1 ? buffer_type(a->targets[0]) : nullptr;
        if (type == nullptr) return value(a->value);
        for (const Expr& e : type->shape) visit(e);
        for (const Expr& e : type->strides) visit(e);
        return value(type->elem_offset);
    }
    case NodeKind::Eval: return value(as<EvalNode>(stmt)->value);
    case NodeKind::Store: {
        const auto* s = as<StoreNode>(stmt);
        value(s->value);
        if (const auto* target = as<SubscriptNode>(s->target)) {
            for (const Expr& e : target->indices) visit(e);
        }
        return;
    }
    case NodeKind::Assert: return value(as<AssertNode>(stmt)->condition);
    case NodeKind::Return:
        for (const Expr& e : as<ReturnNode>(stmt)->values) visit(e);
        return;
    case NodeKind::If: {
        const auto* i = as<IfNode>(stmt);
        value(i->condition);
        inside(stmt, i->then_body);
        if (i->else_body != nullptr) inside(stmt, i->else_body);
        return;
    }
    case NodeKind::For: {
        const auto* loop = as<ForNode>(stmt);
        value(loop->start);
        value(loop->stop);
        return inside(stmt, loop->body);
    }
    case NodeKind::While: value(as<WhileNode>(stmt)->condition); return inside(stmt, as<WhileNode>(stmt)->body);
    case NodeKind::With: value(as<WithNode>(stmt)->scope); return inside(stmt, as<WithNode>(stmt)->body);
    case NodeKind::Seq: return visit(ref_as<SeqNode>(stmt));
    default: return;
    }
}

bool Planner::visit(const Expr& expr) {
    const auto all = [&](const std::vector<Expr>& parts) {
        bool pure = true;
        for (const Expr& e : parts) pure = visit(e) && pure;
        return pure;
    };
    switch (expr->kind) {
    case NodeKind::Binary: {
        const auto* b = as<BinaryNode>(expr);
        const bool pure = all({b->lhs, b->rhs});
        if (!is_operation(b->op)) return false;
        if (pure) record(expr, {b->lhs, b->rhs});
        return pure;
    }
    case NodeKind::Unary: return visit(as<UnaryNode>(expr)->operand) && as<UnaryNode>(expr)->op == UnaryOp::Not;
    case NodeKind::Cast: {
        const bool pure = visit(as<CastNode>(expr)->value);
        if (pure) record(expr, {as<CastNode>(expr)->value});
        return pure;
    }
    case NodeKind::Select: {
        const auto* s = as<SelectNode>(expr);
        const bool pure = all({s->condition, s->on_true, s->on_false});
        if (pure) record(expr, {s->condition, s->on_true, s->on_false});
        return pure;
    }
    case NodeKind::Subscript: all(as<SubscriptNode>(expr)->indices); return false;
    case NodeKind::Slice: {
        const auto* s = as<SliceNode>(expr);
        bool pure = true;
        for (const Expr* e : {&s->begin, &s->end, &s->step}) pure = (*e == nullptr || visit(*e)) && pure;
        return pure;
    }
    case NodeKind::Tuple: return all(as<TupleNode>(expr)->elements);
    case NodeKind::Lambda: {
        ++let_depth_; // its variables are not visible where a binding would stand
        visit(as<LambdaNode>(expr)->body);
        --let_depth_;
        return false;
    }
    case NodeKind::Call: {
        const auto* c = as<CallNode>(expr);
        const bool pure = all(c->args);
        for (const KeyValue& k : c->kwargs) visit(k.value);
        if (c->is_op("Shuffle")) return pure;
        if (pure && is_truncating(expr)) {
            record(expr, c->args);
            return true;
        }
        return false;
    }
    default: return true;
    }
}

void Planner::record(const Expr& expr, const std::vector<Expr>& parts) {
    const auto dtype = expr_dtype(expr);
    if (let_depth_ > 0 || !dtype || *dtype == DType::Bool) return;
    const std::int64_t number = numbers_.of(expr);
    const auto [at, fresh] = by_number_.emplace(number, entries_.size());
    if (fresh) {
        Entry e;
        e.expr = e.repr = expr;
        e.number = number;
        e.common_scope = e.first_scope = scope_;
        e.first_stmt = stmt_;
        for (const Expr& part : parts) {
            const auto child = by_number_.find(numbers_.of(part));
            if (child == by_number_.end() || child->second == entries_.size()) continue;
            e.children.push_back(child->first);
            e.depth = std::max(e.depth, entries_[child->second].depth + 1);
        }
        entries_.push_back(std::move(e));
    }
    Entry& e = entries_[at->second];
    if (!fresh) e.common_scope = common(e.common_scope, scope_);
    ++e.count;
}

/// Every occurrence of one computation as a variable.
class Replacer final : public Mutator {
public:
    Replacer(ValueNumbers& numbers, const std::unordered_map<std::int64_t, Var>& by) : numbers_(numbers), by_(by) {}

protected:
    Expr on_expr(const Expr& expr) override {
        if (expr->kind == NodeKind::Binary || expr->kind == NodeKind::Cast || expr->kind == NodeKind::Select ||
            expr->kind == NodeKind::Call) {
            if (const auto found = by_.find(numbers_.of(expr)); found != by_.end()) return found->second;
        }
        return Mutator::on_expr(expr);
    }

private:
    ValueNumbers& numbers_;
    const std::unordered_map<std::int64_t, Var>& by_;
};

Plan Planner::plan() {
    std::vector<std::size_t> order(entries_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return entries_[a].depth < entries_[b].depth; });
    // What a repeated expression takes out with it is no occurrence of its own.
    for (const Entry& e : entries_) {
        if (e.count < 2) continue;
        for (const std::int64_t child : e.children) entries_[by_number_.at(child)].consumed += e.count - 1;
    }
    Plan plan;
    std::unordered_map<std::int64_t, Var> as_written; ///< by the number of repr
    for (const std::size_t i : order) {
        Entry& e = entries_[i];
        if (e.count - e.consumed < 2) continue;
        Replacer replacer(numbers_, as_written);
        e.repr = replacer.mutate(e.expr);
        const Var v = var(fmt::format("cse_v{}", plan.variables.size() + 1), scalar_type(*expr_dtype(e.expr)));
        plan.before[insertion(e)].push_back(assign(v, e.repr));
        plan.variables.emplace(e.number, v);
        as_written.emplace(e.number, v);
    }
    return plan;
}

class Rewriter final : public Mutator {
public:
    Rewriter(ValueNumbers& numbers, const Plan& plan) : numbers_(numbers), plan_(plan) {}

protected:
    Var on_define(const Var& var) override { return var; }
    Expr on_expr(const Expr& expr) override {
        switch (expr->kind) {
        case NodeKind::Binary:
        case NodeKind::Cast:
        case NodeKind::Select:
        case NodeKind::Call:
            if (const auto found = plan_.variables.find(numbers_.of(expr)); found != plan_.variables.end()) {
                return found->second;
            }
            break;
        default: break;
        }
        return Mutator::on_expr(expr);
    }
    /// A statement that stands in several places (copies of an unrolled body share what does not change) gets bindings
    /// of its own in each.
    Stmt on_stmt(const Stmt& stmt) override {
        Stmt made = Mutator::on_stmt(stmt);
        const auto found = plan_.before.find(stmt.get());
        if (found == plan_.before.end()) return made;
        std::vector<Stmt> out;
        if (placed_.insert(stmt.get()).second) {
            out = found->second;
            out.push_back(std::move(made));
        } else {
            Substitution fresh;
            for (const Stmt& s : found->second) {
                const auto* a = as<AssignNode>(s);
                const Var now = var(a->targets[0]->name, a->targets[0]->type);
                out.push_back(assign(now, substitute(a->value, fresh)));
                fresh[a->targets[0].get()] = now;
            }
            const Seq one = substitute(seq({std::move(made)}), fresh);
            out.insert(out.end(), one->stmts.begin(), one->stmts.end());
        }
        return seq(std::move(out));
    }

private:
    ValueNumbers& numbers_;
    const Plan& plan_;
    std::unordered_set<const Node*> placed_;
};

} // namespace

PassResult common_subexpr_elim(const Module& module, const PassContext&) {
    return rewrite_functions(module, [](const Function& f) -> Result<Function> {
        ValueNumbers numbers;
        Planner planner(numbers);
        planner.visit(f->body);
        const Plan plan = planner.plan();
        if (plan.variables.empty()) return f;
        Rewriter rewriter(numbers, plan);
        return with_body(f, rewriter.mutate(f->body));
    });
}

} // namespace ls::tirx
