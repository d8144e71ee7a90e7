// Shows any picture: rulers, proof trees, bars, memory maps. Parts of it may answer to the pointer and the keyboard.
//
// QML (Layoutscope.Views), beside ImGuiSurface's:
//   picture         pictureHandle     implicitWidth and implicitHeight follow its size
//   fit             PictureCanvas.Fit NoFit (100 %, upper left), FitWidth (as wide as the item), FitAll (centred)
//   zoom            real  RW          on top of `fit`; Ctrl-wheel zooms at the pointer when `zoomable`
//   zoomable        bool              (default false) also lets the picture be dragged about
//   hovered         bool (read only)  the pointer or the keyboard is on a region
//   hoveredId       real (read only)  its id, −1 for none; ids are the figure's own (an index, a statement, a byte)
//   selectedId      real              regions of this id carry the selection's edge; NaN (default): none
//   highlightedId   real              regions of this id are lit because another view hovers them; NaN: none
//   describe        string (read only)  what the hovered region says of itself; also its Accessible.name
//   signals: regionClicked(real id, int modifiers), regionActivated(real id) (double click, Enter),
//            contextMenuRequested(real id, point position)   (−1: beside all regions)
//   methods: regionRect(id), reveal(id), toPicture(position)
// A picture larger than the item scrolls with the wheel; without something to scroll the wheel goes to the parent.
#pragma once

#include <limits>

#include "views/canvas/draw_list_to_imgui.h"
#include "views/handles.h"
#include "views/inspector/imgui_surface.h"

namespace ls::views {

class PictureCanvas : public ls::views::ImGuiSurface {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(ls::views::PictureHandle picture READ picture WRITE setPicture NOTIFY pictureChanged)
    Q_PROPERTY(Fit fit READ fit WRITE setFit NOTIFY fitChanged)
    Q_PROPERTY(double zoom READ zoom WRITE setZoom NOTIFY placeChanged)
    Q_PROPERTY(bool zoomable READ zoomable WRITE setZoomable NOTIFY zoomableChanged)
    Q_PROPERTY(bool hovered READ hovered NOTIFY hoveredChanged)
    Q_PROPERTY(double hoveredId READ hoveredId NOTIFY hoveredChanged)
    Q_PROPERTY(double selectedId READ selectedId WRITE setSelectedId NOTIFY selectedIdChanged)
    Q_PROPERTY(double highlightedId READ highlightedId WRITE setHighlightedId NOTIFY highlightedIdChanged)
    Q_PROPERTY(QString describe READ describe NOTIFY hoveredChanged)
public:
    enum Fit { NoFit, FitWidth, FitAll };
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
    bool hovered() const { return hovered_ >= 0; }
    double hoveredId() const { return hovered() ? static_cast<double>(region(hovered_).id) : -1; }
    double selectedId() const { return selected_; }
    void setSelectedId(double id);
    double highlightedId() const { return highlighted_; }
    void setHighlightedId(double id);
    QString describe() const { return hovered() ? QString::fromStdString(region(hovered_).describe) : QString(); }

    /// Where the first region of this id is drawn, in item coordinates; empty when there is none.
    Q_INVOKABLE QRectF regionRect(double id) const;
    /// Scrolls as little as needed to show that region.
    Q_INVOKABLE void reveal(double id);
    /// A position in the item as points of the picture, for handles and zoom that the figure itself works out.
    Q_INVOKABLE QPointF toPicture(const QPointF& position) const { return (position - corner()) / scale(); }

signals:
    void pictureChanged();
    void fitChanged();
    void placeChanged();
    void zoomableChanged();
    void hoveredChanged();
    void selectedIdChanged();
    void highlightedIdChanged();
    void regionClicked(double id, int modifiers);
    void regionActivated(double id);
    void contextMenuRequested(double id, const QPointF& position);

protected:
    void build(ImGuiFrame& frame) override;
    void look_changed() override;
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
    const scene::Picture* content() const { return picture_.picture().get(); }
    int region_count() const { return content() ? static_cast<int>(content()->hits.size()) : 0; }
    const scene::HitRegion& region(int index) const { return content()->hits[static_cast<std::size_t>(index)]; }
    double scale() const;                   ///< item units of one picture point
    QPointF corner() const;                 ///< of the picture, in item units
    QPointF scrolled(QPointF wanted) const; ///< clamped scroll position
    QRectF placed(const scene::Rect& rect) const;
    int region_at(QPointF point) const;
    int region_of(double id) const;
    void set_hovered(int index);
    void scroll_to(QPointF scroll);
    void reveal_region(int index);
    void end_drag();

    PictureHandle picture_;
    CellImageCache images_;
    Fit fit_ = NoFit;
    double zoom_ = 1;
    double selected_ = std::numeric_limits<double>::quiet_NaN(),
           highlighted_ = std::numeric_limits<double>::quiet_NaN();
    QPointF scroll_, press_, last_, pointer_{-1, -1};
    int hovered_ = -1;
    bool zoomable_ = false, pressed_ = false, dragging_ = false, by_key_ = false;
};

} // namespace ls::views
