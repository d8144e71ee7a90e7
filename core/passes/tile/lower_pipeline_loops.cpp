#include "core/passes/tile/lower_pipeline_loops.h"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "core/ir/mutator.h"
#include "core/passes/fresh_names.h"
#include "core/support/checked.h"

namespace ls::tile {

using namespace ir;

namespace {

constexpr std::int64_t kMostStages = 64; ///< copies of a body; hardware has two to four buffers
constexpr std::string_view kMembership = "pipeline_membership";

template <class Entries>
void strip(Entries& entries, std::string_view key) {
    entries.erase(std::remove_if(entries.begin(), entries.end(), [&](const KeyValue& k) { return k.key == key; }), entries.end());
}
const ExprNode* find(const std::vector<KeyValue>& entries, std::string_view key) {
    for (const KeyValue& k : entries) {
        if (k.key == key) return k.value.get();
    }
    return nullptr;
}

Expr offset(const Expr& base, std::int64_t by) {
    if (by == 0) return base;
    const auto known = constant(base);
    const CheckedInt sum = known ? checked_add(*known, by) : CheckedInt{};
    return sum ? const_int(*sum) : binary(BinaryOp::Add, base, const_int(by));
}

/// One copy of a body: every variable that it defines is one of its own, and its tiles say group and stage.
class BodyCopy final : public Mutator {
public:
    BodyCopy(FreshNames& names, std::unordered_set<const VarNode*>& kept, std::string membership, bool two_accumulators)
        : names_(names), kept_(kept), membership_(std::move(membership)), two_accumulators_(two_accumulators) {}
    void bind(const Var& var, Expr to) { replace(var, std::move(to)); }

protected:
    Var on_define(const Var& var) override {
        auto own = derive(var);
        own->type = mutate(var->type);
        if (!kept_.insert(var.get()).second) own->name = names_.make(var->name);
        Var sealed = seal(std::move(own));
        replace(var, sealed);
        return sealed;
    }
    Stmt on_stmt(const Stmt& stmt) override {
        const Stmt now = Mutator::on_stmt(stmt);
        const auto a = ref_as<AssignNode>(now);
        const auto c = a != nullptr && a->targets.size() == 1 ? ref_as<CallNode>(a->value) : Call{};
        const auto* tile = c != nullptr ? as<TileTypeNode>(a->targets[0]->type) : nullptr;
        if (tile == nullptr) return now;
        // Products that add up in one accumulator share it, unless the loop asked for two.
        if (c->op.substr(0, 11) == "tile.matmul" && tile->space == TileSpace::Acc && !two_accumulators_) return now;
        const auto* before = as<StringNode>(c->attr(kMembership));
        auto tagged = derive(c);
        strip(tagged->attrs, kMembership);
        tagged->attrs.push_back({std::string(kMembership), string(before == nullptr ? membership_ : before->value + ";" + membership_)});
        auto n = derive(a);
        n->origin = stmt;
        n->value = seal(std::move(tagged));
        return seal(std::move(n));
    }

private:
    FreshNames& names_;
    std::unordered_set<const VarNode*>& kept_; ///< variables of which one copy has kept the name
    std::string membership_;
    bool two_accumulators_;
};

class LowerPipelines final : public Mutator {
public:
    explicit LowerPipelines(const Function& function) : names_(*function) {}
    std::vector<Diagnostic> refusals;

protected:
    Stmt on_stmt(const Stmt& stmt) override {
        const auto loop = ref_as<ForNode>(stmt);
        if (loop == nullptr || loop->loop != LoopKind::Pipeline) return Mutator::on_stmt(stmt);
        const ExprNode* given = find(loop->kwargs, "stage");
        const auto stages = given != nullptr ? constant(given) : std::optional<std::int64_t>(1);
        if (!stages || *stages < 1 || *stages > kMostStages) {
            refusals.push_back(error_at(stmt->span, "PIPELINE_STAGES",
                                        fmt::format("a pipeline has 1 to {} stages, known when it is compiled", kMostStages),
                                        "write stage=2, or as many buffers as the loop shall have"));
            return stmt;
        }
        if (*stages == 1) return Mutator::on_stmt(stmt);
        const auto inner = ref_as<ForNode>(Mutator::on_stmt(stmt)); // pipelines inside it first
        const auto step = constant(inner->step), start = constant(inner->start), stop = constant(inner->stop);
        const bool bounded = start && stop;
        const CheckedInt chunk = step ? checked_mul(*step, *stages) : CheckedInt{};
        if (!chunk || *step == 0 || (!bounded && *step < 0)) {
            refusals.push_back(error_at(stmt->span, "PIPELINE_STEP",
                                        step ? fmt::format("this pipeline cannot go in steps of {}", *step)
                                             : std::string("this pipeline's step is not known when it is compiled"),
                                        "give it a constant step, positive where its bounds are not constants"));
            return stmt;
        }
        return bounded ? with_known_turns(inner, *stages, *start, *stop, *step) : with_unknown_turns(inner, *stages, *step);
    }

private:
    struct Copies {
        std::vector<Stmt> stmts;
        std::vector<Expr> yields; ///< of the last copy
    };

