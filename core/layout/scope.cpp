// Scopes of a layout's thread axes and the CUDA rules between them (spec/tirx.md 1.1, 1.4).
#include "core/layout/scope.h"

#include <array>

#include <fmt/format.h>

namespace ls {

namespace {

/// subscope → scope, as the thread axes of a layout state it. Index: ScopeKind.
using ScopeMap = std::array<std::optional<ScopeKind>, 7>;

Status collect(Axis axis, ScopeMap& map) {
    if (!axis.is_thread()) return ok_status();
    auto& entry = map[static_cast<std::size_t>(*axis.subscope())];
    if (entry && *entry != *axis.scope()) {
        return error("LAYOUT_SCOPE",
                     fmt::format("axis {} counts {}s in a {}, but another axis counts them in a {}", axis.name(),
                                 name(*axis.subscope()), name(*axis.scope()), name(*entry)),
                     "use axes of one chain, such as warpid with laneid, or wgid with tid_in_wg");
    }
    entry = axis.scope();
    return ok_status();
}

struct FuseRule {
    Axis from;
    LayoutScope scope;
    std::int64_t factor;
    Axis to;
};

std::span<const FuseRule> fuse_rules() {
    using enum ScopeKind;
    static const std::array rules{
        FuseRule{axes::warpid, {Thread, Cta}, 32, axes::tx},
        FuseRule{axes::laneid, {Thread, Warpgroup}, 1, axes::tid_in_wg},
        FuseRule{axes::laneid, {Thread, Cta}, 1, axes::tx},
        FuseRule{axes::wgid, {Thread, Cta}, 128, axes::tx},
        FuseRule{axes::wgid, {Warp, Cta}, 4, axes::wgid}, // the reference scales it and keeps its name
        FuseRule{axes::tid_in_wg, {Thread, Cta}, 1, axes::tx},
        FuseRule{axes::wid_in_wg, {Thread, Warpgroup}, 32, axes::tid_in_wg},
        FuseRule{axes::wid_in_wg, {Thread, Cta}, 32, axes::tx},
        FuseRule{axes::wid_in_wg, {Warp, Cta}, 1, axes::warpid},
    };
    return rules;
}

/// Axes that know how to split, though not at every scope; grids of CTAs stay as they are.
bool can_split(Axis axis) {
    return axis == axes::tx || axis == axes::warpid || axis == axes::laneid || axis == axes::wgid ||
           axis == axes::tid_in_wg || axis == axes::wid_in_wg;
}

struct SplitRule {
    Axis from;
    ScopeKind scope;
    Axis outer;
    Axis inner;
    std::int64_t inner_extent;
};

std::span<const SplitRule> split_rules() {
    using enum ScopeKind;
    static const std::array rules{
        SplitRule{axes::tx, Warp, axes::warpid, axes::laneid, 32},
        SplitRule{axes::tx, Warpgroup, axes::wgid, axes::tid_in_wg, 128},
        SplitRule{axes::warpid, Warp, axes::wgid, axes::wid_in_wg, 4},
        SplitRule{axes::tid_in_wg, Warp, axes::wid_in_wg, axes::laneid, 32},
    };
    return rules;
}

/// The pieces of one iter; empty when it crosses the inner extent unevenly.
std::vector<Iter> split_iter(const Iter& iter, const SplitRule& rule) {
    const auto& [e, s, axis] = iter;
    const Dim inner = rule.inner_extent;
    if (proves_less(e * s, inner)) return {{e, s, rule.inner}};
    if (proves_divisible(inner, s) && proves_divisible(e * s, inner)) {
        const Dim d = floor_div(inner, s);
        return {{floor_div(e, d), 1, rule.outer}, {d, s, rule.inner}};
    }
    if (proves_divisible(s, inner)) return {{e, floor_div(s, inner), rule.outer}};
    return {};
}

} // namespace

Result<std::optional<LayoutScope>> get_scope(const Layout& layout) { return scope_of(layout.tile()); }

Result<std::optional<LayoutScope>> scope_of(const TileLayout& tile) {
    bool threads = false;
    for (const Iter& iter : tile.shard) threads = threads || iter.axis.is_thread();
    if (!threads) return std::optional<LayoutScope>{};

    ScopeMap map{};
    for (const Iter& iter : tile.shard) LS_CHECK(collect(iter.axis, map));
    for (const Iter& iter : tile.replica) LS_CHECK(collect(iter.axis, map));
    for (const auto& [axis, amount] : tile.offset) LS_CHECK(collect(axis, map));

    std::size_t entries = 0;
    std::size_t inner = 0; // the narrowest: scopes are numbered from wide to narrow
    for (std::size_t i = 0; i < map.size(); ++i) {
        if (!map[i]) continue;
        ++entries;
        inner = i;
    }
    // bx says that CTAs lie in a "thread", so that tx with bx is a circle: each entry is followed once.
    std::size_t on_chain = 0;
    std::size_t outer = inner;
    std::array<bool, 7> followed{};
    while (map[outer] && !followed[outer]) {
        followed[outer] = true;
        ++on_chain;
        const auto next = static_cast<std::size_t>(*map[outer]);
        if (followed[next]) break;
        outer = next;
    }
    if (on_chain != entries) {
        return error("LAYOUT_SCOPE",
                     fmt::format("the thread axes of {} do not form one chain of scopes", to_string(tile)),
                     "every axis must lie inside the next wider one, such as laneid in warpid");
    }
    return std::optional(LayoutScope{static_cast<ScopeKind>(inner), static_cast<ScopeKind>(outer)});
}

Iter fuse_axis(const Iter& iter, const LayoutScope& scope) {
    for (const FuseRule& rule : fuse_rules()) {
        if (rule.from == iter.axis && rule.scope == scope)
            return {iter.extent, iter.stride * Dim(rule.factor), rule.to};
    }
    return iter;
}

namespace {

/// The rule for `axis`; null for axes that stay as they are, LAYOUT_SPLIT for an axis that has none at this scope.
Result<const SplitRule*> find_split(Axis axis, ScopeKind scope) {
    for (const SplitRule& rule : split_rules()) {
        if (rule.from == axis && rule.scope == scope) return &rule;
    }
    if (!can_split(axis)) return static_cast<const SplitRule*>(nullptr);
    return error("LAYOUT_SPLIT", fmt::format("axis {} does not split at scope {}", axis.name(), name(scope)));
}

Result<std::vector<Iter>> split_iters(const std::vector<Iter>& iters, ScopeKind scope) {
    std::vector<Iter> result;
    for (const Iter& iter : iters) {
        LS_TRY(const SplitRule* const rule, find_split(iter.axis, scope));
        if (rule == nullptr) {
            result.push_back(iter);
            continue;
        }
        const std::vector<Iter> pieces = split_iter(iter, *rule);
        if (pieces.empty()) {
            return error("LAYOUT_SPLIT",
                         fmt::format("{} steps of {} on {} do not split into {}s of {}", to_string(iter.extent),
                                     to_string(iter.stride), iter.axis.name(), rule->outer.name(), rule->inner_extent));
        }
        result.insert(result.end(), pieces.begin(), pieces.end());
    }
    return result;
}

} // namespace

Result<TileLayout> split_axes(const TileLayout& tile, ScopeKind scope) {
    TileLayout result;
    LS_TRY(result.shard, split_iters(tile.shard, scope));
    LS_TRY(result.replica, split_iters(tile.replica, scope));
    for (const auto& [axis, amount] : tile.offset) {
        LS_TRY(const SplitRule* const rule, find_split(axis, scope));
        if (rule == nullptr) {
            result.offset[axis] += amount;
            continue;
        }
        result.offset[rule->outer] += floor_div(amount, rule->inner_extent);
        result.offset[rule->inner] += floor_mod(amount, rule->inner_extent);
    }
    return result;
}

} // namespace ls
