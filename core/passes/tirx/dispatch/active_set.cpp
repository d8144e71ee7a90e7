#include "core/passes/tirx/dispatch/active_set.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "core/support/checked.h"

namespace ls::tirx {

namespace {

constexpr std::int64_t kLanes = 32;
constexpr std::int64_t kWarps = 4; ///< of a warpgroup

Diagnostic empty(std::string message) { return error("ACTIVE_EMPTY", std::move(message), "the condition is never true here"); }
Diagnostic no_box(std::string message) {
    return error("ACTIVE_SHAPE", std::move(message), "active threads must be a box of lanes by warps by CTAs");
}

struct Factored {
    AxisRange in_group;
    AxisRange group;
};
/// Warps as warpgroups by warps of one: whole warpgroups, or warps within one.
std::optional<Factored> factor(const AxisRange& warp) {
    if (warp.stride != 1) return {};
    const std::int64_t inner = floor_mod(warp.offset, kWarps);
    const std::int64_t outer = floor_div(warp.offset, kWarps);
    if (inner == 0 && warp.extent % kWarps == 0) return Factored{{kWarps, 0, 1}, {warp.extent / kWarps, outer, 1}};
    if (warp.extent <= kWarps - inner) return Factored{{warp.extent, inner, 1}, {1, outer, 1}};
    return {};
}

struct Box {
    AxisRange major;
    AxisRange lane;
};
/// Threads [lo, hi) of a box of warps by lanes, when they are a box again.
Result<Box> flat_range(const AxisRange& major, const AxisRange& lane, std::int64_t lo, std::int64_t hi) {
    const std::int64_t first = major.offset * kLanes + lane.offset;
    const std::int64_t last = (major.offset + major.stride * (major.extent - 1)) * kLanes + lane.offset + lane.stride * (lane.extent - 1);
    if (lo <= first && last < hi) return Box{major, lane};
    if (major.stride != 1 || lane.stride != 1) return no_box("a range of threads needs warps and lanes without gaps");
    const std::int64_t lane_end = lane.offset + lane.extent;
    const std::int64_t begin = std::max(major.offset, floor_div(lo - lane_end, kLanes) + 1);
    const std::int64_t end = std::min(major.offset + major.extent, ceil_div(hi - lane.offset, kLanes));
    if (end <= begin) return empty(fmt::format("no active thread is in [{}, {})", lo, hi));
    if (end == begin + 1) {
        const std::int64_t lane_lo = std::max(lane.offset, lo - begin * kLanes);
        const std::int64_t lane_hi = std::min(lane_end, hi - begin * kLanes);
        if (lane_hi <= lane_lo) return empty(fmt::format("no active lane is in [{}, {})", lo, hi));
        return Box{{1, begin, 1}, {lane_hi - lane_lo, lane_lo, 1}};
    }
    if (lo <= begin * kLanes + lane.offset && (end - 1) * kLanes + lane_end <= hi) return Box{{end - begin, begin, 1}, lane};
    return no_box(fmt::format("threads [{}, {}) are no box of lanes by warps", lo, hi));
}

/// x with a·x ≡ 1 (mod m); a and m have no common factor.
std::int64_t inverse_modulo(std::int64_t a, std::int64_t m) {
    std::int64_t r0 = m, r1 = floor_mod(a, m), t0 = 0, t1 = 1;
    while (r1 != 0) {
        const std::int64_t q = r0 / r1;
        std::tie(r0, r1) = std::pair{r1, r0 - q * r1};
        std::tie(t0, t1) = std::pair{t1, t0 - q * t1};
    }
    return floor_mod(t0, m);
}

} // namespace

Result<AxisRange> AxisRange::within(std::int64_t lo, std::int64_t hi) const {
    const std::int64_t first = std::max<std::int64_t>(0, ceil_div(lo - offset, stride));
    const std::int64_t end = std::min(extent, floor_div(hi - 1 - offset, stride) + 1);
    if (end <= first) {
        return empty(fmt::format("nothing of {} + {} * [0, {}) is in [{}, {})", offset, stride, extent, lo, hi));
    }
    return AxisRange{end - first, offset + stride * first, stride};
}

Result<AxisRange> AxisRange::modulo(std::int64_t modulus, std::int64_t residue) const {
    if (modulus <= 0) return empty(fmt::format("modulus {} is not positive", modulus));
    const std::int64_t wanted = floor_mod(residue - offset, modulus);
    const std::int64_t common = std::gcd(stride, modulus);
    const std::int64_t period = modulus / common;
    const std::int64_t first = period == 1 ? 0 : floor_mod(wanted / common * inverse_modulo(stride / common, period), period);
    if (wanted % common != 0 || first >= extent) {
        return empty(fmt::format("nothing of {} + {} * [0, {}) is {} modulo {}", offset, stride, extent, residue, modulus));
    }
    return AxisRange{(extent - 1 - first) / period + 1, offset + stride * first, stride * period};
}

ActiveSet ActiveSet::all(std::int64_t threads, std::vector<std::pair<std::string, std::int64_t>> ctas) {
    ActiveSet set;
    set.lane_ = {std::min(threads, kLanes), 0, 1};
    set.warp_ = {std::max<std::int64_t>(1, threads / kLanes), 0, 1};
    for (auto& [axis, extent] : ctas) set.ctas_.push_back({std::move(axis), {extent, 0, 1}});
    return set;
}

Result<ActiveSet> ActiveSet::narrowed_range(const RangeFilter& filter) const {
    if (filter.lo >= filter.hi) return empty(fmt::format("[{}, {}) is empty", filter.lo, filter.hi));
    ActiveSet out = *this;
    switch (filter.variable) {
        case ScopeVariable::Lane: {
            LS_TRY(out.lane_, lane_.within(filter.lo, filter.hi));
            return out;
        }
        case ScopeVariable::Warp: {
            LS_TRY(out.warp_, warp_.within(filter.lo, filter.hi));
            return out;
        }
        case ScopeVariable::Cta:
            for (auto& [axis, range] : out.ctas_) {
                if (axis != filter.axis) continue;
                LS_TRY(range, range.within(filter.lo, filter.hi));
                return out;
            }
            return no_box(fmt::format("the kernel has no CTA axis {}", filter.axis));
        case ScopeVariable::Thread: {
            LS_TRY(const Box box, flat_range(warp_, lane_, filter.lo, filter.hi));
            out.warp_ = box.major;
            out.lane_ = box.lane;
            return out;
        }
        case ScopeVariable::Warpgroup: {
            if (warp_.stride != 1 || warp_.offset % kWarps != 0 || warp_.extent % kWarps != 0) {
                return no_box(fmt::format("{} warps from {} are no whole warpgroups", warp_.extent, warp_.offset));
            }
            LS_TRY(const AxisRange groups, (AxisRange{warp_.extent / kWarps, warp_.offset / kWarps, 1}.within(filter.lo, filter.hi)));
            out.warp_ = {groups.extent * kWarps, groups.offset * kWarps, 1};
            return out;
        }
        case ScopeVariable::WarpInWarpgroup:
        case ScopeVariable::ThreadInWarpgroup: break;
    }
    const auto parts = factor(warp_);
    if (!parts) return no_box(fmt::format("{} warps from {} cross a warpgroup's boundary", warp_.extent, warp_.offset));
    Box box{parts->in_group, lane_};
    if (filter.variable == ScopeVariable::WarpInWarpgroup) {
        LS_TRY(box.major, parts->in_group.within(filter.lo, filter.hi));
    } else {
        LS_TRY(box, flat_range(parts->in_group, lane_, filter.lo, filter.hi));
    }
    if (parts->group.extent != 1) {
        if (box.major == parts->in_group && box.lane == lane_) return out;
        return no_box("the same part of several warpgroups is no box of warps");
    }
    out.lane_ = box.lane;
    out.warp_ = {box.major.extent, parts->group.offset * kWarps + box.major.offset, 1};
    return out;
}

Result<ActiveSet> ActiveSet::narrowed(const ThreadFilter& filter) const {
    if (const auto* range = std::get_if<RangeFilter>(&filter)) return narrowed_range(*range);
    ActiveSet out = *this;
    if (const auto* modulo = std::get_if<ModuloFilter>(&filter)) {
        for (auto& [axis, range] : out.ctas_) {
            if (axis != modulo->axis) continue;
            LS_TRY(range, range.modulo(modulo->modulus, modulo->residue));
            return out;
        }
        return no_box(fmt::format("the kernel has no CTA axis {}", modulo->axis));
    }
    out.lane_ = {1, lane_.offset, 1};
    out.elected_ = true;
    return out;
}

ActiveSet ActiveSet::narrowed(std::span<const ThreadFilter> conjunction, std::vector<Diagnostic>* unused) const {
    std::vector<ThreadFilter> open;
    for (const ThreadFilter& filter : conjunction) {
        const auto* range = std::get_if<RangeFilter>(&filter);
        bool joined = false;
        for (ThreadFilter& other : open) {
            auto* known = std::get_if<RangeFilter>(&other);
            if (range == nullptr || known == nullptr || known->variable != range->variable || known->axis != range->axis) continue;
            known->lo = std::max(known->lo, range->lo);
            known->hi = std::min(known->hi, range->hi);
            joined = true;
        }
        if (!joined) open.push_back(filter);
    }
    ActiveSet set = *this;
    std::vector<Diagnostic> failures;
    for (bool progress = true; progress && !open.empty();) {
        progress = false;
        failures.clear();
        std::vector<ThreadFilter> left;
        for (const ThreadFilter& filter : open) {
            auto next = set.narrowed(filter);
            if (next) {
                set = *std::move(next);
                progress = true;
            } else {
                failures.push_back(next.error());
                left.push_back(filter);
            }
        }
        open = std::move(left);
    }
    if (unused != nullptr) *unused = std::move(failures);
    return set;
}

Result<ScopeSplit> ActiveSet::split(ScopeKind scope) const {
    ScopeSplit out;
    auto& cta_side = scope == ScopeKind::Cluster ? out.intra : out.inter;
    for (const auto& [axis, range] : ctas_) cta_side[axis] = range;
    (scope == ScopeKind::Thread ? out.inter : out.intra)["laneid"] = lane_;
    switch (scope) {
        case ScopeKind::Thread:
        case ScopeKind::Warp: out.inter["warpid"] = warp_; break;
        case ScopeKind::Cta:
        case ScopeKind::Cluster: out.intra["warpid"] = warp_; break;
        case ScopeKind::Warpgroup: {
            const auto parts = factor(warp_);
            if (!parts) return no_box(fmt::format("{} warps from {} cross a warpgroup's boundary", warp_.extent, warp_.offset));
            out.inter["wgid"] = parts->group;
            out.intra["wid_in_wg"] = parts->in_group;
            break;
        }
    }
    return out;
}

bool all_threads_active(const ScopeSplit& split, ScopeKind scope, std::int64_t threads, std::string* why) {
    const auto full = [&](const char* axis, std::int64_t extent) {
        const auto at = split.intra.find(axis);
        if (at != split.intra.end() && at->second == AxisRange{extent, 0, 1}) return true;
        if (why != nullptr) {
            *why = at == split.intra.end()
                       ? fmt::format("{} is not tracked here", axis)
                       : fmt::format("{} is ({}, {}), but all of ({}, 0) must be active", axis, at->second.extent, at->second.offset, extent);
        }
        return false;
    };
    switch (scope) {
        case ScopeKind::Thread: return true;
        case ScopeKind::Warp: return full("laneid", kLanes);
        case ScopeKind::Warpgroup: return full("laneid", kLanes) && full("wid_in_wg", kWarps);
        case ScopeKind::Cta:
        case ScopeKind::Cluster: return full("laneid", kLanes) && full("warpid", threads / kLanes);
    }
    return false;
}

} // namespace ls::tirx
