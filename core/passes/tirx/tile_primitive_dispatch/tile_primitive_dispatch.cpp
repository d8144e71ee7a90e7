#include "core/passes/tirx/tile_primitive_dispatch/tile_primitive_dispatch.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "core/dialect/tirx/tirx.h"
#include "core/ir/mutator.h"
#include "core/ir/walk.h"
#include "core/passes/tirx/tile_primitive_dispatch/build_ir.h"
#include "core/passes/tirx/tile_primitive_dispatch/conditions.h"
#include "core/passes/tirx/tile_primitive_dispatch/lowering.h"

namespace ls::tirx {

using namespace ir;

namespace {

using lower::Kernel;
using lower::Launch;
using lower::Lowering;
using lower::ScopeIds;

constexpr std::string_view kDeviceEntry = "tirx.device_entry";

bool is_device_entry(const StmtNode& stmt) {
    const auto* with = as<WithNode>(&stmt);
    const auto* c = as<CallNode>(with != nullptr ? with->scope : nullptr);
    if (c == nullptr || !c->is_op("attr")) return false;
    if (c->args.size() == 1) {
        const auto* d = as<DictNode>(c->args[0]);
        return d != nullptr && std::any_of(d->entries.begin(), d->entries.end(),
                                           [](const KeyValue& e) { return e.key == kDeviceEntry; });
    }
    const auto* key = c->args.size() == 3 ? as<StringNode>(c->args[1]) : nullptr;
    return key != nullptr && key->value == kDeviceEntry;
}

/// The kind and the SM version of the function's target; CUDA on sm_100 without one.
struct Target {
    std::string kind = "cuda";
    int sm = 100;
};
Target target_of(const FunctionNode& function) {
    Target target;
    const auto* c = as<CallNode>(function.attr("target"));
    const auto* d = as<DictNode>(c != nullptr && !c->args.empty() ? c->args[0].get() : nullptr);
    if (d == nullptr) return target;
    for (const KeyValue& entry : d->entries) {
        const auto* text = as<StringNode>(entry.value);
        if (text == nullptr) continue;
        if (entry.key == "kind") target.kind = text->value;
        if (entry.key == "arch" && text->value.starts_with("sm_")) {
            std::from_chars(text->value.data() + 3, text->value.data() + text->value.size(), target.sm);
        }
    }
    return target;
}

ScopeKind scope_kind(ExecScope scope) {
    switch (scope) {
    case ExecScope::Thread: return ScopeKind::Thread;
    case ExecScope::Warp: return ScopeKind::Warp;
    case ExecScope::Warpgroup: return ScopeKind::Warpgroup;
    case ExecScope::Cta: return ScopeKind::Cta;
    default: return ScopeKind::Cluster;
    }
}

/// Gives statements that a variant made, and what they contain, the tile call as origin.
class OriginStamp final : public Mutator {
public:
    explicit OriginStamp(Stmt origin) : origin_(std::move(origin)) {}
    std::vector<Stmt> stamp(const std::vector<Stmt>& stmts) {
        std::vector<Stmt> out;
        out.reserve(stmts.size());
        for (const Stmt& s : stmts) out.push_back(on_stmt(s));
        return out;
    }

protected:
    Stmt on_stmt(const Stmt& stmt) override {
        const Stmt inner = Mutator::on_stmt(stmt);
        if (inner == nullptr || (inner->origin != nullptr && inner == stmt)) return inner;
        switch (inner->kind) {
        case NodeKind::Assign: return stamped(ref_as<AssignNode>(inner));
        case NodeKind::Eval: return stamped(ref_as<EvalNode>(inner));
        case NodeKind::Store: return stamped(ref_as<StoreNode>(inner));
        case NodeKind::For: return stamped(ref_as<ForNode>(inner));
        case NodeKind::If: return stamped(ref_as<IfNode>(inner));
        case NodeKind::With: return stamped(ref_as<WithNode>(inner));
        default: return inner;
        }
    }

private:
    template <class T>
    Stmt stamped(const Ref<T>& stmt) const {
        auto copy = derive(stmt);
        copy->origin = origin_;
        copy->span = origin_->span;
        return seal(std::move(copy));
    }
    Stmt origin_;
};

/// Replaces the tile calls of a kernel's body.
class CallLowering final : public Mutator {
public:
    CallLowering(Kernel& kernel, const Target& target)
        : kernel_(kernel), target_(target), variables_(kernel.launch.clustered()) {
        const auto threads = kernel.launch.threads();
        tracked_ = threads && *threads > 0;
        if (!tracked_) return;
        threads_ = *threads;
        std::vector<std::pair<std::string, std::int64_t>> ctas;
        std::int64_t all = 1;
        for (const LaunchAxis& axis : kernel.launch.clustered() ? kClusterAxes : kGridAxes) {
            const auto extent = kernel.launch.extent(axis.launch);
            if (!extent) break;
            ctas.emplace_back(axis.name, *extent);
            all *= *extent;
        }
        if (ctas.size() <= 1) ctas = {{"cta_id", all}};
        active_ = ActiveSet::all(threads_, std::move(ctas));
    }

