#include "core/passes/front/ctrl_flow_transform.h"

#include <fmt/format.h>

#include "core/ir/mutator.h"
#include "core/ir/substitute.h"
#include "core/ir/walk.h"

namespace ls::front {

using namespace ir;

namespace {

constexpr std::size_t kMostStatements = 200'000;

/// Whether it leaves or goes on with the loop that it stands in; loops inside it have jumps of their own.
bool jumps(const Node& node, NodeKind kind) {
    bool found = false;
    walk(node, [&](const Node& n) {
        found = found || n.kind == kind;
        return !found && StmtNode::is(n.kind) && n.kind != NodeKind::For && n.kind != NodeKind::While;
    });
    return found;
}

class Structure final : public Mutator {
public:
    std::vector<Diagnostic> refusals;

protected:
    Function on_function(const Function& function) override {
        const FunctionKind kind = function->function;
        const bool kernel = kind == FunctionKind::InCore || kind == FunctionKind::AIC || kind == FunctionKind::AIV;
        next_ = 0;
        return kernel ? Mutator::on_function(function) : function;
    }

    Stmt on_stmt(const Stmt& stmt) override {
        const Stmt now = Mutator::on_stmt(stmt); // loops inside it first
        if (const auto loop = ref_as<ForNode>(now)) return structured(loop);
        if (const auto loop = ref_as<WhileNode>(now)) return structured(loop);
        return now;
    }

private:
    using Stmts = std::vector<Stmt>;

    void refuse(Span span, const char* code, std::string why, std::string hint) {
        if (refusals.empty()) refusals.push_back(error_at(span, code, std::move(why), std::move(hint)));
    }

    /// The statements with every jump of this kind replaced by `instead`; nothing that a jump skips runs after it.
    Stmts without(NodeKind kind, const Stmts& stmts, const Stmts& rest, const Stmts& instead) {
        Stmts out;
        struct Level {
            std::uint32_t& depth;
            ~Level() { --depth; }
        } level{++depth_};
        for (std::size_t i = 0; i < stmts.size() + rest.size() && refusals.empty(); ++i) {
            const Stmt& s = i < stmts.size() ? stmts[i] : rest[i - stmts.size()];
            if (++statements_ > kMostStatements || depth_ > kMaxDepth / 4) {
                refuse(s->span, "CTRL_SIZE", fmt::format("without jumps this function has more than {} statements, or branches {} deep", kMostStatements, kMaxDepth / 4),
                       "what follows a jump is written into each branch that does not jump: jump from fewer places");
                break;
            }
            if (s->kind == kind) {
                out.insert(out.end(), instead.begin(), instead.end());
                return out;
            }
            if (s->kind == NodeKind::For || s->kind == NodeKind::While || !jumps(*s, kind)) {
                out.push_back(s);
                continue;
            }
            const auto branch = ref_as<IfNode>(s);
            if (branch == nullptr || !branch->results.empty()) {
                refuse(s->span, "CTRL_SCOPE", "a jump leaves a scope, or a branch that hands values on", "jump outside it, or write the condition around what is skipped");
                break;
            }
            Stmts behind;
            for (std::size_t k = i + 1; k < stmts.size() + rest.size(); ++k) behind.push_back(k < stmts.size() ? stmts[k] : rest[k - stmts.size()]);
            auto now = derive(branch);
            now->then_body = body_of(without(kind, branch->then_body->stmts, behind, instead), branch->then_body);
            Stmts other = without(kind, branch->else_body != nullptr ? branch->else_body->stmts : Stmts{}, behind, instead);
            now->else_body = other.empty() ? Seq{} : body_of(std::move(other), branch->else_body != nullptr ? branch->else_body : branch->then_body);
            out.push_back(seal(std::move(now)));
            return out;
        }
        return out;
    }

    static Seq body_of(Stmts stmts, const Seq& like) {
        auto now = derive(like);
        now->stmts = std::move(stmts);
        return seal(std::move(now));
    }

    template <class Loop>
    Ref<Loop> without_continue(const Ref<Loop>& loop) {
        if (!jumps(*loop->body, NodeKind::Continue)) return loop;
        if (!loop->iter_args.empty()) {
            refuse(loop->span, "CTRL_LOOP", "a loop with carried values has a continue, and what goes round then is not said", "write the condition around what is skipped");
            return loop;
        }
        auto now = derive(loop);
        now->body = body_of(without(NodeKind::Continue, loop->body->stmts, {}, {}), loop->body);
        return seal(std::move(now));
    }

    struct Flag {
        Var var;
        Stmt clear, raise;
        Expr is_clear;
    };
    Flag flag(Span span) {
        const Var v = var(fmt::format("__break_{}", next_++), scalar_type(DType::Bool), span);
        return {v, assign(v, const_bool(false), span), assign(v, const_bool(true), span), unary(UnaryOp::Not, v)};
    }

    Stmt structured(const Ref<WhileNode>& old) {
        const Ref<WhileNode> loop = without_continue(old);
        if (!jumps(*loop->body, NodeKind::Break)) return loop;
        if (!loop->iter_args.empty()) {
            refuse(loop->span, "CTRL_LOOP", "a while loop with carried values has a break", "let its condition end it");
            return loop;
        }
        const Flag f = flag(loop->span);
        auto now = derive(loop);
        now->condition = binary(BinaryOp::And, loop->condition, f.is_clear);
        now->body = body_of(without(NodeKind::Break, loop->body->stmts, {}, {f.raise}), loop->body);
        return seq({f.clear, seal(std::move(now))}, loop->span);
    }

    Stmt structured(const Ref<ForNode>& old) {
        const Ref<ForNode> loop = without_continue(old);
        if (!jumps(*loop->body, NodeKind::Break)) return loop;
        const auto step = constant(loop->step);
        if (loop->loop != LoopKind::Range || !loop->iter_args.empty() || !step || *step == 0) {
            refuse(loop->span, "CTRL_LOOP", "a break leaves a loop that carries values, has a step that is no constant, or whose turns do not follow one another",
                   "use pl.range with a constant step, or a while loop");
            return loop;
        }
        const Flag f = flag(loop->span);
        Var counter = loop->var;
        if (counter->type == nullptr) {
            auto typed = derive(counter);
            typed->type = scalar_type(DType::Index);
            counter = seal(std::move(typed));
        }
        const Seq body = substitute(loop->body, {{loop->var.get(), counter}});
        Stmts stmts = without(NodeKind::Break, body->stmts, {}, {f.raise});
        stmts.push_back(if_then(f.is_clear, seq({assign(counter, binary(BinaryOp::Add, counter, loop->step), loop->span)}, loop->span)));
        auto now = std::make_shared<WhileNode>();
        now->span = loop->span;
        now->origin = loop;
        now->condition = binary(BinaryOp::And, binary(*step > 0 ? BinaryOp::Lt : BinaryOp::Gt, counter, loop->stop), f.is_clear);
        now->body = body_of(std::move(stmts), loop->body);
        return seq({assign(counter, loop->start, loop->span), f.clear, seal(std::move(now))}, loop->span);
    }

    std::size_t statements_ = 0;
    std::uint32_t depth_ = 0; ///< of branches that hold what followed the ones around them
    int next_ = 0;
};

} // namespace

PassResult ctrl_flow_transform(const Module& module, const PassContext&) {
    Structure structure;
    PassResult result;
    Module now = structure.mutate(module);
    result.diagnostics = std::move(structure.refusals);
    if (result.diagnostics.empty()) result.module = std::move(now);
    return result;
}

} // namespace ls::front
