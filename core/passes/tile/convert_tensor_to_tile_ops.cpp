#include "core/passes/tile/convert_tensor_to_tile_ops.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/ir/mutator.h"
#include "core/ir/walk.h"
#include "core/passes/tile/param_access.h"
#include "core/passes/tile/tensor_to_tile.h"
#include "core/passes/tile/tile_result_type.h"

namespace ls::tile {

using namespace ir;

namespace {

/// Parameters that a function got at its end, to be handed in by whoever calls it.
using Added = std::unordered_map<std::string, std::vector<Param>>;

std::vector<Expr> zeros(std::size_t rank) { return std::vector<Expr>(rank, const_int(0)); }

/// The function that a call names: self.NAME(...), or the first operand of a submit.
std::string callee(const CallNode& call) {
    if (call.callee == CalleeKind::Function) return call.op;
    const bool submits = call.callee == CalleeKind::Op && (call.op == "submit" || call.op == "spmd_submit");
    const auto* named = submits && !call.args.empty() ? as<ir::SymbolNode>(call.args[0]) : nullptr;
    return named != nullptr ? std::string(named->last()) : std::string();
}

struct Kernel {
    Function function;
    std::vector<Param> added;
    std::vector<Diagnostic> warnings;
};

class KernelConverter {
public:
    explicit KernelConverter(const Function& function)
        : function_(function), names_(*function), demands_(*function), body_(demands_, names_) {}

    Kernel run() {
        std::vector<Stmt> stmts;
        for (const Param& p : function_->params) {
            if (as<TensorTypeNode>(p.var->type) != nullptr && demands_.wants_tile(p.var.get())) {
                stmts.push_back(body_.entry_load(p.var));
            }
        }
        const std::vector<Stmt>& old = function_->body->stmts;
        const auto ret = !old.empty() ? ref_as<ReturnNode>(old.back()) : Ref<ReturnNode>{};
        auto without = derive(function_->body);
        if (ret != nullptr) without->stmts.pop_back();
        const Seq before = seal(std::move(without));
        const Seq after = body_.mutate(before);
        const bool same = after == before && stmts.empty();
        stmts.insert(stmts.end(), after->stmts.begin(), after->stmts.end());

        auto n = derive(function_);
        bool returns_same = true;
        if (ret != nullptr) returns_same = exit(*n, ret, stmts);
        if (!same || !returns_same) {
            auto body = derive(function_->body);
            body->stmts = std::move(stmts);
            n->body = seal(std::move(body));
        }
        const bool turned = directions(*n);
        Kernel kernel;
        kernel.added = added_;
        kernel.warnings = body_.take_warnings();
        kernel.warnings.insert(kernel.warnings.end(), warnings_.begin(), warnings_.end());
        const bool unchanged = same && returns_same && !turned && n->returns == function_->returns;
        kernel.function = unchanged ? function_ : seal(std::move(n));
        return kernel;
    }

private:
    /// Tiles cannot leave a kernel: each one that is returned is stored to a new Out parameter. Answers whether the
    /// return stayed as it is.
    bool exit(FunctionNode& n, const Ref<ReturnNode>& ret, std::vector<Stmt>& stmts) {
        auto r = derive(ret);
        std::vector<Type> types;
        bool same = true;
        for (std::size_t i = 0; i < r->values.size(); ++i) {
            r->values[i] = body_.now(ret->values[i]);
            const auto* tile = as<TileTypeNode>(type_of(r->values[i]));
            if (tile == nullptr) {
                types.push_back(type_of(r->values[i]));
            } else {
                const std::size_t number = added_.size();
                const auto* declared = i < function_->returns.size() ? as<TensorTypeNode>(function_->returns[i]) : nullptr;
                const Type type = declared != nullptr ? function_->returns[i] : tensor_type(tile->shape, tile->dtype);
                Param out{var(names_.make(fmt::format("ret{}__out", number)), type, ret->span), Direction::Out};
                auto store = std::make_shared<AssignNode>();
                store->origin = ret;
                store->span = ret->span;
                Var stored = var(names_.make(fmt::format("ret{}__store", number)), type, ret->span);
                store->targets.push_back(stored);
                store->value = call("tile.store", {r->values[i], tuple(zeros(tile->shape.size())), out.var}, {}, {}, type, ret->span);
                stmts.push_back(seal(std::move(store)));
                r->values[i] = std::move(stored);
                types.push_back(type);
                n.params.push_back(out);
                added_.push_back(std::move(out));
            }
            same = same && r->values[i] == ret->values[i];
        }
        const bool known = std::none_of(types.begin(), types.end(), [](const Type& t) { return t == nullptr; });
        // What is returned says the types, also where no one wrote them down.
        if (known && !(types.size() == function_->returns.size() && same)) n.returns = std::move(types);
        stmts.push_back(same ? Stmt(ret) : seal(std::move(r)));
        return same;
    }

