#include "core/passes/tirx/plan/copy_partition.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace ls::tirx {

namespace {

Status all_constant(const TileLayout& tile, std::string_view which) {
    for (const Iter& iter : tile.shard) {
        if (!iter.extent.is_constant() || !iter.stride.is_constant()) {
            return error("PLAN_SYMBOLIC", fmt::format("the {} region has extents or strides that are not known before the program runs", which));
        }
    }
    return ok_status();
}

/// Positions of iters by falling stride.
std::vector<std::size_t> by_stride(std::span<const Iter> shard) {
    std::vector<std::size_t> order(shard.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [shard](std::size_t a, std::size_t b) {
        return shard[a].stride.value() > shard[b].stride.value();
    });
    return order;
}

/// Cuts `count` elements off the end, one iter split at most.
std::optional<std::vector<Iter>> carve_tail(std::vector<Iter> iters, std::int64_t count) {
    std::int64_t rest = count;
    for (std::size_t i = iters.size(); i-- > 0;) {
        const std::int64_t extent = iters[i].extent.value();
        if (extent == rest) return iters;
        if (extent < rest) {
            if (rest % extent != 0) return {};
            rest /= extent;
            continue;
        }
        if (extent % rest != 0) return {};
        const Iter inner{Dim(rest), iters[i].stride, iters[i].axis};
        iters[i] = {Dim(extent / rest), iters[i].stride * rest, iters[i].axis};
        iters.insert(iters.begin() + static_cast<std::ptrdiff_t>(i) + 1, inner);
        return iters;
    }
    return {};
}

/// The last iters are one run of neighbours that holds whole vectors.
bool tail_is_contiguous(std::span<const Iter> shard, std::int64_t vector) {
    std::int64_t run = 1;
    for (std::size_t i = shard.size(); i-- > 0 && shard[i].stride.is(run) && run < vector;) run *= shard[i].extent.value();
    return run >= vector && run % vector == 0;
}

/// Everything but the vector itself steps by whole vectors.
bool aligned(const TileLayout& tile, std::int64_t vector) {
    for (std::size_t i = 0; i + 1 < tile.shard.size(); ++i) {
        if (tile.shard[i].stride.value() % vector != 0) return false;
    }
    return std::all_of(tile.offset.begin(), tile.offset.end(),
                       [vector](const auto& entry) { return proves_divisible(entry.second, Dim(vector)); });
}

struct Sides {
    TileLayout global;
    TileLayout shared;
    std::optional<std::int64_t> swizzle_chunk;
};

/// Global iters from far to near, and the shared ones in the same order.
Result<Sides> align_sides(const Operand& global, const Operand& shared) {
    LS_TRY(const Layout g_slice, slice_of(global));
    LS_TRY(const Layout s_slice, slice_of(shared));
    Sides sides{without_swizzle(g_slice, extents(global)), without_swizzle(s_slice, extents(shared)), {}};
    LS_CHECK(all_constant(sides.global, "global"));
    LS_CHECK(all_constant(sides.shared, "shared"));
    if (const ComposeLayout* compose = shared.layout->compose()) sides.swizzle_chunk = std::int64_t{1} << compose->per_element;
    std::vector<Dim> shape;
    for (const Iter& iter : sides.global.shard) shape.push_back(iter.extent);
    const std::vector<std::size_t> order = by_stride(sides.global.shard);
    LS_TRY(const Grouped grouped, group(sides.shared, shape));
    LS_TRY(const Layout permuted, permute_by_groups(Layout(grouped.layout), grouped.separators, order));
    LS_TRY(const Layout s, canonicalize(permuted));
    LS_TRY(const Layout g_permuted, permute_dims(Layout(sides.global), order));
    LS_TRY(const Layout g, canonicalize(g_permuted));
    sides.global = g.tile();
    sides.shared = s.tile();
    return sides;
}

std::optional<CopyPartition> try_vector(const Sides& sides, const Operand& shared, std::int64_t threads, std::int64_t vector) {
    std::vector<Iter> iters = sides.global.shard;
    if (vector == 1) {
        iters.push_back({Dim(1), Dim(1), axes::m});
    } else {
        if (sides.swizzle_chunk && vector > *sides.swizzle_chunk) return {};
        auto carved = carve_tail(std::move(iters), vector);
        if (!carved) return {};
        iters = std::move(*carved);
    }
    const Iter tail = iters.back();
    iters.pop_back();
    if (threads > 1) {
        auto carved = carve_tail(std::move(iters), threads);
        if (!carved) return {};
        iters = std::move(*carved);
    }
    iters.push_back(tail);
    std::vector<Dim> shape;
    std::int64_t total = 1;
    for (const Iter& iter : iters) {
        shape.push_back(iter.extent);
        total *= iter.extent.value();
    }
    const auto grouped = group(sides.shared, shape);
    if (!grouped || total % (threads * vector) != 0) return {};
    TileLayout g = sides.global;
    g.shard = std::move(iters);
    const TileLayout& s = grouped->layout;
    if (vector > 1 && (!tail_is_contiguous(s.shard, vector) || !aligned(s, vector) || !aligned(g, vector))) return {};
    CopyPartition partition;
    partition.outer = total / (threads * vector);
    partition.threads = threads;
    partition.vector = vector;
    partition.vector_bytes = vector * bits(shared.dtype) / 8;
    partition.global = Layout(g);
    partition.shared = shared.layout->with_tile(s);
    return partition;
}

} // namespace

