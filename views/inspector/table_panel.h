// One table as a Qt Quick item: iters, elements, K steps, books, events, anything that answers as a TableSource.
//
// QML (Layoutscope.Views), beside ImGuiSurface's and ImGuiHost's:
//   table            tableHandle      what is shown
//   hoverCell        gridCell   RW    the cell lit everywhere: set it from the canvas, read it when a row is hovered
//   selectedCells    list<gridCell>   rows of these carry the selection's tint
//   filterVisible    bool             show the filter field (default false)
//   filter           string     RW    its text
//   filterHint       string           shown while it is empty
//   filterErrorCode, filterError      string   under the field; empty when the filter is understood
//   filterErrorBegin, filterErrorEnd  int      bytes of the filter that are meant
//   sortable         bool             headers ask for sorting (default true)
//   sortColumn       int              −1: the table's own order
//   sortDescending   bool
//   followHover      bool             bring the hovered cell's row into sight (default true)
//   currentRow       real (read only) row under the pointer or the keyboard, −1 none
//   currentText      string (read only)  that row, for status bars and screen readers
//   firstRow, visibleRows   (read only)
//   headerHelp       string (read only)  what the column means whose title the pointer is on; for a tool tip
//   signals: filterEdited(string text), filterSubmitted(), sortRequested(int column, bool descending),
//            rowClicked(gridCell cell, real row), rowActivated(gridCell cell, real row),
//            contextMenuRequested(gridCell cell, real row, point position)
// Keys: arrows, Page, Home and End walk the rows, Enter activates, Ctrl C copies the row, Ctrl Shift C the table; up
// from the first row enters the filter, down leaves it.
//   methods: copyRow(), copyAll(), csv(limit), focusFilter(), scrollToRow(row)
#pragma once

#include <vector>

#include "views/handles.h"
#include "views/inspector/filter_field.h"
#include "views/inspector/imgui_host.h"
#include "views/inspector/table_widget.h"

namespace ls::views {

class TablePanel : public ls::views::ImGuiHost {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(ls::views::TableHandle table READ table WRITE setTable NOTIFY tableChanged)
    Q_PROPERTY(ls::views::GridCell hoverCell READ hoverCell WRITE setHoverCell NOTIFY hoverCellChanged)
    Q_PROPERTY(
        QList<ls::views::GridCell> selectedCells READ selectedCells WRITE setSelectedCells NOTIFY selectedCellsChanged)
    Q_PROPERTY(bool filterVisible READ filterVisible WRITE setFilterVisible NOTIFY filterVisibleChanged)
    Q_PROPERTY(QString filter READ filter WRITE setFilter NOTIFY filterChanged)
    Q_PROPERTY(QString filterHint READ filterHint WRITE setFilterHint NOTIFY filterHintChanged)
    Q_PROPERTY(QString filterErrorCode READ filterErrorCode WRITE setFilterErrorCode NOTIFY filterErrorChanged)
    Q_PROPERTY(QString filterError READ filterError WRITE setFilterError NOTIFY filterErrorChanged)
    Q_PROPERTY(int filterErrorBegin READ filterErrorBegin WRITE setFilterErrorBegin NOTIFY filterErrorChanged)
    Q_PROPERTY(int filterErrorEnd READ filterErrorEnd WRITE setFilterErrorEnd NOTIFY filterErrorChanged)
    Q_PROPERTY(bool sortable READ sortable WRITE setSortable NOTIFY sortChanged)
    Q_PROPERTY(int sortColumn READ sortColumn WRITE setSortColumn NOTIFY sortChanged)
    Q_PROPERTY(bool sortDescending READ sortDescending WRITE setSortDescending NOTIFY sortChanged)
    Q_PROPERTY(bool followHover READ followHover WRITE setFollowHover NOTIFY followHoverChanged)
    Q_PROPERTY(double currentRow READ currentRow NOTIFY currentRowChanged)
    Q_PROPERTY(QString currentText READ currentText NOTIFY currentRowChanged)
    Q_PROPERTY(QString headerHelp READ headerHelp NOTIFY headerHelpChanged)
    Q_PROPERTY(double firstRow READ firstRow NOTIFY frameBuilt)
    Q_PROPERTY(int visibleRows READ visibleRows NOTIFY frameBuilt)
public:
    explicit TablePanel(QQuickItem* parent = nullptr);

