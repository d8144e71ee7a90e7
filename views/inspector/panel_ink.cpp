#include "views/inspector/panel_ink.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "views/inspector/imgui_style.h"

namespace ls::views {
namespace {

constexpr std::string_view kEllipsis = "…";

/// The longest beginning of `text` that fits, cut between characters.
std::string_view fitting(const PanelInk& ink, std::string_view text, const TextLook& look, float room) {
    std::size_t good = 0;
    float used = 0;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t next = at + 1;
        while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xC0U) == 0x80U) ++next;
        used += ink.width(text.substr(at, next - at), look);
        if (used > room) break;
        good = at = next;
    }
    return text.substr(0, good);
}

} // namespace

unsigned PanelInk::color(scene::Role role, float alpha) const { return packed(theme_.color(role), alpha); }

float PanelInk::width(std::string_view text, const TextLook& look) const {
    return static_cast<float>(fonts_.width(text, look.face, look.size) * fonts_.dpr());
}

void PanelInk::fill(ImVec2 from, ImVec2 to, scene::Role role, float alpha) const {
    ImGui::GetWindowDrawList()->AddRectFilled(from, to, color(role, alpha));
}

void PanelInk::rule(float x0, float x1, float y, scene::Role role) const {
    const float thick = std::max(1.0F, std::floor(px(1)));
    ImGui::GetWindowDrawList()->AddRectFilled({x0, y}, {x1, y + thick}, color(role));
}

void PanelInk::frame(ImVec2 from, ImVec2 to, scene::Role role, double width, double radius) const {
    const float w = std::max(1.0F, std::round(px(width)));
    const float inset = (w - 1) / 2; // ImGui's path runs half a pixel inside what it is given
    ImGui::GetWindowDrawList()->AddRect({from.x + inset, from.y + inset}, {to.x - inset, to.y - inset}, color(role),
                                        px(radius), 0, w);
}

void PanelInk::text(float x0, float x1, float middle_y, std::string_view text, const TextLook& look,
                    scene::HAlign align) const {
    if (text.empty() || x1 <= x0) return;
    fonts_.cover(text);
    ImFont* font = fonts_.font(look.face, look.size);
    const float size = fonts_.draw_size(*font, look.size);
    float wide = width(text, look);
    std::string cut;
    if (wide > x1 - x0 + 0.5F) {
        cut = std::string(fitting(*this, text, look, x1 - x0 - width(kEllipsis, look))) + std::string(kEllipsis);
        text = cut;
        wide = width(text, look);
    }
    float x = x0;
    if (align == scene::HAlign::Right) x = x1 - wide;
    if (align == scene::HAlign::Centre) x = (x0 + x1 - wide) / 2;
    ImGui::GetWindowDrawList()->AddText(font, size, {std::round(x), std::round(middle_y - size / 2)}, color(look.role),
                                        text.data(), text.data() + text.size());
}

float PanelInk::paragraph(float x0, float x1, float top, std::string_view text, const TextLook& look,
                          double line_height, bool draw) const {
    const float step = px(line_height);
    float y = top;
    while (!text.empty()) {
        std::size_t length = text.size();
        if (width(text, look) > x1 - x0) {
            length = std::max<std::size_t>(1, fitting(*this, text, look, x1 - x0).size());
            if (const std::size_t space = text.rfind(' ', length); space != std::string_view::npos && space > 0)
                length = space;
        }
        if (draw) this->text(x0, x1 + 1, y + step / 2, text.substr(0, length), look);
        y += step;
        text.remove_prefix(length);
        while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    }
    return y - top;
}

} // namespace ls::views
