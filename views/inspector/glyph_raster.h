// Glyphs as coverage bitmaps, hinted vertically (stems of text at 11 to 13 px stand on whole pixels) and oversampled
// horizontally (letters keep their own widths). Dear ImGui's own builder hints nothing and knows no fallback faces.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/scene/draw_list.h"

namespace ls::views {

/// Coverage of one glyph; the pen stands at (0, 0) on the base line, y down, everything in device pixels.
struct GlyphImage {
    int width = 0, height = 0;             ///< texels
    std::vector<std::uint8_t> coverage;    ///< width × height
    float left = 0, top = 0;               ///< where the bitmap's corner lies
    float quad_width = 0, quad_height = 0; ///< size on screen; width is width/oversample
    float advance = 0;
};

struct FaceMetrics {
    float ascent = 0, descent = 0; ///< both positive, device pixels, whole numbers
    float cap_height = 0;
};

/// One face with its fallbacks. Not thread safe: GUI thread only.
class GlyphRaster {
public:
    static GlyphRaster& of(scene::FontFace face);
    ~GlyphRaster();

    bool has(char32_t codepoint) const;
    FaceMetrics metrics(double pixels) const;
    /// `oversample` texels a pixel in x. `halo` > 0 renders the glyph's outline thickened by that many pixels on every
    /// side, as the rim under a label. Empty when no face has the glyph.
    std::optional<GlyphImage> render(char32_t codepoint, double pixels, int oversample, double halo = 0) const;

private:
    explicit GlyphRaster(scene::FontFace face);
    struct Faces;
    std::unique_ptr<Faces> faces_;
};

} // namespace ls::views
