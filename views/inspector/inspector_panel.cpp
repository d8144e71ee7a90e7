#include "views/inspector/inspector_panel.h"

#include <imgui.h>

#include <algorithm>

#include "views/inspector/panel_parts.h"

namespace ls::views {
namespace {

constexpr double kLeastElements = 200; // points; the sections above scroll rather than take more
constexpr double kGap = 8;

} // namespace

InspectorPanel::InspectorPanel(QQuickItem* parent) : TablePanel(parent) { setFilterVisible(true); }

QString InspectorPanel::accessible_name() const { return tr("Inspector"); }

void InspectorPanel::setIters(const TableHandle& iters) {
    if (iters == iters_) return;
    iters_ = iters;
    iter_rows_.set_source(iters_.table());
    emit itersChanged();
    redraw();
}

void InspectorPanel::setProperties(const PropertiesHandle& properties) {
    if (properties == properties_) return;
    properties_ = properties;
    emit propertiesChanged();
    redraw();
}

void InspectorPanel::setElementsNote(const QString& note) {
    if (note == elementsNote()) return;
    note_ = note.toStdString();
    emit elementsNoteChanged();
    redraw();
}

void InspectorPanel::show_section(bool& flag, bool visible) {
    if (flag == visible) return;
    flag = visible;
    emit sectionsChanged();
    redraw();
}

void InspectorPanel::setItersVisible(bool visible) { show_section(iters_visible_, visible); }
void InspectorPanel::setPropertiesVisible(bool visible) { show_section(properties_visible_, visible); }
void InspectorPanel::setElementsVisible(bool visible) { show_section(elements_visible_, visible); }

void InspectorPanel::widgets() {
    const PanelInk ink(fonts(), theme());
    const float width = ImGui::GetIO().DisplaySize.x, height = ImGui::GetIO().DisplaySize.y;
    const bool with_iters = iters_visible_ && iters_.table(),
               with_properties = properties_visible_ && properties_.rows();
    const float iters_height = with_iters ? ink.px(TableWidget::natural_height(iters_.table()->row_count())) : 0;
    const float list_height =
        with_properties
            ? ink.px(kSectionHeight + kGap + kPropertyHeight * static_cast<double>(properties_.rows()->size()))
            : 0;
    const float gap = with_iters ? ink.px(kGap) : 0;

    // What describes the layout stands above; it scrolls when the elements would be left without room.
    const float wanted = iters_height + gap + list_height;
    const float upper =
        elements_visible_ ? std::clamp(wanted, 0.0F, std::max(ink.px(80), height - ink.px(kLeastElements))) : height;
    if (wanted > 0) {
        ImGui::SetCursorScreenPos({0, 0});
        ImGui::BeginChild("layout", {width, upper}, false, ImGuiWindowFlags_None);
        const float inner = ImGui::GetContentRegionAvail().x;
        const ImVec2 top = ImGui::GetCursorScreenPos();
        if (with_iters) {
            TableWidget::Marks marks;
            marks.sortable = false;
            const TableWidget::Outcome done = iter_rows_.draw("iters", ink, inner, iters_height, marks);
            if (done.clicked) later([this, row = *done.clicked] { emit iterClicked(static_cast<double>(row)); });
        }
        ImGui::SetCursorScreenPos({top.x, top.y + iters_height + gap});
        if (with_properties) {
            section_header(ink, inner, tr("Properties").toStdString(), {});
            property_list(ink, inner, *properties_.rows());
        }
        ImGui::EndChild();
    }
    if (!elements_visible_) return;
    ImGui::SetCursorScreenPos({0, wanted > 0 ? upper : 0});
    section_header(ink, width, tr("Elements").toStdString(), note_);
    draw_table(ink, width, height - ImGui::GetCursorScreenPos().y);
}

} // namespace ls::views