    bool directions(FunctionNode& n) {
        bool turned = false;
        const std::vector<ParamAccess> access = param_access(n);
        for (std::size_t i = 0; i < n.params.size(); ++i) {
            Param& p = n.params[i];
            const ParamAccess& a = access[i];
            if (a.bulk_store != nullptr && a.scalar_store != nullptr) {
                warnings_.push_back(warning_at(
                    a.scalar_store->span, "TILE_MIXED_STORES",
                    fmt::format("{} is written by whole tiles and by single elements; the two take different ways to memory, "
                                "and nothing orders them where they share a cache line", p.var->name),
                    "write the elements into the tile before it is stored, or write all of them one by one"));
            }
            if (p.direction != Direction::In || !a.writes) continue;
            p.direction = a.reads ? Direction::InOut : Direction::Out;
            turned = true;
        }
        return turned;
    }

    Function function_;
    FreshNames names_;
    Demands demands_;
    TensorToTile body_;
    std::vector<Param> added_;
    std::vector<Diagnostic> warnings_;
};

/// Calls of functions that got parameters hand in what they now ask for.
class CallSites final : public Mutator {
public:
    explicit CallSites(const Added& added) : added_(added) {}

    /// A Spmd or Group function asks for the parameters itself; any other makes the tensors before the call.
    Function rewrite(const Function& function, bool wrapper) {
        names_ = FreshNames(*function);
        wrapper_ = wrapper;
        new_params_.clear();
        const Seq body = mutate(function->body);
        if (body == function->body) return function;
        auto n = derive(function);
        n->body = body;
        n->params.insert(n->params.end(), new_params_.begin(), new_params_.end());
        return seal(std::move(n));
    }
    const std::vector<Param>& new_params() const { return new_params_; }

protected:
    Stmt on_stmt(const Stmt& stmt) override {
        std::vector<Stmt> outer;
        outer.swap(before_);
        const Stmt enclosing = std::exchange(current_, stmt);
        Stmt now = Mutator::on_stmt(stmt);
        if (!before_.empty()) {
            before_.push_back(std::move(now));
            now = seq(std::move(before_));
        }
        current_ = enclosing;
        before_ = std::move(outer);
        return now;
    }

    Expr on_call(const Call& call) override {
        const Expr now = Mutator::on_call(call);
        const auto found = added_.find(callee(*call));
        if (found == added_.end() || found->second.empty()) return now;
        auto n = derive(ref_as<CallNode>(now));
        for (const Param& p : found->second) n->args.push_back(hand_in(p));
        return seal(std::move(n));
    }

private:
    Expr hand_in(const Param& p) {
        Var v = var(names_.make(p.var->name), p.var->type, current_->span);
        if (wrapper_) {
            new_params_.push_back({v, Direction::Out});
            return v;
        }
        const auto& tensor = static_cast<const TensorTypeNode&>(*p.var->type);
        const TensorOrder order = tensor.view ? tensor.view->order : TensorOrder::ND;
        auto made = std::make_shared<AssignNode>();
        made->origin = current_;
        made->span = current_->span;
        made->targets.push_back(v);
        made->value = call("tensor.create", {tuple(tensor.shape)},
                           {{"dtype", dtype_name(tensor.dtype)}, {"layout", symbol(fmt::format("pl.TensorLayout.{}", name(order)))}},
                           {}, p.var->type, current_->span);
        before_.push_back(seal(std::move(made)));
        return v;
    }

