// Which threads run a statement (spec/tirx.md 5.4): a box of lanes by warps by CTAs, narrowed by the conditions around it.
#pragma once

#include <map>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/layout/axis.h"
#include "core/support/result.h"

namespace ls::tirx {

/// offset + stride · [0, extent)
struct AxisRange {
    std::int64_t extent = 1;
    std::int64_t offset = 0;
    std::int64_t stride = 1;
    bool operator==(const AxisRange&) const = default;

    /// Within [lo, hi), or with value % modulus == residue. Refused: ACTIVE_EMPTY when nothing is left.
    Result<AxisRange> within(std::int64_t lo, std::int64_t hi) const;
    Result<AxisRange> modulo(std::int64_t modulus, std::int64_t residue) const;
};

/// What a condition may ask about.
enum class ScopeVariable : std::uint8_t {
    Lane,              ///< lane_id
    Warp,              ///< warp_id, in the CTA
    Warpgroup,         ///< warpgroup_id
    WarpInWarpgroup,   ///< warp_id_in_wg
    Thread,            ///< thread_id, in the CTA
    ThreadInWarpgroup, ///< thread_id_in_wg
    Cta,               ///< cta_id, or one axis of it
};

/// lo <= variable < hi
struct RangeFilter {
    ScopeVariable variable = ScopeVariable::Lane;
    std::int64_t lo = 0;
    std::int64_t hi = 1;
    std::string axis = "cta_id"; ///< of a CTA variable
};
/// variable % modulus == residue, on a CTA axis
struct ModuloFilter {
    std::string axis = "cta_id";
    std::int64_t modulus = 1;
    std::int64_t residue = 0;
};
/// elect_sync(): one lane, whichever it is.
struct ElectFilter {};
using ThreadFilter = std::variant<RangeFilter, ModuloFilter, ElectFilter>;

/// How a call of some scope sees the threads: axes between its instances, and axes within one.
struct ScopeSplit {
    std::map<std::string, AxisRange> inter;
    std::map<std::string, AxisRange> intra;
};

class ActiveSet {
public:
    /// All threads of a kernel: `threads` in a CTA, and CTAs by axis ("cta_id", or bx, by, ...).
    static ActiveSet all(std::int64_t threads, std::vector<std::pair<std::string, std::int64_t>> ctas = {{"cta_id", 1}});

    const AxisRange& lane() const { return lane_; }
    const AxisRange& warp() const { return warp_; }
    bool elected() const { return elected_; }

    /// One condition. Refused: ACTIVE_EMPTY, ACTIVE_SHAPE (what is left would be no box).
    Result<ActiveSet> narrowed(const ThreadFilter& filter) const;
    /// A conjunction: ranges of one variable are joined first, then conditions are taken in whatever order works. What
    /// never works does not narrow; `unused` tells why.
    ActiveSet narrowed(std::span<const ThreadFilter> conjunction, std::vector<Diagnostic>* unused = nullptr) const;

    /// Refused: ACTIVE_SHAPE for a warpgroup when the active warps cross its boundary.
    Result<ScopeSplit> split(ScopeKind scope) const;

private:
    Result<ActiveSet> narrowed_range(const RangeFilter& filter) const;

    AxisRange lane_{32, 0, 1};
    AxisRange warp_;
    std::vector<std::pair<std::string, AxisRange>> ctas_;
    bool elected_ = false;
};

/// Every thread of the scope takes part: what most variants ask for. `why` says what is missing.
bool all_threads_active(const ScopeSplit& split, ScopeKind scope, std::int64_t threads, std::string* why = nullptr);

} // namespace ls::tirx