    std::optional<Diagnostic> failure;

protected:
    Stmt on_stmt(const Stmt& stmt) override {
        if (failure) return stmt;
        if (const auto ids = lower::as_scope_ids(*stmt)) {
            variables_.define(*ids);
            for (const Var& v : ids->vars) kernel_.symbols.define(v);
            return stmt;
        }
        if (const auto tile = as_tile_call(*stmt)) return lowered(*tile, stmt);
        if (const auto* a = as<AssignNode>(stmt)) {
            for (const Var& v : a->targets) kernel_.symbols.define(v);
        }
        if (const auto* f = as<ForNode>(stmt)) kernel_.symbols.define(f->var);
        if (const auto branch = ref_as<IfNode>(stmt)) return narrowed(branch);
        return Mutator::on_stmt(stmt);
    }

private:
    struct LaunchAxis {
        std::string_view launch, name;
    };
    static constexpr std::array<LaunchAxis, 3> kClusterAxes{
        {{"clusterCtaIdx.x", "cbx"}, {"clusterCtaIdx.y", "cby"}, {"clusterCtaIdx.z", "cbz"}}};
    static constexpr std::array<LaunchAxis, 3> kGridAxes{
        {{"blockIdx.x", "bx"}, {"blockIdx.y", "by"}, {"blockIdx.z", "bz"}}};

    /// The then branch is run by fewer threads.
    Stmt narrowed(const Ref<IfNode>& branch) {
        const ActiveSet before = active_;
        const auto filters = variables_.filters(branch->condition);
        active_ = active_.narrowed(filters);
        const Seq then_body = mutate(branch->then_body);
        active_ = before;
        const Seq else_body = branch->else_body == nullptr ? nullptr : mutate(branch->else_body);
        const Expr condition = lower::without_filters(branch->condition);
        if (then_body == branch->then_body && else_body == branch->else_body && condition == branch->condition)
            return branch;
        auto copy = derive(branch);
        copy->condition = condition;
        copy->then_body = then_body;
        copy->else_body = else_body;
        return seal(std::move(copy));
    }

    Stmt lowered(const TileCall& tile, const Stmt& stmt) {
        auto made = statements(tile);
        if (!made) {
            failure = std::move(made).error();
            if (failure->span.empty()) failure->span = stmt->span;
            return stmt;
        }
        OriginStamp stamp(stmt);
        stamp_around(stamp);
        std::vector<Stmt> body = stamp.stamp(*made);
        if (!body.empty() && !stmt->comments.empty()) body.front() = with_comments(body.front(), stmt->comments);
        return seq(std::move(body), stmt->span);
    }

    /// What the call added elsewhere comes from it too.
    void stamp_around(OriginStamp& stamp) {
        for (; device_init_seen_ < kernel_.device_init.size(); ++device_init_seen_) {
            kernel_.device_init[device_init_seen_] = stamp.stamp(kernel_.device_init[device_init_seen_]);
        }
        for (; host_init_seen_ < kernel_.host_init.size(); ++host_init_seen_) {
            kernel_.host_init[host_init_seen_] = stamp.stamp(kernel_.host_init[host_init_seen_]);
        }
        for (auto& [buffer, stmts] : kernel_.after_definition) {
            std::size_t& seen = after_seen_[buffer];
            for (; seen < stmts.size(); ++seen) stmts[seen] = stamp.stamp({stmts[seen]}).front();
        }
    }

