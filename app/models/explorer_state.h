// How a layout document is looked at, as undo and project files keep it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/figure/layout_figure.h"

namespace ls::models {

using Coordinate = std::vector<std::int64_t>;

struct ExplorerState {
    std::int64_t row_bytes = 0;           ///< 0: 128, or more where the picture would be a thread
    std::optional<figure::ColorBy> color; ///< empty: what suits the memory
    std::optional<figure::ViewAxes> axes; ///< empty: the last two dimensions
    bool show_swizzle = true;
    std::optional<std::string> label; ///< name of the chosen label; empty: the picture's first
    std::vector<Coordinate> pins;     ///< at most 9, numbered from 1
    std::vector<Coordinate> selected; ///< none or one
    std::string compare;              ///< the other layout's text; empty when nothing is compared

    static constexpr std::size_t kMostPins = 9;

    figure::LayoutFigureOptions options(const TensorLayout& layout) const;
    /// Bytes of a row of the memory's picture.
    std::int64_t row_bytes_for(const TensorLayout& layout) const;
    nlohmann::json to_json() const;
    /// What cannot be read is left at its default: a view setting is never a reason to refuse a document.
    static ExplorerState from_json(const nlohmann::json& view);
    bool operator==(const ExplorerState&) const = default;
};

} // namespace ls::models
