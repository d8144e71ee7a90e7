// Puts one picture into another.
#pragma once

#include "core/scene/draw_list.h"

namespace ls::scene {

/// Appends the marks of `picture`, moved so that its origin comes to `at`. Sizes are left as they are.
void place(DrawList& into, DrawList picture, Point at);

} // namespace ls::scene
