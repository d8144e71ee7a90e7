#include "views/inspector/table_widget.h"

#include <QtGui/QKeyEvent>

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace ls::views {
namespace {

using scene::FontFace;
using scene::HAlign;
using scene::Role;

constexpr double kRow = 21, kHeader = 22;
constexpr double kPad = 6; // on both sides of a cell
constexpr double kTightPad = 3;
constexpr double kInset = 6; // further, at both ends of a row
constexpr std::int64_t kMeasuredRows = 32;
constexpr std::string_view kUp = " ▴", kDown = " ▾";
constexpr double kWheelRows = 3, kWheelPoints = 48;
constexpr TextLook kHeaderText{FontFace::Ui, 11, Role::Text3};

void append_csv(std::string& out, const std::string& field) {
    if (field.find_first_of(",\"\r\n") == std::string::npos) {
        out += field;
        return;
    }
    out += '"';
    for (const char c : field) {
        if (c == '"') out += '"';
        out += c;
    }
    out += '"';
}

std::uint32_t hash_of(const std::vector<float>& widths) {
    std::uint32_t hash = 2166136261U; // FNV-1a
    for (const float width : widths) hash = (hash ^ static_cast<std::uint32_t>(std::lround(width))) * 16777619U;
    return hash;
}

} // namespace

void TableWidget::set_source(std::shared_ptr<const scene::TableSource> source) {
    if (source == source_) return;
    source_ = std::move(source);
    hovered_.reset();
    cursor_.reset();
    body_width_.clear();
    first_ = std::clamp(first_, 0.0, last_first());
}

double TableWidget::natural_height(std::int64_t rows) { return kHeader + kRow * static_cast<double>(rows); }

double TableWidget::last_first() const {
    return static_cast<double>(std::max<std::int64_t>(0, row_count() - std::max(1, visible_rows_)));
}

void TableWidget::scroll_to(std::int64_t row) {
    const auto r = static_cast<double>(row);
    if (r < std::floor(first_)) first_ = r;
    if (r >= std::floor(first_) + visible_rows_) first_ = r - visible_rows_ + 1;
    first_ = std::clamp(first_, 0.0, last_first());
}

void TableWidget::centre_on(std::int64_t row) {
    if (visible_rows_ == 0) {
        centre_later_ = row;
        return;
    }
    const auto r = static_cast<double>(row), top = std::floor(first_);
    if (r >= top && r < top + visible_rows_) return;
    first_ = std::clamp(r - std::floor(visible_rows_ / 2.0), 0.0, last_first());
}

TableWidget::Outcome TableWidget::draw(const char* id, const PanelInk& ink, float width, float height,
                                       const Marks& marks) {
    Outcome outcome;
    if (!source_ || source_->columns().empty()) return outcome;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float bar = ink.px(ScrollBar::kThickness), row_height = ink.px(kRow), body_top = corner.y + ink.px(kHeader);
    const float bar_room = row_count() > static_cast<std::int64_t>((height - ink.px(kHeader)) / row_height) ? bar : 0;
    // Columns give up spare width, then move closer, before anything has to scroll.
    std::vector<float> needs;
    float needed = 0, pad = 0, inset = 0;
    const auto lay_out = [&](bool roomy, double cell_pad, double row_inset) {
        needs = column_needs(ink, marks, roomy);
        pad = ink.px(cell_pad), inset = ink.px(row_inset);
        needed =
            std::accumulate(needs.begin(), needs.end(), 0.0F) + 2 * pad * static_cast<float>(needs.size()) + 2 * inset;
        return needed <= width - bar_room;
    };
    if (!lay_out(true, kPad, kInset) && !lay_out(false, kPad, kInset)) lay_out(false, kTightPad, kTightPad);

    // Bars appear where there is more than can be seen; the lower one takes room from the rows.
    const auto rows_in = [&](float bottom) { return std::max(1, static_cast<int>((bottom - body_top) / row_height)); };
    float bottom = corner.y + height;
    const bool wide = needed > width - bar_room + 0.5F && height > ink.px(kHeader + 2 * kRow);
    if (wide) bottom -= bar;
    visible_rows_ = rows_in(bottom);
    const bool scrolls = row_count() > visible_rows_;
    const float inner = width - (scrolls ? bar : 0), table = wide ? needed : inner;
    scroll_x_ += static_cast<float>(std::exchange(key_steps_, 0)) * ink.px(kWheelPoints);
    scroll_x_ = std::clamp(scroll_x_, 0.0F, std::max(0.0F, table - inner));
    if (centre_later_) centre_on(*std::exchange(centre_later_, std::nullopt));
    first_ = std::clamp(first_, 0.0, last_first());

    ImGui::BeginChild(id, {width, height}, false, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    pointer(ink, corner.x, corner.x + inner, body_top, bottom, outcome);
    ink.fill({corner.x, corner.y}, {corner.x + width, body_top}, Role::Window);
    ImGui::PushClipRect(corner, {corner.x + inner, bottom}, true);
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(pad, 0));
    ImGui::PushStyleColor(ImGuiCol_TableBorderLight, 0U); // columns are parted by a line only while one is dragged
    ImGui::PushStyleColor(ImGuiCol_TableBorderStrong, 0U);
    constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_Resizable | ImGuiTableFlags_NoSavedSettings |
                                       ImGuiTableFlags_NoClip | ImGuiTableFlags_SizingStretchProp |
                                       ImGuiTableFlags_NoBordersInBody | ImGuiTableFlags_PadOuterX;
    // ImGui takes the widths of a table's first frame: another set of widths is another table to it.
    ImGui::PushID(static_cast<int>(hash_of(needs)));
    ImGui::SetCursorScreenPos({corner.x + inset - scroll_x_, corner.y});
    if (ImGui::BeginTable("rows", static_cast<int>(source_->columns().size()), kFlags, {table - 2 * inset, 0})) {
        // What is left over is shared evenly.
        const float spare = std::max(0.0F, table - needed) / static_cast<float>(needs.size());
        for (std::size_t i = 0; i < needs.size(); ++i)
            ImGui::TableSetupColumn(source_->columns()[i].title.c_str(), ImGuiTableColumnFlags_WidthStretch,
                                    needs[i] + spare);
        header(ink, marks, outcome);
        rows(ink, marks, corner.x, inner, bottom);
        ImGui::EndTable();
    }
    ImGui::PopID();
    ImGui::PopStyleColor(2);
    ImGui::PopStyleVar();
    ImGui::PopClipRect();
    if (scrolls) {
        const double shown = static_cast<double>(visible_rows_) / static_cast<double>(row_count());
        first_ = down_.draw(ink, "down", corner.x + inner, body_top, bottom - body_top, true, shown,
                            first_ / std::max(1.0, last_first())) *
                 last_first();
    }
    if (wide) {
        const float most = table - inner;
        scroll_x_ = static_cast<float>(across_.draw(ink, "across", corner.x, bottom, inner, false, inner / table,
                                                    scroll_x_ / std::max(1.0F, most))) *
                    most;
    }
    ink.rule(corner.x, corner.x + width, body_top - ink.px(1));
    if (marks.focus_ring) ink.frame(corner, {corner.x + width, corner.y + height}, Role::Accent, 2);
    ImGui::EndChild();
    if (activate_) outcome.activated = std::exchange(activate_, std::nullopt);
    return outcome;
}

/// Looks at rows at the beginning, in the middle and at the end: sorted columns are widest at one of them.
void TableWidget::measure(const PanelInk& ink) {
    const std::size_t columns = source_->columns().size();
    body_width_.assign(columns, 0);
    const std::int64_t count = row_count(), run = kMeasuredRows / 3;
    for (const std::int64_t from : {std::int64_t{0}, count / 2 - run / 2, count - run}) {
        for (std::int64_t row = std::max<std::int64_t>(0, from); row < std::min(count, from + run); ++row) {
            for (std::size_t i = 0; i < columns; ++i) {
                const double width = ink.fonts().width(source_->text(row, i), FontFace::Mono, 12);
                body_width_[i] = std::max(body_width_[i], static_cast<float>(width));
            }
        }
    }
}

std::vector<float> TableWidget::column_needs(const PanelInk& ink, const Marks& marks, bool roomy) {
    if (body_width_.empty()) measure(ink);
    const std::vector<scene::TableColumn>& columns = source_->columns();
    const double digit = ink.fonts().width("0", FontFace::Mono, 12);
    std::vector<float> needs(columns.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
        double need = ink.fonts().width(columns[i].title, kHeaderText.face, kHeaderText.size);
        if (static_cast<int>(i) == marks.sort_column)
            need += ink.fonts().width(kUp, kHeaderText.face, kHeaderText.size);
        need = std::max(need, static_cast<double>(body_width_[i]));
        if (roomy) need = std::max(need, digit * columns[i].width_chars);
        needs[i] = ink.px(need + 1);
    }
    return needs;
}

/// Which row the pointer means, and what it does there. Rows are found by arithmetic: no widget per row.
void TableWidget::pointer(const PanelInk& ink, float left, float right, float top, float bottom, Outcome& outcome) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const bool in_window = ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
    const bool was_inside = pointer_inside_;
    pointer_inside_ = in_window && mouse.x >= left && mouse.x < right && mouse.y >= top && mouse.y < bottom &&
                      !down_.dragged() && !across_.dragged();
    if (in_window) {
        const ImGuiIO& io = ImGui::GetIO();
        scroll_x_ -= io.MouseWheelH * ink.px(kWheelPoints); // the next frame keeps it within the table
        if (io.MouseWheel != 0)
            first_ = std::clamp(first_ - static_cast<double>(io.MouseWheel) * kWheelRows, 0.0, last_first());
    }
    if (!pointer_inside_) {
        if (was_inside) hovered_.reset();
        return;
    }
    const auto row =
        static_cast<std::int64_t>(std::floor(first_)) + static_cast<std::int64_t>((mouse.y - top) / ink.px(kRow));
    // The keyboard's row stays until the pointer moves.
    if (ImGui::GetIO().MouseDelta.x != 0 || ImGui::GetIO().MouseDelta.y != 0 || ImGui::GetIO().MouseWheel != 0 ||
        !was_inside || ImGui::IsMouseClicked(0))
        hovered_ = row < row_count() ? std::optional(row) : std::nullopt;
    if (row >= row_count()) return;
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) outcome.clicked = cursor_ = row;
    if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) outcome.activated = row;
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Right)) outcome.context = cursor_ = row;
}

