// Shows any draw list: rulers, proof trees, bars, memory maps. Parts of it may answer to the pointer and the keyboard.
//
// QML (Layoutscope.Views), beside ImGuiSurface's:
//   picture         pictureHandle     implicitWidth and implicitHeight follow its size
//   fit             PictureCanvas.Fit None (100 %, upper left), Width (as wide as the item), Contain (all of it, centred)
//   zoom            real  RW          on top of `fit`; Ctrl-wheel zooms at the pointer when `zoomable`
//   zoomable        bool              (default false) also lets the picture be dragged about
//   hoveredId       string (read only)  region under the pointer or the keyboard, empty for none
//   selectedId      string            region that carries the selection's edge
//   highlightedId   string            region lit because another view hovers it
//   describe        string (read only)
//   signals: regionClicked(string id, int modifiers), regionActivated(string id) (double click, Enter),
//            contextMenuRequested(string id, point position)
// A picture larger than the item scrolls with the wheel; without something to scroll the wheel goes to the parent.
#pragma once

#include "views/canvas/draw_list_to_imgui.h"
#include "views/handles.h"
#include "views/inspector/imgui_surface.h"

namespace ls::views {

class PictureCanvas : public ImGuiSurface {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(ls::views::PictureHandle picture READ picture WRITE setPicture NOTIFY pictureChanged)
    Q_PROPERTY(Fit fit READ fit WRITE setFit NOTIFY fitChanged)
    Q_PROPERTY(double zoom READ zoom WRITE setZoom NOTIFY placeChanged)
    Q_PROPERTY(bool zoomable READ zoomable WRITE setZoomable NOTIFY zoomableChanged)
    Q_PROPERTY(QString hoveredId READ hoveredId NOTIFY hoveredChanged)
    Q_PROPERTY(QString selectedId READ selectedId WRITE setSelectedId NOTIFY selectedIdChanged)
    Q_PROPERTY(QString highlightedId READ highlightedId WRITE setHighlightedId NOTIFY highlightedIdChanged)
    Q_PROPERTY(QString describe READ describe NOTIFY hoveredChanged)
public:
    enum Fit { None, Width, Contain };
    Q_ENUM(Fit)

    explicit PictureCanvas(QQuickItem* parent = nullptr);

    PictureHandle picture() const { return picture_; }
    void setPicture(const PictureHandle& picture);
    Fit fit() const { return fit_; }
    void setFit(Fit fit);
    double zoom() const { return zoom_; }
    void setZoom(double zoom);
    bool zoomable() const { return zoomable_; }
    void setZoomable(bool on);
    QString hoveredId() const;
    QString selectedId() const { return QString::fromStdString(selected_); }
    void setSelectedId(const QString& id);
    QString highlightedId() const { return QString::fromStdString(highlighted_); }
    void setHighlightedId(const QString& id);
    QString describe() const;

    /// Where a region is drawn, in item coordinates; empty when there is none of that name.
    Q_INVOKABLE QRectF regionRect(const QString& id) const;
    /// Scrolls as little as needed to show the region.
    Q_INVOKABLE void reveal(const QString& id);

signals:
    void pictureChanged();
    void fitChanged();
    void placeChanged();
    void zoomableChanged();
    void hoveredChanged();
    void selectedIdChanged();
    void highlightedIdChanged();
    void regionClicked(const QString& id, int modifiers);
    void regionActivated(const QString& id);
    void contextMenuRequested(const QString& id, const QPointF& position);

protected:
    void build(ImGuiFrame& frame) override;
    void look_changed() override { images_.clear(); }
    void componentComplete() override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseUngrabEvent() override { end_drag(); }
    void hoverEnterEvent(QHoverEvent* event) override { hoverMoveEvent(event); }
    void hoverMoveEvent(QHoverEvent* event) override;
    void hoverLeaveEvent(QHoverEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void geometryChange(const QRectF& now, const QRectF& before) override;

private:
    const PictureHandle::Content* content() const { return picture_.content().get(); }
    double scale() const;      ///< item points of one picture point
    QPointF corner() const;    ///< of the picture, in item points
    QPointF scrolled(QPointF wanted) const; ///< clamped scroll position
    scene::Rect placed(const scene::Rect& rect) const;
    int region_at(QPointF point) const;
    int region_named(const std::string& id) const;
    void set_hovered(int index);
    void scroll_to(QPointF scroll);
    void end_drag();

    PictureHandle picture_;
    CellImageCache images_;
    Fit fit_ = None;
    double zoom_ = 1;
    QPointF scroll_, press_, last_;
    std::string selected_, highlighted_;
    int hovered_ = -1;
    bool zoomable_ = false, pressed_ = false, dragging_ = false, by_key_ = false;
    QPointF pointer_{-1, -1};
};

} // namespace ls::views
