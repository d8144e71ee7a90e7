#include "views/inspector/imgui_fonts.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "views/inspector/hatch_tile.h"

namespace ls::views {
namespace {

using scene::FontFace;
using scene::Pattern;

constexpr double kHaloPoints = 2; // half of the 4 pt rim
constexpr double kSizes[] = {11, 12, 13};
// Beyond this many texels sizes are stretched from the nearest one: 4096 × 4096 fit every graphics driver.
constexpr double kMostTexels = 12e6;
constexpr FontFace kFaces[] = {FontFace::Ui, FontFace::UiBold, FontFace::Mono, FontFace::MonoBold};
constexpr Pattern kPatterns[] = {Pattern::Finding,    Pattern::Unused,   Pattern::Shared, Pattern::Diagonal,
                                 Pattern::Horizontal, Pattern::Vertical, Pattern::Cross,  Pattern::Dots};
// What the tables and pictures write beside Latin-1: signs, arrows, brackets, small digits, marks.
constexpr char32_t kSigns[] = U"–—‘’“”•…·×÷−→←↑↓↔⇒≤≥≠≡≈∞∈∅∩∪⊕∘⌈⌉⌊⌋✓✗▴▾▸◂▲▼●○⚠ᵀ⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉αβγδεθλμπστφωΔΣΠΩ";

/// Reads one code point; malformed bytes become U+FFFD, one byte at a time.
char32_t next_codepoint(std::string_view text, std::size_t& at) {
    const auto byte = static_cast<unsigned char>(text[at++]);
    if (byte < 0x80) return byte;
    const int extra = byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : byte >= 0xC0 ? 1 : 0;
    if (extra == 0 || at + static_cast<std::size_t>(extra) > text.size()) return 0xFFFD;
    char32_t value = byte & (0x3FU >> static_cast<unsigned>(extra));
    for (int i = 0; i < extra; ++i)
        value = (value << 6U) | (static_cast<unsigned char>(text[at + static_cast<std::size_t>(i)]) & 0x3FU);
    at += static_cast<std::size_t>(extra);
    return value;
}

struct PendingGlyph {
    ImFont* font;
    ImWchar codepoint;
    const GlyphImage* image;
    int rect; ///< −1 when it has no ink
    float ascent;
};

/// Alpha image of the atlas, with a glyph or tile copied to its rectangle.
struct Sheet {
    unsigned char* alpha = nullptr;
    int width = 0, height = 0;
    void copy(int x, int y, int w, int h, const std::uint8_t* source) const {
        for (int row = 0; row < h; ++row)
            std::copy_n(source + static_cast<std::ptrdiff_t>(row) * w, w,
                        alpha + static_cast<std::ptrdiff_t>(y + row) * width + x);
    }
};

quint64 next_serial() {
    static quint64 serial = 0;
    return ++serial;
}

} // namespace

std::shared_ptr<ImGuiFonts> ImGuiFonts::of(double dpr) {
    static std::map<int, std::weak_ptr<ImGuiFonts>> known;
    auto& slot = known[static_cast<int>(std::lround(dpr * 64))];
    std::shared_ptr<ImGuiFonts> fonts = slot.lock();
    if (!fonts) {
        fonts.reset(new ImGuiFonts(dpr));
        fonts->prepare(); // texts can be measured from now on
        slot = fonts;
    }
    return fonts;
}

ImGuiFonts::ImGuiFonts(double dpr) : dpr_(dpr), oversample_(dpr < 1.75 ? 3 : 2) {
    for (const FontFace face : kFaces)
        for (const double size : kSizes) wanted_.insert(key(face, size, false));
    for (const FontFace face : {FontFace::UiBold, FontFace::Mono})
        wanted_.insert(key(face, 11, true)); // names and addresses on cells
    for (char32_t c = 0x20; c <= 0x7E; ++c) characters_.insert(c);
    for (char32_t c = 0xA0; c <= 0xFF; ++c) characters_.insert(c);
    for (const char32_t c : kSigns)
        if (c != 0) characters_.insert(c);
}

ImGuiFonts::~ImGuiFonts() = default;

ImGuiFonts::Key ImGuiFonts::key(FontFace face, double points, bool halo) const {
    const double clamped = std::clamp(points, 4.0, 96.0);
    return {face, static_cast<int>(std::lround(clamped * dpr_ * 64)), halo};
}

void ImGuiFonts::prepare() {
    if (stale()) build();
}

ImFont* ImGuiFonts::nearest(const Key& wanted) const {
    ImFont* best = nullptr;
    int distance = 0;
    for (const auto& [candidate, font] : fonts_) {
        if (candidate.face != wanted.face || candidate.halo) continue;
        const int off = std::abs(candidate.size_64 - wanted.size_64);
        if (!best || off < distance) best = font, distance = off;
    }
    return best;
}

ImFont* ImGuiFonts::font(FontFace face, double points) {
    const Key wanted = key(face, points, false);
    if (const auto found = fonts_.find(wanted); found != fonts_.end()) return found->second;
    want(wanted);
    return nearest(wanted);
}

void ImGuiFonts::want(const Key& key) {
    double texels = 0; // a glyph is about 0.6 of its size wide and 1.1 high
    const auto add = [&](const Key& k) {
        const double rim = k.halo ? 2 * kHaloPoints * dpr_ : 0, side = k.size_64 / 64.0;
        texels +=
            (0.6 * side + rim + 1) * oversample_ * (1.1 * side + rim + 1) * static_cast<double>(characters_.size());
    };
    for (const Key& k : wanted_) add(k);
    add(key);
    if (texels < kMostTexels) wanted_dirty_ = wanted_.insert(key).second || wanted_dirty_;
}

float ImGuiFonts::draw_size(const ImFont& font, double points) const {
    return font.FontSize * static_cast<float>(points * dpr_) / font.ConfigData->SizePixels;
}

ImFont* ImGuiFonts::halo(FontFace face, double points) {
    const Key wanted = key(face, points, true);
    if (const auto found = fonts_.find(wanted); found != fonts_.end()) return found->second;
    want(wanted);
    return nullptr;
}

void ImGuiFonts::cover(std::string_view utf8) {
    for (std::size_t at = 0; at < utf8.size();) {
        if (static_cast<unsigned char>(utf8[at]) < 0x80) {
            ++at;
            continue;
        }
        const char32_t c = next_codepoint(utf8, at);
        if (c >= 0xA0 && c <= 0xFFFF) wanted_dirty_ = characters_.insert(c).second || wanted_dirty_;
    }
}

HatchTile ImGuiFonts::hatch(Pattern pattern) const {
    const auto found = hatches_.find(pattern);
    return found == hatches_.end() ? HatchTile{} : found->second;
}

double ImGuiFonts::width(std::string_view utf8, FontFace face, double points) const {
    const Key wanted = key(face, points, false);
    const auto found = fonts_.find(wanted);
    const ImFont* font = found != fonts_.end() ? found->second : nearest(wanted);
    if (!font) return 0;
    const double scale = found != fonts_.end() ? 1.0 : points * dpr_ / font->ConfigData->SizePixels;
    double sum = 0;
    for (std::size_t at = 0; at < utf8.size();)
        sum += font->GetCharAdvance(static_cast<ImWchar>(next_codepoint(utf8, at)));
    return sum * scale / dpr_;
}

void ImGuiFonts::build() {
    auto atlas = std::make_unique<ImFontAtlas>();
    atlas->TexDesiredWidth = dpr_ >= 1.75 ? 4096 : 2048;
    atlas->TexGlyphPadding = 1;

    // Each ImFont starts from ImGui's embedded font with one glyph; every glyph that is shown is added from our raster.
    static const ImWchar kSeedRange[] = {'?', '?', 0};
    std::map<Key, ImFont*> fonts;
    std::vector<PendingGlyph> glyphs;
    const Key standard = key(FontFace::Ui, 12, false); // ImGui's default is the first
    std::vector<Key> order{standard};
    for (const Key& k : wanted_)
        if (k != standard) order.push_back(k);
    for (const Key& k : order) {
        const double pixels = k.size_64 / 64.0;
        ImFontConfig config;
        config.SizePixels = static_cast<float>(pixels);
        config.GlyphRanges = kSeedRange;
        ImFont* font = fonts[k] = atlas->AddFontDefault(&config);
        const GlyphRaster& raster = GlyphRaster::of(k.face);
        const float ascent = raster.metrics(pixels).ascent;
        for (const char32_t c : characters_) {
            const auto [known, fresh] = glyphs_.try_emplace({k, c});
            if (fresh) known->second = raster.render(c, pixels, oversample_, k.halo ? kHaloPoints * dpr_ : 0);
            if (!known->second) continue;
            const GlyphImage& image = *known->second;
            const int rect = image.width > 0 ? atlas->AddCustomRectRegular(image.width + 1, image.height + 1) : -1;
            glyphs.push_back({font, static_cast<ImWchar>(c), &image, rect, ascent});
        }
    }
    std::map<Pattern, std::pair<HatchImage, int>> tiles;
    for (const Pattern pattern : kPatterns) {
        HatchImage tile = hatch_image(pattern, dpr_);
        const int rect = atlas->AddCustomRectRegular(tile.pixels + 2, tile.pixels + 2);
        tiles.emplace(pattern, std::pair{std::move(tile), rect});
    }

    Sheet sheet;
    atlas->GetTexDataAsAlpha8(&sheet.alpha, &sheet.width, &sheet.height);
    const float du = 1.0F / static_cast<float>(sheet.width), dv = 1.0F / static_cast<float>(sheet.height);
    for (const PendingGlyph& g : glyphs) {
        if (g.rect < 0) {
            g.font->AddGlyph(nullptr, g.codepoint, 0, 0, 0, 0, 0, 0, 0, 0, g.image->advance);
            continue;
        }
        const ImFontAtlasCustomRect& r = *atlas->GetCustomRectByIndex(g.rect);
        if (!r.IsPacked()) continue;
        sheet.copy(r.X, r.Y, g.image->width, g.image->height, g.image->coverage.data());
        const float x0 = g.image->left, y0 = g.ascent + g.image->top;
        g.font->AddGlyph(nullptr, g.codepoint, x0, y0, x0 + g.image->quad_width, y0 + g.image->quad_height,
                         static_cast<float>(r.X) * du, static_cast<float>(r.Y) * dv,
                         static_cast<float>(r.X + g.image->width) * du, static_cast<float>(r.Y + g.image->height) * dv,
                         g.image->advance);
    }
    std::map<Pattern, HatchTile> hatches;
    for (const auto& [pattern, tile] : tiles) {
        const ImFontAtlasCustomRect& r = *atlas->GetCustomRectByIndex(tile.second);
        if (!r.IsPacked()) continue;
        const int n = tile.first.pixels;
        sheet.copy(r.X + 1, r.Y + 1, n, n, tile.first.coverage.data());
        hatches[pattern] = {n, static_cast<float>(r.X + 1) * du, static_cast<float>(r.Y + 1) * dv,
                            static_cast<float>(r.X + 1 + n) * du, static_cast<float>(r.Y + 1 + n) * dv};
    }
    for (const auto& [k, font] : fonts) {
        const FaceMetrics metrics = GlyphRaster::of(k.face).metrics(k.size_64 / 64.0);
        font->BuildLookupTable();
        font->Ascent = metrics.ascent;
        font->Descent = -metrics.descent;
        font->FontSize = metrics.ascent + metrics.descent;
    }

    auto image = std::make_shared<AtlasImage>();
    image->serial = next_serial();
    image->coverage.assign(sheet.alpha, sheet.alpha + static_cast<std::ptrdiff_t>(sheet.width) * sheet.height);
    image->rgba = QImage(sheet.width, sheet.height, QImage::Format_RGBA8888);
    for (int y = 0; y < sheet.height; ++y) {
        auto* row = image->rgba.scanLine(y);
        for (int x = 0; x < sheet.width; ++x, row += 4) {
            row[0] = row[1] = row[2] = 255;
            row[3] = sheet.alpha[static_cast<std::ptrdiff_t>(y) * sheet.width + x];
        }
    }
    atlas->ClearTexData();
    atlas->SetTexID(nullptr);

    atlas_ = std::move(atlas);
    image_ = std::move(image);
    fonts_ = std::move(fonts);
    hatches_ = std::move(hatches);
    built_ = true;
    wanted_dirty_ = false;
}

} // namespace ls::views
