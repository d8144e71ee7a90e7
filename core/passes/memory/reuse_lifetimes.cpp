#include "core/passes/memory/reuse_lifetimes.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <string_view>
#include <utility>

#include "core/ir/walk.h"
#include "core/passes/memory/memref.h"

namespace ls::memory {

using namespace ir;

namespace {

/// "0:1;2:0": group 0 stage 1, group 2 stage 0. What is not of that form is left out.
PipelineStages read_stages(std::string_view text) {
    PipelineStages stages;
    while (!text.empty()) {
        const std::string_view one = text.substr(0, text.find(';'));
        text.remove_prefix(std::min(text.size(), one.size() + 1));
        const std::size_t colon = one.find(':');
        int group = 0, stage = 0;
        const auto number = [](std::string_view s, int& into) {
            const auto [end, code] = std::from_chars(s.data(), s.data() + s.size(), into);
            return !s.empty() && code == std::errc() && end == s.data() + s.size();
        };
        if (colon != std::string_view::npos && number(one.substr(0, colon), group) && number(one.substr(colon + 1), stage)) {
            stages.emplace_back(group, stage);
        }
    }
    return stages;
}

class Walker {
public:
    ReuseLifetimes run(const FunctionNode& function) {
        for (const Param& p : function.params) {
            const auto* tile = as<TileTypeNode>(p.var->type);
            if (tile != nullptr && tile->memref) define(p.var, 0);
        }
        body(*function.body);
        return buffers();
    }

private:
    void body(const SeqNode& seq) {
        for (const Stmt& s : seq.stmts) statement(s);
    }

    void statement(const Stmt& stmt) {
        if (const auto* assign = as<AssignNode>(stmt)) {
            const int at = step();
            for (const Var& target : assign->targets) {
                if (as<TileTypeNode>(target->type) == nullptr) continue;
                define(target, at);
                definition_[target.get()] = assign;
            }
            use_all(*assign->value, at);
        } else if (const auto* eval = as<EvalNode>(stmt)) {
            use_all(*eval->value, step());
        } else if (stmt->kind == NodeKind::Yield || stmt->kind == NodeKind::Return) {
            use_all(*stmt, step());
        } else if (const auto* branch = as<IfNode>(stmt)) {
            conditional(*branch);
        } else if (const auto* loop = as<ForNode>(stmt)) {
            repeated(loop->iter_args, loop->results, *loop->body);
        } else if (const auto* other = as<WhileNode>(stmt)) {
            repeated(other->iter_args, other->results, *other->body);
        } else if (const auto* with = as<WithNode>(stmt)) {
            body(*with->body);
        } else if (const auto* seq = as<SeqNode>(stmt)) {
            body(*seq);
        }
    }

    void define(const Var& var, int at) {
        if (spans_.try_emplace(var.get(), LifeSpan{at, at}).second) order_.push_back(var);
    }

    void use_all(const Node& node, int at) {
        for (const VarNode* var : used_vars(node)) use(*var, at);
    }

    /// Uses of what a loop or an If answers are uses of the values that it stands for.
    void use(const VarNode& var, int at) {
        if (const auto sources = sources_.find(&var); sources != sources_.end()) {
            for (const VarNode* source : sources->second) use(*source, at);
            return;
        }
        if (const auto init = starts_as_.find(&var); init != starts_as_.end()) return use(*init->second, at);
        if (const auto span = spans_.find(&var); span != spans_.end()) span->second.last_use = std::max(span->second.last_use, at);
    }

    void repeated(const std::vector<IterArg>& args, const std::vector<Var>& results, const SeqNode& seq) {
        for (const IterArg& a : args) use_all(*a.init, next_);
        const auto lies_with = [&](const Var& var, const IterArg& arg) {
            const auto* init = as<VarNode>(arg.init);
            if (init != nullptr && as<TileTypeNode>(var->type) != nullptr) starts_as_[var.get()] = init;
        };
        for (const IterArg& a : args) lies_with(a.var, a);
        const int loop = static_cast<int>(loops_.size());
        loops_.push_back({next_, next_, std::exchange(loop_, loop)});
        body(seq);
        Loop& done = loops_[static_cast<std::size_t>(loop)];
        done.end = next_ - 1;
        loop_ = done.around;
        for (std::size_t i = 0; i < std::min(args.size(), results.size()); ++i) lies_with(results[i], args[i]);
    }

