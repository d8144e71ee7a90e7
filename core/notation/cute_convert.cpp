#include "core/notation/cute_convert.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/layout/operations.h"
#include "core/notation/cute_algebra.h"
#include "core/notation/cute_evaluate.h"
#include "core/notation/cute_swizzle.h"
#include "core/notation/cute_text.h"
#include "core/support/checked.h"

namespace ls::cute {

namespace {

/// Neighbours of one dimension that walk on evenly become one iter.
void push_fused(std::vector<Iter>& iters, std::size_t dim_begin, Iter iter) {
    if (iters.size() > dim_begin) {
        Iter& before = iters.back();
        const CheckedInt step = checked_mul(iter.extent.value(), iter.stride.value());
        if (before.axis == iter.axis && step && *step == before.stride.value()) {
            before = {before.extent.value() * iter.extent.value(), iter.stride, iter.axis};
            return;
        }
    }
    iters.push_back(std::move(iter));
}

Axis axis_of(const std::vector<std::int64_t>& basis, std::span<const Axis> axes) {
    if (basis.empty()) return axes::m;
    if (basis.size() == 1 && static_cast<std::size_t>(basis[0]) < axes.size())
        return axes[static_cast<std::size_t>(basis[0])];
    return Axis::named(fmt::format("c{}", fmt::join(basis, "_")));
}

/// Leaves of one mode, last leaf (slowest) first.
void mode_iters(const Tree& shape, const Tree& stride, std::span<const Axis> axes, std::vector<Iter>& out,
                std::size_t dim_begin) {
    if (!shape.is_leaf) {
        for (std::size_t i = shape.items.size(); i-- > 0;)
            mode_iters(shape.items[i], stride.items[i], axes, out, dim_begin);
        return;
    }
    if (shape.leaf.value == 1) return;
    push_fused(out, dim_begin, {shape.leaf.value, stride.leaf.value, axis_of(stride.leaf.basis, axes)});
}

std::optional<DType> type_of_width(int bits) {
    switch (bits) {
    case 1: return DType::Bool;
    case 4: return DType::UInt4;
    case 8: return DType::UInt8;
    case 16: return DType::UInt16;
    case 32: return DType::UInt32;
    case 64: return DType::UInt64;
    default: return {};
    }
}

/// A composition reduced to: optional swizzle over (offset + plain layout).
struct Folded {
    std::optional<Swizzle> swizzle;
    std::int64_t offset = 0;
    CuteLayout layout;
};

/// Puts `outer` over what was folded so far: outer(offset + layout).
Status fold(const CuteLayout& outer, const Offset& by, Folded& inner) {
    if (inner.swizzle)
        return error("CUTE_STAGES", "a layout over a swizzle is no layout of ours", "write the swizzle outermost");
    std::int64_t shift = by.number.value;
    if (by.kind == Offset::Kind::Coordinate) {
        // An offset in coordinates of the outer layout is the flat index of that coordinate.
        LS_TRY(shift, crd2idx(by.coordinate, CuteLayout{outer.shape, layout_left(outer.shape)}));
    }
    if (by.kind == Offset::Kind::SmemPointer || by.kind == Offset::Kind::SparseSmemPointer) {
        return error("CUTE_STAGES", "a pointer between two layouts", "pointers stand behind a swizzle");
    }
    const CheckedInt total = checked_add(shift, inner.offset);
    if (!total) return error("CUTE_OVERFLOW", "the offset does not fit 64 bits");
    // From an offset on, the outer layout is again a layout only if the sum of offset and index never carries; that is
    // certain for offset 0, and for an outer layout of one even spacing.
    if (*total != 0 && coalesced_leaves(outer).size() > 1) {
        return error("CUTE_STAGES", fmt::format("{} from offset {} on is no layout", print(outer), *total),
                     "drop the offset, or use an outer layout of one mode");
    }
    LS_TRY(inner.offset, crd2idx(*total, outer));
    LS_TRY(inner.layout, composition(outer, inner.layout));
    return ok_status();
}

Result<Folded> fold_all(const Composed& elements) {
    Folded out;
    out.layout = elements.layout;
    for (std::size_t i = elements.stages.size(); i-- > 0;) {
        const Stage& stage = elements.stages[i];
        if (stage.offset.number.unknown)
            return error("CUTE_UNKNOWN", "a run-time number '?' has no value", "write numbers in place of '?'");
        if (const auto* layout = std::get_if<CuteLayout>(&stage.outer)) {
            LS_CHECK(fold(*layout, stage.offset, out));
            continue;
        }
        if (out.swizzle)
            return error("CUTE_STAGES", "two swizzles in one layout", "one layout of ours holds one swizzle");
        if (stage.offset.kind == Offset::Kind::Coordinate)
            return error("CUTE_STAGES", "a swizzle takes a number as its offset");
        const CheckedInt total = checked_add(stage.offset.number.value, out.offset);
        if (!total) return error("CUTE_OVERFLOW", "the offset does not fit 64 bits");
        out.offset = *total;
        out.swizzle = std::get<Swizzle>(stage.outer);
    }
    return out;
}

Diagnostic cannot(std::string why) { return error("TXT_CANNOT_SAY", std::move(why), "TIRx text can say every layout"); }

bool is_flagged(const Composed& composed) {
    return std::any_of(composed.stages.begin(), composed.stages.end(),
                       [](const Stage& s) { return s.offset.kind == Offset::Kind::SmemPointer; });
}

} // namespace

Result<TensorLayout> to_tensor(const Composed& composed, std::span<const Axis> axes) {
    if (has_unknown(composed.layout))
        return error("CUTE_UNKNOWN", "a run-time number '?' has no value", "write numbers in place of '?'");
    LS_TRY(const Composed elements, element_form(composed));
    LS_TRY(const Folded folded, fold_all(elements));
    if (folded.swizzle && has_basis(folded.layout))
        return error("CUTE_BASIS", "a swizzle over strides that name coordinates");
    TensorLayout out;
    TileLayout tile;
    const CuteLayout& plain = folded.layout;
    for (std::size_t d = 0; d < rank(plain.shape); ++d) {
        const CuteLayout one = mode(plain, d);
        out.shape.push_back(size(one));
        mode_iters(one.shape, one.stride, axes, tile.shard, tile.shard.size());
    }
    if (out.shape.empty()) out.shape.push_back(1);
    if (tile.shard.empty()) tile.shard.push_back({1, 1, axes::m});
    if (folded.offset != 0) tile.offset.insert_or_assign(axes::m, folded.offset);
    if (folded.swizzle) {
        const Swizzle& s = *folded.swizzle;
        ComposeLayout compose{s.base, s.bits, std::abs(s.shift), std::move(tile), s.shift >= 0};
        LS_TRY(out.layout, make_layout(std::move(compose)));
    } else {
        LS_TRY(out.layout, make_layout(std::move(tile)));
    }
    out.dtype = type_of_width(composed.element_bits);
    const bool shared = folded.swizzle || is_flagged(composed) || composed.engine.find("smem") != std::string::npos;
    if (shared)
        out.space = MemorySpace::Smem;
    else if (composed.engine.find("gmem") != std::string::npos)
        out.space = MemorySpace::Gm;
    else if (composed.engine.find("rmem") != std::string::npos)
        out.space = MemorySpace::Registers;
    else if (composed.engine.find("tmem") != std::string::npos)
        out.space = MemorySpace::Tmem;
    out.name = composed.engine;
    return out;
}

Result<Layout> to_flat(const CuteLayout& layout) {
    if (has_unknown(layout))
        return error("CUTE_UNKNOWN", "a run-time number '?' has no value", "write numbers in place of '?'");
    if (has_basis(layout)) return error("CUTE_BASIS", "the value is a coordinate, not an offset");
    TileLayout tile;
    std::vector<Flat> leaves = flatten(layout);
    for (std::size_t i = leaves.size(); i-- > 0;) {
        if (leaves[i].size > 1) tile.shard.push_back({leaves[i].size, leaves[i].stride, axes::m});
    }
    if (tile.shard.empty()) tile.shard.push_back({1, 1, axes::m});
    return make_layout(std::move(tile));
}

Result<FromTensor> from_tensor(const TensorLayout& tensor) {
    const TileLayout& tile = tensor.layout.tile();
    if (!tensor.layout.is_constant()) return cannot("the layout has names without a value");
    std::int64_t copies = 1;
    for (const Iter& iter : tile.replica) copies = checked_mul(copies, iter.extent.value()).value_or(INT64_MAX);
    if (copies > 1)
        return cannot(
            fmt::format("replica: one coordinate has {} addresses; CuTe has a function, not a relation", copies));
    FromTensor out;
    std::int64_t offset = 0;
    for (const auto& [axis, amount] : tile.offset) {
        if (amount.is(0)) continue;
        if (!tensor.layout.is_compose()) {
            return cannot(
                fmt::format("offset {} on {}: a plain CuTe layout maps 0 to 0; give the offset to the pointer",
                            amount.value(), axis.name()));
        }
        offset = amount.value();
    }
    const std::vector<Dim> shape(tensor.shape.begin(), tensor.shape.end());
    const Result<Grouped> grouped = group(tile, shape);
    if (!grouped) {
        std::vector<std::int64_t> extents;
        for (const Iter& iter : tile.shard) extents.push_back(iter.extent.value());
        return cannot(fmt::format("shape ({}) does not group extents ({})", fmt::join(tensor.shape, ","),
                                  fmt::join(extents, ",")));
    }
    // Axes in the order in which they are met; when m is the only one, strides are plain.
    for (const Iter& iter : grouped->layout.shard) {
        if (iter.extent.is(1)) continue;
        if (std::find(out.axes.begin(), out.axes.end(), iter.axis) == out.axes.end()) out.axes.push_back(iter.axis);
    }
    if (out.axes.size() == 1 && out.axes[0] == axes::m) out.axes.clear();
    if (tensor.layout.is_compose() && !out.axes.empty()) return cannot("a swizzle over other axes than m");
    std::vector<CuteLayout> modes;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        std::vector<Iter> iters;
        for (std::size_t i = grouped->separators[d]; i < grouped->separators[d + 1]; ++i) {
            if (!grouped->layout.shard[i].extent.is(1)) push_fused(iters, 0, grouped->layout.shard[i]);
        }
        std::vector<CuteLayout> leaves;
        for (std::size_t i = iters.size(); i-- > 0;) {
            CuteLayout leaf = make_leaf(iters[i].extent.value(), iters[i].stride.value());
            if (!out.axes.empty()) {
                leaf.stride.leaf.basis = {std::find(out.axes.begin(), out.axes.end(), iters[i].axis) -
                                          out.axes.begin()};
            }
            leaves.push_back(std::move(leaf));
        }
        if (leaves.empty())
            modes.push_back(make_leaf(1, 0));
        else
            modes.push_back(leaves.size() == 1 ? leaves[0] : join(leaves));
    }
    out.composed.layout = modes.size() == 1 ? modes[0] : join(modes);
    if (const ComposeLayout* c = tensor.layout.compose()) {
        Stage stage;
        stage.outer = Swizzle{c->swizzle_len, c->per_element, c->swizzle_inner ? c->atom_len : -c->atom_len};
        stage.offset.number.value = offset;
        out.composed.stages.push_back(std::move(stage));
    }
    return out;
}

