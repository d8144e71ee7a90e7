#include "core/passes/orchestration/derive_call_directions.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "core/ir/mutator.h"
#include "core/ir/walk.h"
#include "core/passes/orchestration/buffer_roots.h"
#include "core/passes/orchestration/calls.h"

namespace ls::orchestration {

using namespace ir;

namespace {

constexpr const char* kDirections = "arg_directions";

// --- signatures of wrappers

Direction stronger(Direction a, Direction b) {
    const auto rank = [](Direction d) { return d == Direction::In ? 0 : d == Direction::Out ? 1 : 2; };
    return rank(a) >= rank(b) ? a : b;
}

bool is_wrapper(FunctionKind kind) { return kind == FunctionKind::Group || kind == FunctionKind::Spmd; }

/// Wrappers with the directions of what they call. Wrappers may call wrappers, so it is done until nothing changes; a
/// direction only ever grows, so that ends.
Module with_wrapper_directions(const Module& module) {
    Module now = module;
    for (bool changed = true; changed;) {
        changed = false;
        auto next = derive(module);
        for (std::size_t i = 0; i < now->functions.size(); ++i) {
            const Function& f = now->functions[i];
            next->functions[i] = f;
            if (!is_wrapper(f->function) || f->body == nullptr) continue;
            std::vector<Direction> directions;
            for (const Param& p : f->params) directions.push_back(p.direction);
            for_each_call(*f->body, [&](const CallNode& call) {
                const auto task = as_task(&call, *now);
                for (std::size_t a = 0; task && a < task->args.size() && a < task->callee->params.size(); ++a) {
                    for (std::size_t p = 0; p < f->params.size(); ++p) {
                        if (f->params[p].var == task->args[a]) directions[p] = stronger(directions[p], task->callee->params[a].direction);
                    }
                }
            });
            auto n = derive(f);
            bool same = true;
            for (std::size_t p = 0; p < directions.size(); ++p) {
                same = same && directions[p] == f->params[p].direction;
                n->params[p].direction = directions[p];
            }
            if (same) continue;
            next->functions[i] = seal(std::move(n));
            changed = true;
        }
        if (changed) now = seal(std::move(next));
    }
    return now;
}

// --- who writes a buffer first

/// By call: the buffers that no statement before it in its own and the enclosing bodies wrote. A loop or branch counts as
/// one statement for what stands behind it.
class FirstWriters {
public:
    FirstWriters(const SeqNode& body, const BufferRoots& roots, const ModuleNode& module) : roots_(roots), module_(module) { scan(body); }

    bool is_first(const CallNode& call, const VarNode* root) const {
        const auto found = first_.find(&call);
        return found != first_.end() && std::find(found->second.begin(), found->second.end(), root) != found->second.end();
    }

private:
    void scan(const SeqNode& body) {
        for (const Stmt& s : body.stmts) statement(*s);
    }

    void statement(const StmtNode& stmt) {
        if (const auto* a = as<AssignNode>(&stmt)) return task(a->value);
        if (const auto* e = as<EvalNode>(&stmt)) return task(e->value);
        if (const auto* w = as<WithNode>(&stmt)) return scan(*w->body);
        if (const auto* s = as<SeqNode>(&stmt)) return scan(*s);
        if (const auto* f = as<ForNode>(&stmt)) return scan(*f->body);
        if (const auto* w = as<WhileNode>(&stmt)) return scan(*w->body);
        if (const auto* i = as<IfNode>(&stmt)) {
            const std::size_t before = order_.size();
            scan(*i->then_body);
            if (i->else_body == nullptr) return;
            // One branch does not see what the other writes; what follows sees both.
            const std::vector<const VarNode*> by_then(order_.begin() + static_cast<std::ptrdiff_t>(before), order_.end());
            for (const VarNode* root : by_then) written_.erase(root);
            order_.resize(before);
            scan(*i->else_body);
            for (const VarNode* root : by_then) write(root);
        }
    }

