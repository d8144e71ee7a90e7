// Variants that need registers laid out as an instruction's fragments: ldmatrix and stmatrix, mma.m16n8k (spec/tirx.md 8.4, 6).
#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "core/layout/catalogue/registers.h"
#include "core/passes/tirx/dispatch/cuda_predicates.h"

namespace ls::tirx {

namespace {

constexpr std::int64_t kLanes = 32;

bool lane_axis(Axis axis) { return axis == axes::laneid || axis == axes::tid_in_wg || axis == axes::tx; }

std::set<Axis> thread_axes(const TileLayout& tile) {
    std::set<Axis> out;
    for (const Iter& iter : tile.shard) {
        if (iter.axis.is_thread()) out.insert(iter.axis);
    }
    return out;
}

/// Both tiles in one order: the register side's threads first, then its memory.
struct ThreadFirst {
    TileLayout registers;
    TileLayout shared;
    std::int64_t threads = 1;
    std::int64_t elements = 1; ///< of a thread
};

Result<ThreadFirst> thread_first(const Operand& registers, const Operand& shared) {
    LS_TRY(const Layout r_slice, slice_of(registers));
    LS_TRY(const Layout s_slice, slice_of(shared));
    LS_TRY(const Layout r, canonicalize(r_slice, AxisTarget::Cuda));
    ThreadFirst out{r.tile(), without_swizzle(s_slice, extents(shared)), 1, 1};
    std::vector<Dim> shape;
    std::vector<std::size_t> order;
    for (const Iter& iter : out.registers.shard) shape.push_back(iter.extent);
    for (const bool threads : {true, false}) {
        std::vector<std::size_t> part;
        for (std::size_t i = 0; i < out.registers.shard.size(); ++i) {
            const Iter& iter = out.registers.shard[i];
            if (iter.axis.is_thread() != threads) continue;
            if (!iter.extent.is_constant() || !iter.stride.is_constant()) return error("PLAN_SYMBOLIC", "a fragment's extents must be numbers");
            (threads ? out.threads : out.elements) *= iter.extent.value();
            part.push_back(i);
        }
        std::stable_sort(part.begin(), part.end(), [&](std::size_t a, std::size_t b) {
            return out.registers.shard[a].stride.value() > out.registers.shard[b].stride.value();
        });
        order.insert(order.end(), part.begin(), part.end());
    }
    LS_TRY(const Grouped grouped, group(out.shared, shape));
    LS_TRY(const Layout s, permute_by_groups(Layout(grouped.layout), grouped.separators, order));
    LS_TRY(const Layout permuted, permute_dims(Layout(out.registers), order));
    out.registers = permuted.tile();
    out.shared = s.tile();
    return out;
}

/// Strides of a tile cut into [T/32, 8, 4, elements/(2·num), num, 2]; nothing where a piece has no single stride.
std::optional<std::array<std::int64_t, 6>> strides(const TileLayout& tile, std::span<const Dim> shape) {
    const auto grouped = group(tile, shape);
    if (!grouped) return {};
    std::array<std::int64_t, 6> out{};
    for (std::size_t d = 0; d < 6; ++d) {
        const std::size_t begin = grouped->separators[d];
        TileLayout part;
        part.shard.assign(grouped->layout.shard.begin() + static_cast<std::ptrdiff_t>(begin),
                          grouped->layout.shard.begin() + static_cast<std::ptrdiff_t>(grouped->separators[d + 1]));
        const auto fused = canonicalize(Layout(part));
        if (!fused || fused->tile().shard.size() != 1) return {};
        const Iter& iter = fused->tile().shard.front();
        out[d] = shape[d].is(1) ? 0 : iter.stride.constant().value_or(-1);
    }
    return out;
}

} // namespace

Attempt ldstmatrix_fit(const DispatchCall& call, const DispatchContext&) {
    const bool store = is_shared(*call.operand(0));
    const Operand& shared = *call.operand(store ? 0 : 1);
    const Operand& registers = *call.operand(store ? 1 : 0);
    if (registers.layout->is_compose() || !registers.layout->tile().replica.empty()) {
        return Declined{"R layout has a replica or a swizzle; ldstmatrix requires neither"};
    }
    if (!shared.layout->tile().replica.empty()) return Declined{"S layout has a replica; ldstmatrix requires no replica"};
    if (bits(shared.dtype) != 16) return Declined{fmt::format("ldstmatrix moves 16-bit elements, got {}", info(shared.dtype).tirx)};
    const ComposeLayout* swizzled = shared.layout->compose();
    if (swizzled != nullptr && swizzled->per_element < 3) return Declined{"the swizzle exchanges less than 8 elements"};
    const auto sides = thread_first(registers, shared);
    if (!sides) return Declined{sides.error().message};
    const std::set<Axis> axes_used = thread_axes(sides->registers);
    if (axes_used.size() != 1 || !lane_axis(*axes_used.begin())) {
        return Declined{fmt::format("R must have exactly one thread axis of laneid, tid_in_wg and tx; it has {}", axes_used.size())};
    }
    if (sides->threads % kLanes != 0) return Declined{fmt::format("R thread section total {} not divisible by 32", sides->threads)};
    for (const std::int64_t num : {4, 2, 1}) {
        if (sides->elements % (2 * num) != 0) continue;
        const std::vector<Dim> shape{Dim(sides->threads / kLanes), Dim(8), Dim(4), Dim(sides->elements / (2 * num)), Dim(num), Dim(2)};
        const auto r = strides(sides->registers, shape);
        const auto s = strides(sides->shared, shape);
        if (!r || !s || (*r)[1] != 4 || (*r)[2] != 1 || (*r)[5] != 1) continue;
        const bool outer_fits = (*s)[0] % 8 == 0 && (*s)[3] % 8 == 0 && (*s)[4] % 8 == 0;
        const bool plain = (*s)[1] % 8 == 0 && (*s)[2] == 2 && (*s)[5] == 1;
        const bool turned = (*s)[1] == 1 && (*s)[5] % 8 == 0 && (*s)[2] == 2 * (*s)[5];
        if (!outer_fits || (!plain && !turned)) continue;
        return TilePlan(SelectedPlan{fmt::format("{}.sync.aligned.m8n8.x{}{}.shared.b16, rows {} elements apart", store ? "stmatrix" : "ldmatrix", num,
                                                 plain ? "" : ".trans", plain ? (*s)[1] : (*s)[5])});
    }
    return Declined{"ldstmatrix layout doesn't fit any num ∈ {4,2,1}"};
}

Attempt mma_m16n8k_fit(const DispatchCall& call, const DispatchContext&) {
    static constexpr std::array names{"D", "A", "B", "C"};
    if (call.args.size() < 4) return Declined{"gemm takes D, A, B, C, transpose_A, transpose_B, alpha, beta"};
    for (std::size_t i = 0; i < 4; ++i) {
        const Operand* operand = call.operand(i);
        if (operand == nullptr || operand->scope != "local") {
            return Declined{fmt::format("gemm mma requires {} in register (local) scope, got {}", names[i], operand == nullptr ? "none" : operand->scope)};
        }
        if (!operand->layout || operand->layout->is_compose()) return Declined{fmt::format("gemm mma: {} layout is no TileLayout", names[i])};
        if (non_unit(extents(*operand)).size() != 2) return Declined{fmt::format("gemm mma expects 2D {}", names[i])};
    }
    const auto number = [&call](std::size_t index, double otherwise) {
        if (index >= call.args.size()) return otherwise;
        if (const auto* d = std::get_if<double>(&call.args[index])) return *d;
        if (const auto* n = std::get_if<std::int64_t>(&call.args[index])) return static_cast<double>(*n);
        return otherwise;
    };
    const double alpha = number(6, 1.0);
    const double beta = number(7, 0.0);
    if (alpha != 1.0) return Declined{fmt::format("gemm mma supports only alpha=1, got alpha={}", alpha)};
    if (beta != 0.0 && beta != 1.0) return Declined{fmt::format("gemm mma supports only beta in {{0, 1}}, got beta={}", beta)};
    const Operand& d = *call.operand(0);
    const Operand& a = *call.operand(1);
    const Operand& b = *call.operand(2);
    const bool types = a.dtype == b.dtype && (a.dtype == DType::Fp16 || a.dtype == DType::Bf16) && d.dtype == DType::Fp32;
    const auto d_shape = constants(non_unit(extents(d)), "D");
    const auto a_shape = constants(non_unit(extents(a)), "A");
    if (!d_shape || !a_shape) return Declined{"gemm mma needs static extents"};
    const auto* trans_a = call.args.size() > 4 ? std::get_if<bool>(&call.args[4]) : nullptr;
    const std::int64_t k = (*a_shape)[trans_a != nullptr && *trans_a ? 0 : 1];
    for (const std::int64_t step : {16, 8}) {
        if (!types || (*d_shape)[0] % 16 != 0 || (*d_shape)[1] % 8 != 0 || k % step != 0) continue;
        const auto fragment = catalogue::mma_frag(catalogue::MmaFragment::D, 8);
        const auto sliced = slice_of(d);
        if (!fragment || !sliced) continue;
        const std::vector<Dim> inner{Dim(16), Dim(8)};
        if (!is_tile_inner(fragment->layout, *sliced, to_dims(*d_shape), inner, AxisTarget::Cuda)) continue;
        return TilePlan(SelectedPlan{fmt::format("mma.sync.aligned.m16n8k{}.row.col.f32.{}.{}.f32", step, info(a.dtype).brief, info(a.dtype).brief)});
    }
    return Declined{fmt::format("no mma instruction fits M={}, N={}, K={}, dtypes={} x {} -> {}", (*d_shape)[0], (*d_shape)[1], k,
                                info(a.dtype).tirx, info(b.dtype).tirx, info(d.dtype).tirx)};
}

} // namespace ls::tirx
