#include "core/passes/nz/simplify_control.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/ir/mutator.h"
#include "core/ir/walk.h"
#include "core/support/checked.h"

namespace ls::nz {

using namespace ir;

namespace {

struct Interval {
    std::int64_t low, high;
};

/// A break or continue anywhere in the body: then it is no straight piece of program.
bool jumps(const SeqNode& body) {
    bool found = false;
    for_each_stmt(body, [&](const StmtNode& s) { found = found || s.kind == NodeKind::Break || s.kind == NodeKind::Continue; });
    return found;
}

class SimplifyControl final : public Mutator {
protected:
    Stmt on_stmt(const Stmt& stmt) override {
        if (const auto loop = ref_as<ForNode>(stmt)) return on_for(loop);
        if (const auto branch = ref_as<IfNode>(stmt)) return on_if(branch);
        return Mutator::on_stmt(stmt);
    }

private:
    /// The body's statements, its yields as the values of `results`; nothing when it does not end in a yield of as many.
    Stmt instead(const Seq& body, const std::vector<Var>& results) {
        std::vector<Stmt> stmts;
        const Seq now = mutate(body);
        if (now != nullptr) {
            for (const Stmt& s : now->stmts) {
                const auto* y = as<YieldNode>(s);
                if (y == nullptr) {
                    stmts.push_back(s);
                    continue;
                }
                for (std::size_t i = 0; i < std::min(y->values.size(), results.size()); ++i) replace(results[i], y->values[i]);
            }
        }
        return seq(std::move(stmts));
    }
    static bool yields_all(const Seq& body, std::size_t count) {
        if (count == 0) return true;
        const auto* y = body == nullptr || body->stmts.empty() ? nullptr : as<YieldNode>(body->stmts.back());
        return y != nullptr && y->values.size() >= count;
    }

    Stmt on_if(const Ref<IfNode>& branch) {
        const auto decided = decide(mutate(branch->condition));
        if (decided) {
            const Seq& taken = *decided ? branch->then_body : branch->else_body;
            if (yields_all(taken, branch->results.size())) return instead(taken, branch->results);
        }
        return Mutator::on_stmt(branch);
    }

    Stmt on_for(const Ref<ForNode>& loop) {
        const auto start = constant(loop->start), stop = constant(loop->stop), step = constant(loop->step);
        const bool known = start && stop && step && *step > 0 && *start < *stop;
        if (!known) return Mutator::on_stmt(loop);
        const CheckedInt next = checked_add(*start, *step);
        const bool once = next && *next >= *stop && loop->loop == LoopKind::Range && loop->body != nullptr;
        if (once && yields_all(loop->body, loop->results.size()) && !jumps(*loop->body)) {
            replace(loop->var, loop->start);
            for (const IterArg& a : loop->iter_args) replace(a.var, mutate(a.init));
            return instead(loop->body, loop->results);
        }
        bounds_[loop->var.get()] = {*start, *stop - 1};
        return Mutator::on_stmt(loop);
    }

    std::optional<Interval> interval(const Expr& e) const {
        if (const auto v = constant(e)) return Interval{*v, *v};
        if (const auto* v = as<VarNode>(e)) {
            const auto found = bounds_.find(v);
            return found == bounds_.end() ? std::nullopt : std::optional(found->second);
        }
        const auto* b = as<BinaryNode>(e);
        const auto x = b != nullptr ? interval(b->lhs) : std::nullopt, y = b != nullptr ? interval(b->rhs) : std::nullopt;
        if (!x || !y) return {};
        const auto make = [](CheckedInt low, CheckedInt high) { return low && high ? std::optional(Interval{*low, *high}) : std::nullopt; };
        switch (b->op) {
        case BinaryOp::Add: return make(checked_add(x->low, y->low), checked_add(x->high, y->high));
        case BinaryOp::Sub: return make(checked_sub(x->low, y->high), checked_sub(x->high, y->low));
        case BinaryOp::Mul:
            return x->low >= 0 && y->low >= 0 ? make(checked_mul(x->low, y->low), checked_mul(x->high, y->high)) : std::nullopt;
        default: return {};
        }
    }

    std::optional<bool> decide(const Expr& condition) const {
        if (const auto* known = as<ConstBoolNode>(condition)) return known->value;
        const auto* b = as<BinaryNode>(condition);
        if (b == nullptr || !is_compare(b->op)) return {};
        const auto x = interval(b->lhs), y = interval(b->rhs);
        if (!x || !y) return {};
        const bool below = x->high < y->low, not_above = x->high <= y->low, above = x->low > y->high, not_below = x->low >= y->high;
        const bool same = x->low == x->high && y->low == y->high && x->low == y->low;
        const auto answer = [](bool yes, bool no) { return yes ? std::optional(true) : no ? std::optional(false) : std::nullopt; };
        switch (b->op) {
        case BinaryOp::Lt: return answer(below, not_below);
        case BinaryOp::Le: return answer(not_above, above);
        case BinaryOp::Gt: return answer(above, not_above);
        case BinaryOp::Ge: return answer(not_below, below);
        case BinaryOp::Eq: return answer(same, below || above);
        case BinaryOp::Ne: return answer(below || above, same);
        default: return {};
        }
    }

    std::unordered_map<const VarNode*, Interval> bounds_; ///< of loop variables
};

} // namespace

Module simplify_control(const Module& module) { return SimplifyControl().mutate(module); }

} // namespace ls::nz
