#include "core/passes/tirx/plan/tma_repair.h"

#include <algorithm>
#include <array>

namespace ls::tirx {

namespace {

constexpr std::int64_t kMaxDim = std::int64_t{1} << 32;
constexpr std::int64_t kMaxBox = 256;

bool proven(Proof proof) { return proof == Proof::Proven; }

/// Byte strides of all dimensions, the innermost too.
std::vector<Dim> full_strides(const TensorMap& map) {
    std::vector<Dim> strides{map.inner_stride * map.unit_bytes()};
    strides.insert(strides.end(), map.global_strides_bytes.begin(), map.global_strides_bytes.end());
    return strides;
}

bool drives_issue(const TmaPlan& plan, std::size_t dim) {
    for (const TmaPlan::IssueAxis& axis : plan.issue_axes) {
        for (const TmaPlan::Coordinate& coordinate : axis.coordinates) {
            if (coordinate.dim == dim) return true;
        }
    }
    return false;
}

void erase_dim(TmaPlan& plan, std::size_t dim) {
    TensorMap& map = plan.map;
    std::vector<Dim> strides = full_strides(map);
    const auto at = static_cast<std::ptrdiff_t>(dim);
    map.global_dims.erase(map.global_dims.begin() + at);
    map.box.erase(map.box.begin() + at);
    map.coordinates.erase(map.coordinates.begin() + at);
    strides.erase(strides.begin() + at);
    map.global_strides_bytes.assign(strides.begin() + 1, strides.end());
    for (TmaPlan::IssueAxis& axis : plan.issue_axes) {
        for (TmaPlan::Coordinate& coordinate : axis.coordinates) {
            if (coordinate.dim > dim) --coordinate.dim;
        }
    }
}

/// Whether a dimension of that size may become the innermost one.
bool may_be_inner(const TensorMap& map, const Dim& global_dim, const Dim& box) {
    if (map.packed()) return proven(prove_divisible(global_dim, 128)) && proven(prove_equal(box, 128));
    const Dim bytes = box * map.unit_bytes();
    if (!proven(prove_divisible(bytes, 16))) return false;
    return map.swizzle == 0 || proven(prove_at_most(bytes, std::int64_t{16} << map.swizzle));
}

/// Drops one dimension of extent 1.
bool drop_unit(TmaPlan& plan) {
    const TensorMap& map = plan.map;
    const std::vector<Dim> strides = full_strides(map);
    for (std::size_t d = 0; map.rank() > 1 && d < map.rank(); ++d) {
        if (drives_issue(plan, d) || !map.global_dims[d].is(1) || !map.box[d].is(1)) continue;
        if (d == 0 && (!proven(prove_equal(strides[1], strides[0])) || !may_be_inner(map, map.global_dims[1], map.box[1]))) continue;
        erase_dim(plan, d);
        return true;
    }
    return false;
}

/// Doubles the unit where every innermost count is even and every stride allows it.
bool promote(TmaPlan& plan) {
    TensorMap& map = plan.map;
    static constexpr std::array types{DType::UInt16, DType::UInt32, DType::UInt64};
    const std::int64_t bytes = map.unit_bytes();
    const bool allowed = (bytes == 1 || bytes == 2 || bytes == 4) && !map.packed() && map.oob_fill == 0 && map.gather4.empty() &&
                         map.reduce.empty() && map.forced_dtype < 0 && map.inner_stride.is(1) && !drives_issue(plan, 0);
    if (!allowed) return false;
    for (const Dim* value : {&map.global_dims[0], &map.box[0], &map.coordinates[0]}) {
        if (!proven(prove_divisible(*value, 2))) return false;
    }
    for (const Dim& stride : map.global_strides_bytes) {
        if (!proven(prove_divisible(stride, bytes * 2))) return false;
    }
    map.dtype = types[static_cast<std::size_t>(log2_exact(bytes))];
    for (Dim* value : {&map.global_dims[0], &map.box[0], &map.coordinates[0]}) *value = floor_div(*value, Dim(2));
    return true;
}

enum class Merge : std::uint8_t { None, Done, Promoted };

/// An innermost merge that only the box's limit forbids may become legal in wider units.
bool promote_for_merge(TmaPlan& plan, const Dim& merged_box) {
    const TensorMap& map = plan.map;
    const bool blocked = map.rank() > 2 && proves_less(Dim(kMaxBox), merged_box) &&
                         proven(prove_equal(map.box[1], map.global_dims[1])) && map.coordinates[1].is(0);
    if (!blocked) return false;
    TmaPlan wider = plan;
    if (!promote(wider)) return false;
    const Dim dim = wider.map.global_dims[0] * wider.map.global_dims[1];
    const Dim box = wider.map.box[0] * wider.map.box[1];
    if (!proves_at_most(box, Dim(kMaxBox)) || !proves_at_most(dim, Dim(kMaxDim)) || !may_be_inner(wider.map, dim, box)) return false;
    plan = std::move(wider);
    return true;
}

/// Makes one of a dimension that is copied whole and the next, which continues it.
Merge merge_pair(TmaPlan& plan) {
    TensorMap& map = plan.map;
    const std::vector<Dim> strides = full_strides(map);
    for (std::size_t inner = 0; inner + 1 < map.rank(); ++inner) {
        const std::size_t outer = inner + 1;
        if (drives_issue(plan, inner) || drives_issue(plan, outer)) continue;
        const Dim dim = map.global_dims[inner] * map.global_dims[outer];
        const Dim box = map.box[inner] * map.box[outer];
        if (inner == 0 && !may_be_inner(map, dim, box)) continue;
        const bool continues = proven(prove_equal(map.box[inner], map.global_dims[inner])) && map.coordinates[inner].is(0) &&
                               proven(prove_equal(strides[outer], map.global_dims[inner] * strides[inner])) &&
                               proves_at_most(Dim(1), dim) && proves_at_most(dim, Dim(kMaxDim));
        if (!continues) continue;
        if (!proves_at_most(Dim(1), box) || !proves_at_most(box, Dim(kMaxBox))) {
            if (inner == 0 && promote_for_merge(plan, box)) return Merge::Promoted;
            continue;
        }
        map.coordinates[inner] = map.coordinates[outer] * map.global_dims[inner];
        map.global_dims[inner] = dim;
        map.box[inner] = box;
        erase_dim(plan, outer);
        return Merge::Done;
    }
    return Merge::None;
}

void tidy(TmaPlan& plan) {
    while (drop_unit(plan) || merge_pair(plan) != Merge::None) {
    }
}

bool repairable(const TensorMapFinding& finding) {
    return finding.rule == "rank" || finding.rule == "global_stride_alignment" || finding.rule == "box_dim" ||
           finding.rule == "inner_box_bytes";
}

} // namespace

RepairedTma repair_tma(const TmaPlan& plan) {
    RepairedTma result{plan, {}};
    for (;;) {
        tidy(result.plan);
        result.findings = check_tensor_map(result.plan.map);
        // The bounds of a dynamic tensor's dimensions are checked when the map is encoded.
        std::erase_if(result.findings, [](const TensorMapFinding& finding) {
            return finding.rule == "global_dim" && finding.status == Proof::Unknown;
        });
        if (!std::all_of(result.findings.begin(), result.findings.end(), repairable)) return result;
        if (result.findings.empty() || !promote(result.plan)) return result;
    }
}

} // namespace ls::tirx
