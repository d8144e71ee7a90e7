// The explorer as one picture for export: the layout's text, both grids with their legends, and the formula of one element.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/figure/layout_figure.h"
#include "core/scene/draw_list.h"
#include "core/scene/theme.h"

namespace ls::figure {

enum class PicturePart : std::uint8_t { Both, Logical, Physical };

struct ExplorerPictureOptions {
    double width = 1280; ///< points
    double height = 720; ///< points; a picture with less to show is drawn lower
    PicturePart part = PicturePart::Both;
    std::optional<std::vector<std::int64_t>> element; ///< lit in both grids, its formula below
    std::optional<scene::CellLabel> label;            ///< what cells carry where they are large enough
    bool patterns = false;                            ///< patterns beside colours
};

scene::DrawList explorer_picture(const LayoutFigure& figure, const ExplorerPictureOptions& options, const scene::TextMeasure& measure,
                                 const scene::Theme& theme);

} // namespace ls::figure
