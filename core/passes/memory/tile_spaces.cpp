#include "core/passes/memory/tile_spaces.h"

#include <algorithm>
#include <vector>

#include "core/analysis/tile_op_memory.h"
#include "core/ir/walk.h"
#include "core/passes/memory/memref.h"

namespace ls::memory {

using namespace ir;

namespace {

/// Where the uses of a value want it: what an instruction reads from, handed back through views.
class Wanted {
public:
    explicit Wanted(const FunctionNode& function) {
        for_each_stmt(*function.body, [&](const StmtNode& stmt) {
            const auto* assign = as<AssignNode>(&stmt);
            const auto* eval = as<EvalNode>(&stmt);
            const ExprNode* value = assign != nullptr ? assign->value.get() : eval != nullptr ? eval->value.get() : nullptr;
            const TileOpMemory* op = tile_op_memory(value);
            if (op == nullptr) return;
            const auto& call = *as<CallNode>(value);
            for (std::size_t i = 0; i < std::min(op->operands.size(), call.args.size()); ++i) {
                if (!op->operands[i].empty()) want(as<VarNode>(call.args[i]), op->operands[i].front());
            }
            if (assign == nullptr || op->output != OutputSpace::Inherit || assign->targets.size() != 1) return;
            const auto source = std::find_if(call.args.begin(), call.args.end(), [](const Expr& a) {
                const auto* v = as<VarNode>(a);
                return v != nullptr && (as<TileTypeNode>(v->type) != nullptr || as<TensorTypeNode>(v->type) != nullptr);
            });
            if (source != call.args.end()) views_.emplace_back(assign->targets[0].get(), as<VarNode>(*source));
        });
        for (auto view = views_.rbegin(); view != views_.rend(); ++view) {
            if (const auto found = spaces_.find(view->first); found != spaces_.end()) want(view->second, found->second);
        }
    }

    std::optional<TileSpace> of(const VarNode& var) const {
        const auto found = spaces_.find(&var);
        return found == spaces_.end() ? std::nullopt : std::optional(found->second);
    }

private:
    /// Vec is what anything may be; a more special wish wins.
    void want(const VarNode* var, TileSpace space) {
        if (var == nullptr) return;
        const auto [at, is_new] = spaces_.try_emplace(var, space);
        if (!is_new && at->second == TileSpace::Vec) at->second = space;
    }

    std::unordered_map<const VarNode*, TileSpace> spaces_;
    std::vector<std::pair<const VarNode*, const VarNode*>> views_; ///< a view by its operand, in program order
};

class Inference {
public:
    explicit Inference(const FunctionNode& function) : wanted_(function) { body(function.body); }
    TileSpaces spaces;

private:
    void body(const Seq& seq) {
        if (seq == nullptr) return;
        for (const Stmt& s : seq->stmts) statement(*s);
    }

    void statement(const StmtNode& stmt) {
        if (const auto* assign = as<AssignNode>(&stmt)) {
            for (const Var& target : assign->targets) {
                if (as<TileTypeNode>(target->type) != nullptr) assigned(*target, *assign->value);
            }
        } else if (const auto* branch = as<IfNode>(&stmt)) {
            body(branch->then_body);
            body(branch->else_body);
            joined(*branch);
        } else if (const auto* loop = as<ForNode>(&stmt)) {
            repeated(*loop);
        } else if (const auto* other = as<WhileNode>(&stmt)) {
            repeated(*other);
        } else if (const auto* with = as<WithNode>(&stmt)) {
            body(with->body);
        }
    }

    /// What was found out, or what the type says.
    std::optional<TileSpace> known(const Expr& value) const {
        const auto* var = as<VarNode>(value);
        const auto found = var == nullptr ? spaces.end() : spaces.find(var);
        if (found != spaces.end()) return found->second;
        const auto* tile = tile_of(value);
        return tile != nullptr ? tile->space : std::nullopt;
    }

    void assigned(const VarNode& target, const ExprNode& value) {
        if (const auto* call = as<CallNode>(&value)) {
            spaces[&target] = call->op.rfind("tile.", 0) == 0 ? produced(*call, target) : TileSpace::Vec;
        } else if (const auto* source = as<VarNode>(&value)) {
            if (const auto found = spaces.find(source); found != spaces.end()) spaces[&target] = found->second;
        }
    }

    TileSpace produced(const CallNode& call, const VarNode& target) const {
        const TileOpMemory* op = tile_op_memory(&call);
        if (op == nullptr || op->output == OutputSpace::None) {
            const auto space = as<TileTypeNode>(target.type)->space;
            return space && *space != TileSpace::DDR ? *space : TileSpace::Vec;
        }
        if (const auto said = output_space(*op, call)) return *said;
        if (op->output == OutputSpace::Keyword) {
            const auto wish = wanted_.of(target);
            // From global memory only these two are reached at once.
            if (wish == TileSpace::Vec || wish == TileSpace::Mat) return *wish;
        }
        for (const Expr& a : call.args) {
            const auto* var = as<VarNode>(a);
            if (const auto found = var == nullptr ? spaces.end() : spaces.find(var); found != spaces.end()) return found->second;
        }
        return TileSpace::Vec;
    }

    template <class Loop>
    void repeated(const Loop& loop) {
        for (const IterArg& a : loop.iter_args) {
            if (as<TileTypeNode>(a.var->type) == nullptr) continue;
            if (const auto space = known(a.init)) spaces[a.var.get()] = *space;
        }
        body(loop.body);
        const YieldNode* yield = last_yield(loop.body);
        if (yield == nullptr) return;
        for (std::size_t i = 0; i < std::min(loop.results.size(), yield->values.size()); ++i) {
            if (as<TileTypeNode>(loop.results[i]->type) == nullptr) continue;
            const auto space = known(yield->values[i]);
            if (!space) continue;
            spaces[loop.results[i].get()] = *space;
            if (i >= loop.iter_args.size()) continue;
            // A new accumulator was taken for a vector tile until the loop wrote it.
            spaces[loop.iter_args[i].var.get()] = *space;
            if (tile_of(loop.iter_args[i].init) != nullptr) spaces[as<VarNode>(loop.iter_args[i].init)] = *space;
        }
    }

    void joined(const IfNode& branch) {
        const YieldNode *a = last_yield(branch.then_body), *b = last_yield(branch.else_body);
        for (std::size_t i = 0; i < branch.results.size(); ++i) {
            const auto* tile = as<TileTypeNode>(branch.results[i]->type);
            if (tile == nullptr) continue;
            const auto x = a != nullptr && i < a->values.size() ? known(a->values[i]) : std::nullopt;
            const auto y = b != nullptr && i < b->values.size() ? known(b->values[i]) : std::nullopt;
            if (x && y && *x != *y) continue; // no one memory holds it
            const auto space = x ? x : y ? y : tile->space;
            if (space) spaces[branch.results[i].get()] = *space;
        }
    }

    Wanted wanted_;
};

} // namespace

TileSpaces tile_spaces(const FunctionNode& function) { return std::move(Inference(function).spaces); }

} // namespace ls::memory
