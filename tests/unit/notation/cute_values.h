// Random CuTe layouts for property tests.
#pragma once

#include <random>

#include "core/notation/cute_layout.h"

namespace ls::cute::testing {

inline Tree random_shape(std::mt19937& rng, int depth, std::int64_t& budget) {
    if (depth == 0 || rng() % 3 == 0) {
        const std::int64_t extent = std::min<std::int64_t>(budget, 1 + static_cast<std::int64_t>(rng() % 6));
        budget /= extent;
        return Tree::number(extent);
    }
    std::vector<Tree> items;
    for (auto n = 1 + rng() % 3; n > 0; --n) items.push_back(random_shape(rng, depth - 1, budget));
    return Tree::tuple(std::move(items));
}

inline Tree random_stride(const Tree& shape, std::mt19937& rng, bool negative) {
    if (shape.is_leaf) {
        const auto value = static_cast<std::int64_t>(rng() % 40);
        return Tree::number(negative && rng() % 5 == 0 ? -value : value);
    }
    std::vector<Tree> items;
    for (const Tree& item : shape.items) items.push_back(random_stride(item, rng, negative));
    return Tree::tuple(std::move(items));
}

/// Any layout of at most `elements` elements; strides 0 to 39, some negative when wanted.
inline CuteLayout random_layout(std::mt19937& rng, std::int64_t elements = 200, bool negative = true) {
    CuteLayout out;
    out.shape = random_shape(rng, 3, elements);
    out.stride = random_stride(out.shape, rng, negative);
    return out;
}

/// Strides of some permutation of the leaves: compact, hence injective.
inline CuteLayout random_compact(std::mt19937& rng, std::int64_t elements = 200) {
    CuteLayout out;
    out.shape = random_shape(rng, 2, elements);
    std::vector<Tree*> leaves;
    out.stride = out.shape;
    const auto collect = [&](auto&& self, Tree& tree) -> void {
        if (tree.is_leaf) leaves.push_back(&tree);
        for (Tree& item : tree.items) self(self, item);
    };
    collect(collect, out.stride);
    std::shuffle(leaves.begin(), leaves.end(), rng);
    std::int64_t next = 1;
    for (Tree* leaf : leaves) {
        const std::int64_t extent = leaf->leaf.value;
        leaf->leaf.value = next;
        next *= extent;
    }
    return out;
}

} // namespace ls::cute::testing