Result<Dim> CopyPartition::offset(const Layout& layout, const Dim& f, const Dim& t) const {
    const std::vector<Dim> coordinates{f, t, Dim(0)};
    const std::vector<Dim> shape{Dim(outer), Dim(threads), Dim(vector)};
    LS_TRY(const AxisMap at, apply(layout, coordinates, shape));
    return at.get(axes::m);
}

Result<CopyPartition> plan_shared_out_copy(const Operand& global, const Operand& shared, std::int64_t threads,
                                     std::span<const int> vector_bits, bool or_scalar) {
    if (threads < 1) return error("COPY_PARTITION", fmt::format("{} threads cannot share a copy", threads));
    LS_TRY(const Sides sides, align_sides(global, shared));
    const int elem_bits = bits(shared.dtype);
    bool scalar_tried = false;
    for (const int width : vector_bits) {
        if (width < elem_bits || width % elem_bits != 0) continue;
        scalar_tried = scalar_tried || width == elem_bits;
        if (auto partition = try_vector(sides, shared, threads, width / elem_bits)) return *std::move(partition);
    }
    if (or_scalar && !scalar_tried) {
        if (auto partition = try_vector(sides, shared, threads, 1)) return *std::move(partition);
    }
    return error("COPY_PARTITION",
                 fmt::format("no vector of {} elements can be shared out evenly over {} thread{} with every access aligned",
                             info(shared.dtype).tirx, threads, threads == 1 ? "" : "s"),
                 "make the innermost run of both layouts a multiple of 4 bytes, and the region a multiple of the threads");
}

std::optional<VectorForm> vector_form(std::int64_t bytes) {
    switch (bytes) {
        case 32: return VectorForm{"v8.u32", 8, "uint32"};
        case 16: return VectorForm{"v4.u32", 4, "uint32"};
        case 8: return VectorForm{"v2.u32", 2, "uint32"};
        case 4: return VectorForm{"u32", 1, "uint32"};
        case 2: return VectorForm{"u16", 1, "uint16"};
        case 1: return VectorForm{"u8", 1, "uint8"};
        default: return {};
    }
}

Result<VectorCopyPlan> plan_vector_copy(const Operand& dst, const Operand& src, std::int64_t bytes, const Config& config) {
    const auto form = vector_form(bytes);
    if (!form) return error("COPY_CONFIG", fmt::format("there is no copy of {} bytes", bytes));
    const auto space = [](const Operand& operand) { return is_shared(operand) ? std::string("shared") : operand.scope; };
    VectorCopyPlan plan{bytes, "", "", form->words, std::string(form->type)};
    if (src.scope != "local") {
        plan.load = "ld." + space(src);
        if (const ConfigValue* cache = find(config, "cache"); cache != nullptr && *cache == ConfigValue(std::string("nc"))) plan.load += ".nc";
        for (const std::string_view key : {"l1_evict", "l2_evict", "prefetch_size"}) {
            const ConfigValue* value = find(config, key);
            const auto* text = value == nullptr ? nullptr : std::get_if<std::string>(value);
            if (text == nullptr || text->empty()) continue;
            if (key == "l2_evict" && form->words == 1) return error("COPY_CONFIG", "L2 eviction priorities are for vectors only");
            plan.load += "." + *text;
        }
        plan.load += fmt::format(".{}", form->suffix);
    }
    if (dst.scope != "local") plan.store = fmt::format("st.{}.{}", space(dst), form->suffix);
    return plan;
}

} // namespace ls::tirx