    const Added& added_;
    FreshNames names_;
    bool wrapper_ = false;
    Stmt current_;
    std::vector<Stmt> before_;
    std::vector<Param> new_params_;
};

/// What a function hands to a parameter that is written, it writes itself: until nothing changes any more.
void spread_directions(std::vector<Function>& functions) {
    std::unordered_map<std::string, std::size_t> by_name;
    std::vector<std::unordered_map<const VarNode*, std::size_t>> params(functions.size());
    struct Handed {
        std::size_t caller, param, callee, operand;
    };
    std::vector<Handed> handed;
    for (std::size_t i = 0; i < functions.size(); ++i) by_name.emplace(functions[i]->name, i);
    for (std::size_t i = 0; i < functions.size(); ++i) {
        const FunctionNode& f = *functions[i];
        if (f.function == FunctionKind::InCore) continue;
        for (std::size_t p = 0; p < f.params.size(); ++p) params[i].emplace(f.params[p].var.get(), p);
        for_each_call(*f.body, [&](const CallNode& c) {
            if (c.callee != CalleeKind::Function) return;
            const auto to = by_name.find(c.op);
            if (to == by_name.end()) return;
            for (std::size_t a = 0; a < c.args.size(); ++a) {
                const auto* v = as<VarNode>(c.args[a]);
                const auto p = v != nullptr ? params[i].find(v) : params[i].end();
                if (p != params[i].end()) handed.push_back({i, p->second, to->second, a});
            }
        });
    }
    std::vector<std::vector<Direction>> now;
    for (const Function& f : functions) {
        now.emplace_back();
        for (const Param& p : f->params) now.back().push_back(p.direction);
    }
    for (bool changed = true; changed;) { // each direction rises at most twice
        changed = false;
        for (const Handed& h : handed) {
            if (h.operand >= now[h.callee].size()) continue;
            const Direction theirs = now[h.callee][h.operand];
            Direction& mine = now[h.caller][h.param];
            const Direction raised = theirs == Direction::InOut ? Direction::InOut
                                     : theirs == Direction::Out && mine == Direction::In ? Direction::Out
                                                                                        : mine;
            changed = changed || raised != mine;
            mine = raised;
        }
    }
    for (std::size_t i = 0; i < functions.size(); ++i) {
        bool same = true;
        for (std::size_t p = 0; p < now[i].size(); ++p) same = same && functions[i]->params[p].direction == now[i][p];
        if (same) continue;
        auto n = derive(functions[i]);
        n->origin = functions[i]->origin != nullptr ? functions[i]->origin : functions[i];
        for (std::size_t p = 0; p < now[i].size(); ++p) n->params[p].direction = now[i][p];
        functions[i] = seal(std::move(n));
    }
}

} // namespace

PassResult convert_tensor_to_tile_ops(const Module& module, const PassContext&) {
    PassResult result;
    Added added;
    std::vector<Function> functions;
    for (const Function& f : module->functions) {
        if (f->function != FunctionKind::InCore || f->body == nullptr) {
            functions.push_back(f);
            continue;
        }
        Kernel kernel = KernelConverter(f).run();
        if (!kernel.added.empty()) added[f->name] = kernel.added;
        result.diagnostics.insert(result.diagnostics.end(), kernel.warnings.begin(), kernel.warnings.end());
        functions.push_back(std::move(kernel.function));
    }
    CallSites sites(added);
    for (const bool wrappers : {true, false}) {
        Added more;
        for (Function& f : functions) {
            const bool is_wrapper = f->function == FunctionKind::Spmd || f->function == FunctionKind::Group;
            if (f->function == FunctionKind::InCore || is_wrapper != wrappers || f->body == nullptr || added.empty()) continue;
            f = sites.rewrite(f, wrappers);
            if (!sites.new_params().empty()) more[f->name] = sites.new_params();
        }
        added.merge(more);
    }
    spread_directions(functions);
    if (functions == module->functions) {
        result.module = module;
        return result;
    }
    auto n = derive(module);
    n->functions = std::move(functions);
    result.module = seal(std::move(n));
    return result;
}

} // namespace ls::tile
