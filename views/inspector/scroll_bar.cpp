#include "views/inspector/scroll_bar.h"

#include <imgui.h>

#include <algorithm>

namespace ls::views {

double ScrollBar::draw(const PanelInk& ink, const char* id, float x, float y, float length, bool upright, double shown,
                       double at) {
    using scene::Role;
    const float thick = ink.px(kThickness);
    if (length < 2) return at;
    const float handle = std::clamp(static_cast<float>(length * shown), std::min(ink.px(24), length / 2), length);
    const float travel = std::max(1.0F, length - handle);
    float begin = travel * static_cast<float>(at);

    ImGui::SetCursorScreenPos({x, y});
    ImGui::InvisibleButton(id, upright ? ImVec2(thick, length) : ImVec2(length, thick));
    const float mouse = upright ? ImGui::GetIO().MousePos.y - y : ImGui::GetIO().MousePos.x - x;
    if (ImGui::IsItemActivated()) grabbed_ = mouse >= begin && mouse < begin + handle ? mouse - begin : handle / 2;
    if (!ImGui::IsItemActive()) grabbed_.reset();
    if (grabbed_) {
        at = std::clamp(static_cast<double>((mouse - *grabbed_) / travel), 0.0, 1.0);
        begin = travel * static_cast<float>(at);
    }
    const Role role = grabbed_ ? Role::Text3 : ImGui::IsItemHovered() ? Role::Field : Role::Line2;
    const float inset = ink.px(3);
    const ImVec2 from = upright ? ImVec2(x + inset, y + begin + inset / 2) : ImVec2(x + begin + inset / 2, y + inset);
    const ImVec2 to = upright ? ImVec2(x + thick - inset, y + begin + handle - inset / 2)
                              : ImVec2(x + begin + handle - inset / 2, y + thick - inset);
    ImGui::GetWindowDrawList()->AddRectFilled(from, to, ink.color(role), thick / 2 - inset);
    return at;
}

} // namespace ls::views
