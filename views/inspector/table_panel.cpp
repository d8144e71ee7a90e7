#include "views/inspector/table_panel.h"

#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtGui/QKeyEvent>

#include <imgui.h>

#include "views/accessible.h"

namespace ls::views {
namespace {

constexpr double kMostCopiedRows = 1'000'000; // about 50 MB of text

} // namespace

TablePanel::TablePanel(QQuickItem* parent) : ImGuiHost(parent) {}

void TablePanel::componentComplete() {
    ImGuiHost::componentComplete();
    set_accessible_role(*this, QStringLiteral("Table"));
    set_accessible_text(*this, accessible_name(), current_text_);
}

QString TablePanel::accessible_name() const { return tr("Table"); }

void TablePanel::tell_accessible() {
    set_accessible_text(*this, current_text_.isEmpty() ? accessible_name() : current_text_, accessible_name());
}

template <class T>
void TablePanel::set(T& field, T value, void (TablePanel::*changed)()) {
    if (field == value) return;
    field = std::move(value);
    emit(this->*changed)();
    redraw();
}

void TablePanel::setTable(const TableHandle& table) {
    if (table == table_) return;
    table_ = table;
    rows_.set_source(table_.table());
    linked_row_ = table_.table() && hover_cell_.valid() ? table_.table()->row_of(hover_cell_.cell()) : std::nullopt;
    if (linked_row_ && follow_) rows_.centre_on(*linked_row_);
    set_current(std::nullopt);
    emit tableChanged();
    redraw();
}

void TablePanel::setHoverCell(const GridCell& cell) {
    if (cell == hover_cell_) return;
    hover_cell_ = cell;
    linked_row_ = table_.table() && cell.valid() ? table_.table()->row_of(cell.cell()) : std::nullopt;
    // The row comes into sight unless the pointer or the keyboard is at work here.
    if (linked_row_ && follow_ && !rows_.hovered()) rows_.centre_on(*linked_row_);
    emit hoverCellChanged();
    redraw();
}

void TablePanel::setSelectedCells(const QList<GridCell>& cells) {
    if (cells == selected_list_) return;
    selected_list_ = cells;
    selected_.assign(cells.begin(), cells.end());
    emit selectedCellsChanged();
    redraw();
}

void TablePanel::setFilterVisible(bool visible) { set(filter_visible_, visible, &TablePanel::filterVisibleChanged); }

void TablePanel::setFilter(const QString& text) {
    if (text == filter()) return;
    filter_.set_text(text.toStdString());
    emit filterChanged();
    redraw();
}

void TablePanel::setFilterHint(const QString& hint) { set(hint_, hint.toStdString(), &TablePanel::filterHintChanged); }
void TablePanel::setFilterErrorCode(const QString& code) {
    set(error_.code, code.toStdString(), &TablePanel::filterErrorChanged);
}
void TablePanel::setFilterError(const QString& message) {
    set(error_.message, message.toStdString(), &TablePanel::filterErrorChanged);
}
void TablePanel::setFilterErrorBegin(int at) { set(error_.begin, at, &TablePanel::filterErrorChanged); }
void TablePanel::setFilterErrorEnd(int at) { set(error_.end, at, &TablePanel::filterErrorChanged); }
void TablePanel::setSortable(bool sortable) { set(sortable_, sortable, &TablePanel::sortChanged); }
void TablePanel::setSortColumn(int column) { set(sort_column_, column, &TablePanel::sortChanged); }
void TablePanel::setSortDescending(bool descending) { set(descending_, descending, &TablePanel::sortChanged); }

void TablePanel::setFollowHover(bool follow) {
    if (follow == follow_) return;
    follow_ = follow;
    emit followHoverChanged();
}

GridCell TablePanel::cell_of(std::int64_t row) const {
    return table_.table() && row >= 0 && row < table_.table()->row_count()
               ? table_.table()->cell(row).value_or(scene::Cell{})
               : scene::Cell{};
}

void TablePanel::set_current(std::optional<std::int64_t> row) {
    if (row == current_row_) return;
    current_row_ = row;
    current_text_ =
        row ? QString::fromStdString(rows_.row_text(*row)).replace(QLatin1Char('\t'), QStringLiteral("  ")) : QString();
    const GridCell cell = row ? cell_of(*row) : GridCell();
    const bool moved = cell != hover_cell_;
    if (moved) {
        hover_cell_ = cell;
        linked_row_ = row;
    }
    emit currentRowChanged();
    if (moved) emit hoverCellChanged();
    tell_accessible();
}

void TablePanel::set_header(std::optional<int> column) {
    const QString help =
        column && table_.table() && static_cast<std::size_t>(*column) < table_.table()->columns().size()
            ? QString::fromStdString(table_.table()->columns()[static_cast<std::size_t>(*column)].help)
            : QString();
    if (help == header_help_) return;
    header_help_ = help;
    emit headerHelpChanged();
}

void TablePanel::widgets() {
    const PanelInk ink(fonts(), theme());
    draw_table(ink, ImGui::GetIO().DisplaySize.x, ImGui::GetIO().DisplaySize.y);
}

void TablePanel::draw_table(const PanelInk& ink, float width, float height) {
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    float used = 0;
    if (filter_visible_) {
        const FilterField::Outcome typed = filter_.draw(ink, width, hint_.c_str(), error_);
        used = typed.height;
        if (typed.edited)
            later([this] {
                emit filterChanged();
                emit filterEdited(filter());
            });
        if (typed.submitted) later([this] { emit filterSubmitted(); });
    }
    ImGui::SetCursorScreenPos({corner.x, corner.y + used});
    TableWidget::Marks marks;
    marks.hovered = current_row_ ? std::nullopt : linked_row_; // while the pointer is here, it alone says what is lit
    marks.selected = &selected_;
    marks.sort_column = sort_column_;
    marks.descending = descending_;
    marks.sortable = sortable_;
    marks.focus_ring = keyboard_focus() && !textInput();
    const TableWidget::Outcome done = rows_.draw("table", ink, width, std::max(0.0F, height - used), marks);

    if (rows_.hovered() != current_row_) later([this] { set_current(rows_.hovered()); });
    later([this, column = done.header] { set_header(column); });
    if (done.clicked) later([this, row = *done.clicked] { emit rowClicked(cell_of(row), static_cast<double>(row)); });
    if (done.activated)
        later([this, row = *done.activated] { emit rowActivated(cell_of(row), static_cast<double>(row)); });
    if (done.context)
        later([this, row = *done.context, at = ImGui::GetIO().MousePos, scale = dpr()] {
            emit contextMenuRequested(cell_of(row), static_cast<double>(row), QPointF(at.x, at.y) / scale);
        });
    if (done.sort_column)
        later([this, column = *done.sort_column] {
            // The same header again turns the order round.
            emit sortRequested(column, column == sort_column_ && !descending_);
        });
}

bool TablePanel::handle_key(const QKeyEvent& event) {
    if (event.matches(QKeySequence::Copy)) {
        copyRow();
        return true;
    }
    if (event.modifiers() == (Qt::ControlModifier | Qt::ShiftModifier) && event.key() == Qt::Key_C) {
        copyAll();
        return true;
    }
    if (event.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) return false;
    if (event.key() == Qt::Key_Up && filter_visible_ && rows_.cursor() == 0) {
        rows_.leave();
        filter_.focus();
        return true;
    }
    return rows_.key(event);
}

bool TablePanel::handle_text_key(const QKeyEvent& event) {
    if (event.key() != Qt::Key_Down || event.modifiers() & ~Qt::KeypadModifier) return false;
    leave_text();
    rows_.enter();
    return true;
}

void TablePanel::focusOutEvent(QFocusEvent* event) {
    if (!rows_.pointer_inside()) rows_.leave();
    ImGuiHost::focusOutEvent(event);
}

void TablePanel::copyRow() {
    const std::optional<std::int64_t> row = rows_.cursor()    ? rows_.cursor()
                                            : rows_.hovered() ? rows_.hovered()
                                                              : linked_row_;
    if (row) QGuiApplication::clipboard()->setText(QString::fromStdString(rows_.row_text(*row)));
}

void TablePanel::copyAll() { QGuiApplication::clipboard()->setText(csv(kMostCopiedRows)); }

QString TablePanel::csv(double limit) const {
    return QString::fromStdString(rows_.csv(static_cast<std::int64_t>(limit)));
}

void TablePanel::focusFilter() {
    forceActiveFocus(Qt::ShortcutFocusReason);
    filter_.focus();
    tick();
}

void TablePanel::scrollToRow(double row) {
    rows_.scroll_to(static_cast<std::int64_t>(row));
    redraw();
}

} // namespace ls::views
