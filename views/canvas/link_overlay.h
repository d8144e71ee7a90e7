// The link across the gutter: from the hovered element of one canvas to the same element of another (design picture 1).
// Inside the grids the canvases draw dotted guides; this item draws the solid curve between them. Lay it over both.
//
// QML (Layoutscope.Views), beside ImGuiSurface's:
//   from, to     GridCanvas   left and right picture; they become partners, so that each lights what the other hovers
//   active       bool         draws the curve (default true); the pictures stay partners when false
#pragma once

#include <QtCore/QPointer>

#include "views/canvas/grid_canvas.h"

namespace ls::views {

class LinkOverlay : public ls::views::ImGuiSurface {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(ls::views::GridCanvas* from READ from WRITE setFrom NOTIFY endsChanged)
    Q_PROPERTY(ls::views::GridCanvas* to READ to WRITE setTo NOTIFY endsChanged)
    Q_PROPERTY(bool active READ active WRITE setActive NOTIFY activeChanged)
public:
    explicit LinkOverlay(QQuickItem* parent = nullptr);

    GridCanvas* from() const { return from_; }
    void setFrom(GridCanvas* canvas);
    GridCanvas* to() const { return to_; }
    void setTo(GridCanvas* canvas);
    bool active() const { return active_; }
    void setActive(bool active);

signals:
    void endsChanged();
    void activeChanged();

protected:
    void build(ImGuiFrame& frame) override;

private:
    void attach(QPointer<GridCanvas>& slot, GridCanvas* canvas);
    void join();

    QPointer<GridCanvas> from_, to_;
    bool active_ = true;
};

} // namespace ls::views
