// Cell images as few rectangles of one colour, so that vector exports stay vectors.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/scene/draw_list.h"

namespace ls::paint {

struct ColorRun {
    scene::Rgba color;
    int x = 0, y = 0, w = 0, h = 0; ///< cells
    bool operator==(const ColorRun&) const = default;
};

/// The image as disjoint rectangles that cover it; nothing when more than `most` would be needed.
std::optional<std::vector<ColorRun>> merged_runs(const scene::CellImage& image, std::size_t most);

/// True when the pixels are as many as width and height say.
bool is_whole(const scene::CellImage& image);

} // namespace ls::paint
