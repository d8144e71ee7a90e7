// Text and lines of the panels: the design's faces, sizes and roles on ImGui's draw list, in device pixels.
#pragma once

#include <string_view>

#include "core/scene/draw_list.h"
#include "core/scene/theme.h"
#include "views/inspector/imgui_fonts.h"

struct ImDrawList;
struct ImVec2;

namespace ls::views {

/// What a line of text looks like.
struct TextLook {
    scene::FontFace face = scene::FontFace::Ui;
    double size = 12; ///< points
    scene::Role role = scene::Role::Text;
};

/// Valid inside one ImGui window of one frame.
class PanelInk {
public:
    PanelInk(ImGuiFonts& fonts, const scene::Theme& theme) : fonts_(fonts), theme_(theme) {}

    ImGuiFonts& fonts() const { return fonts_; }
    const scene::Theme& theme() const { return theme_; }
    float px(double points) const { return static_cast<float>(points * fonts_.dpr()); }
    unsigned color(scene::Role role, float alpha = 1) const;
    float width(std::string_view text, const TextLook& look) const; ///< device pixels

    void fill(ImVec2 from, ImVec2 to, scene::Role role, float alpha = 1) const;
    /// A line one device pixel wide (one point at 200 %).
    void rule(float x0, float x1, float y, scene::Role role = scene::Role::Line) const;
    /// An edge `width` points wide along the inside of the rectangle.
    void frame(ImVec2 from, ImVec2 to, scene::Role role, double width = 1, double radius = 0) const;
    /// Text whose middle stands at `middle_y`, in [x0, x1]; what does not fit ends in an ellipsis.
    void text(float x0, float x1, float middle_y, std::string_view text, const TextLook& look,
              scene::HAlign align = scene::HAlign::Left) const;
    /// Broken into lines of at most `x1 − x0`; returns the height used. Draws nothing when `draw` is false.
    float paragraph(float x0, float x1, float top, std::string_view text, const TextLook& look, double line_height,
                    bool draw = true) const;

private:
    ImGuiFonts& fonts_;
    const scene::Theme& theme_;
};

} // namespace ls::views
