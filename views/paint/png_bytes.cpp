#include "views/paint/png_bytes.h"

#include <cstdint>
#include <cstring>

#include <fmt/format.h>

#include "views/paint/image_runs.h"

namespace ls::paint {

namespace {

cairo_status_t append(void* closure, const unsigned char* data, unsigned int length) {
    static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(data), length);
    return CAIRO_STATUS_SUCCESS;
}

} // namespace

Diagnostic cairo_failed(cairo_status_t status) {
    return error("PAINT_FAILED", fmt::format("the picture could not be drawn: {}", cairo_status_to_string(status)),
                 "try a smaller scale, or SVG");
}

Result<std::string> png_bytes(cairo_surface_t* surface) {
    std::string out;
    const cairo_status_t status = cairo_surface_write_to_png_stream(surface, append, &out);
    if (status != CAIRO_STATUS_SUCCESS) return cairo_failed(status);
    return out;
}

cairo_surface_t* image_surface(const scene::CellImage& image) {
    if (!is_whole(image)) return nullptr;
    cairo_surface_t* surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, image.width, image.height);
    if (cairo_surface_status(surface) != CAIRO_STATUS_SUCCESS) {
        cairo_surface_destroy(surface);
        return nullptr;
    }
    cairo_surface_flush(surface);
    unsigned char* const data = cairo_image_surface_get_data(surface);
    const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface));
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) {
            const scene::Rgba c = image.pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                                               static_cast<std::size_t>(x)];
            // Cairo wants 0xAARRGGBB in the machine's byte order, colours multiplied by alpha.
            const auto part = [&c](std::uint8_t v) { return static_cast<std::uint32_t>((v * c.a + 127) / 255); };
            const std::uint32_t pixel =
                (std::uint32_t{c.a} << 24U) | (part(c.r) << 16U) | (part(c.g) << 8U) | part(c.b);
            std::memcpy(data + static_cast<std::size_t>(y) * stride + static_cast<std::size_t>(x) * 4, &pixel, 4);
        }
    }
    cairo_surface_mark_dirty(surface);
    return surface;
}

Result<std::string> png_bytes(const scene::CellImage& image) {
    cairo_surface_t* surface = image_surface(image);
    if (surface == nullptr)
        return error("PAINT_FAILED", fmt::format("an image of {} × {} cells is not whole", image.width, image.height));
    Result<std::string> out = png_bytes(surface);
    cairo_surface_destroy(surface);
    return out;
}

} // namespace ls::paint
