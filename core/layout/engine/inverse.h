// From a place in physical space back to the elements that live there: none (a hole), one, or several.
//
// Digits of different axes never meet, so a point is decoded one axis after the other. On one axis the iters are sorted
// by stride. Where each stride is larger than everything below it can add up to, one division an iter reads the digits
// off (the layout may have holes and be of any size). Where iters reach into each other all sums are searched, with
// branches cut as soon as the rest cannot be reached. No table is ever built.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/layout/engine/axis_sum.h"
#include "core/layout/engine/map.h"

namespace ls::engine {

/// Row-major indices of elements, ascending, each once.
struct Owners {
    std::vector<std::int64_t> elements;
    bool more = false; ///< there are others beyond the limit that was asked for
};

class Inverse {
public:
    static constexpr std::int64_t kNone = -1;

    Inverse() = default; ///< of the empty tile
    explicit Inverse(const CompiledMap& map);

    const Shape& shape() const { return shape_; }
    /// A point is one value an axis, in this order.
    std::span<const Axis> axes() const { return axes_; }
    /// True when every point is decoded by divisions alone; then queries never refuse.
    bool is_closed_form() const { return closed_; }

    /// The elements that have a copy at `point` (one value an axis, after the swizzle), at most `limit` of them.
    /// ENGINE_POINT when the point has another number of values; ENGINE_SEARCH when iters reach into each other so
    /// much that the search was given up.
    Result<Owners> find(std::span<const std::int64_t> point, std::size_t limit = 1024) const;
    /// The smallest of them, or kNone.
    Result<std::int64_t> first(std::span<const std::int64_t> point) const;
    Shape coordinate(std::int64_t element) const;

    /// first() for the addresses [begin, begin + out.size()) of a layout that names one axis.
    /// ENGINE_POINT when it names several.
    Status fill_first(std::int64_t begin, std::span<std::int64_t> out, const Watch* watch = nullptr) const;

private:
    Status check_point(std::span<const std::int64_t> point) const;
    /// Closed form; shared digits 0.
    std::optional<std::int64_t> decode(std::span<const std::int64_t> point) const;
    /// All elements with shared digits 0, ascending.
    Result<std::vector<std::int64_t>> search(std::span<const std::int64_t> point) const;

    Shape shape_;
    std::int64_t elements_ = 1;
    std::vector<Axis> axes_ = {Axis()};
    std::vector<AxisSum> sums_ = {AxisSum()};     ///< one an axis
    std::vector<Digit> shared_;                   ///< digits of stride 0 of all axes, smallest place first
    std::vector<Swizzle> swizzles_ = {Swizzle()}; ///< one an axis
    bool closed_ = true;
};

} // namespace ls::engine
