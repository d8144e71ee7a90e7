#include "views/qml/frame_item.h"

#include <QtGui/QPainter>

namespace ls::ui {

void FrameItem::paint(QPainter* painter) {
    painter->setRenderHint(QPainter::Antialiasing);
    QPen pen(edge_, thickness_);
    if (dashed_) pen.setDashPattern({4 / thickness_, 3 / thickness_}); // in units of the pen's width
    painter->setPen(pen);
    painter->setBrush(fill_);
    const qreal inset = thickness_ / 2;
    painter->drawRoundedRect(QRectF(0, 0, width(), height()).adjusted(inset, inset, -inset, -inset), radius_, radius_);
}

} // namespace ls::ui
