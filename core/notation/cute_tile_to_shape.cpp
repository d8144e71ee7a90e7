#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "core/notation/cute_algebra_internal.h"
#include "core/notation/cute_text.h"

namespace ls::cute {

namespace {

/// Compact strides of the grid of blocks, filled in the order of `step`. Modes of one block get stride 0.
Result<CuteLayout> ordered_grid(const std::vector<std::int64_t>& grid, std::span<const std::int64_t> step) {
    std::vector<std::size_t> order(grid.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (!step.empty())
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return step[a] < step[b]; });
    std::vector<std::int64_t> strides(grid.size(), 0);
    std::int64_t current = 1;
    for (const std::size_t k : order) {
        if (grid[k] == 1) continue;
        strides[k] = current;
        LS_TRY(current, times(current, grid[k]));
    }
    std::vector<CuteLayout> modes;
    for (std::size_t k = 0; k < grid.size(); ++k) modes.push_back(make_leaf(grid[k], strides[k]));
    return join(modes);
}

} // namespace

Result<CuteLayout> tile_to_shape(const CuteLayout& block, std::span<const std::int64_t> shape,
                                 std::span<const std::int64_t> step) {
    LS_CHECK(check_plain({&block}));
    if (shape.size() < rank(block.shape)) {
        return error("CUTE_RANK", fmt::format("the block {} has {} modes, the shape {}", print(block),
                                              rank(block.shape), shape.size()));
    }
    if (!step.empty() && step.size() != shape.size()) {
        return error("CUTE_STEP", fmt::format("the step has {} numbers for {} modes", step.size(), shape.size()),
                     "give each mode its place, e.g. Step<2,1,3>");
    }
    std::vector<std::int64_t> grid;
    for (std::size_t k = 0; k < shape.size(); ++k) {
        const std::int64_t extent = k < rank(block.shape) ? size(mode(block, k)) : 1;
        if (shape[k] < 1 || shape[k] % extent != 0) {
            return error("CUTE_TILE",
                         fmt::format("mode {}: {} is not a multiple of the block's {}", k, shape[k], extent),
                         "pad the shape to whole blocks");
        }
        grid.push_back(shape[k] / extent);
    }
    LS_TRY(const CuteLayout copies, ordered_grid(grid, step));
    LS_TRY(CuteLayout out, blocked_product(block, copies));
    return finished(std::move(out), {&block});
}

Result<Composed> tile_to_shape(const Composed& block, std::span<const std::int64_t> shape,
                               std::span<const std::int64_t> step) {
    Composed out = block;
    LS_TRY(out.layout, tile_to_shape(block.layout, shape, step));
    return out;
}

} // namespace ls::cute
