// Marks of a DrawList as ImGui geometry. Upright edges land on whole device pixels, so that lines are crisp at every
// scale; lines thinner than a pixel become one pixel of accordingly weaker ink.
#pragma once

#include <QtGui/QImage>

#include <map>
#include <memory>

#include "core/scene/draw_list.h"
#include "core/scene/theme.h"
#include "views/inspector/imgui_fonts.h"
#include "views/inspector/imgui_frame.h"

struct ImDrawList;
struct ImDrawListSharedData;
struct ImVec2;

namespace ls::views {

/// A draw list that needs no ImGui context.
class ImGuiSheet {
public:
    /// `width` × `height` in device pixels; `fonts` must be prepared.
    ImGuiSheet(ImGuiFonts& fonts, double width, double height);
    ~ImGuiSheet();
    ImDrawList& list() { return *list_; }

private:
    std::unique_ptr<ImDrawListSharedData> shared_;
    std::unique_ptr<ImDrawList> list_;
};

/// Images of CellImage marks, kept while the DrawList they belong to lives.
using CellImageCache = std::map<const scene::CellImage*, QImage>;

class DrawListPainter {
public:
    /// Draws into `sheet`; textures go to `frame`. `cache` may be null.
    DrawListPainter(ImGuiSheet& sheet, ImGuiFrame& frame, ImGuiFonts& fonts, const scene::Theme& theme,
                    CellImageCache* cache = nullptr);

    /// `offset` in points, after scaling by `scale` (text sizes scale too).
    void draw(const scene::DrawList& picture, scene::Point offset = {}, double scale = 1);

private:
    struct Box {
        float x0, y0, x1, y1;
    }; // device pixels, whole

    void mark(const scene::FillRect& m);
    void mark(const scene::StrokeRect& m);
    void mark(const scene::HatchRect& m);
    void mark(const scene::Polyline& m);
    void mark(const scene::Curve& m);
    void mark(const scene::Ellipse& m);
    void mark(const scene::Text& m);
    void mark(const scene::CellImage& m);
    void mark(const scene::PushClip& m);
    void mark(const scene::PopClip& m);

    void upright_line(ImVec2 a, ImVec2 b, float width_px, unsigned color, float extend);
    void dashed(ImVec2 a, ImVec2 b, float width_px, unsigned color, float on, float off, float& phase);
    void line(ImVec2 a, ImVec2 b, float width_px, unsigned color, float extend);
    Box snapped(const scene::Rect& r) const;
    ImVec2 at(scene::Point p) const;
    unsigned color(const scene::Paint& paint, double strength = 1) const;

    ImDrawList& list_;
    ImGuiFrame& frame_;
    ImGuiFonts& fonts_;
    const scene::Theme& theme_;
    CellImageCache* cache_;
    scene::Point offset_;
    double scale_ = 1; ///< of the picture
    double unit_ = 1;  ///< device pixels of one picture point
    int clips_ = 0;
};

/// Rgba pixels as a premultiplied image for textures.
QImage to_image(const scene::CellImage& cells);

} // namespace ls::views
