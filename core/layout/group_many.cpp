// The coarsest split of a shard that every one of several shapes can be read from (spec/tirx.md 3.4).
//
//     shape (4, 6)      1 ── 4 ─────── 24          boundaries are cumulative products;
//     shape (2, 12)     1 ─ 2 ──────── 24          the common list keeps each value as often as the list that has it
//     common            1 ─ 2 ─ 4 ──── 24          most often (unit dimensions repeat a boundary)
#include <algorithm>

#include <fmt/format.h>

#include "core/layout/operations.h"
#include "core/layout/refusal.h"
#include "core/layout/symbol.h"

namespace ls {

namespace {

using Boundaries = std::vector<Dim>;

Boundaries boundaries_of(std::span<const Dim> extents) {
    Boundaries result{1};
    result.reserve(extents.size() + 1);
    for (const Dim& extent : extents) result.push_back(result.back() * extent);
    return result;
}

struct Boundary {
    Dim value;
    std::size_t multiplicity = 0;
    std::size_t start = 0; ///< its first slot in the common list
};

/// Counts how often each value occurs in `list` and keeps the maximum.
void merge_into(std::vector<Boundary>& common, const Boundaries& list) {
    std::vector<std::size_t> counts(common.size(), 0);
    for (const Dim& value : list) {
        std::size_t at = 0;
        while (at < common.size() && !proves_equal(common[at].value, value)) ++at;
        if (at == common.size()) {
            common.push_back({value, 0, 0});
            counts.push_back(0);
        }
        common[at].multiplicity = std::max(common[at].multiplicity, ++counts[at]);
    }
}

/// Sorts by proven order; refuses a pair of which neither is provably smaller.
Status sort_by_value(std::vector<Boundary>& common) {
    for (std::size_t i = 1; i < common.size(); ++i) {
        for (std::size_t j = i; j > 0; --j) {
            if (proves_less(common[j - 1].value, common[j].value)) break;
            if (!proves_less(common[j].value, common[j - 1].value)) {
                return error("LAYOUT_GROUP_ORDER",
                             fmt::format("cannot prove the order or equality of the cumulative boundaries {} and {}",
                                         to_string(common[j - 1].value), to_string(common[j].value)),
                             "give the symbols bounds, or use shapes whose boundaries are multiples of each other");
            }
            std::swap(common[j - 1], common[j]);
        }
    }
    return ok_status();
}

/// Slots of the boundaries of one list: the first takes the first slot of its value, the last the last one.
std::vector<std::size_t> positions(const Boundaries& list, const std::vector<Boundary>& common) {
    std::vector<std::size_t> seen(common.size(), 0);
    std::vector<std::size_t> result;
    result.reserve(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
        std::size_t at = 0;
        while (!proves_equal(common[at].value, list[i])) ++at;
        const Boundary& boundary = common[at];
        const std::size_t occurrence = seen[at]++;
        const bool last = i + 1 == list.size();
        result.push_back(boundary.start + (last ? boundary.multiplicity - 1 : i == 0 ? 0 : occurrence));
    }
    return result;
}

} // namespace

Result<GroupedMany> group_many(const TileLayout& layout, std::span<const std::vector<Dim>> shapes) {
    LS_CHECK(refuse_overflow(layout));
    if (shapes.empty()) return error("LAYOUT_GROUP_EMPTY", "no shape was given to group by", "give one shape or more");
    for (const auto& shape : shapes) {
        if (shape.empty()) return error("LAYOUT_GROUP_EMPTY", "a shape without dimensions cannot be grouped by");
        LS_CHECK(refuse_shape(shape));
    }
    std::vector<Dim> extents;
    for (const Iter& iter : layout.shard) extents.push_back(iter.extent);
    std::vector<Boundaries> lists{boundaries_of(extents)};
    for (const auto& shape : shapes) lists.push_back(boundaries_of(shape));

    const Dim& total = lists.front().back();
    for (std::size_t i = 1; i < lists.size(); ++i) {
        if (!proves_equal(lists[i].back(), total)) {
            return error("LAYOUT_GROUP_TOTAL",
                         fmt::format("shape {} has {} elements and the layout has {}; all need equal total products",
                                     to_string(shapes[i - 1]), to_string(lists[i].back()), to_string(total)));
        }
    }
    std::vector<Boundary> common;
    for (const Boundaries& list : lists) merge_into(common, list);
    LS_CHECK(sort_by_value(common));

    Boundaries slots;
    for (Boundary& boundary : common) {
        boundary.start = slots.size();
        slots.insert(slots.end(), boundary.multiplicity, boundary.value);
    }
    std::vector<Dim> ratios;
    for (std::size_t i = 1; i < slots.size(); ++i) {
        auto ratio = exact_quotient(slots[i], slots[i - 1]);
        if (!ratio) {
            return error("LAYOUT_GROUP_BOUNDARIES",
                         fmt::format("the shapes have incompatible cumulative boundaries: {} does not divide {}",
                                     to_string(slots[i - 1]), to_string(slots[i])),
                         "the products of leading extents must divide each other across all shapes and the layout");
        }
        ratios.push_back(std::move(*ratio));
    }

    GroupedMany result;
    result.layout.replica = layout.replica;
    result.layout.offset = layout.offset;
    const std::vector<std::size_t> shard_slots = positions(lists.front(), common);
    if (shard_slots.front() != 0) {
        return error("LAYOUT_GROUP_EMPTY", "a layout without iters cannot be grouped by a shape with dimensions");
    }
    for (std::size_t i = 0; i < layout.shard.size(); ++i) {
        const std::size_t end = shard_slots[i + 1];
        for (std::size_t j = shard_slots[i]; j < end; ++j) {
            const auto inner = exact_quotient(slots[end], slots[j + 1]);
            if (!inner) return error("LAYOUT_GROUP_BOUNDARIES", "the shapes have incompatible cumulative boundaries");
            result.layout.shard.push_back({ratios[j], layout.shard[i].stride * *inner, layout.shard[i].axis});
        }
    }
    for (std::size_t i = 1; i < lists.size(); ++i) {
        result.separators.push_back(positions(lists[i], common));
    }
    LS_CHECK(refuse_overflow(result.layout));
    return result;
}

} // namespace ls
