// An address read outside-in: each row parts what the row above picked, and the hit part of each is lit.
//
//     tensor   | block 0 | BLOCK 1 | block 2 | block 3 |
//     block 1  | fractal 0 | fractal 1 | FRACTAL 2 | fractal 3 |
#pragma once

#include <QtCore/QVariantList>
#include <QtQml/qqmlregistration.h>
#include <QtQuick/QQuickPaintedItem>

namespace ls::ui {

class RulerItem : public QQuickPaintedItem {
    Q_OBJECT
    QML_NAMED_ELEMENT(LsRuler)
    /// { name, size, parts: [{ text, brief, hit }], before, after } from the outside in.
    Q_PROPERTY(QVariantList levels READ levels WRITE setLevels NOTIFY levelsChanged)

public:
    explicit RulerItem(QQuickItem* parent = nullptr);
    QVariantList levels() const { return levels_; }
    void setLevels(const QVariantList& levels);
    void paint(QPainter* painter) override;

signals:
    void levelsChanged();

private:
    QVariantList levels_;
};

} // namespace ls::ui
