// A rounded frame whose edge may be dashed: what was not visited, not run, or waits for a drop.
#pragma once

#include <QtGui/QColor>
#include <QtQml/qqmlregistration.h>
#include <QtQuick/QQuickPaintedItem>

namespace ls::ui {

class FrameItem : public QQuickPaintedItem {
    Q_OBJECT
    QML_NAMED_ELEMENT(LsFrame)
    Q_PROPERTY(QColor edge MEMBER edge_ WRITE setEdge NOTIFY changed)
    Q_PROPERTY(QColor fill MEMBER fill_ WRITE setFill NOTIFY changed)
    Q_PROPERTY(qreal radius MEMBER radius_ WRITE setRadius NOTIFY changed)
    Q_PROPERTY(qreal thickness MEMBER thickness_ WRITE setThickness NOTIFY changed)
    Q_PROPERTY(bool dashed MEMBER dashed_ WRITE setDashed NOTIFY changed)

public:
    explicit FrameItem(QQuickItem* parent = nullptr) : QQuickPaintedItem(parent) { setAntialiasing(true); }
    void setEdge(const QColor& edge) { set(edge_, edge); }
    void setFill(const QColor& fill) { set(fill_, fill); }
    void setRadius(qreal radius) { set(radius_, radius); }
    void setThickness(qreal thickness) { set(thickness_, thickness); }
    void setDashed(bool dashed) { set(dashed_, dashed); }
    void paint(QPainter* painter) override;

signals:
    void changed();

private:
    template <class T>
    void set(T& member, const T& value) {
        if (member == value) return;
        member = value;
        update();
        emit changed();
    }
    QColor edge_ = Qt::transparent;
    QColor fill_ = Qt::transparent;
    qreal radius_ = 5;
    qreal thickness_ = 1;
    bool dashed_ = false;
};

} // namespace ls::ui