    Result<std::vector<Stmt>> statements(const TileCall& tile) {
        LS_TRY(const DispatchCall call, lower::dispatch_call(tile, kernel_.symbols));
        DispatchContext context;
        context.target = target_.kind;
        context.sm = target_.sm;
        context.scope = scope_kind(tile.scope);
        context.threads = threads_;
        context.flat_threads = kernel_.launch.find("threadIdx.y") == nullptr;
        // A scope that the active threads do not fit leaves the variants to decide by the scope's name alone.
        if (tracked_) {
            if (auto split = active_.split(context.scope)) context.split = *std::move(split);
        }
        LS_TRY(const Dispatched chosen, dispatch(cuda_registry(), call, context));
        const Lowering lowering{tile, call, context, kernel_};
        return std::visit([&](const auto& plan) { return lower::emit(plan, lowering); }, chosen.plan);
    }

    Kernel& kernel_;
    const Target& target_;
    lower::ScopeVariables variables_;
    ActiveSet active_ = ActiveSet::all(1);
    bool tracked_ = false;
    std::int64_t threads_ = 1;
    std::size_t device_init_seen_ = 0, host_init_seen_ = 0;
    std::unordered_map<const VarNode*, std::size_t> after_seen_;
};

/// Puts what belongs behind a buffer's definition there, and takes the scope ids out.
class Placement final : public Mutator {
public:
    explicit Placement(Kernel& kernel) : kernel_(kernel) {}

protected:
    Stmt on_stmt(const Stmt& stmt) override {
        if (lower::as_scope_ids(*stmt)) return nullptr;
        const auto* a = as<AssignNode>(stmt);
        if (a == nullptr || a->targets.size() != 1) return Mutator::on_stmt(stmt);
        const auto at = kernel_.after_definition.find(a->targets[0].get());
        if (at == kernel_.after_definition.end()) return stmt;
        std::vector<Stmt> both{stmt};
        both.insert(both.end(), at->second.begin(), at->second.end());
        kernel_.after_definition.erase(at);
        return seq(std::move(both), stmt->span);
    }

private:
    Kernel& kernel_;
};

/// One kernel: its entry marker with all that is in it.
class KernelLowering {
public:
    KernelLowering(const Ref<WithNode>& entry, const FunctionNode& function, const Target& target)
        : entry_(entry), function_(function), target_(target) {}

    Result<std::vector<Stmt>> lower() {
        LS_TRY(kernel_.launch, Launch::make(lower::scope_ids_of(entry_->body)));
        for (const Param& p : function_.params) kernel_.symbols.define(p.var);
        for_each_stmt(*function_.body, [&](const StmtNode& s) { // definitions before the kernel
            const auto* a = as<AssignNode>(&s);
            if (a == nullptr) return;
            for (const Var& v : a->targets) kernel_.symbols.define(v);
        });
        CallLowering calls(kernel_, target_);
        Seq body = calls.mutate(entry_->body);
        if (calls.failure) return *std::move(calls.failure);

        std::vector<Stmt> out;
        LS_CHECK(bind_ids(body, out));
        for (const auto& stmts : kernel_.device_init) out.insert(out.end(), stmts.begin(), stmts.end());
        const Seq placed = Placement(kernel_).mutate(body);
        out.insert(out.end(), placed->stmts.begin(), placed->stmts.end());
        return around(std::move(out));
    }

private:
    /// name: T.let[T.int32] = what the id is, in the order of the ids; those without a name are evaluated.
    Status bind_ids(const Seq& body, std::vector<Stmt>& out) {
        const Launch& launch = kernel_.launch;
        if (launch.warp_in_cta() != nullptr)
            out.push_back(bound(launch.warp_in_cta(), launch.warp_in_cta_value(), entry_));
        std::vector<Stmt> evaluated;
        for (const ScopeIds& ids : ids_in(body)) {
            std::vector<Var> vars = ids.vars;
            if (vars.empty()) vars.push_back(lower::loop_var(""));
            for (std::size_t d = 0; d < vars.size(); ++d) {
                LS_TRY(const Expr value, launch.value(ids.binding, d));
                const auto dtype = expr_dtype(vars[d]).value_or(DType::Int32);
                out.push_back(bound(vars[d], lower::cast_to(value, dtype), ids.stmt));
                if (vars[d]->name.empty()) evaluated.push_back(eval(vars[d]));
            }
        }
        out.insert(out.end(), evaluated.begin(), evaluated.end());
        return ok_status();
    }

