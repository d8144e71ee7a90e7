// tma_auto: from the order of elements in shared memory to the largest box (spec/tirx.md 8.1).
#include <algorithm>
#include <numeric>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/passes/tirx/plan/tma_internal.h"
#include "core/passes/tirx/plan/tma_repair.h"

namespace ls::tirx {

namespace {

Diagnostic refuse_auto(std::string_view stage, std::string_view detail) {
    return error("TMA_AUTO_MAPPING", fmt::format("tma_auto stage={}: {}", stage, detail),
                 "use dispatch=\"tma_explicit\" when the mapping is only known when the program runs");
}

Status require(Proof proof, std::string_view stage, const std::string& detail) {
    if (proof == Proof::Proven) return ok_status();
    return refuse_auto(stage, fmt::format("{} ({})", detail, proof == Proof::Unknown ? "unknown" : "disproven"));
}

/// One iter of the global layout once it is cut by both the shared iters and the copy's dimensions.
struct GlobalIter {
    Dim extent;
    Dim stride;
    std::optional<std::size_t> shared; ///< the shared iter that it belongs to; none for a mere coordinate
    Dim global_dim;
    Dim coordinate;
};

class Planner {
public:
    explicit Planner(const TmaCopy& call) : call_(call) {}

    Result<TmaPlan> run() {
        if (call_.shared.dtype != call_.global.dtype) {
            return refuse_auto("dtype", fmt::format("shared dtype {} and global dtype {} differ", info(call_.shared.dtype).tirx,
                                                    info(call_.global.dtype).tirx));
        }
        LS_TRY(base_, tma_settings(call_, false));
        LS_TRY(base_.map.swizzle, tma_swizzle(call_.shared, refuse_auto));
        LS_CHECK(take_shared());
        LS_CHECK(order_shared());
        LS_CHECK(take_global());
        LS_TRY(base_.map.base_offset_bytes, base_offset_bytes(call_.global, refuse_auto));
        return search();
    }

private:
    /// The shared region's iters, cut where the copy's dimensions end.
    Status take_shared() {
        LS_TRY(TileLayout sliced, unswizzled_slice(call_.shared, "shared", refuse_auto));
        base_.smem_offset_elems = call_.shared.elem_offset + memory_offset(sliced);
        sliced.offset = {};
        LS_TRY(const Layout canonical, canonicalize(Layout(sliced)));
        std::vector<Dim> own;
        for (const Iter& iter : canonical.tile().shard) own.push_back(iter.extent);
        const std::vector<std::vector<Dim>> shapes{own, extents(call_.global)};
        const auto refined = group_many(canonical.tile(), shapes);
        if (!refined) {
            return refuse_auto("group-shared", fmt::format("the shared iters {} cannot be cut by the copy's shape {}: {}",
                                                           to_string(own), to_string(shapes[1]), refined.error().message));
        }
        shared_ = refined->layout;
        for (const Iter& iter : shared_.shard) {
            if (!iter.extent.is_constant() || !iter.stride.is_constant()) {
                return refuse_auto("shared-chain", fmt::format("the shared iter {}:{} is symbolic, so the order of elements is "
                                                               "unknown",
                                                               to_string(iter.extent), to_string(iter.stride)));
            }
        }
        return ok_status();
    }

    /// Sorted by stride they must follow each other without a gap: 1, e0, e0·e1, ...
    Status order_shared() {
        for (std::size_t i = 0; i < shared_.shard.size(); ++i) {
            if (!shared_.shard[i].extent.is(1)) order_.push_back(i);
        }
        std::stable_sort(order_.begin(), order_.end(), [this](std::size_t a, std::size_t b) {
            return shared_.shard[a].stride.value() < shared_.shard[b].stride.value();
        });
        if (order_.empty()) return refuse_auto("shared-chain", "the region has a single element");
        Dim expected = 1;
        for (const std::size_t i : order_) {
            const Iter& iter = shared_.shard[i];
            LS_CHECK(require(prove_equal(iter.stride, expected), "shared-chain",
                             fmt::format("a shared iter of extent {} has stride {}, expected {}", to_string(iter.extent),
                                         to_string(iter.stride), to_string(expected))));
            expected = iter.stride * iter.extent;
        }
        return ok_status();
    }

