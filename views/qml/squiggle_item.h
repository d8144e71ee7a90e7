// The wavy line under a span of text that was refused.
#pragma once

#include <QtGui/QColor>
#include <QtQml/qqmlregistration.h>
#include <QtQuick/QQuickPaintedItem>

namespace ls::ui {

class SquiggleItem : public QQuickPaintedItem {
    Q_OBJECT
    QML_NAMED_ELEMENT(LsSquiggle)
    Q_PROPERTY(QColor color READ color WRITE setColor NOTIFY colorChanged)

public:
    explicit SquiggleItem(QQuickItem* parent = nullptr);
    QColor color() const { return color_; }
    void setColor(const QColor& color);
    void paint(QPainter* painter) override;

signals:
    void colorChanged();

private:
    QColor color_;
};

} // namespace ls::ui
