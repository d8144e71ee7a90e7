#include "core/passes/nz/flatten_call_expr.h"

#include <unordered_set>
#include <string>

#include <fmt/format.h>

#include "core/dialect/pypto/pypto.h"
#include "core/ir/mutator.h"
#include "core/ir/walk.h"

namespace ls::nz {

using namespace ir;

namespace {

class Flatten final : public Mutator {
protected:
    Function on_function(const Function& function) override {
        taken_.clear();
        walk(*function, [&](const Node& node) {
            if (const auto* v = as<VarNode>(&node)) taken_.insert(v->name);
            return true;
        });
        next_ = 0;
        const Seq body = mutate(function->body); // options and attributes hold no operations
        if (body == function->body) return function;
        auto flat = derive(function);
        flat->body = body;
        return seal(std::move(flat));
    }

    Stmt on_stmt(const Stmt& stmt) override {
        std::vector<Stmt> outer;
        outer.swap(before_);
        Stmt now = rewrite(stmt);
        if (!before_.empty()) {
            before_.push_back(now);
            if (!now->comments.empty()) { // the lines above stay above
                before_.front() = with_comments(before_.front(), now->comments);
                before_.back() = with_comments(now, {});
            }
            now = seq(std::move(before_));
        }
        before_ = std::move(outer);
        return now;
    }

    Expr on_call(const Call& call) override {
        const bool keep = keep_;
        keep_ = false;
        Expr now = Mutator::on_call(call);
        if (keep) return now;
        Var t = var(temporary(), pypto::infer_type(now), call->span);
        before_.push_back(assign(t, now, call->span));
        return t;
    }

    Type on_type(const Type& type) override { return type; }

private:
    std::string temporary() {
        std::string name;
        do name = fmt::format("t__tmp_v{}", next_++);
        while (taken_.count(name) != 0);
        return name;
    }

    Stmt rewrite(const Stmt& stmt) {
        switch (stmt->kind) {
        case NodeKind::With: return with(ref_as<WithNode>(stmt));
        case NodeKind::While: {
            const auto old = ref_as<WhileNode>(stmt);
            const Seq body = mutate(old->body);
            if (body == old->body) return stmt;
            auto n = derive(old);
            n->body = body;
            return seal(std::move(n));
        }
        case NodeKind::For: return loop(ref_as<ForNode>(stmt));
        default: break;
        }
        if (stmt->kind == NodeKind::Assign || stmt->kind == NodeKind::Eval) {
            const Expr& value =
                stmt->kind == NodeKind::Assign ? as<AssignNode>(stmt)->value : as<EvalNode>(stmt)->value;
            keep_ = value->kind == NodeKind::Call; // the call of the statement itself
        }
        Stmt now = Mutator::on_stmt(stmt);
        keep_ = false;
        return now;
    }

    Stmt with(const Ref<WithNode>& old) {
        const Seq body = mutate(old->body);
        if (body == old->body) return old;
        auto n = derive(old);
        n->body = body;
        return seal(std::move(n));
    }

    /// Only bounds and initial values: hints like optimizations=[pl.split(...)] are no operations.
    Stmt loop(const Ref<ForNode>& old) {
        auto n = derive(old);
        n->start = mutate(old->start);
        n->stop = mutate(old->stop);
        n->step = mutate(old->step);
        for (IterArg& a : n->iter_args) a.init = mutate(a.init);
        n->body = mutate(old->body);
        bool same = n->start == old->start && n->stop == old->stop && n->step == old->step && n->body == old->body;
        for (std::size_t i = 0; i < n->iter_args.size(); ++i)
            same = same && n->iter_args[i].init == old->iter_args[i].init;
        return same ? Stmt(old) : seal(std::move(n));
    }

    std::vector<Stmt> before_; ///< what must run before the statement being rewritten
    bool keep_ = false;        ///< the next call is the statement's own
    std::unordered_set<std::string> taken_;
    int next_ = 0;
};

} // namespace

PassResult flatten_call_expr(const Module& module, const PassContext&) {
    Flatten flatten;
    return PassResult::unchanged(flatten.mutate(module));
}

} // namespace ls::nz