    /// The global region, each dimension for itself, so that none is fused over its boundary.
    Result<TileLayout> global_slice() const {
        const Operand& global = call_.global;
        const TileLayout tile = without_swizzle(*global.layout, global.shape);
        LS_CHECK(plain_memory(tile, "global", refuse_auto));
        const auto grouped = group(tile, global.shape);
        if (!grouped) return refuse_auto("global-slice", grouped.error().message);
        TileLayout out;
        out.replica = grouped->layout.replica;
        out.offset = grouped->layout.offset;
        for (std::size_t d = 0; d < global.shape.size(); ++d) {
            TileLayout one;
            one.shard.assign(grouped->layout.shard.begin() + static_cast<std::ptrdiff_t>(grouped->separators[d]),
                             grouped->layout.shard.begin() + static_cast<std::ptrdiff_t>(grouped->separators[d + 1]));
            const auto sliced = slice(Layout(one), std::span(&global.shape[d], 1), std::span(&global.region[d], 1));
            if (!sliced) {
                return refuse_auto("global-slice", fmt::format("dimension {} cannot be sliced: {}", d, sliced.error().message));
            }
            out.shard.insert(out.shard.end(), sliced->tile().shard.begin(), sliced->tile().shard.end());
        }
        return out;
    }

    Status take_global() {
        LS_TRY(const TileLayout sliced, global_slice());
        std::vector<Dim> shared_shape;
        for (const Iter& iter : shared_.shard) shared_shape.push_back(iter.extent);
        const std::vector<std::vector<Dim>> shapes{shared_shape, extents(call_.global)};
        const auto grouped = group_many(sliced, shapes);
        if (!grouped) {
            return refuse_auto("group-global", fmt::format("the global region cannot be cut by the shared shape {} and the copy's "
                                                           "shape {}: {}",
                                                           to_string(shapes[0]), to_string(shapes[1]), grouped.error().message));
        }
        const std::vector<Iter>& shard = grouped->layout.shard;
        std::vector<std::optional<std::size_t>> owner(shard.size());
        for (std::size_t s = 0; s + 1 < grouped->separators[0].size(); ++s) {
            for (std::size_t i = grouped->separators[0][s]; i < grouped->separators[0][s + 1]; ++i) owner[i] = s;
        }
        const std::vector<std::size_t>& dims = grouped->separators[1];
        for (std::size_t d = 0; d + 1 < dims.size(); ++d) {
            LS_CHECK(take_dimension(d, std::span(shard).subspan(dims[d], dims[d + 1] - dims[d]),
                                    std::span(owner).subspan(dims[d], dims[d + 1] - dims[d])));
        }
        return ok_status();
    }

    Status take_dimension(std::size_t d, std::span<const Iter> iters, std::span<const std::optional<std::size_t>> owner) {
        const Region& range = call_.global.region[d];
        const Dim& whole_extent = call_.global.shape[d];
        if (iters.empty()) return refuse_auto("copy-group", fmt::format("dimension {} has no global iter", d));
        Dim inner = 1;
        for (std::size_t i = 1; i < iters.size(); ++i) inner *= iters[i].extent;
        LS_CHECK(require(prove_divides(range.begin, inner), "coordinate",
                         fmt::format("the region starts at {} of dimension {}, which is not a multiple of {}", to_string(range.begin),
                                     d, to_string(inner))));
        LS_CHECK(require(prove_divides(whole_extent, inner), "global-shape",
                         fmt::format("dimension {} has {} elements, which is not a multiple of {}", d, to_string(whole_extent),
                                     to_string(inner))));
        for (std::size_t i = 0; i < iters.size(); ++i) {
            GlobalIter record{iters[i].extent, iters[i].stride, owner[i], iters[i].extent, Dim(0)};
            if (iters[i].extent.is(1)) record.shared.reset();
            if (i == 0) {
                record.global_dim = floor_div(whole_extent, inner);
                record.coordinate = floor_div(range.begin, inner);
            }
            global_.push_back(std::move(record));
        }
        return ok_status();
    }

    static Proof prove_divides(const Dim& a, const Dim& by) {
        if (by.is_constant() && by.value() > 0) return prove_divisible(a, by.value());
        return proves_divisible(a, by) ? Proof::Proven : Proof::Unknown;
    }

