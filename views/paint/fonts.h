// The two families and their fallbacks, found through fontconfig on first use. Text is set glyph by glyph: no
// ligatures, no contextual forms, no kerning, so that what is written is what is read.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <cairo.h>

#include "core/scene/draw_list.h"

namespace ls::paint {

/// A stretch of glyphs of one font; x from the text's start, for text of size 1.
struct GlyphRun {
    cairo_font_face_t* face = nullptr;
    std::vector<cairo_glyph_t> glyphs;
    std::vector<char32_t> characters; ///< one a glyph
};

class Fonts {
public:
    static Fonts& instance();
    ~Fonts();
    Fonts(const Fonts&) = delete;
    Fonts& operator=(const Fonts&) = delete;

    /// Width of `utf8` at size 1.
    double width(std::string_view utf8, scene::FontFace face);
    /// Glyphs at size 1; characters no font has are shown as the first font's missing glyph.
    std::vector<GlyphRun> shape(std::string_view utf8, scene::FontFace face);

private:
    Fonts() = default;

    struct Glyph {
        std::size_t font = 0;
        unsigned long index = 0;
        double advance = 0;
    };
    struct Font {
        cairo_font_face_t* face = nullptr;
        cairo_scaled_font_t* at_large = nullptr; ///< for linear metrics
    };
    struct Family {
        std::vector<Font> fonts; ///< preferred first
        std::unordered_map<char32_t, Glyph> glyphs;
    };

    Family& family(scene::FontFace face);
    const Glyph& glyph(Family& family, char32_t c);

    std::mutex mutex_;
    std::array<Family, 4> families_;
};

} // namespace ls::paint
