// Which lines a grid shows at which zoom, and how strong they are (design section 4).
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/scene/color.h"

namespace ls::scene {

/// The steps that serve every hierarchy: element, innermost contiguous run, inner tile, outer tile.
enum class LineKind : std::uint8_t { Element, Run, Tile, Block };

/// Kind of level `index` of `count` (innermost first). Four levels have two kinds of run.
LineKind line_kind(std::size_t index, std::size_t count);

struct LineLook {
    double width = 1; ///< points; may be below a device pixel, see on_device()
    double alpha = 0; ///< 0: not drawn
    Role ink = Role::Ink;
};

/// `px`: points per element along the shorter cell side; `period_px`: points between two lines of this kind.
LineLook line_look(LineKind kind, double px, double period_px);

/// 0 below 90 % of `threshold`, 1 above 110 %, straight between, so that nothing pops while zooming.
double fade_in(double px, double threshold);

/// Lines are whole device pixels: a thinner one is one pixel, weaker by as much.
struct DeviceLine {
    double width = 1; ///< points
    double alpha = 1;
};
DeviceLine on_device(double width, double alpha, double dpr);

} // namespace ls::scene
