// What QML passes from the models to the items that draw: small values that wrap the scenes of core/scene. QML only
// hands them on; C++ on both ends reads them. All are cheap to copy and compare by identity of what they hold.
//
//     GridCanvas { scene: explorer.logicalScene; hoverCell: explorer.hover }
//
// Rows and columns reach 2^53 without loss (they are JavaScript numbers in QML).
#pragma once

#include <QtCore/QList>
#include <QtCore/QMetaType>
#include <QtCore/QString>
#include <QtCore/QStringList>
#include <QtQml/qqmlregistration.h>

#include <memory>
#include <utility>
#include <vector>

#include "core/scene/draw_list.h"
#include "core/scene/grid.h"
#include "core/scene/picture.h"
#include "core/scene/table.h"

namespace ls::views {

/// One cell of a picture. Invalid (row and column −1) when there is none.
class GridCell {
    Q_GADGET
    QML_VALUE_TYPE(gridCell)
    Q_PROPERTY(double row READ row WRITE setRow)
    Q_PROPERTY(double column READ column WRITE setColumn)
    Q_PROPERTY(bool valid READ valid)
public:
    GridCell() = default;
    GridCell(scene::Cell cell) : cell_(cell) {}
    scene::Cell cell() const { return cell_; }
    operator scene::Cell() const { return cell_; }
    double row() const { return static_cast<double>(cell_.row); }
    double column() const { return static_cast<double>(cell_.col); }
    void setRow(double row) { cell_.row = static_cast<std::int64_t>(row); }
    void setColumn(double column) { cell_.col = static_cast<std::int64_t>(column); }
    bool valid() const { return cell_.valid(); }
    friend bool operator==(const GridCell& a, const GridCell& b) { return a.cell_ == b.cell_; }
    friend bool operator!=(const GridCell& a, const GridCell& b) { return !(a == b); }

private:
    scene::Cell cell_;
};

/// A pinned cell and the number on its badge, 1..9.
class GridPin {
    Q_GADGET
    QML_VALUE_TYPE(gridPin)
    Q_PROPERTY(ls::views::GridCell cell MEMBER cell)
    Q_PROPERTY(int number MEMBER number)
public:
    GridCell cell;
    int number = 0;
    friend bool operator==(const GridPin& a, const GridPin& b) { return a.cell == b.cell && a.number == b.number; }
    friend bool operator!=(const GridPin& a, const GridPin& b) { return !(a == b); }
};

/// A window of cells: rows [row, row+rows) × columns [column, column+columns). Empty when rows or columns is 0.
class GridWindow {
    Q_GADGET
    QML_VALUE_TYPE(gridWindow)
    Q_PROPERTY(double row READ row)
    Q_PROPERTY(double column READ column)
    Q_PROPERTY(double rows READ rows)
    Q_PROPERTY(double columns READ columns)
    Q_PROPERTY(bool valid READ valid)
public:
    GridWindow() = default;
    GridWindow(scene::CellRect rect) : rect_(rect) {}
    const scene::CellRect& rect() const { return rect_; }
    double row() const { return static_cast<double>(rect_.row); }
    double column() const { return static_cast<double>(rect_.col); }
    double rows() const { return static_cast<double>(rect_.rows); }
    double columns() const { return static_cast<double>(rect_.cols); }
    bool valid() const { return rect_.rows > 0 && rect_.cols > 0; }
    friend bool operator==(const GridWindow& a, const GridWindow& b) { return a.rect_ == b.rect_; }
    friend bool operator!=(const GridWindow& a, const GridWindow& b) { return !(a == b); }

private:
    scene::CellRect rect_;
};

/// Where a canvas looks: the cell at its upper left corner (fractional) and points per cell row.
class GridCamera {
    Q_GADGET
    QML_VALUE_TYPE(gridCamera)
    Q_PROPERTY(double originRow READ originRow WRITE setOriginRow)
    Q_PROPERTY(double originColumn READ originColumn WRITE setOriginColumn)
    Q_PROPERTY(double zoom READ zoom WRITE setZoom)
public:
    GridCamera() = default;
    GridCamera(scene::Camera camera) : camera_(camera) {}
    const scene::Camera& camera() const { return camera_; }
    double originRow() const { return camera_.origin_row; }
    double originColumn() const { return camera_.origin_col; }
    double zoom() const { return camera_.zoom; }
    void setOriginRow(double row) { camera_.origin_row = row; }
    void setOriginColumn(double column) { camera_.origin_col = column; }
    void setZoom(double zoom) { camera_.zoom = zoom; }
    friend bool operator==(const GridCamera& a, const GridCamera& b) { return a.camera_ == b.camera_; }
    friend bool operator!=(const GridCamera& a, const GridCamera& b) { return !(a == b); }

private:
    scene::Camera camera_;
};

/// A picture of rows × columns of cells.
class GridHandle {
    Q_GADGET
    QML_VALUE_TYPE(gridHandle)
    Q_PROPERTY(bool valid READ valid)
    Q_PROPERTY(QString title READ title)
    Q_PROPERTY(QString subtitle READ subtitle)
    Q_PROPERTY(double rows READ rows)
    Q_PROPERTY(double columns READ columns)
    Q_PROPERTY(int levelCount READ levelCount)
public:
    GridHandle() = default;
    GridHandle(std::shared_ptr<const scene::GridScene> scene) : scene_(std::move(scene)) {}
    const std::shared_ptr<const scene::GridScene>& scene() const { return scene_; }
    bool valid() const { return scene_ != nullptr; }
    QString title() const { return scene_ ? QString::fromStdString(scene_->title) : QString(); }
    QString subtitle() const { return scene_ ? QString::fromStdString(scene_->subtitle) : QString(); }
    double rows() const { return scene_ ? static_cast<double>(scene_->rows) : 0; }
    double columns() const { return scene_ ? static_cast<double>(scene_->cols) : 0; }
    int levelCount() const { return scene_ ? static_cast<int>(scene_->levels.size()) : 0; }
    friend bool operator==(const GridHandle& a, const GridHandle& b) { return a.scene_ == b.scene_; }
    friend bool operator!=(const GridHandle& a, const GridHandle& b) { return !(a == b); }

private:
    std::shared_ptr<const scene::GridScene> scene_;
};

/// A table, asked for row by row.
class TableHandle {
    Q_GADGET
    QML_VALUE_TYPE(tableHandle)
    Q_PROPERTY(bool valid READ valid)
    Q_PROPERTY(double rowCount READ rowCount)
    Q_PROPERTY(QStringList columnTitles READ columnTitles)
public:
    TableHandle() = default;
    TableHandle(std::shared_ptr<const scene::TableSource> table) : table_(std::move(table)) {}
    const std::shared_ptr<const scene::TableSource>& table() const { return table_; }
    bool valid() const { return table_ != nullptr; }
    double rowCount() const { return table_ ? static_cast<double>(table_->row_count()) : 0; }
    QStringList columnTitles() const {
        QStringList titles;
        if (table_)
            for (const scene::TableColumn& column : table_->columns()) titles << QString::fromStdString(column.title);
        return titles;
    }
    friend bool operator==(const TableHandle& a, const TableHandle& b) { return a.table_ == b.table_; }
    friend bool operator!=(const TableHandle& a, const TableHandle& b) { return !(a == b); }

private:
    std::shared_ptr<const scene::TableSource> table_;
};

/// Names and values: injective, span, alignment, ...
class PropertiesHandle {
    Q_GADGET
    QML_VALUE_TYPE(propertiesHandle)
    Q_PROPERTY(bool valid READ valid)
    Q_PROPERTY(int count READ count)
public:
    PropertiesHandle() = default;
    PropertiesHandle(std::vector<scene::PropertyRow> rows)
        : rows_(std::make_shared<const std::vector<scene::PropertyRow>>(std::move(rows))) {}
    const std::shared_ptr<const std::vector<scene::PropertyRow>>& rows() const { return rows_; }
    bool valid() const { return rows_ != nullptr; }
    int count() const { return rows_ ? static_cast<int>(rows_->size()) : 0; }
    friend bool operator==(const PropertiesHandle& a, const PropertiesHandle& b) { return a.rows_ == b.rows_; }
    friend bool operator!=(const PropertiesHandle& a, const PropertiesHandle& b) { return !(a == b); }

private:
    std::shared_ptr<const std::vector<scene::PropertyRow>> rows_;
};

/// Any picture that is not a grid: a ruler, a proof tree, bars, a memory map.
class PictureHandle {
    Q_GADGET
    QML_VALUE_TYPE(pictureHandle)
    Q_PROPERTY(bool valid READ valid)
    Q_PROPERTY(QString title READ title)
    Q_PROPERTY(QString subtitle READ subtitle)
    Q_PROPERTY(double width READ width)
    Q_PROPERTY(double height READ height)
public:
    PictureHandle() = default;
    PictureHandle(scene::Picture picture) : picture_(std::make_shared<const scene::Picture>(std::move(picture))) {}
    PictureHandle(std::shared_ptr<const scene::Picture> picture) : picture_(std::move(picture)) {}
    const std::shared_ptr<const scene::Picture>& picture() const { return picture_; }
    bool valid() const { return picture_ != nullptr; }
    QString title() const { return picture_ ? QString::fromStdString(picture_->title) : QString(); }
    QString subtitle() const { return picture_ ? QString::fromStdString(picture_->subtitle) : QString(); }
    double width() const { return picture_ ? picture_->list.width : 0; }
    double height() const { return picture_ ? picture_->list.height : 0; }
    friend bool operator==(const PictureHandle& a, const PictureHandle& b) { return a.picture_ == b.picture_; }
    friend bool operator!=(const PictureHandle& a, const PictureHandle& b) { return !(a == b); }

private:
    std::shared_ptr<const scene::Picture> picture_;
};

} // namespace ls::views
