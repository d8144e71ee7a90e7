#include "views/qml/icon_item.h"

#include <QtCore/QFile>
#include <QtCore/QHash>
#include <QtGui/QPainter>

#include "views/qml/svg_path.h"
#include "views/qml/theme.h"

namespace ls::ui {

namespace {

constexpr qreal kUnits = 20; // the edge of every icon's own square

QString file_of(const QString& name) { return QStringLiteral(":/layoutscope/icons/%1.svg").arg(name); }

const QPainterPath& outline(const QString& name) {
    static QHash<QString, QPainterPath> cache;
    const auto found = cache.constFind(name);
    if (found != cache.constEnd()) return *found;
    QFile file(file_of(name));
    if (!name.isEmpty() && !file.open(QIODevice::ReadOnly)) qWarning("no icon is named \"%s\"", qUtf8Printable(name));
    return *cache.insert(name, file.isOpen() ? outline_of_svg(file.readAll()) : QPainterPath{});
}

} // namespace

IconItem::IconItem(QQuickItem* parent) : QQuickPaintedItem(parent) {
    setAntialiasing(true);
    connect(Theme::instance(), &Theme::changed, this, &IconItem::resize);
    resize();
}

bool IconItem::known(const QString& name) { return QFile::exists(file_of(name)); }

void IconItem::resize() {
    const qreal edge = qRound(size_ * Theme::instance()->scale());
    setImplicitSize(edge, edge);
    update();
}

void IconItem::setName(const QString& name) {
    if (name == name_) return;
    name_ = name;
    update();
    emit nameChanged();
}

void IconItem::setColor(const QColor& color) {
    if (color == color_) return;
    color_ = color;
    update();
    emit colorChanged();
}

void IconItem::setSize(qreal size) {
    if (size == size_) return;
    size_ = size;
    resize();
    emit sizeChanged();
}

void IconItem::setFilled(bool filled) {
    if (filled == filled_) return;
    filled_ = filled;
    update();
    emit filledChanged();
}

void IconItem::paint(QPainter* painter) {
    const qreal unit = qMin(width(), height()) / kUnits;
    painter->setRenderHint(QPainter::Antialiasing);
    painter->translate((width() - unit * kUnits) / 2, (height() - unit * kUnits) / 2);
    painter->scale(unit, unit);
    // The stroke stays near 1.4 px whatever the icon's size, so that small icons do not turn grey.
    painter->setPen(QPen(color_, qMax(1.5, 1.25 / unit), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    if (filled_) painter->setBrush(color_);
    painter->drawPath(outline(name_));
}

} // namespace ls::ui
