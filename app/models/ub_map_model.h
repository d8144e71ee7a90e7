// The memory map as the window shows it: which bytes are in view, what is hovered and selected, and dragging.
#pragma once

#include <QtCore/QPointer>
#include <QtQml/qqmlregistration.h>

#include "app/models/ub_model.h"
#include "core/figure/memory_map.h"
#include "views/handles.h"

namespace ls::models {

class UbMapModel : public QObject {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(ls::models::UbModel* model READ model WRITE setModel NOTIFY modelChanged)
    /// Points; the picture is drawn for exactly this place.
    Q_PROPERTY(double width READ width WRITE setWidth NOTIFY sizeChanged)
    Q_PROPERTY(double height READ height WRITE setHeight NOTIFY sizeChanged)
    /// Lifetimes down; otherwise addresses alone, all of the plot one row.
    Q_PROPERTY(bool lifetimes READ lifetimes WRITE setLifetimes NOTIFY pictureChanged)
    Q_PROPERTY(ls::views::PictureHandle picture READ picture NOTIFY pictureChanged)
    Q_PROPERTY(QString subtitle READ subtitle NOTIFY pictureChanged)
    Q_PROPERTY(bool zoomed READ zoomed NOTIFY pictureChanged)
    Q_PROPERTY(QString rangeText READ rangeText NOTIFY pictureChanged)
    Q_PROPERTY(int conflicts READ conflicts NOTIFY pictureChanged)
    /// Ids of hit regions; −1 for none. `hovered` may come from the map, a table or a finding.
    Q_PROPERTY(double hovered READ hovered WRITE setHovered NOTIFY hoverChanged)
    Q_PROPERTY(ls::views::GridCell hoverCell READ hoverCell WRITE setHoverCell NOTIFY hoverChanged)
    Q_PROPERTY(double selected READ selected WRITE setSelected NOTIFY selectedChanged)
    Q_PROPERTY(QList<ls::views::GridCell> selectedCells READ selectedCells NOTIFY selectedChanged)
    Q_PROPERTY(QString selectedName READ selectedName NOTIFY selectedChanged)
    /// The hovered (else the selected) view, with the numbers put in.
    Q_PROPERTY(QString formula READ formula NOTIFY formulaChanged)
    Q_PROPERTY(QString hoverText READ hoverText NOTIFY formulaChanged)
    Q_PROPERTY(bool dragging READ dragging NOTIFY draggingChanged)
    Q_PROPERTY(QString dragText READ dragText NOTIFY draggingChanged)
    /// How long the last change took from text to picture.
    Q_PROPERTY(double lastMilliseconds READ lastMilliseconds NOTIFY pictureChanged)

public:
    explicit UbMapModel(QObject* parent = nullptr);

    UbModel* model() const { return model_; }
    void setModel(UbModel* model);
    double width() const { return width_; }
    void setWidth(double width);
    double height() const { return height_; }
    void setHeight(double height);
    bool lifetimes() const { return lifetimes_; }
    void setLifetimes(bool on);
    views::PictureHandle picture() const { return picture_; }
    QString subtitle() const { return subtitle_; }
    bool zoomed() const { return end_ > begin_; }
    QString rangeText() const;
    int conflicts() const { return conflicts_; }
    double hovered() const { return static_cast<double>(hovered_); }
    void setHovered(double id);
    views::GridCell hoverCell() const;
    void setHoverCell(const views::GridCell& cell);
    double selected() const { return static_cast<double>(selected_); }
    void setSelected(double id);
    QList<views::GridCell> selectedCells() const;
    QString selectedName() const;
    QString formula() const;
    QString hoverText() const;
    bool dragging() const { return drag_.edge != Edge::None; }
    QString dragText() const { return drag_text_; }
    double lastMilliseconds() const { return last_milliseconds_; }

    // Positions are points in the picture.
    Q_INVOKABLE void zoomAt(double x, double factor);
    Q_INVOKABLE void pan(double dx);
    Q_INVOKABLE void fit();
    /// The selected (else the hovered) block fills a third of the plot.
    Q_INVOKABLE void zoomToSelected();
    /// What a press here would take: "", "begin", "end", "block". Only where the text can be changed.
    Q_INVOKABLE QString handleAt(double x, double y) const;
    Q_INVOKABLE bool beginDrag(double x, double y);
    Q_INVOKABLE void dragTo(double x, bool free);
    Q_INVOKABLE void endDrag();
    /// Keyboard: moves the selected view, or with `edge` its end, by this many bytes.
    Q_INVOKABLE bool nudge(double bytes, bool edge);
    Q_INVOKABLE void selectNext(int step);
    Q_INVOKABLE bool exportTo(const QUrl& file, bool dark);

signals:
    void modelChanged();
    void sizeChanged();
    void pictureChanged();
    void hoverChanged();
    void selectedChanged();
    void formulaChanged();
    void draggingChanged();

private:
    enum class Edge { None, Begin, End, Block };
    struct Grab {
        Edge edge = Edge::None;
        figure::UbTarget target;
        std::int64_t begin = 0, end = 0; ///< in the unified buffer
    };
    void planChanged();
    void redraw();
    void redrawKept();
    Grab grab(double x, double y) const;
    bool apply(const Grab& what, std::int64_t by, const std::string& merge_key);
    const UbRow* row(std::int64_t id) const;

    QPointer<UbModel> model_;
    double width_ = 0, height_ = 0;
    bool lifetimes_ = true;
    figure::MemoryMap map_;
    figure::MemoryMapGeometry geometry_;
    std::vector<UbRow> rows_;
    views::PictureHandle picture_;
    QString subtitle_;
    std::int64_t begin_ = 0, end_ = 0; ///< bytes in view; equal: all
    std::int64_t hovered_ = -1, selected_ = -1;
    int conflicts_ = 0;
    Grab drag_;
    std::int64_t drag_from_ = 0;
    std::string drag_text_start_; ///< the document's text when the drag began
    QString drag_text_;
    int drag_number_ = 0; ///< each drag is a step of its own
    double last_milliseconds_ = 0;
};

} // namespace ls::models