Result<TensorLayout> fragment_from_tv(const CuteLayout& tv, std::int64_t m, std::int64_t n, Axis thread_axis) {
    if (has_unknown(tv))
        return error("CUTE_UNKNOWN", "a run-time number '?' has no value", "write numbers in place of '?'");
    if (has_basis(tv)) return error("CUTE_BASIS", "a thread-value layout answers flat coordinates of the tile");
    if (rank(tv.shape) != 2 || tv.shape.is_leaf)
        return error("CUTE_TV", fmt::format("{} is not (threads, values)", print(tv)),
                     "a thread-value layout has two modes");
    const CheckedInt elements = m > 0 && n > 0 ? checked_mul(m, n) : CheckedInt{};
    if (!elements) return error("CUTE_TV", fmt::format("a tile of {} x {}", m, n));
    // One digit of the flat tile coordinate: who counts it, and how far one step goes on that axis.
    struct Digit {
        std::int64_t size, tile_step, axis_step;
        Axis axis;
    };
    std::vector<Digit> digits;
    TileLayout tile;
    for (std::size_t which = 0; which < 2; ++which) {
        const Axis axis = which == 0 ? thread_axis : axes::m;
        std::int64_t step = 1;
        for (const Flat& leaf : flatten(mode(tv, which))) {
            if (leaf.size > 1 && leaf.stride == 0 && which == 0)
                tile.replica.push_back({leaf.size, step, axis});
            else if (leaf.size > 1)
                digits.push_back({leaf.size, leaf.stride, step, axis});
            step *= leaf.size;
        }
    }
    std::stable_sort(digits.begin(), digits.end(),
                     [](const Digit& a, const Digit& b) { return a.tile_step < b.tile_step; });
    std::int64_t reached = 1;
    std::vector<Digit> rows, cols;
    for (const Digit& d : digits) {
        if (d.tile_step != reached) {
            return error("CUTE_TV",
                         fmt::format("{} does not count the tile {} x {} without gaps: a step of {} where {} is due",
                                     print(tv), m, n, d.tile_step, reached));
        }
        LS_TRY(reached, [&]() -> Result<std::int64_t> {
            if (const CheckedInt next = checked_mul(reached, d.size)) return *next;
            return error("CUTE_OVERFLOW", "the tile does not fit 64 bits");
        }());
        if (d.tile_step >= m) {
            cols.push_back(d);
        } else if (reached <= m) {
            rows.push_back(d);
        } else {
            // The digit that crosses from rows to columns is split.
            const std::int64_t inner = m / d.tile_step;
            if (m % d.tile_step != 0 || d.size % inner != 0)
                return error("CUTE_TV", fmt::format("{} crosses the {} rows of the tile unevenly", print(tv), m));
            rows.push_back({inner, d.tile_step, d.axis_step, d.axis});
            cols.push_back({d.size / inner, m, d.axis_step * inner, d.axis});
        }
    }
    if (reached != *elements)
        return error("CUTE_TV", fmt::format("{} counts {} elements of a tile of {} x {}", print(tv), reached, m, n));
    for (const std::vector<Digit>* dim : {&rows, &cols}) {
        const std::size_t begin = tile.shard.size();
        for (std::size_t i = dim->size(); i-- > 0;)
            push_fused(tile.shard, begin, {(*dim)[i].size, (*dim)[i].axis_step, (*dim)[i].axis});
    }
    if (tile.shard.empty()) tile.shard.push_back({1, 1, axes::m});
    TensorLayout out;
    LS_TRY(out.layout, make_layout(std::move(tile)));
    out.shape = {m, n};
    out.dim_names = {"m", "n"};
    out.space = MemorySpace::Registers;
    return out;
}

} // namespace ls::cute