    static std::vector<ScopeIds> ids_in(const Seq& body) {
        std::vector<ScopeIds> found;
        collect(body, found);
        return found;
    }
    static void collect(const Seq& body, std::vector<ScopeIds>& into) {
        for (const Stmt& s : body->stmts) {
            if (auto ids = lower::as_scope_ids(*s)) {
                ids->stmt = s;
                into.push_back(*std::move(ids));
            } else if (const auto* branch = as<IfNode>(s)) {
                collect(branch->then_body, into);
                if (branch->else_body != nullptr) collect(branch->else_body, into);
            } else if (const auto* loop = as<ForNode>(s)) {
                collect(loop->body, into);
            } else if (const auto* with = as<WithNode>(s)) {
                collect(with->body, into);
            } else if (const auto* rest = as<WhileNode>(s)) {
                collect(rest->body, into);
            }
        }
    }

    static Stmt bound(const Var& v, Expr value, const Stmt& origin) {
        auto made = std::make_shared<AssignNode>();
        made->targets = {v};
        made->value = std::move(value);
        made->origin = origin;
        if (origin != nullptr) made->span = origin->span;
        return seal(std::move(made));
    }

    /// The launch axes, and what the host does before them.
    std::vector<Stmt> around(std::vector<Stmt> body) {
        const auto& params = kernel_.launch.params();
        for (std::size_t i = params.size(); i-- > 0;) {
            auto with = std::make_shared<WithNode>();
            with->scope = call("launch_thread", {string(params[i].axis), params[i].extent});
            with->var = params[i].var;
            with->body = seq(std::move(body));
            with->origin = entry_;
            with->span = entry_->span;
            body = {seal(std::move(with))};
        }
        for (const auto& stmts : kernel_.host_init) body.insert(body.begin(), stmts.begin(), stmts.end());
        return body;
    }

    Ref<WithNode> entry_;
    const FunctionNode& function_;
    const Target& target_;
    Kernel kernel_;
};

/// Finds the kernel of a function.
class EntryLowering final : public Mutator {
public:
    EntryLowering(const FunctionNode& function, const Target& target) : function_(function), target_(target) {}
    std::optional<Diagnostic> failure;

protected:
    Stmt on_stmt(const Stmt& stmt) override {
        if (failure || !is_device_entry(*stmt)) return Mutator::on_stmt(stmt);
        auto made = KernelLowering(ref_as<WithNode>(stmt), function_, target_).lower();
        if (made) return seq(*std::move(made), stmt->span);
        failure = std::move(made).error();
        return stmt;
    }

private:
    const FunctionNode& function_;
    const Target& target_;
};

std::optional<Diagnostic> leftover(const FunctionNode& function) {
    std::optional<Diagnostic> found;
    for_each_stmt(function, [&](const StmtNode& s) {
        const auto tile = found ? std::nullopt : as_tile_call(s);
        if (!tile) return;
        found = error(
            "TIRX_TILE_CALL_LEFT",
            fmt::format("Failed to lower the TIRx program: {} of {} stands outside a kernel", tile->op, function.name),
            "tile calls stand after T.device_entry()");
        found->span = s.span;
    });
    return found;
}

} // namespace

PassResult tile_primitive_dispatch(const Module& module, const PassContext&) {
    std::vector<Function> functions;
    bool changed = false;
    for (const Function& f : module->functions) {
        const Target target = target_of(*f);
        EntryLowering entry(*f, target);
        Function lowered = entry.mutate(f);
        if (entry.failure) return PassResult::refused(*std::move(entry.failure));
        if (auto left = leftover(*lowered)) return PassResult::refused(*std::move(left));
        changed = changed || lowered != f;
        functions.push_back(std::move(lowered));
    }
    if (!changed) return PassResult::unchanged(module);
    auto copy = derive(module);
    copy->functions = std::move(functions);
    return PassResult::unchanged(seal(std::move(copy)));
}

} // namespace ls::tirx