    TableHandle table() const { return table_; }
    void setTable(const TableHandle& table);
    GridCell hoverCell() const { return hover_cell_; }
    void setHoverCell(const GridCell& cell);
    QList<GridCell> selectedCells() const { return selected_list_; }
    void setSelectedCells(const QList<GridCell>& cells);
    bool filterVisible() const { return filter_visible_; }
    void setFilterVisible(bool visible);
    QString filter() const { return QString::fromStdString(filter_.text()); }
    void setFilter(const QString& text);
    QString filterHint() const { return QString::fromStdString(hint_); }
    void setFilterHint(const QString& hint);
    QString filterErrorCode() const { return QString::fromStdString(error_.code); }
    void setFilterErrorCode(const QString& code);
    QString filterError() const { return QString::fromStdString(error_.message); }
    void setFilterError(const QString& message);
    int filterErrorBegin() const { return error_.begin; }
    void setFilterErrorBegin(int at);
    int filterErrorEnd() const { return error_.end; }
    void setFilterErrorEnd(int at);
    bool sortable() const { return sortable_; }
    void setSortable(bool sortable);
    int sortColumn() const { return sort_column_; }
    void setSortColumn(int column);
    bool sortDescending() const { return descending_; }
    void setSortDescending(bool descending);
    bool followHover() const { return follow_; }
    void setFollowHover(bool follow);
    double currentRow() const { return current_row_ ? static_cast<double>(*current_row_) : -1; }
    QString currentText() const { return current_text_; }
    QString headerHelp() const { return header_help_; }
    double firstRow() const { return static_cast<double>(rows_.first_row()); }
    int visibleRows() const { return rows_.visible_rows(); }

    Q_INVOKABLE void copyRow();
    Q_INVOKABLE void copyAll();
    Q_INVOKABLE QString csv(double limit) const;
    Q_INVOKABLE void focusFilter();
    Q_INVOKABLE void scrollToRow(double row);

signals:
    void tableChanged();
    void hoverCellChanged();
    void selectedCellsChanged();
    void filterVisibleChanged();
    void filterChanged();
    void filterHintChanged();
    void filterErrorChanged();
    void sortChanged();
    void followHoverChanged();
    void currentRowChanged();
    void headerHelpChanged();
    void filterEdited(const QString& text);
    void filterSubmitted();
    void sortRequested(int column, bool descending);
    void rowClicked(const ls::views::GridCell& cell, double row);
    void rowActivated(const ls::views::GridCell& cell, double row);
    void contextMenuRequested(const ls::views::GridCell& cell, double row, const QPointF& position);

protected:
    void widgets() override;
    bool handle_key(const QKeyEvent& event) override;
    bool handle_text_key(const QKeyEvent& event) override;
    bool wants_key(const QKeyEvent&) const override { return false; }
    void focusOutEvent(QFocusEvent* event) override;
    void componentComplete() override;

    /// Field and table, filling what is left of the item below ImGui's cursor.
    void draw_table(const PanelInk& ink, float width, float height);
    void set_current(std::optional<std::int64_t> row);
    void set_header(std::optional<int> column);
    virtual QString accessible_name() const;
    void tell_accessible();

private:
    GridCell cell_of(std::int64_t row) const;
    template <class T>
    void set(T& field, T value, void (TablePanel::*changed)());

    TableHandle table_;
    TableWidget rows_;
    FilterField filter_;
    FilterError error_;
    std::string hint_;
    GridCell hover_cell_;
    QList<GridCell> selected_list_;
    std::vector<scene::Cell> selected_;
    std::optional<std::int64_t> linked_row_, current_row_;
    QString current_text_, header_help_;
    int sort_column_ = -1;
    bool descending_ = false, sortable_ = true, filter_visible_ = false, follow_ = true;
};

} // namespace ls::views