    void task(const Expr& value) {
        const auto task = as_task(value.get(), module_);
        if (!task) return;
        std::vector<const VarNode*> written;
        for (std::size_t i = 0; i < task->args.size() && i < task->callee->params.size(); ++i) {
            const Direction direction = task->callee->params[i].direction;
            const VarNode* root = direction == Direction::In ? nullptr : roots_.root(task->args[i]);
            if (root == nullptr) continue;
            if (direction == Direction::Out && written_.count(root) == 0) first_[as<CallNode>(value)].push_back(root);
            written.push_back(root);
        }
        for (const VarNode* root : written) write(root);
    }

    void write(const VarNode* root) {
        if (written_.insert(root).second) order_.push_back(root);
    }

    const BufferRoots& roots_;
    const ModuleNode& module_;
    std::unordered_set<const VarNode*> written_; ///< up to here
    std::vector<const VarNode*> order_;          ///< the same, as they came
    std::unordered_map<const CallNode*, std::vector<const VarNode*>> first_;
};

// --- directions

class Stamp final : public Mutator {
public:
    Stamp(const FunctionNode& function, const ModuleNode& module)
        : module_(module), roots_(function, module), first_(*function.body, roots_, module) {
        for (const Param& p : function.params) params_[p.var.get()] = p.direction;
    }

protected:
    Stmt on_stmt(const Stmt& stmt) override {
        const auto* loop = as<ForNode>(stmt);
        const bool in_order = stmt->kind == NodeKind::While || (loop != nullptr && loop->loop != LoopKind::Parallel);
        in_order_ += in_order ? 1 : 0;
        Stmt now = Mutator::on_stmt(stmt);
        in_order_ -= in_order ? 1 : 0;
        return now;
    }

    Expr on_call(const Call& old) override {
        const Expr now = Mutator::on_call(old);
        const auto task = as_task(old.get(), module_);
        if (!task || task->args.empty() || old->attr(kDirections) != nullptr) return now;
        std::vector<Expr> directions;
        for (std::size_t i = 0; i < task->args.size(); ++i) {
            directions.push_back(symbol(std::string("pl.adir.") + direction(*old, *task, i)));
        }
        if (const auto* marks = as<TupleNode>(old->attr("arg_direction_overrides"))) {
            for (const Expr& mark : marks->elements) {
                const auto at = constant(mark);
                if (at && *at >= 0 && static_cast<std::size_t>(*at) < directions.size()) {
                    directions[static_cast<std::size_t>(*at)] = symbol("pl.adir.no_dep");
                }
            }
        }
        auto stamped = derive(ref_as<CallNode>(now));
        stamped->attrs.insert(stamped->attrs.begin(), {kDirections, tuple(std::move(directions))});
        return seal(std::move(stamped));
    }

private:
    const char* direction(const CallNode& call, const Task& task, std::size_t i) const {
        const Expr& arg = task.args[i];
        const auto* var = as<VarNode>(arg);
        if (var == nullptr || as<TensorTypeNode>(var->type) == nullptr) return "scalar";
        const Direction declared = i < task.callee->params.size() ? task.callee->params[i].direction : Direction::In;
        if (declared == Direction::In) return "input";
        if (declared == Direction::InOut || in_order_ > 0 || roots_.is_ambiguous(arg)) return "inout";
        const VarNode* root = roots_.root(arg);
        if (root == nullptr) return "output_existing";
        const auto param = params_.find(root);
        const bool carried_in = param != params_.end() && param->second == Direction::InOut;
        return carried_in || !first_.is_first(call, root) ? "inout" : "output_existing";
    }

    const ModuleNode& module_;
    BufferRoots roots_;
    FirstWriters first_;
    std::unordered_map<const VarNode*, Direction> params_;
    int in_order_ = 0; ///< loops around here whose rounds follow one another
};

} // namespace

PassResult derive_call_directions(const Module& module, const PassContext&) {
    const Module wrapped = with_wrapper_directions(module);
    auto now = derive(wrapped);
    for (Function& f : now->functions) {
        if (f->body != nullptr) f = Stamp(*f, *wrapped).mutate(f);
    }
    return PassResult::unchanged(now->functions == wrapped->functions ? wrapped : seal(std::move(now)));
}

} // namespace ls::orchestration
