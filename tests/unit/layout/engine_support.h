// Layouts to try the engine on, and the slow evaluator that it is measured against.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "core/layout/layout.h"
#include "core/layout/operations.h"

namespace ls::engine_test {

struct Case {
    Layout layout;
    Shape shape;
};

inline std::vector<Dim> dims(const Shape& values) { return {values.begin(), values.end()}; }

inline Shape unravel(std::int64_t index, const Shape& shape) {
    Shape out(shape.size(), 0);
    for (std::size_t d = shape.size(); d-- > 0;) {
        out[d] = index % shape[d];
        index /= shape[d];
    }
    return out;
}

inline std::int64_t product(const Shape& shape) {
    std::int64_t out = 1;
    for (const std::int64_t extent : shape) out *= extent;
    return out;
}

/// The algebra's own answer, one coordinate at a time.
inline std::int64_t reference(const Case& c, std::int64_t index, Axis axis = {}) {
    const Result<AxisMap> map = apply(c.layout, dims(unravel(index, c.shape)), dims(c.shape));
    return map.value().get(axis).value();
}

inline std::vector<std::int64_t> reference_all(const Case& c, Axis axis = {}) {
    std::vector<std::int64_t> out;
    for (std::int64_t i = 0; i < product(c.shape); ++i) out.push_back(reference(c, i, axis));
    return out;
}

inline std::string describe(const Case& c) {
    std::string out = c.layout.is_compose() ? "compose(" + std::to_string(c.layout.compose()->per_element) + "," +
                                                  std::to_string(c.layout.compose()->swizzle_len) + "," +
                                                  std::to_string(c.layout.compose()->atom_len) +
                                                  (c.layout.compose()->swizzle_inner ? ") " : ",outer) ")
                                            : std::string();
    const auto iters = [&](const char* name, const std::vector<Iter>& list) {
        out += std::string(name) + "[";
        for (const Iter& iter : list) {
            out += to_string(iter.extent) + ":" + to_string(iter.stride) + "@" + std::string(iter.axis.name()) + " ";
        }
        out += "] ";
    };
    iters("S", c.layout.tile().shard);
    iters("R", c.layout.tile().replica);
    for (const auto& [axis, amount] : c.layout.tile().offset)
        out += "+" + to_string(amount) + "@" + std::string(axis.name()) + " ";
    out += "through (";
    for (const std::int64_t extent : c.shape) out += std::to_string(extent) + " ";
    return out + ")";
}

/// Generates layouts of every kind, always the same ones for a seed.
class Generator {
public:
    explicit Generator(std::uint64_t seed) : random_(seed) {}

    std::int64_t below(std::int64_t bound) {
        return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(bound));
    }
    std::int64_t between(std::int64_t low, std::int64_t high) { return low + below(high - low + 1); }
    bool chance(int percent) { return below(100) < percent; }

    struct Kind {
        bool several_axes = true;
        bool replicas = true;
        bool swizzles = true;
        bool any_strides = true;      ///< zero, negative and overlapping; otherwise a padded permutation
        bool mismatched_shape = true; ///< shapes with more or fewer elements than the layout
        std::int64_t most_elements = 1500;
    };

    Case next(const Kind& kind) {
        Case c;
        TileLayout tile;
        const bool swizzled = kind.swizzles && chance(40);
        const bool many = kind.several_axes && !swizzled && chance(50);
        std::int64_t size = 1;
        for (std::int64_t left = between(0, 6); left > 0; --left) {
            const std::int64_t extent = pick({1, 2, 2, 3, 4, 4, 5, 7, 8, 16});
            if (size * extent > kind.most_elements) continue;
            size *= extent;
            tile.shard.push_back({extent, 0, many ? pick_axis() : axes::m});
        }
        set_strides(tile, kind.any_strides && chance(60), swizzled && chance(85));
        for (std::int64_t left = kind.replicas && chance(40) ? between(1, 2) : 0; left > 0; --left) {
            tile.replica.push_back(
                {between(1, 4), swizzled ? below(40) : between(-20, 60), many ? pick_axis() : axes::m});
        }
        if (chance(50)) tile.offset[many ? pick_axis() : axes::m] = swizzled ? between(0, 100) : between(-50, 100);
        c.shape = kind.mismatched_shape && chance(20) ? Shape{between(1, 12), between(1, 40)} : shape_of(size);
        if (swizzled) {
            ComposeLayout compose;
            compose.per_element = static_cast<int>(between(0, 3));
            compose.swizzle_len = static_cast<int>(between(0, 3));
            compose.atom_len = static_cast<int>(between(compose.swizzle_len, 4));
            compose.swizzle_inner = chance(65);
            compose.tile = std::move(tile);
            c.layout = Layout(std::move(compose));
        } else {
            c.layout = Layout(std::move(tile));
        }
        return c;
    }

    std::int64_t pick(std::initializer_list<std::int64_t> from) {
        return from.begin()[below(static_cast<std::int64_t>(from.size()))];
    }
    Axis pick_axis() {
        switch (below(4)) {
        case 0: return axes::laneid;
        case 1: return axes::TCol;
        case 2: return axes::warpid;
        default: return axes::m;
        }
    }

    /// Extents that multiply to `size`: any factors in any order, so that some cannot be grouped.
    Shape shape_of(std::int64_t size) {
        Shape shape;
        std::int64_t rest = size;
        while (rest > 1 && shape.size() < 3 && chance(70)) {
            std::vector<std::int64_t> factors;
            for (std::int64_t f = 1; f <= rest; ++f) {
                if (rest % f == 0) factors.push_back(f);
            }
            const std::int64_t factor =
                factors[static_cast<std::size_t>(below(static_cast<std::int64_t>(factors.size())))];
            shape.push_back(factor);
            rest /= factor;
        }
        shape.push_back(rest);
        if (chance(10)) shape.insert(shape.begin() + below(static_cast<std::int64_t>(shape.size()) + 1), 1);
        return shape;
    }

private:
    void set_strides(TileLayout& tile, bool any, bool not_negative) {
        std::vector<Iter*> order;
        for (Iter& iter : tile.shard) order.push_back(&iter);
        std::shuffle(order.begin(), order.end(), random_);
        std::int64_t reach = 1;
        for (Iter* iter : order) {
            if (any && chance(40)) {
                iter->stride = not_negative ? between(0, 40) : between(-40, 40);
                continue;
            }
            iter->stride = reach * (!not_negative && chance(15) ? -1 : 1);
            reach = reach * iter->extent.value() + (chance(20) ? between(1, 5) : 0);
        }
    }

    std::mt19937_64 random_;
};

} // namespace ls::engine_test