    Copies copies(const ForNode& loop, std::int64_t count, std::int64_t step, const Expr& base, std::vector<Expr> carried) {
        const int group = next_group_++;
        const auto* two = as<ConstBoolNode>(find(loop.attrs, "pipeline_double_buffer_c"));
        Copies all;
        for (std::int64_t k = 0; k < count; ++k) {
            BodyCopy copy(names_, kept_, fmt::format("{}:{}", group, k), two != nullptr && two->value);
            copy.bind(loop.var, offset(base, k * step));
            for (std::size_t i = 0; i < loop.iter_args.size(); ++i) copy.bind(loop.iter_args[i].var, carried[i]);
            const Seq body = copy.mutate(loop.body);
            for (const Stmt& s : body->stmts) {
                if (const auto* y = as<YieldNode>(s)) carried = y->values;
                else all.stmts.push_back(s);
            }
        }
        all.yields = std::move(carried);
        return all;
    }

    static std::vector<Expr> inits(const ForNode& loop) {
        std::vector<Expr> out;
        for (const IterArg& a : loop.iter_args) out.push_back(a.init);
        return out;
    }
    static std::vector<Expr> as_exprs(const std::vector<Var>& vars) { return {vars.begin(), vars.end()}; }

    std::vector<Var> results_named(const std::vector<Var>& results, const std::string& suffix) {
        std::vector<Var> out;
        for (const Var& r : results) out.push_back(var(names_.make(r->name + suffix), r->type, r->span));
        return out;
    }

    Stmt main_loop(const Ref<ForNode>& loop, std::int64_t stages, std::int64_t step, Expr stop, std::vector<Var> results) {
        auto n = derive(loop);
        std::vector<Expr> carried;
        for (IterArg& a : n->iter_args) {
            a.var = seal(derive(a.var));
            carried.push_back(a.var);
        }
        n->var = seal(derive(loop->var));
        n->stop = std::move(stop);
        n->step = const_int(step * stages);
        for (KeyValue& k : n->kwargs) {
            if (k.key == "stage") k.value = const_int(1);
        }
        n->results = std::move(results);
        Copies body = copies(*loop, stages, step, n->var, std::move(carried));
        if (!loop->iter_args.empty()) body.stmts.push_back(yield_values(std::move(body.yields), loop->span));
        auto seq_copy = derive(loop->body);
        seq_copy->stmts = std::move(body.stmts);
        n->body = seal(std::move(seq_copy));
        return seal(std::move(n));
    }

    Stmt with_known_turns(const Ref<ForNode>& loop, std::int64_t stages, std::int64_t start, std::int64_t stop, std::int64_t step) {
        const CheckedInt span = checked_sub(stop, start);
        const std::int64_t turns = !span || (*span > 0) != (step > 0) || *span == 0 ? 0 : *span / step + (*span % step != 0 ? 1 : 0);
        if (turns == 0) {
            auto n = derive(loop);
            n->loop = LoopKind::Range;
            strip(n->kwargs, "stage");
            return seal(std::move(n));
        }
        const std::int64_t rounds = turns / stages, rest = turns % stages;
        const std::int64_t middle = start + rounds * stages * step; // between start and stop: it cannot overflow
        std::vector<Stmt> stmts;
        std::vector<Var> results = loop->results;
        if (rest > 0 && rounds > 0) results = results_named(results, "_main");
        if (rounds > 0) stmts.push_back(main_loop(loop, stages, step, const_int(middle), results));
        if (rest > 0) {
            Copies tail = copies(*loop, rest, step, const_int(middle), rounds > 0 ? as_exprs(results) : inits(*loop));
            stmts.insert(stmts.end(), tail.stmts.begin(), tail.stmts.end());
            for (std::size_t i = 0; i < loop->results.size(); ++i) stmts.push_back(assigned(loop, loop->results[i], tail.yields[i]));
        }
        return stmts.size() == 1 ? stmts[0] : seq(std::move(stmts));
    }

