#include "core/analysis/tile_steps.h"

#include <algorithm>
#include <string_view>

#include "core/ir/walk.h"

namespace ls {

using namespace ir;

namespace {

using Index = TileIndex;
using Step = TileStep;

std::string short_op(const ExprNode& value) {
    const auto* call = as<CallNode>(&value);
    if (call == nullptr) return as<VarNode>(&value) != nullptr ? "copy" : "value";
    for (const std::string_view prefix : {"tile.", "pto.", "pl."}) {
        if (call->op.rfind(prefix, 0) == 0) return call->op.substr(prefix.size());
    }
    return call->op;
}

class Reader {
public:
    explicit Reader(const FunctionNode& function) : numbers_(numbers_of(function)) {
        for (const Param& p : function.params) value_of(p.var, nullptr);
        note_definitions(*function.body);
        result.steps = body(*function.body, 0);
    }
    TileSteps result;

private:
    void value_of(const Var& var, const AssignNode* assign) {
        if (as<TileTypeNode>(var->type) == nullptr) return;
        const auto number = static_cast<Index>(result.values.size());
        if (!result.index.try_emplace(var.get(), number).second) return;
        result.values.push_back({var, tile_bytes(*var, assign == nullptr ? nullptr : assign->value.get(), numbers_),
                                 assign == nullptr ? nullptr : same_bytes(*assign), number});
    }

    void note_definitions(const SeqNode& seq) {
        for_each_stmt(seq, [&](const StmtNode& stmt) {
            if (const auto* assign = as<AssignNode>(&stmt)) {
                for (const Var& target : assign->targets) value_of(target, assign);
            } else if (const auto* branch = as<IfNode>(&stmt)) {
                for (const Var& r : branch->results) value_of(r, nullptr);
            } else if (const auto* loop = as<ForNode>(&stmt)) {
                for (const IterArg& a : loop->iter_args) value_of(a.var, nullptr);
                for (const Var& r : loop->results) value_of(r, nullptr);
            } else if (const auto* other = as<WhileNode>(&stmt)) {
                for (const IterArg& a : other->iter_args) value_of(a.var, nullptr);
                for (const Var& r : other->results) value_of(r, nullptr);
            }
        });
    }

    std::vector<Index> indices(const std::vector<const VarNode*>& vars) const {
        std::vector<Index> all;
        for (const VarNode* v : vars) {
            if (const auto i = result.find(v)) all.push_back(*i);
        }
        return all;
    }

    std::vector<Step> body(const SeqNode& seq, int depth) {
        std::vector<Step> all;
        for (const Stmt& s : seq.stmts) {
            if (const auto* inner = as<SeqNode>(s)) {
                std::vector<Step> steps_of = body(*inner, depth);
                all.insert(all.end(), std::make_move_iterator(steps_of.begin()), std::make_move_iterator(steps_of.end()));
            } else {
                statement(*s, depth, all);
            }
        }
        return all;
    }

    void statement(const StmtNode& stmt, int depth, std::vector<Step>& into) {
        const TileEffects effects = tile_effects(stmt);
        Step step;
        step.stmt = &stmt;
        step.position = result.positions.size();
        step.reads = indices(effects.reads);
        step.writes = indices(effects.writes);
        step.changes = indices(effects.changes);
        std::string what = "with";
        std::vector<const Seq*> inside;
        std::vector<Var> results;
        if (const auto* assign = as<AssignNode>(&stmt)) {
            what = short_op(*assign->value);
        } else if (const auto* eval = as<EvalNode>(&stmt)) {
            what = short_op(*eval->value);
        } else if (const auto* branch = as<IfNode>(&stmt)) {
            what = "if";
            inside = {&branch->then_body};
            if (branch->else_body != nullptr) inside.push_back(&branch->else_body);
            results = branch->results;
        } else if (const auto* loop = as<ForNode>(&stmt)) {
            what = "for";
            inside = {&loop->body};
            results = loop->results;
            carried(loop->iter_args, results, *loop->body);
        } else if (const auto* other = as<WhileNode>(&stmt)) {
            what = "while";
            inside = {&other->body};
            results = other->results;
            carried(other->iter_args, results, *other->body);
        } else if (const auto* with = as<WithNode>(&stmt)) {
            inside = {&with->body};
        } else if (stmt.kind == NodeKind::Yield || stmt.kind == NodeKind::Return) {
            what = stmt.kind == NodeKind::Yield ? "yield" : "return";
        }
        const bool touches = !step.reads.empty() || !step.writes.empty() || !step.changes.empty();
        if (!touches && inside.empty()) return; // scalars, flags, windows of tensors
        const Index* subject = !step.writes.empty() ? &step.writes.front() : !step.changes.empty() ? &step.changes.front() : !step.reads.empty() ? &step.reads.front() : nullptr;
        result.positions.push_back({&stmt, std::move(what), subject != nullptr ? result.values[*subject].var->name : std::string(), depth});
        for (const Seq* seq : inside) {
            step.bodies.push_back(body(**seq, depth + 1));
            if (stmt.kind == NodeKind::If) yields_into(results, **seq);
        }
        for (const Var& r : results) {
            if (const auto i = result.find(r.get())) step.results.push_back(*i);
        }
        const bool empty = !touches && step.results.empty() && std::all_of(step.bodies.begin(), step.bodies.end(), [](const auto& b) { return b.empty(); });
        if (empty) { // nothing of a tile in it
            result.positions.pop_back();
            return;
        }
        step.end = result.positions.size();
        into.push_back(std::move(step));
    }

    void relate(const Node* a, const Node* b) {
        const auto x = result.find(as<VarNode>(a)), y = result.find(as<VarNode>(b));
        if (x && y) result.related.emplace_back(*x, *y);
    }

    void carried(const std::vector<IterArg>& args, const std::vector<Var>& results, const SeqNode& seq) {
        const auto* yield = seq.stmts.empty() ? nullptr : as<YieldNode>(seq.stmts.back());
        for (std::size_t i = 0; i < args.size(); ++i) {
            relate(args[i].init.get(), args[i].var.get());
            if (i < results.size()) relate(results[i].get(), args[i].var.get());
            if (yield != nullptr && i < yield->values.size()) relate(yield->values[i].get(), args[i].var.get());
        }
    }

    void yields_into(const std::vector<Var>& results, const SeqNode& seq) {
        const auto* yield = seq.stmts.empty() ? nullptr : as<YieldNode>(seq.stmts.back());
        if (yield == nullptr) return;
        for (std::size_t i = 0; i < std::min(results.size(), yield->values.size()); ++i) relate(yield->values[i].get(), results[i].get());
    }

    Numbers numbers_;
};

} // namespace

TileSteps tile_steps(const FunctionNode& function) { return std::move(Reader(function).result); }

} // namespace ls
