#include "views/inspector/glyph_raster.h"

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_GLYPH_H
#include FT_OUTLINE_H
#include FT_STROKER_H
#include FT_TRUETYPE_TABLES_H

#include <array>
#include <cmath>

#include "views/inspector/font_files.h"

namespace ls::views {
namespace {

FT_Library library() {
    static const FT_Library instance = [] {
        FT_Library made = nullptr;
        return FT_Init_FreeType(&made) == 0 ? made : nullptr;
    }();
    return instance;
}

FT_F26Dot6 fixed6(double value) { return static_cast<FT_F26Dot6>(std::lround(value * 64)); }

/// Averages `oversample` neighbours, so that a texel holds the coverage of a whole pixel that starts there: sampling
/// at any sub-pixel position then gives the box-filtered glyph.
void box_filter(const FT_Bitmap& bitmap, int oversample, GlyphImage& out) {
    out.width = static_cast<int>(bitmap.width) + oversample - 1;
    out.height = static_cast<int>(bitmap.rows);
    out.coverage.assign(static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height), 0);
    for (int y = 0; y < out.height; ++y) {
        const unsigned char* source = bitmap.buffer + static_cast<std::ptrdiff_t>(y) * bitmap.pitch;
        std::uint8_t* target = out.coverage.data() + static_cast<std::ptrdiff_t>(y) * out.width;
        int sum = 0;
        for (int x = 0; x < out.width; ++x) {
            if (x < static_cast<int>(bitmap.width)) sum += source[x];
            if (x >= oversample) sum -= source[x - oversample];
            target[x] = static_cast<std::uint8_t>(sum / oversample);
        }
    }
}

struct GlyphDeleter {
    void operator()(FT_Glyph glyph) const { FT_Done_Glyph(glyph); }
};
using Glyph = std::unique_ptr<FT_GlyphRec_, GlyphDeleter>;

/// The glyph in `face`'s slot, thickened by `radius` pixels when that is not 0; nothing when memory runs out.
Glyph take_glyph(FT_Face face, double radius) {
    FT_Glyph glyph = nullptr;
    if (FT_Get_Glyph(face->glyph, &glyph) != 0) return nullptr;
    if (radius > 0 && glyph->format == FT_GLYPH_FORMAT_OUTLINE) {
        FT_Stroker stroker = nullptr;
        if (FT_Stroker_New(library(), &stroker) == 0) {
            FT_Stroker_Set(stroker, fixed6(radius), FT_STROKER_LINECAP_ROUND, FT_STROKER_LINEJOIN_ROUND, 0);
            FT_Glyph_StrokeBorder(&glyph, stroker, 0, 1);
            FT_Stroker_Done(stroker);
        }
    }
    return Glyph(glyph);
}

} // namespace

struct GlyphRaster::Faces {
    std::vector<FT_Face> list;
    ~Faces() {
        for (FT_Face face : list) FT_Done_Face(face);
    }
    FT_Face holding(char32_t codepoint) const {
        for (FT_Face face : list)
            if (FT_Get_Char_Index(face, codepoint) != 0) return face;
        return nullptr;
    }
};

GlyphRaster::GlyphRaster(scene::FontFace face) : faces_(std::make_unique<Faces>()) {
    if (!library()) return;
    for (const FontFile& file : font_files(face)) {
        FT_Face opened = nullptr;
        if (FT_New_Face(library(), file.path.c_str(), file.index, &opened) == 0) faces_->list.push_back(opened);
    }
}

GlyphRaster::~GlyphRaster() = default;

GlyphRaster& GlyphRaster::of(scene::FontFace face) {
    static std::array<GlyphRaster, 4> rasters{GlyphRaster(scene::FontFace::Ui), GlyphRaster(scene::FontFace::UiBold),
                                              GlyphRaster(scene::FontFace::Mono),
                                              GlyphRaster(scene::FontFace::MonoBold)};
    return rasters[static_cast<std::size_t>(face)];
}

bool GlyphRaster::has(char32_t codepoint) const { return faces_->holding(codepoint) != nullptr; }

FaceMetrics GlyphRaster::metrics(double pixels) const {
    if (faces_->list.empty())
        return {static_cast<float>(pixels), static_cast<float>(pixels / 4), static_cast<float>(pixels * 0.7)};
    FT_Face face = faces_->list.front();
    const double unit = pixels / face->units_per_EM;
    const auto* os2 = static_cast<const TT_OS2*>(FT_Get_Sfnt_Table(face, FT_SFNT_OS2));
    const double cap = os2 && os2->sCapHeight > 0 ? os2->sCapHeight * unit : 0.72 * pixels;
    return {static_cast<float>(std::lround(face->ascender * unit)),
            static_cast<float>(std::lround(-face->descender * unit)), static_cast<float>(cap)};
}

std::optional<GlyphImage> GlyphRaster::render(char32_t codepoint, double pixels, int oversample, double halo) const {
    FT_Face face = faces_->holding(codepoint);
    if (!face || FT_Set_Char_Size(face, 0, fixed6(pixels), 72, 72) != 0) return std::nullopt;
    if (FT_Load_Char(face, codepoint, FT_LOAD_TARGET_LIGHT | FT_LOAD_NO_BITMAP) != 0) return std::nullopt;

    GlyphImage out;
    out.advance = static_cast<float>(face->glyph->linearHoriAdvance) / 65536.0F;
    const Glyph glyph = take_glyph(face, halo);
    if (!glyph || glyph->format != FT_GLYPH_FORMAT_OUTLINE) return out;
    FT_Matrix widen{static_cast<FT_Fixed>(oversample) << 16, 0, 0, 0x10000};
    FT_Glyph_Transform(glyph.get(), &widen, nullptr);

    FT_Glyph bitmap_glyph = glyph.get();
    if (FT_Glyph_To_Bitmap(&bitmap_glyph, FT_RENDER_MODE_NORMAL, nullptr, 0) != 0) return out;
    const Glyph owner(bitmap_glyph);
    const auto* rendered = reinterpret_cast<FT_BitmapGlyph>(bitmap_glyph);
    if (rendered->bitmap.width == 0 || rendered->bitmap.rows == 0) return out;
    box_filter(rendered->bitmap, oversample, out);
    const auto scale = static_cast<float>(oversample);
    out.left = (static_cast<float>(rendered->left) - (scale - 1) / 2) / scale;
    out.top = -static_cast<float>(rendered->top);
    out.quad_width = static_cast<float>(out.width) / scale;
    out.quad_height = static_cast<float>(out.height);
    return out;
}

} // namespace ls::views
