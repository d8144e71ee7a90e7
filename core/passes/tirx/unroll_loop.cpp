#include "core/passes/tirx/unroll_loop.h"

#include <fmt/format.h>

#include "core/dialect/tirx/fold.h"
#include "core/ir/mutator.h"
#include "core/ir/walk.h"
#include "core/passes/tirx/function_pass.h"
#include "core/passes/tirx/index_simplify.h"

namespace ls::tirx {

using namespace ir;

namespace {

constexpr std::size_t kMaxNodes = 4'000'000;

/// One more copy of a body: the loop's variable is a number, and everything that the body defines is another variable
/// of the same name.
class IterationCopy final : public Mutator {
public:
    IterationCopy(const Var& var, Expr value) { replace(var, std::move(value)); }

protected:
    Var on_define(const Var& old) override {
        auto made = derive(old);
        made->type = mutate(old->type);
        const Var now = seal(std::move(made));
        replace(old, now);
        return now;
    }
};

class LoopUnroller final : public Mutator {
public:
    std::optional<Diagnostic> refusal;

protected:
    Var on_define(const Var& var) override { return var; }
    Expr on_expr(const Expr& expr) override { return expr; }

    /// Each statement counts its own steps, then they add up.
    Stmt on_stmt(const Stmt& stmt) override {
        if (refusal) return stmt;
        const std::int64_t before = steps_;
        const int normal = normal_depth_;
        steps_ = stmt->kind == NodeKind::Eval || stmt->kind == NodeKind::Store ? 1 : 0;
        normal_depth_ = 0;
        const auto* loop = as<ForNode>(stmt);
        Stmt made = loop != nullptr && loop->var != nullptr ? on_loop(stmt, *loop) : Mutator::on_stmt(stmt);
        steps_ = std::min(steps_ + before, kManySteps);
        normal_depth_ = std::max(normal_depth_, normal);
        return made;
    }

private:
    static constexpr std::int64_t kManySteps = std::int64_t{1} << 30;

    Stmt on_loop(const Stmt& stmt, const ForNode& loop) {
        const Seq body = mutate(loop.body);
        const auto count = constant(simple_.simplify(make_binary(BinaryOp::Sub, loop.stop, loop.start)));
        const bool unroll = loop.loop == LoopKind::Unroll;
        const bool serial = loop.loop == LoopKind::Range || loop.loop == LoopKind::Serial;
        const bool idle = serial && count && *count >= 0 && normal_depth_ == 0 && (steps_ == 0 || *count == 0);
        if (unroll && (!count || *count < 0)) {
            refusal = error_at(
                stmt->span, "TIRX_UNROLL_EXTENT",
                fmt::format("the loop over \"{}\" is to be unrolled, and its extent is no constant", loop.var->name),
                "loop with T.serial, or give a constant extent");
            return stmt;
        }
        if (unroll || idle) {
            steps_ = std::min(steps_ * std::min(*count, kManySteps), kManySteps);
            return unrolled(stmt, loop, body, *count);
        }
        ++normal_depth_;
        if (body == loop.body) return stmt;
        auto copy = derive(ref_as<ForNode>(stmt));
        copy->body = body;
        return seal(std::move(copy));
    }

    Stmt unrolled(const Stmt& stmt, const ForNode& loop, const Seq& body, std::int64_t count) {
        nodes_ += count_nodes(*body) * static_cast<std::size_t>(std::min<std::int64_t>(count, kMaxNodes));
        if (nodes_ > kMaxNodes) {
            refusal = error_at(stmt->span, "TIRX_UNROLL_SIZE",
                               fmt::format("written out, the loop over \"{}\" has {} iterations and the program more "
                                           "than {} parts",
                                           loop.var->name, count, kMaxNodes),
                               "loop with T.serial");
            return stmt;
        }
        std::vector<Stmt> out;
        for (std::int64_t i = 0; i < count; ++i) {
            const DType dtype = expr_dtype(loop.var).value_or(DType::Int32);
            const Expr step = make_binary(BinaryOp::Mul, const_int(i, dtype), loop.step);
            IterationCopy copy(loop.var, make_binary(BinaryOp::Add, loop.start, step));
            const Seq one = copy.mutate(body);
            out.insert(out.end(), one->stmts.begin(), one->stmts.end());
        }
        if (out.empty()) out.push_back(eval(const_int(0, DType::Int32), stmt->span));
        auto made = std::make_shared<SeqNode>();
        made->stmts = std::move(out);
        made->span = stmt->span;
        made->origin = stmt;
        return seal(std::move(made));
    }

    std::int64_t steps_ = 0; ///< stores and calls, iterations of unrolled loops counted
    int normal_depth_ = 0;   ///< loops that stay
    std::size_t nodes_ = 0;
    IndexSimplifier simple_;
};

} // namespace

PassResult unroll_loop(const Module& module, const PassContext&) {
    return rewrite_functions(module, [](const Function& f) -> Result<Function> {
        LoopUnroller unroller;
        Seq body = unroller.mutate(f->body);
        if (unroller.refusal) return *std::move(unroller.refusal);
        return with_body(f, std::move(body));
    });
}

} // namespace ls::tirx