    /// Which global iters are boxed when the first `prefix` shared iters are, and what is left to loop over.
    Result<TmaPlan> candidate(std::size_t prefix) const {
        std::vector<std::vector<std::size_t>> of_shared(shared_.shard.size());
        std::vector<std::size_t> detached;
        for (std::size_t i = 0; i < global_.size(); ++i) {
            if (global_[i].shared) {
                of_shared[*global_[i].shared].push_back(i);
            } else {
                detached.push_back(i);
            }
        }
        std::vector<std::size_t> sequence;
        for (const std::size_t s : order_) sequence.insert(sequence.end(), of_shared[s].rbegin(), of_shared[s].rend());
        sequence.insert(sequence.end(), detached.begin(), detached.end());
        if (sequence.size() != global_.size()) {
            return refuse_auto("descriptor-order", "not every global iter belongs to shared data or is a mere coordinate");
        }
        const std::set<std::size_t> boxed(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(prefix));
        TmaPlan plan = base_;
        std::vector<std::size_t> dim_of(global_.size());
        for (std::size_t at = 0; at < sequence.size(); ++at) {
            const GlobalIter& iter = global_[sequence[at]];
            dim_of[sequence[at]] = at;
            plan.map.global_dims.push_back(iter.global_dim);
            plan.map.coordinates.push_back(iter.coordinate);
            plan.map.box.push_back(iter.shared && boxed.contains(*iter.shared) ? iter.extent : Dim(1));
            LS_TRY(const Dim stride, elements_to_bytes(iter.stride, plan.map.dtype, "a global stride", refuse_auto));
            if (at > 0) plan.map.global_strides_bytes.push_back(stride);
        }
        plan.map.inner_stride = global_[sequence.front()].stride;
        for (std::size_t at = prefix; at < order_.size(); ++at) {
            const Iter& iter = shared_.shard[order_[at]];
            TmaPlan::IssueAxis axis{iter.extent.value(), iter.stride.value(), {}};
            std::int64_t inner = 1;
            const auto& members = of_shared[order_[at]];
            for (auto member = members.rbegin(); member != members.rend(); ++member) {
                const std::int64_t extent = global_[*member].extent.constant().value_or(1);
                axis.coordinates.push_back({dim_of[*member], inner, extent});
                inner *= extent;
            }
            plan.issue_axes.push_back(std::move(axis));
        }
        return plan;
    }

    Status check_pointer() const {
        LS_TRY(const Dim bytes, elements_to_bytes(base_.smem_offset_elems, call_.shared.dtype, "the shared offset", refuse_auto));
        const std::int64_t align = shared_alignment_bytes(base_.map.swizzle);
        return require(prove_divisible(bytes, align), "shared-pointer",
                       fmt::format("the shared region starts {} bytes into its buffer, but must keep {}-byte alignment",
                                   to_string(bytes), align));
    }

    Result<TmaPlan> search() const {
        LS_CHECK(check_pointer());
        std::optional<TmaPlan> best;
        std::vector<TensorMapFinding> findings;
        for (std::size_t prefix = 1; prefix <= order_.size(); ++prefix) {
            LS_TRY(const TmaPlan raw, candidate(prefix));
            RepairedTma repaired = repair_tma(raw);
            if (repaired.findings.empty()) {
                best = std::move(repaired.plan);
            } else if (best) {
                break;
            } else {
                findings = std::move(repaired.findings);
            }
        }
        if (best) return std::move(*best);
        std::vector<std::string> rules;
        for (const TensorMapFinding& finding : findings) rules.push_back(to_string(finding));
        return error("TMA_DESCRIPTOR", fmt::format("tma_auto stage=prefix-search: {}", fmt::join(rules, "; ")),
                     "no part of the region fits one TMA box; change the layouts, or use dispatch=\"tma_explicit\"");
    }

    const TmaCopy& call_;
    TmaPlan base_;
    TileLayout shared_;
    std::vector<std::size_t> order_; ///< shared iters that are not units, by stride
    std::vector<GlobalIter> global_;
};

} // namespace

std::int64_t TmaPlan::issues() const {
    std::int64_t total = 1;
    for (const IssueAxis& axis : issue_axes) total *= axis.extent;
    return total;
}

TmaPlan::Issue TmaPlan::issue(const Dim& index) const {
    Issue issue{Dim(0), map.coordinates};
    std::int64_t divisor = 1;
    for (auto axis = issue_axes.rbegin(); axis != issue_axes.rend(); ++axis) {
        const Dim digit = floor_mod(floor_div(index, Dim(divisor)), Dim(axis->extent));
        divisor *= axis->extent;
        issue.smem_offset_elems += digit * axis->smem_stride_elems;
        for (const Coordinate& coordinate : axis->coordinates) {
            issue.coordinates[coordinate.dim] += floor_mod(floor_div(digit, Dim(coordinate.divisor)), Dim(coordinate.modulus));
        }
    }
    return issue;
}

Result<TmaPlan> plan_tma_auto(const TmaCopy& call) {
    for (const Operand* operand : {&call.shared, &call.global}) {
        if (!operand->layout) return error("PLAN_NO_LAYOUT", fmt::format("buffer {} has no layout", operand->name));
    }
    return Planner(call).run();
}

} // namespace ls::tirx
