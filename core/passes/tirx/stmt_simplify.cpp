#include "core/passes/tirx/stmt_simplify.h"

#include "core/dialect/tirx/buffers.h"
#include "core/dialect/tirx/fold.h"
#include "core/ir/mutator.h"
#include "core/ir/walk.h"
#include "core/passes/tirx/function_pass.h"
#include "core/passes/tirx/index_simplify.h"
#include "core/passes/tirx/same_value.h"

namespace ls::tirx {

using namespace ir;

namespace {

class StmtSimplifier final : public Mutator {
protected:
    Var on_define(const Var& var) override { return var; }
    Expr on_expr(const Expr& expr) override { return known_.simplify(expr); }

    Stmt on_stmt(const Stmt& stmt) override {
        switch (stmt->kind) {
        case NodeKind::Assign: return on_assign(stmt, *as<AssignNode>(stmt));
        case NodeKind::Store: return on_store(stmt);
        case NodeKind::If: return on_if(stmt, *as<IfNode>(stmt));
        case NodeKind::While: return on_while(stmt, *as<WhileNode>(stmt));
        case NodeKind::For: {
            const auto* loop = as<ForNode>(stmt);
            if (loop->var == nullptr || !is_constant(loop->step, 1)) return Mutator::on_stmt(stmt);
            // stop is start + extent
            known_.set_loop(*loop->var, known_.simplify(loop->start),
                            known_.simplify(make_binary(BinaryOp::Sub, loop->stop, loop->start)));
            return Mutator::on_stmt(stmt);
        }
        case NodeKind::With: {
            const auto* w = as<WithNode>(stmt);
            const auto axis = launched_axis(*w);
            if (!axis.empty() && w->var != nullptr) {
                known_.set_loop(*w->var, const_int(0, DType::Int32), known_.simplify(launched_extent(*w)));
            }
            return Mutator::on_stmt(stmt);
        }
        default: return Mutator::on_stmt(stmt);
        }
    }

private:
    Stmt on_assign(const Stmt& stmt, const AssignNode& a) {
        for (const Var& v : a.targets) {
            if (buffer_type(v) != nullptr) return stmt;
        }
        const Expr value = known_.simplify(a.value);
        if (a.targets.size() == 1 && as<ScalarTypeNode>(a.targets[0]->type) != nullptr && is_pure(value)) {
            // Values put into values may double with each binding; a long one stays a variable.
            constexpr std::size_t kLongest = 256;
            if (count_nodes(*value) <= kLongest) {
                known_.set_value(*a.targets[0], value);
            } else {
                known_.set_range(*a.targets[0], known_.range(value));
            }
        }
        if (value == a.value) return stmt;
        auto made = derive(ref_as<AssignNode>(stmt));
        made->value = value;
        return seal(std::move(made));
    }

    Stmt on_store(const Stmt& stmt) {
        Stmt made = Mutator::on_stmt(stmt);
        const auto* s = as<StoreNode>(made);
        return same_value(s->target, s->value) ? nothing(stmt) : made;
    }

    Stmt on_if(const Stmt& stmt, const IfNode& i) {
        if (!i.results.empty()) return Mutator::on_stmt(stmt);
        const Expr condition = known_.simplify(i.condition);
        if (const auto value = known_.decided(condition)) {
            const Seq& taken = *value ? i.then_body : i.else_body;
            return taken == nullptr ? nothing(stmt) : Stmt(mutate(taken));
        }
        const auto body = [&](const Seq& b, bool holds) {
            const IndexSimplifier::Assume here(known_, condition, holds);
            return mutate(b);
        };
        const Seq then_body = body(i.then_body, true), else_body = i.else_body ? body(i.else_body, false) : Seq{};
        if (condition == i.condition && then_body == i.then_body && else_body == i.else_body) return stmt;
        auto made = derive(ref_as<IfNode>(stmt));
        made->condition = condition;
        made->then_body = then_body;
        made->else_body = else_body;
        return seal(std::move(made));
    }

    /// What held before a loop need not hold in its condition's next test, but variables bound outside do not change.
    Stmt on_while(const Stmt& stmt, const WhileNode& w) {
        const Expr condition = known_.simplify(w.condition);
        const IndexSimplifier::Assume here(known_, condition, true);
        const Seq body = mutate(w.body);
        if (condition == w.condition && body == w.body) return stmt;
        auto made = derive(ref_as<WhileNode>(stmt));
        made->condition = condition;
        made->body = body;
        return seal(std::move(made));
    }

    static Stmt nothing(const Stmt& from) {
        auto made = std::make_shared<EvalNode>();
        made->value = const_int(0, DType::Int32);
        made->origin = from;
        made->span = from->span;
        return seal(std::move(made));
    }

    IndexSimplifier known_;
};

} // namespace

PassResult stmt_simplify(const Module& module, const PassContext&) {
    return rewrite_functions(module, [](const Function& f) -> Result<Function> {
        StmtSimplifier simplifier;
        return with_body(f, simplifier.mutate(f->body));
    });
}

} // namespace ls::tirx
