// mma.m16n8k: how the fragments of D, A, B and C lie in a thread's registers.
//
// Lanes are 8 groups g of 4 threads t. Of 16 x 8 x k: row = g + 8·rM, column = 2·t + rN of D and C; k = 2·t + p + 8·kHi
// of A and B, whose column is g. Every dimension is first cut as one operand (its anchor) cuts it: M and N as D does, K
// as A does.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/passes/tirx/plan/matrix_fragments.h"

namespace ls::tirx {

namespace {

/// An operand's layout, one part for each of its two dimensions; parts keep no offset.
struct Parts {
    TileLayout first, second;
    AxisMap offset;
};

Result<Parts> parts_of(const Operand& operand, std::string_view which) {
    if (!operand.layout || operand.layout->is_compose()) {
        return error("FRAGMENT_LAYOUT", fmt::format("gemm mma: {} layout is no TileLayout", which));
    }
    LS_TRY(const Layout sliced, slice_of(operand));
    LS_TRY(const Layout canonical, canonicalize(sliced));
    std::set<Axis> threads;
    for (const Iter& iter : canonical.tile().shard) {
        if (iter.axis.is_thread()) threads.insert(iter.axis);
    }
    if (threads.size() > 1)
        return error("FRAGMENT_LAYOUT", fmt::format("gemm mma: {} has more than one thread axis", which));
    const std::vector<Dim> shape = non_unit(extents(operand));
    LS_TRY(const Grouped grouped, group(canonical.tile(), shape));
    Parts out;
    const auto begin = grouped.layout.shard.begin();
    out.first.shard.assign(begin, begin + static_cast<std::ptrdiff_t>(grouped.separators[1]));
    out.second.shard.assign(begin + static_cast<std::ptrdiff_t>(grouped.separators[1]), grouped.layout.shard.end());
    out.offset = grouped.layout.offset;
    return out;
}

Result<TileLayout> canonical_order(const TileLayout& anchor) {
    LS_TRY(const auto order, thread_first_order(anchor.shard));
    LS_TRY(const Layout turned, permute_dims(Layout(anchor), order));
    return turned.tile();
}

/// The follower cut and ordered as the anchor.
Result<TileLayout> aligned(const TileLayout& anchor, const TileLayout& follower) {
    std::vector<Dim> shape;
    for (const Iter& iter : anchor.shard) shape.push_back(iter.extent);
    LS_TRY(const auto order, thread_first_order(anchor.shard));
    LS_TRY(const Grouped grouped, group(follower, shape));
    LS_TRY(const Layout turned, permute_by_groups(Layout(grouped.layout), grouped.separators, order));
    return turned.tile();
}

/// How many of an anchor's places are threads, and how many registers.
struct Totals {
    std::int64_t threads = 1, registers = 1;
};
Result<Totals> totals_of(const TileLayout& anchor) {
    Totals out;
    for (const Iter& iter : anchor.shard) {
        const auto extent = iter.extent.constant();
        if (!extent) return error("PLAN_SYMBOLIC", "a fragment's extents must be numbers");
        (iter.axis.is_thread() ? out.threads : out.registers) *= *extent;
    }
    return out;
}

/// One piece that the instruction fixes.
struct Piece {
    std::int64_t extent;
    std::optional<std::int64_t> stride;
    bool thread;
};

/// A dimension cut into [rest of the threads, lanes..., rest of the registers, registers...]; nothing where it does not
/// fit.
std::optional<Grouped> cut(const TileLayout& tile, const std::vector<Piece>& lanes, const std::vector<Piece>& registers,
                           Totals total) {
    std::int64_t lane_product = 1, register_product = 1;
    for (const Piece& p : lanes) lane_product *= p.extent;
    for (const Piece& p : registers) register_product *= p.extent;
    std::vector<Dim> shape{Dim(total.threads / lane_product)};
    std::vector<const Piece*> pieces{nullptr};
    for (const Piece& p : lanes) {
        shape.push_back(Dim(p.extent));
        pieces.push_back(&p);
    }
    shape.push_back(Dim(total.registers / register_product));
    pieces.push_back(nullptr);
    for (const Piece& p : registers) {
        shape.push_back(Dim(p.extent));
        pieces.push_back(&p);
    }
    if (shape.front().is(0) || product(shape).is(0)) return {};
    auto grouped = group(tile, shape);
    if (!grouped) return {};
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (pieces[i] == nullptr) continue;
        if (grouped->separators[i + 1] - grouped->separators[i] != 1) return {};
        const Iter& iter = grouped->layout.shard[grouped->separators[i]];
        if (iter.extent.is(1)) continue;
        if (iter.axis.is_thread() != pieces[i]->thread) return {};
        if (pieces[i]->stride && !iter.stride.is(*pieces[i]->stride)) return {};
    }
    return *std::move(grouped);
}

std::vector<Iter> segment(const Grouped& grouped, std::size_t index) {
    const auto begin = grouped.layout.shard.begin();
    return std::vector<Iter>(begin + static_cast<std::ptrdiff_t>(grouped.separators[index]),
                             begin + static_cast<std::ptrdiff_t>(grouped.separators[index + 1]));
}

/// Equal once units are left out: the same blocks lie on the same warps.
bool same_blocks(std::vector<Iter> a, std::vector<Iter> b) {
    std::erase_if(a, [](const Iter& iter) { return iter.extent.is(1); });
    std::erase_if(b, [](const Iter& iter) { return iter.extent.is(1); });
    return a == b;
}

MmaPlan::Fragment fragment(const std::vector<std::vector<Iter>>& dimensions, const AxisMap& offset) {
    MmaPlan::Fragment out;
    for (const auto& iters : dimensions) {
        std::int64_t extent = 1;
        for (const Iter& iter : iters) {
            extent *= iter.extent.constant().value_or(1);
            if (!iter.extent.is(1)) out.layout.shard.push_back(iter);
        }
        out.shape.push_back(extent);
    }
    for (const auto& [axis, value] : offset) {
        if (!axis.is_thread()) out.layout.offset.emplace(axis, value);
    }
    return out;
}

struct Aligned {
    TileLayout dm, dn, cm, cn, am, ak, bk, bn;
    Totals m, n, k;
    AxisMap d_offset, c_offset, a_offset, b_offset;
};

std::optional<MmaPlan> fit(const Aligned& x, int k) {
    const std::vector<Piece> g{{8, 4, true}}, t{{4, 1, true}}, r_m{{2, {}, false}}, r_n{{2, 1, false}};
    const std::vector<Piece> pack{{k / 8, {}, false}, {2, 1, false}};
    const auto dm = cut(x.dm, g, r_m, x.m), cm = cut(x.cm, g, r_m, x.m), am = cut(x.am, g, r_m, x.m);
    const auto dn = cut(x.dn, t, r_n, x.n), cn = cut(x.cn, t, r_n, x.n);
    // B's column is g alone, cut as D's into 4 and 2: both of them lanes.
    const auto bn = cut(x.bn, {{4, 8, true}}, {{2, 4, true}}, x.n);
    const auto ak = cut(x.ak, t, pack, x.k), bk = cut(x.bk, t, pack, x.k);
    if (!dm || !cm || !am || !dn || !cn || !bn || !ak || !bk) return {};
    if (!same_blocks(segment(*dm, 0), segment(*am, 0)) || !same_blocks(segment(*dm, 0), segment(*cm, 0))) return {};
    if (!same_blocks(segment(*dn, 0), segment(*bn, 0)) || !same_blocks(segment(*dn, 0), segment(*cn, 0))) return {};
    if (!same_blocks(segment(*ak, 0), segment(*bk, 0))) return {};
    MmaPlan plan;
    plan.k = k;
    plan.d = fragment({segment(*dm, 2), segment(*dn, 2), segment(*dm, 3), segment(*dn, 3)}, x.d_offset);
    plan.c = fragment({segment(*cm, 2), segment(*cn, 2), segment(*cm, 3), segment(*cn, 3)}, x.c_offset);
    plan.a =
        fragment({segment(*am, 2), segment(*ak, 2), segment(*am, 3), segment(*ak, 3), segment(*ak, 4)}, x.a_offset);
    plan.b = fragment({segment(*bk, 2), segment(*bn, 2), segment(*bk, 3), segment(*bk, 4)}, x.b_offset);
    return plan;
}

Result<std::array<std::int64_t, 2>> matrix(const Operand& operand, std::string_view which, bool transposed) {
    const std::vector<Dim> dims = non_unit(extents(operand));
    if (dims.size() != 2)
        return error("FRAGMENT_SHAPE",
                     fmt::format("gemm mma expects 2D {}, got {} non-unit extents", which, dims.size()));
    LS_TRY(const auto numbers, constants(dims, fmt::format("an extent of {}", which)));
    return transposed ? std::array{numbers[1], numbers[0]} : std::array{numbers[0], numbers[1]};
}

} // namespace