    static Stmt assigned(const Ref<ForNode>& loop, const Var& to, Expr value) {
        auto a = std::make_shared<AssignNode>();
        a->origin = loop;
        a->span = loop->span;
        a->targets.push_back(to);
        a->value = std::move(value);
        return seal(std::move(a));
    }

    /// rounds = turns // stages; the loop does them; what is left is one of stages - 1 cases.
    Stmt with_unknown_turns(const Ref<ForNode>& loop, std::int64_t stages, std::int64_t step) {
        const Expr span = binary(BinaryOp::Sub, loop->stop, loop->start);
        const Expr turns = step == 1 ? span : binary(BinaryOp::FloorDiv, binary(BinaryOp::Add, span, const_int(step - 1)), const_int(step));
        const Expr rounds = binary(BinaryOp::FloorDiv, turns, const_int(stages));
        const Type index = scalar_type(DType::Index);
        const Var end = var(names_.make("unroll_main_end"), index, loop->span), rest = var(names_.make("unroll_rem"), index, loop->span);
        std::vector<Stmt> stmts;
        stmts.push_back(assigned(loop, end, binary(BinaryOp::Add, loop->start, binary(BinaryOp::Mul, rounds, const_int(stages * step)))));
        const std::vector<Var> results = results_named(loop->results, "_main");
        stmts.push_back(main_loop(loop, stages, step, end, results));
        stmts.push_back(assigned(loop, rest, step == 1 ? binary(BinaryOp::Sub, loop->stop, end)
                                                       : binary(BinaryOp::Sub, turns, binary(BinaryOp::Mul, rounds, const_int(stages)))));
        const bool carries = !loop->iter_args.empty();
        Stmt inner;
        std::vector<Var> inner_results;
        for (std::int64_t k = stages - 1; k >= 1; --k) {
            Copies tail = copies(*loop, k, step, end, as_exprs(results));
            if (carries) tail.stmts.push_back(yield_values(std::move(tail.yields), loop->span));
            std::vector<Stmt> otherwise;
            if (inner != nullptr) otherwise.push_back(inner);
            if (carries) otherwise.push_back(yield_values(inner != nullptr ? as_exprs(inner_results) : as_exprs(results), loop->span));
            std::vector<Var> mine = !carries ? std::vector<Var>{} : k == 1 ? loop->results : results_named(loop->results, fmt::format("_rem{}", k));
            auto branch = std::make_shared<IfNode>();
            branch->origin = loop;
            branch->span = loop->span;
            branch->condition = binary(BinaryOp::Eq, rest, const_int(k));
            branch->then_body = seq(std::move(tail.stmts), loop->span);
            if (!otherwise.empty()) branch->else_body = seq(std::move(otherwise), loop->span);
            branch->results = mine;
            inner = seal(std::move(branch));
            inner_results = std::move(mine);
        }
        stmts.push_back(inner);
        return seq(std::move(stmts));
    }

    FreshNames names_;
    std::unordered_set<const VarNode*> kept_;
    int next_group_ = 0;
};

} // namespace

PassResult lower_pipeline_loops(const Module& module, const PassContext&) {
    PassResult result;
    std::vector<Function> functions;
    for (const Function& f : module->functions) {
        if (f->body == nullptr) {
            functions.push_back(f);
            continue;
        }
        LowerPipelines lower(f);
        const Seq body = lower.mutate(f->body);
        result.diagnostics.insert(result.diagnostics.end(), lower.refusals.begin(), lower.refusals.end());
        if (body == f->body) {
            functions.push_back(f);
            continue;
        }
        auto n = derive(f);
        n->body = body;
        functions.push_back(seal(std::move(n)));
    }
    if (!result.diagnostics.empty()) return result;
    if (functions == module->functions) return PassResult::unchanged(module);
    auto n = derive(module);
    n->functions = std::move(functions);
    result.module = seal(std::move(n));
    return result;
}

} // namespace ls::tile
