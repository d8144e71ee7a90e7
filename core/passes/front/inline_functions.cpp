#include "core/passes/front/inline_functions.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/ir/mutator.h"
#include "core/ir/walk.h"

namespace ls::front {

using namespace ir;

namespace {

constexpr std::size_t kMostStatements = 100'000; ///< that all copies have together

std::size_t count_statements(const SeqNode& body) {
    std::size_t count = 0;
    for_each_stmt(body, [&](const StmtNode&) { ++count; });
    return count;
}

/// A body whose variables are all its own, but for those that are given.
class Copy final : public Mutator {
public:
    explicit Copy(std::string suffix) : suffix_(std::move(suffix)) {}
    void give(const Var& parameter, Expr value) { replace(parameter, std::move(value)); }
    Var own(const Var& var) { return on_define(var); }

protected:
    Var on_define(const Var& var) override {
        const auto known = made_.find(var.get());
        if (known != made_.end()) return known->second; // assigned once more
        auto now = derive(var);
        now->name = var->name + suffix_;
        now->type = mutate(var->type);
        Var made = seal(std::move(now));
        replace(var, made);
        made_.emplace(var.get(), made);
        return made;
    }

private:
    std::string suffix_;
    std::unordered_map<const VarNode*, Var> made_;
};

class Inline final : public Mutator {
public:
    explicit Inline(const ModuleNode& module) {
        for (const Function& f : module.functions) {
            if (f->function == FunctionKind::Inline) inlines_.emplace(f->name, f);
        }
    }
    bool has_work() const { return !inlines_.empty(); }
    std::vector<Diagnostic> refusals;

protected:
    Stmt on_stmt(const Stmt& stmt) override {
        if (const auto* a = as<AssignNode>(stmt)) {
            if (const Function* f = called(a->value)) return assigned(*a, *f, stmt);
        } else if (const auto* e = as<EvalNode>(stmt)) {
            if (const Function* f = called(e->value)) {
                auto [stmts, values] = written_out(*as<CallNode>(e->value), *f);
                return seq(std::move(stmts), stmt->span);
            }
        } else if (const auto r = ref_as<ReturnNode>(stmt); r != nullptr && r->values.size() == 1) {
            if (const Function* f = called(r->values[0])) {
                auto [stmts, values] = written_out(*as<CallNode>(r->values[0]), *f);
                auto now = derive(r);
                now->values = std::move(values);
                stmts.push_back(seal(std::move(now)));
                return seq(std::move(stmts), stmt->span);
            }
        }
        return Mutator::on_stmt(stmt);
    }

    Expr on_call(const Call& call) override {
        if (called(call) != nullptr) {
            refuse(call->span, "INLINE_NESTED", fmt::format("{} is an Inline function and is called inside an expression", call->op),
                   "assign what it answers to a variable first");
        }
        return Mutator::on_call(call);
    }

private:
    struct Written {
        std::vector<Stmt> stmts;
        std::vector<Expr> values; ///< what the function answers
    };

    void refuse(Span span, const char* code, std::string why, std::string hint) {
        constexpr std::size_t kMost = 50;
        if (refusals.size() < kMost) refusals.push_back(error_at(span, code, std::move(why), std::move(hint)));
    }

    const Function* called(const Expr& value) const {
        const auto* call = as<CallNode>(value);
        const auto found = call != nullptr && call->callee == CalleeKind::Function ? inlines_.find(call->op) : inlines_.end();
        return found == inlines_.end() ? nullptr : &found->second;
    }

    /// The function's body with the Inline calls in it written out; null when it cannot be.
    Seq expanded(const Function& f) {
        if (const auto known = expanded_.find(f->name); known != expanded_.end()) return known->second;
        const auto open = std::find(open_.begin(), open_.end(), f->name);
        if (open != open_.end()) {
            std::vector<std::string> cycle(open, open_.end());
            cycle.push_back(f->name);
            refuse(f->span, "INLINE_CYCLE", fmt::format("Inline functions call each other in a circle: {}", fmt::join(cycle, " -> ")),
                   "only functions that end can be written out where they are called");
            return nullptr;
        }
        open_.push_back(f->name);
        Seq body = f->body == nullptr ? seq({}) : mutate(f->body);
        open_.pop_back();
        std::size_t returns = 0;
        for_each_stmt(*body, [&](const StmtNode& s) { returns += s.kind == NodeKind::Return ? 1 : 0; });
        const bool at_end = !body->stmts.empty() && body->stmts.back()->kind == NodeKind::Return;
        if (returns > (at_end ? 1U : 0U)) {
            refuse(f->span, "INLINE_RETURN", fmt::format("{} returns before its end", f->name), "let one return at the end answer what branches worked out");
            body = nullptr;
        }
        return expanded_[f->name] = body;
    }

