#include "core/passes/tirx/plan/elementwise.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/passes/tirx/plan/matrix_fragments.h"

namespace ls::tirx {

namespace {

bool commutes(std::string_view op) { return op == "add" || op == "mul" || op == "maximum"; }
bool is_binary(std::string_view op) { return commutes(op) || op == "sub" || op == "fdiv"; }

Result<std::vector<std::int64_t>> shape_of(const Operand& operand) {
    return constants(extents(operand), fmt::format("an extent of {}", operand.name));
}

/// NumPy's rule, aligned at the last dimension: equal to the destination's, or 1.
Status check_broadcast(const std::vector<std::int64_t>& from, const std::vector<std::int64_t>& to) {
    if (from.size() > to.size()) {
        return error("ELEMENTWISE_LAYOUT",
                     fmt::format("shape incompat: op rank {} > anchor rank {}", from.size(), to.size()));
    }
    const std::size_t pad = to.size() - from.size();
    for (std::size_t d = 0; d < from.size(); ++d) {
        if (from[d] == to[pad + d] || from[d] == 1) continue;
        return error("ELEMENTWISE_LAYOUT",
                     fmt::format("shape incompat: dim {}: op extent {} vs anchor {} (need equal or 1)", d, from[d],
                                 to[pad + d]));
    }
    return ok_status();
}

/// The tile over the destination's shape: dimensions that are repeated have stride 0.
Result<TileLayout> lifted(const TileLayout& tile, const std::vector<std::int64_t>& from,
                          const std::vector<std::int64_t>& to) {
    LS_TRY(const Grouped grouped, group(tile, to_dims(from)));
    TileLayout out;
    out.replica = tile.replica;
    out.offset = grouped.layout.offset;
    const std::size_t pad = to.size() - from.size();
    for (std::size_t d = 0; d < to.size(); ++d) {
        if (d < pad || from[d - pad] != to[d]) {
            out.shard.push_back({Dim(to[d]), Dim(0), axes::m});
            continue;
        }
        const auto begin = grouped.layout.shard.begin();
        out.shard.insert(out.shard.end(), begin + static_cast<std::ptrdiff_t>(grouped.separators[d - pad]),
                         begin + static_cast<std::ptrdiff_t>(grouped.separators[d - pad + 1]));
    }
    return out;
}

Result<Layout> sliced(const Operand& operand) {
    if (!operand.layout) return error("ELEMENTWISE_LAYOUT", fmt::format("operand {} has no layout", operand.name));
    LS_TRY(const Layout part, slice(*operand.layout, operand.shape, operand.region, AxisTarget::Cuda));
    return canonicalize(part, AxisTarget::Cuda);
}

std::vector<Iter> thread_iters(const TileLayout& tile) {
    std::vector<Iter> out;
    const auto canonical = canonicalize(Layout(tile), AxisTarget::Cuda);
    if (!canonical) return out;
    for (const Iter& iter : canonical->tile().shard) {
        if (iter.axis.is_thread()) out.push_back(iter);
    }
    return out;
}

TileLayout without_threads(TileLayout tile) {
    std::erase_if(tile.shard, [](const Iter& iter) { return iter.axis.is_thread(); });
    return tile;
}

/// The tail of the tile cut so that `count` elements are iters of their own; nothing where an extent does not divide.
std::optional<TileLayout> with_tail(TileLayout tile, std::int64_t count) {
    for (std::size_t i = tile.shard.size(); i-- > 0;) {
        const auto extent = tile.shard[i].extent.constant();
        if (!extent) return {};
        if (*extent == count) return tile;
        if (*extent < count) {
            if (count % *extent != 0) return {};
            count /= *extent;
            continue;
        }
        if (*extent % count != 0) return {};
        const Iter inner{Dim(count), tile.shard[i].stride, tile.shard[i].axis};
        tile.shard[i] = {Dim(*extent / count), tile.shard[i].stride * Dim(count), tile.shard[i].axis};
        tile.shard.insert(tile.shard.begin() + static_cast<std::ptrdiff_t>(i) + 1, inner);
        return tile;
    }
    return {};
}

bool contiguous_tail(const TileLayout& tile, std::int64_t count) {
    if (tile.shard.empty() || !tile.shard.back().stride.is(1)) return tile.shard.empty() && count == 1;
    std::int64_t run = 1;
    for (std::size_t i = tile.shard.size(); i-- > 0 && tile.shard[i].stride.is(run);)
        run *= tile.shard[i].extent.constant().value_or(0);
    return run >= count && run % count == 0;
}

/// Whether two elements can be taken at once: add, sub, mul and fma of float32, and casts that have an instruction for
/// pairs.
bool has_pairs(const ElementwiseCall& call) {
    const auto all_fp32 = [&] {
        return call.dst.dtype == DType::Fp32 &&
               std::all_of(call.sources.begin(), call.sources.end(), [](const ElementwiseSource& s) {
                   return (s.region ? s.region->dtype : s.dtype) == DType::Fp32;
               });
    };
    if (call.op == "cast") {
        if (!call.sources[0].region) return false;
        const DType from = call.sources[0].region->dtype, to = call.dst.dtype;
        const auto half = [](DType t) { return t == DType::Fp16 || t == DType::Bf16; };
        return (from == DType::Fp32 && half(to)) || (half(from) && to == DType::Fp32);
    }
    if (call.sm < 100 || !all_fp32()) return false;
    if (call.op == "fma") return call.sources.size() == 3 && call.sources[0].region.has_value();
    return (call.op == "add" || call.op == "sub" || call.op == "mul") && call.sources.size() == 2;
}

} // namespace

Result<std::vector<ElementwiseSource>> elementwise_sources(std::string_view op, std::vector<ElementwiseSource> rows) {
    const auto refuse = [&](std::string why) { return error("ELEMENTWISE_OPERANDS", std::move(why)); };
    if (!is_binary(op)) {
        const std::size_t wanted = op == "fma" ? 3 : 1;
        if (rows.size() < wanted)
            return refuse(fmt::format("{} takes {} operand{}", op, wanted, wanted == 1 ? "" : "s"));
        if (op == "cast" && !rows[0].region) return refuse("cast src must be a buffer region");
        return rows;
    }
    if (rows.size() < 2) return refuse(fmt::format("{} takes two operands", op));
    rows.resize(2);
    if (!rows[0].region && !rows[1].region) return refuse("both inputs are constants");
    if (!rows[0].region) {
        if (!commutes(op)) return refuse(fmt::format("non-commutative op {} cannot have constant lhs", op));
        std::swap(rows[0], rows[1]);
    }
    if (!rows[1].region) return rows;
    const auto a = product(extents(*rows[0].region)).constant(), b = product(extents(*rows[1].region)).constant();
    if (a && b && *a < *b) {
        if (!commutes(op)) return refuse(fmt::format("non-commutative op {} cannot swap to broadcast", op));
        std::swap(rows[0], rows[1]);
    }
    return rows;
}

Result<ElementwisePlan> plan_elementwise_registers(const ElementwiseCall& call) {
    ElementwisePlan plan;
    plan.op = call.op;
    plan.sources = call.sources;
    LS_TRY(const auto anchor_shape, shape_of(call.dst));
    LS_TRY(const Layout anchor, sliced(call.dst));
    if (anchor.is_compose()) return error("ELEMENTWISE_LAYOUT", "anchor layout is swizzle");
    LS_TRY(const auto order, thread_first_order(anchor.tile().shard));
    LS_TRY(const Layout turned, permute_dims(anchor, order));
    std::vector<Dim> cuts;
    for (const Iter& iter : anchor.tile().shard) cuts.push_back(iter.extent);
    const std::vector<Iter> threads = thread_iters(turned.tile());
    plan.views.push_back(without_threads(turned.tile()));
    for (const ElementwiseSource& source : call.sources) {
        if (!source.region) continue;
        LS_TRY(const auto shape, shape_of(*source.region));
        LS_CHECK(check_broadcast(shape, anchor_shape));
        LS_TRY(const Layout part, sliced(*source.region));
        TileLayout tile = without_swizzle(part, extents(*source.region));
        if (shape != anchor_shape) {
            LS_TRY(tile, lifted(tile, shape, anchor_shape));
        }
        LS_TRY(const Grouped grouped, group(tile, cuts));
        LS_TRY(const Layout aligned, permute_by_groups(Layout(grouped.layout), grouped.separators, order));
        if (thread_iters(aligned.tile()) != threads) {
            return error("ELEMENTWISE_LAYOUT", "thread part mismatch between anchor and operand after alignment",
                         "give the operands layouts that spread the same elements over the same threads");
        }
        plan.views.push_back(without_threads(aligned.tile()));
    }
    for (const Iter& iter : plan.views.front().shard) {
        const auto extent = iter.extent.constant();
        if (!extent) return error("PLAN_SYMBOLIC", "an extent of the registers must be a number");
        plan.per_thread *= *extent;
    }
    if (has_pairs(call)) {
        std::vector<TileLayout> carved;
        for (const TileLayout& view : plan.views) {
            const auto pairs = with_tail(view, 2);
            if (pairs && contiguous_tail(*pairs, 2)) carved.push_back(*pairs);
        }
        if (carved.size() == plan.views.size()) {
            plan.views = std::move(carved);
            plan.vector = 2;
        }
    }
    plan.iterations = plan.per_thread / plan.vector;
    return plan;
}

Result<ElementwisePlan> plan_elementwise_shared(const ElementwiseCall& call, std::int64_t threads) {
    ElementwisePlan plan;
    plan.op = call.op;
    plan.sources = call.sources;
    plan.on_registers = false;
    plan.threads = threads;
    if (threads < 1) return error("ELEMENTWISE_LAYOUT", fmt::format("non-positive thread_cnt {}", threads));
    LS_TRY(const auto shape, shape_of(call.dst));
    int widest = bits(call.dst.dtype);
    std::vector<std::int64_t> inner{shape.empty() ? 1 : shape.back()};
    for (const std::int64_t extent : shape) plan.total *= extent;
    for (const ElementwiseSource& source : call.sources) {
        if (!source.region) continue;
        LS_TRY(const auto own, shape_of(*source.region));
        LS_CHECK(check_broadcast(own, shape));
        widest = std::max(widest, bits(source.region->dtype));
        inner.push_back(own.empty() ? 1 : own.back());
    }
    static constexpr std::array widths{128, 64, 32, 16, 8};
    for (const int width : widths) {
        const std::int64_t count = width / widest;
        if (count <= 0 || plan.total % threads != 0 || plan.total / threads % count != 0) continue;
        if (!std::all_of(inner.begin(), inner.end(), [&](std::int64_t extent) { return extent % count == 0; }))
            continue;
        plan.chunk = count;
        break;
    }
    if (has_pairs(call) && plan.chunk % 2 == 0) {
        plan.vector = 2;
        plan.chunk = 2;
    }
    plan.iterations = (plan.total + plan.chunk * threads - 1) / (plan.chunk * threads);
    return plan;
}

} // namespace ls::tirx
