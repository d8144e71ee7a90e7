#include "views/inspector/panel_parts.h"

#include <imgui.h>

#include <algorithm>

namespace ls::views {
namespace {

using scene::FontFace;
using scene::HAlign;
using scene::Role;

constexpr double kPad = 12;

} // namespace

void section_header(const PanelInk& ink, float width, std::string_view title, std::string_view note) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = ink.px(kSectionHeight), middle = at.y + height / 2;
    ink.fill(at, {at.x + width, at.y + height}, Role::Window);
    ink.rule(at.x, at.x + width, at.y);
    ink.rule(at.x, at.x + width, at.y + height - std::max(1.0F, ink.px(1)));
    const float left = at.x + ink.px(kPad), right = at.x + width - ink.px(kPad);
    const TextLook name{FontFace::UiBold, 12, Role::Text2}, aside{FontFace::Ui, 12, Role::Text3};
    const float note_width = note.empty() ? 0 : ink.width(note, aside) + ink.px(8);
    ink.text(left, std::max(left, right - note_width), middle, title, name);
    ink.text(std::max(left, right - note_width), right, middle, note, aside, HAlign::Right);
    ImGui::SetCursorScreenPos({at.x, at.y + height});
}

void property_list(const PanelInk& ink, float width, const std::vector<scene::PropertyRow>& rows) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = ink.px(kPropertyHeight), left = at.x + ink.px(kPad), right = at.x + width - ink.px(kPad);
    float y = at.y + ink.px(4);
    for (const scene::PropertyRow& row : rows) {
        const TextLook name{FontFace::Ui, 12, Role::Text2}, value{FontFace::Ui, 12, row.tone};
        const float value_width = std::min(ink.width(row.value, value), (right - left) * 0.7F);
        if (ImGui::IsRectVisible({left, y}, {right, y + height})) {
            ink.text(left, right - value_width - ink.px(12), y + height / 2, row.name, name);
            ink.text(right - value_width - 1, right, y + height / 2, row.value, value, HAlign::Right);
        }
        y += height;
    }
    ImGui::SetCursorScreenPos({at.x, y + ink.px(4)});
}

} // namespace ls::views
