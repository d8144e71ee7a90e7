// From a linear index of physical space to the colour that a property gives it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/figure/layout_figure.h"
#include "core/figure/levels.h"
#include "core/figure/physical_space.h"
#include "core/scene/color.h"

namespace ls::figure {

class ColorRule {
public:
    ColorRule(ColorBy by, const PhysicalSpace& space, const std::vector<Level>& levels, int element_bits);

    ColorBy by() const { return by_; }
    /// Whether the colour needs the element's coordinate rather than its address alone.
    bool needs_coordinate() const { return by_ == ColorBy::Coordinate; }
    /// keys[i] of linear[i]; linear indices are in [0, space.points). Not for needs_coordinate().
    void keys(std::span<const std::int64_t> linear, scene::ColorKey* keys) const;
    /// For needs_coordinate(): the colour of the element at `position` of `count` in reading order.
    static scene::ColorKey coordinate_key(std::int64_t position, std::int64_t count);

    std::vector<scene::LegendEntry> legend() const;

private:
    ColorBy by_;
    std::int64_t points_ = 1;
    std::int64_t row_length_ = 1;
    std::int64_t first_elem_ = 0;
    int element_bits_ = 8;
    std::int64_t outer_run_ = 0;  ///< linear indices in one part of the outermost level; 0: no levels
    std::int64_t inner_run_ = 0;  ///< same of the next level; 0: none
    std::string outer_word_, inner_word_;
    std::string down_name_;
};

/// What suits a memory best, first; every rule that means something for this layout.
std::vector<ColorBy> color_choices(const TensorLayout& tensor, const PhysicalSpace& space, const std::vector<Level>& levels);

} // namespace ls::figure