    void conditional(const IfNode& branch) {
        use_all(*branch.condition, next_);
        struct Side {
            const YieldNode* yield;
            int begin, end;
        };
        std::vector<Side> sides;
        for (const Seq& side : {branch.then_body, branch.else_body}) {
            if (side == nullptr) continue;
            const int begin = next_;
            body(*side);
            sides.push_back({last_yield(side), begin, next_ - 1});
        }
        for (std::size_t i = 0; i < branch.results.size(); ++i) {
            const VarNode* result = branch.results[i].get();
            if (as<TileTypeNode>(result->type) == nullptr || memref_of(branch.results[i]->type) == nullptr) continue;
            const int family = next_family_++;
            std::vector<const VarNode*> local;
            std::set<const VarNode*> seen;
            // Down through the results of inner Ifs to the tiles that hold the value; those from before the If are not
            // this If's own.
            const std::function<void(const VarNode*, const Side&)> add = [&](const VarNode* var, const Side& side) {
                if (const auto inner = sources_.find(var); inner != sources_.end()) {
                    if (!seen.insert(var).second) return;
                    for (const VarNode* one : inner->second) add(one, side);
                    return;
                }
                if (const auto init = starts_as_.find(var); init != starts_as_.end()) return add(init->second, side);
                const auto span = spans_.find(var);
                if (span == spans_.end()) return;
                const bool inside = span->second.defined >= side.begin && span->second.defined <= side.end;
                // The result lies where the first branch's value does, even if that is from before the If.
                if (!inside && &side != &sides.front()) return;
                local.push_back(var);
                if (inside) families_[var].insert(family);
            };
            for (const Side& side : sides) {
                const auto* value = side.yield != nullptr && i < side.yield->values.size() ? as<VarNode>(side.yield->values[i]) : nullptr;
                if (value != nullptr) add(value, side);
            }
            if (local.empty()) continue;
            families_[result].insert(family);
            sources_[result] = std::move(local);
        }
    }

    ReuseLifetimes buffers() {
        ReuseLifetimes result;
        for (const Var& var : order_) {
            LifeSpan& span = spans_.at(var.get());
            // A loop that began after the definition comes round to the use again.
            const auto at = static_cast<std::size_t>(span.last_use);
            for (int loop = at < innermost_.size() ? innermost_[at] : kNoLoop; loop != kNoLoop; loop = loops_[static_cast<std::size_t>(loop)].around) {
                const Loop& around = loops_[static_cast<std::size_t>(loop)];
                if (around.begin <= span.defined) break;
                span.last_use = std::max(span.last_use, around.end);
            }
        }
        std::unordered_map<const VarNode*, std::size_t> by_base;
        for (const Var& var : order_) {
            const auto* tile = as<TileTypeNode>(var->type);
            const VarNode* base = base_of(memref_of(var->type));
            if (base == nullptr) continue;
            const auto [at, is_new] = by_base.try_emplace(base, result.buffers.size());
            const LifeSpan& span = spans_.at(var.get());
            if (is_new) {
                BufferLife life;
                life.span = span;
                life.space = tile->space.value_or(TileSpace::DDR);
                life.bytes = tile->memref->size_bytes.value_or(0);
                life.base = base;
                result.buffers.push_back(std::move(life));
            }
            BufferLife& life = result.buffers[at->second];
            life.members.push_back(var);
            life.span.defined = std::min(life.span.defined, span.defined);
            life.span.last_use = std::max(life.span.last_use, span.last_use);
            if (life.stages.empty()) read_pipeline(*var, life);
        }
        result.spans = std::move(spans_);
        result.families = std::move(families_);
        return result;
    }

    void read_pipeline(const VarNode& var, BufferLife& life) const {
        const auto found = definition_.find(&var);
        const auto* call = found == definition_.end() ? nullptr : as<CallNode>(found->second->value);
        const auto* packed = call == nullptr ? nullptr : as<StringNode>(call->attr("pipeline_membership"));
        if (packed == nullptr) return;
        life.stages = read_stages(packed->value);
        life.loaded = call->is_op("tile.load") || call->is_op("tile.read");
    }

    static constexpr int kNoLoop = -1;
    struct Loop {
        int begin, end; ///< positions of its first and last statement
        int around;     ///< the loop that it is in
    };

    /// The position of a statement, one behind the other.
    int step() {
        innermost_.push_back(loop_);
        return next_++;
    }

    int next_ = 0, next_family_ = 0;
    int loop_ = kNoLoop; ///< that we are in
    std::vector<Var> order_;
    std::unordered_map<const VarNode*, LifeSpan> spans_;
    std::unordered_map<const VarNode*, const AssignNode*> definition_;
    std::unordered_map<const VarNode*, const VarNode*> starts_as_;            ///< a loop's result by its initial value
    std::unordered_map<const VarNode*, std::vector<const VarNode*>> sources_; ///< an If's result by the tiles that hold it
    std::unordered_map<const VarNode*, std::set<int>> families_;
    std::vector<Loop> loops_;
    std::vector<int> innermost_; ///< by position: the loop around it
};

} // namespace

ReuseLifetimes reuse_lifetimes(const FunctionNode& function) { return Walker().run(function); }

} // namespace ls::memory
