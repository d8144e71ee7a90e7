#include "views/canvas/link_overlay.h"

#include <algorithm>
#include <cmath>

#include "core/scene/metrics.h"
#include "views/canvas/draw_list_to_imgui.h"

namespace ls::views {

LinkOverlay::LinkOverlay(QQuickItem* parent) : ImGuiSurface(parent) {}

void LinkOverlay::attach(QPointer<GridCanvas>& slot, GridCanvas* canvas) {
    if (slot == canvas) return;
    if (slot) {
        slot->disconnect(this);
        slot->setLinkSide(scene::LinkSide::None);
        slot->setPartner(nullptr);
    }
    slot = canvas;
    if (slot) {
        connect(slot, &GridCanvas::linkPointChanged, this, [this] { redraw(); });
        connect(slot, &GridCanvas::hoverCellChanged, this, [this] { redraw(); });
        for (const auto moved : {&QQuickItem::xChanged, &QQuickItem::yChanged})
            connect(slot, moved, this, [this] { redraw(); });
        for (const auto resized : {&QQuickItem::widthChanged, &QQuickItem::heightChanged})
            connect(slot, resized, this, [this] { redraw(); });
    }
    join();
    emit endsChanged();
    redraw();
}

void LinkOverlay::join() {
    if (from_)
        from_->setPartner(to_), from_->setLinkSide(active_ && to_ ? scene::LinkSide::Right : scene::LinkSide::None);
    if (to_) to_->setPartner(from_), to_->setLinkSide(active_ && from_ ? scene::LinkSide::Left : scene::LinkSide::None);
}

void LinkOverlay::setFrom(GridCanvas* canvas) { attach(from_, canvas); }
void LinkOverlay::setTo(GridCanvas* canvas) { attach(to_, canvas); }

void LinkOverlay::setActive(bool active) {
    if (active == active_) return;
    active_ = active;
    join();
    emit activeChanged();
    redraw();
}

void LinkOverlay::build(ImGuiFrame& frame) {
    if (!active_ || !from_ || !to_ || from_->linkPoint().x() < 0 || to_->linkPoint().x() < 0) return;
    if (!from_->hoverCell().valid() && !to_->hoverCell().valid()) return;
    const QPointF start = mapFromItem(from_, from_->linkPoint()) / dp(),
                  end = mapFromItem(to_, to_->linkPoint()) / dp();
    const double bend = std::max(12.0, std::abs(end.x() - start.x()) / 2);
    const scene::Paint ink{scene::ColorKey::role(scene::Role::Ink)};
    scene::DrawList list;
    list.add(scene::Curve{{start.x(), start.y()},
                          {start.x() + bend, start.y()},
                          {end.x() - bend, end.y()},
                          {end.x(), end.y()},
                          ink,
                          scene::Metrics::builtin().link});
    list.add(scene::Ellipse{{start.x(), start.y()}, 3, 3, ink});
    ImGuiSheet sheet(fonts(), std::ceil(width() * dpr()), std::ceil(height() * dpr()));
    DrawListPainter(sheet, frame, fonts(), theme()).draw(list);
    frame.capture(sheet.list());
}

} // namespace ls::views
