// The way between two cameras: constant relative zoom speed, and straight on the screen.
#pragma once

#include "core/scene/grid.h"

namespace ls::views {

/// The camera at `t` in 0..1 between `from` and `to`. When the zoom changes, the one point of the picture that both
/// cameras show at the same place stays there.
scene::Camera between(const scene::Camera& from, const scene::Camera& to, double t);

} // namespace ls::views
