// Reordering iters, changing the element width, repeating, and keeping only what lies in memory (spec/tirx.md 3.8).
#include <algorithm>

#include <fmt/format.h>

#include "core/layout/operations.h"
#include "core/layout/refusal.h"

namespace ls {

namespace {

std::string numbers(std::span<const std::size_t> list) { return fmt::format("({})", fmt::join(list, ", ")); }

Status check_permutation(std::span<const std::size_t> permutation, std::size_t count, std::string_view what) {
    std::vector<bool> seen(count, false);
    bool valid = permutation.size() == count;
    for (const std::size_t p : permutation) {
        valid = valid && p < count && !seen[p];
        if (p < count) seen[p] = true;
    }
    if (valid) return ok_status();
    return error("LAYOUT_PERMUTATION",
                 fmt::format("{} is not a permutation of {} {}", numbers(permutation), count, what),
                 fmt::format("name each of 0 to {} once", count == 0 ? 0 : count - 1));
}

/// M of a swizzle whose elements became `factor` times wider (sign -1) or narrower (+1).
Result<ComposeLayout> rescale(const ComposeLayout& compose, std::int64_t factor, int sign) {
    if (!is_power_of_two(factor)) {
        return error("LAYOUT_PACK", fmt::format("a swizzle cannot be regrouped by {} elements", factor),
                     "use a power of two");
    }
    ComposeLayout scaled = compose;
    scaled.per_element += sign * log2_exact(factor);
    if (scaled.per_element < 0) {
        return error("LAYOUT_PACK", fmt::format("{} elements do not fit in one of 2^{} that the swizzle moves together",
                                                factor, compose.per_element));
    }
    return scaled;
}

} // namespace

Result<Layout> permute_dims(const Layout& layout, std::span<const std::size_t> permutation) {
    const TileLayout& tile = layout.tile();
    LS_CHECK(check_permutation(permutation, tile.shard.size(), "shard iters"));
    TileLayout result{{}, tile.replica, tile.offset};
    result.shard.reserve(tile.shard.size());
    for (const std::size_t p : permutation) result.shard.push_back(tile.shard[p]);
    return layout.with_tile(std::move(result));
}

Result<Layout> permute_by_groups(const Layout& layout, std::span<const std::size_t> separators,
                                 std::span<const std::size_t> permutation) {
    const TileLayout& tile = layout.tile();
    const bool covers = !separators.empty() && separators.front() == 0 && separators.back() == tile.shard.size() &&
                        std::is_sorted(separators.begin(), separators.end());
    if (!covers) {
        return error(
            "LAYOUT_SEPARATORS",
            fmt::format("separators {} do not cut {} shard iters into groups", numbers(separators), tile.shard.size()),
            "start at 0, end at the number of iters, and never step back");
    }
    LS_CHECK(check_permutation(permutation, separators.size() - 1, "groups"));
    TileLayout result{{}, tile.replica, tile.offset};
    for (const std::size_t p : permutation) {
        const auto begin = tile.shard.begin();
        result.shard.insert(result.shard.end(), begin + static_cast<std::ptrdiff_t>(separators[p]),
                            begin + static_cast<std::ptrdiff_t>(separators[p + 1]));
    }
    return layout.with_tile(std::move(result));
}

Result<Layout> unpack(const Layout& layout, std::int64_t factor) {
    if (factor < 1) return error("LAYOUT_UNPACK", fmt::format("cannot unpack by {}", factor), "use 1 or more");
    TileLayout tile = layout.tile();
    for (Iter& iter : tile.shard) iter.stride *= Dim(factor);
    tile.shard.push_back({factor, 1, axes::m});
    const ComposeLayout* compose = layout.compose();
    if (compose == nullptr) return finish(std::move(tile));
    LS_TRY(ComposeLayout scaled, rescale(*compose, factor, +1));
    scaled.tile = std::move(tile);
    return make_layout(std::move(scaled));
}

Result<Layout> pack(const Layout& layout, std::int64_t factor) {
    TileLayout tile = layout.tile();
    const bool fits = factor >= 1 && !tile.shard.empty() && tile.shard.back().stride.is(1) &&
                      tile.shard.back().axis.is_memory() && proves_divisible(tile.shard.back().extent, factor);
    if (!fits) {
        return error("LAYOUT_PACK",
                     fmt::format("layout {} can not be packed into {} elements", to_string(layout), factor),
                     "the last iter must lie in memory with stride 1 and a multiple of that extent");
    }
    for (Iter& iter : tile.shard) iter.stride = floor_div(iter.stride, factor);
    tile.shard.back().stride = 1;
    tile.shard.back().extent = floor_div(tile.shard.back().extent, factor);
    const ComposeLayout* compose = layout.compose();
    if (compose == nullptr) return finish(std::move(tile));
    LS_TRY(ComposeLayout scaled, rescale(*compose, factor, -1));
    scaled.tile = std::move(tile);
    return make_layout(std::move(scaled));
}

Result<Layout> broadcast(const Layout& layout, const Dim& extent, std::size_t position, Axis axis) {
    TileLayout tile = layout.tile();
    if (position > tile.shard.size()) {
        return error("LAYOUT_POSITION",
                     fmt::format("position {} lies behind {} shard iters", position, tile.shard.size()));
    }
    if (extent.is_constant() && extent.value() < 1) {
        return error("LAYOUT_EXTENT", fmt::format("cannot broadcast to {} copies", extent.value()), "use 1 or more");
    }
    tile.shard.insert(tile.shard.begin() + static_cast<std::ptrdiff_t>(position), Iter{extent, 0, axis});
    return finish(layout.with_tile(std::move(tile)));
}

Layout storage(const Layout& layout) {
    TileLayout kept;
    const TileLayout& tile = layout.tile();
    for (const Iter& iter : tile.shard) {
        if (iter.axis.is_memory()) kept.shard.push_back(iter);
    }
    for (const Iter& iter : tile.replica) {
        if (iter.axis.is_memory()) kept.replica.push_back(iter);
    }
    for (const auto& [axis, amount] : tile.offset) {
        if (axis.is_memory()) kept.offset.emplace(axis, amount);
    }
    return layout.with_tile(std::move(kept));
}

} // namespace ls