    /// Statements that do what the call does.
    Written written_out(const CallNode& call, const Function& f) {
        Written written;
        const Seq body = expanded(f);
        if (body == nullptr) return written;
        statements_ += count_statements(*body);
        if (statements_ > kMostStatements) {
            refuse(call.span, "INLINE_SIZE", fmt::format("Inline functions come to more than {} statements", kMostStatements), "call fewer of them, or make them functions of their own");
            return written;
        }
        Copy copy(fmt::format("_inline{}", next_++));
        std::unordered_set<const Node*> assigned;
        for_each_stmt(*body, [&](const StmtNode& s) {
            for_each_child(s, [](const Node&) {}, [&](const Node& var) { assigned.insert(&var); });
        });
        for (std::size_t i = 0; i < f->params.size(); ++i) {
            const Var& parameter = f->params[i].var;
            const Expr value = argument(call, i, parameter->name);
            if (value == nullptr) {
                refuse(call.span, "INLINE_ARGUMENTS", fmt::format("{} is not given its parameter {}", f->name, parameter->name),
                       fmt::format("it takes {} arguments", f->params.size()));
                return {};
            }
            bool calls = false;
            for_each_call(*value, [&](const CallNode&) { calls = true; });
            if (assigned.count(parameter.get()) != 0 || calls) { // worked out once, and the caller's own stays as it is
                written.stmts.push_back(assign(copy.own(parameter), mutate(value), call.span));
            } else {
                copy.give(parameter, mutate(value));
            }
        }
        if (call.args.size() + call.kwargs.size() > f->params.size()) {
            refuse(call.span, "INLINE_ARGUMENTS", fmt::format("{} is given {} arguments", f->name, call.args.size() + call.kwargs.size()),
                   fmt::format("it takes {}", f->params.size()));
            return {};
        }
        const Seq own = copy.mutate(body);
        written.stmts.insert(written.stmts.end(), own->stmts.begin(), own->stmts.end());
        if (!own->stmts.empty()) {
            if (const auto* last = as<ReturnNode>(own->stmts.back())) {
                written.values = last->values;
                written.stmts.pop_back();
            }
        }
        return written;
    }

    static Expr argument(const CallNode& call, std::size_t i, const std::string& name) {
        if (i < call.args.size()) return call.args[i];
        const auto named = std::find_if(call.kwargs.begin(), call.kwargs.end(), [&](const KeyValue& k) { return k.key == name; });
        return named == call.kwargs.end() ? Expr{} : named->value;
    }

    Stmt assigned(const AssignNode& a, const Function& f, const Stmt& origin) {
        auto [stmts, values] = written_out(*as<CallNode>(a.value), f);
        if (!refusals.empty()) return origin;
        if (a.targets.size() == 1) {
            const Expr value = values.size() == 1 ? values[0] : tuple(std::move(values), a.span, true);
            if (value != a.targets[0]) stmts.push_back(assign(on_define(a.targets[0]), value, a.span));
            return seq(std::move(stmts), a.span);
        }
        if (values.size() != a.targets.size()) {
            refuse(a.span, "INLINE_ARGUMENTS", fmt::format("{} answers {} values, {} are taken", f->name, values.size(), a.targets.size()), "take as many as it returns");
            return origin;
        }
        // All at once: a value that is itself one of the targets is kept before the first is assigned.
        for (std::size_t i = 1; i < values.size(); ++i) {
            const std::vector<const VarNode*> used = used_vars(*values[i]);
            const bool overwritten = std::any_of(a.targets.begin(), a.targets.begin() + static_cast<std::ptrdiff_t>(i),
                                                 [&](const Var& t) { return std::find(used.begin(), used.end(), t.get()) != used.end(); });
            if (!overwritten) continue;
            const Var kept = var(fmt::format("{}_inline{}", a.targets[i]->name, next_++), a.targets[i]->type);
            stmts.push_back(assign(kept, values[i], a.span));
            values[i] = kept;
        }
        for (std::size_t i = 0; i < values.size(); ++i) stmts.push_back(assign(on_define(a.targets[i]), values[i], a.span));
        return seq(std::move(stmts), a.span);
    }

    std::unordered_map<std::string, Function> inlines_;
    std::unordered_map<std::string, Seq> expanded_;
    std::vector<std::string> open_;
    std::size_t statements_ = 0;
    int next_ = 0;
};

} // namespace

PassResult inline_functions(const Module& module, const PassContext&) {
    Inline pass(*module);
    if (!pass.has_work()) return PassResult::unchanged(module);
    auto now = derive(module);
    now->functions.clear();
    for (const Function& f : module->functions) {
        if (f->function != FunctionKind::Inline) now->functions.push_back(pass.mutate(f));
    }
    PassResult result;
    result.diagnostics = std::move(pass.refusals);
    if (result.diagnostics.empty()) result.module = seal(std::move(now));
    return result;
}

} // namespace ls::front
