// Private to this folder: the scope ids of a kernel, what they say about its launch, and what each of them is in the
// lowered program (spec/tirx.md 9, TilePrimitiveDispatch steps 1 and 4).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/ir/stmt.h"
#include "core/support/result.h"

namespace ls::tirx::lower {

/// Which part of which whole an id counts.
enum class ScopeBinding : std::uint8_t {
    KernelCluster,   ///< cluster_id
    KernelCta,       ///< cta_id
    ClusterCta,      ///< cta_id_in_cluster
    CtaPair,         ///< cta_id_in_pair
    CtaWarpgroup,    ///< warpgroup_id
    CtaWarp,         ///< warp_id
    WarpgroupWarp,   ///< warp_id_in_wg
    WarpThread,      ///< lane_id
    CtaThread,       ///< thread_id
    WarpgroupThread, ///< thread_id_in_wg
};
std::optional<ScopeBinding> scope_binding(std::string_view op); ///< by the name of the Call
std::string_view name(ScopeBinding binding);

/// x, y = T.cta_id([2, 1])
struct ScopeIds {
    ScopeBinding binding = ScopeBinding::KernelCta;
    std::vector<ir::Var> vars;     ///< none where the ids are not named
    std::vector<ir::Expr> extents; ///< none: as large as the others say
    ir::Stmt stmt;
};
std::optional<ScopeIds> as_scope_ids(const ir::StmtNode& stmt);
/// All of a body, in source order.
std::vector<ScopeIds> scope_ids_of(const ir::Seq& body);

struct LaunchParam {
    std::string axis; ///< "threadIdx.x"
    ir::Expr extent;
    ir::Var var;
};

class Launch {
public:
    /// Refused: TIRX_SCOPE_IDS (extents that contradict each other, more than three, no threads).
    static Result<Launch> make(std::span<const ScopeIds> ids);

    const std::vector<LaunchParam>& params() const { return params_; } ///< outermost first
    const LaunchParam* find(std::string_view axis) const;
    std::optional<std::int64_t> extent(std::string_view axis) const; ///< a constant one
    /// Of a CTA; nothing when it is no constant.
    std::optional<std::int64_t> threads() const;
    bool clustered() const { return find("clusterCtaIdx.x") != nullptr; }
    /// warp_id_in_cta and what it is; null when the kernel has no threads.
    const ir::Var& warp_in_cta() const { return warp_in_cta_; }
    ir::Expr warp_in_cta_value() const;
    /// What the id is. Refused: TIRX_SCOPE_IDS (the launch has no such axis).
    Result<ir::Expr> value(ScopeBinding binding, std::size_t dimension) const;

private:
    Status add(std::string_view prefix, const std::vector<ir::Expr>& extents);
    ir::Expr linear(std::string_view prefix) const;

    std::vector<LaunchParam> params_;
    ir::Var warp_in_cta_;
};

} // namespace ls::tirx::lower
