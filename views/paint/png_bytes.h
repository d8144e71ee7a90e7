// PNG encoding of an image surface.
#pragma once

#include <string>

#include <cairo.h>

#include "core/scene/draw_list.h"
#include "core/support/result.h"

namespace ls::paint {

Result<std::string> png_bytes(cairo_surface_t* surface);
Result<std::string> png_bytes(const scene::CellImage& image);
/// A Cairo image of the cells, to be destroyed by the caller; null when the image is empty or not whole.
cairo_surface_t* image_surface(const scene::CellImage& image);

/// PAINT_FAILED with Cairo's own words.
Diagnostic cairo_failed(cairo_status_t status);

} // namespace ls::paint
