// Draws a list onto a Cairo context: the one rendering behind PNG and PDF.
#pragma once

#include <cairo.h>

#include "core/scene/draw_list.h"
#include "core/scene/theme.h"

namespace ls::paint {

/// How cells are drawn: as an image, or as rectangles where few suffice (sharp in print).
enum class CellStyle : unsigned char { Image, Rectangles };

void draw_on_cairo(cairo_t* cr, const scene::DrawList& list, const scene::Theme& theme, CellStyle cells);

} // namespace ls::paint
