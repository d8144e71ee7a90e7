// Shared by the tests of the layout algebra: short ways to write layouts, walks over coordinates, generated layouts.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/layout/operations.h"
#include "core/layout/symbol.h"

namespace ls {

// What a failed expectation prints.
inline void PrintTo(const Dim& dim, std::ostream* out) { *out << to_string(dim); }
inline void PrintTo(const TileLayout& tile, std::ostream* out) { *out << to_string(Layout(tile)); }
inline void PrintTo(const Layout& layout, std::ostream* out) { *out << to_string(layout); }
inline void PrintTo(const AxisMap& map, std::ostream* out) {
    for (const auto& [axis, amount] : map) *out << axis.name() << ": " << to_string(amount) << "  ";
}

namespace testing_layout {

using Ints = std::vector<std::int64_t>;

inline Iter iter(Dim extent, Dim stride, Axis axis = axes::m) { return {std::move(extent), std::move(stride), axis}; }
inline TileLayout shard(std::initializer_list<Iter> iters) { return {std::vector<Iter>(iters), {}, {}}; }
inline std::vector<Dim> dims(std::initializer_list<Dim> list) { return {list}; }
inline std::vector<Dim> dims(const Ints& list) { return {list.begin(), list.end()}; }
inline Layout swizzled(int m, int b, int s, TileLayout tile, bool inner = true) {
    return ComposeLayout{m, b, s, std::move(tile), inner};
}

/// Calls f(coordinate) for every coordinate of `shape`, row-major.
template <class F>
void each_coordinate(const Ints& shape, F f) {
    Ints x(shape.size(), 0);
    for (;;) {
        f(x);
        std::size_t d = shape.size();
        while (d > 0 && ++x[d - 1] == shape[d - 1]) x[--d] = 0;
        if (d == 0) return;
    }
}

using Point = std::map<std::string, std::int64_t>;

/// Axes at which the amount is 0 are left out: whether an axis is named is asked where it matters.
inline Point point(const AxisMap& map) {
    Point result;
    for (const auto& [axis, amount] : map) {
        if (!amount.is(0)) result[std::string(axis.name())] = amount.value();
    }
    return result;
}

/// The definition, written out: digits of x over the shard, then the sum of digit · stride, then the offset.
inline Point reference_point(const TileLayout& tile, std::int64_t x) {
    Point result;
    for (std::size_t i = tile.shard.size(); i-- > 0;) {
        const std::int64_t e = tile.shard[i].extent.value();
        const std::int64_t digit = i == 0 ? x : x % e;
        x /= e;
        result[std::string(tile.shard[i].axis.name())] += digit * tile.shard[i].stride.value();
    }
    for (const auto& [axis, amount] : tile.offset) result[std::string(axis.name())] += amount.value();
    std::erase_if(result, [](const auto& entry) { return entry.second == 0; });
    return result;
}

inline std::int64_t product(const Ints& list) {
    std::int64_t result = 1;
    for (const std::int64_t v : list) result *= v;
    return result;
}

inline std::int64_t flatten(const Ints& x, const Ints& shape) {
    std::int64_t linear = 0;
    for (std::size_t i = 0; i < shape.size(); ++i) linear = linear * shape[i] + x[i];
    return linear;
}

/// Layouts and shapes that fit each other, from a fixed seed.
class Generator {
public:
    explicit Generator(std::uint64_t seed) : random_(seed) {}

    std::int64_t number(std::int64_t lo, std::int64_t hi) {
        return lo + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(hi - lo + 1));
    }
    bool chance(int percent) { return number(1, 100) <= percent; }
    template <class T>
    const T& pick(const std::vector<T>& list) {
        return list[static_cast<std::size_t>(number(0, static_cast<std::int64_t>(list.size()) - 1))];
    }

    Ints extents(int most = 4) {
        Ints result(static_cast<std::size_t>(number(1, most)));
        for (std::int64_t& e : result) e = pick<std::int64_t>({1, 2, 2, 3, 4, 4, 5, 8});
        return result;
    }

    /// Iters over `extents`, some compact, some with any strides, on memory axes or with threads.
    TileLayout tile(const Ints& extents, const std::vector<Axis>& on = {axes::m, axes::laneid, axes::warpid}) {
        TileLayout result;
        const bool compact = chance(50);
        std::int64_t stride = 1;
        for (std::size_t i = extents.size(); i-- > 0;) {
            result.shard.insert(result.shard.begin(), Iter{extents[i], compact ? stride : number(0, 40), pick(on)});
            stride *= extents[i];
        }
        if (chance(30)) result.replica.push_back({number(2, 4), number(1, 64), pick(on)});
        if (chance(30)) result.offset[pick(on)] = number(0, 9);
        return result;
    }

    /// A shape by which a shard of `extents` can be grouped: its extents with some neighbours merged and 1s between.
    Ints grouping(const Ints& extents) {
        Ints result;
        std::int64_t pending = 1;
        for (const std::int64_t e : extents) {
            pending *= e;
            if (chance(60)) {
                result.push_back(pending);
                pending = 1;
                if (chance(15)) result.push_back(1);
            }
        }
        if (pending != 1 || result.empty()) result.push_back(pending);
        return result;
    }

private:
    std::mt19937_64 random_;
};

/// A coordinate's value of a symbolic answer.
inline std::int64_t value_at(const Dim& dim, const std::map<std::string, std::int64_t, std::less<>>& values) {
    const auto result = evaluate(dim, [&values](std::string_view name) -> std::optional<std::int64_t> {
        const auto found = values.find(name);
        return found == values.end() ? std::nullopt : std::optional(found->second);
    });
    EXPECT_TRUE(result.has_value()) << to_string(dim);
    return result.value_or(-1);
}

} // namespace testing_layout
} // namespace ls
