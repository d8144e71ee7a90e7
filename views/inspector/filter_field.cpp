#include "views/inspector/filter_field.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ls::views {
namespace {

using scene::FontFace;
using scene::Role;

constexpr double kPad = 10, kHeight = 26, kIcon = 26, kLine = 16, kGap = 6;
constexpr TextLook kCode{FontFace::Mono, 11, Role::Finding};
constexpr TextLook kMessage{FontFace::Ui, 12, Role::Text2};

void magnifier(const PanelInk& ink, ImVec2 middle) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const unsigned color = ink.color(Role::Text3);
    const float r = ink.px(3.6), d = r * 0.7071F, tail = ink.px(3.4), w = ink.px(1.4);
    const ImVec2 lens{middle.x - ink.px(1), middle.y - ink.px(1)};
    list.AddCircle(lens, r, color, 0, w);
    list.AddLine({lens.x + d, lens.y + d}, {lens.x + d + tail, lens.y + d + tail}, color, w);
}

/// Wavy line under bytes [begin, end) of the field's text.
void squiggle(const PanelInk& ink, float x0, float x1, float y) {
    const float step = ink.px(2.5), rise = ink.px(1.5);
    bool up = false;
    for (float x = x0; x < x1; x += step, up = !up)
        ImGui::GetWindowDrawList()->PathLineTo({x, y + (up ? -rise : rise)});
    ImGui::GetWindowDrawList()->PathStroke(ink.color(Role::Finding), 0, ink.px(1.5));
}

} // namespace

float FilterField::height(const PanelInk& ink, float width, const FilterError& error) {
    float used = ink.px(kHeight + 2 * kGap);
    if (!error.code.empty() || !error.message.empty()) {
        if (!error.code.empty()) used += ink.px(kLine);
        used += ink.paragraph(ink.px(kPad), width - ink.px(kPad), 0, error.message, kMessage, kLine, false);
        used += ink.px(kGap);
    }
    return used;
}

FilterField::Outcome FilterField::draw(const PanelInk& ink, float width, const char* hint, const FilterError& error) {
    Outcome outcome;
    outcome.height = height(ink, width, error);
    const bool wrong = !error.code.empty() || !error.message.empty();
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const ImVec2 from{corner.x + ink.px(kPad), corner.y + ink.px(kGap)};
    const float field = width - 2 * ink.px(kPad);

    ImFont* mono = ink.fonts().font(FontFace::Mono, 12);
    ink.fonts().cover(text_);
    ImGui::SetCursorScreenPos(from);
    ImGui::PushFont(mono);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                        ImVec2(ink.px(kIcon), std::floor((ink.px(kHeight) - mono->FontSize) / 2)));
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0.0F);
    ImGui::SetNextItemWidth(field);
    if (std::exchange(take_focus_, false)) ImGui::SetKeyboardFocusHere();
    outcome.submitted = ImGui::InputTextWithHint("##filter", hint, &text_, ImGuiInputTextFlags_EnterReturnsTrue);
    outcome.edited = ImGui::IsItemEdited();
    const bool active = ImGui::IsItemActive();
    ImGui::PopStyleVar(2);
    ImGui::PopFont();
    magnifier(ink, {from.x + ink.px(kIcon / 2 + 1), from.y + ink.px(kHeight / 2)});
    ink.frame(from, {from.x + field, from.y + ink.px(kHeight)},
              wrong    ? Role::Finding
              : active ? Role::Accent
                       : Role::Field,
              active ? 1.5 : 1, 5);
    if (!wrong) return outcome;

    if (error.end > error.begin) {
        const TextLook look{FontFace::Mono, 12, Role::Text};
        const std::string_view all = text_;
        const auto end = std::min(all.size(), static_cast<std::size_t>(error.end)),
                   begin = std::min(end, static_cast<std::size_t>(error.begin));
        const float x0 = from.x + ink.px(kIcon) + ink.width(all.substr(0, begin), look),
                    limit = from.x + field - ink.px(4);
        const float x1 = x0 + std::max(ink.px(6), ink.width(all.substr(begin, end - begin), look));
        squiggle(ink, std::min(x0, limit), std::min(x1, limit), from.y + ink.px(kHeight - 5));
    }
    float y = from.y + ink.px(kHeight + kGap);
    if (!error.code.empty()) {
        ink.text(from.x, from.x + field, y + ink.px(kLine) / 2, "✗ " + error.code, kCode);
        y += ink.px(kLine);
    }
    ink.paragraph(from.x, from.x + field, y, error.message, kMessage, kLine);
    return outcome;
}

} // namespace ls::views
