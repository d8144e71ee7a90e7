// Steps on lists of iters that several operations share.
#include "core/layout/shard.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/layout/symbol.h"

namespace ls {

void drop_units(std::vector<Iter>& shard) {
    if (shard.empty()) return;
    const Axis first = shard.front().axis;
    std::erase_if(shard, [](const Iter& iter) { return iter.extent.is(1); });
    if (shard.empty()) shard.push_back({1, 1, first});
}

void fuse_neighbours(std::vector<Iter>& shard) {
    if (shard.size() < 2) return;
    std::size_t kept = 0;
    for (std::size_t i = 1; i < shard.size(); ++i) {
        Iter& last = shard[kept];
        if (last.axis == shard[i].axis && proves_equal(shard[i].extent * shard[i].stride, last.stride)) {
            last.extent *= shard[i].extent;
            last.stride = shard[i].stride;
        } else if (++kept != i) {
            shard[kept] = std::move(shard[i]);
        }
    }
    shard.resize(kept + 1);
}

bool has_axis(std::span<const Iter> shard, Axis axis) {
    return std::any_of(shard.begin(), shard.end(), [axis](const Iter& iter) { return iter.axis == axis; });
}

bool same_steps(const Iter& a, const Iter& b) {
    return proves_equal(a.extent, b.extent) &&
           (a.extent.is(1) || (a.axis == b.axis && proves_equal(a.stride, b.stride)));
}

std::span<const Iter> dimension(const Grouped& grouped, std::size_t d) {
    const std::size_t begin = grouped.separators[d];
    return std::span(grouped.layout.shard).subspan(begin, grouped.separators[d + 1] - begin);
}

AxisMap sum(const AxisMap& a, const AxisMap& b) {
    AxisMap result = a;
    for (const auto& [axis, amount] : b) result[axis] += amount;
    return result;
}

AxisMap difference(const AxisMap& a, const AxisMap& b) {
    AxisMap result = a;
    for (const auto& [axis, amount] : b) {
        Dim& entry = result[axis];
        entry = entry - amount;
    }
    return result;
}

std::vector<Iter> others(std::span<const Iter> all, std::span<const Iter> known) {
    std::vector<Iter> result;
    for (const Iter& iter : all) {
        if (std::find(known.begin(), known.end(), iter) == known.end()) result.push_back(iter);
    }
    return result;
}

std::vector<Dim> interleave(std::span<const Dim> a, std::span<const Dim> b) {
    std::vector<Dim> result;
    result.reserve(a.size() + b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        result.push_back(a[i]);
        result.push_back(b[i]);
    }
    return result;
}

Result<std::vector<Dim>> divide(std::span<const Dim> a, std::span<const Dim> b) {
    std::vector<Dim> result;
    result.reserve(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (!proves_divisible(a[i], b[i])) {
            return error("LAYOUT_DIVIDE",
                         fmt::format("shape {} is not a multiple of {}: {} does not divide {} in dimension {}",
                                     to_string(a), to_string(b), to_string(b[i]), to_string(a[i]), i));
        }
        result.push_back(floor_div(a[i], b[i]));
    }
    return result;
}

TileLayout working_tile(const Layout& layout, std::span<const Dim> shape) {
    return is_swizzle(layout) ? TileLayout{{{product(shape), 1, axes::m}}, {}, {}} : layout.tile();
}

bool same_swizzle(const ComposeLayout& a, const ComposeLayout& b) {
    return a.per_element == b.per_element && a.swizzle_len == b.swizzle_len && a.atom_len == b.atom_len &&
           a.swizzle_inner == b.swizzle_inner;
}

} // namespace ls
