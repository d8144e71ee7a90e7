// Painters of draw lists: what is exported is what the window shows.
#pragma once

#include <memory>
#include <string>

#include "core/scene/draw_list.h"
#include "core/scene/picture.h"
#include "core/scene/theme.h"
#include "core/support/result.h"

namespace ls::paint {

struct PaintOptions {
    scene::Role background = scene::Role::Canvas; ///< Role::None leaves it transparent
    double scale = 1;                             ///< PNG: pixels per point
    std::string title;                            ///< kept in the file for screen readers and document lists
};

// Each returns the bytes of a file. All of them refuse with PAINT_SIZE when the picture has no size or is too large,
// and with PAINT_FAILED when the library underneath fails. Fonts are looked up on first use, never before.

/// SVG with real text; the same list gives the same bytes.
Result<std::string> paint_svg(const scene::DrawList& list, const scene::Theme& theme, const PaintOptions& options = {});
/// The same, with the hit regions as titles that browsers show on hover.
Result<std::string> paint_svg(const scene::Picture& picture, const scene::Theme& theme,
                              const PaintOptions& options = {});
Result<std::string> paint_png(const scene::DrawList& list, const scene::Theme& theme, const PaintOptions& options = {});
/// One page of the picture's size, 1 pt = 1 unit, with selectable text.
Result<std::string> paint_pdf(const scene::DrawList& list, const scene::Theme& theme, const PaintOptions& options = {});
/// A single file that needs nothing else: the SVG with its hover titles and the picture's title above it.
Result<std::string> paint_html(const scene::Picture& picture, const scene::Theme& theme,
                               const PaintOptions& options = {});

/// Text widths as the PNG and PDF painters set it; good for SVG too, whose viewers use the same fonts where they have
/// them. May be used from several threads.
std::shared_ptr<const scene::TextMeasure> text_measure();

} // namespace ls::paint
