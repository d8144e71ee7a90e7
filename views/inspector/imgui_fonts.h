// The glyph atlas that every item of one screen scale shares: four faces at the sizes of the design, and any further
// size, rim or character that a picture turns out to need (asked for in one frame, there in the next).
#pragma once

#include <QtGui/QImage>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "core/scene/draw_list.h"
#include "views/inspector/glyph_raster.h"

struct ImFont;
struct ImFontAtlas;
struct ImVec2;

namespace ls::views {

/// A built atlas; frames keep the one that their texture coordinates belong to.
struct AtlasImage {
    QImage rgba;                  ///< white, alpha = coverage, not premultiplied
    std::vector<quint8> coverage; ///< the alpha alone, for the software rasteriser
    quint64 serial = 0;           ///< unique over all atlases of the process
};

/// A hatch's tile in the atlas: `pixels` square, repeats seamlessly.
struct HatchTile {
    int pixels = 0;
    float u0 = 0, v0 = 0, u1 = 0, v1 = 0;
};

/// GUI thread only. Sizes are given in design points; fonts are baked and measured in device pixels (points × dpr).
class ImGuiFonts final : public scene::TextMeasure {
public:
    /// The atlas for `dpr` device pixels a design point; made on first use, dropped with its last user.
    static std::shared_ptr<ImGuiFonts> of(double dpr);
    ~ImGuiFonts() override;

    double dpr() const { return dpr_; }
    /// Builds what was asked for since the last call. Only between frames: fonts and coordinates change.
    void prepare();
    /// Something that was asked for is not there yet: draw again.
    bool stale() const { return !built_ || wanted_dirty_; }

    ImFontAtlas* atlas() const { return atlas_.get(); }
    const std::shared_ptr<const AtlasImage>& image() const { return image_; }

    /// Never null after prepare(). Until an unusual size is built, the nearest one; see draw_size().
    ImFont* font(scene::FontFace face, double points);
    /// ImGui's size (line height in device pixels) at which `font` shows text of `points`.
    float draw_size(const ImFont& font, double points) const;
    /// The same glyphs thickened by half of the 4 pt rim; null until built.
    ImFont* halo(scene::FontFace face, double points);
    /// Asks for the characters of `utf8` that are not in the atlas.
    void cover(std::string_view utf8);
    HatchTile hatch(scene::Pattern pattern) const;

    /// Width in points.
    double width(std::string_view utf8, scene::FontFace face, double points) const override;

private:
    struct Key {
        scene::FontFace face;
        int size_64; ///< device pixels × 64
        bool halo;
        auto operator<=>(const Key&) const = default;
    };
    explicit ImGuiFonts(double dpr);
    Key key(scene::FontFace face, double points, bool halo) const;
    ImFont* nearest(const Key& key) const;
    void want(const Key& key);
    void build();

    double dpr_;
    int oversample_;
    std::set<Key> wanted_;
    std::set<char32_t> characters_;
    std::map<std::pair<Key, char32_t>, std::optional<GlyphImage>> glyphs_; ///< rendered so far; builds only place them
    std::map<Key, ImFont*> fonts_;
    std::map<scene::Pattern, HatchTile> hatches_;
    std::unique_ptr<ImFontAtlas> atlas_;
    std::shared_ptr<const AtlasImage> image_;
    bool built_ = false, wanted_dirty_ = false;
};

} // namespace ls::views
