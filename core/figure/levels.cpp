#include "core/figure/levels.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "core/layout/operations.h"

namespace ls::figure {

namespace {

/// The catalogue names iters by what their digit counts; a level is one of the things counted.
struct RoleWord {
    std::string_view role, level, word;
};
constexpr std::array kRoleWords{
    RoleWord{"fractal", "fractal", "fractal"},
    RoleWord{"line in fractal", "C0 line", "line"},
    RoleWord{"column block", "column block", "block"},
    RoleWord{"batch", "panel", "panel"},
    RoleWord{"box row", "box", "box"},
    RoleWord{"box column", "box", "box"},
    RoleWord{"line in box", "line", "line"},
    RoleWord{"atom down", "swizzle atom", "atom"},
    RoleWord{"row in atom", "row", "row"},
    RoleWord{"atom across", "atom column", "column"},
};

constexpr std::string_view kWarpLanes = "warp's 32 lanes";

struct Candidate {
    std::int64_t run = 1;
    std::string role;
};

/// The box of one part, or empty when a part is not a box: within each dim the iters below `run` must be the fastest
/// varying ones, and at most one of them may be cut.
std::vector<std::int64_t> footprint(const std::vector<GroupedIter>& iters, std::size_t rank, std::int64_t run) {
    std::vector<std::int64_t> box(rank, 1);
    std::vector<bool> closed(rank, false);
    for (auto it = iters.rbegin(); it != iters.rend(); ++it) {
        if (it->extent == 1) continue;
        if (it->dim == GroupedIter::kFlat || it->linear_stride < 0) return {};
        std::int64_t inside = 1;
        if (it->linear_stride == 0) {
            inside = it->extent;
        } else if (it->linear_stride < run) {
            if (run % it->linear_stride != 0) return {};
            inside = std::min(it->extent, run / it->linear_stride);
            if (it->extent % inside != 0) return {};
        }
        if (inside > 1 && closed[it->dim]) return {};
        if (inside < it->extent) closed[it->dim] = true;
        box[it->dim] *= inside;
    }
    return box;
}

std::string thread_level_name(const PhysicalSpace& space, std::int64_t run) {
    for (const SpaceAxis& a : space.down) {
        if (run == a.weight) {
            if (a.axis == axes::TLane) return "TMEM lane";
            if (a.axis == axes::warpid || a.axis == axes::wid_in_wg) return "warp";
            if (a.axis == axes::wgid) return "warpgroup";
            if (a.axis.is_thread()) return "thread";
            return std::string(a.axis.name());
        }
        if (run == 32 * a.weight) {
            if (a.axis == axes::TLane) return std::string(kWarpLanes);
            if (a.axis == axes::tx || a.axis == axes::tid_in_wg) return "warp";
        }
        if (run > a.weight && run < a.weight * a.extent && run % a.weight == 0) return fmt::format("{} {}", run / a.weight, a.axis.name());
    }
    return {};
}

/// Roles belong to the iters as the catalogue wrote them; they are kept where grouping split none of them. Unit iters come
/// and go with grouping and mean nothing.
void give_roles(const TensorLayout& tensor, std::vector<GroupedIter>& iters) {
    const auto& shard = tensor.layout.tile().shard;
    if (tensor.roles.size() != shard.size()) return;
    std::vector<std::size_t> from, to;
    for (std::size_t i = 0; i < shard.size(); ++i) {
        if (!shard[i].extent.is(1)) from.push_back(i);
    }
    for (std::size_t i = 0; i < iters.size(); ++i) {
        if (iters[i].extent != 1) to.push_back(i);
    }
    const bool same = std::equal(from.begin(), from.end(), to.begin(), to.end(), [&](std::size_t a, std::size_t b) {
        return shard[a].extent.is(iters[b].extent) && shard[a].stride.is(iters[b].stride);
    });
    if (!same) return;
    for (std::size_t i = 0; i < from.size(); ++i) iters[to[i]].role = tensor.roles[from[i]].name;
}

} // namespace

std::vector<GroupedIter> grouped_iters(const TensorLayout& tensor, const PhysicalSpace& space) {
    const auto place = [&space](const Iter& iter, std::size_t dim, std::int64_t divisor, bool outermost) {
        GroupedIter out;
        out.dim = dim;
        out.extent = iter.extent.value();
        out.stride = iter.stride.value();
        out.axis = iter.axis;
        out.divisor = divisor;
        out.outermost = outermost;
        for (const auto* side : {&space.down, &space.right}) {
            for (const SpaceAxis& a : *side) {
                if (a.axis == iter.axis) out.linear_stride = out.stride * a.weight;
            }
        }
        return out;
    };
    std::vector<GroupedIter> iters;
    const std::vector<Dim> shape(tensor.shape.begin(), tensor.shape.end());
    const auto grouped = group(tensor.layout.tile(), shape);
    if (grouped.ok()) {
        for (std::size_t dim = 0; dim < tensor.shape.size(); ++dim) {
            std::int64_t divisor = tensor.shape[dim];
            for (std::size_t i = grouped->separators[dim]; i < grouped->separators[dim + 1]; ++i) {
                const Iter& iter = grouped->layout.shard[i];
                divisor /= iter.extent.value();
                iters.push_back(place(iter, dim, divisor, i == grouped->separators[dim]));
            }
        }
    } else {
        std::int64_t divisor = 1;
        for (const std::int64_t extent : tensor.shape) divisor *= extent;
        for (const Iter& iter : tensor.layout.tile().shard) {
            divisor /= iter.extent.value();
            iters.push_back(place(iter, GroupedIter::kFlat, divisor, iters.empty()));
        }
    }
    give_roles(tensor, iters);
    return iters;
}

std::vector<Level> levels(const TensorLayout& tensor, const PhysicalSpace& space, const std::vector<GroupedIter>& iters) {
    std::vector<Candidate> candidates;
    for (const GroupedIter& iter : iters) {
        if (iter.extent > 1 && iter.linear_stride > 1) candidates.push_back({iter.linear_stride, iter.role});
    }
    if (const ComposeLayout* compose = tensor.layout.compose(); compose != nullptr && compose->swizzle_len > 0) {
        const std::int64_t chunk = std::int64_t{1} << compose->per_element;
        candidates.push_back({chunk, fmt::format("{} B chunk", chunk * tensor.element_bits() / 8)});
        candidates.push_back({chunk << (compose->swizzle_len + compose->atom_len), "swizzle atom"});
    }
    for (const SpaceAxis& a : space.down) {
        if (a.weight > 1) candidates.push_back({a.weight, {}});
        if (a.extent > 32 && a.weight <= space.points / 32) candidates.push_back({32 * a.weight, {}});
    }
    // Of equal runs the last one stands, and a role names it better than a bare stride does.
    std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
        return a.run != b.run ? a.run < b.run : a.role.empty() > b.role.empty();
    });

    std::vector<Level> found;
    std::vector<std::int64_t> last(tensor.shape.size(), 1);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const bool superseded = i + 1 < candidates.size() && candidates[i + 1].run == candidates[i].run;
        if (superseded) continue;
        Level level;
        level.run = candidates[i].run;
        level.footprint = footprint(iters, tensor.shape.size(), level.run);
        if (level.footprint.empty() || level.footprint == last || level.footprint == tensor.shape) continue;
        last = level.footprint;
        const auto* known = std::find_if(kRoleWords.begin(), kRoleWords.end(),
                                         [&](const RoleWord& w) { return w.role == candidates[i].role; });
        if (known != kRoleWords.end()) {
            level.name = known->level;
            level.word = known->word;
        } else {
            level.name = candidates[i].role.empty() ? thread_level_name(space, level.run) : candidates[i].role;
        }
        found.push_back(std::move(level));
    }
    // Four outlines are as many as an eye can tell apart: the innermost run and the three outermost tiles.
    if (found.size() > 4) found.erase(found.begin() + 1, found.end() - 3);
    static constexpr std::array kPlainNames{"block", "tile", "run", "part"};
    for (std::size_t i = 0; i < found.size(); ++i) {
        Level& level = found[i];
        const std::size_t from_outside = found.size() - 1 - i;
        if (level.name.empty()) level.name = kPlainNames[from_outside];
        if (level.word.empty()) level.word = level.name == kWarpLanes ? "warp" : level.name;
    }
    return found;
}

} // namespace ls::figure