void TableWidget::header(const PanelInk& ink, const Marks& marks, Outcome& outcome) {
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers, ink.px(kHeader));
    for (std::size_t i = 0; i < source_->columns().size(); ++i) {
        const scene::TableColumn& column = source_->columns()[i];
        ImGui::TableNextColumn();
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float room = ImGui::GetContentRegionAvail().x;
        ImGui::PushID(static_cast<int>(i));
        const bool pressed = ImGui::InvisibleButton("sort", {std::max(1.0F, room), ink.px(kHeader)}) && marks.sortable;
        const bool pointed = ImGui::IsItemHovered(), hot = pointed && marks.sortable;
        ImGui::PopID();
        if (pressed) outcome.sort_column = static_cast<int>(i);
        if (pointed) outcome.header = static_cast<int>(i);
        TextLook look = kHeaderText;
        look.role = hot ? Role::Text : Role::Text2;
        const bool sorted = static_cast<int>(i) == marks.sort_column;
        std::string title = column.title;
        if (sorted) title += marks.descending ? kDown : kUp;
        ink.text(at.x, at.x + room, at.y + ink.px(kHeader) / 2, title, look,
                 column.numeric ? HAlign::Right : HAlign::Left);
    }
}

void TableWidget::rows(const PanelInk& ink, const Marks& marks, float left, float width, float bottom) {
    const float row_height = ink.px(kRow);
    const std::int64_t first = static_cast<std::int64_t>(std::floor(first_));
    const std::int64_t end = std::min(row_count(), first + visible_rows_ + 1);
    const std::optional<std::int64_t> lit = hovered_ ? hovered_ : marks.hovered;
    for (std::int64_t row = first; row < end; ++row) {
        ImGui::TableNextRow(ImGuiTableRowFlags_None, row_height);
        TextLook look{FontFace::Mono, 12, Role::Text};
        const std::optional<scene::Cell> cell =
            marks.selected && !marks.selected->empty() ? source_->cell(row) : std::nullopt;
        const bool selected =
            cell && std::find(marks.selected->begin(), marks.selected->end(), *cell) != marks.selected->end();
        bool first_column = true;
        for (std::size_t i = 0; i < source_->columns().size(); ++i) {
            ImGui::TableNextColumn();
            const ImVec2 at = ImGui::GetCursorScreenPos();
            const float room = ImGui::GetContentRegionAvail().x;
            if (first_column) {
                const float x0 = left, y1 = std::min(at.y + row_height, bottom);
                if (row == lit && !source_->cell(row)) { // yellow means an element, everywhere
                    ink.fill({x0, at.y}, {x0 + width, y1}, Role::Sunken);
                } else if (row == lit) {
                    ink.fill({x0, at.y}, {x0 + width, y1}, Role::Hover);
                    look.role = Role::OnHover;
                } else if (selected) {
                    ink.fill({x0, at.y}, {x0 + width, y1}, Role::AccentTint);
                }
                if (selected) ink.fill({x0, at.y}, {x0 + ink.px(2), y1}, Role::Accent);
                if (at.y + row_height < bottom)
                    ink.rule(x0, x0 + width, at.y + row_height - std::max(1.0F, std::floor(ink.px(1))));
                first_column = false;
            }
            const scene::TableColumn& column = source_->columns()[i];
            ink.text(at.x, at.x + room, at.y + row_height / 2, source_->text(row, i), look,
                     column.numeric ? HAlign::Right : HAlign::Left);
        }
    }
}

