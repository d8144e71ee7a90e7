// Where two layouts of one shape put an element in different places.
#pragma once

#include <cstdint>
#include <optional>

#include "core/layout/engine/map.h"
#include "core/layout/engine/watch.h"

namespace ls::engine {

struct Difference {
    std::int64_t element = 0; ///< row-major index of the first element that lies elsewhere
    Shape coordinate;
    Axis axis;             ///< first axis on which it does
    std::int64_t left = 0; ///< its values there
    std::int64_t right = 0;
    bool operator==(const Difference&) const = default;
};

struct Comparison {
    std::optional<Difference> first; ///< empty: every element lies in the same place
    std::int64_t differing = 0;      ///< elements that lie elsewhere on some axis
    bool equal() const { return !first.has_value(); }
};

struct CompareOptions {
    bool count = true; ///< false: stop at the first difference; `differing` is then 1 at least
    const Watch* watch = nullptr;
};

/// First copies only. Layouts with the same swizzle are compared by their iters, whatever the size; others element by
/// element (about a nanosecond each). ENGINE_SHAPES when the shapes differ.
Result<Comparison> compare(const CompiledLayout& left, const CompiledLayout& right, const CompareOptions& options = {});
/// On all axes that either names; an element is at 0 on an axis that its layout does not name.
Result<Comparison> compare(const CompiledMap& left, const CompiledMap& right, const CompareOptions& options = {});

} // namespace ls::engine
