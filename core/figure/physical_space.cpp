#include "core/figure/physical_space.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "core/support/checked.h"

namespace ls::figure {

namespace {

/// Axes that run down the picture, widest first. All other axes run right.
int down_order(Axis axis) {
    static const std::array order{axes::cbz,  axes::cby,       axes::cbx, axes::bz,        axes::by,     axes::bx,
                                  axes::wgid, axes::warpid,    axes::wid_in_wg, axes::tx, axes::tid_in_wg, axes::laneid,
                                  axes::TLane, axes::P};
    const auto found = std::find(order.begin(), order.end(), axis);
    return found == order.end() ? -1 : static_cast<int>(found - order.begin());
}

struct Bounds {
    std::int64_t min = 0;
    std::int64_t max = 0;
};

Diagnostic too_large() {
    return error("FIG_TOO_LARGE", "the layout reaches further than 2^62 elements, which no picture can show",
                 "check the strides and offsets for a slip");
}

Status widen(std::map<Axis, Bounds>& all, const Iter& iter) {
    Bounds& b = all[iter.axis];
    const CheckedInt reach = checked_mul(iter.extent.value() - 1, iter.stride.value());
    const CheckedInt edge = reach ? checked_add(*reach < 0 ? b.min : b.max, *reach) : CheckedInt{};
    if (!edge) return too_large();
    (*reach < 0 ? b.min : b.max) = *edge;
    return ok_status();
}

} // namespace

std::vector<std::pair<Axis, std::int64_t>> PhysicalSpace::point(std::int64_t linear) const {
    std::vector<std::pair<Axis, std::int64_t>> values;
    values.reserve(down.size() + right.size());
    for (const auto* side : {&down, &right}) {
        for (const SpaceAxis& a : *side) values.emplace_back(a.axis, a.min + linear / a.weight % a.extent);
    }
    return values;
}

Result<PhysicalSpace> physical_space(const TensorLayout& tensor, std::int64_t row_bytes) {
    if (!tensor.layout.is_constant()) {
        return error("FIG_SYMBOLIC", "the layout has symbolic extents or strides, so there is no single picture of it",
                     "give the symbols values");
    }
    const TileLayout& tile = tensor.layout.tile();
    std::map<Axis, Bounds> bounds;
    for (const auto* iters : {&tile.shard, &tile.replica}) {
        for (const Iter& iter : *iters) LS_CHECK(widen(bounds, iter));
    }
    for (const auto& [axis, amount] : tile.offset) {
        Bounds& b = bounds[axis];
        const CheckedInt low = checked_add(b.min, amount.value());
        const CheckedInt high = checked_add(b.max, amount.value());
        if (!low || !high) return too_large();
        b = {*low, *high};
    }
    if (bounds.empty()) bounds[axes::m] = {};
    // What lies before the first element belongs to the picture too: an address is counted from 0.
    for (auto& [axis, b] : bounds) b.min = std::min<std::int64_t>(b.min, 0);
    if (const ComposeLayout* compose = tensor.layout.compose()) {
        Bounds& b = bounds[axes::m];
        if (b.min < 0) {
            return error("FIG_NEGATIVE_SWIZZLE", fmt::format("the tile under the swizzle reaches element {}, and a swizzle of a negative address means nothing", b.min),
                         "use non-negative strides and offsets under a swizzle");
        }
        const int period_bits = compose->per_element + compose->swizzle_len + compose->atom_len;
        if (period_bits > 61) return too_large();
        const std::int64_t period = std::int64_t{1} << period_bits;
        // The swizzle permutes inside whole periods. The inner direction only changes low bits, so that a tile shorter
        // than one period stays below its own power of two; the outer direction may set the highest bit.
        std::int64_t reach = std::int64_t{1} << compose->per_element;
        if (!compose->swizzle_inner && b.max >= reach) reach = period;
        while (reach < period && reach <= b.max) reach *= 2;
        if (b.max >= (std::int64_t{1} << 61)) return too_large();
        b.max = (reach < period ? reach : align_up(b.max + 1, period)) - 1;
    }

    PhysicalSpace space;
    for (const auto& [axis, b] : bounds) {
        const CheckedInt width = checked_sub(b.max, b.min);
        if (!width || *width >= (std::int64_t{1} << 62)) return too_large();
        (down_order(axis) >= 0 ? space.down : space.right).push_back({axis, b.min, *width + 1, 1});
    }
    std::sort(space.down.begin(), space.down.end(),
              [](const SpaceAxis& a, const SpaceAxis& b) { return down_order(a.axis) < down_order(b.axis); });
    // Registers and addresses (m) vary fastest, whatever else runs right.
    std::stable_sort(space.right.begin(), space.right.end(), [](const SpaceAxis& a, const SpaceAxis& b) {
        return (a.axis == axes::m) < (b.axis == axes::m);
    });
    std::int64_t weight = 1;
    for (auto* side : {&space.right, &space.down}) {
        for (auto it = side->rbegin(); it != side->rend(); ++it) {
            it->weight = weight;
            const CheckedInt next = checked_mul(weight, it->extent);
            if (!next || *next > (std::int64_t{1} << 62)) return too_large();
            weight = *next;
        }
        if (side == &space.right) space.row_length = weight;
    }
    space.points = weight;
    if (space.down.empty() && space.right.size() == 1 && space.right.front().axis == axes::m) {
        space.wrapped = true;
        const auto elements_of = [&](std::int64_t bytes) { return std::max<std::int64_t>(1, bytes * 8 / tensor.element_bits()); };
        const bool choose = row_bytes == 0;
        if (choose) row_bytes = 128;
        space.row_length = elements_of(row_bytes);
        const bool keep_bank_lines = tensor.space == MemorySpace::Smem;
        while (choose && !keep_bank_lines && space.rows() > 2 * space.row_length) {
            row_bytes *= 2;
            space.row_length = elements_of(row_bytes);
        }
    }
    return space;
}

Layout linearized(const Layout& layout, const PhysicalSpace& space) {
    std::map<Axis, const SpaceAxis*> place;
    for (const auto* side : {&space.down, &space.right}) {
        for (const SpaceAxis& a : *side) place[a.axis] = &a;
    }
    TileLayout folded;
    for (const auto& [from, to] : {std::pair(&layout.tile().shard, &folded.shard), std::pair(&layout.tile().replica, &folded.replica)}) {
        for (const Iter& iter : *from) to->push_back({iter.extent, iter.stride * Dim(place.at(iter.axis)->weight), axes::m});
    }
    Dim offset = 0;
    for (const auto& [axis, amount] : layout.tile().offset) offset = offset + amount * Dim(place.at(axis)->weight);
    for (const auto& [axis, where] : place) offset = offset - Dim(where->min) * Dim(where->weight);
    if (!offset.is(0)) folded.offset[axes::m] = offset;
    return layout.with_tile(std::move(folded));
}

} // namespace ls::figure
