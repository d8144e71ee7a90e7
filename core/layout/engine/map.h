// A layout compiled for every axis that it names at once, with its replicas: what tables, pictures of several axes, the
// inverse and coverage are built on.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/layout/engine/compiled_layout.h"

namespace ls::engine {

class CompiledMap {
public:
    CompiledMap() = default; ///< the empty tile: one element, at 0 on m

    const Shape& shape() const { return lowered_.shape; }
    std::int64_t elements() const { return lowered_.elements; }
    /// Every axis that the layout names (by a shard iter, a replica iter or an offset), ordered; m when it names none.
    /// A point is one value an axis, in this order.
    std::span<const Axis> axes() const { return axes_; }
    const CompiledLayout& on(std::size_t axis_index) const { return compiled_[axis_index]; }
    /// Empty when the layout does not name `axis`: then all elements are at 0 on it.
    const CompiledLayout* find(Axis axis) const;

    /// Writes the first copy's point, axes().size() values. index in [0, elements()).
    void point(std::int64_t index, std::span<std::int64_t> out) const;

    /// How many copies of each element there are, itself included (product of the replica extents; ≥ 1).
    /// Saturates at INT64_MAX.
    std::int64_t copies() const { return copies_; }
    /// Where the copies lie relative to the first one, before the swizzle: copies() rows of axes().size() values, row 0
    /// all zeros, then in row-major order of the replica iters. ENGINE_LIMIT when there are more than `limit` copies.
    Result<std::vector<std::int64_t>> displacements(std::int64_t limit = 65536) const;
    /// All points of one element: copies() rows of axes().size() values, swizzled. Refusals as displacements.
    Result<std::vector<std::int64_t>> points(std::int64_t index, std::int64_t limit = 65536) const;

    const Lowered& lowered() const { return lowered_; }

private:
    friend CompiledMap compile_map(Lowered lowered);

    Lowered lowered_ = {};
    std::vector<Axis> axes_ = {Axis()};
    std::vector<CompiledLayout> compiled_ = {CompiledLayout()};
    std::int64_t copies_ = 1;
};

/// Refusals: see lower.h.
Result<CompiledMap> compile_map(const Layout& layout, std::span<const std::int64_t> shape);
CompiledMap compile_map(Lowered lowered);

} // namespace ls::engine
