#include <algorithm>
#include <array>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "core/passes/tirx/plan/matrix_fragments.h"

namespace ls::tirx {

namespace {

constexpr std::int64_t kLanes = 32;

bool lane_axis(Axis axis) { return axis == axes::laneid || axis == axes::tid_in_wg || axis == axes::tx; }

using Iters = std::vector<Iter>;
Iters part(const Grouped& grouped, std::size_t segment) {
    const auto begin = grouped.layout.shard.begin();
    return Iters(begin + static_cast<std::ptrdiff_t>(grouped.separators[segment]),
                 begin + static_cast<std::ptrdiff_t>(grouped.separators[segment + 1]));
}
std::int64_t stride_of(const Iter& iter) { return iter.stride.constant().value_or(-1); }

/// Both sides in one order, threads first.
struct Sides {
    TileLayout registers, shared;
    std::int64_t threads = 1, elements = 1;
};

Result<Sides> align(const Operand& registers, const Operand& shared) {
    LS_TRY(const Layout r_slice, slice(*registers.layout, registers.shape, registers.region, AxisTarget::Cuda));
    LS_TRY(const Layout s_slice, slice(*shared.layout, shared.shape, shared.region, AxisTarget::Cuda));
    LS_TRY(const Layout r, canonicalize(r_slice, AxisTarget::Cuda));
    LS_TRY(const Layout s, canonicalize(s_slice, AxisTarget::Cuda));
    const TileLayout tile = without_swizzle(s, extents(shared));
    if (!r.tile().replica.empty() || !tile.replica.empty()) {
        return error("FRAGMENT_LAYOUT", "a layout has a replica; ldstmatrix requires no replica");
    }
    std::set<Axis> used;
    std::vector<Dim> shape;
    for (const Iter& iter : r.tile().shard) {
        if (iter.axis.is_thread()) used.insert(iter.axis);
        shape.push_back(iter.extent);
    }
    if (used.size() != 1 || !lane_axis(*used.begin())) {
        return error(
            "FRAGMENT_LAYOUT",
            fmt::format("R must have exactly one thread axis of laneid, tid_in_wg and tx; it has {}", used.size()));
    }
    LS_TRY(const Grouped grouped, group(tile, shape));
    LS_TRY(const auto order, thread_first_order(r.tile().shard));
    LS_TRY(const Layout r_turned, permute_dims(r, order));
    LS_TRY(const Layout s_turned, permute_by_groups(Layout(grouped.layout), grouped.separators, order));
    LS_TRY(const Layout r_done, canonicalize(r_turned, AxisTarget::Cuda));
    LS_TRY(const Layout s_done, canonicalize(s_turned, AxisTarget::Cuda));
    Sides out{r_done.tile(), s_done.tile(), 1, 1};
    for (const Iter& iter : out.registers.shard) {
        const auto extent = iter.extent.constant();
        if (!extent) return error("PLAN_SYMBOLIC", "a fragment's extents must be numbers");
        (iter.axis.is_thread() ? out.threads : out.elements) *= *extent;
    }
    return out;
}

/// One size of instruction on both sides; nothing where it does not fit.
std::optional<LdStMatrixPlan> fit(const TileLayout& registers, const TileLayout& shared, std::int64_t threads,
                                  std::int64_t elements, int count) {
    LdStMatrixPlan plan;
    plan.count = count;
    plan.warps = threads / kLanes;
    plan.issues = elements / (2 * count);
    const auto r = group(registers, plan.shape()), s = group(shared, plan.shape());
    if (!r || !s) return {};
    if (plan.warps > 1) {
        const Iters warps = part(*r, 0);
        if (warps.size() != 1 || stride_of(warps[0]) != kLanes) return {};
    }
    std::array<std::int64_t, 3> r_stride{}, s_stride{}; // of the 8 rows, the 4 pairs and the 2 of a pair
    constexpr std::array<std::size_t, 3> segments{1, 2, 5};
    for (std::size_t i = 0; i < segments.size(); ++i) {
        const Iters a = part(*r, segments[i]), b = part(*s, segments[i]);
        if (a.size() != 1 || b.size() != 1) return {};
        r_stride[i] = stride_of(a[0]);
        s_stride[i] = stride_of(b[0]);
    }
    if (r_stride != std::array<std::int64_t, 3>{4, 1, 1}) return {};
    const auto whole_rows = [](const Iter& iter) { return stride_of(iter) > 0 && stride_of(iter) % 8 == 0; };
    const Iters matrices = part(*s, 4), outer = part(*s, 3);
    if (count > 1 && !std::all_of(matrices.begin(), matrices.end(), whole_rows)) return {};
    if (!std::all_of(outer.begin(), outer.end(), [](const Iter& i) { return i.extent.is(1) || stride_of(i) % 8 == 0; }))
        return {};
    const auto [s8, s4, s2] = s_stride;
    if (s4 == 2 && s2 == 1 && s8 > 0 && s8 % 8 == 0) {
        plan.row_stride_elems = s8;
    } else if (s8 == 1 && s2 > 0 && s2 % 8 == 0 && s4 == 2 * s2) {
        plan.transposed = true;
        plan.row_stride_elems = s2;
    } else {
        return {};
    }
    plan.registers = r->layout;
    plan.shared = s->layout;
    // The registers of one instruction in the order of the fragment's words, so that they lie one behind the other.
    const Iters words = part(*r, 4);
    if (words.size() > 1 && words.size() == matrices.size()) {
        std::vector<std::size_t> order(words.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return stride_of(words[a]) > stride_of(words[b]); });
        for (std::size_t i = 0; i < order.size(); ++i) {
            plan.registers.shard[r->separators[4] + i] = words[order[i]];
            plan.shared.shard[s->separators[4] + i] = matrices[order[i]];
        }
    }
    return plan;
}

/// A thread's elements by falling stride in shared memory; nothing where that is their order, or where no order is.
std::optional<std::pair<TileLayout, TileLayout>> sorted(const Sides& sides) {
    const std::vector<Dim> shape{Dim(sides.threads / kLanes), Dim(8), Dim(4), Dim(sides.elements / 2), Dim(2)};
    const auto r = group(sides.registers, shape), s = group(sides.shared, shape);
    if (!r || !s) return {};
    const Iters memory = part(*s, 3);
    TileLayout held;
    held.shard = part(*r, 3);
    std::vector<Dim> cuts;
    for (const Iter& iter : memory) cuts.push_back(iter.extent);
    const auto cut = group(held, cuts);
    if (!cut) return {};
    std::vector<std::size_t> order(memory.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return stride_of(memory[a]) > stride_of(memory[b]); });
    if (std::is_sorted(order.begin(), order.end())) return {};
    const auto turned = permute_by_groups(Layout(cut->layout), cut->separators, order);
    if (!turned) return {};
    const auto rebuilt = [](const Grouped& whole, const Iters& middle) {
        TileLayout out;
        out.offset = whole.layout.offset;
        const auto begin = whole.layout.shard.begin();
        out.shard.assign(begin, begin + static_cast<std::ptrdiff_t>(whole.separators[3]));
        out.shard.insert(out.shard.end(), middle.begin(), middle.end());
        out.shard.insert(out.shard.end(), begin + static_cast<std::ptrdiff_t>(whole.separators[4]),
                         whole.layout.shard.end());
        return out;
    };
    Iters reordered;
    for (const std::size_t i : order) reordered.push_back(memory[i]);
    return std::pair{rebuilt(*r, turned->tile().shard), rebuilt(*s, reordered)};
}

} // namespace

