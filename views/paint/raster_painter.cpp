// PNG and PDF files through Cairo.
#include <cmath>

#include <cairo-pdf.h>
#include <cairo.h>
#include <fmt/format.h>

#include "views/paint/cairo_canvas.h"
#include "views/paint/paint.h"
#include "views/paint/png_bytes.h"

namespace ls::paint {

namespace {

constexpr double kMostPixels = 1 << 28; // 1 GiB of memory
constexpr double kLongestSide = 32767;  // Cairo's limit for images
constexpr double kLongestPage = 14400;  // PDF's limit in points

cairo_status_t append(void* closure, const unsigned char* data, unsigned int length) {
    static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(data), length);
    return CAIRO_STATUS_SUCCESS;
}

/// Owns a surface and its context.
struct Target {
    explicit Target(cairo_surface_t* s) : surface(s), cr(cairo_create(s)) {}
    ~Target() {
        cairo_destroy(cr);
        cairo_surface_destroy(surface);
    }
    Target(const Target&) = delete;
    Target& operator=(const Target&) = delete;
    cairo_surface_t* surface;
    cairo_t* cr;
};

void paint_background(cairo_t* cr, const scene::Theme& theme, scene::Role role) {
    if (role == scene::Role::None) return;
    const scene::Rgba c = theme.color(role);
    cairo_set_source_rgba(cr, c.r / 255.0, c.g / 255.0, c.b / 255.0, c.a / 255.0);
    cairo_paint(cr);
}

} // namespace

Result<std::string> paint_png(const scene::DrawList& list, const scene::Theme& theme, const PaintOptions& options) {
    const double width = std::ceil(list.width * options.scale), height = std::ceil(list.height * options.scale);
    if (!(width >= 1) || !(height >= 1) || width > kLongestSide || height > kLongestSide ||
        width * height > kMostPixels) {
        return error(
            "PAINT_SIZE",
            fmt::format("a picture of {} × {} points at scale {} would be {} × {} pixels", list.width, list.height,
                        options.scale, width, height),
            fmt::format("choose a scale that keeps each side within 1 to {} pixels", static_cast<int>(kLongestSide)));
    }
    Target target(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, static_cast<int>(width), static_cast<int>(height)));
    paint_background(target.cr, theme, options.background);
    cairo_scale(target.cr, options.scale, options.scale);
    draw_on_cairo(target.cr, list, theme, CellStyle::Image);
    if (cairo_status(target.cr) != CAIRO_STATUS_SUCCESS) return cairo_failed(cairo_status(target.cr));
    cairo_surface_flush(target.surface);
    return png_bytes(target.surface);
}

Result<std::string> paint_pdf(const scene::DrawList& list, const scene::Theme& theme, const PaintOptions& options) {
    if (!(list.width > 0) || !(list.height > 0) || list.width > kLongestPage || list.height > kLongestPage) {
        return error("PAINT_SIZE", fmt::format("a page of {} × {} points cannot be written", list.width, list.height),
                     fmt::format("each side must be within 1 to {} points", static_cast<int>(kLongestPage)));
    }
    std::string out;
    {
        Target target(cairo_pdf_surface_create_for_stream(append, &out, list.width, list.height));
        if (!options.title.empty())
            cairo_pdf_surface_set_metadata(target.surface, CAIRO_PDF_METADATA_TITLE, options.title.c_str());
        cairo_pdf_surface_set_metadata(target.surface, CAIRO_PDF_METADATA_CREATOR, "Layoutscope");
        paint_background(target.cr, theme, options.background);
        draw_on_cairo(target.cr, list, theme, CellStyle::Rectangles);
        cairo_show_page(target.cr);
        cairo_surface_finish(target.surface);
        if (cairo_status(target.cr) != CAIRO_STATUS_SUCCESS) return cairo_failed(cairo_status(target.cr));
        if (cairo_surface_status(target.surface) != CAIRO_STATUS_SUCCESS)
            return cairo_failed(cairo_surface_status(target.surface));
    }
    return out;
}

} // namespace ls::paint
