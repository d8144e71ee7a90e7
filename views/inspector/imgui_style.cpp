#include "views/inspector/imgui_style.h"

#include <imgui.h>

namespace ls::views {

void apply_style(const scene::Theme& theme, double pixels_per_point) {
    using scene::Role;
    ImGuiStyle style;
    style.WindowPadding = {0, 0};
    style.WindowRounding = 0;
    style.WindowBorderSize = 0;
    style.ChildBorderSize = 0;
    style.FramePadding = {8, 5};
    style.FrameRounding = 5;
    style.FrameBorderSize = 1;
    style.CellPadding = {8, 0};
    style.ItemSpacing = {8, 4};
    style.ScrollbarSize = 12;
    style.ScrollbarRounding = 6;
    style.GrabRounding = 5;
    style.ScaleAllSizes(static_cast<float>(pixels_per_point));
    style.AntiAliasedLinesUseTex = true;

    const auto set = [&](ImGuiCol slot, Role role, float alpha = 1) {
        style.Colors[slot] = ImGui::ColorConvertU32ToFloat4(packed(theme.color(role), alpha));
    };
    for (ImVec4& color : style.Colors) color = ImGui::ColorConvertU32ToFloat4(packed(theme.color(Role::Text)));
    set(ImGuiCol_Text, Role::Text);
    set(ImGuiCol_TextDisabled, Role::Text3);
    set(ImGuiCol_WindowBg, Role::Panel);
    set(ImGuiCol_ChildBg, Role::None);
    set(ImGuiCol_PopupBg, Role::Raised);
    set(ImGuiCol_Border, Role::Field);
    set(ImGuiCol_BorderShadow, Role::None);
    set(ImGuiCol_FrameBg, Role::Panel);
    set(ImGuiCol_FrameBgHovered, Role::Panel);
    set(ImGuiCol_FrameBgActive, Role::Panel);
    set(ImGuiCol_ScrollbarBg, Role::None);
    set(ImGuiCol_ScrollbarGrab, Role::Line2);
    set(ImGuiCol_ScrollbarGrabHovered, Role::Field);
    set(ImGuiCol_ScrollbarGrabActive, Role::Text3);
    set(ImGuiCol_Header, Role::AccentTint);
    set(ImGuiCol_HeaderHovered, Role::Sunken);
    set(ImGuiCol_HeaderActive, Role::AccentTint);
    set(ImGuiCol_Separator, Role::Line);
    set(ImGuiCol_SeparatorHovered, Role::Accent);
    set(ImGuiCol_SeparatorActive, Role::Accent);
    set(ImGuiCol_TableHeaderBg, Role::Window);
    set(ImGuiCol_TableBorderStrong, Role::Line);
    set(ImGuiCol_TableBorderLight, Role::Line);
    set(ImGuiCol_TableRowBg, Role::None);
    set(ImGuiCol_TableRowBgAlt, Role::None);
    set(ImGuiCol_TextSelectedBg, Role::Accent, 0.3F);
    set(ImGuiCol_NavHighlight, Role::None); // the table draws its own focus ring
    set(ImGuiCol_CheckMark, Role::Accent);
    ImGui::GetStyle() = style;
}

} // namespace ls::views