void TableWidget::enter() {
    if (row_count() > 0) cursor_ = hovered_ = first_row();
}

bool TableWidget::key(const QKeyEvent& event) {
    const std::int64_t count = row_count();
    if (count == 0) return false;
    const std::int64_t here = cursor_.value_or(hovered_.value_or(first_row() - 1));
    std::int64_t next = here;
    switch (event.key()) {
    case Qt::Key_Up: next = here - 1; break;
    case Qt::Key_Down: next = here + 1; break;
    case Qt::Key_PageUp: next = here - visible_rows_; break;
    case Qt::Key_PageDown: next = here + visible_rows_; break;
    case Qt::Key_Home: next = 0; break;
    case Qt::Key_End: next = count - 1; break;
    case Qt::Key_Left: --key_steps_; return true;
    case Qt::Key_Right: ++key_steps_; return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (!cursor_) return false;
        activate_ = cursor_;
        return true;
    default: return false;
    }
    cursor_ = hovered_ = std::clamp<std::int64_t>(next, 0, count - 1);
    scroll_to(*cursor_);
    return true;
}

std::string TableWidget::row_text(std::int64_t row) const {
    std::string out;
    if (!source_ || row < 0 || row >= row_count()) return out;
    for (std::size_t i = 0; i < source_->columns().size(); ++i) {
        if (i > 0) out += '\t';
        out += source_->text(row, i);
    }
    return out;
}

std::string TableWidget::csv(std::int64_t limit) const {
    std::string out;
    if (!source_) return out;
    const std::vector<scene::TableColumn>& columns = source_->columns();
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (i > 0) out += ',';
        append_csv(out, columns[i].title);
    }
    out += "\r\n";
    for (std::int64_t row = 0; row < std::min(limit, row_count()); ++row) {
        for (std::size_t i = 0; i < columns.size(); ++i) {
            if (i > 0) out += ',';
            append_csv(out, source_->text(row, i));
        }
        out += "\r\n";
    }
    return out;
}

} // namespace ls::views
