#include "core/passes/front/unroll_loops.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/ir/mutator.h"
#include "core/ir/substitute.h"
#include "core/ir/walk.h"
#include "core/support/checked.h"

namespace ls::front {

using namespace ir;

namespace {

constexpr std::int64_t kMostTurns = 1024;
constexpr std::size_t kMostStatements = 200'000; ///< that all copies of a program may have together

class Unroll final : public Mutator {
public:
    std::vector<Diagnostic> refusals;

protected:
    Stmt on_stmt(const Stmt& stmt) override {
        const Stmt now = Mutator::on_stmt(stmt); // loops inside it first
        const auto loop = ref_as<ForNode>(now);
        if (loop == nullptr || loop->loop != LoopKind::Unroll || !refusals.empty()) return now;
        const auto start = constant(loop->start), stop = constant(loop->stop), step = constant(loop->step);
        const CheckedInt span = start && stop ? checked_sub(*stop, *start) : CheckedInt{};
        if (!span || !step || *step == 0 || *step == INT64_MIN) {
            return refuse(now, "UNROLL_BOUNDS", "the bounds of this pl.unroll are no constants, or its step is zero",
                          "give it constants, or use pl.range");
        }
        const bool runs = *span != 0 && (*span > 0) == (*step > 0);
        const std::int64_t turns = runs ? *span / *step + (*span % *step != 0 ? 1 : 0) : 0;
        std::size_t size = 0;
        bool jumps = false;
        for_each_stmt(*loop->body, [&](const StmtNode& s) {
            ++size;
            jumps = jumps || s.kind == NodeKind::Break || s.kind == NodeKind::Continue;
        });
        if (jumps) return refuse(now, "UNROLL_JUMP", "break and continue have no loop to leave once this is unrolled", "put what follows under an if");
        if (turns > kMostTurns || size * static_cast<std::size_t>(turns) > kMostStatements - std::min(made_, kMostStatements)) {
            return refuse(now, "UNROLL_COUNT", fmt::format("this pl.unroll has {} turns of {} statements", turns, size),
                          fmt::format("at most {} turns are spelled out, and {} statements in all; use pl.range", kMostTurns, kMostStatements));
        }
        made_ += size * static_cast<std::size_t>(turns);
        std::vector<Expr> carried;
        for (const IterArg& a : loop->iter_args) carried.push_back(a.init);
        std::vector<Stmt> stmts;
        for (std::int64_t k = 0; k < turns; ++k) {
            Substitution by{{loop->var.get(), const_int(*start + k * *step)}};
            for (std::size_t i = 0; i < loop->iter_args.size(); ++i) by.emplace(loop->iter_args[i].var.get(), carried[i]);
            const Seq copy = substitute(loop->body, by);
            for (const Stmt& s : copy->stmts) {
                if (const auto* y = as<YieldNode>(s); y != nullptr && !loop->iter_args.empty()) carried = y->values;
                else stmts.push_back(s);
            }
            if (carried.size() != loop->iter_args.size()) return now; // no yield of as many: the reader refuses it
        }
        for (std::size_t i = 0; i < loop->results.size() && i < carried.size(); ++i) {
            stmts.push_back(assign(loop->results[i], carried[i], loop->span));
        }
        return seq(std::move(stmts));
    }

private:
    Stmt refuse(const Stmt& loop, const char* code, std::string why, std::string hint) {
        refusals.push_back(error_at(loop->span, code, std::move(why), std::move(hint)));
        return loop;
    }
    std::size_t made_ = 0;
};

} // namespace

PassResult unroll_loops(const Module& module, const PassContext&) {
    Unroll unroll;
    PassResult result;
    Module now = unroll.mutate(module);
    result.diagnostics = std::move(unroll.refusals);
    if (result.diagnostics.empty()) result.module = std::move(now);
    return result;
}

} // namespace ls::front
