#include "views/paint/fonts.h"

#include <cairo-ft.h>
#include <fontconfig/fontconfig.h>

#include "views/paint/paint.h"
#include "views/paint/utf8.h"

namespace ls::paint {

namespace {

constexpr double kLarge = 1024; // metrics are read at this size, unhinted, and scaled

struct Wanted {
    const char* families[3];
    int weight;
};

Wanted wanted(scene::FontFace face) {
    const bool mono = face == scene::FontFace::Mono || face == scene::FontFace::MonoBold;
    const bool bold = face == scene::FontFace::UiBold || face == scene::FontFace::MonoBold;
    return {{mono ? "JetBrains Mono" : "Inter", mono ? "DejaVu Sans Mono" : "DejaVu Sans", "DejaVu Sans"},
            bold ? FC_WEIGHT_DEMIBOLD : FC_WEIGHT_REGULAR};
}

cairo_font_options_t* plain_options() {
    cairo_font_options_t* options = cairo_font_options_create();
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    return options;
}

class Measure : public scene::TextMeasure {
public:
    double width(std::string_view utf8, scene::FontFace face, double size) const override {
        return Fonts::instance().width(utf8, face) * size;
    }
};

} // namespace

std::shared_ptr<const scene::TextMeasure> text_measure() { return std::make_shared<Measure>(); }

Fonts& Fonts::instance() {
    static Fonts fonts;
    return fonts;
}

Fonts::~Fonts() {
    for (Family& family : families_) {
        for (Font& font : family.fonts) {
            cairo_scaled_font_destroy(font.at_large);
            cairo_font_face_destroy(font.face);
        }
    }
}

Fonts::Family& Fonts::family(scene::FontFace face) {
    Family& family = families_[static_cast<std::size_t>(face)];
    if (!family.fonts.empty()) return family;
    const Wanted want = wanted(face);
    cairo_font_options_t* options = plain_options();
    for (const char* name : want.families) {
        FcPattern* query = FcPatternCreate();
        FcPatternAddString(query, FC_FAMILY, reinterpret_cast<const FcChar8*>(name));
        FcPatternAddInteger(query, FC_WEIGHT, want.weight);
        FcPatternAddInteger(query, FC_SLANT, FC_SLANT_ROMAN);
        FcConfigSubstitute(nullptr, query, FcMatchPattern);
        FcDefaultSubstitute(query);
        FcResult result = FcResultNoMatch;
        FcPattern* match = FcFontMatch(nullptr, query, &result);
        FcPatternDestroy(query);
        if (match == nullptr) continue;
        Font font;
        font.face = cairo_ft_font_face_create_for_pattern(match);
        FcPatternDestroy(match);
        cairo_matrix_t size, identity;
        cairo_matrix_init_scale(&size, kLarge, kLarge);
        cairo_matrix_init_identity(&identity);
        font.at_large = cairo_scaled_font_create(font.face, &size, &identity, options);
        if (cairo_scaled_font_status(font.at_large) != CAIRO_STATUS_SUCCESS) {
            cairo_scaled_font_destroy(font.at_large);
            cairo_font_face_destroy(font.face);
            continue;
        }
        family.fonts.push_back(font);
    }
    cairo_font_options_destroy(options);
    return family;
}

const Fonts::Glyph& Fonts::glyph(Family& family, char32_t c) {
    const auto found = family.glyphs.find(c);
    if (found != family.glyphs.end()) return found->second;
    Glyph glyph;
    for (std::size_t i = 0; i < family.fonts.size(); ++i) {
        FT_Face ft = cairo_ft_scaled_font_lock_face(family.fonts[i].at_large);
        const unsigned long index = ft == nullptr ? 0 : FT_Get_Char_Index(ft, c);
        if (ft != nullptr) cairo_ft_scaled_font_unlock_face(family.fonts[i].at_large);
        if (index == 0) continue;
        glyph = {i, index, 0};
        break;
    }
    if (!family.fonts.empty()) {
        const cairo_glyph_t one{glyph.index, 0, 0};
        cairo_text_extents_t extents;
        cairo_scaled_font_glyph_extents(family.fonts[glyph.font].at_large, &one, 1, &extents);
        glyph.advance = extents.x_advance / kLarge;
    }
    return family.glyphs.emplace(c, glyph).first->second;
}

double Fonts::width(std::string_view utf8, scene::FontFace face) {
    const std::lock_guard lock(mutex_);
    Family& used = family(face);
    double width = 0;
    for (char32_t c : code_points(utf8)) width += glyph(used, c).advance;
    return width;
}

std::vector<GlyphRun> Fonts::shape(std::string_view utf8, scene::FontFace face) {
    const std::lock_guard lock(mutex_);
    Family& used = family(face);
    std::vector<GlyphRun> runs;
    if (used.fonts.empty()) return runs;
    double x = 0;
    for (char32_t c : code_points(utf8)) {
        const Glyph& g = glyph(used, c);
        cairo_font_face_t* font = used.fonts[g.font].face;
        if (runs.empty() || runs.back().face != font) runs.push_back({font, {}, {}});
        runs.back().glyphs.push_back({g.index, x, 0});
        runs.back().characters.push_back(c);
        x += g.advance;
    }
    return runs;
}

} // namespace ls::paint
