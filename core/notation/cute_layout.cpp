#include "core/notation/cute_layout.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "core/support/checked.h"

namespace ls::cute {

namespace {

/// Calls f on every leaf of the shape with its stride leaf. Only for congruent trees.
template <class F>
void for_each_leaf(const Tree& shape, const Tree& stride, F&& f) {
    if (shape.is_leaf) {
        f(shape.leaf, stride.leaf);
        return;
    }
    for (std::size_t i = 0; i < shape.items.size(); ++i) for_each_leaf(shape.items[i], stride.items[i], f);
}

template <class F>
void for_each_leaf(const Tree& tree, F&& f) {
    for_each_leaf(tree, tree, [&](const Leaf& leaf, const Leaf&) { f(leaf); });
}

Tree map_leaves(const Tree& tree, const std::vector<Leaf>& leaves, std::size_t& next) {
    if (tree.is_leaf) {
        Tree out;
        out.leaf = leaves[next++];
        return out;
    }
    std::vector<Tree> items;
    items.reserve(tree.items.size());
    for (const Tree& item : tree.items) items.push_back(map_leaves(item, leaves, next));
    return Tree::tuple(std::move(items));
}

/// Prefix products of the leaves, from the first or from the last.
Tree compact_strides(const Tree& shape, bool from_left) {
    std::vector<Leaf> leaves;
    for_each_leaf(shape, [&](const Leaf& leaf) { leaves.push_back(leaf); });
    std::vector<Leaf> strides(leaves.size());
    Leaf current{1, true, false, 32, 1, {}};
    for (std::size_t k = 0; k < leaves.size(); ++k) {
        const std::size_t i = from_left ? k : leaves.size() - 1 - k;
        const Leaf& extent = leaves[i];
        if (extent.is_static && extent.value == 1) {
            strides[i] = {0, true, false, 32, 1, {}};
            continue;
        }
        strides[i] = current;
        current.is_static = current.is_static && extent.is_static;
        current.unknown = current.unknown || extent.unknown;
        current.value = checked_mul(current.value, extent.value).value_or(INT64_MAX); // check() refuses such a shape
    }
    std::size_t next = 0;
    return map_leaves(shape, strides, next);
}

void set_static(Tree& tree, bool is_static) {
    if (tree.is_leaf) tree.leaf.is_static = is_static;
    for (Tree& item : tree.items) set_static(item, is_static);
}

} // namespace

Tree Tree::number(std::int64_t value, bool is_static) {
    Tree tree;
    tree.leaf.value = value;
    tree.leaf.is_static = is_static;
    return tree;
}

Tree Tree::tuple(std::vector<Tree> items) {
    Tree tree;
    tree.is_leaf = false;
    tree.items = std::move(items);
    return tree;
}

bool congruent(const Tree& a, const Tree& b) {
    if (a.is_leaf != b.is_leaf || a.items.size() != b.items.size()) return false;
    for (std::size_t i = 0; i < a.items.size(); ++i) {
        if (!congruent(a.items[i], b.items[i])) return false;
    }
    return true;
}

Status check(const CuteLayout& layout) {
    if (!congruent(layout.shape, layout.stride)) {
        return error("CUTE_CONGRUENT", "shape and stride are not nested alike",
                     "write one stride for each extent, with the same parentheses");
    }
    CheckedInt product = 1;
    CheckedInt reach = 0;
    std::optional<std::int64_t> bad_extent;
    for_each_leaf(layout.shape, layout.stride, [&](const Leaf& extent, const Leaf& stride) {
        if (extent.unknown) return;
        if (extent.value < 1 && !bad_extent) bad_extent = extent.value;
        if (product) product = checked_mul(*product, extent.value);
        if (stride.unknown) return;
        if (stride.value == INT64_MIN) {
            reach.reset();
            return;
        }
        const CheckedInt step = checked_mul(extent.value - 1, std::abs(stride.value));
        reach = reach && step ? checked_add(*reach, *step) : CheckedInt{};
    });
    if (bad_extent) return error("CUTE_EXTENT", fmt::format("an extent is {}, but must be at least 1", *bad_extent));
    if (!product) return error("CUTE_OVERFLOW", "the layout holds more than 2^63 elements");
    if (!reach || *reach == INT64_MAX) return error("CUTE_OVERFLOW", "the values of the layout do not fit 64 bits");
    return ok_status();
}

bool has_unknown(const CuteLayout& layout) {
    bool found = false;
    for_each_leaf(layout.shape, layout.stride,
                  [&](const Leaf& a, const Leaf& b) { found = found || a.unknown || b.unknown; });
    return found;
}

bool has_basis(const CuteLayout& layout) {
    bool found = false;
    for_each_leaf(layout.stride, [&](const Leaf& leaf) { found = found || !leaf.basis.empty(); });
    return found;
}

std::size_t rank(const Tree& tree) { return tree.is_leaf ? 1 : tree.items.size(); }

std::size_t depth(const Tree& tree) {
    if (tree.is_leaf) return 0;
    std::size_t deepest = 0;
    for (const Tree& item : tree.items) deepest = std::max(deepest, depth(item));
    return deepest + 1;
}

std::int64_t size(const Tree& shape) {
    std::int64_t product = 1;
    for_each_leaf(shape, [&](const Leaf& leaf) { product *= leaf.value; });
    return product;
}

std::int64_t size(const CuteLayout& layout) { return size(layout.shape); }

std::int64_t cosize(const CuteLayout& layout) {
    std::int64_t reach = 1;
    for (const Flat& f : flatten(layout)) reach += (f.size - 1) * std::abs(f.stride);
    return reach;
}

std::int64_t cosize_pycute(const CuteLayout& layout) {
    std::int64_t last = 1;
    for (const Flat& f : flatten(layout)) last += (f.size - 1) * f.stride;
    return last;
}

std::int64_t min_offset(const CuteLayout& layout) {
    std::int64_t lowest = 0;
    for (const Flat& f : flatten(layout)) lowest += (f.size - 1) * std::min<std::int64_t>(f.stride, 0);
    return lowest;
}

CuteLayout mode(const CuteLayout& layout, std::size_t i) {
    if (layout.shape.is_leaf) return layout;
    return {layout.shape.items[i], layout.stride.items[i]};
}

CuteLayout join(std::span<const CuteLayout> modes) {
    std::vector<Tree> shapes, strides;
    for (const CuteLayout& m : modes) {
        shapes.push_back(m.shape);
        strides.push_back(m.stride);
    }
    return {Tree::tuple(std::move(shapes)), Tree::tuple(std::move(strides))};
}

std::vector<Flat> flatten(const CuteLayout& layout) {
    std::vector<Flat> out;
    for_each_leaf(layout.shape, layout.stride, [&](const Leaf& extent, const Leaf& stride) {
        out.push_back({extent.value, stride.value});
    });
    return out;
}

CuteLayout make_leaf(std::int64_t size, std::int64_t stride) { return {Tree::number(size), Tree::number(stride)}; }

CuteLayout from_flat(std::span<const Flat> leaves) {
    if (leaves.empty()) return make_leaf(1, 0);
    if (leaves.size() == 1) return make_leaf(leaves[0].size, leaves[0].stride);
    std::vector<CuteLayout> modes;
    for (const Flat& f : leaves) modes.push_back(make_leaf(f.size, f.stride));
    return join(modes);
}

bool all_static(const CuteLayout& layout) {
    bool all = true;
    for_each_leaf(layout.shape, layout.stride,
                  [&](const Leaf& a, const Leaf& b) { all = all && a.is_static && b.is_static; });
    return all;
}

CuteLayout mark_static(CuteLayout layout, bool is_static) {
    set_static(layout.shape, is_static);
    set_static(layout.stride, is_static);
    return layout;
}

Tree layout_left(const Tree& shape) { return compact_strides(shape, true); }
Tree layout_right(const Tree& shape) { return compact_strides(shape, false); }

} // namespace ls::cute