std::string MmaPlan::instruction() const {
    const char* type = input == DType::Bf16 ? "bf16" : "f16";
    return fmt::format("mma.sync.aligned.m16n8k{}.row.col.f32.{}.{}.f32", k, type, type);
}

Result<MmaPlan> plan_mma(const MmaCall& call) {
    const std::pair<const Operand*, const char*> operands[] = {
        {&call.d, "D"}, {&call.a, "A"}, {&call.b, "B"}, {&call.c, "C"}};
    for (const auto& [operand, which] : operands) {
        if (operand->scope != "local") {
            return error("FRAGMENT_LAYOUT",
                         fmt::format("gemm mma requires {} in register (local) scope, got {}", which, operand->scope));
        }
    }
    if (call.alpha != 1)
        return error("FRAGMENT_SHAPE", fmt::format("gemm mma supports only alpha=1, got alpha={}", call.alpha));
    if (call.beta != 0 && call.beta != 1)
        return error("FRAGMENT_SHAPE", fmt::format("gemm mma supports only beta in {{0, 1}}, got beta={}", call.beta));
    LS_TRY(const auto a, matrix(call.a, "A", call.trans_a));
    LS_TRY(const auto b, matrix(call.b, "B", call.trans_b));
    LS_TRY(const auto d, matrix(call.d, "D", false));
    LS_TRY(const auto c, matrix(call.c, "C", false));
    if (b[0] != a[1] || d != std::array{a[0], b[1]} || c != d) {
        return error("FRAGMENT_SHAPE", fmt::format("gemm mma: A is {} x {}, B {} x {}, C {} x {}, D {} x {}", a[0],
                                                   a[1], b[0], b[1], c[0], c[1], d[0], d[1]));
    }
    LS_TRY(const Parts dp, parts_of(call.d, "D"));
    LS_TRY(const Parts cp, parts_of(call.c, "C"));
    LS_TRY(const Parts ap, parts_of(call.a, "A"));
    LS_TRY(const Parts bp, parts_of(call.b, "B"));
    const TileLayout &am = call.trans_a ? ap.second : ap.first, &ak = call.trans_a ? ap.first : ap.second;
    const TileLayout &bk = call.trans_b ? bp.second : bp.first, &bn = call.trans_b ? bp.first : bp.second;
    Aligned x;
    LS_TRY(x.am, aligned(dp.first, am));
    LS_TRY(x.cm, aligned(dp.first, cp.first));
    LS_TRY(x.bn, aligned(dp.second, bn));
    LS_TRY(x.cn, aligned(dp.second, cp.second));
    LS_TRY(x.bk, aligned(ak, bk));
    LS_TRY(x.dm, canonical_order(dp.first));
    LS_TRY(x.dn, canonical_order(dp.second));
    LS_TRY(x.ak, canonical_order(ak));
    LS_TRY(x.m, totals_of(x.dm));
    LS_TRY(x.n, totals_of(x.dn));
    LS_TRY(x.k, totals_of(x.ak));
    x.d_offset = dp.offset;
    x.c_offset = cp.offset;
    x.a_offset = ap.offset;
    x.b_offset = bp.offset;
    const bool types = call.a.dtype == call.b.dtype && (call.a.dtype == DType::Fp16 || call.a.dtype == DType::Bf16) &&
                       call.d.dtype == DType::Fp32 && call.c.dtype == DType::Fp32;
    for (const int k : {16, 8}) {
        if (!types || d[0] % 16 != 0 || d[1] % 8 != 0 || a[1] % k != 0) continue;
        if (auto plan = fit(x, k)) {
            plan->input = call.a.dtype;
            plan->add_c = call.beta == 1;
            return *std::move(plan);
        }
    }
    return error("FRAGMENT_LAYOUT",
                 fmt::format("no mma instruction fits M={}, N={}, K={}, dtypes={} x {} -> {}", d[0], d[1], a[1],
                             info(call.a.dtype).tirx, info(call.b.dtype).tirx, info(call.d.dtype).tirx));
}

} // namespace ls::tirx