Result<std::vector<std::size_t>> thread_first_order(const std::vector<Iter>& iters) {
    std::vector<Dim> numbers;
    for (const Iter& iter : iters) numbers.push_back(iter.stride);
    LS_TRY(const auto strides, constants(numbers, "a fragment's stride"));
    std::vector<std::size_t> order(iters.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const bool thread_a = iters[a].axis.is_thread(), thread_b = iters[b].axis.is_thread();
        return thread_a != thread_b ? thread_a : strides[a] > strides[b];
    });
    return order;
}

std::string LdStMatrixPlan::instruction() const {
    return fmt::format("{}.sync.aligned.m8n8.x{}{}.shared.b16", store ? "stmatrix" : "ldmatrix", count,
                       transposed ? ".trans" : "");
}

Result<LdStMatrixPlan> plan_ldstmatrix(const Operand& registers, const Operand& shared, bool store) {
    if (!registers.layout || !shared.layout || registers.layout->is_compose()) {
        return error("FRAGMENT_LAYOUT", "R layout has a swizzle or is missing; ldstmatrix requires a plain one");
    }
    if (bits(shared.dtype) != 16) {
        return error("FRAGMENT_LAYOUT",
                     fmt::format("ldstmatrix moves 16-bit elements, got {}", info(shared.dtype).tirx));
    }
    if (const ComposeLayout* swizzle = shared.layout->compose(); swizzle != nullptr && swizzle->per_element < 3) {
        return error("FRAGMENT_LAYOUT",
                     fmt::format("swizzle per_element={} < 3: rows of 8 elements would not stay together",
                                 swizzle->per_element));
    }
    LS_TRY(const Sides sides, align(registers, shared));
    if (sides.threads % kLanes != 0) {
        return error("FRAGMENT_LAYOUT", fmt::format("R thread section total {} not divisible by 32", sides.threads));
    }
    const auto by_stride = sorted(sides);
    for (const int count : {4, 2, 1}) {
        if (sides.elements % (2 * count) != 0) continue;
        auto plan =
            by_stride ? fit(by_stride->first, by_stride->second, sides.threads, sides.elements, count) : std::nullopt;
        if (!plan) plan = fit(sides.registers, sides.shared, sides.threads, sides.elements, count);
        if (!plan) continue;
        plan->store = store;
        for (const Iter& iter : sides.registers.shard) {
            if (iter.axis.is_thread()) plan->lane_axis = std::string(iter.axis.name());
        }
        return *std::move(plan);
    }
    return error("FRAGMENT_LAYOUT", "ldstmatrix layout doesn't fit any num ∈ {4,2,1}");
}

} // namespace ls::tirx
