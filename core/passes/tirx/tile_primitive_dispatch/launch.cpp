#include "core/passes/tirx/tile_primitive_dispatch/launch.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "core/ir/equality.h"
#include "core/ir/walk.h"
#include "core/passes/tirx/tile_primitive_dispatch/build_ir.h"

namespace ls::tirx::lower {

using namespace ir;

namespace {

/// Wholes and parts, widest first.
enum class Level : std::uint8_t { Kernel, Cluster, Cta, CtaPair, Warpgroup, Warp, Thread };

struct Row {
    ScopeBinding binding;
    std::string_view op;
    Level whole, part;
};
constexpr std::array kRows{
    Row{ScopeBinding::KernelCluster, "cluster_id", Level::Kernel, Level::Cluster},
    Row{ScopeBinding::KernelCta, "cta_id", Level::Kernel, Level::Cta},
    Row{ScopeBinding::ClusterCta, "cta_id_in_cluster", Level::Cluster, Level::Cta},
    Row{ScopeBinding::CtaPair, "cta_id_in_pair", Level::Cluster, Level::CtaPair},
    Row{ScopeBinding::CtaWarpgroup, "warpgroup_id", Level::Cta, Level::Warpgroup},
    Row{ScopeBinding::CtaWarp, "warp_id", Level::Cta, Level::Warp},
    Row{ScopeBinding::WarpgroupWarp, "warp_id_in_wg", Level::Warpgroup, Level::Warp},
    Row{ScopeBinding::WarpThread, "lane_id", Level::Warp, Level::Thread},
    Row{ScopeBinding::CtaThread, "thread_id", Level::Cta, Level::Thread},
    Row{ScopeBinding::WarpgroupThread, "thread_id_in_wg", Level::Warpgroup, Level::Thread},
};

const Row& row(ScopeBinding binding) {
    return *std::find_if(kRows.begin(), kRows.end(), [&](const Row& r) { return r.binding == binding; });
}

std::optional<ScopeBinding> binding_between(Level whole, Level part) {
    for (const Row& r : kRows) {
        if (r.whole == whole && r.part == part) return r.binding;
    }
    return {};
}

Expr product_of(const std::vector<Expr>& extents) {
    Expr total = i32(1);
    for (const Expr& e : extents) total = multiply(total, e);
    return total;
}

using Extents = std::map<ScopeBinding, std::vector<Expr>>;

/// Takes over what a declaration, or two others together, say. Refused where numbers contradict each other.
Result<bool> learn(Extents& known, ScopeBinding binding, const std::vector<Expr>& extents) {
    const auto at = known.find(binding);
    if (at == known.end()) {
        known[binding] = extents;
        return true;
    }
    const auto before = constant(product_of(at->second)), now = constant(product_of(extents));
    if (before && now && *before != *now) {
        return error(
            "TIRX_SCOPE_IDS",
            fmt::format("Inconsistent extents for {}: {} here, {} from the other ids", name(binding), *before, *now),
            "ids of one kernel must agree: warpgroups times threads of a warpgroup are the threads of a CTA");
    }
    return false;
}

/// What follows from two extents: whole→middle times middle→part, or a quotient of two with one end in common.
Result<bool> combine(Extents& known, ScopeBinding left, ScopeBinding right) {
    const Row &l = row(left), &r = row(right);
    if (left == ScopeBinding::CtaPair || right == ScopeBinding::CtaPair) return false;
    const Expr a = product_of(known[left]), b = product_of(known[right]);
    bool news = false;
    if (l.part == r.whole) {
        if (const auto made = binding_between(l.whole, r.part)) {
            LS_TRY(const bool more, learn(known, *made, {multiply(a, b)}));
            news = news || more;
        }
    }
    std::optional<ScopeBinding> rest;
    if (l.whole == r.whole && r.part < l.part) rest = binding_between(r.part, l.part);
    if (l.part == r.part && l.whole < r.whole) rest = binding_between(l.whole, r.whole);
    const auto total = constant(a), by = constant(b);
    if (!rest || !total || !by || *by == 0) return news;
    if (*total % *by != 0) {
        return error("TIRX_SCOPE_IDS", fmt::format("{} has {} and {} has {}, which does not divide it", name(left),
                                                   *total, name(right), *by));
    }
    LS_TRY(const bool more, learn(known, *rest, {i32(*total / *by)}));
    return news || more;
}

Result<Extents> closure(std::span<const ScopeIds> ids) {
    Extents known;
    for (const ScopeIds& one : ids) {
        if (!one.extents.empty()) LS_CHECK(learn(known, one.binding, one.extents));
    }
    for (bool news = true; news;) {
        news = false;
        std::vector<ScopeBinding> bindings;
        for (const auto& [binding, extents] : known) bindings.push_back(binding);
        for (const ScopeBinding l : bindings) {
            for (const ScopeBinding r : bindings) {
                if (l == r) continue;
                LS_TRY(const bool more, combine(known, l, r));
                news = news || more;
            }
        }
    }
    for (const ScopeIds& one : ids) {
        if (known.contains(one.binding) || one.binding == ScopeBinding::CtaPair) continue;
        return error("TIRX_SCOPE_IDS", fmt::format("the extent of {} follows from no other id", name(one.binding)),
                     "give it, or declare the ids between it and the CTA's threads");
    }
    return known;
}

constexpr std::string_view kAxes = "xyz";

} // namespace

std::optional<ScopeBinding> scope_binding(std::string_view op) {
    for (const Row& r : kRows) {
        if (r.op == op) return r.binding;
    }
    return {};
}

std::string_view name(ScopeBinding binding) { return row(binding).op; }

std::optional<ScopeIds> as_scope_ids(const StmtNode& stmt) {
    const auto* a = as<AssignNode>(&stmt);
    const auto* e = as<EvalNode>(&stmt);
    const auto* c = as<CallNode>(a != nullptr ? a->value : e != nullptr ? e->value : nullptr);
    if (c == nullptr || c->callee != CalleeKind::Op) return {};
    const auto binding = scope_binding(c->op);
    if (!binding) return {};
    ScopeIds ids{*binding, {}, {}, nullptr};
    if (a != nullptr) ids.vars = a->targets;
    if (!c->args.empty()) {
        const auto* extents = as<TupleNode>(c->args[0]);
        if (extents != nullptr) {
            ids.extents = extents->elements;
        } else {
            ids.extents = {c->args[0]};
        }
    }
    return ids;
}

std::vector<ScopeIds> scope_ids_of(const Seq& body) {
    std::vector<ScopeIds> found;
    const auto visit = [&](const StmtNode& stmt) {
        if (auto ids = as_scope_ids(stmt)) found.push_back(*std::move(ids));
    };
    for (const Stmt& s : body->stmts) {
        if (auto ids = as_scope_ids(*s)) {
            found.push_back(*std::move(ids));
        } else {
            for_each_stmt(*s, visit);
        }
    }
    return found;
}

const LaunchParam* Launch::find(std::string_view axis) const {
    const auto at = std::find_if(params_.begin(), params_.end(), [&](const LaunchParam& p) { return p.axis == axis; });
    return at == params_.end() ? nullptr : &*at;
}

std::optional<std::int64_t> Launch::extent(std::string_view axis) const {
    const LaunchParam* param = find(axis);
    return param == nullptr ? std::nullopt : constant(param->extent);
}

std::optional<std::int64_t> Launch::threads() const {
    std::int64_t total = 1;
    for (const LaunchParam& param : params_) {
        if (!param.axis.starts_with("threadIdx.")) continue;
        const auto extent = constant(param.extent);
        if (!extent) return {};
        total *= *extent;
    }
    return total;
}

Status Launch::add(std::string_view prefix, const std::vector<Expr>& extents) {
    if (extents.size() > kAxes.size()) {
        return error("TIRX_SCOPE_IDS",
                     fmt::format("{} has {} dimensions; a launch has up to 3", prefix, extents.size()));
    }
    for (std::size_t d = 0; d < extents.size(); ++d) {
        params_.push_back(
            {fmt::format("{}.{}", prefix, kAxes[d]), extents[d], loop_var(fmt::format("{}_{}", prefix, kAxes[d]))});
    }
    return ok_status();
}

Result<Launch> Launch::make(std::span<const ScopeIds> ids) {
    LS_TRY(Extents known, closure(ids));
    Launch launch;
    const auto cluster = known.find(ScopeBinding::ClusterCta);
    if (cluster != known.end() && !is_constant(product_of(cluster->second), 1)) {
        LS_CHECK(launch.add("clusterCtaIdx", cluster->second));
    }
    if (known.contains(ScopeBinding::KernelCta)) LS_CHECK(launch.add("blockIdx", known[ScopeBinding::KernelCta]));
    if (known.contains(ScopeBinding::CtaThread)) LS_CHECK(launch.add("threadIdx", known[ScopeBinding::CtaThread]));
    if (launch.find("threadIdx.x") != nullptr) {
        launch.warp_in_cta_ = loop_var("warp_id_in_cta");
    } else if (!ids.empty()) {
        return error("TIRX_SCOPE_IDS", "kernel has no thread launch parameters",
                     "declare the threads of a CTA, such as tid = T.thread_id([128])");
    }
    return launch;
}

Expr Launch::linear(std::string_view prefix) const {
    Expr total = i32(0), stride = i32(1);
    for (const char axis : kAxes) {
        const LaunchParam* param = find(fmt::format("{}.{}", prefix, axis));
        if (param == nullptr) break;
        total = lower::add(total, multiply(param->var, stride));
        stride = multiply(stride, param->extent);
    }
    return total;
}

Expr Launch::warp_in_cta_value() const {
    return call("tvm_warp_shuffle", {u32(0xFFFFFFFF), divide(linear("threadIdx"), 32), i32(0), i32(32), i32(32)});
}

Result<Expr> Launch::value(ScopeBinding binding, std::size_t dimension) const {
    const auto axis = [&](std::string_view prefix) -> Result<Expr> {
        const LaunchParam* param =
            dimension < kAxes.size() ? find(fmt::format("{}.{}", prefix, kAxes[dimension])) : nullptr;
        if (param != nullptr) return Expr(param->var);
        return error("TIRX_SCOPE_IDS",
                     fmt::format("the launch has no axis for dimension {} of {}", dimension, name(binding)));
    };
    if (warp_in_cta_ == nullptr && binding > ScopeBinding::CtaPair) {
        return error("TIRX_SCOPE_IDS", fmt::format("{} needs the threads of a CTA", name(binding)));
    }
    switch (binding) {
    case ScopeBinding::KernelCta: return axis("blockIdx");
    case ScopeBinding::ClusterCta: return axis("clusterCtaIdx");
    case ScopeBinding::CtaThread: return axis("threadIdx");
    case ScopeBinding::KernelCluster:
        return call("cuda.mov_sreg",
                    {i32(32), string(fmt::format("clusterid.{}", kAxes[std::min(dimension, kAxes.size() - 1)]))});
    case ScopeBinding::CtaPair: return modulo(linear("clusterCtaIdx"), 2);
    case ScopeBinding::CtaWarpgroup: return divide(warp_in_cta_, 4);
    case ScopeBinding::CtaWarp: return Expr(warp_in_cta_);
    case ScopeBinding::WarpgroupWarp: return modulo(warp_in_cta_, 4);
    case ScopeBinding::WarpgroupThread: return modulo(linear("threadIdx"), 128);
    default: return modulo(linear("threadIdx"), 32);
    }
}

} // namespace ls::tirx::lower
