#include "core/passes/orchestration/buffer_roots.h"

#include <algorithm>

#include "core/ir/equality.h"
#include "core/passes/orchestration/calls.h"

namespace ls::orchestration {

using namespace ir;

namespace {

bool surely_runs(const ForNode& loop) {
    const auto start = constant(loop.start), stop = constant(loop.stop), step = constant(loop.step);
    if (!start || !stop || !step) return false;
    return *step > 0 ? *start < *stop : *step < 0 && *start > *stop;
}

bool same_shape_and_dtype(const Expr& arg, const Type& type) {
    const auto* var = as<VarNode>(arg);
    const auto *a = var == nullptr ? nullptr : as<TensorTypeNode>(var->type), *b = as<TensorTypeNode>(type);
    if (a == nullptr || b == nullptr || a->dtype != b->dtype || a->shape.size() != b->shape.size()) return false;
    return std::equal(a->shape.begin(), a->shape.end(), b->shape.begin(), [](const Expr& x, const Expr& y) { return structurally_equal(x, y); });
}

} // namespace

BufferRoots::BufferRoots(const FunctionNode& function, const ModuleNode& module) : module_(module) {
    for (const Param& p : function.params) record(p.var.get(), {{p.var.get()}, false});
    if (function.body != nullptr) body(*function.body);
}

const VarNode* BufferRoots::root(const Expr& value) const {
    const auto found = known_.find(as<VarNode>(value));
    return found == known_.end() ? nullptr : found->second.roots.front();
}

bool BufferRoots::is_ambiguous(const Expr& value) const {
    const auto found = known_.find(as<VarNode>(value));
    return found != known_.end() && found->second.ambiguous;
}

BufferRoots::Known BufferRoots::known(const Expr& value) const {
    const auto found = known_.find(as<VarNode>(value));
    return found == known_.end() ? Known{} : found->second;
}

void BufferRoots::record(const VarNode* var, Known what) {
    if (what.roots.empty()) return;
    what.ambiguous = what.ambiguous || what.roots.size() > 1;
    known_[var] = std::move(what);
}

void BufferRoots::body(const SeqNode& seq) {
    for (const Stmt& s : seq.stmts) statement(*s);
}

void BufferRoots::statement(const StmtNode& stmt) {
    if (const auto* a = as<AssignNode>(&stmt)) return assign(*a);
    if (const auto* b = as<IfNode>(&stmt)) return branch(*b);
    if (const auto* f = as<ForNode>(&stmt)) return loop(f->iter_args, f->results, *f->body, surely_runs(*f));
    if (const auto* w = as<WhileNode>(&stmt)) return loop(w->iter_args, w->results, *w->body, false);
    if (const auto* w = as<WithNode>(&stmt)) return body(*w->body);
    if (const auto* s = as<SeqNode>(&stmt)) return body(*s);
}

void BufferRoots::assign(const AssignNode& assign) {
    const VarNode* target = assign.targets.front().get();
    if (const auto task = as_task(assign.value.get(), module_)) {
        const std::vector<Expr> written = written_args(*task);
        std::vector<Known> outputs;
        for (const Expr& arg : written) outputs.push_back(known(arg));
        if (assign.targets.size() > 1) {
            for (std::size_t i = 0; i < std::min(outputs.size(), assign.targets.size()); ++i) record(assign.targets[i].get(), outputs[i]);
        } else if (as<TupleTypeNode>(target->type) != nullptr) {
            tuples_[target] = std::move(outputs);
        } else if (!outputs.empty()) {
            // One result of several outputs: the one that it looks like, else the first.
            std::size_t which = 0;
            for (std::size_t i = 0, matches = 0; i < written.size() && written.size() > 1; ++i) {
                if (outputs[i].roots.empty() || !same_shape_and_dtype(written[i], target->type)) continue;
                if (matches > 0 && outputs[i].roots != outputs[which].roots) {
                    which = 0;
                    break;
                }
                which = i;
                ++matches;
            }
            record(target, outputs[which]);
        }
        return;
    }
    if (const auto* get = as<TupleGetNode>(assign.value)) {
        const auto found = tuples_.find(as<VarNode>(get->tuple));
        if (found == tuples_.end() || get->index < 0 || static_cast<std::size_t>(get->index) >= found->second.size()) return;
        return record(target, found->second[static_cast<std::size_t>(get->index)]);
    }
    if (const auto* call = as<CallNode>(assign.value)) {
        if (call->is_op("tensor.create") || call->is_op("tensor.slice")) record(target, {{target}, false});
        if (call->is_op("tensor.assemble") && !call->args.empty()) record(target, known(call->args[0]));
        return;
    }
    record(target, known(assign.value));
}

void BufferRoots::branch(const IfNode& branch) {
    body(*branch.then_body);
    if (branch.else_body == nullptr) return;
    body(*branch.else_body);
    const YieldNode *a = last_yield(*branch.then_body), *b = last_yield(*branch.else_body);
    if (a == nullptr || b == nullptr) return;
    for (std::size_t i = 0; i < std::min({branch.results.size(), a->values.size(), b->values.size()}); ++i) {
        Known one = known(a->values[i]);
        const Known other = known(b->values[i]);
        one.ambiguous = one.ambiguous || other.ambiguous || one.roots.empty() || other.roots.empty();
        for (const VarNode* r : other.roots) {
            if (std::find(one.roots.begin(), one.roots.end(), r) == one.roots.end()) one.roots.push_back(r);
        }
        record(branch.results[i].get(), std::move(one));
    }
}

void BufferRoots::loop(const std::vector<IterArg>& args, const std::vector<Var>& results, const SeqNode& seq, bool surely_runs) {
    std::vector<Known> inits;
    for (const IterArg& a : args) {
        inits.push_back(known(a.init));
        record(a.var.get(), inits.back());
    }
    body(seq);
    const YieldNode* yield = last_yield(seq);
    if (yield == nullptr) return;
    for (std::size_t i = 0; i < std::min(results.size(), yield->values.size()); ++i) {
        Known one = known(yield->values[i]);
        one.ambiguous = one.ambiguous || one.roots.empty();
        if (!surely_runs && i < inits.size()) {
            one.ambiguous = one.ambiguous || inits[i].roots.empty();
            for (const VarNode* r : inits[i].roots) {
                if (std::find(one.roots.begin(), one.roots.end(), r) == one.roots.end()) one.roots.push_back(r);
            }
        }
        record(results[i].get(), std::move(one));
    }
}

} // namespace ls::orchestration
