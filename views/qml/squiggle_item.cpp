#include "views/qml/squiggle_item.h"

#include <QtGui/QPainter>
#include <QtGui/QPainterPath>

namespace ls::ui {

SquiggleItem::SquiggleItem(QQuickItem* parent) : QQuickPaintedItem(parent) {
    setImplicitHeight(4);
    setAntialiasing(true);
}

void SquiggleItem::setColor(const QColor& color) {
    if (color == color_) return;
    color_ = color;
    update();
    emit colorChanged();
}

void SquiggleItem::paint(QPainter* painter) {
    constexpr qreal kWave = 7; // length of one wave in pixels
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(color_, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const qreal middle = height() / 2, rise = height() / 2 - 0.75;
    QPainterPath wave(QPointF(0, middle));
    for (qreal x = 0; x < width(); x += kWave) {
        wave.quadTo(x + kWave / 4, middle - 2 * rise, x + kWave / 2, middle);
        wave.quadTo(x + 3 * kWave / 4, middle + 2 * rise, x + kWave, middle);
    }
    painter->setClipRect(QRectF(0, 0, width(), height()));
    painter->drawPath(wave);
}

} // namespace ls::ui
